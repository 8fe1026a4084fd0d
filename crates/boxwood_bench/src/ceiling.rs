//! What bounds every other rate: the bandwidth of a copy, and dispatches that do nothing.

use boxwood::max_binding_size;
use boxwood::native::Gpu;

use crate::compute::{bind, buffer, pipeline};
use crate::error::BenchError;
use crate::options::What;
use crate::row::Seconds;
use crate::session::{Measured, Session};

/// Reads a word and writes one.
pub(crate) const COPY_BYTES: f64 = 8.0;

/// The copy of so many words, or of as many as a binding holds, is the bound of the others, whatever their sizes: smaller ones stay
/// in a cache, or take the time of a dispatch. A quick sweep takes the largest that it measures.
const BOUND_SIZE: u32 = 26;

const COPY: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> copy: array<vec4<u32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) n_workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (workgroup.y * n_workgroups.x + workgroup.x) * 256u + local;
    if i < arrayLength(&copy) {
        copy[i] = source[i];
    }
}
";

/// It binds a buffer that it could write, so that each dispatch waits for the one before, as those of a real stage do.
const EMPTY: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(256)
fn main() {
    if arrayLength(&words) == 0u {
        words[0] = 0u;
    }
}
";

/// Measures the copy at every size where it is asked for, and at the size that bounds the others.
pub(crate) fn measure_copy(session: &mut Session<'_>) -> Result<(), BenchError> {
    let limits = session.gpu.device.limits();
    let binding = max_binding_size(&limits);
    let is_wanted = session.options.has(What::Copy);
    let mut sizes = session.options.sizes(session.options.max);
    if is_wanted && !session.options.quick {
        sizes.extend([session.options.max + 1, session.options.max + 2]);
    }
    let fits = |k: &u32| *k >= 2 && 4 << *k <= binding;
    sizes.retain(fits);
    let bound = if session.options.quick { sizes.last().copied() } else { (2..=BOUND_SIZE).rfind(fits) };
    if !is_wanted {
        sizes.clear();
    }
    sizes.extend(bound.filter(|k| !sizes.contains(k)));
    let pipeline = pipeline(session.gpu, "copy", COPY);
    let mut results = Vec::new();
    for k in sizes {
        let result = copy(session, &pipeline, 1 << k)?;
        if Some(k) == bound {
            #[expect(clippy::cast_precision_loss, reason = "the sizes are powers of two")]
            let bytes = (1_u64 << k) as f64 * COPY_BYTES;
            session.copy_bytes_per_second = result.0.map(|seconds| bytes / seconds.median);
        }
        results.push((k, result));
    }
    for (k, (seconds, is_right)) in results {
        if is_wanted {
            session.add(&Measured {
                what: "copy",
                n: 1 << k,
                family: "",
                variant: "vec4",
                seconds,
                bytes_each: Some(COPY_BYTES),
                is_right,
            });
        }
    }
    Ok(())
}

fn copy(
    session: &Session<'_>,
    pipeline: &wgpu::ComputePipeline,
    n: usize,
) -> Result<(Option<Seconds>, bool), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let words: Vec<u32> = (0_u32..).take(n).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let source = buffer(device, n * 4);
    let target = buffer(device, n * 4);
    queue.write_buffer(&source, 0, bytemuck::cast_slice(&words));
    let group = bind(device, pipeline, &[(0, &source), (1, &target)]);
    let n_workgroups = u32::try_from(n.div_ceil(4 * 256)).expect("the sizes are at most 2^30");
    let n_rows = n_workgroups.div_ceil(device.limits().max_compute_workgroups_per_dimension);
    let seconds = session.timer.time(|pass| {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(n_workgroups.div_ceil(n_rows), n_rows, 1);
    })?;
    let is_right = session.comparer.difference("copy", &words, &target)?.is_none();
    Ok((seconds, is_right))
}

/// Measures passes of dispatches that do nothing.
pub(crate) fn measure_empty(session: &mut Session<'_>) -> Result<(), BenchError> {
    let device = &session.gpu.device;
    let pipeline = pipeline(session.gpu, "empty", EMPTY);
    let words = buffer(device, 4);
    let group = bind(device, &pipeline, &[(0, &words)]);
    for n in [1, 2, 3, 5, 10] {
        let seconds = session.timer.time(|pass| {
            for _ in 0..n {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(1, 1, 1);
            }
        })?;
        let untouched: Vec<u32> = boxwood::read_items(device, &session.gpu.queue, &words, 1)?;
        session.add(&Measured {
            what: "empty",
            n,
            family: "",
            variant: "dispatches",
            seconds,
            bytes_each: None,
            is_right: untouched == [0],
        });
    }
    Ok(())
}
