//! The fastest algorithm by the size of the input and the adapter.
//!
//! The measurements are in one table, `thresholds.csv` beside this file. `boxwood_bench measure
//! --thresholds` replaces the rows of the kind of adapter that it has measured.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use wgpu::{AdapterInfo, DeviceType};

/// A task that several algorithms can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// Parenthesis matching of `n` entries, by a `Matcher`.
    Match,
    /// All boxes of a scene of `n` elements, by an `Algorithm`.
    Boxes,
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 2] = [Self::Match, Self::Boxes];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Boxes => "boxes",
        }
    }
}

/// The names of the fastest algorithms by the smallest size for which each is the fastest.
pub type Fastest = BTreeMap<u64, String>;

/// The table: the fastest algorithms for each task and [`kind`] of adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thresholds(BTreeMap<(Task, String), Fastest>);

/// A line of a table that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the thresholds: {reason}")]
pub struct ThresholdsError {
    /// Its number, starting at 1.
    pub line: usize,
    /// What is wrong with the line.
    pub reason: String,
}

const HEADER: &str = "task,adapter,from,algorithm";

/// The kind whose rows apply to kinds of adapter that nobody has measured.
const FALLBACK: &str = "discrete";

/// The kinds of adapters with their names, the fastest first.
pub(crate) const KINDS: [(DeviceType, &str); 5] = [
    (DeviceType::DiscreteGpu, "discrete"),
    (DeviceType::IntegratedGpu, "integrated"),
    (DeviceType::VirtualGpu, "virtual"),
    (DeviceType::Cpu, "cpu"),
    (DeviceType::Other, "other"),
];

/// The name of a kind of adapter.
pub fn kind(device_type: DeviceType) -> &'static str {
    let own = KINDS.iter().find(|(known, _)| *known == device_type);
    own.expect("every kind is listed").1
}

impl Thresholds {
    /// The table in this library.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Thresholds> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            Self::parse(include_str!("thresholds.csv")).expect("a test parses the same table")
        })
    }

    /// Parses the text that [`Display`](std::fmt::Display) writes.
    ///
    /// # Errors
    ///
    /// [`ThresholdsError`] with the first invalid line. The sizes of a task and adapter must start
    /// at 0 and increase, so that every size has an algorithm.
    pub fn parse(text: &str) -> Result<Self, ThresholdsError> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            let result = match index {
                0 if line == HEADER => Ok(()),
                0 => Err(format!("`{line}`, but must be `{HEADER}`")),
                _ => table.add(line),
            };
            result.map_err(|reason| ThresholdsError { line: index + 1, reason })?;
        }
        Ok(table)
    }

    /// Adds a row of the table.
    fn add(&mut self, row: &str) -> Result<(), String> {
        let fields: Vec<&str> = row.split(',').collect();
        let [task, adapter, from, algorithm] = fields[..] else {
            return Err(format!("{} fields instead of 4", fields.len()));
        };
        let task = Task::ALL
            .into_iter()
            .find(|known| known.name() == task)
            .ok_or_else(|| format!("`{task}` is not a task; the tasks are `match` and `boxes`"))?;
        if !KINDS.iter().any(|(_, known)| *known == adapter) {
            let known = KINDS.map(|(_, known)| known).join(", ");
            return Err(format!("`{adapter}` is not a kind of adapter; the kinds are {known}"));
        }
        let from: u64 = from.parse().map_err(|error| format!("{error}: {from}"))?;
        let fastest = self.0.entry((task, adapter.to_owned())).or_default();
        match fastest.last_key_value() {
            Some((before, _)) if *before >= from => {
                return Err(format!("{from} is not greater than {before}, the size of the row before"));
            }
            None if from > 0 => {
                return Err(format!("the first row of an adapter must start at 0, not {from}"));
            }
            _ => fastest.insert(from, algorithm.to_owned()),
        };
        Ok(())
    }

    /// The name of the fastest algorithm, or `None` if the table has no row for the task.
    pub fn fastest(&self, task: Task, n: usize, adapter: &AdapterInfo) -> Option<&str> {
        let of_kind = |kind: &str| self.0.get(&(task, kind.to_owned()));
        let fastest = of_kind(kind(adapter.device_type)).or_else(|| of_kind(FALLBACK))?;
        fastest.range(..=n as u64).next_back().map(|(_, algorithm)| algorithm.as_str())
    }

    /// The fastest algorithms for each task and kind of adapter.
    #[cfg(any(test, feature = "testing"))]
    pub fn all(&self) -> impl Iterator<Item = (Task, &str, &Fastest)> {
        self.0.iter().map(|((task, adapter), fastest)| (*task, adapter.as_str(), fastest))
    }

    /// Replaces the fastest algorithms for a task and kind of adapter. The first size must be 0.
    #[cfg(any(test, feature = "testing"))]
    pub fn replace(&mut self, task: Task, adapter: &str, fastest: Fastest) {
        self.0.insert((task, adapter.to_owned()), fastest);
    }
}

