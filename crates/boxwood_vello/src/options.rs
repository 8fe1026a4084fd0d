//! How a renderer draws.

use vello::AaSupport;
use vello_encoding::{DrawTag, Encoding};

use crate::bump::BumpBuffer;
use crate::error::Error;

/// Who computes the clip boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipStage {
    /// Vello's own clip stage. It is silently wrong beyond [`VELLO_MAX_CLIPS`] clip operations and beyond [`VELLO_MAX_DEPTH`] levels.
    Vello,
    /// Boxwood's, which has no such limits.
    Boxwood,
    /// Vello's where that is right, as it takes one or two dispatches and Boxwood's takes four at least; Boxwood's beyond.
    #[default]
    Auto,
}

/// How many clip operations, begins and ends, Vello's clip stage can hold: a workgroup sees the 256 partitions of 256 before its own.
pub const VELLO_MAX_CLIPS: u32 = 257 * 256;

/// How many clips may be open at a time in Vello's clip stage: as many as a workgroup has invocations.
pub const VELLO_MAX_DEPTH: u32 = 256;

impl ClipStage {
    /// Whose stage this is for a scene, [`Vello`](Self::Vello) or [`Boxwood`](Self::Boxwood).
    ///
    /// [`Auto`](Self::Auto) is `Vello` for scenes of up to [`VELLO_MAX_CLIPS`] clip operations that are up to [`VELLO_MAX_DEPTH`] deep.
    pub fn of(self, encoding: &Encoding) -> Self {
        match self {
            Self::Auto if encoding.n_clips > VELLO_MAX_CLIPS => Self::Boxwood,
            // So few operations cannot be deeper.
            Self::Auto if encoding.n_clips <= 2 * VELLO_MAX_DEPTH => Self::Vello,
            Self::Auto if is_deeper(&encoding.draw_tags, VELLO_MAX_DEPTH) => Self::Boxwood,
            Self::Auto => Self::Vello,
            other => other,
        }
    }
}

/// Whether more than `max` clips are open anywhere.
fn is_deeper(draw_tags: &[DrawTag], max: u32) -> bool {
    let (mut depth, max) = (0, i64::from(max));
    draw_tags.chunks(128).any(|tags| {
        let count = |tag: DrawTag| tags.iter().map(|&own| u32::from(own == tag)).sum::<u32>();
        let (n_begins, n_ends) = (count(DrawTag::BEGIN_CLIP), count(DrawTag::END_CLIP));
        let before = depth;
        depth += i64::from(n_begins) - i64::from(n_ends);
        // Counting takes a fraction of the time that following the depth does, and mostly shows that it is far from deep.
        before + i64::from(n_begins) > max && deepest(before, tags) > max
    })
}

/// How many clips are open at most, of which this many were before.
fn deepest(mut depth: i64, draw_tags: &[DrawTag]) -> i64 {
    let depths = draw_tags.iter().map(|&tag| {
        depth += i64::from(tag == DrawTag::BEGIN_CLIP) - i64::from(tag == DrawTag::END_CLIP);
        depth
    });
    depths.max().unwrap_or(0)
}

/// What is done where a scene overflows one of the [buffers](BumpBuffer) that Vello fills to a size not known beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnOverflow {
    /// It is reported, and nothing is drawn. This waits for the device each frame.
    #[default]
    Refuse,
    /// The buffer is made larger, and the scene drawn again. This waits for the device each frame.
    Grow,
    /// Nobody looks, as in Vello: such a scene is not drawn, or in part. This waits for nothing.
    Ignore,
}

