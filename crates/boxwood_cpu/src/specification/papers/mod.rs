//! Algorithms as their papers describe them, for readers of the papers.
//!
//! - [`Stack`]: the stack monoid, Levien 2022, section 4.
//! - [`BicTree`] and [`search_parentheses`]: matching by a search of a tree of bicyclic sums,
//!   section 5.
//! - [`adaptive_bitonic_merge`]: Bilardi, Nicolau 1989, "Adaptive bitonic sorting".
//! - [`odd_even_sort`], [`bitonic_sort`]: the sorting networks of Batcher 1968, by recursion;
//!   [`OPTIMAL_16`], the one of 16 wires with the fewest stages.
//! - [`ClusterSweep`]: pairs of overlapping boxes by sweeps along the principal axes of clusters,
//!   Zachmann, "Massively Parallel Algorithms".
//! - [`reduce_stream`]: Roger, Assarsson, Holzschuch 2007, "Efficient Stream Reduction on the GPU",
//!   and Horn 2005.

mod adaptive_bitonic;
mod cluster_sweep;
mod recursive_networks;
mod stack_monoid;
mod stream_reduction;
mod tree_search;

pub use adaptive_bitonic::{adaptive_bitonic_merge, adaptive_bitonic_sort};
pub use cluster_sweep::{CLUSTER_ROUNDS, ClusterEntry, ClusterSweep, MAX_CLUSTERS, principal_direction};
pub use recursive_networks::{OPTIMAL_16, bitonic_sort, odd_even_sort, without_descending_comparators};
pub use stack_monoid::Stack;
pub use stream_reduction::{ReducedStream, StreamSearch, reduce_stream, removed_sums, search_stream};
pub use tree_search::{BicTree, search_parentheses};
