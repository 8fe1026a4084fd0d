//! An input, and what the specification says of it.

use boxwood::{Boxes, Node, Scene};
use clap::ValueEnum;

use super::word::Word;
use crate::input::{Shapes, bits, elements_of, first_begins};
use crate::{Family, Random};

/// What can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// The parentheses matching problem, by every matcher.
    Match,
    /// All boxes of a scene, by every matching.
    Boxes,
    /// Scans down and up a tree, of a monoid that does not commute.
    TreeScan,
}

/// An input, and what the specification says of it.
#[derive(Debug)]
pub(super) enum Case {
    Match { bits: Vec<u32>, expected: Vec<i32> },
    Boxes { elements: Scene, expected: Box<Boxes> },
    TreeScan { nodes: Vec<Node>, values: Vec<Word>, down: Vec<Word>, up: Vec<Word> },
}

/// Where the elements of a case come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// So many of a family.
    Family(Family, usize),
    /// Begins, then leaves, then ends, of each so many.
    Runs([usize; 3]),
}

impl Source {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Family(family, n) => family.bytes(n, n as u64),
            Self::Runs([n_begins, n_leaves, n_ends]) => {
                let run = |entry, n| std::iter::repeat_n(entry, n);
                run(b'(', n_begins).chain(run(b'.', n_leaves)).chain(run(b')', n_ends)).collect()
            }
        }
    }

    /// How many elements it has.
    pub(super) fn n(self) -> usize {
        match self {
            Self::Family(_, n) => n,
            Self::Runs(runs) => runs.iter().sum(),
        }
    }

    /// The begins and ends, as many as there are elements where a longer stream of the family has so many.
    fn begins(self) -> Vec<bool> {
        let begins = first_begins(&self.bytes(), self.n());
        match self {
            Self::Family(family, n) if begins.len() < n && begins.len() >= n / 4 => {
                first_begins(&family.bytes(4 * n, n as u64), n)
            }
            _ => begins,
        }
    }
}

impl Case {
    /// How many entries or elements it has.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Match { expected, .. } => expected.len(),
            Self::Boxes { elements, .. } => elements.len(),
            Self::TreeScan { nodes, .. } => nodes.len(),
        }
    }

    pub(super) fn new(subject: Subject, source: Source) -> Self {
        match subject {
            Subject::Match => {
                let begins = source.begins();
                Self::Match { bits: bits(&begins), expected: boxwood_cpu::tree::match_parentheses(&begins) }
            }
            Subject::Boxes => {
                // One more than a power of 2 is as good as any other size for what is odd.
                let n = source.n();
                let is_odd = n > 1 && (n - 1).is_power_of_two();
                let shapes = if is_odd { Shapes::Odd } else { Shapes::Large };
                let elements = elements_of(&source.bytes(), shapes);
                Self::Boxes { expected: Box::new(boxwood_cpu::boxes(&elements)), elements }
            }
            Subject::TreeScan => {
                let node = |(index, begins)| if begins { Node::begin(index) } else { Node::end(index) };
                let nodes: Vec<Node> = source.begins().into_iter().enumerate().map(node).collect();
                let mut random = Random::new(3);
                let values: Vec<Word> = nodes.iter().map(|_| Word::random(&mut random)).collect();
                let down = boxwood_cpu::tree::scan_down(&nodes, &values);
                let up = boxwood_cpu::tree::scan_up(&nodes, &values);
                Self::TreeScan { nodes, values, down, up }
            }
        }
    }
}
