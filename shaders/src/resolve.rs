//! The shader dialect: WGSL with `#import` and `#ifdef`, as Vello writes it.
//!
//! - `#import name` stands for the text of `shared/name.wgsl`, once a shader however often it is
//!   imported.
//! - `#ifdef NAME`, `#ifndef NAME`, `#else`, `#endif` keep or drop the lines between them.
//! - `#repeat i N` to `#endrepeat` stands for the lines between them N times, each a block, with
//!   `$i` as the literal `0u`, `1u` and so on; with `down` after N in falling order. Compilers keep
//!   an array in registers only where every index is a constant, and naga has no loops that they
//!   would unroll.
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

/// The lines of an open `#repeat`.
struct Repeat {
    variable: String,
    values: Vec<u32>,
    lines: String,
}

impl Repeat {
    /// Of the words after `#repeat`.
    fn parse(words: &[&str]) -> Option<Self> {
        let (variable, count, is_down) = match words {
            [variable, count] => (variable, count, false),
            [variable, count, "down"] => (variable, count, true),
            _ => return None,
        };
        let mut values: Vec<u32> = (0..count.parse().ok()?).collect();
        if is_down {
            values.reverse();
        }
        Some(Self { variable: format!("${variable}"), values, lines: String::new() })
    }

    fn unrolled(&self) -> String {
        let block = |value| format!("{{\n{}}}\n", self.lines.replace(&self.variable, &format!("{value}u")));
        self.values.iter().map(block).collect()
    }
}

fn resolve_into(
    file: &str,
    source: &str,
    defines: &BTreeSet<&str>,
    shared: &dyn Fn(&str) -> Option<String>,
    imported: &mut BTreeSet<String>,
) -> Result<String, ResolveError> {
    let mut resolved = String::with_capacity(source.len());
    let mut repeats: Vec<Repeat> = Vec::new();
    // One entry an open #ifdef: whether its lines are kept.
    let mut kept: Vec<bool> = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let error = |message: String| ResolveError { file: file.to_owned(), line: index + 1, message };
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            if kept.iter().all(|&k| k) {
                let out = repeats.last_mut().map_or(&mut resolved, |repeat| &mut repeat.lines);
                out.push_str(line);
                out.push('\n');
            }
            continue;
        };
        let all_words: Vec<&str> = directive.split_whitespace().collect();
        let mut words = all_words.iter().copied();
        match (words.next().unwrap_or_default(), words.next()) {
            ("repeat", Some(_)) => {
                let repeat = Repeat::parse(&all_words[1..]).ok_or_else(|| {
                    error("#repeat takes a name, a count, and `down` or nothing".to_owned())
                })?;
                repeats.push(repeat);
            }
            ("endrepeat", None) => {
                let repeat = repeats.pop().ok_or_else(|| error("#endrepeat without #repeat".to_owned()))?;
                if kept.iter().all(|&k| k) {
                    let out = repeats.last_mut().map_or(&mut resolved, |around| &mut around.lines);
                    out.push_str(&repeat.unrolled());
                }
            }
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
    let unclosed = |message: &str| {
        Err(ResolveError { file: file.to_owned(), line: source.lines().count(), message: message.to_owned() })
    };
    if !kept.is_empty() {
        return unclosed("#ifdef without #endif");
    }
    if !repeats.is_empty() {
        return unclosed("#repeat without #endrepeat");
    }
    Ok(resolved)
}
