//! The smallest part of a scene on which two computations differ.

use boxwood_cpu::{ElementKind, Scene};

/// How often the computations are run to make a scene smaller, at the most.
const MAX_RUNS: usize = 3000;

/// The indices of a subsequence of the elements on which `differs` still holds, as small as dropping finds it.
///
/// Runs of elements are dropped, long ones first, then single nodes with what they hold left in place, until nothing
/// more can go. Any subsequence of a scene is a scene, so each step is one run of `differs`; after [`MAX_RUNS`] of them
/// the best so far is good enough. The whole scene is taken to differ.
///
/// Source: Zeller and Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002.
pub(crate) fn minimise(elements: &Scene, differs: impl Fn(&Scene) -> bool) -> Vec<usize> {
    let mut search = Search { elements, differs, runs: 0, kept: (0..elements.len()).collect() };
    loop {
        let before = search.kept.len();
        search.drop_runs();
        search.drop_nodes();
        if search.kept.len() == before || search.runs >= MAX_RUNS {
            return search.kept;
        }
    }
}

/// The scene made of the elements at these indices.
pub(crate) fn subsequence(elements: &Scene, kept: &[usize]) -> Scene {
    let tags = kept.iter().map(|&index| elements.tags()[index]).collect();
    let boxes = kept.iter().map(|&index| elements.boxes()[index]).collect();
    Scene::new(tags, boxes).expect("boxes of a good scene are good")
}

/// A scene as brackets: `(` a begin, `)` an end, `.` a leaf, `_` an element that draws nothing.
pub(crate) fn brackets(elements: &Scene) -> String {
    (0..elements.len())
        .map(|index| match elements.kind(index) {
            ElementKind::Nop => '_',
            ElementKind::Leaf => '.',
            ElementKind::Begin => '(',
            ElementKind::End => ')',
        })
        .collect()
}

struct Search<'a, F> {
    elements: &'a Scene,
    differs: F,
    runs: usize,
    kept: Vec<usize>,
}

impl<F: Fn(&Scene) -> bool> Search<'_, F> {
    /// Keeps only these elements if the difference persists on them.
    fn keep_if_it_differs(&mut self, candidate: Vec<usize>) -> bool {
        if self.runs >= MAX_RUNS {
            return false;
        }
        self.runs += 1;
        let differs = (self.differs)(&subsequence(self.elements, &candidate));
        if differs {
            self.kept = candidate;
        }
        differs
    }

    fn drop_runs(&mut self) {
        let mut length = self.kept.len();
        while length > 0 {
            let mut start = 0;
            while start < self.kept.len() {
                let end = (start + length).min(self.kept.len());
                let candidate = [&self.kept[..start], &self.kept[end..]].concat();
                if !self.keep_if_it_differs(candidate) {
                    start = end;
                }
            }
            length /= 2;
        }
    }

    /// Drops begins together with their ends.
    fn drop_nodes(&mut self) {
        let mut start = 0;
        while let Some((begin, end)) = self.node_from(start) {
            let mut candidate = self.kept.clone();
            candidate.remove(end);
            candidate.remove(begin);
            start = if self.keep_if_it_differs(candidate) { begin } else { begin + 1 };
        }
    }

    /// The first node with both a begin and an end that begins at `start` or later, as positions in what is kept.
    fn node_from(&self, start: usize) -> Option<(usize, usize)> {
        let mut open = Vec::new();
        let mut first: Option<(usize, usize)> = None;
        for position in start..self.kept.len() {
            match self.elements.kind(self.kept[position]) {
                ElementKind::Begin => open.push(position),
                ElementKind::End => {
                    if let Some(begin) = open.pop()
                        && first.is_none_or(|node| begin < node.0)
                    {
                        first = Some((begin, position));
                    }
                }
                ElementKind::Leaf | ElementKind::Nop => {}
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use boxwood_cpu::{Aabb, Boxes, tag};

    use super::*;

    const LEAF: u32 = 0x44;

    /// A scene written as brackets, every box the unit square.
    fn scene(text: &str) -> Scene {
        let tags = text.chars().map(|c| match c {
            '(' => tag::BEGIN,
            ')' => tag::END,
            '.' => LEAF,
            _ => tag::NOP,
        });
        let unit = Aabb { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };
        Scene::new(tags.collect(), vec![unit; text.len()]).expect("the streams are good")
    }

    /// The oracle with a fault: nodes at depth `depth` and deeper are not clipped to their ancestors.
    fn blind_below(depth: usize) -> impl Fn(&Scene) -> Boxes {
        move |elements| {
            let mut boxes = boxwood_cpu::boxes(elements);
            let mut open = 0_usize;
            for (index, node) in boxes.nodes.iter().enumerate() {
                if node.is_begin() {
                    open += 1;
                    if open >= depth {
                        boxes.clip_boxes[index] = Aabb::PLANE;
                    }
                } else {
                    open = open.saturating_sub(1);
                }
            }
            boxes
        }
    }

    fn smallest(text: &str, broken: impl Fn(&Scene) -> Boxes) -> String {
        let whole = scene(text);
        let kept = minimise(&whole, |part| broken(part) != boxwood_cpu::boxes(part));
        brackets(&subsequence(&whole, &kept))
    }

    #[test]
    fn a_fault_at_a_depth_leaves_the_begins_that_reach_it() {
        let text = "(.(..(.)..).(.((((.).)).)).)..(.)(((.)))";
        assert_eq!(smallest(text, blind_below(3)), "(((");
        assert_eq!(smallest(text, blind_below(1)), "(");
    }

    #[test]
    fn a_fault_in_one_leaf_leaves_that_leaf() {
        let last_leaf = |elements: &Scene| {
            let mut boxes = boxwood_cpu::boxes(elements);
            if let Some(index) = elements.tags().iter().rposition(|&t| t == LEAF) {
                boxes.clipped_boxes[index] = Aabb::EMPTY;
            }
            boxes
        };
        assert_eq!(smallest("(.(.).)(..(.))", last_leaf), ".");
    }

    #[test]
    fn a_fault_that_needs_a_balanced_node_keeps_it_and_drops_the_nodes_around_it() {
        let ends_lose_their_begin = |elements: &Scene| {
            let mut boxes = boxwood_cpu::boxes(elements);
            for (link, node) in boxes.links.iter_mut().zip(&boxes.nodes) {
                if !node.is_begin() {
                    link.partner = -1;
                }
            }
            boxes
        };
        assert_eq!(smallest("((.)(((..)).).)", ends_lose_their_begin), "()");
    }

    #[test]
    fn nodes_go_as_pairs_where_neither_half_can() {
        let balanced_with_a_leaf = |part: &Scene| {
            let text = brackets(part);
            text.contains('.') && text.matches('(').count() == text.matches(')').count()
        };
        let whole = scene("((.(.)))");
        let kept = minimise(&whole, balanced_with_a_leaf);
        assert_eq!(brackets(&subsequence(&whole, &kept)), ".");
    }

    #[test]
    fn the_search_gives_up_in_time_and_still_gives_a_scene_that_differs() {
        let runs = Cell::new(0);
        let whole = scene(&"(.)".repeat(700));
        let kept = minimise(&whole, |part| {
            runs.set(runs.get() + 1);
            part.len() == whole.len()
        });
        assert_eq!(kept.len(), whole.len());
        assert!(runs.get() <= MAX_RUNS);
    }
}
