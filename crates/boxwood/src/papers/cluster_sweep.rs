//! Sweeps over clusters as published: the pairs of boxes that overlap, by one sweep per cluster
//! along its principal axis. All clusters are swept by the same dispatches.
//!
//! Zachmann, *Massively Parallel Algorithms*, "The Cluster-PCA-Based Sweep Plane Method".
//! [`spatial::Pairs`](crate::spatial::Pairs) has fewer candidates. This is here for comparison.
//!
//! Specification: `boxwood_cpu::specification::papers::ClusterSweep`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::papers::{CLUSTER_ROUNDS, MAX_CLUSTERS};
use boxwood_shaders::papers::{
    ClusterAssign, ClusterBounds, ClusterCandidates, ClusterCenters, ClusterDirections, ClusterEntries,
    ClusterEntrySums, ClusterMeans, ClusterMembers, ClusterWeights,
};
use bytemuck::{Pod, Zeroable};

use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};
use crate::spatial::{
    CandidateTest, Count, CountSlot, Counted, Items, MAX_ITEMS, OUTPUTS_PER_PARTITION, Scan, Sort, Sorted,
    SpatialError, Stage, Sums, Swept, check_items, check_range, plan_pairs, stage_methods,
};

/// The number of boxes of a workgroup of `cluster_centers.wgsl`.
const CENTERS_PER_WORKGROUP: u32 = 1024;

/// The number of boxes of a share, if there are few: one per invocation.
const SHARE_LENGTH: u32 = WORKGROUP_SIZE;

/// The maximum number of workgroups that sum up shares of the boxes. Each invocation of
/// `cluster_centers.wgsl` unites one result.
const MAX_SHARES: u32 = WORKGROUP_SIZE;

/// The number of buffered clusters: the maximum, so that the index of a cluster, which has six bits
/// in the key of an entry, is in range.
const N_CLUSTERS: u32 = 64;
const _: () = assert!(N_CLUSTERS as usize == MAX_CLUSTERS);

/// The sums of 64 bits of a cluster, as in `cluster_sums.wgsl`.
const SUMS_PER_CLUSTER: u32 = 3;

/// The parameters of the stage. `cluster_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ClusterConfig {
    /// The number of items that the buffers have room for. These are boxes, or entries.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The number of clusters.
    pub n_clusters: u32,
    /// The number of workgroups that sum up shares of the boxes.
    pub n_shares: u32,
    /// The number of boxes that the buffers have room for, for entries.
    pub box_capacity: u32,
    /// The word of the buffer of the number of boxes.
    pub box_count_word: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// Clusters that boxes are divided into.
///
/// A box has an entry in the cluster with the nearest mean, and in each other one whose bounds it
/// overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clusters {
    /// The number of clusters, at most 64. 0 is the same as 1.
    pub n_clusters: u32,
    /// The maximum number of entries. 0 is the same as 1.
    pub entry_capacity: u32,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 8 bytes per pair, 36 per box, and up to 48 per entry.
#[derive(Debug)]
pub struct ClusterSweep {
    stage: Stage,
    pairs: Slot,
    /// The sums of the numbers of pairs.
    pair_sums: Sums,
    entries_needed: Slot,
    candidates_needed: Slot,
}

