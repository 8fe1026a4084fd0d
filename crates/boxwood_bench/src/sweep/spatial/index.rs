//! Stage *index*.

use boxwood::Context;
use boxwood::spatial::{Index, Items, Lbvh, Order};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, key_bits};

use crate::error::BenchError;
use crate::measure::{IndexNodes, LbvhNodes, time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::box_family;

/// The families whose trees are built.
pub(super) const FAMILIES: [&str; 2] = ["small boxes", "nested panels"];

/// The bytes that a refit moves for each leaf: its index and its box are read, and its box and its
/// span are written, as well as a third as many nodes above the leaves.
const REFIT_BYTES: f64 = 4.0 + 16.0 + 24.0 * 4.0 / 3.0;

/// The distance along both axes by which the boxes move before a refit.
const MOVE: f64 = 10.0;

/// Builds trees over small boxes and over panels, and refits them.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    for family in FAMILIES {
        let boxes = box_family(family)?.generate(n as usize, 1);
        for (order, name) in [(Order::Paint, "paint"), (Order::Morton, "morton"), (Order::Hilbert, "hilbert")]
        {
            let what = format!("index, {name}");
            let measured = Measured { what: &what, n: boxes.len(), family, ..Measured::default() };
            of_order(session, context, order, &boxes, measured)?;
        }
    }
    Ok(())
}

fn of_order(
    session: &mut Session<'_>,
    context: &Context,
    order: Order,
    boxes: &[Aabb],
    measured: Measured<'_>,
) -> Result<(), BenchError> {
    let queue = &session.gpu.queue;
    let (n, bits) = (boxes.len(), key_bits(boxes.len()));
    let (seconds, mut expected) =
        time_on_cpu(session.options.n_runs(), || cpu::Index::new(boxes, order, bits));
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    let input = uploaded(session.gpu, boxes);
    let n_items = u32::try_from(n).expect("the sizes are u32");
    let Ok(index) = Index::new(context, Items::new(&input, n_items), order) else { return Ok(()) };
    let seconds = session.timer.time(|pass| index.record(pass))?;
    let is_right = IndexNodes::read(session.gpu, &index, n)? == IndexNodes::specified(&expected);
    session.add(Measured { variant: "build", seconds, is_right, ..measured })?;
    if let Ok(lbvh) = Lbvh::new(context, &index) {
        let seconds = session.timer.time(|pass| lbvh.record(pass))?;
        let specified = LbvhNodes::specified(boxes, order, &expected.permutation);
        let is_right = LbvhNodes::read(session.gpu, &lbvh, n)? == specified;
        session.add(Measured { variant: "binary tree", seconds, is_right, ..measured })?;
    }
    let moved: Vec<Aabb> = boxes.iter().map(|own| moved(*own)).collect();
    queue.write_buffer(&input, 0, bytemuck::cast_slice(&moved));
    let seconds = session.timer.time(|pass| index.record_refit(pass))?;
    expected.refit(&moved);
    let is_right = IndexNodes::read(session.gpu, &index, n)? == IndexNodes::specified(&expected);
    session.add(Measured { variant: "refit", seconds, bytes_each: Some(REFIT_BYTES), is_right, ..measured })
}

fn moved(Aabb { x0, y0, x1, y1 }: Aabb) -> Aabb {
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|v| f64::from(v) + MOVE);
    Aabb::new(x0, y0, x1, y1).expect("no NaN")
}
