//! Stage *index*.

use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Index, IndexDescriptor, Lbvh, Order, SpatialPipelines};
use boxwood_cpu::spatial::{self as cpu, key_bits};

use crate::error::BenchError;
use crate::inputs::box_family;
use crate::measure::{time_on_cpu, uploaded};
use crate::sweep::session::{Measured, Session};

/// The bytes that a refit moves for each leaf: its index and its box are read, and its box and its
/// span are written, as well as a third as many nodes above the leaves.
const REFIT_BYTES: f64 = 4.0 + 16.0 + 24.0 * 4.0 / 3.0;

/// Builds trees over small boxes and over panels, and refits them.
pub(super) fn measure(
    session: &mut Session<'_>,
    pipelines: &SpatialPipelines,
    n: u32,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let n_items = n as usize;
    for family in ["small boxes", "nested panels"] {
        let boxes = box_family(family)?.generate(n_items, 1);
        let input = uploaded(session.gpu, &boxes);
        for (order, name) in [(Order::Paint, "paint"), (Order::Morton, "morton"), (Order::Hilbert, "hilbert")]
        {
            let bits = key_bits(n_items);
            let (seconds, expected) =
                time_on_cpu(session.options.n_runs(), || cpu::Index::new(&boxes, order, bits));
            let what = format!("index, {name}");
            let measured = Measured { what: &what, n: n_items, family, ..Measured::default() };
            session.add(Measured { variant: "cpu", seconds, is_right: true, ..measured })?;
            let descriptor = IndexDescriptor { order, ..IndexDescriptor::new(&input, n) };
            let Ok(index) = Index::new(device, pipelines, &descriptor) else { continue };
            let seconds = session.timer.time(|pass| index.record(pass))?;
            let first_leaf = index.tree().slot(0, 0) as usize;
            let spans: Vec<[u32; 2]> = read_items(device, queue, index.node_spans(), first_leaf + n_items)?;
            let leaves = expected.levels[0].iter().map(|leaf| leaf.span);
            let is_right = spans[first_leaf..].iter().copied().eq(leaves);
            session.add(Measured { variant: "build", seconds, is_right, ..measured })?;
            let seconds = session.timer.time(|pass| index.record_refit(pass))?;
            let bytes_each = Some(REFIT_BYTES);
            session.add(Measured { variant: "refit", seconds, bytes_each, is_right, ..measured })?;
            if let Ok(lbvh) = Lbvh::new(device, pipelines, &index) {
                let seconds = session.timer.time(|pass| lbvh.record(pass))?;
                session.add(Measured { variant: "binary tree", seconds, is_right, ..measured })?;
            }
        }
    }
    Ok(())
}
