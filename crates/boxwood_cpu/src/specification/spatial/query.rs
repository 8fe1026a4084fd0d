//! Stage *query*: the boxes at a point, in a rectangle, or near a point.

use alloc::vec::Vec;

use crate::core::Aabb;

/// Which boxes a query finds. Empty boxes are never found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    /// The boxes that contain a point.
    At([f32; 2]),
    /// The boxes that overlap a rectangle. Boxes that only touch it do not overlap it.
    Overlapping(Aabb),
    /// The boxes that lie within a rectangle.
    Within(Aabb),
}

impl Query {
    /// Whether it finds a box.
    pub fn finds(self, aabb: Aabb) -> bool {
        let Aabb { x0, y0, x1, y1 } = aabb;
        match self {
            Self::At([x, y]) => x0 <= x && x < x1 && y0 <= y && y < y1,
            Self::Overlapping(region) => aabb.overlaps(region),
            Self::Within(region) => !aabb.is_empty() && region.contains(aabb),
        }
    }
}

/// The indices of the boxes that a query finds, in ascending order.
///
/// # Panics
///
/// Panics if there are more boxes than a `u32` can count.
pub fn find_all(boxes: &[Aabb], query: Query) -> Vec<u32> {
    let found = boxes.iter().enumerate().filter(|(_, aabb)| query.finds(**aabb));
    found.map(|(item, _)| u32::try_from(item).expect("a box has a u32 as its index")).collect()
}

/// The index of the last box that a query finds: the one on top of the others, in paint order.
///
/// # Panics
///
/// Panics if there are more boxes than a `u32` can count.
pub fn top_most(boxes: &[Aabb], query: Query) -> Option<u32> {
    find_all(boxes, query).last().copied()
}

/// A box that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The index of the box.
    pub item: u32,
    /// The square of the distance: see [`squared_distance`].
    pub squared_distance: f32,
}

/// The last one of the boxes that are nearest to a point, if their distance is at most
/// `max_distance`, for which a negative number and NaN count as 0. Empty boxes do not count.
///
/// # Panics
///
/// Panics if there are more boxes than a `u32` can count.
pub fn nearest(boxes: &[Aabb], point: [f32; 2], max_distance: f32) -> Option<Nearest> {
    // The maximum of NaN and 0 is 0.
    let max_distance = match max_distance.max(0.0) {
        near if near < FARTHEST => plain_distance(near),
        _ => f32::INFINITY,
    };
    let mut nearest = None;
    let mut least = max_distance * max_distance;
    for (item, aabb) in boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty()) {
        let squared_distance = squared_distance(*aabb, point);
        if squared_distance <= least {
            let item = u32::try_from(item).expect("a box has a u32 as its index");
            nearest = Some(Nearest { item, squared_distance });
            least = squared_distance;
        }
    }
    nearest
}

/// Larger distances along an axis are clamped to this, 2^62, so that their squares are finite.
const FARTHEST: f32 = f32::from_bits((127 + 62) << 23);

/// The square of the distance between a point and a box that is not empty, 0 for a point in the box
/// or on its edge.
///
/// Each operation rounds. So that results are finite and normal, coordinates are clamped to ±2^100,
/// and distances along an axis to 2^62, and such distances below 2^-60 are 0.
pub fn squared_distance(aabb: Aabb, [x, y]: [f32; 2]) -> f32 {
    // 2^100
    const MAX_COORDINATE: f32 = f32::from_bits((127 + 100) << 23);
    let plain = |v: f32| v.clamp(-MAX_COORDINATE, MAX_COORDINATE);
    let distance =
        |low: f32, v: f32, high: f32| plain_distance((plain(low) - plain(v)).max(plain(v) - plain(high)));
    let (dx, dy) = (distance(aabb.x0, x, aabb.x1), distance(aabb.y0, y, aabb.y1));
    dx * dx + dy * dy
}

