//! The algorithms of the papers as published that are not variants of others.
//!
//! - [`ClusterSweep`]: Zachmann, *Massively Parallel Algorithms*, "The Cluster-PCA-Based Sweep
//!   Plane Method".
//! - [`stream_reduction`]: Roger, Assarsson, Holzschuch 2007, and Horn 2005.
//!
//! The others are variants of [`Algorithm`](crate::Algorithm), [`Matcher`](crate::tree::Matcher),
//! and [`Sorter`](crate::spatial::Sorter), in the same rooms as these.

mod cluster_sweep;
pub mod stream_reduction;

#[cfg(feature = "testing")]
pub use self::cluster_sweep::ClusterConfig;
pub use self::cluster_sweep::{ClusterSweep, Clusters};
