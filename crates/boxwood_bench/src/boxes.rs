//! Match, clip and union.

use boxwood::native::Gpu;
use boxwood::testing::{DispatchRef, StageName, StageRef};
use boxwood::{Algorithm, Boxes, Buffers, Pipelines};

use crate::error::BenchError;
use crate::input::{Shapes, elements};
use crate::options::What;
use crate::session::{Measured, Session};
use crate::timer::time_on_cpu;

/// What is measured at every size: nodes alone, on paths of any depth and of bounded depth, and a scene with leaves.
const MAIN: [&str; 3] = ["random walk, reflected", "bounded depth", "like a user interface"];

/// The least that an entry of a scene of nodes alone moves: its bit and its shape's box in; its match and half its group's
/// box and half its clip's twice out.
pub(crate) const NODE_BYTES: f64 = 36.25;

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let pipelines = Pipelines::new(&session.gpu.device);
    for (k, families) in session.inputs(What::Boxes, &MAIN)? {
        for family in families {
            let is_main = MAIN.contains(&family.name) || !session.options.family.is_empty();
            let scene =
                Scene { family: family.name, is_main, elements: &elements(&family, 1 << k, Shapes::Large) };
            scene.measure(session, &pipelines)?;
        }
    }
    Ok(())
}

struct Scene<'a> {
    family: &'a str,
    /// Whether the sequential algorithm and each stage are measured too.
    is_main: bool,
    elements: &'a boxwood::Scene,
}

impl Scene<'_> {
    fn measure(&self, session: &mut Session<'_>, pipelines: &Pipelines) -> Result<(), BenchError> {
        let Gpu { device, queue, .. } = session.gpu;
        let Self { family, elements, .. } = *self;
        let n_cpu_runs = if self.is_main { session.options.n_runs() } else { 0 };
        let n = elements.len();
        // What the algorithm or the device does not hold is not measured.
        let buffers_of = |algorithm| {
            let buffers = Buffers::with_algorithm(device, pipelines, n, elements.n_nodes(), algorithm);
            Some((algorithm, buffers.ok()?))
        };
        let mut able = Algorithm::ALL.iter().copied().filter_map(buffers_of).peekable();
        if able.peek().is_none() {
            return Ok(());
        }
        let (seconds, expected) = sequential(elements, n_cpu_runs);
        let is_nodes_alone = elements.n_nodes() == n;
        let mut measured =
            Measured { what: "boxes", n, family, variant: "cpu", seconds, bytes_each: None, is_right: true };
        if self.is_main {
            session.add(&measured);
        }
        for (algorithm, mut buffers) in able {
            buffers.upload(queue, elements)?;
            let with_compact = session.timer.time(|pass| buffers.record_in(pass))?;
            let stages: Vec<_> =
                buffers.stages().filter(|stage| stage.name() != StageName::Compact).collect();
            let all = session.timer.time(|pass| {
                for stage in &stages {
                    record_stage(stage, pass);
                }
            })?;
            let mut parts = Vec::new();
            if self.is_main {
                parts.push(("boxes.with_compact".to_owned(), with_compact));
                for stage in stages.iter().filter(|_| stages.len() > 1) {
                    let seconds = session.timer.time(|pass| record_stage(stage, pass))?;
                    parts.push((format!("boxes.{}", stage.name()), seconds));
                }
            }
            let variant = algorithm.name();
            measured.is_right =
                session.comparer.difference_of_boxes(elements, &expected, &buffers)?.is_none();
            // A dispatch alone may find what a later one has left, so this is after the comparison.
            let with_dispatches = self.is_main && session.options.has(What::Dispatches);
            let mut measured_names = Vec::new();
            for dispatch in buffers.dispatches().filter(|d| with_dispatches && d.stage() == StageName::Fused)
            {
                let name = dispatch.shader().name;
                if !measured_names.contains(&name) {
                    measured_names.push(name);
                    let seconds = session.timer.time(|pass| record_dispatch(&dispatch, pass))?;
                    parts.push((format!("boxes.{name}"), seconds));
                }
            }
            session.add(&Measured {
                variant,
                seconds: all,
                bytes_each: is_nodes_alone.then_some(NODE_BYTES),
                ..measured
            });
            for (what, seconds) in &parts {
                session.add(&Measured { what, variant, seconds: *seconds, ..measured });
            }
        }
        Ok(())
    }
}

/// Records a stage of buffers over whose scene all stages have run.
fn record_stage(stage: &StageRef<'_>, pass: &mut wgpu::ComputePass<'_>) {
    // SAFETY: `Scene::measure` times all stages over the same scene first, and waits for them.
    #[expect(unsafe_code, reason = "a stage alone is timed")]
    unsafe {
        stage.record(pass);
    }
}

/// Records a dispatch of buffers over whose scene all stages have run.
fn record_dispatch(dispatch: &DispatchRef<'_>, pass: &mut wgpu::ComputePass<'_>) {
    // SAFETY: `Scene::measure` times all stages over the same scene first, and waits for them.
    #[expect(unsafe_code, reason = "a dispatch alone is timed")]
    unsafe {
        dispatch.record(pass);
    }
}

/// The specification of every stage, and the time of all but the first.
fn sequential(elements: &boxwood::Scene, n_runs: usize) -> (Option<crate::Seconds>, Boxes) {
    let (nodes, node_ranks) = boxwood_cpu::scene::compact(elements);
    let (seconds, (links, clip_boxes, clipped_boxes, group_boxes)) = time_on_cpu(n_runs, || {
        let links = boxwood_cpu::tree::link_nodes(&nodes);
        let clip_boxes = boxwood_cpu::scene::clip_nodes(elements, &nodes, &links);
        let clipped_boxes = boxwood_cpu::scene::clip_leaves(elements, &node_ranks, &clip_boxes);
        let group_boxes = boxwood_cpu::scene::union_groups(elements, &clipped_boxes);
        (links, clip_boxes, clipped_boxes, group_boxes)
    });
    (seconds, Boxes { nodes, node_ranks, links, clip_boxes, clipped_boxes, group_boxes })
}