fn plain_distance(distance: f32) -> f32 {
    // 2^-60
    const NEAREST: f32 = f32::from_bits((127 - 60) << 23);
    if distance < NEAREST { 0.0 } else { distance.min(FARTHEST) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
    }

    fn some_box() -> impl Strategy<Value = Aabb> {
        (0_u8..30, 0_u8..30, 0_u8..12, 0_u8..12).prop_map(|(x, y, width, height)| {
            let [x, y, width, height] = [x, y, width, height].map(f64::from);
            aabb(x, y, x + width, y + height)
        })
    }

    proptest! {
        #[test]
        fn answers_depend_on_the_boxes_that_are_found_alone(
            mut boxes in proptest::collection::vec(some_box(), 0..30),
            other in some_box(),
            region in some_box(),
        ) {
            let point = Query::At([region.x0, region.y0]);
            for query in [Query::Overlapping(region), Query::Within(region), point] {
                let found = find_all(&boxes, query);
                prop_assert_eq!(top_most(&boxes, query), found.iter().max().copied());
                if !query.finds(other) {
                    boxes.push(other);
                    prop_assert_eq!(find_all(&boxes, query), found);
                    boxes.pop();
                }
            }
        }

        #[test]
        fn a_region_finds_what_its_parts_find(
            boxes in proptest::collection::vec(some_box(), 0..30),
            [x, y, left, right, height] in proptest::array::uniform5(1_u8..12),
        ) {
            let [x, y, left, right, height] = [x, y, left, right, height].map(f64::from);
            let region = aabb(x, y, x + left + right, y + height);
            let parts = [aabb(x, y, x + left, y + height), aabb(x + left, y, region.x1.into(), y + height)];
            let mut found = parts.map(|part| find_all(&boxes, Query::Overlapping(part))).concat();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found, find_all(&boxes, Query::Overlapping(region)));
        }
    }

    #[test]
    fn edges_are_half_open() {
        let boxes = [aabb(0.0, 0.0, 10.0, 10.0), aabb(10.0, 0.0, 20.0, 10.0), Aabb::EMPTY, Aabb::PLANE];
        assert_eq!(find_all(&boxes, Query::At([0.0, 9.9])), [0, 3]);
        assert_eq!(find_all(&boxes, Query::At([10.0, 0.0])), [1, 3]);
        assert_eq!(find_all(&boxes, Query::At([10.0, 10.0])), [3]);
        assert_eq!(find_all(&boxes, Query::Overlapping(aabb(5.0, 5.0, 10.0, 6.0))), [0, 3]);
        assert_eq!(find_all(&boxes, Query::Overlapping(aabb(5.0, 5.0, 10.1, 6.0))), [0, 1, 3]);
        assert_eq!(find_all(&boxes, Query::Within(aabb(0.0, 0.0, 20.0, 10.0))), [0, 1]);
        assert_eq!(find_all(&boxes, Query::Within(Aabb::PLANE)), [0, 1, 3]);
        assert_eq!(top_most(&boxes[..3], Query::At([9.0, 9.0])), Some(0));
        assert_eq!(top_most(&boxes[..3], Query::At([9.0, 10.0])), None);
    }

    #[test]
    fn the_last_of_the_nearest_boxes_is_found() {
        let boxes =
            [aabb(0.0, 0.0, 1.0, 1.0), aabb(4.0, 5.0, 9.0, 9.0), aabb(4.0, 5.0, 6.0, 9.0), Aabb::EMPTY];
        let found = |item, squared_distance| Some(Nearest { item, squared_distance });
        assert_eq!(nearest(&boxes, [1.0, 1.0], f32::MAX), found(0, 0.0));
        assert_eq!(nearest(&boxes, [1.0, 2.0], f32::MAX), found(0, 1.0));
        assert_eq!(nearest(&boxes, [1.0, 2.0], 0.5), None);
        assert_eq!(nearest(&boxes[1..], [1.0, 1.0], 5.0), found(1, 25.0));
        assert_eq!(nearest(&boxes[1..], [1.0, 1.0], 4.999), None);
        assert_eq!(nearest(&boxes[3..], [1.0, 1.0], f32::MAX), None);
    }

    #[test]
    fn a_maximum_distance_below_0_and_nan_count_as_0() {
        let boxes = [aabb(0.0, 0.0, 1.0, 1.0)];
        for max_distance in [0.0, -0.0, -1.0, f32::NEG_INFINITY, f32::NAN, -f32::NAN] {
            let at = |x| nearest(&boxes, [x, 0.5], max_distance).map(|found| found.squared_distance);
            assert_eq!([at(1.0), at(1.25)], [Some(0.0), None], "{max_distance}");
        }
        for max_distance in [f32::MAX, f32::INFINITY] {
            assert!(nearest(&boxes, [-f32::MAX, f32::MAX], max_distance).is_some());
        }
    }

    #[test]
    fn distances_are_finite() {
        let far = [-f32::MAX, f32::MAX];
        assert_eq!(squared_distance(aabb(1e37, -1e38, 1e38, -1e37), far), 2.0 * FARTHEST * FARTHEST);
        assert_eq!(squared_distance(Aabb::PLANE, far), 0.0);
        assert_eq!(squared_distance(aabb(0.0, 0.0, 1.0, 1.0), [-1e-30, 0.5]), 0.0);
    }
}
