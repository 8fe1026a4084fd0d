//! Overlapping boxes by sweeps over clusters: Zachmann, *Massively Parallel Algorithms*, "The
//! Cluster-PCA-Based Sweep Plane Method".

use alloc::vec::Vec;

use crate::core::Aabb;

/// The maximum number of clusters: the bits of a word.
pub const MAX_CLUSTERS: usize = u64::BITS as usize;

/// The number of rounds of the fuzzy c-means. The pairs do not depend on it, only the number of
/// candidates does.
const ROUNDS: usize = 10;

/// The larger component of a direction. The product of a component and a coordinate has 24 + 11
/// bits, so that it is exact as an `f64`.
const DIRECTION_LENGTH: f64 = 1024.0;

/// The least squared distance, so that its inverse is finite.
const LEAST_SQUARE: f64 = 1e-200;

/// Boxes in clusters that overlap, each of which is swept along its principal axis.
///
/// The clusters are those of the fuzzy c-means of the centers. A box belongs to the cluster that it
/// is a member of most. It also belongs to each cluster whose bounds it overlaps, so that any two
/// boxes that overlap have a cluster in common. The first such cluster has the pair.
///
/// Clusters and directions are rounded, which changes the number of candidates only. The ends of a
/// box along a direction are rounded once, to the nearest `f64`, which keeps their order. So a box
/// is a candidate if the ends overlap or are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterSweep {
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The clusters of each box, a bit each. Empty boxes have none.
    memberships: Vec<u64>,
}

/// Boxes that are swept together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The direction of the sweep. Its components are whole numbers.
    pub direction: [f64; 2],
    /// The boxes by their smaller ends along the direction.
    pub items: Vec<u32>,
    /// The number of candidates of each of these boxes: those that come after it, and begin before
    /// or where it ends.
    pub n_candidates: Vec<usize>,
}

impl ClusterSweep {
    /// The sweeps of boxes in `n_clusters` clusters.
    ///
    /// # Panics
    ///
    /// Panics if there are no clusters or more than [`MAX_CLUSTERS`], or if there are more boxes
    /// than a `u32` can count.
    pub fn new(boxes: &[Aabb], n_clusters: usize) -> Self {
        assert!(
            (1..=MAX_CLUSTERS).contains(&n_clusters),
            "{n_clusters} clusters are not 1 to {MAX_CLUSTERS}"
        );
        let items: Vec<u32> = (0..u32::try_from(boxes.len()).expect("a box has a u32 as its index"))
            .filter(|item| !boxes[*item as usize].is_empty())
            .collect();
        let points: Vec<[f64; 2]> = items.iter().map(|item| center(boxes[*item as usize])).collect();
        let means = fuzzy_means(&points, n_clusters);
        let mut bounds = vec![Aabb::EMPTY; n_clusters];
        let mut memberships = vec![0; boxes.len()];
        for (item, point) in items.iter().zip(&points) {
            let weights = inverse_squares(*point, &means);
            // The first of equal ones.
            let most = (1..n_clusters).fold(0, |most, i| if weights[i] > weights[most] { i } else { most });
            bounds[most] = bounds[most].union(boxes[*item as usize]);
        }
        for item in &items {
            let is_member = |i: &usize| bounds[*i].overlaps(boxes[*item as usize]);
            memberships[*item as usize] =
                (0..n_clusters).filter(is_member).fold(0, |bits, i| bits | (1 << i));
        }
        let cluster = |i: usize| {
            let is_member = |item: &u32| (memberships[*item as usize] >> i) & 1 == 1;
            Cluster::new(boxes, items.iter().copied().filter(is_member).collect())
        };
        Self { clusters: (0..n_clusters).map(cluster).collect(), memberships }
    }

    /// The number of candidates of all clusters.
    pub fn n_candidates(&self) -> usize {
        self.clusters.iter().flat_map(|cluster| &cluster.n_candidates).sum()
    }

