//! A scene from frame to frame: every item of every result is defined, whatever the buffers held
//! before, and the buffers grow with the scene.

use std::collections::BTreeSet;

use boxwood::spatial::{Covers, Index, Items, Layers, Occlusion, Order, Predicate, Select, TileGrid};
use boxwood::{
    Aabb, Algorithm, Boxes, Context, Limits, LimitsError, Outputs, Scene, SceneBoxes, SceneError, UpdateError,
};
use boxwood_cpu::specification::{self, spatial as cpu};
use boxwood_tests::{Gpu, Shapes, assert_same, context, family, gpu, gpu_with_limits, scene_of};

#[cfg(not(target_arch = "wasm32"))]
use super::chunks::narrow_device;

const W: usize = boxwood::WORKGROUP_SIZE as usize;
const P: usize = boxwood::testing::PARTITION_LENGTH as usize;

/// What the results contain before each frame, as leftovers of an earlier one: a box that is not
/// empty, and words that are no valid index.
const LEFTOVER: [f32; 4] = [-1.0, -2.0, 3.0, 4.0];

/// The families of the frames, in turn. They have leaves, no-operations, and unbalanced ends.
const FAMILIES: [&str; 5] =
    ["random with leaves", "like a user interface", "random walk", "ends first", "leaves alone"];

/// Fills every result with leftovers.
fn fill_results(queue: &wgpu::Queue, boxes: &SceneBoxes, outputs: Outputs) {
    let mut results = vec![boxes.clipped_boxes()];
    if outputs == Outputs::all() {
        results.extend([
            boxes.clip_boxes(),
            boxes.group_boxes(),
            boxes.entries(),
            boxes.ranks(),
            boxes.links(),
        ]);
    }
    for buffer in results {
        let n_words = usize::try_from(buffer.size()).expect("the buffers are small") / 4;
        let words: Vec<f32> = LEFTOVER.into_iter().cycle().take(n_words).collect();
        queue.write_buffer(buffer, 0, bytemuck::cast_slice(&words));
    }
}

fn submit(Gpu { device, queue, .. }: &Gpu, boxes: &SceneBoxes) {
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    boxes.record(&mut encoder);
    queue.submit([encoder.finish()]);
}

/// The results of the specification that belong to these outputs.
fn expected(scene: &Scene, outputs: Outputs) -> Boxes {
    let all = specification::boxes(scene);
    if outputs == Outputs::all() {
        return all;
    }
    Boxes { clipped_boxes: all.clipped_boxes, ..Boxes::default() }
}

/// Runs a frame per size in the same buffers, which have room for more than the largest scene, and
/// compares every valid item of every result.
fn check_frames(gpu: &Gpu, context: &Context, algorithm: Algorithm, outputs: Outputs, sizes: &[usize]) {
    let most = sizes.iter().max().expect("there are sizes") + 3;
    let Limits { max_elements, max_entries } = algorithm.limits();
    let most = most.min(usize::try_from(max_elements.min(max_entries)).unwrap_or(usize::MAX));
    let mut boxes = SceneBoxes::with_algorithm(context, outputs, algorithm, most, most)
        .expect("the capacity is within the limits");
    let generation = boxes.generation();
    for (frame, n) in sizes.iter().enumerate() {
        // The last elements are no-operations, which no other result marks.
        let mut stream = family(FAMILIES[frame % FAMILIES.len()]).generate(*n, frame as u64);
        let n_nops = (*n).min(3);
        stream.replace_range(n - n_nops.., &"_".repeat(n_nops));
        let scene = scene_of(&stream, Shapes::Large, frame as u64);
        boxes.update(&gpu.queue, &scene).expect("the scene is valid and within the capacity");
        fill_results(&gpu.queue, &boxes, outputs);
        submit(gpu, &boxes);
        let found = boxwood_tests::read_back(&boxes, &gpu.queue);
        assert_same((algorithm, outputs, frame, n), &expected(&scene, outputs), &found);
    }
    assert_eq!(boxes.generation(), generation, "there was enough room");
}

