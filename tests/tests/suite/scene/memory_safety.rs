//! No safe call makes a shader access memory outside of its buffers, whatever the inputs contain.
//!
//! The stages run without wgpu's runtime checks, and a caller may announce fewer begins and ends
//! than the tags have.

use boxwood::{Algorithm, Boxes, Context, ElementKind, Outputs, Scene, SceneBoxes, tag};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Gpu, Shapes, assert_all_caught, assert_same, bounded_source, context, families, gpu,
    gpu_with_limits, sampled, scene_of,
};

/// Two bit patterns that no stage writes: NaNs as floats, negative numbers as indices.
const GUARDS: [u32; 2] = [0xffc0_ffee, 0xffd0_0001];

/// The scenes, each with the numbers of begins and ends that the caller announces.
fn scenes() -> impl Iterator<Item = (String, Scene, Vec<usize>)> {
    families().into_iter().flat_map(|family| {
        [200, 5 * 256 + 7, 3 * 1024 + 5].into_iter().enumerate().map(move |(seed, n)| {
            let scene = scene_of(&family.generate(n, seed as u64), Shapes::Large, seed as u64);
            let n_entries = scene.n_entries();
            let announced = [0, 1, n_entries / 3, n_entries.saturating_sub(1)];
            (format!("{}, n = {n}", family.name), scene, announced.map(|n| n.min(n_entries)).to_vec())
        })
    })
}

/// The algorithms that can hold a scene of this size.
fn algorithms_for(scene: &Scene) -> impl Iterator<Item = Algorithm> {
    boxwood_tests::algorithms_for(scene)
}

/// The results with one item per entry of the node stream, and the words of an item.
fn entry_results(buffers: &SceneBoxes) -> [(&'static str, &wgpu::Buffer, usize); 4] {
    [
        ("entries", buffers.entries(), 1),
        ("links", buffers.links(), 2),
        ("clip_boxes", buffers.clip_boxes(), 4),
        ("group_boxes", buffers.group_boxes(), 4),
    ]
}

/// Submits the stages over a scene whose tags may have more begins and ends than `n_entries`.
///
/// The buffers have room for `n_spare` more entries, as far as the algorithm allows. Every word of
/// the results is `guard` before.
fn submit(
    gpu: &Gpu,
    context: &Context,
    algorithm: Algorithm,
    scene: &Scene,
    (n_entries, n_spare): (usize, usize),
    guard: u32,
) -> SceneBoxes {
    let Gpu { device, queue, .. } = gpu;
    // Every begin and end is an element, so room for more entries is room for more elements.
    let most = usize::try_from(algorithm.limits().max_elements).unwrap_or(usize::MAX);
    let element_capacity = scene.len().max(n_entries + n_spare).min(most);
    let entry_capacity = element_capacity.min(n_entries + n_spare);
    let mut buffers =
        SceneBoxes::with_algorithm(context, Outputs::all(), algorithm, element_capacity, entry_capacity)
            .expect("the scene is within the limits");
    for (_, buffer, _) in entry_results(&buffers) {
        let words = vec![guard; usize::try_from(buffer.size()).expect("the buffers are small") / 4];
        queue.write_buffer(buffer, 0, bytemuck::cast_slice(&words));
    }
    buffers.set_size(queue, scene.len(), n_entries).expect("the scene is within the capacity");
    queue.write_buffer(buffers.draw_tags(), 0, bytemuck::cast_slice(scene.tags()));
    queue.write_buffer(buffers.element_boxes(), 0, bytemuck::cast_slice(scene.boxes()));
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder);
    queue.submit([encoder.finish()]);
    buffers
}

/// The first item of each result beyond the announced entries that a submission has changed.
fn changed_guards(gpu: &Gpu, buffers: &SceneBoxes, n_entries: usize, guard: u32) -> Vec<String> {
    let Gpu { device, queue, .. } = gpu;
    let mut changed = Vec::new();
    for (name, buffer, words_each) in entry_results(buffers) {
        let n_words = usize::try_from(buffer.size()).expect("the buffers are small") / 4;
        let words: Vec<u32> = boxwood_tests::read_items(device, queue, buffer, n_words);
        let first = (n_entries * words_each).min(words.len());
        if let Some(index) = words[first..].iter().position(|&word| word != guard) {
            changed.push(format!("{name}[{}]", (first + index) / words_each));
        }
    }
    changed
}

/// The scene in which begins and ends after the first `n_entries` are no-ops.
fn truncated(scene: &Scene, n_entries: usize) -> Scene {
    let mut n_left = n_entries;
    let tags = (0..scene.len()).map(|element| match scene.kind(element) {
        ElementKind::Begin | ElementKind::End if n_left == 0 => tag::NOP,
        ElementKind::Begin | ElementKind::End => {
            n_left -= 1;
            scene.tags()[element]
        }
        _ => scene.tags()[element],
    });
    Scene::from_streams(tags.collect(), scene.boxes().to_vec()).expect("the boxes are those of a scene")
}

#[track_caller]
fn assert_none(failures: &[String]) {
    let shown = &failures[..failures.len().min(20)];
    assert!(failures.is_empty(), "{} failures, among them:\n{}", failures.len(), shown.join("\n"));
}

