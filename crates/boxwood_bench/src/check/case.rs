//! An input with the results of the specification.

use boxwood::{Boxes, Entry, Scene};
use clap::ValueEnum;

use super::spatial::{self, Words};
use super::word::Word;
use crate::error::BenchError;
use crate::inputs::{BoxFamily, Family, Random, bits, box_families, families, node_stream, scene};

/// A task that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// Parenthesis matching, by every algorithm.
    Match,
    /// All boxes of a scene, by every algorithm.
    Boxes,
    /// Scans down and up a tree, with a monoid that is not commutative.
    TreeScan,
    /// The stages that use boxes, such as selection, sorting, and queries, by every algorithm.
    Spatial,
}

/// A task with a family of its inputs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    Match(Family),
    Boxes(Family),
    TreeScan(Family),
    Spatial(BoxFamily),
}

impl Task {
    /// The task with a family of trees, unless its inputs are boxes.
    pub(super) fn on_trees(subject: Subject, family: Family) -> Option<Self> {
        match subject {
            Subject::Match => Some(Self::Match(family)),
            Subject::Boxes => Some(Self::Boxes(family)),
            Subject::TreeScan => Some(Self::TreeScan(family)),
            Subject::Spatial => None,
        }
    }

    /// The largest power of 2 around which every family has all three sizes by default. The spatial
    /// stages have dozens of algorithms, so their families share the sizes.
    pub(super) fn all_sizes_up_to(self) -> u32 {
        if matches!(self, Self::Spatial(_)) { 0 } else { 16 }
    }

    /// The name of the family.
    pub(super) fn family(self) -> &'static str {
        match self {
            Self::Match(family) | Self::Boxes(family) | Self::TreeScan(family) => family.name,
            Self::Spatial(family) => family.name,
        }
    }
}

/// The tasks with the families of these names, or with every family if there are no names. The
/// tasks of a family are in a row.
pub(super) fn tasks(subjects: &[Subject], names: &[String]) -> Result<Vec<Task>, BenchError> {
    let on_trees = families()
        .into_iter()
        .flat_map(|family| subjects.iter().filter_map(move |&subject| Task::on_trees(subject, family)));
    let on_boxes = box_families().into_iter().filter(|_| subjects.contains(&Subject::Spatial));
    let mut tasks: Vec<Task> = on_trees.chain(on_boxes.map(Task::Spatial)).collect();
    let is_known = |name: &&String| tasks.iter().any(|task| task.family() == **name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let mut known: Vec<&str> = tasks.iter().map(|task| task.family()).collect();
        known.dedup();
        let known = known.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        return Err(BenchError::NoSuchFamily { name: name.clone(), known });
    }
    tasks.retain(|task| names.is_empty() || names.iter().any(|name| name == task.family()));
    Ok(tasks)
}

/// An input with the results of the specification.
#[derive(Debug)]
pub(super) enum Case {
    Match {
        bits: Vec<u32>,
        expected: Vec<i32>,
    },
    Boxes {
        scene: Scene,
        expected: Box<Boxes>,
    },
    TreeScan {
        entries: Vec<Entry>,
        values: Vec<Word>,
        down: Vec<Word>,
        up: Vec<Word>,
    },
    /// The expected results are those of [`spatial::STAGES`].
    Spatial {
        input: Box<spatial::Input>,
        expected: Vec<Option<Vec<Words>>>,
    },
}

impl Case {
    /// The number of entries or elements.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Match { expected, .. } => expected.len(),
            Self::Boxes { scene, .. } => scene.len(),
            Self::TreeScan { entries, .. } => entries.len(),
            Self::Spatial { input, .. } => input.boxes.len(),
        }
    }

    /// A case with `n` elements of a family, or up to `n` begins and ends.
    pub(super) fn new(task: Task, n: usize) -> Self {
        let entries = |family| node_stream(&family, n, n as u64);
        match task {
            Task::Match(family) => {
                let entries = entries(family);
                Self::Match {
                    bits: bits(&entries),
                    expected: boxwood_cpu::specification::tree::match_parentheses(&entries),
                }
            }
            Task::Boxes(family) => {
                // Sizes that exceed a power of 2 by one have odd boxes, and all others large ones.
                let has_odd = n > 1 && (n - 1).is_power_of_two();
                let scene = scene(&family, n, n as u64, has_odd);
                Self::Boxes { expected: Box::new(boxwood_cpu::specification::boxes(&scene)), scene }
            }
            Task::TreeScan(family) => {
                let entry = |(index, begins)| if begins { Entry::begin(index) } else { Entry::end(index) };
                let entries: Vec<Entry> = entries(family).into_iter().enumerate().map(entry).collect();
                let mut random = Random::new(3);
                let values: Vec<Word> = entries.iter().map(|_| Word::random(&mut random)).collect();
                let down = boxwood_cpu::specification::tree::scan_down(&entries, &values);
                let up = boxwood_cpu::specification::tree::scan_up(&entries, &values);
                Self::TreeScan { entries, values, down, up }
            }
            Task::Spatial(family) => {
                let input = Box::new(spatial::Input::new(family, n));
                Self::Spatial { expected: spatial::specified(&input), input }
            }
        }
    }
}
