//! Frames as an engine of its own runs them: by the public schedule, with plain wgpu. They have the
//! same results, and a frame of [`SceneBoxes`] allocates nothing that wgpu itself does not.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;

use boxwood::native::Gpu;
use boxwood::{
    Algorithm, Boxes, Context, Outputs, Scene, SceneBoxes, Schedule, ScheduledDispatch, read_items, wgpu,
};
use boxwood_cpu::specification;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator is unsafe by definition")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations of this thread during a call.
fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    run();
    ALLOCATIONS.with(Cell::get) - before
}

fn gpu() -> Gpu {
    Gpu::open(std::env::var("BOXWOOD_ADAPTER").ok().as_deref()).expect("the tests need an adapter")
}

/// Panels in rows, each with a clip, a group, and leaves. `frame` moves them.
fn fill(scene: &mut Scene, n_panels: u32, frame: u32) {
    scene.clear();
    scene.begin_clip([0.0, 0.0, 1000.0, 1000.0]);
    for panel in 0..n_panels {
        let [x, y] = [panel % 40, panel / 40].map(|v| 25.0 * f64::from(v) + f64::from(frame % 7));
        scene.begin_clip([x, y, x + 20.0, y + 20.0]);
        scene.begin_group();
        scene.leaf([x + 1.0, y + 1.0, x + 30.0, y + 5.0]);
        scene.end();
        scene.leaf([x - 5.0, y + 6.0, x + 5.0, y + 9.0]);
        scene.end();
    }
    scene.end();
}

/// An engine that only knows the schedule: its buffers by name, and its pipelines.
struct Engine {
    schedule: Schedule,
    buffers: BTreeMap<&'static str, wgpu::Buffer>,
    dispatches: Vec<(wgpu::ComputePipeline, wgpu::BindGroup)>,
}

