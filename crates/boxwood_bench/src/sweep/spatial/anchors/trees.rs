//! Trees over boxes on one CPU core.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{Query, find_all, top_most};
use packed_spatial_index::{Box2D, Index2DBuilder, SimdIndex2D};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use static_aabb2d_index::{StaticAABB2DIndex, StaticAABB2DIndexBuilder};

use super::super::query::{COMPARED_QUERIES, WINDOW_FAMILIES, points, windows};
use crate::error::BenchError;
use crate::measure::time_on_cpu;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::box_family;

/// A tree of another project. Its boxes and queries are closed and have coordinates of 64 bits.
trait Tree {
    /// The name of the crate.
    const NAME: &str;

    fn new(boxes: &[[f64; 4]]) -> Self;

    /// Adds the indices of the boxes that overlap a rectangle. `stack` is memory to reuse.
    fn find(&self, rectangle: [f64; 4], stack: &mut Vec<usize>, found: &mut Vec<usize>);
}

impl Tree for SimdIndex2D {
    const NAME: &str = "packed_spatial_index";

    fn new(boxes: &[[f64; 4]]) -> Self {
        let mut builder = Index2DBuilder::new(boxes.len());
        boxes.iter().for_each(|[x0, y0, x1, y1]| builder.add(Box2D::new(*x0, *y0, *x1, *y1)));
        builder.finish_simd().expect("all boxes were added")
    }

    fn find(&self, [x0, y0, x1, y1]: [f64; 4], _: &mut Vec<usize>, found: &mut Vec<usize>) {
        self.search_into(Box2D::new(x0, y0, x1, y1), found);
    }
}

impl Tree for StaticAABB2DIndex<f64> {
    const NAME: &str = "static_aabb2d_index";

    fn new(boxes: &[[f64; 4]]) -> Self {
        let mut builder = StaticAABB2DIndexBuilder::new(boxes.len());
        boxes.iter().for_each(|[x0, y0, x1, y1]| _ = builder.add(*x0, *y0, *x1, *y1));
        builder.build().expect("all boxes were added")
    }

    fn find(&self, [x0, y0, x1, y1]: [f64; 4], stack: &mut Vec<usize>, found: &mut Vec<usize>) {
        self.visit_query_with_stack(x0, y0, x1, y1, &mut |item: usize| found.push(item), stack);
    }
}

impl Tree for RTree<GeomWithData<Rectangle<[f64; 2]>, usize>> {
    const NAME: &str = "rstar";

    fn new(boxes: &[[f64; 4]]) -> Self {
        let item = |(item, [x0, y0, x1, y1]): (usize, &[f64; 4])| {
            GeomWithData::new(Rectangle::from_corners([*x0, *y0], [*x1, *y1]), item)
        };
        Self::bulk_load(boxes.iter().enumerate().map(item).collect())
    }

    fn find(&self, [x0, y0, x1, y1]: [f64; 4], _: &mut Vec<usize>, found: &mut Vec<usize>) {
        let rectangle = AABB::from_corners([x0, y0], [x1, y1]);
        found.extend(self.locate_in_envelope_intersecting(rectangle).map(|item| item.data));
    }
}

/// Builds each tree over the boxes of stages *index* and *query*, and asks the same questions.
pub(super) fn measure(session: &mut Session<'_>, n: u32) -> Result<(), BenchError> {
    let (points, windows) = (points(n), windows(n));
    for family in WINDOW_FAMILIES {
        let boxes = box_family(family)?.generate(n as usize, 1);
        let input = Input::new(family, &boxes, &points, &windows);
        let answers = input.of_tree::<SimdIndex2D>(session, None)?;
        input.of_tree::<StaticAABB2DIndex<f64>>(session, Some(&answers))?;
        input.of_tree::<RTree<GeomWithData<Rectangle<[f64; 2]>, usize>>>(session, Some(&answers))?;
    }
    Ok(())
}

