//! The first difference between two results for the same scene.

use boxwood_cpu::{Aabb, Boxes, Entry, EntryLink};
use bytemuck::Pod;

/// The first value in which the GPU differs from the specification.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// The value, with its name in [`Boxes`].
    pub(crate) text: String,
    /// The element of the scene that the value belongs to. `None` for a value that the
    /// specification does not have.
    pub(crate) element: Option<usize>,
}

/// Compares the results of the GPU with those of the specification, bit for bit. Fields that other
/// fields depend on come first.
pub(crate) fn first_difference(gpu: &Boxes, expected: &Boxes) -> Option<Difference> {
    let entry = |entry: &Entry| {
        format!("{} at element {}", if entry.is_begin() { "begin" } else { "end" }, entry.element())
    };
    let link = |link: &EntryLink| format!("parent {}, partner {}", link.parent, link.partner);
    let elements: Vec<_> = (0..expected.ranks.len()).collect();
    let entries: Vec<_> = expected.entries.iter().map(|entry| entry.element()).collect();
    None.or_else(|| compare("entries", &gpu.entries, &expected.entries, &entries, entry))
        .or_else(|| compare("ranks", &gpu.ranks, &expected.ranks, &elements, u32::to_string))
        .or_else(|| compare("links", &gpu.links, &expected.links, &entries, link))
        .or_else(|| compare("clip_boxes", &gpu.clip_boxes, &expected.clip_boxes, &entries, Aabb::to_string))
        .or_else(|| {
            compare("clipped_boxes", &gpu.clipped_boxes, &expected.clipped_boxes, &elements, Aabb::to_string)
        })
        .or_else(|| {
            compare("group_boxes", &gpu.group_boxes, &expected.group_boxes, &entries, Aabb::to_string)
        })
}

fn compare<T: Pod>(
    field: &str,
    gpu: &[T],
    expected: &[T],
    elements: &[usize],
    text: impl Fn(&T) -> String,
) -> Option<Difference> {
    let bytes = bytemuck::bytes_of::<T>;
    let mut indices = 0..gpu.len().max(expected.len());
    let index = indices.find(|&i| gpu.get(i).map(bytes) != expected.get(i).map(bytes))?;
    let [gpu, expected] =
        [gpu, expected].map(|values| values.get(index).map_or_else(|| "missing".to_owned(), &text));
    let text = format!("{field}[{index}] is {gpu} on the GPU, {expected} by the specification");
    Some(Difference { text, element: elements.get(index).copied() })
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::{Scene, tag};

    use super::*;

    fn results() -> Boxes {
        let shape = Aabb { x0: 0.0, y0: 0.0, x1: 4.0, y1: 2.5 };
        let scene = Scene::from_streams(vec![tag::BEGIN, tag::LEAF, tag::END], vec![shape; 3]);
        boxwood_cpu::specification::boxes(&scene.expect("the streams are valid"))
    }

    #[test]
    fn equal_results_have_no_difference() {
        assert_eq!(first_difference(&results(), &results()), None);
    }

    #[test]
    fn a_fault_in_any_field_is_found() {
        type Fault = fn(&mut Boxes);
        let faults: [(Fault, &str); 6] = [
            (
                |b| b.entries[1] = Entry::begin(2),
                "entries[1] is begin at element 2 on the GPU, end at element 2 by the specification",
            ),
            (|b| b.ranks[2] = 7, "ranks[2] is 7 on the GPU, 1 by the specification"),
            (
                |b| b.links[1].partner = -1,
                "links[1] is parent -1, partner -1 on the GPU, parent -1, partner 0 by the specification",
            ),
            (
                |b| b.clip_boxes[0] = Aabb::PLANE,
                "clip_boxes[0] is the plane on the GPU, (0, 0, 4, 2.5) by the specification",
            ),
            (
                |b| b.clipped_boxes[1].x0 = -0.0,
                "clipped_boxes[1] is (-0, 0, 4, 2.5) on the GPU, (0, 0, 4, 2.5) by the specification",
            ),
            (
                |b| b.group_boxes.truncate(1),
                "group_boxes[1] is missing on the GPU, (0, 0, 4, 2.5) by the specification",
            ),
        ];
        for (fault, expected) in faults {
            let mut gpu = results();
            fault(&mut gpu);
            let difference = first_difference(&gpu, &results()).expect("a fault was made");
            assert_eq!(difference.text, expected);
        }
    }

    #[test]
    fn a_difference_has_the_element_of_its_entry_and_an_earlier_field_comes_first() {
        let mut gpu = results();
        gpu.group_boxes[1] = Aabb::EMPTY;
        assert_eq!(first_difference(&gpu, &results()).and_then(|d| d.element), Some(2));
        gpu.ranks[0] = 1;
        let earlier = first_difference(&gpu, &results()).expect("a fault was made");
        assert!(earlier.text.starts_with("ranks[0]"), "{earlier:?}");
    }
}
