//! Rows of measurements, as a table, and as plots.

mod plot;
mod row;

pub use self::plot::plot;
pub use self::row::{Check, Row, read_csv, write_csv};
pub(crate) use self::row::{Seconds, float};

/// The family that plots are measured on. It has all depths, and no period that
/// coincides with the partitions.
pub(crate) const MAIN_FAMILY: &str = "random walk, reflected";

/// The engine on one core, or another implementation for the CPU that is as fast as the project has
/// it.
pub(crate) const ONE_CORE: &str = "cpu";

/// The name of the variant that is the engine on all cores of the CPU.
pub(crate) const ALL_CORES: &str = "cpu_all_cores";

/// Whether a variant runs on all cores of the CPU.
pub fn is_on_all_cores(variant: &str) -> bool {
    variant == ALL_CORES || variant.ends_with(", all cores")
}

/// The specification, which defines the results and is not fast.
pub(crate) const SPECIFICATION: &str = "specification";

/// Whether a variant runs on the CPU. Forms of a variant have a name such as
/// `specification, sweep`.
pub(crate) fn is_on_cpu(variant: &str) -> bool {
    let name = variant.split(',').next().unwrap_or(variant);
    [ONE_CORE, ALL_CORES, SPECIFICATION].contains(&name)
}

/// The bytes that a copy moves per word: it reads one and writes one. The bound for matching is the
/// copy of one word per entry.
pub(crate) const COPY_BYTES: f64 = 8.0;

/// The bytes that the boxes of an entry move at least. In: its tag bits (1/4) and the box of its
/// shape (16). Out: its match (4), and half of its group box and of its clip box (8 + 8), since a
/// begin and its end share these.
pub(crate) const ENTRY_BYTES: f64 = 36.25;
