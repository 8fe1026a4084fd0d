//! Limits: scenes that are too large are refused, and small limits of a device suffice.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathsError, StreamLayout, UnroundPass};
use boxwood_cpu::paths::twin::path_boxes;
use boxwood_tests::{Numbers, Packed, context, gpu, gpu_with_limits, random_streams};

use super::parity::{P, crowd};

/// Checks the boxes of scenes on a device with these limits.
fn check_within(limits: wgpu::Limits, scenes: &[Packed]) {
    let boxwood_tests::Gpu { device, queue, .. } = &gpu_with_limits(limits);
    let context = Context::new(device);
    for scene in scenes {
        let size = PathBuffersDescriptor::of(&scene.streams());
        let mut buffers = PathBuffers::new(&context, &size).expect("the scene is small");
        buffers.upload(queue, &scene.streams()).expect("the scene is within the capacity");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        let n_paths = buffers.n_paths() as usize;
        let found: Vec<Aabb> = boxwood_tests::read_items(device, queue, buffers.path_boxes(), n_paths);
        assert_eq!(found, path_boxes(&scene.streams()), "{n_paths} paths");
    }
}

/// If a dimension has room for few workgroups, they are dispatched in rows, the last of which is
/// not full.
#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn large_scenes_are_dispatched_in_rows() {
    let limits = wgpu::Limits { max_compute_workgroups_per_dimension: 9, ..wgpu::Limits::default() };
    let scenes = [7, 8, 15, 40].map(|n| random_streams(n * P - 10, Numbers::Moderate, 1));
    assert!(scenes[3].layout.n_paths > 9 * 256, "paths are in rows too: {}", scenes[3].layout.n_paths);
    check_within(limits, &scenes);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn lists_are_no_longer_than_a_buffer_may_be() {
    // About the size of the words and of the paths.
    let limits = wgpu::Limits {
        max_buffer_size: 2_000_000,
        max_storage_buffer_binding_size: 2_000_000,
        ..wgpu::Limits::default()
    };
    check_within(limits, &[crowd()]);
}

fn storage(bytes: u64) -> wgpu::Buffer {
    gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    })
}

fn refusal(size: &PathBuffersDescriptor<'_>) -> PathsError {
    PathBuffers::new(context(), size).expect_err("the size exceeds a limit")
}

#[test]
fn buffers_beyond_the_limits_of_the_device_are_refused() {
    let empty = Packed::of_streams(&[], &[], &[], &[]);
    let size = PathBuffersDescriptor::of(&empty.streams());
    let binding = boxwood::max_binding_size(&gpu().device.limits());
    let count = |n: u64| usize::try_from(n).expect("the tests run on 64 bits");
    let error = refusal(&PathBuffersDescriptor { n_words: count(binding / 4 + 1), ..size });
    assert_eq!(
        error,
        PathsError::TooLarge {
            items: "words of the packed scene",
            need: binding / 4 + 1,
            limit: binding / 4
        }
    );
    assert!(error.to_string().contains(&(binding / 4).to_string()), "the message names the limit: {error}");
    let n_paths = count(binding / 24 + 1);
    let error = refusal(&PathBuffersDescriptor { n_paths, has_rounded_boxes: true, ..size });
    assert_eq!(error, PathsError::TooLarge { items: "paths", need: binding / 24 + 1, limit: binding / 24 });
    let error = refusal(&PathBuffersDescriptor { n_words: 8, n_tag_words: 1 << 30, ..size });
    assert_eq!(error, PathsError::TooLarge { items: "words of path tags", need: 1 << 30, limit: 8 });
}

#[test]
fn buffers_of_the_caller_that_are_too_small_are_refused() {
    let empty = Packed::of_streams(&[], &[], &[], &[]);
    let size = PathBuffersDescriptor::of(&empty.streams());
    let (nothing, word, own) = (storage(0), storage(4), storage(64));
    let error = refusal(&PathBuffersDescriptor { n_words: 1, scene: Some(&word), ..size });
    assert_eq!(error, PathsError::TooLarge { items: "words of the packed scene", need: 1, limit: 0 });
    let error = refusal(&PathBuffersDescriptor { scene: Some(&nothing), ..size });
    assert_eq!(error, PathsError::TooLarge { items: "words of the packed scene", need: 1, limit: 0 });
    let error = refusal(&PathBuffersDescriptor { boxes: Some(&nothing), ..size });
    assert_eq!(error, PathsError::TooLarge { items: "paths", need: 1, limit: 0 });
    for (rounded, boxes) in [(&nothing, &word), (&word, &nothing)] {
        let pass = UnroundPass::new(context(), rounded, boxes, 0);
        assert_eq!(
            pass.expect_err("it is too small"),
            PathsError::TooLarge { items: "paths", need: 1, limit: 0 }
        );
    }
    let size = PathBuffersDescriptor { n_words: 16, scene: Some(&own), ..size };
    let mut buffers = PathBuffers::new(context(), &size).expect("the buffer is large enough");
    assert_eq!(buffers.upload(&gpu().queue, &empty.streams()), Err(PathsError::NoCopies));
}

#[test]
fn scenes_beyond_the_capacity_are_refused() {
    let queue = &gpu().queue;
    let scene = random_streams(2000, Numbers::Moderate, 1);
    let size = PathBuffersDescriptor::of(&scene.streams());
    let mut buffers = PathBuffers::new(context(), &size).expect("the scene is small");
    let larger = random_streams(20_000, Numbers::Moderate, 1);
    let need = larger.words.len() as u64;
    let refused = buffers.upload(queue, &larger.streams());
    assert_eq!(
        refused,
        Err(PathsError::TooLarge {
            items: "words of the packed scene",
            need,
            limit: scene.words.len() as u64
        })
    );
    let layout = StreamLayout { n_paths: scene.layout.n_paths + 1, ..scene.layout };
    let refused = buffers.set_layout(queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathsError::TooLarge { items: "paths", .. })), "{refused:?}");
    let layout = StreamLayout { style_base: u32::MAX, ..scene.layout };
    let refused = buffers.set_layout(queue, &layout, scene.words.len());
    assert!(matches!(refused, Err(PathsError::Streams(_))), "{refused:?}");
    assert_eq!(buffers.n_paths(), 0, "it keeps the scene that it had");
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the module")]
fn rows_have_16_to_256_tags() {
    let scene = random_streams(100, Numbers::Moderate, 0);
    let size = PathBuffersDescriptor::of(&scene.streams());
    for row_tags in [0, 8, 24, 255, 512] {
        let set = || {
            let buffers = PathBuffers::new(context(), &size);
            buffers.expect("the scene is small").set_row_tags(row_tags);
        };
        let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(set)).is_err();
        assert!(refused, "{row_tags} tags");
    }
}
