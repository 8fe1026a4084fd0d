//! The shaders that are compiled from a file.
//!
//! A file is one shader with its own name, unless the comment at its head lists its shaders, each
//! with its definitions:
//!
//! ```wgsl
//! // shader: spine_finish
//! // shader: spine_finish_linked: linked
//! ```
//!
//! The build script includes this file.

use std::collections::BTreeSet;

/// A shader that is a file with some definitions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Permutation<'a> {
    /// The name of the shader.
    pub(crate) name: &'a str,
    /// The definitions.
    pub(crate) defines: BTreeSet<&'a str>,
}

/// The shaders of a file, from its name and its text.
pub(crate) fn parse<'a>(file: &'a str, source: &'a str) -> Result<Vec<Permutation<'a>>, String> {
    let mut permutations = Vec::new();
    let head = source.lines().take_while(|line| line.starts_with("//"));
    for text in head.filter_map(|line| line.strip_prefix("// shader:")) {
        let (name, defines) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!(
                "{file}.wgsl: `{name}` is not the name of a shader: write `// shader: NAME: DEFINE DEFINE`"
            ));
        }
        permutations.push(Permutation { name, defines: defines.split_whitespace().collect() });
    }
    if permutations.is_empty() {
        permutations.push(Permutation { name: file, defines: BTreeSet::new() });
    }
    Ok(permutations)
}

/// Adds the names of a file's shaders to `names`. Returns an error for each that another shader
/// has.
pub(crate) fn duplicates<'a>(
    file: &str,
    permutations: &[Permutation<'a>],
    names: &mut BTreeSet<&'a str>,
) -> Vec<String> {
    let duplicates = permutations.iter().filter(|permutation| !names.insert(permutation.name));
    duplicates.map(|other| format!("{file}.wgsl: another shader has the name `{}`", other.name)).collect()
}

#[cfg(test)]
mod tests;
