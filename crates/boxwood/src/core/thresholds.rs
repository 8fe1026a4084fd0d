//! The fastest algorithm by the size of the input and the adapter.
//!
//! The measurements are in one table, `thresholds.csv` beside this file. `boxwood bench --synthetic
//! --thresholds` replaces the rows of the kind of adapter that it has measured.

use std::sync::OnceLock;

use wgpu::{AdapterInfo, DeviceType};

/// A task that several algorithms can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// A row of the table: the fastest algorithm from this size up to the next row of the same task and
/// adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The task.
    pub task: Task,
    /// A [`kind`] of adapter, or a part of an adapter's name, case ignored.
    pub adapter: String,
    /// The smallest size that the row applies to.
    pub from: u64,
    /// The name of the algorithm.
    pub algorithm: String,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thresholds(Vec<Threshold>);

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
    /// [`ThresholdsError`] with the first invalid line. The rows of a task and adapter must be
    /// adjacent. Their sizes must start at 0 and increase, so that every size has an algorithm.
    pub fn parse(text: &str) -> Result<Self, ThresholdsError> {
        let mut rows: Vec<Threshold> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let result = match index {
                0 if line == HEADER => Ok(()),
                0 => Err(format!("`{line}`, but must be `{HEADER}`")),
                _ => row(line, &rows).map(|row| rows.push(row)),
            };
            result.map_err(|reason| ThresholdsError { line: index + 1, reason })?;
        }
        Ok(Self(rows))
    }

    /// All rows.
    #[cfg(any(test, feature = "testing"))]
    pub fn rows(&self) -> &[Threshold] {
        &self.0
    }

    /// The name of the fastest algorithm, or `None` if the table has no row for the task.
    ///
    /// Rows with a part of the adapter's name take precedence over rows with its kind.
    pub fn fastest(&self, task: Task, n: usize, adapter: &AdapterInfo) -> Option<&str> {
        let name = adapter.name.to_lowercase();
        let kind = kind(adapter.device_type);
        let is_kind = |text: &str| KINDS.iter().any(|(_, name)| *name == text);
        let is_named = |text: &str| !is_kind(text) && name.contains(&text.to_lowercase());
        let of_task = || self.0.iter().filter(|row| row.task == task);
        let adapters = || of_task().map(|row| row.adapter.as_str());
        let chosen = adapters()
            .find(|text| is_named(text))
            .or_else(|| adapters().find(|&text| text == kind))
            .or_else(|| adapters().find(|&text| text == FALLBACK))?;
        let of_adapter = of_task().filter(|row| row.adapter == chosen);
        of_adapter.take_while(|row| row.from <= n as u64).last().map(|row| row.algorithm.as_str())
    }

    /// Replaces the rows of a task and adapter. Each new row is a size and the algorithm starting
    /// at that size; the first size is 0.
    #[cfg(any(test, feature = "testing"))]
    pub fn replace(&mut self, task: Task, adapter: &str, rows: &[(u64, String)]) {
        let is_old = |row: &Threshold| row.task == task && row.adapter == adapter;
        let at = self.0.iter().position(is_old).unwrap_or(self.0.len());
        self.0.retain(|row| !is_old(row));
        let new = rows.iter().map(|(from, algorithm)| Threshold {
            task,
            adapter: adapter.to_owned(),
            from: *from,
            algorithm: algorithm.clone(),
        });
        self.0.splice(at..at, new);
    }
}

/// Parses a line, which follows these rows.
fn row(line: &str, rows: &[Threshold]) -> Result<Threshold, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [task, adapter, from, algorithm] = fields[..] else {
        return Err(format!("{} fields instead of 4", fields.len()));
    };
    let task = Task::ALL
        .into_iter()
        .find(|known| known.name() == task)
        .ok_or_else(|| format!("`{task}` is not a task; the tasks are `match` and `boxes`"))?;
    let from: u64 = from.parse().map_err(|error| format!("{error}: {from}"))?;
    let is_same = |other: &&Threshold| other.task == task && other.adapter == adapter;
    match rows.last().filter(is_same) {
        Some(Threshold { from: before, .. }) if *before >= from => {
            Err(format!("{from} is not greater than {before}, the size of the row before"))
        }
        None if from > 0 => Err(format!("the first row of an adapter must start at 0, not {from}")),
        None if rows.iter().any(|other| is_same(&other)) => {
            Err(format!("{} on {adapter} has other rows further up", task.name()))
        }
        _ => Ok(Threshold { task, adapter: adapter.to_owned(), from, algorithm: algorithm.to_owned() }),
    }
}