impl ClusterSweep {
    /// Allocates and binds the buffers, with room for `output_capacity` pairs. `boxes` is an
    /// `array<vec4<f32>>`.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::OutOfRange`] if there are too many clusters.
    /// - [`SpatialError::TooLarge`] if the buffer of the caller has no room for its boxes, or a
    ///   result is larger than a storage binding of the device.
    /// - [`SpatialError::TooManyItems`] for 2^31 entries or pairs or more.
    pub fn new(
        context: &Context,
        boxes: Items<'_>,
        clusters: Clusters,
        output_capacity: u32,
    ) -> Result<Self, SpatialError> {
        check_items(output_capacity, MAX_ITEMS)?;
        check_range("n_clusters", clusters.n_clusters, N_CLUSTERS)?;
        check_items(clusters.entry_capacity, MAX_ITEMS)?;
        // Without a cluster, no box would have an entry.
        let n_clusters = clusters.n_clusters.max(1);
        let mut plan = Plan::new("boxwood.papers", ());
        plan.begin("boxwood.cluster_sweep");
        let boxes = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
        let clustered = plan_clusters(&mut plan, boxes, n_clusters);
        let entries = plan_entries(&mut plan, boxes, clustered, n_clusters, clusters.entry_capacity.max(1));
        let (pairs, pair_sums) = plan_pairs(&mut plan, entries.swept, output_capacity);
        plan.end();
        let stage = Stage::new(context, plan, boxes.count)?;
        let Entries { needed: entries_needed, candidates_needed, .. } = entries;
        Ok(Self { stage, pairs, pair_sums, entries_needed, candidates_needed })
    }

    stage_methods!("boxes");

    /// Out: the indices i and j, i < j, of the boxes of each pair, `array<vec2<u32>>`, in the order
    /// of [`ClusterSweep::pairs`](boxwood_cpu::specification::papers::ClusterSweep::pairs).
    pub fn pairs(&self) -> &wgpu::Buffer {
        &self.stage[self.pairs]
    }

    /// Out: the number of pairs, one `u32`. If it exceeds the capacity, the pairs beyond the
    /// capacity are missing.
    ///
    /// It is `u32::MAX` if it is this or more, if there are so many candidates, or if the entries
    /// exceed their capacity. Then all pairs are missing.
    pub fn needed(&self) -> &wgpu::Buffer {
        &self.stage[self.pair_sums.total]
    }

    /// Out: the number of entries, one `u32`. It is `u32::MAX` if it is this or more. If it exceeds
    /// the capacity, all pairs are missing.
    pub fn entries_needed(&self) -> &wgpu::Buffer {
        &self.stage[self.entries_needed]
    }

    /// Out: the number of candidates, one `u32`. It is `u32::MAX` if it is this or more, or if the
    /// entries exceed their capacity.
    pub fn n_candidates(&self) -> &wgpu::Buffer {
        &self.stage[self.candidates_needed]
    }

    /// Out: the number of pairs, for the stage after this one. Its capacity must be that of the
    /// pairs or less.
    pub fn n_pairs(&self) -> Count<'_> {
        Count::Gpu { buffer: self.needed(), word: 0 }
    }
}

/// The clusters of boxes, in a plan.
#[derive(Clone, Copy)]
struct Clustered {
    /// The places of the corners of each box in the grid.
    box_places: Slot,
    /// The direction of each cluster.
    directions: Slot,
    /// The clusters of each box, a bit each, and their number.
    members: Slot,
    n_entries: Slot,
}

