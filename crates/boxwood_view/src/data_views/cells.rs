//! Numbers for square cells of whole device pixels: how many boxes touch a cell, and which one is
//! the top-most.

use boxwood_cpu::Aabb;
use boxwood_cpu::Rectangle;
use kurbo::TranslateScale;

/// A box that extends into a cell by less than this part of it does not touch it. Edges often lie
/// on the boundary of a pixel up to rounding: the overlay has the same tolerance.
const TOLERANCE: f64 = 1.0 / 256.0;

/// The cells that a box touches, of `size` cells.
pub(super) fn touched(bounds: Aabb, cell_from_scene: TranslateScale, size: [u32; 2]) -> Rectangle {
    let Aabb { x0, y0, x1, y1 } = bounds;
    let rect = cell_from_scene * kurbo::Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the size")]
    let clamped = |edge: f64, end: u32| edge.clamp(0.0, end.into()) as u32;
    let first = |low: f64, end| clamped((low + TOLERANCE).floor(), end);
    let end = |low: f64, high: f64, end: u32| {
        clamped((high - TOLERANCE).ceil().max((low + TOLERANCE).floor() + 1.0), end)
    };
    let [width, height] = size;
    let cells = Rectangle {
        x0: first(rect.x0, width),
        y0: first(rect.y0, height),
        x1: end(rect.x0, rect.x1, width),
        y1: end(rect.y0, rect.y1, height),
    };
    if bounds.is_empty() || cells.is_empty() { Rectangle::default() } else { cells }
}

/// The number of rectangles that contain each cell, row by row.
///
/// Each rectangle changes four cells, and two passes of sums give the numbers.
pub(super) fn counts(rectangles: impl Iterator<Item = Rectangle>, [width, height]: [u32; 2]) -> Vec<u32> {
    let (width, height) = (width as usize, height as usize);
    let stride = width + 1;
    let mut changes = vec![0_i32; stride * (height + 1)];
    for Rectangle { x0, y0, x1, y1 } in rectangles {
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as usize);
        for (y, sign) in [(y0, 1), (y1, -1)] {
            changes[y * stride + x0] += sign;
            changes[y * stride + x1] -= sign;
        }
    }
    let mut numbers = Vec::with_capacity(width * height);
    let mut above = vec![0_i32; stride];
    for row in changes.chunks_exact(stride).take(height) {
        let mut sum = 0;
        for (x, change) in row.iter().enumerate() {
            above[x] += change;
            sum += above[x];
            if x < width {
                numbers.push(sum.unsigned_abs());
            }
        }
    }
    numbers
}

/// 1 more than the index of the last rectangle that contains each cell, or 0 if there is none, row
/// by row.
///
/// Rectangles are taken from the last to the first. Each row links the cells that have a rectangle
/// to the next cell without one, so a cell is written once.
pub(super) fn top_most(rectangles: &[Rectangle], [width, height]: [u32; 2]) -> Vec<u32> {
    let (width, height) = (width as usize, height as usize);
    let mut found = vec![0; width * height];
    let mut next: Vec<u32> = (0..height).flat_map(|_| 0..=u32::try_from(width).unwrap_or(u32::MAX)).collect();
    for (number, Rectangle { x0, y0, x1, y1 }) in (1..).zip(rectangles).collect::<Vec<_>>().into_iter().rev()
    {
        for y in *y0 as usize..*y1 as usize {
            let free = &mut next[y * (width + 1)..][..=width];
            let mut x = first_free(free, *x0);
            while x < *x1 {
                found[y * width + x as usize] = number;
                free[x as usize] = x + 1;
                x = first_free(free, x + 1);
            }
        }
    }
    found
}

/// The first cell from `x` that has no rectangle. Shortens the way there.
fn first_free(next: &mut [u32], mut x: u32) -> u32 {
    while next[x as usize] != x {
        next[x as usize] = next[next[x as usize] as usize];
        x = next[x as usize];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(x0: u32, y0: u32, x1: u32, y1: u32) -> Rectangle {
        Rectangle { x0, y0, x1, y1 }
    }

    #[test]
    fn the_numbers_are_those_of_a_count_of_every_cell() {
        let size = [13, 9];
        // A fixed sequence of rectangles, among them empty ones and the whole area.
        let mut state = 7_u32;
        let mut random = |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % end
        };
        let mut rectangles = vec![rectangle(0, 0, 13, 9), Rectangle::default()];
        for _ in 0..40 {
            let (x0, y0) = (random(13), random(9));
            rectangles.push(rectangle(x0, y0, x0 + 1 + random(13 - x0), y0 + 1 + random(9 - y0)));
        }
        for n in [0, 1, 5, rectangles.len()] {
            let some = &rectangles[..n];
            let cells = rectangle(0, 0, 13, 9).positions();
            let (mut expected, mut top) = (Vec::new(), Vec::new());
            for cell in cells {
                expected.push(
                    (0..)
                        .zip(some.iter().filter(|r| r.contains(cell)))
                        .map(|(n, _)| n + 1)
                        .last()
                        .unwrap_or(0),
                );
                top.push(
                    (1..).zip(some).filter(|(_, r)| r.contains(cell)).map(|(n, _)| n).last().unwrap_or(0),
                );
            }
            assert_eq!(counts(some.iter().copied(), size), expected);
            assert_eq!(top_most(some, size), top);
        }
    }

    #[test]
    fn a_box_touches_the_cells_that_it_extends_into() {
        let aabb = |x0, y0, x1, y1| Aabb::new(x0, y0, x1, y1).expect("no NaN");
        let half = TranslateScale::new((1.0, 0.0).into(), 0.5);
        assert_eq!(touched(aabb(2.0, 4.0, 6.0, 9.0), half, [20, 20]), rectangle(2, 2, 4, 5));
        assert_eq!(touched(aabb(2.0, 4.0, 6.001, 9.0), half, [20, 20]), rectangle(2, 2, 4, 5));
        assert_eq!(touched(aabb(3.0, 3.0, 3.0, 3.0), half, [20, 20]), Rectangle::default(), "it is empty");
        assert_eq!(touched(aabb(3.0, 3.0, 3.001, 3.001), half, [20, 20]), rectangle(2, 1, 3, 2));
        assert_eq!(touched(Aabb::PLANE, half, [20, 10]), rectangle(0, 0, 20, 10));
        assert_eq!(touched(Aabb::EMPTY, half, [20, 10]), Rectangle::default());
        assert_eq!(touched(aabb(90.0, 0.0, 99.0, 5.0), half, [20, 10]), Rectangle::default());
    }
}
