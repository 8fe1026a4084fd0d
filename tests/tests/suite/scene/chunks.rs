//! Scenes whose arrays are larger than a binding, on devices with narrow limits.

use std::sync::OnceLock;

use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathsError, UnroundPass};
use boxwood::testing::PARTITION_LENGTH;
use boxwood::{Algorithm, Context, LimitsError, Outputs, Scene, SceneBoxes};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Family, Fault, Gpu, OUTERMOST_CLIP_BOX, Shapes, assert_all_caught, assert_same, bounded_source, families,
    family, first_difference, gpu, gpu_boxes_on, gpu_with_limits, is_tried, nest_clipped_outermost, scene_of,
};

use super::clipped::STORED_IF_LEAF;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const P: usize = PARTITION_LENGTH as usize;

/// The size of the boxes of a partition.
const PARTITION_BYTES: u64 = 16 * P as u64;

/// A device with short chunks, and its context.
struct Narrow {
    gpu: Gpu,
    context: Context,
    /// The elements per chunk of partitions.
    n_elements: usize,
    /// The entries per chunk of the node stream, without its overlap with the next chunk.
    n_entries: usize,
}

/// Limits that make chunks as short as possible.
///
/// A chunk begins at a multiple of the alignment of bindings in each array. The array with the
/// least even items is that of the summaries, with 5140 bytes per partition: 4 is the largest power
/// of two that divides them, so a chunk has a quarter of the alignment in partitions. Its dispatch
/// has several rows of workgroups, of which the last is incomplete.
fn narrow_limits() -> wgpu::Limits {
    // WebGPU has no finer alignment than 32.
    let alignment = gpu().adapter.limits().min_storage_buffer_offset_alignment.max(32);
    let n_partitions = alignment / 4;
    let is_uneven = |row: &u32| {
        let n_rows = n_partitions.div_ceil(*row);
        n_rows <= *row && !n_partitions.is_multiple_of(n_rows)
    };
    wgpu::Limits {
        max_storage_buffer_binding_size: u64::from(n_partitions) * PARTITION_BYTES,
        min_storage_buffer_offset_alignment: alignment,
        max_compute_workgroups_per_dimension: (1..n_partitions).find(is_uneven).expect("some row is uneven"),
        ..gpu().device.limits()
    }
}

fn narrow() -> &'static Narrow {
    static NARROW: OnceLock<Narrow> = OnceLock::new();
    NARROW.get_or_init(|| {
        let limits = narrow_limits();
        let n_partitions = usize::try_from(limits.max_storage_buffer_binding_size / PARTITION_BYTES);
        let n_partitions = n_partitions.expect("there are few");
        let gpu = gpu_with_limits(limits);
        let context = Context::new(&gpu.device);
        Narrow { gpu, context, n_elements: n_partitions * P, n_entries: (n_partitions - 1) * P }
    })
}

/// A device with short chunks, its context, and the number of elements per chunk.
pub(super) fn narrow_device() -> (&'static Gpu, &'static Context, usize) {
    let Narrow { gpu, context, n_elements, .. } = narrow();
    (gpu, context, *n_elements)
}

fn boxes_in_chunks(context: &Context, before: &Scene, scene: &Scene) -> boxwood::Boxes {
    gpu_boxes_on(&narrow().gpu, context, Algorithm::Hierarchical, before, scene)
}

#[track_caller]
fn check(name: &str, stream: &str, boxes: Shapes) {
    let scene = scene_of(stream, boxes, stream.len() as u64);
    let found = boxes_in_chunks(&narrow().context, &scene, &scene);
    assert_same((name, stream.len(), boxes), &boxwood_cpu::specification::boxes(&scene), &found);
}

/// A size, and sizes that differ from it by one element and by one partition.
fn around(n: usize) -> [usize; 5] {
    [n - P, n - 1, n, n + 1, n + P]
}

/// Every family at sizes around the borders of both kinds of chunks, with alternating kinds of
/// boxes.
#[test]
fn families_agree_at_the_borders_of_chunks() {
    let Narrow { n_elements, n_entries, .. } = narrow();
    for (index, family) in families().into_iter().enumerate() {
        let sizes = [1, 2, 3, 5].into_iter().flat_map(|n| [around(n * n_elements), around(n * n_entries)]);
        // Two of every five sizes, other ones for each family.
        for (at, n) in
            sizes.flatten().enumerate().filter(|(at, _)| (at + index) % 5 < 2 && is_tried(at + index))
        {
            let boxes = [Shapes::Large, Shapes::Any, Shapes::Odd][(index + at) % 3];
            check(family.name, &family.generate(n, n as u64), boxes);
        }
    }
}

