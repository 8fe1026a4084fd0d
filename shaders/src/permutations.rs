//! The list of shaders that share a file, `wgsl/permutations`, in Vello's format.
//!
//! A line with the name of a file is followed by one line per shader: `+ name: DEFINE DEFINE`. A
//! listed file is not a shader by itself. Empty lines, and lines that start with `#`, are ignored.
//!
//! The build script includes this file.

use std::collections::{BTreeMap, BTreeSet};

/// A shader that is a file with some definitions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Permutation<'a> {
    /// The name of the shader.
    pub(crate) name: &'a str,
    /// The definitions.
    pub(crate) defines: BTreeSet<&'a str>,
}

/// The permutations of each file in the list. The error names the line.
pub(crate) fn parse(list: &str) -> Result<BTreeMap<&str, Vec<Permutation<'_>>>, String> {
    let mut permutations: BTreeMap<&str, Vec<Permutation<'_>>> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut file = None;
    for (index, line) in list.lines().map(str::trim).enumerate() {
        let error = |message: String| format!("permutations:{}: {message}", index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(permutation) = line.strip_prefix('+') else {
            if permutations.insert(line, Vec::new()).is_some() {
                return Err(error(format!("the file `{line}` is already listed above")));
            }
            file = Some(line);
            continue;
        };
        let own = file.and_then(|file| permutations.get_mut(file));
        let own = own.ok_or_else(|| error("name a file before its shaders".to_owned()))?;
        let (name, defines) = permutation.split_once(':').unwrap_or((permutation, ""));
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(error(format!(
                "`{name}` is not the name of a shader: write `+ name: DEFINE DEFINE`"
            )));
        }
        if !names.insert(name) {
            return Err(error(format!("the shader `{name}` is already listed above")));
        }
        own.push(Permutation { name, defines: defines.split_whitespace().collect() });
    }
    Ok(permutations)
}
