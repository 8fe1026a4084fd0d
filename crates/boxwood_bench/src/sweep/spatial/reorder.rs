//! Stage *reorder*, and what queries gain by it.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Condition, Index, Items, Order, Packets, Queries, Question, Reorder, Source};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{Query, packets, query_keys, reorder, top_most, union_of};

use super::query::COMPARED_QUERIES;
use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::{Random, box_family};

/// The maximum number of queries.
const MAX_QUERIES: u32 = 1 << 20;

/// The length of a step of the pointer, in boxes of 10,000 by 10,000.
const STEP: f64 = 2.0;

/// Reorders as many points as there are boxes, and asks for the top-most box at each, in both
/// orders.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    if n > MAX_QUERIES {
        return Ok(());
    }
    let mut random = Random::new(11);
    let scattered: Vec<[f64; 2]> = (0..n).map(|_| [(); 2].map(|()| 1e4 * random.unit())).collect();
    let mut at = [5e3; 2];
    let mut step = |_| {
        at = at.map(|v| (v + STEP * (2.0 * random.unit() - 1.0)).clamp(0.0, 1e4));
        at
    };
    let path: Vec<[f64; 2]> = (0..n).map(&mut step).collect();
    for family in ["small boxes", "windows", "drawing"] {
        let boxes = box_family(family)?.generate(n as usize, 1);
        for (order, points) in [("scattered", &scattered), ("path", &path)] {
            let far = f64::from(f32::MAX);
            let query = |[x, y]: &[f64; 2]| Aabb::new(*x, *y, far, far).expect("no NaN");
            let queries: Vec<Aabb> = points.iter().map(query).collect();
            of_queries(session, context, &format!("{family}, {order}"), &boxes, &queries)?;
        }
    }
    Ok(())
}

fn of_queries(
    session: &mut Session<'_>,
    context: &Context,
    family: &str,
    boxes: &[Aabb],
    queries: &[Aabb],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let n = u32::try_from(queries.len()).expect("the sizes are u32");
    let measured = Measured { what: "reorder", n: queries.len(), family, ..Measured::default() };
    let bounds = union_of(boxes);
    let (seconds, expected) =
        time_on_cpu(session.options.n_runs(), || reorder(&query_keys(queries, true, bounds)));
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    let (box_buffer, query_buffer) = (uploaded(session.gpu, boxes), uploaded(session.gpu, queries));
    let Ok(index) = Index::new(context, Items::new(&box_buffer, n), Order::default()) else {
        return Ok(());
    };
    session.timer.time(|pass| index.record(pass))?;
    let Some(bounds) = index.bounds() else { return Ok(()) };
    let Ok(order) = Reorder::points(context, Items::new(&query_buffer, n), bounds) else { return Ok(()) };
    let seconds = session.timer.time(|pass| order.record(pass))?;
    let is_right = read_items::<u32>(device, queue, order.permutation(), expected.len())? == expected;
    session.add(Measured { variant: "gpu", seconds, is_right, ..measured })?;
    if let Ok(stage) = Packets::new(context, &order) {
        let seconds = session.timer.time(|pass| stage.record(pass))?;
        let expected = packets(&query_keys(queries, true, union_of(boxes)));
        let is_right = read_items::<[u32; 2]>(device, queue, stage.packets(), expected.len())? == expected;
        session.add(Measured { variant: "gpu, packets", seconds, is_right, ..measured })?;
    }
    let compared = &queries[..COMPARED_QUERIES.min(queries.len())];
    let top = |query: &Aabb| top_most(boxes, Query::At([query.x0, query.y0])).unwrap_or(u32::MAX);
    let specified: Vec<u32> = compared.iter().map(top).collect();
    let mut plain: Option<Vec<u32>> = None;
    for (variant, queries) in
        [("top-most, as given", &query_buffer), ("top-most, reordered", order.reordered())]
    {
        let question = Question::TopMost(Condition::At);
        let stage = Queries::new(context, Source::Index(&index), Items::new(queries, n), question);
        let Ok(stage) = stage else { return Ok(()) };
        let seconds = session.timer.time(|pass| stage.record(pass))?;
        let found: Vec<u32> = read_items(device, queue, stage.found(), expected.len())?;
        // The answers must be the same, in another order.
        let is_right = match &plain {
            None => found.starts_with(&specified),
            Some(plain) => expected.iter().zip(&found).all(|(item, answer)| plain[*item as usize] == *answer),
        };
        plain.get_or_insert(found);
        session.add(Measured { variant, seconds, is_right, ..measured })?;
    }
    Ok(())
}