#[cfg(any(test, feature = "testing"))]
impl std::fmt::Display for Thresholds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (task, adapter, fastest) in self.all() {
            for (from, algorithm) in fastest {
                writeln!(f, "{},{adapter},{from},{algorithm}", task.name())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
task,adapter,from,algorithm
match,cpu,0,look_back
match,discrete,0,simple
match,discrete,65537,look_back
boxes,discrete,0,hierarchical
";

    fn adapter(device_type: DeviceType) -> AdapterInfo {
        AdapterInfo::new(device_type, wgpu::Backend::Vulkan)
    }

    #[test]
    fn a_table_round_trips_and_errors_name_the_line() {
        let table = Thresholds::parse(TABLE).expect("the table is valid");
        assert_eq!(table.to_string(), TABLE);
        for (line, row, reason) in [
            (2, "match,discrete,1,simple", "the first row of an adapter must start at 0, not 1"),
            (2, "match,discrete,0", "3 fields instead of 4"),
            (2, "knit,discrete,0,simple", "`knit` is not a task; the tasks are `match` and `boxes`"),
            (
                2,
                "match,discret,0,simple",
                "`discret` is not a kind of adapter; the kinds are discrete, integrated, virtual, cpu, other",
            ),
            (2, "match,discrete,-1,simple", "invalid digit found in string: -1"),
        ] {
            let error = Thresholds::parse(&format!("{HEADER}\n{row}\n")).expect_err("the row is invalid");
            assert_eq!(error, ThresholdsError { line, reason: reason.into() });
        }
        let error = Thresholds::parse(&format!("{TABLE}match,discrete,7,simple\n")).expect_err("7 < 65537");
        let reason = "7 is not greater than 65537, the size of the row before".into();
        assert_eq!(error, ThresholdsError { line: 6, reason });
        assert!(Thresholds::parse("n,algorithm\n").is_err());
    }

    #[test]
    fn kinds_without_rows_count_as_discrete() {
        let table = Thresholds::parse(TABLE).expect("the table is valid");
        let at = |n, device_type| table.fastest(Task::Match, n, &adapter(device_type));
        assert_eq!(at(0, DeviceType::DiscreteGpu), Some("simple"));
        assert_eq!(at(65_536, DeviceType::DiscreteGpu), Some("simple"));
        assert_eq!(at(65_537, DeviceType::DiscreteGpu), Some("look_back"));
        assert_eq!(at(9, DeviceType::Cpu), Some("look_back"));
        assert_eq!(at(9, DeviceType::IntegratedGpu), Some("simple"));
        assert_eq!(Thresholds::default().fastest(Task::Match, 9, &adapter(DeviceType::Cpu)), None);
    }

    #[test]
    fn the_rows_of_a_task_and_adapter_are_replaced() {
        let mut table = Thresholds::parse(TABLE).expect("the table is valid");
        let fastest = [(0, "look_back".to_owned()), (7, "simple".to_owned())];
        table.replace(Task::Match, "discrete", fastest.into());
        table.replace(Task::Boxes, "discrete", [(0, "small".to_owned())].into());
        // The table has no rows of this task and adapter yet.
        table.replace(Task::Boxes, "cpu", [(0, "simple".to_owned())].into());
        let expected = TABLE
            .replace("0,simple\nmatch,discrete,65537,look_back", "0,look_back\nmatch,discrete,7,simple")
            .replace("boxes,discrete,0,hierarchical", "boxes,cpu,0,simple\nboxes,discrete,0,small");
        assert_eq!(table.to_string(), expected);
    }

    /// On every kind of adapter, every size has an algorithm that exists and can hold it.
    #[cfg(all(feature = "papers", feature = "scene"))]
    #[test]
    fn the_built_in_table_is_complete() {
        use crate::scene::Algorithm;
        use crate::tree::Matcher;

        let table = Thresholds::built_in();
        for kind in ["discrete", "cpu"] {
            assert!(Task::ALL.into_iter().all(|task| table.all().any(|own| (own.0, own.1) == (task, kind))));
        }
        for (task, kind, fastest) in table.all() {
            let ends = fastest.keys().skip(1).map(|next| next - 1).chain([i32::MAX as u64]);
            for (last, name) in ends.zip(fastest.values()) {
                let max = match task {
                    Task::Match => Matcher::ALL.iter().find(|m| m.name() == name).map(|m| m.max_entries()),
                    Task::Boxes => {
                        Algorithm::ALL.iter().find(|a| a.name() == name).map(|a| a.limits().max_elements)
                    }
                };
                assert!(max.is_some_and(|max| last <= max), "{name} up to {last} on {kind}");
            }
        }
        for (device_type, _) in KINDS {
            let adapter = adapter(device_type);
            for n in [0, 1, 65_536, 65_537, 1 << 20, i32::MAX as usize] {
                assert!(Task::ALL.into_iter().all(|task| table.fastest(task, n, &adapter).is_some()));
                assert!(n as u64 <= Matcher::for_entries(n, &adapter).max_entries());
            }
        }
    }
}
