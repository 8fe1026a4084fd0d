//! Where two computations of the same boxes first differ.

use std::fmt::{self, Display};

use boxwood_cpu::{Aabb, Boxes, Node, NodeLink};

/// The first value in which the results of two back ends differ, in the order of the stages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// The stage that wrote the value.
    pub(crate) stage: &'static str,
    /// The field of [`Boxes`] that it is in.
    pub(crate) field: &'static str,
    /// Its index there.
    pub(crate) index: usize,
    /// The element of the scene that it belongs to, where there is one.
    pub(crate) element: Option<usize>,
    /// What the GPU says.
    pub(crate) gpu: String,
    /// What the oracle says.
    pub(crate) oracle: String,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, field, index, gpu, oracle, .. } = self;
        write!(f, "stage {stage}, {field}[{index}]: GPU {gpu}, oracle {oracle}")
    }
}

/// A value of a result: whether it has the same bits as another, and how it reads.
trait Value: Copy {
    fn same_bits(self, other: Self) -> bool;
    fn text(self) -> String;
}

impl Value for Aabb {
    fn same_bits(self, other: Self) -> bool {
        [self.x0, self.y0, self.x1, self.y1].map(f32::to_bits)
            == [other.x0, other.y0, other.x1, other.y1].map(f32::to_bits)
    }

    fn text(self) -> String {
        box_text(self)
    }
}

/// The edges of a box, or the word for it.
pub(crate) fn box_text(bounds: Aabb) -> String {
    match bounds {
        Aabb::EMPTY => "empty".into(),
        Aabb::PLANE => "plane".into(),
        Aabb { x0, y0, x1, y1 } => format!("[{x0}, {y0}, {x1}, {y1}]"),
    }
}

impl Value for Node {
    fn same_bits(self, other: Self) -> bool {
        self == other
    }

    fn text(self) -> String {
        let half = if self.is_begin() { "begin" } else { "end" };
        format!("{half} at element {}", self.element())
    }
}

impl Value for NodeLink {
    fn same_bits(self, other: Self) -> bool {
        self == other
    }

    fn text(self) -> String {
        format!("parent {}, partner {}", self.parent, self.partner)
    }
}

impl Value for u32 {
    fn same_bits(self, other: Self) -> bool {
        self == other
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// The first value in which the GPU's results are not those of the oracle, bit for bit.
pub(crate) fn first_difference(gpu: &Boxes, oracle: &Boxes) -> Option<Difference> {
    let of_node = |index: usize| oracle.nodes.get(index).map(|node| node.element());
    let of_element = |index| Some(index);
    None.or_else(|| compare("compact", "nodes", &gpu.nodes, &oracle.nodes, of_node))
        .or_else(|| compare("compact", "node_ranks", &gpu.node_ranks, &oracle.node_ranks, of_element))
        .or_else(|| compare("match", "links", &gpu.links, &oracle.links, of_node))
        .or_else(|| compare("clip", "clip_boxes", &gpu.clip_boxes, &oracle.clip_boxes, of_node))
        .or_else(|| compare("clip", "clipped_boxes", &gpu.clipped_boxes, &oracle.clipped_boxes, of_element))
        .or_else(|| compare("union", "group_boxes", &gpu.group_boxes, &oracle.group_boxes, of_node))
}

fn compare<T: Value>(
    stage: &'static str,
    field: &'static str,
    gpu: &[T],
    oracle: &[T],
    element_of: impl Fn(usize) -> Option<usize>,
) -> Option<Difference> {
    let text = |value: Option<&T>| value.map_or_else(|| "nothing".into(), |v| v.text());
    (0..gpu.len().max(oracle.len()))
        .map(|index| (index, gpu.get(index), oracle.get(index)))
        .find(|(_, gpu, oracle)| !gpu.zip(*oracle).is_some_and(|(gpu, oracle)| gpu.same_bits(*oracle)))
        .map(|(index, gpu, oracle)| Difference {
            stage,
            field,
            index,
            element: element_of(index),
            gpu: text(gpu),
            oracle: text(oracle),
        })
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::{Scene, tag};

    use super::*;

    fn results() -> Boxes {
        let shape = Aabb { x0: 0.0, y0: 0.0, x1: 4.0, y1: 2.5 };
        let elements = Scene::new(vec![tag::BEGIN, 0x44, tag::END], vec![shape; 3]);
        boxwood_cpu::boxes(&elements.expect("the streams are good"))
    }

    #[test]
    fn equal_results_do_not_differ() {
        assert_eq!(first_difference(&results(), &results()), None);
    }

    #[test]
    fn a_fault_in_each_field_is_found_at_its_place() {
        type Fault = fn(&mut Boxes);
        let faults: [(Fault, &str); 6] = [
            (
                |b| b.nodes[1] = Node::begin(2),
                "stage compact, nodes[1]: GPU begin at element 2, oracle end at element 2",
            ),
            (|b| b.node_ranks[2] = 7, "stage compact, node_ranks[2]: GPU 7, oracle 1"),
            (
                |b| b.links[1].partner = -1,
                "stage match, links[1]: GPU parent -1, partner -1, oracle parent -1, partner 0",
            ),
            (
                |b| b.clip_boxes[0] = Aabb::PLANE,
                "stage clip, clip_boxes[0]: GPU plane, oracle [0, 0, 4, 2.5]",
            ),
            (
                |b| b.clipped_boxes[1].x0 = -0.0,
                "stage clip, clipped_boxes[1]: GPU [-0, 0, 4, 2.5], oracle [0, 0, 4, 2.5]",
            ),
            (
                |b| b.group_boxes.truncate(1),
                "stage union, group_boxes[1]: GPU nothing, oracle [0, 0, 4, 2.5]",
            ),
        ];
        for (fault, expected) in faults {
            let mut gpu = results();
            fault(&mut gpu);
            let difference = first_difference(&gpu, &results()).expect("a fault was made");
            assert_eq!(difference.to_string(), expected);
        }
    }

    #[test]
    fn a_node_names_its_element_and_an_earlier_stage_comes_first() {
        let mut gpu = results();
        gpu.group_boxes[1] = Aabb::EMPTY;
        assert_eq!(first_difference(&gpu, &results()).and_then(|d| d.element), Some(2));
        gpu.node_ranks[0] = 1;
        assert_eq!(first_difference(&gpu, &results()).map(|d| d.stage), Some("compact"));
    }
}