#[cfg(any(test, feature = "testing"))]
impl std::fmt::Display for Thresholds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{HEADER}")?;
        for Threshold { task, adapter, from, algorithm } in &self.0 {
            writeln!(f, "{},{adapter},{from},{algorithm}", task.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
task,adapter,from,algorithm
match,discrete,0,simple
match,discrete,65537,look_back
match,cpu,0,look_back
match,Big GPU,0,hierarchical
boxes,discrete,0,hierarchical
";

    fn adapter(name: &str, device_type: DeviceType) -> AdapterInfo {
        let mut info = AdapterInfo::new(device_type, wgpu::Backend::Vulkan);
        name.clone_into(&mut info.name);
        info
    }

    #[test]
    fn a_table_round_trips_and_errors_name_the_line() {
        let table = Thresholds::parse(TABLE).expect("the table is valid");
        assert_eq!(table.to_string(), TABLE);
        for (line, row, reason) in [
            (2, "match,discrete,1,simple", "the first row of an adapter must start at 0, not 1"),
            (2, "match,discrete,0", "3 fields instead of 4"),
            (2, "knit,discrete,0,simple", "`knit` is not a task; the tasks are `match` and `boxes`"),
            (2, "match,discrete,-1,simple", "invalid digit found in string: -1"),
        ] {
            let error = Thresholds::parse(&format!("{HEADER}\n{row}\n")).expect_err("the row is invalid");
            assert_eq!(error, ThresholdsError { line, reason: reason.into() });
        }
        for (row, reason) in [
            ("boxes,discrete,0,simple", "0 is not greater than 0, the size of the row before"),
            ("match,cpu,0,simple", "match on cpu has other rows further up"),
        ] {
            let error = Thresholds::parse(&format!("{TABLE}{row}\n")).expect_err("the row is invalid");
            assert_eq!(error, ThresholdsError { line: 7, reason: reason.into() });
        }
        assert!(Thresholds::parse("n,algorithm\n").is_err());
    }

    #[test]
    fn a_name_takes_precedence_and_unknown_kinds_count_as_discrete() {
        let table = Thresholds::parse(TABLE).expect("the table is valid");
        let at = |n, name, device_type| table.fastest(Task::Match, n, &adapter(name, device_type));
        assert_eq!(at(0, "a GPU", DeviceType::DiscreteGpu), Some("simple"));
        assert_eq!(at(65_536, "a GPU", DeviceType::DiscreteGpu), Some("simple"));
        assert_eq!(at(65_537, "a GPU", DeviceType::DiscreteGpu), Some("look_back"));
        assert_eq!(at(9, "a big gpu (9)", DeviceType::DiscreteGpu), Some("hierarchical"));
        assert_eq!(at(9, "software", DeviceType::Cpu), Some("look_back"));
        assert_eq!(at(9, "a GPU", DeviceType::IntegratedGpu), Some("simple"));
        assert_eq!(Thresholds::default().fastest(Task::Match, 9, &adapter("", DeviceType::Cpu)), None);
    }

    #[test]
    fn rows_are_replaced_in_place() {
        let mut table = Thresholds::parse(TABLE).expect("the table is valid");
        table.replace(Task::Match, "discrete", &[(0, "look_back".into()), (7, "simple".into())]);
        table.replace(Task::Boxes, "cpu", &[(0, "simple".into())]);
        let expected = TABLE
            .replace("0,simple\nmatch,discrete,65537,look_back", "0,look_back\nmatch,discrete,7,simple")
            + "boxes,cpu,0,simple\n";
        assert_eq!(table.to_string(), expected);
    }

    /// On every kind of adapter, every size has an algorithm that exists and can hold it.
    #[cfg(all(feature = "papers", feature = "scene"))]
    #[test]
    fn the_built_in_table_is_complete() {
        use crate::scene::Algorithm;
        use crate::tree::Matcher;

        let table = Thresholds::built_in();
        assert!(["discrete", "cpu"].iter().all(|kind| table.rows().iter().any(|row| row.adapter == *kind)));
        for (index, row) in table.rows().iter().enumerate() {
            let next = table.rows().get(index + 1).filter(|next| next.from > 0);
            let last = next.map_or(i32::MAX as u64, |next| next.from - 1);
            match row.task {
                Task::Match => {
                    let matcher = Matcher::ALL.iter().find(|m| m.name() == row.algorithm);
                    assert!(matcher.is_some_and(|m| last <= m.max_entries()), "up to {last}: {row:?}");
                }
                Task::Boxes => {
                    let algorithm = Algorithm::ALL.iter().find(|a| a.name() == row.algorithm);
                    let is_unlimited = algorithm == Some(&Algorithm::Hierarchical);
                    assert!(algorithm.is_some() && (next.is_some() || is_unlimited), "up to {last}: {row:?}");
                }
            }
        }
        for (device_type, _) in KINDS {
            let adapter = adapter("", device_type);
            for n in [0, 1, 65_536, 65_537, 1 << 20, i32::MAX as usize] {
                assert!(Task::ALL.into_iter().all(|task| table.fastest(task, n, &adapter).is_some()));
                assert!(n as u64 <= Matcher::for_entries(n, &adapter).max_entries());
            }
        }
    }
}
