//! Which algorithm is the fastest, by the size of the input and the adapter.
//!
//! All that is known is in one table, `thresholds.csv` beside this file. `boxwood bench --synthetic --thresholds` replaces the
//! rows of the kind of adapter that it has measured.

use std::fmt;
use std::sync::OnceLock;

use wgpu::{AdapterInfo, DeviceType};

use crate::matcher::Matcher;
use crate::stage::Matching;

/// A task that several algorithms can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// To match parentheses, `n` being the entries: by a [`Matcher`].
    Match,
    /// All boxes of a scene, `n` being the elements: by a [`Matching`].
    Boxes,
}

impl Task {
    const ALL: [Self; 2] = [Self::Match, Self::Boxes];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Boxes => "boxes",
        }
    }
}

/// A row of the table: from so many on, up to the next row of the task and adapter, this algorithm is the fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What is to be done.
    pub task: Task,
    /// A kind of adapter as [`kind`] has it, or a part of an adapter's name, case ignored.
    pub adapter: String,
    /// The least size.
    pub from: u64,
    /// The name of the algorithm.
    pub algorithm: String,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thresholds(Vec<Threshold>);

/// A line of a table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the thresholds: {reason}")]
pub struct ThresholdsError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

const HEADER: &str = "task,adapter,from,algorithm";

/// Whose rows hold for adapters of a kind that nobody has measured.
const FALLBACK: &str = "discrete";

/// The name of a kind of adapter.
pub fn kind(device_type: DeviceType) -> &'static str {
    match device_type {
        DeviceType::DiscreteGpu => "discrete",
        DeviceType::IntegratedGpu => "integrated",
        DeviceType::VirtualGpu => "virtual",
        DeviceType::Cpu => "cpu",
        DeviceType::Other => "other",
    }
}

impl Matcher {
    /// The fastest algorithm for `n` entries on this adapter.
    pub fn for_entries(n: usize, adapter: &AdapterInfo) -> Self {
        let name = Thresholds::built_in().fastest(Task::Match, n, adapter);
        let named = Self::ALL.into_iter().find(|matcher| name == Some(matcher.name()));
        named.filter(|matcher| n as u64 <= matcher.max_entries()).unwrap_or(Self::Hierarchical)
    }
}

impl Matching {
    /// The fastest way to the boxes of a scene of `n_elements` on this adapter.
    pub fn for_elements(n_elements: usize, adapter: &AdapterInfo) -> Self {
        let name = Thresholds::built_in().fastest(Task::Boxes, n_elements, adapter);
        let named = Self::ALL.into_iter().find(|matching| name == Some(matching.name()));
        // No scene has more entries in its node stream than elements.
        let is_able = |matching: &Self| matching.limits().check(n_elements, n_elements).is_ok();
        named.filter(is_able).unwrap_or(Self::Hierarchical)
    }
}

impl Thresholds {
    /// The table that this library was built with.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Thresholds> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            Self::parse(include_str!("thresholds.csv")).expect("the tests have read the same table")
        })
    }

    /// The table that [`Display`](fmt::Display) has written.
    ///
    /// # Errors
    ///
    /// The first line that is none of a table's. The rows of each task and adapter come one after the other, the first from 0,
    /// each from more than the one before, so that every size has its algorithm.
    pub fn parse(text: &str) -> Result<Self, ThresholdsError> {
        let mut rows: Vec<Threshold> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let error = |reason: String| ThresholdsError { line: index + 1, reason };
            if index == 0 {
                if line != HEADER {
                    return Err(error(format!("`{line}`, which must be `{HEADER}`")));
                }
                continue;
            }
            let row = row(line).map_err(error)?;
            let of_same = |other: &&Threshold| other.task == row.task && other.adapter == row.adapter;
            match rows.last().filter(of_same) {
                Some(before) if before.from >= row.from => {
                    return Err(error(format!(
                        "{} is not above the {} of the row before",
                        row.from, before.from
                    )));
                }
                None if row.from > 0 => {
                    return Err(error(format!("the first row of an adapter is from 0, not {}", row.from)));
                }
                None if rows.iter().any(|other| of_same(&other)) => {
                    let Threshold { task, adapter, .. } = row;
                    return Err(error(format!("{} on {adapter} has rows further above", task.name())));
                }
                _ => rows.push(row),
            }
        }
        Ok(Self(rows))
    }

    /// All rows.
    pub fn rows(&self) -> &[Threshold] {
        &self.0
    }

    /// The name of the fastest algorithm; none where nothing is known of the task.
    ///
    /// Rows with a part of the adapter's name go before those of its kind.
    pub fn fastest(&self, task: Task, n: usize, adapter: &AdapterInfo) -> Option<&str> {
        let name = adapter.name.to_lowercase();
        let kind = kind(adapter.device_type);
        let is_kind = |text: &str| DEVICE_TYPES.iter().any(|&device_type| self::kind(device_type) == text);
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

    /// Replaces the rows of a task on an adapter by others, each a size and the algorithm from there on. The first is from 0.
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

const DEVICE_TYPES: [DeviceType; 5] = [
    DeviceType::DiscreteGpu,
    DeviceType::IntegratedGpu,
    DeviceType::VirtualGpu,
    DeviceType::Cpu,
    DeviceType::Other,
];

fn row(line: &str) -> Result<Threshold, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [task, adapter, from, algorithm] = fields[..] else {
        return Err(format!("{} fields, where there must be 4", fields.len()));
    };
    let task = Task::ALL
        .into_iter()
        .find(|known| known.name() == task)
        .ok_or_else(|| format!("`{task}` is no task; there are `match` and `boxes`"))?;
    let from = from.parse().map_err(|error| format!("{error}: {from}"))?;
    Ok(Threshold { task, adapter: adapter.to_owned(), from, algorithm: algorithm.to_owned() })
}

impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    fn the_table_survives_its_file_and_says_where_it_is_wrong() {
        let table = Thresholds::parse(TABLE).expect("it is a table");
        assert_eq!(table.to_string(), TABLE);
        for (line, row, reason) in [
            (2, "match,discrete,1,simple", "the first row of an adapter is from 0, not 1"),
            (2, "match,discrete,0", "3 fields, where there must be 4"),
            (2, "knit,discrete,0,simple", "`knit` is no task; there are `match` and `boxes`"),
            (2, "match,discrete,-1,simple", "invalid digit found in string: -1"),
        ] {
            let error = Thresholds::parse(&format!("{HEADER}\n{row}\n")).expect_err("it is no table");
            assert_eq!(error, ThresholdsError { line, reason: reason.into() });
        }
        for (row, reason) in [
            ("boxes,discrete,0,simple", "0 is not above the 0 of the row before"),
            ("match,cpu,0,simple", "match on cpu has rows further above"),
        ] {
            let error = Thresholds::parse(&format!("{TABLE}{row}\n")).expect_err("it is no table");
            assert_eq!(error, ThresholdsError { line: 7, reason: reason.into() });
        }
        assert!(Thresholds::parse("n,algorithm\n").is_err());
    }

    #[test]
    fn a_name_goes_before_a_kind_and_unknown_kinds_are_as_discrete() {
        let table = Thresholds::parse(TABLE).expect("it is a table");
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
    fn rows_are_replaced_in_their_place() {
        let mut table = Thresholds::parse(TABLE).expect("it is a table");
        table.replace(Task::Match, "discrete", &[(0, "look_back".into()), (7, "simple".into())]);
        table.replace(Task::Boxes, "cpu", &[(0, "simple".into())]);
        let expected = TABLE
            .replace("0,simple\nmatch,discrete,65537,look_back", "0,look_back\nmatch,discrete,7,simple")
            + "boxes,cpu,0,simple\n";
        assert_eq!(table.to_string(), expected);
    }

    /// Every size from 0 on has an algorithm that exists and can hold it, on every kind of adapter.
    #[test]
    fn the_built_in_table_is_whole() {
        let table = Thresholds::built_in();
        assert!(["discrete", "cpu"].iter().all(|kind| table.rows().iter().any(|row| row.adapter == *kind)));
        for (index, row) in table.rows().iter().enumerate() {
            let next = table.rows().get(index + 1).filter(|next| next.from > 0);
            let last = next.map_or(i32::MAX as u64, |next| next.from - 1);
            match row.task {
                Task::Match => {
                    let matcher = Matcher::ALL.into_iter().find(|m| m.name() == row.algorithm);
                    assert!(matcher.is_some_and(|m| last <= m.max_entries()), "up to {last}: {row:?}");
                }
                Task::Boxes => {
                    let matching = Matching::ALL.into_iter().find(|m| m.name() == row.algorithm);
                    let is_endless = matching == Some(Matching::Hierarchical);
                    assert!(matching.is_some() && (next.is_some() || is_endless), "up to {last}: {row:?}");
                }
            }
        }
        for device_type in DEVICE_TYPES {
            let adapter = adapter("", device_type);
            for n in [0, 1, 65_536, 65_537, 1 << 20, i32::MAX as usize] {
                assert!(Task::ALL.into_iter().all(|task| table.fastest(task, n, &adapter).is_some()));
                assert!(n as u64 <= Matcher::for_entries(n, &adapter).max_entries());
            }
        }
    }
}
