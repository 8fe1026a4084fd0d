//! The boxes of paths, and those of a renderer in whole pixels, go to the stage as its leaf boxes.

use boxwood::paths::PathBbox;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines, PathsError, RoundedBoxes};
use boxwood::{Aabb, Buffers, Scene};
use boxwood_tests::{Packed, assert_same, gpu, path_bounds, pipelines, random_encoding};
use vello_encoding::{Encoding, Transform};

/// From the packed scene to the clipped boxes in one encoder, with nothing read back between.
#[test]
fn boxes_go_straight_to_the_stage() {
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
    let boxwood::native::Gpu { device, queue, .. } = gpu();

    let n_nodes = scene.layout.n_clips as usize;
    let mut buffers = Buffers::with_capacity(device, pipelines(), tags.len(), n_nodes).expect("it is small");
    buffers.upload_tags(queue, tags).expect("the buffers are as large");
    let size = PathBuffersDescriptor {
        boxes: Some(buffers.element_boxes()),
        has_bboxes: true,
        ..PathBuffersDescriptor::of(&streams)
    };
    let mut paths = PathBuffers::new(device, path_bounds(), &size).expect("it is small");
    paths.upload(queue, &streams).expect("the buffers are as large");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    paths.record(&mut encoder);
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found = boxwood::read_back(device, queue, &buffers).expect("the device answers");
    let of_paths = Scene::new(tags.to_vec(), boxwood_cpu::paths::path_boxes(&streams)).expect("plain values");
    assert_same("boxes of paths", &boxwood_cpu::boxes(&of_paths), &found);
    assert!(
        found.clipped_boxes.iter().any(|b| b.is_empty()) && found.clipped_boxes.iter().any(|b| !b.is_empty())
    );

    // The same from boxes in whole pixels, as a renderer has them.
    let bboxes = paths.path_bboxes().expect("they were asked for");
    let rounded =
        RoundedBoxes::new(device, queue, path_bounds(), bboxes, buffers.element_boxes(), paths.n_paths())
            .expect("the buffers are as long");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    rounded.record(&mut encoder);
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found = boxwood::read_back(device, queue, &buffers).expect("the device answers");
    let boxes = boxwood_cpu::paths::path_bboxes(&streams).iter().map(unrounded).collect();
    let of_pixels = Scene::new(tags.to_vec(), boxes).expect("plain values");
    assert_same("boxes in pixels", &boxwood_cpu::boxes(&of_pixels), &found);
}

fn unrounded(b: &PathBbox) -> Aabb {
    let edges = [b.x0, b.y0, b.x1, b.y1].map(f64::from);
    Aabb::new(edges[0], edges[1], edges[2], edges[3]).expect("integers are numbers")
}

#[test]
fn boxes_in_pixels_of_any_size_become_boxes() {
    assert!(!unrounding_differs(path_bounds()));
}

/// Whether the boxes that are made of rounded ones are others than they should be.
pub(crate) fn unrounding_differs(path_bounds: &PathPipelines) -> bool {
    let boxwood::native::Gpu { device, queue, .. } = gpu();
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
    let bboxes: Vec<PathBbox> = pairs()
        .zip(pairs().skip(1).step_by(2).cycle())
        .map(|((x0, x1), (y0, y1))| PathBbox { x0, y0, x1, y1, draw_flags: 0, trans_ix: 0 })
        .collect();
    let buffer = |size: usize| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let (of_renderer, boxes) = (buffer(24 * bboxes.len()), buffer(16 * bboxes.len()));
    queue.write_buffer(&of_renderer, 0, bytemuck::cast_slice(&bboxes));
    let n = u32::try_from(bboxes.len()).expect("there are few");
    let error =
        RoundedBoxes::new(device, queue, path_bounds, &of_renderer, &boxes, n + 1).expect_err("too many");
    assert_eq!(error, PathsError::Paths { need: u64::from(n) + 1, limit: n.into() });
    let rounded =
        RoundedBoxes::new(device, queue, path_bounds, &of_renderer, &boxes, n).expect("they are as long");
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    rounded.record(&mut encoder);
    queue.submit([encoder.finish()]);
    let found: Vec<Aabb> =
        boxwood::read_items(device, queue, &boxes, bboxes.len()).expect("the device answers");
    let bits = |b: &Aabb| bytemuck::cast::<_, [u32; 4]>(*b);
    bboxes.iter().zip(&found).any(|(bbox, found)| bits(found) != bits(&unrounded(bbox)))
}