/// How a renderer draws. Vello's own options are some: `vello::RendererOptions::default().into()`.
#[derive(Clone, Debug)]
pub struct RendererOptions {
    /// The ways of anti-aliasing to compile.
    pub antialiasing_support: AaSupport,
    /// Where to keep compiled pipelines.
    pub pipeline_cache: Option<wgpu::PipelineCache>,
    /// Who computes the clip boxes.
    pub clip_stage: ClipStage,
    /// Makes layers as small as what is in them, before they are given tiles.
    ///
    /// A pixel where a layer is empty stays as precise as it was, where Vello would round it to 8 bits at the begin of the layer. So a
    /// channel may differ by one step of 255 for each layer over it: over an opaque picture, by 4 for 4 layers over a faint edge. Where
    /// almost nothing is left of a pixel, its colour may be any other, as its alpha is 0 or next to it.
    pub tighten_layers: bool,
    /// What is done where a scene needs more memory than Vello sets aside.
    pub on_overflow: OnOverflow,
    /// How many items some of the [buffers](BumpBuffer) hold at first that Vello fills to a size not known beforehand. Of the
    /// others they hold as many as Vello sets aside, which is 165 MiB in all. Fewer are for [`OnOverflow::Grow`].
    pub initial_items: Vec<(BumpBuffer, u32)>,
    /// As in Vello's options, whether stages run on the CPU. This renderer cannot do that, and says so.
    pub use_cpu: bool,
}

impl Default for RendererOptions {
    fn default() -> Self {
        vello::RendererOptions::default().into()
    }
}

impl From<vello::RendererOptions> for RendererOptions {
    fn from(options: vello::RendererOptions) -> Self {
        Self {
            antialiasing_support: options.antialiasing_support,
            pipeline_cache: options.pipeline_cache,
            clip_stage: ClipStage::default(),
            tighten_layers: false,
            on_overflow: OnOverflow::default(),
            initial_items: Vec::new(),
            use_cpu: options.use_cpu,
        }
    }
}

impl RendererOptions {
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.use_cpu { Err(Error::CpuStages) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene of these begins and ends with a leaf after each.
    fn encoding(stream: impl Iterator<Item = bool>) -> Encoding {
        let mut encoding = Encoding::new();
        for is_begin in stream {
            encoding.n_clips += 1;
            let tag = if is_begin { DrawTag::BEGIN_CLIP } else { DrawTag::END_CLIP };
            encoding.draw_tags.extend([tag, DrawTag::COLOR]);
        }
        encoding
    }

    fn nest(depth: usize, n_pairs: usize) -> Encoding {
        let pairs = [true, false].repeat(n_pairs);
        let begins = std::iter::repeat_n(true, depth);
        encoding(begins.chain(pairs).chain(std::iter::repeat_n(false, depth)))
    }

    #[test]
    fn auto_is_vellos_stage_where_that_is_right() {
        let (clips, depth) = (VELLO_MAX_CLIPS as usize, VELLO_MAX_DEPTH as usize);
        assert_eq!(ClipStage::Auto.of(&Encoding::new()), ClipStage::Vello);
        for pairs in [0, 1, 40, 500] {
            // A pair at the bottom is one level more.
            let levels = if pairs == 0 { depth } else { depth - 1 };
            assert_eq!(ClipStage::Auto.of(&nest(levels, pairs)), ClipStage::Vello, "{pairs} pairs");
            assert_eq!(ClipStage::Auto.of(&nest(levels + 1, pairs)), ClipStage::Boxwood, "{pairs} pairs");
        }
        assert_eq!(ClipStage::Auto.of(&nest(2, clips / 2 - 2)), ClipStage::Vello);
        assert_eq!(ClipStage::Auto.of(&nest(2, clips / 2 - 1)), ClipStage::Boxwood);
        // Deep only after many that are not.
        let late = [true, false].repeat(1000).into_iter().chain([true; 257]).chain([false; 257]);
        assert_eq!(ClipStage::Auto.of(&encoding(late)), ClipStage::Boxwood);
    }

    #[test]
    fn a_stage_that_was_asked_for_is_taken() {
        for stage in [ClipStage::Vello, ClipStage::Boxwood] {
            for scene in [Encoding::new(), nest(1000, 10)] {
                assert_eq!(stage.of(&scene), stage);
            }
        }
    }
}
