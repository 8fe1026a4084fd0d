//! All boxes of a scene, by every algorithm.

use std::collections::HashSet;

use boxwood::native::Gpu;
use boxwood::testing::{Part, StageName};
use boxwood::{Aabb, Algorithm, Boxes, Context, Outputs, Scene, SceneBoxes, read_items};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::inputs::scene;
use crate::measure::{boxes_difference, time_on_cpu};
use crate::record::{ENTRY_BYTES, MAIN_FAMILY, Seconds};

/// The families that are measured at every size, on the CPU, and by stage: node streams of any
/// depth and of bounded depth, and scenes with leaves.
const MAIN: [&str; 3] = [MAIN_FAMILY, "bounded depth", "like a user interface"];

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let context = Context::new(&session.gpu.device);
    for (k, families) in session.inputs(What::Boxes, &MAIN)? {
        for family in families {
            let is_main = session.is_main(&MAIN, &family);
            measure_scene(session, &context, family.name, &scene(&family, 1 << k, 1, false), is_main)?;
        }
    }
    Ok(())
}

fn measure_scene(
    session: &mut Session<'_>,
    context: &Context,
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
    let (seconds, expected) = sequential(scene, if is_main { session.options.n_runs() } else { 0 });
    let measured = Measured { what: "boxes", n, family, is_right: true, ..Measured::default() };
    if is_main {
        session.add(Measured { variant: "cpu", seconds, ..measured })?;
    }
    // The bound counts entries alone.
    let bytes_each = (scene.n_entries() == n).then_some(ENTRY_BYTES);
    for (algorithm, mut buffers) in able {
        buffers.update(queue, scene)?;
        let with_compact = session.timer.time(|pass| buffers.record_in(pass))?;
        let stages: Vec<_> = buffers.stages().filter(|stage| stage.name() != "compact").collect();
        let seconds = session.timer.time(|pass| stages.iter().for_each(|stage| record_alone(stage, pass)))?;
        let is_right = boxes_difference(&expected, &buffers.read_back(queue)?).is_none();
        let measured = Measured { variant: algorithm.name(), is_right, ..measured };
        session.add(Measured { seconds, bytes_each, ..measured })?;
        if !is_main {
            continue;
        }
        session.add(Measured { what: "boxes.with_compact", seconds: with_compact, ..measured })?;
        let has_dispatches = session.options.has(What::Dispatches);
        let dispatches = buffers.dispatches().filter(|dispatch| dispatch.stage() == StageName::Fused);
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

/// The results of the specification, and the time of all stages except compaction.
fn sequential(scene: &Scene, n_runs: usize) -> (Option<Seconds>, Boxes) {
    let (entries, ranks) = boxwood_cpu::specification::scene::compact(scene);
    let (seconds, (links, clip_boxes, clipped_boxes, group_boxes)) = time_on_cpu(n_runs, || {
        let links = boxwood_cpu::specification::tree::link_entries(&entries);
        let clip_boxes = boxwood_cpu::specification::scene::clip_entries(scene, &entries, &links);
        let clipped_boxes = boxwood_cpu::specification::scene::clip_leaves(scene, &ranks, &clip_boxes);
        let group_boxes = boxwood_cpu::specification::scene::union_groups(scene, &clipped_boxes);
        (links, clip_boxes, clipped_boxes, group_boxes)
    });
    (seconds, Boxes { entries, ranks, links, clip_boxes, clipped_boxes, group_boxes })
}
