//! An input with the results of the specification.

use boxwood::{Boxes, Entry, Scene};
use boxwood_cpu::specification;
use clap::ValueEnum;

use super::word::Word;
use boxwood_inputs::{Family, Random, bits, node_stream, scene};

/// A task that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// Parenthesis matching, by every algorithm.
    Match,
    /// All boxes of a scene, by every algorithm.
    Boxes,
    /// Scans down and up a tree, with a monoid that is not commutative.
    TreeScan,
}

/// An input with the results of the specification.
#[derive(Debug)]
pub(super) enum Case {
    Match { bits: Vec<u32>, expected: Vec<i32> },
    Boxes { scene: Scene, expected: Box<Boxes> },
    TreeScan { entries: Vec<Entry>, values: Vec<Word>, down: Vec<Word>, up: Vec<Word> },
}

impl Case {
    /// The number of entries or elements.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Match { expected, .. } => expected.len(),
            Self::Boxes { scene, .. } => scene.len(),
            Self::TreeScan { entries, .. } => entries.len(),
        }
    }

    /// A case with `n` elements of a family, or up to `n` begins and ends.
    pub(super) fn new(subject: Subject, family: &Family, n: usize) -> Self {
        let seed = n as u64;
        match subject {
            Subject::Match => {
                let entries = node_stream(family, n, seed);
                let expected = specification::tree::match_parentheses(&entries);
                Self::Match { bits: bits(&entries), expected }
            }
            Subject::Boxes => {
                // Sizes that exceed a power of 2 by one have odd boxes, and all others large ones.
                let has_odd = n > 1 && (n - 1).is_power_of_two();
                let scene = scene(family, n, seed, has_odd);
                Self::Boxes { expected: Box::new(specification::boxes(&scene)), scene }
            }
            Subject::TreeScan => {
                let entry = |(index, begins)| if begins { Entry::begin(index) } else { Entry::end(index) };
                let entries: Vec<Entry> =
                    node_stream(family, n, seed).into_iter().enumerate().map(entry).collect();
                let mut random = Random::new(3);
                let values: Vec<Word> = entries.iter().map(|_| Word::random(&mut random)).collect();
                let down = specification::tree::scan_down(&entries, &values);
                let up = specification::tree::scan_up(&entries, &values);
                Self::TreeScan { entries, values, down, up }
            }
        }
    }
}