/// Adds the dispatches that divide boxes into clusters, and find the direction of each.
fn plan_clusters(plan: &mut Plan<u32>, boxes: Counted, n_clusters: u32) -> Clustered {
    let Counted { items: boxes, count: CountSlot { buffer: item_counts, word: count_word, capacity, .. } } =
        boxes;
    let n_shares = capacity.div_ceil(SHARE_LENGTH).clamp(1, MAX_SHARES);
    let config = ClusterConfig { capacity, count_word, n_clusters, n_shares, ..ClusterConfig::default() };
    let config = plan.uniform("cluster_config", &config);
    let unions = plan.buffer::<Aabb>("unions", n_shares);
    let box_places = plan.buffer::<[u32; 4]>("box_places", capacity);
    let centers = plan.buffer::<u32>("centers", capacity);
    let means = plan.buffer::<u32>("means", N_CLUSTERS);
    let cluster_bounds = plan.buffer::<[u32; 4]>("cluster_bounds", N_CLUSTERS);
    let sums = plan.buffer::<[u32; 2]>("cluster_sums", SUMS_PER_CLUSTER * N_CLUSTERS);
    let directions = plan.buffer::<[i32; 2]>("directions", N_CLUSTERS);
    let members = plan.buffer::<[u32; 2]>("members", capacity);
    let n_entries = plan.buffer::<u32>("n_entries", capacity);

    plan.dispatch(ClusterBounds { config, item_counts, boxes, unions }, n_shares);
    let find_centers =
        ClusterCenters { config, item_counts, boxes, unions, box_places, centers, means, cluster_bounds };
    plan.dispatch(find_centers, capacity.div_ceil(CENTERS_PER_WORKGROUP));
    // Each round needs the means of all boxes in the round before it, so it is a pair of
    // dispatches.
    for _ in 0..CLUSTER_ROUNDS {
        plan.dispatch(ClusterWeights { config, item_counts, centers, means, sums }, n_shares);
        plan.dispatch(ClusterMeans { config, sums, means }, 1);
    }
    // Bounds and moments are of the boxes whose nearest mean is the cluster's: each box counts
    // once.
    let assign = ClusterAssign { config, item_counts, centers, means, sums, boxes, cluster_bounds };
    plan.dispatch(assign, n_shares);
    plan.dispatch(ClusterDirections { config, sums, directions }, 1);
    let find_members = ClusterMembers { config, item_counts, boxes, cluster_bounds, members, n_entries };
    plan.dispatch(find_members, capacity.div_ceil(WORKGROUP_SIZE));
    Clustered { box_places, directions, members, n_entries }
}

/// The entries of boxes in clusters, in a plan.
struct Entries {
    swept: Swept,
    /// The number of entries, which can exceed the capacity.
    needed: Slot,
    candidates_needed: Slot,
}

/// Adds the sweeps of all clusters up to their candidates.
fn plan_entries(
    plan: &mut Plan<u32>,
    boxes: Counted,
    clustered: Clustered,
    n_clusters: u32,
    entry_capacity: u32,
) -> Entries {
    let Counted { items: boxes, count: box_count } = boxes;
    let Clustered { box_places, directions, members, n_entries } = clustered;
    let entry_sums = Scan::plan(plan, box_count.of(n_entries));
    let count = entry_sums.n_total(entry_capacity);
    let config = ClusterConfig {
        capacity: entry_capacity,
        count_word: count.word,
        n_clusters,
        n_shares: 0,
        box_capacity: box_count.capacity,
        box_count_word: box_count.word,
        padding: [0; 2],
    };
    let config = plan.uniform("cluster_config", &config);
    let item_counts = count.buffer;
    let [begin_keys, items, n_candidates] =
        ["begin_keys", "items", "n_candidates"].map(|name| plan.buffer::<u32>(name, entry_capacity));
    let list = ClusterEntries {
        config,
        item_counts,
        box_counts: box_count.buffer,
        sums: entry_sums.sums,
        members,
        box_places,
        directions,
        begin_keys,
        items,
    };
    plan.dispatch(list, entry_capacity.div_ceil(OUTPUTS_PER_PARTITION));
    // The cluster is in the upper bits of a key, so that one sort orders the entries of all
    // clusters.
    let Sorted { keys, values: items } = Sort::plan(plan, count.of(begin_keys), Some(items), u32::BITS);
    let n_workgroups = entry_capacity.div_ceil(WORKGROUP_SIZE);
    let candidates =
        ClusterCandidates { config, item_counts, keys, items, box_places, directions, n_candidates };
    plan.dispatch(candidates, n_workgroups);
    let Sums { sums, total } = Scan::plan(plan, count.of(n_candidates));
    // From here on, the candidates of all clusters are tested as those of a single sweep.
    let swept = plan.buffer::<[u32; 4]>("swept", entry_capacity);
    plan.dispatch(ClusterEntrySums { config, item_counts, keys, items, members, sums, swept }, n_workgroups);
    let swept = Swept { items: count.of(swept), sums, test: CandidateTest::Boxes(boxes) };
    Entries { swept, needed: entry_sums.total, candidates_needed: total }
}
