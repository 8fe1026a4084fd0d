//! All boxes of a scene, by every algorithm.

use std::collections::HashSet;
use std::hint::black_box;

use boxwood::native::Gpu;
use boxwood::testing::Part;
use boxwood::{Aabb, Algorithm, Boxes, Context, Outputs, Scene, SceneBoxes, read_items};
use boxwood_cpu::{Engine, SceneError, specification};
use rayon::ThreadPool;

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::{boxes_difference, time_on_cpu};
use crate::record::{ALL_CORES, ENTRY_BYTES, MAIN_FAMILY, ONE_CORE, SPECIFICATION, Seconds};
use boxwood_inputs::scene;

/// The families that are measured at every size, on the CPU, and by stage: node streams of any
/// depth and of bounded depth, and scenes with leaves.
const MAIN: [&str; 3] = [MAIN_FAMILY, "bounded depth", "like a user interface"];

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let context = Context::new(&session.gpu.device);
    let cpu = Cpu::new()?;
    for (k, families) in session.inputs(What::Boxes, &MAIN) {
        for family in families {
            let is_main = session.is_main(&MAIN, &family);
            measure_scene(session, &context, &cpu, family.name, &scene(&family, 1 << k, 1, false), is_main)?;
        }
    }
    Ok(())
}

fn measure_scene(
    session: &mut Session<'_>,
    context: &Context,
    cpu: &Cpu,
    family: &str,
    scene: &Scene,
    is_main: bool,
) -> Result<(), BenchError> {
    let queue = &session.gpu.queue;
    let n = scene.len();
    // An algorithm is skipped if it or the device cannot hold the scene.
    let with_buffers = |&algorithm: &Algorithm| {
        let buffers = SceneBoxes::with_algorithm(context, Outputs::all(), algorithm, n, scene.n_entries());
        Some((algorithm, buffers.ok()?))
    };
    let mut able = Algorithm::ALL.iter().filter_map(with_buffers).peekable();
    if able.peek().is_none() {
        return Ok(());
    }
    let n_runs = if is_main { session.options.n_runs() } else { 0 };
    let (seconds, expected) = time_on_cpu(n_runs, || specification::boxes(scene));
    let measured = Measured { what: "boxes", n, family, is_right: true, ..Measured::default() };
    if is_main {
        for (variant, pool) in [(ONE_CORE, &cpu.one_core), (ALL_CORES, &cpu.all_cores)] {
            let (seconds, is_right) = pool.install(|| time_engine(scene, n_runs, &expected))?;
            session.add(Measured { variant, seconds, is_right, ..measured })?;
        }
        session.add(Measured { variant: SPECIFICATION, seconds, ..measured })?;
    }
    // The bound counts entries alone.
    let bytes_each = (scene.n_entries() == n).then_some(ENTRY_BYTES);
    for (algorithm, mut buffers) in able {
        buffers.update(queue, scene)?;
        let with_compact = session.timer.time(|pass| buffers.record_in(pass))?;
        let stages: Vec<_> = buffers.stages().into_iter().filter(|stage| stage.name() != "compact").collect();
        let seconds = session.timer.time(|pass| stages.iter().for_each(|stage| record_alone(stage, pass)))?;
        let is_right = boxes_difference(&expected, &buffers.read_back(queue)?).is_none();
        let measured = Measured { variant: algorithm.name(), is_right, ..measured };
        session.add(Measured { seconds, bytes_each, ..measured })?;
        if !is_main {
            continue;
        }
        session.add(Measured { what: "boxes.with_compact", seconds: with_compact, ..measured })?;
        let has_dispatches = session.options.has(What::Dispatches);
        let dispatches = buffers.dispatches().into_iter().filter(|dispatch| dispatch.stage() == "fused");
        let n_stages = stages.len();
        let parts = stages.into_iter().filter(|_| n_stages > 1);
        // A part alone may read what a later one wrote, so its results are not compared. A shader
        // that has several dispatches is measured once.
        let mut measured_parts = HashSet::new();
        for part in parts.chain(dispatches.filter(|_| has_dispatches)) {
            if measured_parts.insert(part.name()) {
                let seconds = session.timer.time(|pass| record_alone(&part, pass))?;
                session.add(Measured { what: &format!("boxes.{}", part.name()), seconds, ..measured })?;
            }
        }
    }
    if is_main {
        measure_clipped(session, context, measured, scene, &expected.clipped_boxes)?;
    }
    Ok(())
}

/// Measures the clipped boxes alone, by every algorithm that computes them.
fn measure_clipped(
    session: &mut Session<'_>,
    context: &Context,
    measured: Measured<'_>,
    scene: &Scene,
    expected: &[Aabb],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    for &algorithm in Algorithm::ALL {
        let (outputs, n) = (Outputs::CLIPPED, scene.len());
        let Ok(mut buffers) = SceneBoxes::with_algorithm(context, outputs, algorithm, n, scene.n_entries())
        else {
            continue;
        };
        buffers.update(queue, scene)?;
        let seconds = session.timer.time(|pass| buffers.record_in(pass))?;
        let found: Vec<Aabb> = read_items(device, queue, buffers.clipped_boxes(), scene.len())?;
        let is_right = found == expected;
        let variant = algorithm.name();
        session.add(Measured { what: "boxes.clipped", variant, seconds, is_right, ..measured })?;
    }
    Ok(())
}

/// Records a stage or a dispatch alone.
fn record_alone(part: &Part<'_>, pass: &mut wgpu::ComputePass<'_>) {
    #[expect(unsafe_code, reason = "a part alone is timed")]
    // SAFETY: `measure_scene` runs all stages over the same scene before, and waits for them.
    unsafe {
        part.record(pass);
    }
}

/// The pools of threads in which the engine on the CPU runs.
struct Cpu {
    one_core: ThreadPool,
    all_cores: ThreadPool,
}

impl Cpu {
    fn new() -> Result<Self, BenchError> {
        let pool = |n_threads| rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
        // By default, a pool has a thread for each core that the process may use.
        Ok(Self { one_core: pool(1)?, all_cores: pool(0)? })
    }
}

/// The times of the engine on the CPU in the current pool, and whether its results are those of the
/// specification.
fn time_engine(
    scene: &Scene,
    n_runs: usize,
    expected: &Boxes,
) -> Result<(Option<Seconds>, bool), SceneError> {
    let mut engine = Engine::new();
    // An engine keeps its memory from frame to frame. The first run gets it from the system, so it
    // is not timed.
    let is_right = boxes_difference(expected, engine.boxes(scene)?).is_none();
    let (seconds, found) =
        time_on_cpu(n_runs, || engine.boxes(black_box(scene)).map(|boxes| _ = black_box(boxes)));
    found?;
    Ok((seconds, is_right))
}
