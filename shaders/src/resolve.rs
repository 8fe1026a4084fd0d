//! The shader dialect: WGSL with `#import` and `#ifdef`, as Vello writes it.
//!
//! - `#import name` stands for the text of `shared/name.wgsl`, once a shader however often it is imported.
//! - `#ifdef NAME`, `#ifndef NAME`, `#else`, `#endif` keep or drop the lines between them.
//!
//! The build script includes this file too.

use std::collections::BTreeSet;
use std::fmt;

/// A directive that cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResolveError {
    /// The file, without its folder and suffix.
    pub(crate) file: String,
    /// The line in it, from 1.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) message: String,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.wgsl:{}: {}", self.file, self.line, self.message)
    }
}

/// The plain WGSL of `source`, with `defines` defined. `shared` gives the text of an imported file.
pub(crate) fn resolve(
    file: &str,
    source: &str,
    defines: &BTreeSet<&str>,
    shared: &dyn Fn(&str) -> Option<String>,
) -> Result<String, ResolveError> {
    let mut imported = BTreeSet::new();
    resolve_into(file, source, defines, shared, &mut imported)
}

fn resolve_into(
    file: &str,
    source: &str,
    defines: &BTreeSet<&str>,
    shared: &dyn Fn(&str) -> Option<String>,
    imported: &mut BTreeSet<String>,
) -> Result<String, ResolveError> {
    let mut resolved = String::with_capacity(source.len());
    // One entry an open #ifdef: whether its lines are kept.
    let mut kept: Vec<bool> = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let error = |message: String| ResolveError { file: file.to_owned(), line: index + 1, message };
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            if kept.iter().all(|&k| k) {
                resolved.push_str(line);
                resolved.push('\n');
            }
            continue;
        };
        let mut words = directive.split_whitespace();
        match (words.next().unwrap_or_default(), words.next()) {
            ("import", Some(name)) => {
                if kept.iter().all(|&k| k) && imported.insert(name.to_owned()) {
                    let text =
                        shared(name).ok_or_else(|| error(format!("there is no shared/{name}.wgsl")))?;
                    resolved.push_str(&resolve_into(name, &text, defines, shared, imported)?);
                }
            }
            ("ifdef", Some(name)) => kept.push(defines.contains(name)),
            ("ifndef", Some(name)) => kept.push(!defines.contains(name)),
            ("else", None) => {
                let last = kept.last_mut().ok_or_else(|| error("#else without #ifdef".to_owned()))?;
                *last = !*last;
            }
            ("endif", None) => {
                kept.pop().ok_or_else(|| error("#endif without #ifdef".to_owned()))?;
            }
            _ => return Err(error(format!("unknown directive `{}`", line.trim()))),
        }
    }
    if kept.is_empty() {
        Ok(resolved)
    } else {
        let line = source.lines().count();
        Err(ResolveError { file: file.to_owned(), line, message: "#ifdef without #endif".to_owned() })
    }
}
