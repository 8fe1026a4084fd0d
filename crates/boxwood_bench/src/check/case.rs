//! An input with the results of the specification.

use boxwood::{Boxes, Node, Scene};
use clap::ValueEnum;

use super::word::Word;
use crate::inputs::{Family, Random, bits, node_stream, scene};

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
    TreeScan { nodes: Vec<Node>, values: Vec<Word>, down: Vec<Word>, up: Vec<Word> },
}

impl Case {
    /// The number of entries or elements.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Match { expected, .. } => expected.len(),
            Self::Boxes { scene, .. } => scene.len(),
            Self::TreeScan { nodes, .. } => nodes.len(),
        }
    }

    /// A case with `n` elements of a family, or up to `n` begins and ends.
    pub(super) fn new(subject: Subject, family: Family, n: usize) -> Self {
        let nodes = || node_stream(&family, n, n as u64);
        match subject {
            Subject::Match => {
                let nodes = nodes();
                Self::Match { bits: bits(&nodes), expected: boxwood_cpu::tree::match_parentheses(&nodes) }
            }
            Subject::Boxes => {
                // Sizes that exceed a power of 2 by one have odd boxes, and all others large ones.
                let has_odd = n > 1 && (n - 1).is_power_of_two();
                let scene = scene(&family, n, n as u64, has_odd);
                Self::Boxes { expected: Box::new(boxwood_cpu::boxes(&scene)), scene }
            }
            Subject::TreeScan => {
                let node = |(index, begins)| if begins { Node::begin(index) } else { Node::end(index) };
                let nodes: Vec<Node> = nodes().into_iter().enumerate().map(node).collect();
                let mut random = Random::new(3);
                let values: Vec<Word> = nodes.iter().map(|_| Word::random(&mut random)).collect();
                let down = boxwood_cpu::tree::scan_down(&nodes, &values);
                let up = boxwood_cpu::tree::scan_up(&nodes, &values);
                Self::TreeScan { nodes, values, down, up }
            }
        }
    }
}
