//! The contract of a shared file: the names that it provides, and the names that it requires other
//! files of the shader to declare.
//!
//! A shared file states both in comments:
//!
//! ```wgsl
//! // requires: least_of
//! // provides: previous_at_most
//! ```
//!
//! Names are compared as text. So in a shader with the file, no local variable and no member may
//! have a name that the file provides.
//!
//! The build script includes this file, and refuses a contract that the text does not keep.

use std::collections::{BTreeMap, BTreeSet};

/// The contract of a file, and the names that decide whether the file keeps it.
#[derive(Debug, Default)]
pub(crate) struct Contract<'a> {
    /// The names that the file requires.
    pub(crate) requires: BTreeSet<&'a str>,
    /// The names that the file provides.
    pub(crate) provides: BTreeSet<&'a str>,
    /// The files that it imports itself.
    pub(crate) imports: BTreeSet<&'a str>,
    /// The names that it declares at module scope.
    pub(crate) declares: BTreeSet<&'a str>,
    /// The identifiers in its code.
    uses: BTreeSet<&'a str>,
}

impl<'a> Contract<'a> {
    /// Reads the contract of a file from its text.
    pub(crate) fn of(source: &'a str) -> Self {
        let mut contract = Self::default();
        for line in source.lines() {
            if let Some(names) = line.strip_prefix("// requires:") {
                contract.requires.extend(names.split(',').map(str::trim));
            } else if let Some(names) = line.strip_prefix("// provides:") {
                contract.provides.extend(names.split(',').map(str::trim));
            } else if let Some(name) = line.trim_start().strip_prefix("#import") {
                contract.imports.insert(name.trim());
            } else if !line.trim_start().starts_with('#') {
                let code = line.split("//").next().unwrap_or_default();
                contract.declares.extend(declared_name(code));
                contract.uses.extend(identifiers(code));
            }
        }
        contract
    }
}

/// Checks the contracts of a shader and of all shared files in it, given by name. Returns the
/// violations.
pub(crate) fn violations(shader: &str, files: &BTreeMap<&str, Contract<'_>>) -> Vec<String> {
    let mut violations = Vec::new();
    let declared: BTreeSet<&str> = files.values().flat_map(|file| file.declares.iter().copied()).collect();
    let required: BTreeSet<&str> = files.values().flat_map(|file| file.requires.iter().copied()).collect();
    for (&name, file) in files {
        let mut report = |message: String| violations.push(format!("{name}.wgsl, in {shader}: {message}"));
        if name != shader && file.provides.is_empty() {
            report("has no `// provides:` with the names that other files use".to_owned());
        }
        for provided in file.provides.difference(&file.declares) {
            report(format!("provides `{provided}`, but does not declare it"));
        }
        for &required in &file.requires {
            if !file.uses.contains(required) {
                report(format!("requires `{required}`, but does not use it"));
            } else if file.declares.contains(required) {
                report(format!("requires `{required}`, but declares it itself"));
            } else if !declared.contains(required) {
                report(format!("requires `{required}`, which no file of the shader declares"));
            }
        }
        for (&other_name, other) in files.iter().filter(|&(&other, _)| other != name && other != shader) {
            let used = || other.provides.iter().filter(|&provided| file.uses.contains(provided));
            if file.imports.contains(other_name) {
                let is_required = other.provides.iter().any(|name| required.contains(name));
                if used().next().is_none() && !is_required {
                    report(format!("imports `{other_name}`, but uses nothing of it"));
                }
                continue;
            }
            for provided in used().filter(|&p| !file.requires.contains(p) && !file.declares.contains(p)) {
                report(format!("uses `{provided}`: import `{other_name}`, or require `{provided}`"));
            }
        }
    }
    violations
}

/// The name that a line of code declares at module scope.
fn declared_name(code: &str) -> Option<&str> {
    if code.starts_with(char::is_whitespace) {
        return None;
    }
    let keywords = ["fn ", "const ", "struct ", "alias ", "override "];
    let declaration = keywords.iter().find_map(|keyword| Some(code.split_once(keyword)?.1));
    let variable = || Some(code.split_once("var<")?.1.split_once('>')?.1);
    identifiers(declaration.or_else(variable)?).next()
}

/// The identifiers of a line of code that are not members of something else.
fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    code.split(move |c| !is_part(c))
        .map(|path| path.split('.').next().unwrap_or_default())
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests;
