//! Reduces a scene to a small part on which two computations still differ.

use boxwood_cpu::{ElementKind, Scene};

/// The maximum number of trials. It bounds the time for large scenes.
const MAX_TRIALS: usize = 3000;

/// Returns the indices of a small subsequence of the elements on which `differs` still holds.
///
/// Drops runs of elements, long ones first, and then single nodes without their contents, until
/// nothing more can be dropped. Every subsequence of a scene is a scene, so each trial is one call
/// of `differs`. After [`MAX_TRIALS`] calls, returns the smallest subsequence so far. `differs`
/// must hold for the whole scene.
///
/// Source: Zeller and Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002.
pub(crate) fn minimise(scene: &Scene, differs: impl Fn(&Scene) -> bool) -> Vec<usize> {
    let mut search = Search { scene, differs, trials: 0, kept: (0..scene.len()).collect() };
    loop {
        let before = search.kept.len();
        search.drop_runs();
        search.drop_nodes();
        if search.kept.len() == before || !search.has_trials() {
            return search.kept;
        }
    }
}

/// The scene of the elements with these indices.
pub(crate) fn subsequence(scene: &Scene, kept: &[usize]) -> Scene {
    let (tags, boxes) = kept.iter().map(|&index| (scene.tags()[index], scene.boxes()[index])).unzip();
    Scene::from_streams(tags, boxes).expect("the boxes of a scene are valid")
}

/// Writes a scene as brackets: `(` for a begin, `)` for an end, `.` for a leaf, `_` for an element
/// without effect.
pub(crate) fn brackets(scene: &Scene) -> String {
    let bracket = |index| match scene.kind(index) {
        ElementKind::Nop => '_',
        ElementKind::Leaf => '.',
        ElementKind::Begin => '(',
        ElementKind::End => ')',
    };
    (0..scene.len()).map(bracket).collect()
}

struct Search<'a, F> {
    scene: &'a Scene,
    differs: F,
    trials: usize,
    kept: Vec<usize>,
}

impl<F: Fn(&Scene) -> bool> Search<'_, F> {
    /// Whether `differs` may be called again. Each candidate costs a copy of the scene as well, so
    /// the search ends when there are no more calls.
    fn has_trials(&self) -> bool {
        self.trials < MAX_TRIALS
    }

    /// Keeps only the elements of `candidate` if the difference persists. Returns whether it does.
    fn keep_if_it_differs(&mut self, candidate: Vec<usize>) -> bool {
        self.trials += 1;
        let differs = (self.differs)(&subsequence(self.scene, &candidate));
        if differs {
            self.kept = candidate;
        }
        differs
    }

    /// Drops runs of elements, each half as long as the ones before.
    fn drop_runs(&mut self) {
        let mut length = self.kept.len();
        while length > 0 {
            let mut start = 0;
            while start < self.kept.len() && self.has_trials() {
                let end = (start + length).min(self.kept.len());
                let candidate = [&self.kept[..start], &self.kept[end..]].concat();
                if !self.keep_if_it_differs(candidate) {
                    start = end;
                }
            }
            length /= 2;
        }
    }

    /// Drops nodes: begins together with their ends.
    fn drop_nodes(&mut self) {
        let mut start = 0;
        while self.has_trials()
            && let Some((begin, end)) = self.first_node(start)
        {
            let mut candidate = self.kept.clone();
            candidate.remove(end);
            candidate.remove(begin);
            start = if self.keep_if_it_differs(candidate) { begin } else { begin + 1 };
        }
    }

    /// The positions in `kept` of the begin and the end of the first node that begins at `start` or
    /// later.
    fn first_node(&self, start: usize) -> Option<(usize, usize)> {
        let mut open = Vec::new();
        let mut nodes = Vec::new();
        for position in start..self.kept.len() {
            match self.scene.kind(self.kept[position]) {
                ElementKind::Begin => open.push(position),
                ElementKind::End => nodes.extend(open.pop().map(|begin| (begin, position))),
                ElementKind::Leaf | ElementKind::Nop => {}
            }
        }
        nodes.into_iter().min()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use boxwood_cpu::{Aabb, Boxes, tag};

    use super::*;

    /// The scene with these brackets. Every box is the unit square.
    fn scene(text: &str) -> Scene {
        let tags = text.chars().map(|c| match c {
            '(' => tag::BEGIN,
            ')' => tag::END,
            '.' => tag::LEAF,
            _ => tag::NOP,
        });
        let unit = Aabb { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };
        Scene::from_streams(tags.collect(), vec![unit; text.len()]).expect("the streams are valid")
    }

    /// The specification with a fault: nodes at depth `depth` and deeper have no clip box.
    fn faulty_below(depth: usize) -> impl Fn(&Scene) -> Boxes {
        move |scene| {
            let mut boxes = boxwood_cpu::specification::boxes(scene);
            let mut open = 0_usize;
            for (index, entry) in boxes.entries.iter().enumerate() {
                if entry.is_begin() {
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

    fn smallest(text: &str, faulty: impl Fn(&Scene) -> Boxes) -> String {
        let whole = scene(text);
        let kept = minimise(&whole, |part| faulty(part) != boxwood_cpu::specification::boxes(part));
        brackets(&subsequence(&whole, &kept))
    }

    #[test]
    fn a_fault_at_a_depth_needs_the_begins_down_to_it() {
        let text = "(.(..(.)..).(.((((.).)).)).)..(.)(((.)))";
        assert_eq!(smallest(text, faulty_below(3)), "(((");
        assert_eq!(smallest(text, faulty_below(1)), "(");
    }

    #[test]
    fn a_fault_in_one_leaf_needs_only_that_leaf() {
        let last_leaf = |scene: &Scene| {
            let mut boxes = boxwood_cpu::specification::boxes(scene);
            if let Some(index) = scene.tags().iter().rposition(|&t| t == tag::LEAF) {
                boxes.clipped_boxes[index] = Aabb::EMPTY;
            }
            boxes
        };
        assert_eq!(smallest("(.(.).)(..(.))", last_leaf), ".");
    }

    #[test]
    fn a_fault_in_partners_needs_one_balanced_node() {
        let without_partners = |scene: &Scene| {
            let mut boxes = boxwood_cpu::specification::boxes(scene);
            for (link, entry) in boxes.links.iter_mut().zip(&boxes.entries) {
                if !entry.is_begin() {
                    link.partner = -1;
                }
            }
            boxes
        };
        assert_eq!(smallest("((.)(((..)).).)", without_partners), "()");
    }

    #[test]
    fn a_begin_and_its_end_are_dropped_together() {
        let balanced_with_a_leaf = |part: &Scene| {
            let text = brackets(part);
            text.contains('.') && text.matches('(').count() == text.matches(')').count()
        };
        let whole = scene("((.(.)))");
        let kept = minimise(&whole, balanced_with_a_leaf);
        assert_eq!(brackets(&subsequence(&whole, &kept)), ".");
    }

    #[test]
    fn the_search_stops_after_the_maximum_number_of_trials() {
        let trials = Cell::new(0);
        let whole = scene(&"(.)".repeat(700));
        let kept = minimise(&whole, |part| {
            trials.set(trials.get() + 1);
            part.len() == whole.len()
        });
        assert_eq!(kept.len(), whole.len());
        assert!(trials.get() <= MAX_TRIALS);
    }
}
