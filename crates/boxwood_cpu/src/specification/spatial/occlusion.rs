//! Stage *occlusion*: the elements that later, opaque elements hide.

use alloc::vec::Vec;

use super::tiles::TileGrid;
use crate::core::Aabb;

/// One bit per element, 1 if it may be visible: if it touches a tile that no later element covers.
/// The rest of the last word is 0. Elements are in paint order.
///
/// `boxes` contain all pixels that an element paints. An inner box is the part of the box where the
/// element surely replaces everything below it. It is the clipped rectangle of an opaque element,
/// and [`Aabb::EMPTY`] for most others. Elements of an isolated group must not cover anything
/// outside of it.
///
/// # Panics
///
/// Panics if the numbers of boxes differ, or if the number of tiles exceeds a `u32`.
pub fn visible(boxes: &[Aabb], inner_boxes: &[Aabb], grid: TileGrid) -> Vec<u32> {
    assert_eq!(boxes.len(), inner_boxes.len(), "each element has two boxes");
    let [n_columns, _] = grid.n_tiles();
    let tile = |[x, y]: [u32; 2]| (y * n_columns + x) as usize;
    let mut is_covered = vec![false; grid.count() as usize];
    let mut visible = vec![0; boxes.len().div_ceil(32)];
    for i in (0..boxes.len()).rev() {
        if grid.touched(boxes[i]).positions().any(|position| !is_covered[tile(position)]) {
            visible[i / 32] |= 1 << (i % 32);
        }
        grid.covered(inner_boxes[i]).positions().for_each(|position| is_covered[tile(position)] = true);
    }
    visible
}

