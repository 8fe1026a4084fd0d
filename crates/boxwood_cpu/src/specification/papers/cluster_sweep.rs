//! Overlapping boxes by sweeps over clusters: Zachmann, *Massively Parallel Algorithms*, "The
//! Cluster-PCA-Based Sweep Plane Method".
//!
//! All numbers but the coordinates of boxes are integers, so that every device computes the same
//! bits in any order of its additions.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::specification::spatial::{Bound, GridAxis, plain, scan, search, sort};

/// The maximum number of clusters. A set of clusters is a `u64`, and the key of an entry has six
/// bits for its cluster.
pub const MAX_CLUSTERS: usize = u64::BITS as usize;

/// The bits of a cluster in the key of an entry. They are the upper ones, so that one sort orders
/// the entries of all clusters.
const CLUSTER_BITS: u32 = 6;

/// The number of rounds of the fuzzy c-means. The pairs do not depend on it, only the number of
/// candidates does.
pub const CLUSTER_ROUNDS: usize = 10;

/// The bits of a place of the grid along an axis. An end along a direction is the sum of two
/// products of a component and a place, which is a `u32`: 2 * 2^10 * (2^21 - 1) < 2^32.
const PLACE_BITS: u32 = 21;

/// The last place of the grid along an axis.
const LAST_PLACE: u32 = (1 << PLACE_BITS) - 1;

/// The bits of a coordinate of a center. A squared distance is less than 2 * 2^30, so that it is a
/// positive `i32`.
const CENTER_BITS: u32 = 15;

/// The last coordinate of a center.
const LAST_CENTER: u64 = (1 << CENTER_BITS) - 1;

/// The bits of the fraction of an affinity and of a share. Both are from 0 to 2^15, which is 1.
const SHARE_BITS: u32 = 15;

/// The bits of the fraction of a weight, which is the square of a share. A weight is at most 2^16,
/// and its product with the coordinate of a center is less than 2^31. The sum of such products for
/// less than 2^31 boxes is less than 2^62.
const WEIGHT_BITS: u32 = 16;

/// The maximum bits of a divisor of a mean, and of the smallest squared distance of a point. With
/// this many bits, each division is one of `u32` numbers.
const DIVISOR_BITS: u32 = 16;

/// The bits of a moment before the principal direction is computed from it. The sum of the squares
/// of (2^14 - 1) and 2 * 2^14 is a `u32`.
const MOMENT_BITS: u32 = 14;

/// The larger component of a direction.
const DIRECTION_LENGTH: u32 = 1024;

/// Boxes in clusters that overlap, each of which is swept along its principal axis.
///
/// The clusters are those of the fuzzy c-means of the centers. A box belongs to the cluster with
/// the nearest mean, of which it is a member most. It also belongs to each cluster whose bounds it
/// overlaps, so that any two boxes that overlap have a cluster in common. The first such cluster
/// has the pair.
///
/// Clusters, directions, and ends along a direction are rounded. No rounding changes the order of
/// two ends, so that it changes the number of candidates only: a box is a candidate if the ends
/// overlap or are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSweep {
    /// The direction of the sweep in each cluster. The larger component is 1024 or -1024.
    pub directions: Vec<[i32; 2]>,
    /// The entries by cluster, then by the smaller end along the direction, then by index.
    pub entries: Vec<ClusterEntry>,
    /// The number of candidates of each entry: those that come after it in its cluster, and begin
    /// before or where it ends.
    pub n_candidates: Vec<u32>,
    /// The clusters of each box, a bit each. Empty boxes have none.
    memberships: Vec<u64>,
}

/// A box in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterEntry {
    /// The cluster.
    pub cluster: u32,
    /// The index of the box.
    pub item: u32,
}