    /// The pairs of indices (i, j), i < j, of boxes that overlap, in ascending order.
    pub fn pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (i, cluster) in self.clusters.iter().enumerate() {
            for (place, n) in cluster.n_candidates.iter().enumerate() {
                let own = cluster.items[place];
                for other in &cluster.items[place + 1..][..*n] {
                    let both = self.memberships[own as usize] & self.memberships[*other as usize];
                    let is_first = both.trailing_zeros() as usize == i;
                    if is_first && boxes[own as usize].overlaps(boxes[*other as usize]) {
                        pairs.push([own.min(*other), own.max(*other)]);
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

impl Cluster {
    fn new(boxes: &[Aabb], mut items: Vec<u32>) -> Self {
        let points: Vec<[f64; 2]> = items.iter().map(|item| center(boxes[*item as usize])).collect();
        let direction = principal_direction(&points);
        let ends_of = |item: u32| ends(boxes[item as usize], direction);
        items.sort_by(|a, b| ends_of(*a)[0].total_cmp(&ends_of(*b)[0]));
        let begins: Vec<f64> = items.iter().map(|item| ends_of(*item)[0]).collect();
        let n_candidates = items.iter().zip(1..).map(|(item, next)| {
            let end = ends_of(*item)[1];
            begins[next..].partition_point(|begin| *begin <= end)
        });
        let n_candidates = n_candidates.collect();
        Self { direction, items, n_candidates }
    }
}

/// The center of a box, rounded.
fn center(aabb: Aabb) -> [f64; 2] {
    let Aabb { x0, y0, x1, y1 } = aabb;
    [f64::from(x0).midpoint(x1.into()), f64::from(y0).midpoint(y1.into())]
}

/// The smaller and the larger end of a box along a direction.
fn ends(aabb: Aabb, [a, b]: [f64; 2]) -> [f64; 2] {
    let of = |component: f64, low: f32, high: f32| {
        let [low, high] = [low, high].map(|v| component * f64::from(v));
        if component < 0.0 { [high, low] } else { [low, high] }
    };
    let (x, y) = (of(a, aabb.x0, aabb.x1), of(b, aabb.y0, aabb.y1));
    // The products are exact, so that each end is rounded once. A sum of 0 is +0.
    [x[0] + y[0] + 0.0, x[1] + y[1] + 0.0]
}

/// The direction in which points vary most: the eigenvector of the larger eigenvalue of their
/// covariance, as whole numbers, or (1024, 0) if all directions are alike.
pub fn principal_direction(points: &[[f64; 2]]) -> [f64; 2] {
    let n = points.len().max(1) as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / n);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for [x, y] in points {
        let [dx, dy] = [x - mean[0], y - mean[1]];
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    // Divided by the larger variance, so that small squares are not lost.
    let largest = f64::max(xx, yy);
    if largest <= 0.0 {
        return [DIRECTION_LENGTH, 0.0];
    }
    let (difference, covariance) = ((xx - yy) / largest, 2.0 * xy / largest);
    let root = (difference * difference + covariance * covariance).sqrt();
    let [x, y] =
        if difference >= 0.0 { [difference + root, covariance] } else { [covariance, root - difference] };
    let longest = f64::max(x.abs(), y.abs());
    if longest <= 0.0 {
        return [DIRECTION_LENGTH, 0.0];
    }
    [x, y].map(|component| (DIRECTION_LENGTH * component / longest).round())
}

/// The means of `n` clusters of points, by fuzzy c-means with the exponent 2.
///
/// # Source
///
/// Bezdek, *Pattern Recognition with Fuzzy Objective Function Algorithms* (1981). The first means
/// are points at equal distances in the order along the principal direction.
fn fuzzy_means(points: &[[f64; 2]], n: usize) -> Vec<[f64; 2]> {
    let [a, b] = principal_direction(points);
    let mut sorted = points.to_vec();
    let along = |point: &[f64; 2]| a * point[0] + b * point[1];
    sorted.sort_by(|p, q| along(p).total_cmp(&along(q)));
    let first = |i: usize| sorted.get((2 * i + 1) * sorted.len() / (2 * n)).copied().unwrap_or([0.0; 2]);
    let mut means: Vec<[f64; 2]> = (0..n).map(first).collect();
    for _ in 0..ROUNDS {
        // The sums of weighted points, and of weights.
        let mut sums = vec![[0.0; 3]; n];
        for [x, y] in points {
            let weights = inverse_squares([*x, *y], &means);
            let total: f64 = weights.iter().sum();
            for (sum, weight) in sums.iter_mut().zip(weights) {
                let membership = weight / total;
                let squared = membership * membership;
                *sum = [sum[0] + squared * x, sum[1] + squared * y, sum[2] + squared];
            }
        }
        for (mean, [x, y, total]) in means.iter_mut().zip(sums) {
            if total > 0.0 {
                *mean = [x / total, y / total];
            }
        }
    }
    means
}

/// The inverses of the squared distances of a point to the means. Their shares of the sum are the
/// memberships of the point.
fn inverse_squares([x, y]: [f64; 2], means: &[[f64; 2]]) -> Vec<f64> {
    let square = |[mean_x, mean_y]: &[f64; 2]| {
        let [dx, dy] = [x - mean_x, y - mean_y];
        1.0 / (dx * dx + dy * dy).max(LEAST_SQUARE)
    };
    means.iter().map(square).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::spatial::{Sweep, pairs};

    fn aabb([x0, y0, x1, y1]: [f64; 4]) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    }

    proptest! {
        #[test]
        fn any_number_of_clusters_has_the_same_pairs(
            corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40),
            n_clusters in 1_usize..9,
        ) {
            let boxes: Vec<Aabb> = corners.into_iter().map(|corner| aabb(corner.map(f64::from))).collect();
            prop_assert_eq!(ClusterSweep::new(&boxes, n_clusters).pairs(&boxes), pairs(&boxes));
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
            prop_assert_eq!(ClusterSweep::new(&boxes, n_clusters).pairs(&boxes), pairs(&boxes));
        }
    }

    #[test]
    fn boxes_along_a_diagonal_are_swept_along_it() {
        let square =
            |i: i32| aabb([f64::from(3 * i), f64::from(3 * i), f64::from(3 * i + 4), f64::from(3 * i + 4)]);
        let boxes: Vec<Aabb> = (0..50).map(square).collect();
        let sweep = ClusterSweep::new(&boxes, 1);
        assert_eq!(sweep.clusters[0].direction, [1024.0, 1024.0]);
        assert_eq!(sweep.pairs(&boxes), pairs(&boxes));
        assert_eq!(principal_direction(&[]), [1024.0, 0.0]);
        assert_eq!(principal_direction(&[[7.0, 7.0]; 3]), [1024.0, 0.0]);
        assert_eq!(principal_direction(&[[0.0, 1.0], [0.0, 9.0]]), [0.0, 1024.0]);
        assert_eq!(principal_direction(&[[-2.0, 1.0], [2.0, -1.0]]), [1024.0, -512.0]);
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
        assert_eq!(principal.pairs(&boxes), pairs(&boxes));
        assert_eq!(best.total(), 99);
        assert_eq!(principal.n_candidates(), 99 * 100 / 2);
    }
}