/// One bit per element, 1 if it may be visible: if it has an area, and the inner box of no later
/// element in its scope contains its box. The rest of the last word is 0.
///
/// `boxes` and `inner_boxes` are as for [`visible`], but boxes are not rounded to tiles: if edges
/// are anti-aliased, round inner boxes inward to whole pixels.
///
/// An inner box covers nothing outside of the innermost isolated group of its element.
/// `scope_starts` has the index of the first element of this group for each element, or 0 if there
/// is no such group. The elements of a group must be in a row. Without `scope_starts`, there are no
/// groups. If an element stands for the group itself, such as a begin with the group box, it is
/// outside of the group, which starts after it.
///
/// # Panics
///
/// Panics if the numbers of boxes and scopes differ.
pub fn visible_by_boxes(boxes: &[Aabb], inner_boxes: &[Aabb], scope_starts: Option<&[u32]>) -> Vec<u32> {
    assert_eq!(boxes.len(), inner_boxes.len(), "each element has two boxes");
    assert!(scope_starts.is_none_or(|starts| starts.len() == boxes.len()), "each element has a scope");
    let mut visible = vec![0; boxes.len().div_ceil(32)];
    for (i, own) in boxes.iter().enumerate() {
        let is_in_scope = |j: usize| scope_starts.is_none_or(|starts| starts[j] as usize <= i);
        let mut later = i + 1..boxes.len();
        if !own.is_empty() && !later.any(|j| is_in_scope(j) && inner_boxes[j].contains(*own)) {
            visible[i / 32] |= 1 << (i % 32);
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GRID: TileGrid = TileGrid { width: 150, height: 118, lg_tile: 3 };

    fn is_visible(mask: &[u32], i: usize) -> bool {
        (mask[i / 32] >> (i % 32)) & 1 == 1
    }

    proptest! {
        /// The picture is the law: each pixel has the number of the last element that was drawn.
        #[test]
        fn an_element_with_a_visible_pixel_is_not_hidden(
            numbers in proptest::collection::vec((-20_i16..150, -20_i16..118, 1_i16..90, 1_i16..90, any::<bool>()), 0..50),
        ) {
            let element = |(x, y, width, height, is_opaque): &(i16, i16, i16, i16, bool)| {
                let [x, y, width, height] = [*x, *y, *width, *height].map(f64::from);
                let outer = Aabb::new(x, y, x + width, y + height).expect("no NaN");
                (outer, if *is_opaque { outer } else { Aabb::EMPTY })
            };
            let (boxes, inner): (Vec<Aabb>, Vec<Aabb>) = numbers.iter().map(element).unzip();
            let mask = visible(&boxes, &inner, GRID);
            // An element that is not opaque leaves what is below it visible.
            let pixels = TileGrid { lg_tile: 0, ..GRID };
            let seen = |order: &mut dyn Iterator<Item = usize>| {
                let mut seen = vec![Vec::new(); (GRID.width * GRID.height) as usize];
                for i in order {
                    for [x, y] in pixels.touched(boxes[i]).positions() {
                        let pixel: &mut Vec<usize> = &mut seen[(y * GRID.width + x) as usize];
                        if !inner[i].is_empty() {
                            pixel.clear();
                        }
                        pixel.push(i);
                    }
                }
                seen
            };
            let all = seen(&mut (0..boxes.len()));
            prop_assert!(all.iter().flatten().all(|i| is_visible(&mask, *i)));
            prop_assert_eq!(seen(&mut (0..boxes.len()).filter(|i| is_visible(&mask, *i))), all);
        }
    }

    #[test]
    fn several_elements_cover_together_but_only_later_ones() -> Result<(), crate::NotABox> {
        let own = Aabb::new(3.0, 3.0, 60.0, 20.0)?;
        let [left, right] = [Aabb::new(0.0, 0.0, 32.0, 24.0)?, Aabb::new(32.0, 0.0, 64.0, 24.0)?];
        let boxes = [own, left, own, right, own];
        let inner = [Aabb::EMPTY, left, Aabb::EMPTY, right, Aabb::EMPTY];
        assert_eq!(visible(&boxes, &inner, GRID), [0b11110]);
        // An element does not hide itself, and outside of the picture nothing is visible.
        let outside = Aabb::new(150.0, 0.0, 160.0, 9.0)?;
        assert_eq!(visible(&[Aabb::PLANE, outside, Aabb::EMPTY], &[Aabb::PLANE; 3], GRID), [0]);
        assert_eq!(visible(&[outside, Aabb::PLANE], &[Aabb::PLANE; 2], GRID), [0b10]);
        Ok(())
    }

    /// A part of a scene with isolated groups: the begin or the end of one, or an element.
    #[derive(Clone, Copy, Debug)]
    enum Part {
        Begin,
        End,
        Element { outer: Aabb, inner: Aabb },
    }

    const WIDTH: usize = 40;

    fn some_part() -> impl Strategy<Value = Part> {
        let element =
            (0_u8..40, 0_u8..40, 1_u8..30, 1_u8..30, 0_u8..3).prop_map(|(x, y, width, height, kind)| {
                let [x, y, width, height] = [x, y, width, height].map(f64::from);
                let outer = Aabb::new(x, y, x + width, y + height).expect("no NaN");
                let smaller = Aabb::new(x + 1.0, y, x + width, y + height - 1.0).expect("no NaN");
                Part::Element { outer, inner: [outer, smaller, Aabb::EMPTY][usize::from(kind)] }
            });
        prop_oneof![1 => Just(Part::Begin), 1 => Just(Part::End), 8 => element]
    }

    /// The boxes and the scopes of the elements.
    fn elements(parts: &[Part]) -> (Vec<Aabb>, Vec<Aabb>, Vec<u32>) {
        let (mut boxes, mut inner_boxes, mut starts, mut open) = (vec![], vec![], vec![], vec![0]);
        for part in parts {
            match *part {
                Part::Begin => open.push(u32::try_from(boxes.len()).expect("it is small")),
                Part::End if open.len() > 1 => drop(open.pop()),
                Part::End => {}
                Part::Element { outer, inner } => {
                    boxes.push(outer);
                    inner_boxes.push(inner);
                    starts.push(*open.last().expect("the picture stays"));
                }
            }
        }
        (boxes, inner_boxes, starts)
    }

    /// A number per pixel, which depends on all elements that are seen there. Where an inner box
    /// is, nothing below it in the same group is seen. Groups are translucent.
    fn picture(parts: &[Part], is_drawn: impl Fn(usize) -> bool) -> Vec<u64> {
        let over = |below: u64, own: u64| below.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ own;
        let mut layers = vec![vec![0; WIDTH * WIDTH]];
        let mut item = 0;
        let end = |layers: &mut Vec<Vec<u64>>| {
            let group = layers.pop().expect("a group is open");
            let below = layers.last_mut().expect("the picture stays");
            let painted = below.iter_mut().zip(group).filter(|(_, own)| *own != 0);
            painted.for_each(|(pixel, own)| *pixel = over(*pixel, own + 7));
        };
        for part in parts {
            match *part {
                Part::Begin => layers.push(vec![0; WIDTH * WIDTH]),
                Part::End if layers.len() > 1 => end(&mut layers),
                Part::End => {}
                Part::Element { outer, inner } => {
                    item += 1;
                    if !is_drawn(item - 1) {
                        continue;
                    }
                    let pixels = TileGrid { width: 40, height: 40, lg_tile: 0 };
                    for [x, y] in pixels.touched(outer).positions() {
                        let pixel = &mut layers.last_mut().expect("the picture stays")
                            [WIDTH * y as usize + x as usize];
                        let below = if pixels.covered(inner).contains([x, y]) { 0 } else { *pixel };
                        *pixel = over(below, item as u64);
                    }
                }
            }
        }
        while layers.len() > 1 {
            end(&mut layers);
        }
        layers.remove(0)
    }

    proptest! {
        #[test]
        fn elements_hidden_by_a_box_change_no_pixel(parts in proptest::collection::vec(some_part(), 0..60)) {
            let (boxes, inner, starts) = elements(&parts);
            let mask = visible_by_boxes(&boxes, &inner, Some(&starts));
            prop_assert_eq!(picture(&parts, |i| is_visible(&mask, i)), picture(&parts, |_| true));

            // Tiles of a pixel hide at least as much.
            let pixels = TileGrid { width: 40, height: 40, lg_tile: 0 };
            let by_boxes = visible_by_boxes(&boxes, &inner, None);
            let by_pixels = visible(&boxes, &inner, pixels);
            prop_assert!(by_pixels.iter().zip(&by_boxes).all(|(pixels, boxes)| pixels & !boxes == 0));
        }

        #[test]
        fn more_inner_boxes_hide_more(
            parts in proptest::collection::vec(some_part(), 1..60),
            other in any::<prop::sample::Index>(),
        ) {
            let (boxes, mut inner, starts) = elements(&parts);
            prop_assume!(!boxes.is_empty());
            let before = [visible_by_boxes(&boxes, &inner, Some(&starts)), visible(&boxes, &inner, GRID)];
            let other = other.index(boxes.len());
            inner[other] = boxes[other];
            let after = [visible_by_boxes(&boxes, &inner, Some(&starts)), visible(&boxes, &inner, GRID)];
            for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
                prop_assert_eq!(after & !before, 0);
            }
        }
    }

    #[test]
    fn a_box_hides_earlier_elements_of_its_group() -> Result<(), crate::NotABox> {
        let own = Aabb::new(3.0, 3.0, 60.0, 20.0)?;
        let boxes = [own; 5];
        let inner = [own, Aabb::EMPTY, Aabb::EMPTY, own, Aabb::EMPTY];
        assert_eq!(visible_by_boxes(&boxes, &inner, None), [0b11000]);
        assert_eq!(visible_by_boxes(&boxes, &inner, Some(&[0, 0, 2, 2, 0])), [0b11011]);
        // An element does not hide itself. Elements without area are not visible.
        assert_eq!(visible_by_boxes(&[own, Aabb::EMPTY], &[Aabb::EMPTY, Aabb::PLANE], None), [0]);
        assert_eq!(visible_by_boxes(&[Aabb::PLANE], &[Aabb::PLANE], None), [1]);
        assert_eq!(visible_by_boxes(&[], &[], None), [] as [u32; 0]);
        // Two boxes hide it together, but neither of them does alone.
        let [left, right] = [Aabb::new(0.0, 0.0, 32.0, 24.0)?, Aabb::new(32.0, 0.0, 64.0, 24.0)?];
        assert_eq!(visible_by_boxes(&[own, left, right], &[own, left, right], None), [0b111]);
        Ok(())
    }
}