#[test]
fn no_stage_writes_beyond_the_announced_entries() {
    let mut failures = Vec::new();
    for (name, scene, announced) in sampled(scenes()) {
        for &n_entries in &announced {
            for algorithm in algorithms_for(&scene) {
                let size = (n_entries, scene.n_entries() + 2048);
                let buffers = submit(gpu(), context(), algorithm, &scene, size, GUARDS[0]);
                let changed = changed_guards(gpu(), &buffers, n_entries, GUARDS[0]);
                let what = |item| format!("{algorithm:?}, {name}, {n_entries} announced: {item}");
                failures.extend(changed.into_iter().map(what));
            }
        }
    }
    assert_none(&failures);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn no_stage_writes_beyond_the_announced_entries_in_chunks() {
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 20, ..gpu().device.limits() };
    let gpu = gpu_with_limits(limits);
    let context = Context::new(&gpu.device);
    let mut failures = Vec::new();
    for family in sampled(families()) {
        let scene = scene_of(&family.generate(200_000, 1), Shapes::Large, 1);
        for n_entries in [scene.n_entries() / 3, scene.n_entries().saturating_sub(1)] {
            let size = (n_entries, scene.len() - n_entries);
            let buffers = submit(&gpu, &context, Algorithm::Hierarchical, &scene, size, GUARDS[0]);
            let changed = changed_guards(&gpu, &buffers, n_entries, GUARDS[0]);
            failures.extend(
                changed.into_iter().map(|item| format!("{}, {n_entries} announced: {item}", family.name)),
            );
        }
    }
    assert_none(&failures);
}

/// The results do not depend on memory beyond the announced entries, so no stage reads it to any
/// effect.
#[test]
fn no_result_depends_on_memory_beyond_the_announced_entries() {
    let mut failures = Vec::new();
    for (name, scene, announced) in sampled(scenes()) {
        for &n_entries in &announced {
            for algorithm in algorithms_for(&scene).filter(|&algorithm| defines_excess(algorithm)) {
                let [one, other] = GUARDS.map(|guard| -> Boxes {
                    let buffers = submit(gpu(), context(), algorithm, &scene, (n_entries, 2048), guard);
                    boxwood_tests::read_back(&buffers, &gpu().queue)
                });
                // NaNs are not equal to each other, but their text is.
                if format!("{one:?}") != format!("{other:?}") {
                    failures.push(format!("{algorithm:?}, {name}, {n_entries} announced"));
                }
            }
        }
    }
    assert_none(&failures);
}

/// Whether the algorithm counts begins and ends that are not announced as no-ops. The others give
/// them no meaning.
fn defines_excess(algorithm: Algorithm) -> bool {
    algorithm != Algorithm::Small
}

/// Whether a result differs from the specification of the truncated scene.
fn is_wrong(
    context: &Context,
    algorithm: Algorithm,
    scene: &Scene,
    n_entries: usize,
) -> Option<(Boxes, Boxes)> {
    let expected = boxwood_cpu::specification::boxes(&truncated(scene, n_entries));
    let buffers = submit(gpu(), context, algorithm, scene, (n_entries, 100), GUARDS[0]);
    let found = boxwood_tests::read_back(&buffers, &gpu().queue);
    (found != expected).then_some((expected, found))
}

#[test]
fn excess_entries_count_as_no_ops() {
    for (name, scene, announced) in sampled(scenes()) {
        for &n_entries in &announced {
            for algorithm in algorithms_for(&scene).filter(|&algorithm| defines_excess(algorithm)) {
                if let Some((expected, found)) = is_wrong(context(), algorithm, &scene, n_entries) {
                    assert_same((algorithm, &name, n_entries), &expected, &found);
                }
            }
        }
    }
}

/// Each of these removes one clamp.
const FAULTS: &[Fault] = &[
    ("compact_scatter", "min(first + own_ranks, vec4(config.n_entries))", "first + own_ranks"),
    ("compact_scatter", "min(prefix_sums[WORKGROUP_SIZE - 1u], ", "max(prefix_sums[WORKGROUP_SIZE - 1u], "),
    ("compact_scatter", "min(partition_entries[part], config.n_entries)", "partition_entries[part]"),
    ("fused_reduce", "min(partition_entries[part], config.n_entries)", "partition_entries[part]"),
    ("fused_reduce", "all.y <= n_announced", "true"),
    ("fused_reduce", "min(n_announced, n_before)", "0u"),
    ("small_resolve", "is_entry && place < config.n_entries", "is_entry"),
    ("small_resolve_single", "is_entry && place < config.n_entries", "is_entry"),
    ("small_stitch", "is_unclosed && open < config.n_entries", "is_unclosed"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_missing_clamp_is_caught() {
    let scenes: Vec<_> = scenes().filter(|(name, ..)| !name.ends_with("n = 3077")).collect();
    let is_caught = |context: &Context| {
        scenes.iter().any(|(_, scene, announced)| {
            announced.iter().any(|&n_entries| {
                algorithms_for(scene).any(|algorithm| {
                    let size = (n_entries, scene.n_entries() + 2048);
                    let buffers = submit(gpu(), context, algorithm, scene, size, GUARDS[0]);
                    !changed_guards(gpu(), &buffers, n_entries, GUARDS[0]).is_empty()
                        || defines_excess(algorithm)
                            && is_wrong(context, algorithm, scene, n_entries).is_some()
                })
            })
        })
    };
    assert!(!is_caught(context()), "the shaders without a fault pass");
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, _| is_caught(broken));
}
