//! Path boxes, and rounded boxes of a renderer, as element boxes of a scene.

use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathsError, RoundedBox, UnroundPass};
use boxwood::{Aabb, Context, Outputs, Scene, SceneBoxes};
use boxwood_tests::{Packed, assert_same, context, gpu, random_encoding};
use vello_encoding::{Encoding, Transform};

/// From the packed scene to the clipped boxes in one encoder, without a read-back in between.
#[test]
fn path_boxes_go_straight_to_the_scene_stage() {
    let mut encoding = random_encoding(400, 3);
    let mut clipped = Encoding::new();
    clipped.encode_transform(Transform::IDENTITY);
    clipped.encode_fill_style(peniko::Fill::NonZero);
    clipped.encode_shape(&kurbo::Circle::new((0.0, 0.0), 200.0), true);
    clipped.encode_begin_clip(vello_encoding::DrawBeginClip::clip());
    clipped.append(&encoding, &None);
    clipped.encode_end_clip();
    std::mem::swap(&mut encoding, &mut clipped);
    let scene = Packed::of(&encoding);
    let streams = scene.streams();
    let tags = streams.draw_tags();
    let boxwood_tests::Gpu { device, queue, .. } = gpu();

    let n_entries = scene.layout.n_clips as usize;
    let mut buffers = SceneBoxes::with_capacity(context(), Outputs::all(), tags.len(), n_entries)
        .expect("the scene is small");
    buffers.update_tags(queue, tags).expect("the scene is within the capacity");
    let size = PathBuffersDescriptor {
        boxes: Some(buffers.element_boxes()),
        has_rounded_boxes: true,
        ..PathBuffersDescriptor::of(&streams)
    };
    let mut paths = PathBuffers::new(context(), &size).expect("the scene is small");
    paths.upload(queue, &streams).expect("the scene is within the capacity");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    paths.record(&mut encoder);
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found = boxwood_tests::read_back(&buffers, queue);
    let of_paths = Scene::from_streams(tags.to_vec(), boxwood_cpu::paths::twin::path_boxes(&streams))
        .expect("the boxes are finite");
    assert_same("path boxes", &boxwood_cpu::specification::boxes(&of_paths), &found);
    assert!(
        found.clipped_boxes.iter().any(|b| b.is_empty()) && found.clipped_boxes.iter().any(|b| !b.is_empty())
    );

    // The same from rounded boxes, as a renderer computes them.
    let rounded = paths.rounded_boxes().expect("they are requested");
    let boxes = buffers.element_boxes();
    let unround =
        UnroundPass::new(context(), rounded, boxes, paths.n_paths()).expect("the buffers are large enough");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    unround.record(&mut encoder);
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found = boxwood_tests::read_back(&buffers, queue);
    let boxes = boxwood_cpu::paths::twin::rounded_boxes(&streams).iter().map(unrounded).collect();
    let of_pixels = Scene::from_streams(tags.to_vec(), boxes).expect("the boxes are finite");
    assert_same("rounded boxes", &boxwood_cpu::specification::boxes(&of_pixels), &found);
}

fn unrounded(b: &RoundedBox) -> Aabb {
    Aabb::new(b.x0.into(), b.y0.into(), b.x1.into(), b.y1.into()).expect("integers are not NaN")
}

#[test]
fn rounded_boxes_of_any_size_become_path_boxes() {
    assert!(!unrounding_differs(context()));
}

/// Whether the boxes converted from rounded ones are wrong.
pub(crate) fn unrounding_differs(context: &Context) -> bool {
    let boxwood_tests::Gpu { device, queue, .. } = gpu();
    let numbers = [
        i32::MIN,
        i32::MIN + 1,
        -2_000_000_001,
        -(1 << 24) - 1,
        -(1 << 24),
        -255,
        -1,
        0,
        1,
        3,
        (1 << 24) - 1,
        1 << 24,
        (1 << 24) + 1,
        (1 << 25) + 3,
        2_000_000_001,
        i32::MAX - 1,
        i32::MAX,
    ];
    let pairs = || numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b)));
    let rounded: Vec<RoundedBox> = pairs()
        .zip(pairs().skip(1).step_by(2).cycle())
        .map(|((x0, x1), (y0, y1))| RoundedBox { x0, y0, x1, y1, draw_flags: 0, trans_ix: 0 })
        .collect();
    let buffer = |size: usize| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let (of_renderer, boxes) = (buffer(24 * rounded.len()), buffer(16 * rounded.len()));
    queue.write_buffer(&of_renderer, 0, bytemuck::cast_slice(&rounded));
    let n = u32::try_from(rounded.len()).expect("there are few");
    let pass = |n_paths| UnroundPass::new(context, &of_renderer, &boxes, n_paths);
    let error = pass(n + 1).expect_err("there is one more than the buffers have room for");
    assert_eq!(error, PathsError::TooLarge { items: "paths", need: u64::from(n) + 1, limit: n.into() });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    pass(n).expect("the buffers are large enough").record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found: Vec<Aabb> = boxwood_tests::read_items(device, queue, &boxes, rounded.len());
    let expected: Vec<Aabb> = rounded.iter().map(unrounded).collect();
    bytemuck::cast_slice::<_, u32>(&found) != bytemuck::cast_slice::<_, u32>(&expected)
}