impl ClusterSweep {
    /// The sweeps of boxes in `n_clusters` clusters.
    ///
    /// # Panics
    ///
    /// Panics if there are no clusters or more than [`MAX_CLUSTERS`], or if there are more boxes or
    /// entries than a `u32` can count.
    pub fn new(boxes: &[Aabb], n_clusters: usize) -> Self {
        assert!(
            (1..=MAX_CLUSTERS).contains(&n_clusters),
            "{n_clusters} clusters are not 1 to {MAX_CLUSTERS}"
        );
        let grid = Grid::new(boxes);
        let centers: Vec<Option<[u32; 2]>> =
            boxes.iter().map(|aabb| (!aabb.is_empty()).then(|| grid.center(*aabb))).collect();
        let means = fuzzy_means(&centers, n_clusters);
        let mut bounds = vec![Aabb::EMPTY; n_clusters];
        let mut members: Vec<Vec<[u32; 2]>> = vec![Vec::new(); n_clusters];
        for (aabb, center) in boxes.iter().zip(&centers) {
            let Some(center) = *center else { continue };
            let squares = squared_distances(center, &means);
            // The first of equal ones.
            let nearest =
                (1..n_clusters).fold(0, |best, i| if squares[i] < squares[best] { i } else { best });
            bounds[nearest] = bounds[nearest].union(*aabb);
            members[nearest].push(center);
        }
        let directions: Vec<[i32; 2]> =
            means.iter().zip(&members).map(|(mean, members)| principal_direction(members, *mean)).collect();
        // The bounds of the nearest cluster contain the box. Any other cluster whose bounds overlap
        // it may have a box that overlaps it too.
        let clusters_of = |aabb: &Aabb| {
            let bit = |(cluster, bounds): (usize, &Aabb)| u64::from(bounds.overlaps(*aabb)) << cluster;
            bounds.iter().enumerate().map(bit).sum()
        };
        let memberships: Vec<u64> = boxes.iter().map(clusters_of).collect();

        let entries = (0..).zip(&memberships).flat_map(|(item, bits)| {
            let is_member = move |cluster: &u32| (bits >> cluster) & 1 == 1;
            (0..u64::BITS).filter(is_member).map(move |cluster| ClusterEntry { cluster, item })
        });
        let entries: Vec<ClusterEntry> = entries.collect();
        let keys_of = |entry: &ClusterEntry| {
            let ends = grid.ends(boxes[entry.item as usize], directions[entry.cluster as usize]);
            ends.map(|end| (entry.cluster << (u32::BITS - CLUSTER_BITS)) | (end >> CLUSTER_BITS))
        };
        let begins: Vec<u32> = entries.iter().map(|entry| keys_of(entry)[0]).collect();
        // The sort is stable, so entries with equal keys stay in the order of their boxes.
        let order = sort(&begins, u32::BITS);
        let begins: Vec<u32> = order.iter().map(|entry| begins[*entry as usize]).collect();
        let entries: Vec<ClusterEntry> = order.iter().map(|entry| entries[*entry as usize]).collect();
        let ends: Vec<u32> = entries.iter().map(|entry| keys_of(entry)[1]).collect();
        // An end has the bits of its cluster too, so that no candidate is in the next cluster.
        let n_candidates =
            search(&begins, &ends, Bound::Upper).into_iter().zip(1..).map(|(end, next)| end - next);
        Self { directions, n_candidates: n_candidates.collect(), entries, memberships }
    }

    /// The number of candidates of all entries. It is `u32::MAX` if it is this or more.
    pub fn total(&self) -> u32 {
        scan(&self.n_candidates)[self.entries.len()]
    }

    /// The pairs of indices (i, j), i < j, of boxes that overlap. The first entry comes first, with
    /// its candidates in the order of the entries, then the next entry, and so on.
    pub fn pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let of = |(first, n): (usize, &u32)| {
            let ClusterEntry { cluster, item: own } = self.entries[first];
            let candidates = &self.entries[first + 1..][..*n as usize];
            let is_pair = move |other: &&ClusterEntry| {
                let both = self.memberships[own as usize] & self.memberships[other.item as usize];
                both.trailing_zeros() == cluster && boxes[own as usize].overlaps(boxes[other.item as usize])
            };
            let pair = move |other: &ClusterEntry| [own.min(other.item), own.max(other.item)];
            candidates.iter().filter(is_pair).map(pair)
        };
        self.n_candidates.iter().enumerate().flat_map(of).collect()
    }
}

