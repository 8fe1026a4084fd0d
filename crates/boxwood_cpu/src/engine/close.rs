//! The nodes that are open at the end of a pass: those without an end, and those that end in a
//! later chunk.

use alloc::vec::Vec;

use super::lanes;
use super::pass::Stack;
use crate::boxes::Boxes;
use crate::core::Aabb;

/// A node that is open at the border of two ranges, or at the end of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The rank of its begin, −1 for the root.
    begin: i32,
    /// The union of its clipped boxes so far.
    group_box: Aabb,
}

/// Completes the group boxes and the links of the nodes that are open at the end of a range, given
/// the stacks at the ends of all ranges in order.
#[expect(clippy::cast_possible_wrap, reason = "the engine checks that an i32 can index all elements")]
pub(super) fn close<'a>(
    stacks: impl Iterator<Item = &'a Stack>,
    crossing: &mut Vec<Crossing>,
    boxes: &mut Boxes,
) {
    crossing.clear();
    crossing.push(Crossing { begin: -1, group_box: Aabb::EMPTY });
    for Stack { open, ends_of_earlier } in stacks {
        for &end in ends_of_earlier {
            // The pass wrote the union within its range alone.
            let inner = boxes.group_boxes[end as usize];
            if let Some((begin, group_box)) = close_innermost(crossing, inner) {
                boxes.links[begin].partner = end as i32;
                boxes.group_boxes[begin] = group_box;
                boxes.group_boxes[end as usize] = group_box;
            }
        }
        // The lowest node of the stack was open before the range, and still is.
        let mut open = open.iter().map(|node| (node.begin, lanes::aabb(node.group)));
        if let (Some(lowest), Some((_, inner))) = (crossing.last_mut(), open.next()) {
            lowest.group_box = lowest.group_box.union(inner);
        }
        crossing.extend(open.map(|(begin, group_box)| Crossing { begin, group_box }));
    }
    while let Some((begin, group_box)) = close_innermost(crossing, Aabb::EMPTY) {
        boxes.group_boxes[begin] = group_box;
    }
}

/// Removes the innermost node, whose group also contains `inner`. Returns the rank of its begin and
/// its group box. None if only the root is left.
fn close_innermost(crossing: &mut Vec<Crossing>, inner: Aabb) -> Option<(usize, Aabb)> {
    let begin = usize::try_from(crossing.last()?.begin).ok()?;
    let group_box = crossing.pop()?.group_box.union(inner);
    let outer = crossing.last_mut()?;
    outer.group_box = outer.group_box.union(group_box);
    Some((begin, group_box))
}