/// Partitions of leaves alone after a node stream that ends at the border of a chunk, or one entry
/// before or after it.
#[test]
fn leaves_after_the_last_entry_agree() {
    let Narrow { n_elements, n_entries, .. } = narrow();
    for n in [n_entries - 1, *n_entries, n_entries + 1, 2 * n_entries - 1, 2 * n_entries, 2 * n_entries + 1] {
        let (begins, leaves) = ("(".repeat(n), ".".repeat(2 * n_elements));
        check("begins, then leaves", &(begins + &leaves), Shapes::Large);
        let entries = "()".repeat(n / 2) + &".".repeat(2 * n_elements);
        check("leaves outside", &entries, Shapes::Any);
        // The buffers have chunks for more entries than the scene has.
        let longer = scene_of(&"(".repeat(5 * n_elements), Shapes::Large, 1);
        let scene = scene_of(&entries, Shapes::Large, 2);
        let found = boxes_in_chunks(&narrow().context, &longer, &scene);
        assert_same(n, &boxwood_cpu::specification::boxes(&scene), &found);
    }
}

/// Random runs of begins, ends, and leaves.
#[test]
fn random_runs_agree() {
    let length = narrow().n_elements;
    let runs =
        prop::collection::vec((prop::sample::select(vec!["(", ")", ".", "_", "(.)"]), 1..length / 2), 1..12);
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]));
    let result = runner.run(&runs, |runs| {
        let stream: String = runs.iter().map(|(entry, n)| entry.repeat(*n)).collect();
        let scene = scene_of(&stream, Shapes::Large, 3);
        let found = boxes_in_chunks(&narrow().context, &scene, &scene);
        prop_assert_eq!(first_difference(&boxwood_cpu::specification::boxes(&scene), &found), None);
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_outermost_clip_reaches_the_deepest_leaf_through_all_chunks() {
    for depth in [narrow().n_entries, 3 * narrow().n_elements, 100_000] {
        let scene = nest_clipped_outermost(depth);
        let found = boxes_in_chunks(&narrow().context, &scene, &scene);
        assert_eq!(found.clipped_boxes[depth], OUTERMOST_CLIP_BOX, "at depth {depth}");
        assert!(found.clip_boxes[..depth].iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
        assert!(found.group_boxes.iter().all(|&b| b == OUTERMOST_CLIP_BOX), "at depth {depth}");
    }
}

/// Chunks of the length that WebGPU's default alignment requires, with many groups of partitions.
#[test]
fn chunks_keep_the_default_alignment_of_bindings() {
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: 64 * PARTITION_BYTES, ..wgpu::Limits::default() };
    let gpu = gpu_with_limits(limits);
    let context = Context::new(&gpu.device);
    for (name, n) in
        [("random walk", 64 * P + 1), ("random with leaves", 200_000), ("deep with a leaf", 600_001)]
    {
        let scene = scene_of(&family(name).generate(n, 1), Shapes::Large, 1);
        let found = gpu_boxes_on(&gpu, &context, Algorithm::Hierarchical, &scene, &scene);
        assert_same(n, &boxwood_cpu::specification::boxes(&scene), &found);
    }
}

/// Large buffers can be used for one scene after another, with few chunks and with many.
#[test]
fn buffers_in_chunks_can_be_reused_for_other_scenes() {
    let Narrow { gpu, context, n_elements, .. } = narrow();
    let capacity = 3 * n_elements;
    let mut buffers =
        SceneBoxes::with_capacity(context, Outputs::all(), capacity, capacity).expect("it fits");
    assert_eq!(buffers.algorithm(), Algorithm::Hierarchical, "no other takes so many on this device");
    for (n, name) in [
        (capacity, "random walk"),
        (0, "random walk"),
        (1, "all begins"),
        (n_elements + 1, "random with leaves"),
        (2 * n_elements, "geometric depth"),
        (capacity, "begins then ends"),
    ] {
        let scene = scene_of(&family(name).generate(n, 4), Shapes::Large, 4);
        buffers.update(&gpu.queue, &scene).expect("it is within the capacity");
        for _ in 0..3 {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            buffers.record(&mut encoder);
            gpu.queue.submit([encoder.finish()]);
            let found = boxwood_tests::read_back(&buffers, &gpu.queue);
            assert_same(n, &boxwood_cpu::specification::boxes(&scene), &found);
        }
    }
}

/// A scene that exceeds a buffer is refused with both numbers. The largest scene is not.
#[test]
fn scenes_larger_than_a_buffer_are_refused() {
    let max_buffer_size = 3 * narrow_limits().max_storage_buffer_binding_size + 7;
    let gpu = gpu_with_limits(wgpu::Limits { max_buffer_size, ..narrow_limits() });
    let context = Context::new(&gpu.device);
    let limit = max_buffer_size / 16;
    assert_eq!(SceneBoxes::limits_of(&gpu.device).max_elements, limit);
    let largest = usize::try_from(limit).expect("the limit is small");
    let buffers = |n_elements, n_entries| {
        SceneBoxes::with_algorithm(&context, Outputs::all(), Algorithm::Hierarchical, n_elements, n_entries)
    };
    let error = buffers(largest + 1, 0).expect_err("it is larger than a buffer");
    assert_eq!(error, LimitsError::Elements { need: limit + 1, limit });
    for number in [limit, limit + 1] {
        assert!(error.to_string().contains(&number.to_string()), "the message contains the numbers: {error}");
    }
    let error = buffers(largest + 1, largest + 1).expect_err("likewise");
    assert_eq!(error, LimitsError::Entries { need: limit + 1, limit });
    let scene = scene_of(&family("random walk").generate(largest, 1), Shapes::Large, 1);
    let found = gpu_boxes_on(&gpu, &context, Algorithm::Hierarchical, &scene, &scene);
    assert_same(largest, &boxwood_cpu::specification::boxes(&scene), &found);

    // The trees over the partitions are not chunked.
    let device = &narrow().gpu.device;
    let limit = SceneBoxes::limits_of(device).max_elements;
    assert_eq!(limit, device.limits().max_storage_buffer_binding_size / 32 * PARTITION_LENGTH as u64);
    let too_many = usize::try_from(limit + 1).expect("the limit fits in a usize");
    let error =
        SceneBoxes::with_capacity(&narrow().context, Outputs::all(), too_many, 0).expect_err("it is larger");
    assert_eq!(error, LimitsError::Elements { need: limit + 1, limit });
}

/// Path boxes use one binding of a larger buffer, and do not exceed it.
#[test]
fn path_boxes_are_limited_to_one_binding_of_a_larger_buffer() {
    let Narrow { gpu: Gpu { device, .. }, context, n_elements, .. } = narrow();
    let buffers = SceneBoxes::with_capacity(context, Outputs::all(), 5 * n_elements, 0).expect("it fits");
    let context = Context::new(device);
    let of_paths = |n_paths| {
        let boxes = Some(buffers.element_boxes());
        let size = PathBuffersDescriptor {
            n_words: 4,
            n_tag_words: 1,
            n_paths,
            scene: None,
            boxes,
            has_rounded_boxes: false,
        };
        PathBuffers::new(&context, &size)
    };
    // A row of tags can begin one span more than it has paths.
    let limit = *n_elements as u64 - 1;
    assert!(of_paths(n_elements - 1).is_ok());
    let error = of_paths(*n_elements).expect_err("it is larger than a binding");
    assert_eq!(error, PathsError::TooLarge { items: "paths", need: limit + 1, limit });

    let bboxes = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxes in whole pixels"),
        size: 24 * 2 * limit,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let of_pixels = |n_paths: u64| {
        let n_paths = u32::try_from(n_paths).expect("it is small");
        UnroundPass::new(&context, &bboxes, buffers.element_boxes(), n_paths)
    };
    let limit = device.limits().max_storage_buffer_binding_size / 24;
    assert!(of_pixels(limit).is_ok());
    let error = of_pixels(limit + 1).expect_err("it is larger than a binding");
    assert_eq!(error, PathsError::TooLarge { items: "paths", need: limit + 1, limit });
}

const FAULTS: &[Fault] = &[
    ("compact_scatter_chunked", "chunk.first_partition * PARTITION_LENGTH + ", ""),
    ("compact_scatter_chunked", "entries[first - chunk.first_entry + slot]", "entries[first + slot]"),
    ("compact_scatter_chunked", "index < chunk.end_entry", "index + PARTITION_LENGTH < chunk.end_entry"),
    ("compact_scatter_chunked", "index >= chunk.first_entry", "index > chunk.first_entry"),
    ("fused_enclosing_sources_chunked", "enclosing[part] = Enclosing(PLANE, -1)", ""),
    ("fused_enclosing_sources_chunked", "u32(link) - chunk.first_source", "u32(link)"),
    ("fused_enclosing_sources_chunked", "has_source(u32(link))", "u32(link) < chunk.end_source"),
    ("fused_enclosing_sources_chunked", "level - partition_depths[link].lowest", "0"),
    ("fused_enclosing_chunked", "box = enclosing[part].clip_box", ""),
    ("fused_enclosing_chunked", "link = enclosing[part].link", ""),
    ("fused_before_chunked", "partition_depths[scene_part]", "partition_depths[part]"),
    ("fused_before_chunked", "partition_of_level(scene_part, level)", "partition_of_level(part, level)"),
    ("fused_before_chunked", "source >= 0 && !has_source", "!has_source"),
    ("fused_before_chunked", "source >= 0 && !has_source(u32(source))", "false"),
    ("fused_before_chunked", "u32(source) - chunk.first_source", "u32(source)"),
    ("fused_before_chunked", "meet(enclosing[source].clip_box, ", "meet(PLANE, "),
    ("fused_before_chunked", "depth <= height", "depth < height"),
    ("fused_before_chunked", "clipped_boxes[first_box + depth] = clip_box", ""),
    ("fused_resolve_chunked", STORED_IF_LEAF.0, STORED_IF_LEAF.1),
    ("fused_resolve_chunked", "!has_entry(first_entry)", "false"),
    ("fused_resolve_chunked", "first_entry - chunk.first_entry", "first_entry"),
    (
        "fused_resolve_chunked",
        "return clipped_boxes[before.part * PARTITION_LENGTH + depth]",
        "return clipped_boxes[depth]",
    ),
    (
        "fused_resolve_chunked",
        "config.n_tree_leaves + chunk.first_partition + part",
        "config.n_tree_leaves + part",
    ),
    ("fused_tree", "box = union_tree[config.n_tree_leaves + part]", ""),
    ("fused_stitch_fronts_chunked", "!has_entry(summaries[part].first_entry)", "false"),
    ("fused_stitch_fronts_chunked", "group_boxes[end - chunk.first_entry]", "group_boxes[end]"),
    ("fused_stitch_fronts_chunked", "= group_boxes[end - chunk.first_entry]", "= EMPTY"),
    (
        "fused_stitch_fronts_chunked",
        "min(config.n_partitions, chunk.end_partition)",
        "min(config.n_partitions, chunk.end_partition - 1u)",
    ),
    ("fused_stitch_fronts_chunked", "(node & 1u) == 0u", "false"),
    (
        "fused_stitch_fronts_chunked",
        "least - partition_depths[scene_part].lowest",
        "least - partition_depths[part].lowest",
    ),
    (
        "fused_stitch_fronts_chunked",
        "scene_part + 1u, config.n_partitions",
        "scene_part + 2u, config.n_partitions",
    ),
    ("fused_stitch_fronts_chunked", "slice[slot] - chunk.first_entry", "slice[slot]"),
    ("fused_stitch_begins_chunked", "&& has_entry(u32(pair.x))", ""),
    ("fused_stitch_begins_chunked", "u32(pair.x) - chunk.first_entry", "u32(pair.x)"),
    ("fused_stitch_begins_chunked", "chunk.first_partition + part)", "part)"),
    ("fused_stitch_begins_chunked", ", slice_boxes[slot])", ", EMPTY)"),
    ("fused_stitch_begins_chunked", "slice_boxes[slot] = box", ""),
    ("fused_stitch_begins_chunked", "links[begin].partner = pair.y", ""),
    ("fused_stitch_ends_chunked", "index < chunk.end_entry", "index + PARTITION_LENGTH < chunk.end_entry"),
    ("fused_stitch_ends_chunked", "end - chunk.first_entry", "end"),
];

#[test]
fn every_chunked_shader_has_a_fault_in_the_list() {
    for shader in boxwood_shaders::all().into_iter().filter(|shader| shader.name.ends_with("_chunked")) {
        assert!(FAULTS.iter().any(|fault| fault.0 == shader.name), "{} is never broken", shader.name);
    }
}

#[test]
fn every_fault_in_a_chunked_shader_is_caught() {
    let Narrow { gpu, context, n_elements, .. } = narrow();
    let of_family = |family: Family| scene_of(&family.generate(3 * n_elements, 1), Shapes::Large, 1);
    let mut scenes: Vec<Scene> = families().into_iter().map(of_family).collect();
    scenes.push(nest_clipped_outermost(3 * n_elements));
    scenes.push(scene_of(&("()".repeat(*n_elements) + &".".repeat(2 * n_elements)), Shapes::Large, 1));
    let expected: Vec<_> = scenes.iter().map(boxwood_cpu::specification::boxes).collect();
    let is_caught = |context: &Context| {
        let mut runs = scenes.iter().zip(&expected);
        runs.any(|(scene, expected)| {
            first_difference(expected, &boxes_in_chunks(context, scene, scene)).is_some()
        })
    };
    assert!(!is_caught(context), "the shaders pass without a fault");
    // A fault can lead other shaders to wrong indices, so these have wgpu's runtime checks.
    let checked = Context::new(&gpu.device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, _| is_caught(broken));
}
