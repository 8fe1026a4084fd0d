//! Stage *query*.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Condition, Index, Items, Order, Queries, Question, Source};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{Query, find_all, nearest, top_most};

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::{Random, box_family};

/// The maximum number of boxes, and of points. There are as many points as boxes.
pub(super) const MAX_BOXES: u32 = 1 << 20;

/// The maximum number of windows.
const MAX_WINDOWS: u32 = 1 << 14;

/// The families whose boxes are listed by window. Windows of other families find so many boxes that
/// the lists need more room than a binding has.
pub(super) const WINDOW_FAMILIES: [&str; 2] = ["small boxes", "nested panels"];

/// The side of a window, in boxes of 10,000 by 10,000.
const WINDOW_SIDE: f64 = 40.0;

/// The maximum number of boxes that all windows find together.
const MAX_FOUND: u32 = 1 << 24;

/// The number of queries that are compared with the specification, which visits all boxes for each.
pub(super) const COMPARED_QUERIES: usize = 16;

/// Asks for the top-most box at random points, for any box there, and for the nearest box: as many
/// points as boxes. Asks for all boxes in random windows.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    if n > MAX_BOXES {
        return Ok(());
    }
    let points = points(n);
    let point_buffer = uploaded(session.gpu, &points);
    for family in ["small boxes", "nested panels", "windows", "drawing"] {
        let boxes = box_family(family)?.generate(n as usize, 1);
        let measured = Measured { what: "query", n: points.len(), family, ..Measured::default() };
        let expected = Expected::of(session, &boxes, &points, measured)?;
        let input = uploaded(session.gpu, &boxes);
        let items = Items::new(&input, n);
        let asked = Asked { context, points: Items::new(&point_buffer, n), expected: &expected, measured };
        asked.without_tree(session, items)?;
        for (order, name) in [(Order::Paint, "paint"), (Order::Hilbert, "hilbert")] {
            // Neighbors in the paint order of these boxes are far from each other.
            if order == Order::Paint && ["small boxes", "drawing"].contains(&family) {
                continue;
            }
            let Ok(index) = Index::new(context, items, order) else { continue };
            session.timer.time(|pass| index.record(pass))?;
            asked.of_tree(session, &index, name)?;
            if WINDOW_FAMILIES.contains(&family) {
                asked.windows(session, &index, name, &boxes)?;
            }
        }
    }
    Ok(())
}

/// Random points. A point is the lower corner of a box, whose other corner is the maximum distance.
pub(super) fn points(n: u32) -> Vec<Aabb> {
    let far = f64::from(f32::MAX);
    random_places(9, n).map(|[x, y]| Aabb::new(x, y, far, far).expect("no NaN")).collect()
}

/// Random windows among `n` boxes.
pub(super) fn windows(n: u32) -> Vec<Aabb> {
    let window = |[x, y]: [f64; 2]| Aabb::new(x, y, x + WINDOW_SIDE, y + WINDOW_SIDE).expect("no NaN");
    random_places(10, n.min(MAX_WINDOWS)).map(window).collect()
}

fn random_places(seed: u64, n: u32) -> impl Iterator<Item = [f64; 2]> {
    let mut random = Random::new(seed);
    (0..n).map(move |_| [(); 2].map(|()| 1e4 * random.unit()))
}

/// The answers of the specification for the first points.
struct Expected {
    top_most: Vec<u32>,
    /// A bit per point.
    any: u32,
    /// The index of a box, and the bits of the squared distance.
    nearest: Vec<[u32; 2]>,
}

impl Expected {
    fn of(
        session: &mut Session<'_>,
        boxes: &[Aabb],
        points: &[Aabb],
        measured: Measured<'_>,
    ) -> Result<Self, BenchError> {
        let points = &points[..COMPARED_QUERIES.min(points.len())];
        let (seconds, top_most) = time_on_cpu(session.options.n_runs(), || {
            let top = |point: &Aabb| top_most(boxes, Query::At([point.x0, point.y0]));
            points.iter().map(|point| top(point).unwrap_or(u32::MAX)).collect::<Vec<_>>()
        });
        let n = points.len();
        session.add(Measured {
            n,
            variant: "specification, all boxes",
            seconds,
            is_right: true,
            ..measured
        })?;
        let any = top_most.iter().rev().fold(0, |word, item| word << 1 | u32::from(*item != u32::MAX));
        let nearest = |point: &Aabb| {
            let found = nearest(boxes, [point.x0, point.y0], point.x1);
            found.map_or([u32::MAX, 0], |found| [found.item, found.squared_distance.to_bits()])
        };
        Ok(Self { top_most, any, nearest: points.iter().map(nearest).collect() })
    }
}