/// A grid of up to 2^[`PLACE_BITS`] places along each axis over the bounds of the centers of boxes.
/// Both axes have the same scale.
///
/// What is outside of the bounds is at their border. That does not make boxes overlap which do not
/// overlap along an axis: the gap between them is between their centers. So the plane among small
/// boxes leaves the grid as fine as it is without it.
struct Grid {
    bounds: Aabb,
    axes: [GridAxis; 2],
}

impl Grid {
    fn new(boxes: &[Aabb]) -> Self {
        let centers = boxes.iter().filter(|aabb| !aabb.is_empty()).map(|aabb| center(*aabb));
        Self::over(centers.fold(Aabb::EMPTY, |all, [x, y]| all.union(Aabb { x0: x, y0: y, x1: x, y1: y })))
    }

    fn over(bounds: Aabb) -> Self {
        let Aabb { x0, y0, x1, y1 } = bounds;
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(plain);
        let extent = (x1 - x0).max(y1 - y0);
        let axes = [x0, y0].map(|low| GridAxis::with_extent(low, extent));
        Self { bounds: Aabb { x0, y0, x1, y1 }, axes }
    }

    /// The place of a point. A place is monotone in the coordinate: the difference from the bounds
    /// is rounded to the nearest `f32`, its product with a power of two is exact, and the fraction
    /// is cut off.
    fn place(&self, [x, y]: [f32; 2]) -> [u32; 2] {
        let (Aabb { x0, y0, x1, y1 }, axes) = (self.bounds, self.axes);
        let inside = [plain(x).clamp(x0, x1), plain(y).clamp(y0, y1)];
        [0, 1].map(|axis| axes[axis].place(inside[axis]) >> (GridAxis::BITS - PLACE_BITS))
    }

    /// The center of a box, rounded down to 2^[`CENTER_BITS`] coordinates along each axis.
    fn center(&self, aabb: Aabb) -> [u32; 2] {
        self.place(center(aabb)).map(|place| place >> (PLACE_BITS - CENTER_BITS))
    }

    /// The smaller and the larger end of a box along a direction. Along an axis with a negative
    /// component, the grid is mirrored.
    fn ends(&self, aabb: Aabb, [a, b]: [i32; 2]) -> [u32; 2] {
        let of = |component: i32, low: u32, high: u32| {
            let ends = if component < 0 { [LAST_PLACE - high, LAST_PLACE - low] } else { [low, high] };
            ends.map(|end| component.unsigned_abs() * end)
        };
        let [x0, y0] = self.place([aabb.x0, aabb.y0]);
        let [x1, y1] = self.place([aabb.x1, aabb.y1]);
        let (x, y) = (of(a, x0, x1), of(b, y0, y1));
        [x[0] + y[0], x[1] + y[1]]
    }
}

/// The center of a box, rounded to the nearest `f32`. No sum is infinite or subnormal.
fn center(aabb: Aabb) -> [f32; 2] {
    let Aabb { x0, y0, x1, y1 } = aabb;
    [(plain(x0) + plain(x1)) * 0.5, (plain(y0) + plain(y1)) * 0.5]
}

