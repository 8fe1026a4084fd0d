//! All boxes of a scene, by every algorithm.

use boxwood::native::Gpu;
use boxwood::testing::{Part, StageName};
use boxwood::{Algorithm, Boxes, Buffers, Pipelines, Scene, read_back};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::inputs::scene;
use crate::measure::{boxes_difference, time_on_cpu};
use crate::record::{MAIN_FAMILY, NODE_BYTES, Seconds};

/// The families that are measured at every size, on the CPU, and by stage: node streams of any
/// depth and of bounded depth, and scenes with leaves.
const MAIN: [&str; 3] = [MAIN_FAMILY, "bounded depth", "like a user interface"];

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let pipelines = Pipelines::new(&session.gpu.device);
    for (k, families) in session.inputs(What::Boxes, &MAIN)? {
        for family in families {
            let is_main = session.is_main(&MAIN, &family);
            measure_scene(session, &pipelines, family.name, &scene(&family, 1 << k, 1, false), is_main)?;
        }
    }
    Ok(())
}

fn measure_scene(
    session: &mut Session<'_>,
    pipelines: &Pipelines,
    family: &str,
    scene: &Scene,
    is_main: bool,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let n = scene.len();
    // An algorithm is skipped if it or the device cannot hold the scene.
    let with_buffers = |&algorithm: &Algorithm| {
        let buffers = Buffers::with_algorithm(device, pipelines, n, scene.n_nodes(), algorithm);
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
    // The bound counts nodes alone.
    let bytes_each = (scene.n_nodes() == n).then_some(NODE_BYTES);
    for (algorithm, mut buffers) in able {
        buffers.upload(queue, scene)?;
        let with_compact = session.timer.time(|pass| buffers.record_in(pass))?;
        let stages: Vec<_> = buffers.stages().filter(|stage| stage.name() != "compact").collect();
        let seconds = session.timer.time(|pass| stages.iter().for_each(|stage| record_alone(stage, pass)))?;
        let mut parts = Vec::new();
        if is_main {
            parts.push(("boxes.with_compact".to_owned(), with_compact));
            for stage in stages.iter().filter(|_| stages.len() > 1) {
                let seconds = session.timer.time(|pass| record_alone(stage, pass))?;
                parts.push((format!("boxes.{}", stage.name()), seconds));
            }
        }
        let is_right = boxes_difference(&expected, &read_back(device, queue, &buffers)?).is_none();
        // A dispatch alone may read what a later one wrote, so its results are not compared.
        if is_main && session.options.has(What::Dispatches) {
            parts.extend(fused_dispatches(session, &buffers)?);
        }
        let measured = Measured { variant: algorithm.name(), is_right, ..measured };
        session.add(Measured { seconds, bytes_each, ..measured })?;
        for (what, seconds) in &parts {
            session.add(Measured { what, seconds: *seconds, ..measured })?;
        }
    }
    Ok(())
}

/// The times of the dispatches of the fused stage, once per shader, with their names.
fn fused_dispatches(
    session: &Session<'_>,
    buffers: &Buffers,
) -> Result<Vec<(String, Option<Seconds>)>, BenchError> {
    let mut times: Vec<(String, Option<Seconds>)> = Vec::new();
    for dispatch in buffers.dispatches().filter(|dispatch| dispatch.stage() == StageName::Fused) {
        let what = format!("boxes.{}", dispatch.name());
        if times.iter().all(|(measured, _)| *measured != what) {
            times.push((what, session.timer.time(|pass| record_alone(&dispatch, pass))?));
        }
    }
    Ok(times)
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
    let (nodes, node_ranks) = boxwood_cpu::scene::compact(scene);
    let (seconds, (links, clip_boxes, clipped_boxes, group_boxes)) = time_on_cpu(n_runs, || {
        let links = boxwood_cpu::tree::link_nodes(&nodes);
        let clip_boxes = boxwood_cpu::scene::clip_nodes(scene, &nodes, &links);
        let clipped_boxes = boxwood_cpu::scene::clip_leaves(scene, &node_ranks, &clip_boxes);
        let group_boxes = boxwood_cpu::scene::union_groups(scene, &clipped_boxes);
        (links, clip_boxes, clipped_boxes, group_boxes)
    });
    (seconds, Boxes { nodes, node_ranks, links, clip_boxes, clipped_boxes, group_boxes })
}
