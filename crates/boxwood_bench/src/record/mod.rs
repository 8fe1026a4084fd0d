//! Rows of measurements, as a table, as plots, and as thresholds.

mod plot;
mod row;
mod thresholds;

pub use self::plot::plot;
pub use self::row::{Check, Row, read_csv, write_csv};
pub(crate) use self::row::{Seconds, float};
pub use self::thresholds::update_thresholds;

/// The family that plots and thresholds are measured on. It has all depths, and no period that
/// coincides with the partitions.
pub(crate) const MAIN_FAMILY: &str = "random walk, reflected";

/// The bytes that a copy moves per word: it reads one and writes one. The bound for matching is the
/// copy of one word per entry.
pub(crate) const COPY_BYTES: f64 = 8.0;

/// The bytes that the boxes of an entry move at least. In: its tag bits (1/4) and the box of its
/// shape (16). Out: its match (4), and half of its group box and of its clip box (8 + 8), since a
/// begin and its end share these.
pub(crate) const ENTRY_BYTES: f64 = 36.25;
