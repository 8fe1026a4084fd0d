//! Are two results the same, bit for bit?

use boxwood::Boxes;
use bytemuck::Pod;

/// Whether two streams have the same bits.
pub(crate) fn same<T: Pod>(a: &[T], b: &[T]) -> bool {
    bytemuck::cast_slice::<T, u8>(a) == bytemuck::cast_slice::<T, u8>(b)
}

/// Whether two results of every stage have the same bits.
pub(crate) fn same_boxes(a: &Boxes, b: &Boxes) -> bool {
    same(&a.nodes, &b.nodes)
        && same(&a.places, &b.places)
        && same(&a.links, &b.links)
        && same(&a.clip_boxes, &b.clip_boxes)
        && same(&a.clipped_boxes, &b.clipped_boxes)
        && same(&a.group_boxes, &b.group_boxes)
}
