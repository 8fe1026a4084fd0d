//! What to check, as the command line says it.

use clap::{Args, ValueEnum};

use super::Subject;
use crate::Family;
use crate::error::BenchError;
use crate::families;
use crate::session::find_family;

/// What to check on synthetic inputs.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// What to check, separated by commas; without it, everything.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', conflicts_with = "inputs")]
    pub what: Vec<Subject>,
    /// Only the family of inputs with this name; may be given more than once.
    #[arg(long, value_name = "NAME", conflicts_with = "inputs")]
    pub family: Vec<String>,
    /// The least size, as the logarithm to base 2. From 0, inputs of no and of one element are checked too.
    #[arg(long, value_name = "K", default_value_t = 0, conflicts_with = "inputs",
        value_parser = clap::value_parser!(u32).range(0..=30))]
    pub min: u32,
    /// The largest size, as the logarithm to base 2. Each is taken with one less and one more.
    #[arg(long, value_name = "K", default_value_t = 13, conflicts_with = "inputs",
        value_parser = clap::value_parser!(u32).range(0..=30))]
    pub max: u32,
    /// Above 2^16 take all three sizes around a power of 2 for every family, instead of one in turn.
    #[arg(long, conflicts_with = "inputs")]
    pub all_sizes: bool,
    /// Check the extremes too: 2^24 begins, 2^24 begins then ends, ten million leaves in three nodes.
    #[arg(long, conflicts_with = "inputs")]
    pub extremes: bool,
    /// Run each boxes and match algorithm so often over the same input, and compare every result: a race shows.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "inputs",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// The largest power of 2 around which every family takes all sizes.
const ALL_SIZES_UP_TO: u32 = 16;

impl CheckOptions {
    /// Everything on every family at sizes from 2^`min` to 2^`max`, once.
    pub fn new(min: u32, max: u32) -> Self {
        let (what, family) = (Vec::new(), Vec::new());
        Self { what, family, min, max, all_sizes: false, extremes: false, repeat: 1 }
    }

    pub(super) fn subjects(&self) -> Vec<Subject> {
        let is_wanted = |subject: &Subject| self.what.is_empty() || self.what.contains(subject);
        Subject::value_variants().iter().copied().filter(is_wanted).collect()
    }

    pub(super) fn families(&self) -> Result<Vec<Family>, BenchError> {
        if self.family.is_empty() {
            return Ok(families());
        }
        self.family.iter().map(|name| find_family(name)).collect()
    }

    /// The sizes that the family with this index takes, ascending.
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
    fn sizes_are_those_around_powers_of_two() {
        assert_eq!(CheckOptions::new(0, 3).sizes(0), [0, 1, 2, 3, 4, 5, 7, 8, 9]);
        assert_eq!(CheckOptions::new(4, 4).sizes(9), [15, 16, 17]);
        let large = CheckOptions::new(20, 20);
        let mut turns: Vec<usize> = (0..3).flat_map(|family| large.sizes(family)).collect();
        turns.sort_unstable();
        assert_eq!(turns, [(1 << 20) - 1, 1 << 20, (1 << 20) + 1]);
        assert_eq!(CheckOptions { all_sizes: true, ..large }.sizes(1), turns);
    }
}
