//! The drawings that are compared: two files, or those with the same paths in two folders.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use boxwood_query::SCHEMA;
use serde::Serialize;

use crate::cells::printable;
use crate::input::Input;
use crate::json::{Format, text};
use crate::report::Report;

/// A drawing in both folders, or in one of them.
pub(super) enum Pair {
    /// The old drawing and the new one.
    Both([Input; 2]),
    /// A drawing that is on one side only.
    Only(OnlyIn),
}

/// A drawing that is in one folder only.
#[derive(Serialize)]
pub(super) struct OnlyIn {
    /// `old` or `new`.
    only: &'static str,
    file: String,
}

#[derive(Serialize)]
struct DiffLine<'a> {
    schema: u32,
    kind: &'static str,
    #[serde(flatten)]
    only: &'a OnlyIn,
}

impl OnlyIn {
    /// The text about the drawing.
    pub(super) fn text(&self, format: Format) -> io::Result<Vec<u8>> {
        let Self { only, file } = self;
        let text = match format {
            Format::Table => format!("{}: only in the {only} folder\n", printable(file)),
            Format::Json => format!("\n    {}", text(self)?),
            Format::Jsonl => text(&DiffLine { schema: SCHEMA, kind: "only", only: self })? + "\n",
        };
        Ok(text.into_bytes())
    }
}

/// Whether the inputs are folders.
///
/// # Errors
///
/// Only one of them is.
pub(super) fn are_folders(inputs: &[Input; 2]) -> Result<bool> {
    match inputs.each_ref().map(|input| folder(input).is_some()) {
        [old, new] if old == new => Ok(old),
        _ => bail!("a folder can only be compared with a folder: name two files, or two folders"),
    }
}

fn folder(input: &Input) -> Option<&Path> {
    match input {
        Input::Path(path) if path.is_dir() => Some(path),
        _ => None,
    }
}

/// The drawings to compare, sorted by their paths in the folders. Reports folders that cannot be
/// listed.
pub(super) fn pairs(inputs: &[Input; 2], report: &mut Report) -> Vec<Pair> {
    let [Some(old), Some(new)] = inputs.each_ref().map(folder) else {
        return vec![Pair::Both(inputs.clone())];
    };
    let mut by_path: BTreeMap<PathBuf, [Option<Input>; 2]> = BTreeMap::new();
    for (side, folder) in [old, new].into_iter().enumerate() {
        for input in inputs[side].files() {
            match &input {
                Input::Path(path) => {
                    let name = path.strip_prefix(folder).unwrap_or(path).to_owned();
                    by_path.entry(name).or_default()[side] = Some(input);
                }
                Input::NoFiles { message, .. } => report.error(message),
                Input::Stdin => {}
            }
        }
    }
    let pair = |sides: [Option<Input>; 2]| match sides {
        [Some(old), Some(new)] => Some(Pair::Both([old, new])),
        [Some(old), None] => Some(Pair::Only(OnlyIn { only: "old", file: old.to_string() })),
        [None, Some(new)] => Some(Pair::Only(OnlyIn { only: "new", file: new.to_string() })),
        [None, None] => None,
    };
    by_path.into_values().filter_map(pair).collect()
}