/// The boxes and the queries of a family, and the answers of the specification to the first
/// queries.
struct Input {
    family: &'static str,
    boxes: Vec<[f64; 4]>,
    points: Vec<[f64; 4]>,
    windows: Vec<[f64; 4]>,
    top_most: Vec<Option<usize>>,
    in_windows: Vec<Vec<usize>>,
}

/// The answers of a tree: the top-most box at each point, and the number of boxes in each window.
#[derive(PartialEq)]
struct Answers {
    top_most: Vec<Option<usize>>,
    in_windows: Vec<usize>,
}

impl Input {
    fn new(family: &'static str, boxes: &[Aabb], points: &[Aabb], windows: &[Aabb]) -> Self {
        let item = |item: u32| item as usize;
        let top = |point: &Aabb| top_most(boxes, Query::At([point.x0, point.y0])).map(item);
        let all = |window: &Aabb| -> Vec<usize> {
            find_all(boxes, Query::Overlapping(*window)).into_iter().map(item).collect()
        };
        Self {
            family,
            boxes: boxes.iter().map(|own| [own.x0, own.y0, own.x1, own.y1].map(f64::from)).collect(),
            points: points.iter().map(|Aabb { x0, y0, .. }| [*x0, *y0, *x0, *y0].map(above)).collect(),
            windows: windows.iter().map(|own| open(*own)).collect(),
            top_most: points.iter().take(COMPARED_QUERIES).map(top).collect(),
            in_windows: windows.iter().take(COMPARED_QUERIES).map(all).collect(),
        }
    }

    /// Measures a tree. Its answers must be those of the specification and of an earlier tree.
    fn of_tree<T: Tree>(
        &self,
        session: &mut Session<'_>,
        earlier: Option<&Answers>,
    ) -> Result<Answers, BenchError> {
        let n_runs = session.options.n_runs();
        let (build_seconds, tree) = time_on_cpu(n_runs, || T::new(&self.boxes));
        let (mut stack, mut found) = (Vec::new(), Vec::new());
        let windows = self.windows.iter().zip(&self.in_windows);
        let are_found = windows.map(|(window, expected)| {
            found.clear();
            tree.find(*window, &mut stack, &mut found);
            found.sort_unstable();
            found == *expected
        });
        let are_found = are_found.fold(true, |all, is_found| all & is_found);
        let (top_seconds, top_most) =
            time_on_cpu(n_runs, || of_each(&tree, &self.points, |found| found.iter().max().copied()));
        let (window_seconds, in_windows) = time_on_cpu(n_runs, || of_each(&tree, &self.windows, <[_]>::len));
        let is_right = are_found && top_most.starts_with(&self.top_most);
        let answers = Answers { top_most, in_windows };
        let is_right = is_right && earlier.is_none_or(|earlier| *earlier == answers);
        for (what, question, n, seconds) in [
            ("index", "", self.boxes.len(), build_seconds),
            ("query", "top-most, ", self.points.len(), top_seconds),
            ("query", "all in windows, ", self.windows.len(), window_seconds),
        ] {
            let variant = format!("{question}{}", T::NAME);
            let measured = Measured { what, n, family: self.family, is_right, ..Measured::default() };
            session.add(Measured { variant: &variant, seconds, ..measured })?;
        }
        Ok(answers)
    }
}

/// The answer to each query, given the boxes that it finds.
fn of_each<T: Tree, A>(tree: &T, queries: &[[f64; 4]], answer: impl Fn(&[usize]) -> A) -> Vec<A> {
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let of = |query: &[f64; 4]| {
        found.clear();
        tree.find(*query, &mut stack, &mut found);
        answer(&found)
    };
    queries.iter().map(of).collect()
}

/// The closed rectangle that overlaps the same closed boxes as this half-open one overlaps
/// half-open boxes. Its ends are between neighbours of 32 bits, so that no end of a box equals one.
fn open(Aabb { x0, y0, x1, y1 }: Aabb) -> [f64; 4] {
    [above(x0), above(y0), above(x1.next_down()), above(y1.next_down())]
}

/// The middle between a number of 32 bits and the next one.
fn above(v: f32) -> f64 {
    0.5 * (f64::from(v) + f64::from(v.next_up()))
}