/// Sizes around the borders of workgroups, partitions, and algorithms, so that a scene is followed
/// by shorter and by longer ones.
const SIZES: [usize; 16] =
    [P + 1, 7, W, 3 * P + 7, 0, W + 1, P, 1, 4 * P, W - 1, P - 1, 2, 2 * P + 1, 200, 2000, 3];

#[test]
fn every_item_is_defined_over_frames_of_different_scenes() {
    for &algorithm in Algorithm::ALL {
        for outputs in [Outputs::all(), Outputs::CLIPPED] {
            check_frames(gpu(), context(), algorithm, outputs, &SIZES);
        }
    }
}

#[test]
fn every_item_is_defined_in_larger_scenes() {
    for (algorithm, sizes) in [
        (Algorithm::Small, [20_000, W * W, 5000]),
        (Algorithm::TwoLevel, [20_000, W * P + 1, 30_000]),
        (Algorithm::Hierarchical, [20_000, W * P + 1, 30_000]),
    ] {
        for outputs in [Outputs::all(), Outputs::CLIPPED] {
            check_frames(gpu(), context(), algorithm, outputs, &sizes);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_item_is_defined_in_chunks() {
    let (gpu, context, n) = narrow_device();
    let sizes = [2 * n, n + 1, 3 * n - 1, 5, n];
    check_frames(gpu, context, Algorithm::Hierarchical, Outputs::all(), &sizes);
    // Larger scenes than a binding have no shorter stages for the clipped boxes alone.
    check_frames(gpu, context, Algorithm::Hierarchical, Outputs::CLIPPED, &sizes);
}

/// The stages over boxes take all elements of a scene. A leftover box at a begin or an end would be
/// found, selected, put in a layer, or hide something.
#[test]
fn the_stages_over_boxes_take_the_clipped_boxes_of_each_frame() {
    const N: u32 = 3000;
    let gpu @ Gpu { device, queue, .. } = gpu();
    let context = context();
    let grid = TileGrid::new(4096, 4096);
    let mut boxes = SceneBoxes::with_capacity(context, Outputs::CLIPPED, N as usize, N as usize)
        .expect("the capacity is within the limits");
    let clipped = boxes.clipped_boxes();
    let items = Items::new(clipped, N);
    let index = Index::new(context, items, Order::Hilbert).expect("it is small");
    let select = Select::new(context, Predicate::NotEmpty, items).expect("it is small");
    let layers = Layers::new(context, items, None).expect("it is small");
    let covers = Covers::Tiles { inner_boxes: items, grid };
    let occlusion = Occlusion::new(context, clipped, covers).expect("it is small");
    for (frame, n) in [2500_usize, 300, 2999].into_iter().enumerate() {
        let scene = scene_of(&family(FAMILIES[frame % 2]).generate(n, 9), Shapes::Any, 9);
        boxes.update(queue, &scene).expect("the scene is valid and within the capacity");
        fill_results(queue, &boxes, Outputs::CLIPPED);
        let n_items = u32::try_from(n).expect("it is small");
        index.set_count(queue, n_items).expect("it is within the capacity");
        select.set_count(queue, n_items).expect("it is within the capacity");
        layers.set_count(queue, n_items).expect("it is within the capacity");
        occlusion.set_count(queue, n_items).expect("it is within the capacity");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        boxes.record(&mut encoder);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        index.record(&mut pass);
        select.record(&mut pass);
        layers.record(&mut pass);
        occlusion.record(&mut pass);
        drop(pass);
        queue.submit([encoder.finish()]);

        let words = |buffer: &wgpu::Buffer, n: usize| -> Vec<u32> {
            boxwood_tests::read_items(&gpu.device, queue, buffer, n)
        };
        let expected = specification::boxes(&scene).clipped_boxes;
        let selected = cpu::select(n, &cpu::Predicate::NotEmpty(&expected));
        assert!(!selected.is_empty() && selected.len() < n, "frame {frame} tests nothing");
        assert_eq!(words(select.selected(), selected.len()), selected, "frame {frame}");
        assert_eq!(words(select.draw_arguments(), 2)[1] as usize, selected.len(), "frame {frame}");
        let tree = cpu::Index::new(&expected, Order::default(), cpu::key_bits(N as usize));
        let permutation = index.permutation().expect("the boxes are sorted");
        assert_eq!(words(permutation, n), tree.permutation, "frame {frame}");
        assert_eq!(words(layers.layers(), n), cpu::layers(&expected), "frame {frame}");
        let visible = cpu::visible(&expected, &expected, grid);
        assert_eq!(words(occlusion.visible(), n.div_ceil(32)), visible, "frame {frame}");
    }
}

/// A toolkit's frames: the scene grows, some leaves move, and the bind groups are made anew only
/// when the generation changes.
#[test]
fn a_scene_grows_and_its_leaves_move() {
    let gpu @ Gpu { queue, .. } = gpu();
    for outputs in [Outputs::all(), Outputs::CLIPPED, Outputs::GROUPS] {
        let mut boxes = SceneBoxes::new(context(), outputs);
        let mut generations = 0;
        let mut scene = Scene::new();
        for n_panels in [0_u16, 3, 4, 40, 41, 300, 20] {
            scene.clear();
            for panel in 0..n_panels {
                let x = f64::from(panel);
                scene.begin_clip([x, 0.0, x + 10.0, 10.0]);
                scene.leaf([x + 5.0, 5.0, x + 20.0, 8.0]);
                scene.end();
            }
            let before = boxes.generation();
            let had_room = boxes.capacity().check(scene.len(), scene.n_entries()).is_ok();
            boxes.update(queue, &scene).expect("the scene is valid");
            assert_eq!(boxes.generation() == before, had_room, "{n_panels} panels");
            generations += u64::from(!had_room);
            if n_panels > 1 {
                let moved = Aabb::new(2.0, 3.0, 11.0, 4.0).expect("no coordinate is NaN");
                scene.set_box(4, moved);
                boxes.update_boxes(queue, &scene, 4..5).expect("it is a leaf");
            }
            submit(gpu, &boxes);
            let found = boxwood_tests::read_back(&boxes, queue);
            let all = specification::boxes(&scene);
            assert_eq!(found.clipped_boxes, all.clipped_boxes, "{n_panels} panels");
            if outputs.contains(Outputs::GROUPS) {
                assert_eq!(found.group_boxes, all.group_boxes, "{n_panels} panels");
            }
            assert_eq!(found.links.is_empty(), !outputs.contains(Outputs::LINKS) || all.links.is_empty());
        }
        // Room for 9, 18, 120, 240, and 900 elements.
        assert_eq!(generations, 5);
    }
}

/// An update that is refused leaves the scene as it was.
#[test]
fn refused_updates_keep_the_scene() {
    let gpu @ Gpu { queue, .. } = gpu();
    let mut boxes = SceneBoxes::new(context(), Outputs::all());
    let scene = scene_of("(.(..).)", Shapes::Large, 1);
    boxes.update(queue, &scene).expect("the scene is valid");
    let mut with_nan = scene.clone();
    with_nan.leaf([f32::NAN, 0.0, 1.0, 1.0]);
    let refused = boxes.update(queue, &with_nan);
    assert!(
        matches!(refused, Err(UpdateError::Scene(SceneError::NotABox { element: 8, .. }))),
        "{refused:?}"
    );
    #[expect(clippy::reversed_empty_ranges, reason = "it must be refused")]
    for range in [7..9, 8..10, 5..2, usize::MAX..usize::MAX] {
        let refused = boxes.update_boxes(queue, &scene, range.clone());
        assert!(matches!(refused, Err(UpdateError::Range { .. })), "{range:?}: {refused:?}");
    }
    let refused = boxes.update_boxes(queue, &with_nan, 0..1);
    assert!(matches!(refused, Err(UpdateError::Range { .. })), "the scene has grown: {refused:?}");
    let mut with_nan = scene.clone();
    with_nan.set_box(1, [f32::NAN; 4]);
    let refused = boxes.update_boxes(queue, &with_nan, 1..2);
    assert!(
        matches!(refused, Err(UpdateError::Scene(SceneError::NotABox { element: 1, .. }))),
        "{refused:?}"
    );
    let limit = SceneBoxes::limits_of(&gpu.device).max_elements;
    let too_many = usize::try_from(limit).expect("the limit fits in a usize") + 1;
    let refused = boxes.set_size(queue, too_many, 0);
    assert!(matches!(refused, Err(LimitsError::Elements { .. })), "{refused:?}");
    let refused = boxes.set_size(queue, 8, 9);
    assert_eq!(refused, Err(LimitsError::MoreEntriesThanElements { n_elements: 8, n_entries: 9 }));
    submit(gpu, &boxes);
    let found = boxwood_tests::read_back(&boxes, queue);
    assert_same("refused", &specification::boxes(&scene), &found);
}

/// Room for twice as many elements must not cost the shorter stages for clipped boxes, or chunks.
#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn growth_keeps_to_one_binding_if_the_scene_fits_there() {
    // A binding holds the boxes of n elements.
    let n: usize = 1 << 16;
    let max_storage_buffer_binding_size = 16 * n as u64;
    let gpu = &gpu_with_limits(wgpu::Limits { max_storage_buffer_binding_size, ..gpu().device.limits() });
    let mut boxes = SceneBoxes::new(&Context::new(&gpu.device), Outputs::CLIPPED);
    // Twice the size of the second scene exceeds a binding.
    for n in [n / 2 + 1, n / 2 + 5, n - P] {
        let scene = scene_of(&family("random with leaves").generate(n, 1), Shapes::Large, 1);
        boxes.update(&gpu.queue, &scene).expect("the scene is valid");
        let whole = boxes.clipped_boxes().size();
        assert!(whole <= gpu.device.limits().max_storage_buffer_binding_size, "{whole} bytes for {n}");
        submit(gpu, &boxes);
        let found = boxwood_tests::read_back(&boxes, &gpu.queue);
        assert_same(n, &expected(&scene, Outputs::CLIPPED), &found);
    }
}

#[test]
#[should_panic(expected = "make the SceneBoxes with Outputs(GROUPS)")]
fn an_output_that_was_not_asked_for_is_named() {
    SceneBoxes::new(context(), Outputs::CLIPPED | Outputs::CLIPS).group_boxes();
}

/// Near a limit, where twice the room is too much, the room still grows by a share of it.
#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn growth_near_a_limit_replaces_the_buffers_a_few_times_only() {
    let n: usize = 1 << 16;
    let max_storage_buffer_binding_size = 16 * n as u64;
    let gpu = &gpu_with_limits(wgpu::Limits { max_storage_buffer_binding_size, ..gpu().device.limits() });
    let mut boxes = SceneBoxes::new(&Context::new(&gpu.device), Outputs::CLIPPED);
    let mut generations = BTreeSet::new();
    for n in (n / 2 + 1..n).step_by(P) {
        boxes.set_size(&gpu.queue, n, 0).expect("the device holds the scene");
        generations.insert(boxes.generation());
    }
    // From a half of the limit to the limit in steps of a sixteenth: log(2) / log(17 / 16) = 11.4
    // steps. In the last sixteenth, each of four larger scenes has just enough room.
    assert!(generations.len() <= 1 + 12 + 4, "{} generations", generations.len());
}