/// The questions about the boxes of a family.
struct Asked<'a> {
    context: &'a Context,
    points: Items<'a>,
    expected: &'a Expected,
    measured: Measured<'a>,
}

impl Asked<'_> {
    fn without_tree(&self, session: &mut Session<'_>, boxes: Items<'_>) -> Result<(), BenchError> {
        let n = boxes.capacity;
        let variant = format!("top-most of {n} without a tree");
        for n_points in [1, 16_u32.min(n)] {
            let question = Question::TopMost(Condition::At);
            let points = Items::new(self.points.buffer, n_points);
            self.at_points(session, Source::Boxes(boxes), points, question, &variant)?;
        }
        Ok(())
    }

    fn of_tree(&self, session: &mut Session<'_>, index: &Index, order: &str) -> Result<(), BenchError> {
        for (name, question) in [
            ("top-most", Question::TopMost(Condition::At)),
            ("any", Question::Any(Condition::At)),
            ("nearest", Question::Nearest),
        ] {
            let variant = format!("{name}, {order}");
            self.at_points(session, Source::Index(index), self.points, question, &variant)?;
        }
        Ok(())
    }

    /// Asks a question at each point. A question is skipped if the device cannot hold it.
    fn at_points(
        &self,
        session: &mut Session<'_>,
        source: Source<'_>,
        points: Items<'_>,
        question: Question,
        variant: &str,
    ) -> Result<(), BenchError> {
        let Gpu { device, queue, .. } = session.gpu;
        let Ok(stage) = Queries::new(self.context, source, points, question) else { return Ok(()) };
        let seconds = session.timer.time(|pass| stage.record(pass))?;
        let n = points.capacity as usize;
        let n_words = match question {
            Question::Any(_) => n.div_ceil(32),
            Question::Nearest => 2 * n,
            _ => n,
        };
        let results = [(stage.found(), n_words)];
        let with_read_back = session.timer.time_with_read_back(|pass| stage.record(pass), &results)?;
        let n_compared = COMPARED_QUERIES.min(n);
        let is_right = match question {
            Question::Any(_) => {
                let low_bits = (1 << n_compared) - 1;
                read_items::<u32>(device, queue, stage.found(), 1)?[0] & low_bits == self.expected.any
            }
            Question::Nearest => {
                read_items::<[u32; 2]>(device, queue, stage.found(), n_compared)? == self.expected.nearest
            }
            _ => {
                let found: Vec<u32> = read_items(device, queue, stage.found(), n_compared)?;
                found == self.expected.top_most[..n_compared]
            }
        };
        session.add(Measured { n, variant, seconds, with_read_back, is_right, ..self.measured })
    }

    /// Asks for all boxes in each window.
    fn windows(
        &self,
        session: &mut Session<'_>,
        index: &Index,
        order: &str,
        boxes: &[Aabb],
    ) -> Result<(), BenchError> {
        let Gpu { device, queue, .. } = session.gpu;
        let windows = windows(self.points.capacity);
        let n = u32::try_from(windows.len()).expect("there are few windows");
        let question = Question::All { condition: Condition::Overlapping, output_capacity: MAX_FOUND };
        let buffer = uploaded(session.gpu, &windows);
        let stage = Queries::new(self.context, Source::Index(index), Items::new(&buffer, n), question);
        let Ok(stage) = stage else { return Ok(()) };
        let Some(starts) = stage.starts() else { return Ok(()) };
        let seconds = session.timer.time(|pass| stage.record(pass))?;
        let n = windows.len();
        let starts_read: Vec<u32> = read_items(device, queue, starts, n + 1)?;
        let n_found = starts_read[n].min(MAX_FOUND) as usize;
        let results = [(starts, n + 1), (stage.found(), n_found)];
        let with_read_back = session.timer.time_with_read_back(|pass| stage.record(pass), &results)?;
        let compared = &windows[..COMPARED_QUERIES.min(n)];
        let n_compared = starts_read[compared.len()].min(MAX_FOUND) as usize;
        let found: Vec<u32> = read_items(device, queue, stage.found(), n_compared)?;
        let is_equal = |(window, range): (&Aabb, &[u32])| {
            let own = found.get(range[0] as usize..range[1] as usize);
            let mut own = own.unwrap_or_default().to_vec();
            own.sort_unstable();
            own == find_all(boxes, Query::Overlapping(*window))
        };
        let is_right =
            starts_read[n] <= MAX_FOUND && compared.iter().zip(starts_read.windows(2)).all(is_equal);
        let variant = format!("all in windows, {order}");
        let measured = Measured { n, seconds, with_read_back, is_right, ..self.measured };
        session.add(Measured { variant: &variant, ..measured })
    }
}
