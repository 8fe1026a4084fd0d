//! The selection of what to check, as command-line options.

use clap::{Args, ValueEnum};

use super::case::Subject;

/// The largest power of 2 around which every family has all three sizes by default.
const ALL_SIZES_UP_TO: u32 = 16;

/// The selection of what to check on synthetic inputs.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// Check only these tasks, separated by commas. The default is all of them.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub what: Vec<Subject>,
    /// Check only the family of inputs with this name. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub family: Vec<String>,
    /// The minimum size, as a logarithm to base 2. A minimum of 0 includes inputs without elements.
    #[arg(long, value_name = "K", default_value_t = 0, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(0..=30))]
    pub min: u32,
    /// The maximum size, as a logarithm to base 2. Each size is checked with one element less and
    /// one more too.
    #[arg(long, value_name = "K", default_value_t = 13, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(0..=30))]
    pub max: u32,
    /// Check all three sizes around each power of 2 for every family, instead of alternating
    /// between them above 2^16.
    #[arg(long, hide_short_help = true)]
    pub all_sizes: bool,
    /// Also check extremes: 2^24 begins; 2^23 begins and as many ends; ten million leaves in three
    /// nodes.
    #[arg(long, hide_short_help = true)]
    pub extremes: bool,
    /// Run each algorithm for matching and boxes N times on each input, and compare every result.
    /// This reveals races.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

impl CheckOptions {
    /// All tasks on every family at sizes from 2^`min` to 2^`max`, once.
    #[cfg(test)]
    pub(super) fn new(min: u32, max: u32) -> Self {
        let (what, family) = (Vec::new(), Vec::new());
        Self { what, family, min, max, all_sizes: false, extremes: false, repeat: 1 }
    }

    pub(super) fn subjects(&self) -> Vec<Subject> {
        let is_selected = |subject: &Subject| self.what.is_empty() || self.what.contains(subject);
        Subject::value_variants().iter().copied().filter(is_selected).collect()
    }

    /// The sizes for the family with this index, in ascending order. Around large powers of 2, a
    /// family has one of the three sizes.
    pub(super) fn sizes(&self, family: usize) -> Vec<usize> {
        let mut sizes = if self.min == 0 { vec![0, 1] } else { Vec::new() };
        for k in self.min..=self.max {
            let around = [(1 << k) - 1, 1 << k, (1 << k) + 1];
            if k > ALL_SIZES_UP_TO && !self.all_sizes {
                sizes.push(around[(family + k as usize) % 3]);
            } else {
                sizes.extend(around);
            }
        }
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_around_powers_of_two() {
        assert_eq!(CheckOptions::new(0, 3).sizes(0), [0, 1, 2, 3, 4, 5, 7, 8, 9]);
        assert_eq!(CheckOptions::new(4, 4).sizes(9), [15, 16, 17]);
        let large = CheckOptions::new(20, 20);
        let mut alternating: Vec<usize> = (0..3).flat_map(|family| large.sizes(family)).collect();
        alternating.sort_unstable();
        assert_eq!(alternating, [(1 << 20) - 1, 1 << 20, (1 << 20) + 1]);
        assert_eq!(CheckOptions { all_sizes: true, ..large }.sizes(1), alternating);
    }
}