/// The direction in which points vary most around the mean of their cluster: the eigenvector of the
/// larger eigenvalue of their second moments, or (1024, 0) if all directions are alike.
///
/// A moment of less than 2^31 points is less than 2^61 in magnitude.
pub fn principal_direction(points: &[[u32; 2]], [mean_x, mean_y]: [u32; 2]) -> [i32; 2] {
    let [mut xx, mut xy, mut yy] = [0_i64; 3];
    for [x, y] in points {
        let [dx, dy] = [i64::from(*x) - i64::from(mean_x), i64::from(*y) - i64::from(mean_y)];
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    // The mixed moment is not larger than the larger one of the others.
    let shift = n_bits(xx.max(yy).unsigned_abs()).saturating_sub(MOMENT_BITS);
    let [xx, xy, yy] =
        [xx, xy, yy].map(|moment| i32::try_from(moment >> shift).expect("it has MOMENT_BITS bits"));
    let (difference, mixed) = (xx - yy, 2 * xy);
    // The eigenvector is one of two forms that are equal up to their length. This one has no
    // difference of nearly equal numbers.
    let root = (difference * difference + mixed * mixed).isqrt();
    let [x, y] = if difference >= 0 { [difference + root, mixed] } else { [mixed, root - difference] };
    let longest = x.unsigned_abs().max(y.unsigned_abs());
    if longest == 0 {
        return [DIRECTION_LENGTH.cast_signed(), 0];
    }
    [x, y].map(|component| {
        let length = (component.unsigned_abs() * DIRECTION_LENGTH + longest / 2) / longest;
        component.signum() * length.cast_signed()
    })
}

/// The means of `n` clusters of points, by fuzzy c-means with the exponent 2. Empty boxes have no
/// points.
///
/// # Source
///
/// Bezdek, *Pattern Recognition with Fuzzy Objective Function Algorithms* (1981). The first means
/// are the centers of boxes at equal distances in the list, since neighbours in paint order are
/// often close to each other. An empty box stands for the middle of the grid.
fn fuzzy_means(centers: &[Option<[u32; 2]>], n: usize) -> Vec<[u32; 2]> {
    let middle = [1 << (CENTER_BITS - 1); 2];
    let first = |i: usize| centers.get((2 * i + 1) * centers.len() / (2 * n)).copied().flatten();
    let mut means: Vec<[u32; 2]> = (0..n).map(|i| first(i).unwrap_or(middle)).collect();
    for _ in 0..CLUSTER_ROUNDS {
        // The sums of weighted coordinates, and of weights.
        let mut sums = vec![[0_u64; 3]; n];
        for [x, y] in centers.iter().flatten() {
            for (sum, weight) in sums.iter_mut().zip(weights([*x, *y], &means)) {
                *sum = [sum[0] + weight * u64::from(*x), sum[1] + weight * u64::from(*y), sum[2] + weight];
            }
        }
        for (mean, sums) in means.iter_mut().zip(sums) {
            // A mean without weight stays.
            *mean = quotients(sums).unwrap_or(*mean);
        }
    }
    means
}

/// The mean of a cluster, from the sums of its weighted coordinates and of the weights.
///
/// Both are shifted, so that the divisor has [`DIVISOR_BITS`] bits. The dividend is at most
/// [`LAST_CENTER`] times the divisor and one, which is less than 2^31. A quotient is too large by
/// less than 2^-15 of itself.
fn quotients([x, y, total]: [u64; 3]) -> Option<[u32; 2]> {
    let shift = n_bits(total).saturating_sub(DIVISOR_BITS);
    let quotient = |sum: u64| (sum >> shift).checked_div(total >> shift).map(|v| v.min(LAST_CENTER));
    let small = |v: u64| u32::try_from(v).expect("it has CENTER_BITS bits");
    Some([small(quotient(x)?), small(quotient(y)?)])
}

/// The weights of a point: the squares of its memberships, which are the shares of the inverses of
/// the squared distances.
///
/// The affinity of the nearest cluster is 1. Those of the others are its squared distance divided
/// by theirs. Squared distances are shifted by as many bits as the smallest one needs to have
/// [`DIVISOR_BITS`] bits, so that its product with 2^[`SHARE_BITS`] is a `u32`.
fn weights(point: [u32; 2], means: &[[u32; 2]]) -> Vec<u64> {
    let squares = squared_distances(point, means);
    let least = squares.iter().copied().min().unwrap_or(1);
    let shift = n_bits(least.into()).saturating_sub(DIVISOR_BITS);
    let affinity = |square: &u32| ((least >> shift) << SHARE_BITS) / (square >> shift);
    // At least 2^15, and at most 2^21 for 64 clusters.
    let total: u32 = squares.iter().map(affinity).sum();
    let weight = |square: &u32| {
        let share = (affinity(square) << SHARE_BITS) / total;
        u64::from((share * share) >> (2 * SHARE_BITS - WEIGHT_BITS))
    };
    squares.iter().map(weight).collect()
}

/// The squared distances of a point to the means. A mean at the point has the least distance of
/// others, so that no number is divided by 0.
fn squared_distances([x, y]: [u32; 2], means: &[[u32; 2]]) -> Vec<u32> {
    let square = |[mean_x, mean_y]: &[u32; 2]| {
        let [dx, dy] = [x.abs_diff(*mean_x), y.abs_diff(*mean_y)];
        (dx * dx + dy * dy).max(1)
    };
    means.iter().map(square).collect()
}

/// The number of bits of a number without leading zeros.
fn n_bits(v: u64) -> u32 {
    u64::BITS - v.leading_zeros()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::spatial::{Sweep, pairs};

    fn aabb([x0, y0, x1, y1]: [f64; 4]) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    }

    fn sorted_pairs(sweep: &ClusterSweep, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let mut pairs = sweep.pairs(boxes);
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #[test]
        fn any_number_of_clusters_has_the_same_pairs(
            corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40),
            n_clusters in 1_usize..65,
        ) {
            let boxes: Vec<Aabb> = corners.into_iter().map(|corner| aabb(corner.map(f64::from))).collect();
            prop_assert_eq!(sorted_pairs(&ClusterSweep::new(&boxes, n_clusters), &boxes), pairs(&boxes));
        }

        /// The ends of such boxes are rounded.
        #[test]
        fn rounding_loses_no_pairs(
            corners in proptest::collection::vec((any::<[i8; 2]>(), any::<[u8; 2]>()), 0..30),
            n_clusters in 1_usize..4,
        ) {
            let scaled = |v: i8| f64::from(v) * 2.0_f64.powi(i32::from(v) / 2);
            let box_at = |([x, y], [width, height]): ([i8; 2], [u8; 2])| {
                let [x0, y0] = [x, y].map(scaled);
                aabb([x0, y0, x0 + f64::from(width), y0 + f64::from(height)])
            };
            let mut boxes: Vec<Aabb> = corners.into_iter().map(box_at).collect();
            boxes.extend([Aabb::PLANE, Aabb::EMPTY]);
            prop_assert_eq!(sorted_pairs(&ClusterSweep::new(&boxes, n_clusters), &boxes), pairs(&boxes));
        }

        #[test]
        fn weights_are_squares_of_memberships(
            point in [0_u32..1 << CENTER_BITS, 0..1 << CENTER_BITS],
            means in proptest::collection::vec([0_u32..1 << CENTER_BITS, 0..1 << CENTER_BITS], 1..65),
        ) {
            let inverses: Vec<f64> =
                squared_distances(point, &means).iter().map(|square| 1.0 / f64::from(*square)).collect();
            let total: f64 = inverses.iter().sum();
            for (weight, inverse) in weights(point, &means).into_iter().zip(inverses) {
                let membership = inverse / total;
                // Each of 64 affinities loses less than 2^-15, and the weight less than 2^-16.
                let error = (weight as f64 / 65536.0 - membership * membership).abs();
                prop_assert!(error < 70.0 / 32768.0 * 2.0 * membership + 1.0 / 65536.0, "{error}, {membership}");
            }
        }

        #[test]
        fn directions_are_eigenvectors(
            points in proptest::collection::vec([0_u32..1 << CENTER_BITS, 0..1 << CENTER_BITS], 1..40),
            mean in [0_u32..1 << CENTER_BITS, 0..1 << CENTER_BITS],
        ) {
            let [a, b] = principal_direction(&points, mean).map(f64::from);
            let [mut along, mut all] = [0.0; 2];
            for [x, y] in &points {
                let [dx, dy] = [f64::from(*x) - f64::from(mean[0]), f64::from(*y) - f64::from(mean[1])];
                along += (a * dx + b * dy).powi(2) / (a * a + b * b);
                all += dx * dx + dy * dy;
            }
            // No direction has less than half of the variance.
            prop_assert!(along >= 0.499 * all, "{along} of {all}");
        }
    }

    /// The largest numbers that the documentation of the constants allows.
    #[test]
    fn no_number_overflows() {
        let last = u32::try_from(LAST_CENTER).expect("it has CENTER_BITS bits");
        let corners = [[0, 0], [last, last]];
        for means in [vec![[0, 0]; MAX_CLUSTERS], vec![[last, last]; MAX_CLUSTERS], corners.repeat(32)] {
            for point in corners {
                let weights = weights(point, &means);
                assert!(weights.iter().all(|weight| *weight <= 1 << WEIGHT_BITS), "{weights:?}");
            }
        }
        assert_eq!(weights([last, 0], &[[0, last]]), [1 << WEIGHT_BITS]);
        // 2^31 boxes with the largest weight in a corner.
        let total = 1_u64 << (31 + WEIGHT_BITS);
        assert_eq!(quotients([total * LAST_CENTER, 0, total]), Some([last, 0]));
        assert_eq!(quotients([total * LAST_CENTER - 1, 0, total - 1]), Some([last, 0]));
        assert_eq!(quotients([0; 3]), None);
        let grid = Grid::over(aabb([0.0, 0.0, 8.0, 8.0]));
        for direction in [[1024, 1024], [-1024, 1024], [1024, -1024]] {
            let ends = grid.ends(Aabb::PLANE, direction);
            assert_eq!(ends[0], 0, "{direction:?}");
            assert!(ends[1] >> CLUSTER_BITS < 1 << (u32::BITS - CLUSTER_BITS), "{ends:?}");
        }
    }

    #[test]
    fn boxes_along_a_diagonal_are_swept_along_it() {
        let square =
            |i: i32| aabb([f64::from(3 * i), f64::from(3 * i), f64::from(3 * i + 4), f64::from(3 * i + 4)]);
        let boxes: Vec<Aabb> = (0..50).map(square).collect();
        let sweep = ClusterSweep::new(&boxes, 1);
        assert_eq!(sweep.directions, [[1024, 1024]]);
        assert_eq!(sorted_pairs(&sweep, &boxes), pairs(&boxes));
        assert_eq!(principal_direction(&[], [3, 4]), [1024, 0]);
        assert_eq!(principal_direction(&[[7, 7]; 3], [7, 7]), [1024, 0]);
        assert_eq!(principal_direction(&[[0, 1], [0, 9]], [0, 5]), [0, 1024]);
        assert_eq!(principal_direction(&[[98, 101], [102, 99]], [100, 100]), [1024, -512]);
    }

    /// Flat boxes in a tall arrangement vary most along y, where they overlap least. But boxes can
    /// vary most along the axis where they overlap most.
    #[test]
    fn the_principal_axis_can_have_more_candidates() {
        let long = |i: i32| {
            let x = f64::from(1000 * (i % 10));
            aabb([x, f64::from(10 * i), x + 20_000.0, f64::from(10 * i + 11)])
        };
        let boxes: Vec<Aabb> = (0..100).map(long).collect();
        let (principal, best) = (ClusterSweep::new(&boxes, 1), Sweep::best(&boxes));
        assert_eq!(sorted_pairs(&principal, &boxes), pairs(&boxes));
        assert_eq!(best.total(), 99);
        assert_eq!(principal.total(), 99 * 100 / 2);
    }
}
