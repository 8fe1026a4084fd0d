//! Stage *query*.

use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{
    Condition, Count, Index, IndexDescriptor, Order, Queries, QueriesDescriptor, Question, Source,
    SpatialPipelines,
};
use boxwood_cpu::Aabb;
use boxwood_cpu::spatial::{Query, top_most};

use crate::error::BenchError;
use crate::inputs::{Random, box_family};
use crate::measure::{time_on_cpu, uploaded};
use crate::sweep::session::{Measured, Session};

/// The maximum number of queries.
const MAX_QUERIES: u32 = 1 << 20;

/// The number of queries that are compared with the specification, which visits all boxes for each.
const COMPARED_QUERIES: usize = 16;

/// Asks for the top-most box at random points, and for the nearest box: as many points as boxes.
pub(super) fn measure(
    session: &mut Session<'_>,
    pipelines: &SpatialPipelines,
    n: u32,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let n_queries = n.min(MAX_QUERIES);
    let mut random = Random::new(9);
    let points: Vec<[f64; 2]> = (0..n_queries).map(|_| [(); 2].map(|()| 1e4 * random.unit())).collect();
    // A point is the lower corner of a box, whose other corner is the maximum distance.
    let far = f64::from(f32::MAX);
    let queries: Vec<Aabb> =
        points.iter().map(|[x, y]| Aabb::new(*x, *y, far, far).expect("no NaN")).collect();
    let query_buffer = uploaded(session.gpu, &queries);
    for family in ["small boxes", "nested panels", "windows", "drawing"] {
        let boxes = box_family(family)?.generate(n as usize, 1);
        let input = uploaded(session.gpu, &boxes);
        let measured = Measured { what: "query", n: n_queries as usize, family, ..Measured::default() };
        let compared = &queries[..COMPARED_QUERIES.min(queries.len())];
        let (seconds, expected) = time_on_cpu(session.options.n_runs(), || {
            let top = |query: &Aabb| top_most(&boxes, Query::At([query.x0, query.y0]));
            compared.iter().map(|query| top(query).unwrap_or(u32::MAX)).collect::<Vec<_>>()
        });
        let compared_only = Measured { n: compared.len(), ..measured };
        session.add(Measured { variant: "cpu, all boxes", seconds, is_right: true, ..compared_only })?;
        let boxes_alone = Source::Boxes { boxes: &input, count: Count::Host(n), capacity: n };
        let question = Question::TopMost(Condition::At);
        for n_compared in [1, 16_u32.min(n)] {
            let descriptor = QueriesDescriptor::new(boxes_alone, &query_buffer, n_compared, question);
            let Ok(stage) = Queries::new(device, pipelines, &descriptor) else { continue };
            let seconds = session.timer.time(|pass| stage.record(pass))?;
            let found: Vec<u32> = read_items(device, queue, stage.found(), n_compared as usize)?;
            let is_right = found == expected[..found.len()];
            let variant = format!("top-most of {n} without a tree");
            let measured = Measured { n: found.len(), ..measured };
            session.add(Measured { variant: &variant, seconds, is_right, ..measured })?;
        }
        for (order, name) in [(Order::Paint, "paint"), (Order::Hilbert, "hilbert")] {
            // Neighbors in the paint order of these boxes are far from each other.
            if order == Order::Paint && ["small boxes", "drawing"].contains(&family) {
                continue;
            }
            let descriptor = IndexDescriptor { order, ..IndexDescriptor::new(&input, n) };
            let Ok(index) = Index::new(device, pipelines, &descriptor) else { continue };
            session.timer.time(|pass| index.record(pass))?;
            let questions = [
                ("top-most", Question::TopMost(Condition::At)),
                ("any", Question::Any(Condition::At)),
                ("nearest", Question::Nearest),
            ];
            for (question_name, question) in questions {
                let descriptor =
                    QueriesDescriptor::new(Source::Index(&index), &query_buffer, n_queries, question);
                let Ok(stage) = Queries::new(device, pipelines, &descriptor) else { continue };
                let seconds = session.timer.time(|pass| stage.record(pass))?;
                let is_right = !matches!(question, Question::TopMost(_))
                    || read_items::<u32>(device, queue, stage.found(), compared.len())? == expected;
                let variant = format!("{question_name}, {name}");
                session.add(Measured { variant: &variant, seconds, is_right, ..measured })?;
            }
        }
    }
    Ok(())
}