impl Engine {
    fn new(device: &wgpu::Device, schedule: Schedule) -> Self {
        let buffer = |label, size, kind| {
            let usage = kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        let storage = |own: &boxwood::ScheduledBuffer| {
            (own.name, buffer(Some(own.name), own.bytes, wgpu::BufferUsages::STORAGE))
        };
        let mut buffers: BTreeMap<_, _> = schedule.buffers.iter().map(storage).collect();
        buffers.insert("config", buffer(Some("config"), 16, wgpu::BufferUsages::UNIFORM));
        let dispatches = schedule.dispatches.iter().map(|dispatch| {
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(dispatch.shader.name),
                source: wgpu::ShaderSource::Wgsl(dispatch.shader.source.into()),
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(dispatch.shader.name),
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
            let entries: Vec<_> = dispatch
                .bindings
                .iter()
                .map(|(binding, name)| wgpu::BindGroupEntry {
                    binding: *binding,
                    resource: buffers[name].as_entire_binding(),
                })
                .collect();
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            (pipeline, group)
        });
        let dispatches = dispatches.collect();
        Self { dispatches, buffers, schedule }
    }

    fn update(&self, queue: &wgpu::Queue, scene: &Scene) {
        queue.write_buffer(&self.buffers["draw_tags"], 0, bytemuck::cast_slice(scene.tags()));
        queue.write_buffer(&self.buffers["element_boxes"], 0, bytemuck::cast_slice(scene.boxes()));
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let descriptor = wgpu::ComputePassDescriptor { label: Some("boxwood"), timestamp_writes: None };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        // `SceneBoxes` have a debug group per stage.
        let stage_of = |dispatch: &ScheduledDispatch| match dispatch.shader.name {
            name if name.starts_with("compact") => "boxwood.compact",
            _ => "boxwood.fused",
        };
        let mut stage = stage_of(&self.schedule.dispatches[0]);
        pass.push_debug_group(stage);
        for ((pipeline, group), dispatch) in self.dispatches.iter().zip(&self.schedule.dispatches) {
            if stage_of(dispatch) != stage {
                stage = stage_of(dispatch);
                pass.pop_debug_group();
                pass.push_debug_group(stage);
            }
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(dispatch.n_workgroups, 1, 1);
        }
        pass.pop_debug_group();
    }
}

fn submit(gpu: &Gpu, record: impl FnOnce(&mut wgpu::CommandEncoder)) {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    record(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
}

/// The first items of a buffer of the engine.
fn read<T: bytemuck::Pod>(gpu: &Gpu, engine: &Engine, name: &str, n: usize) -> Vec<T> {
    read_items(&gpu.device, &gpu.queue, &engine.buffers[name], n).expect("the device answers")
}

#[test]
fn an_engine_of_its_own_computes_the_same_boxes() {
    let gpu = gpu();
    let mut scene = Scene::new();
    for n_panels in [1, 50, 900] {
        fill(&mut scene, n_panels, 3);
        let expected = specification::boxes(&scene);
        let (n_elements, n_entries) = (scene.len(), scene.n_entries());
        for algorithm in [Algorithm::Small, Algorithm::Small, Algorithm::TwoLevel, Algorithm::Hierarchical] {
            if algorithm.limits().check(n_elements, n_entries).is_err() {
                assert!(Schedule::new(algorithm, Outputs::all(), n_elements, n_entries).is_err());
                continue;
            }
            for outputs in [Outputs::all(), Outputs::CLIPPED] {
                let schedule = Schedule::new(algorithm, outputs, n_elements, n_entries);
                let engine = Engine::new(&gpu.device, schedule.expect("it is within the limits"));
                let config = bytemuck::bytes_of(&engine.schedule.config);
                gpu.queue.write_buffer(&engine.buffers["config"], 0, config);
                engine.update(&gpu.queue, &scene);
                submit(&gpu, |encoder| engine.record(encoder));
                let mut found = Boxes {
                    clipped_boxes: read(&gpu, &engine, "clipped_boxes", n_elements),
                    ..expected.clone()
                };
                if outputs == Outputs::all() {
                    found.entries = read(&gpu, &engine, "entries", n_entries);
                    found.ranks = read(&gpu, &engine, "ranks", n_elements);
                    found.links = read(&gpu, &engine, "links", n_entries);
                    found.clip_boxes = read(&gpu, &engine, "clip_boxes", n_entries);
                    found.group_boxes = read(&gpu, &engine, "group_boxes", n_entries);
                }
                assert!(found == expected, "{algorithm:?}, {outputs:?}, {n_panels} panels");
            }
        }
    }
}

/// The calls of a frame allocate as often as the same calls of wgpu by hand. The caller finishes
/// and submits the encoder.
#[test]
fn a_frame_allocates_nothing_that_wgpu_does_not() {
    let gpu = gpu();
    let mut scene = Scene::with_capacity(12_000);
    fill(&mut scene, 1_650, 0);
    let (n_elements, n_entries) = (scene.len(), scene.n_entries());
    assert!((9_800..10_000).contains(&n_elements), "{n_elements}");
    let mut boxes = SceneBoxes::new(&Context::new(&gpu.device), Outputs::all());
    boxes.update(&gpu.queue, &scene).expect("the scene is valid");
    let schedule = Schedule::new(boxes.algorithm(), Outputs::all(), n_elements, n_entries);
    let mut engine = Engine::new(&gpu.device, schedule.expect("it is within the limits"));
    engine.buffers.entry("config").and_modify(|own| {
        let config = bytemuck::bytes_of(&engine.schedule.config);
        gpu.queue.write_buffer(own, 0, config);
    });
    let (mut own, mut plain) = (Vec::new(), Vec::new());
    for frame in 0..80 {
        fill(&mut scene, 1_650, frame);
        // The two take turns, since wgpu's own memory depends on the submission before.
        if frame % 2 == 0 {
            submit(&gpu, |encoder| {
                own.push(allocations(|| {
                    boxes.update(&gpu.queue, &scene).expect("the scene is valid");
                    boxes.update_boxes(&gpu.queue, &scene, 3..4).expect("the scene has this element");
                    boxes.record(encoder);
                }));
            });
        } else {
            submit(&gpu, |encoder| {
                plain.push(allocations(|| {
                    engine.update(&gpu.queue, &scene);
                    let moved = bytemuck::cast_slice(&scene.boxes()[3..4]);
                    gpu.queue.write_buffer(&engine.buffers["element_boxes"], 48, moved);
                    engine.record(encoder);
                }));
            });
        }
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    }
    let median = |counts: &mut Vec<u64>| {
        let mut last = counts.split_off(counts.len() - 21);
        last.sort_unstable();
        last[10]
    };
    let (own, plain) = (median(&mut own), median(&mut plain));
    assert!(own <= plain, "{own} allocations in a frame, and {plain} by wgpu alone");
}

/// The counter counts, so that the test above can fail.
#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7_u64)))), 1);
}
