//! The bounds on every other rate: the bandwidth of a copy, and the time of empty dispatches.

use boxwood::native::Gpu;
use boxwood::{Staging, max_binding_size};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::{Kernel, buffer};
use crate::record::COPY_BYTES;

/// The size of the copy that bounds all other rates, as a logarithm to base 2, or the largest size
/// of a binding. A smaller copy would stay in a cache, or be dominated by the time of a dispatch.
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

/// The words that a workgroup of the copy copies.
const COPY_WORKGROUP_SIZE: usize = 4 * 256;

/// The words that are read back at once: 64 MiB.
const PART_SIZE: usize = 1 << 24;

/// An empty dispatch. It binds a buffer that it could write, so each dispatch waits for the one
/// before it, as the dispatches of a real stage do.
const EMPTY: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(256)
fn main() {
    if arrayLength(&words) == 0u {
        words[0] = 0u;
    }
}
";

/// Measures the copy at the size that bounds the other rates, and at every size if it is selected.
/// In a quick sweep, the largest size is the bound.
pub(super) fn measure_copy(session: &mut Session<'_>) -> Result<(), BenchError> {
    let options = session.options;
    let binding = max_binding_size(&session.gpu.device.limits());
    let fits = |k: &u32| *k >= 2 && 4 << *k <= binding;
    let mut sizes = options.sizes(options.max);
    if !options.quick {
        sizes.extend([options.max + 1, options.max + 2]);
    }
    sizes.retain(fits);
    let bound = if options.quick { sizes.last().copied() } else { (2..=BOUND_SIZE).rfind(fits) };
    let Some(bound) = bound else { return Ok(()) };
    let at_bound = copy(session, 1 << bound)?;
    session.copy_bytes_per_second =
        at_bound.seconds.map(|seconds| f64::from(1 << bound) * COPY_BYTES / seconds.median);
    if options.has(What::Copy) {
        if !sizes.contains(&bound) {
            sizes.push(bound);
        }
        for k in sizes {
            let measured = if k == bound { at_bound } else { copy(session, 1 << k)? };
            session.add(measured)?;
        }
    }
    Ok(())
}

/// Copies `n` words.
fn copy(session: &Session<'_>, n: usize) -> Result<Measured<'static>, BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let words: Vec<u32> = (0_u32..).take(n).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let [source, target] = [(); 2].map(|()| buffer(device, n * 4));
    queue.write_buffer(&source, 0, bytemuck::cast_slice(&words));
    #[expect(unsafe_code, reason = "the shaders that the copy is compared with have no runtime checks")]
    // SAFETY: the shader compares its index with the length of one buffer, and the other has the
    // same length. It has no loop and no workgroup memory.
    let kernel = unsafe { Kernel::unchecked(session.gpu, "copy", COPY, &[&source, &target]) };
    let n_workgroups = u32::try_from(n.div_ceil(COPY_WORKGROUP_SIZE)).expect("the sizes are at most 2^32");
    let n_rows = n_workgroups.div_ceil(device.limits().max_compute_workgroups_per_dimension);
    let seconds =
        session.timer.time(|pass| kernel.dispatch(pass, [n_workgroups.div_ceil(n_rows), n_rows]))?;
    let is_right = contains(session.gpu, &target, &words)?;
    let bytes_each = Some(COPY_BYTES);
    Ok(Measured { what: "copy", n, variant: "vec4", seconds, bytes_each, is_right, ..Measured::default() })
}

/// Whether a buffer contains these words. It is read in parts, because the largest copies need
/// most of the memory.
fn contains(gpu: &Gpu, buffer: &wgpu::Buffer, words: &[u32]) -> Result<bool, BenchError> {
    let Gpu { device, queue, .. } = gpu;
    let staging = Staging::new(device, size_of_val(words).min(4 * PART_SIZE));
    for (start, part) in (0..).step_by(PART_SIZE).zip(words.chunks(PART_SIZE)) {
        let items = start..start + part.len();
        if staging.copy_and_read::<u32>(device, queue, buffer, items)? != part {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Measures passes of empty dispatches.
pub(super) fn measure_empty(session: &mut Session<'_>) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let words = buffer(device, 4);
    let kernel = Kernel::checked(session.gpu, "empty", EMPTY, &[&words]);
    for n in [1, 2, 3, 5, 10] {
        let seconds = session.timer.time(|pass| (0..n).for_each(|_| kernel.dispatch(pass, [1, 1])))?;
        let is_right = boxwood::read_items::<u32>(device, queue, &words, 1)? == [0];
        let (what, variant) = ("empty", "dispatches");
        session.add(Measured { what, n, variant, seconds, is_right, ..Measured::default() })?;
    }
    Ok(())
}
