//! Scans over a tree of values of any monoid.

mod buffers;
mod error;
mod monoid;
mod stages;
mod tree_scan;

pub use self::buffers::TreeScanBuffers;
pub use self::error::TreeScanError;
pub use self::monoid::{MAX_STRIDE, Monoid};
pub use self::tree_scan::TreeScan;
#[cfg(feature = "testing")]
use crate::core::grid::Grid;
#[cfg(feature = "testing")]
use crate::core::plan::Plan;

/// The stages of a scan over values of `stride` bytes.
#[cfg(feature = "testing")]
pub(crate) fn scan_stages(stride: usize, n_entries: u32) -> Plan<Grid> {
    stages::ScanPlan::new(stride, n_entries).plan
}
