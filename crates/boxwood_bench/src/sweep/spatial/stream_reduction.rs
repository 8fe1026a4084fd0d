//! The stream reduction of 2007, over the parameters of the figures of its source: the number of
//! items, the length of a block, and the share of the kept items, by its method and Horn's.

use boxwood::native::Gpu;
use boxwood::papers::stream_reduction::{
    Concatenation, Method, Selected, StreamReduction, StreamReductionPipelines, StreamSearch,
};
use boxwood::spatial::Count;
use boxwood::{read_items, read_texels};
use boxwood_cpu::specification::spatial::{Predicate, select};

use crate::error::BenchError;
use crate::measure::uploaded;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::Random;

/// The size at which the length of a block and the share of the kept items vary, as a logarithm to
/// base 2. In a quick sweep, it is the maximum size.
const VARIED_SIZE: u32 = 20;

/// The length of a block where it does not vary.
const BLOCK_LENGTH: u32 = 256;

/// Reduces 2^k items.
pub(super) fn measure(
    session: &mut Session<'_>,
    pipelines: &StreamReductionPipelines,
    k: u32,
) -> Result<(), BenchError> {
    let n = 1 << k;
    let half = Stream::new(session.gpu, n, 50);
    half.measure(session, pipelines, "50 %", &variants(BLOCK_LENGTH))?;
    half.measure(session, pipelines, "50 %", &[("horn", Method::Horn)])?;
    if k != if session.options.quick { super::QUICK_MAX } else { VARIED_SIZE } {
        return Ok(());
    }
    for log2 in 1..=10 {
        half.measure(session, pipelines, &format!("50 %, blocks of {}", 1 << log2), &variants(1 << log2))?;
    }
    for percent in [0, 10, 20, 30, 40, 60, 70, 80, 90, 100] {
        let stream = Stream::new(session.gpu, n, percent);
        let family = format!("{percent} %");
        stream.measure(session, pipelines, &family, &variants(BLOCK_LENGTH))?;
        stream.measure(session, pipelines, &family, &[("horn", Method::Horn)])?;
    }
    Ok(())
}

/// The method of the source as it could be with scattered writes, with the improved search, and
/// with lines.
fn variants(block_length: u32) -> [(&'static str, Method); 3] {
    let method = |search, concatenation| Method::Blocks { block_length, search, concatenation };
    [
        ("halving_scatter", method(StreamSearch::Halving, Concatenation::Scatter)),
        ("contracting_scatter", method(StreamSearch::Contracting, Concatenation::Scatter)),
        ("contracting_lines", method(StreamSearch::Contracting, Concatenation::Lines)),
    ]
}

struct Stream {
    n: u32,
    mask: wgpu::Buffer,
    expected: Vec<u32>,
}

impl Stream {
    /// `n` items, of which `percent` are kept at random.
    fn new(gpu: &Gpu, n: u32, percent: usize) -> Self {
        let random = &mut Random::new(1);
        let bit = |i: u32, random: &mut Random| u32::from(random.percent(percent)) << i;
        let word = |random: &mut Random| (0..32).fold(0, |word, i| word | bit(i, random));
        let words: Vec<u32> = (0..n.div_ceil(32)).map(|_| word(random)).collect();
        let expected = select(n as usize, &Predicate::Mask(&words));
        Self { n, mask: uploaded(gpu, &words), expected }
    }

    fn measure(
        &self,
        session: &mut Session<'_>,
        pipelines: &StreamReductionPipelines,
        family: &str,
        variants: &[(&str, Method)],
    ) -> Result<(), BenchError> {
        for &(variant, method) in variants {
            // The texture of the lines can have fewer pixels than a buffer has words.
            let Ok(reduction) = StreamReduction::new(pipelines, &self.mask, self.n, method) else {
                continue;
            };
            let seconds =
                session.timer.time_run(&mut |encoder, writes| reduction.record_timed(encoder, writes))?;
            let is_right = self.is_right(session.gpu, &reduction)?;
            let n = self.n as usize;
            let what = "stream_reduction";
            session.add(Measured { what, n, family, variant, seconds, is_right, ..Measured::default() })?;
        }
        Ok(())
    }

    fn is_right(&self, gpu: &Gpu, reduction: &StreamReduction) -> Result<bool, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let n = self.expected.len();
        let Count::Gpu { buffer, word } = reduction.n_selected() else { return Ok(false) };
        if read_items::<u32>(device, queue, buffer, word as usize + 1)?[word as usize] as usize != n {
            return Ok(false);
        }
        Ok(match reduction.selected() {
            Selected::Buffer(selected) => read_items::<u32>(device, queue, selected, n)? == self.expected,
            Selected::Texture(texture) => {
                let expected: &[u8] = bytemuck::cast_slice(&self.expected);
                read_texels(device, queue, texture)?.starts_with(expected)
            }
        })
    }
}
