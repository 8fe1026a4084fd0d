//! Stage *occlusion*: the elements that later, opaque elements hide.

use super::tiles::TileGrid;
use crate::core::Aabb;

/// One bit per element, 1 if it may be visible: if it touches a tile that no later element covers.
/// The rest of the last word is 0. Elements are in paint order.
///
/// `boxes` contain all pixels that an element paints. `inner_boxes` are the parts of them where it
/// surely replaces everything below it: the clipped rectangle of an opaque one, and
/// [`Aabb::EMPTY`] for most others. Elements of an isolated group must not cover anything outside
/// of it.
///
/// # Panics
///
/// Panics if the numbers of boxes differ.
pub fn visible(grid: TileGrid, boxes: &[Aabb], inner_boxes: &[Aabb]) -> Vec<u32> {
    assert_eq!(boxes.len(), inner_boxes.len(), "each element has two boxes");
    let [n_columns, n_rows] = grid.n_tiles().map(|n| n as usize);
    let tile = |[x, y]: [u32; 2]| y as usize * n_columns + x as usize;
    let mut is_covered = vec![false; n_columns * n_rows];
    let mut visible = vec![0; boxes.len().div_ceil(32)];
    for i in (0..boxes.len()).rev() {
        if grid.touched(boxes[i]).positions().any(|position| !is_covered[tile(position)]) {
            visible[i / 32] |= 1 << (i % 32);
        }
        grid.covered(inner_boxes[i]).positions().for_each(|position| is_covered[tile(position)] = true);
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
            let mask = visible(GRID, &boxes, &inner);
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
        assert_eq!(visible(GRID, &boxes, &inner), [0b11110]);
        // An element does not hide itself, and outside of the picture nothing is visible.
        let outside = Aabb::new(150.0, 0.0, 160.0, 9.0)?;
        assert_eq!(visible(GRID, &[Aabb::PLANE, outside, Aabb::EMPTY], &[Aabb::PLANE; 3]), [0]);
        assert_eq!(visible(GRID, &[outside, Aabb::PLANE], &[Aabb::PLANE; 2]), [0b10]);
        Ok(())
    }
}
