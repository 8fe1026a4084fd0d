//! The shader dialect: WGSL with the directives of Vello's shaders, and one more.
//!
//! - `#import name` inserts the text of `shared/name.wgsl`, the first time that the shader imports
//!   it.
//! - `#ifdef NAME`, `#ifndef NAME`, `#else`, and `#endif` select lines by the definitions of the
//!   shader.
//! - `#repeat i N` and `#endrepeat` repeat the lines between them N times, with `$i` replaced by
//!   `0u`, `1u`, and so on. Each copy is a block. `#repeat i N down` counts downwards. Compilers
//!   keep an array in registers only if every index is a constant, and naga generates no loops that
//!   they unroll.
//!
//! The build script includes this file.

use std::collections::BTreeSet;

/// A line of resolved WGSL, and its position in the file that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct SourceLine {
    pub(crate) file: String,
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// Resolves the directives of a file. `shared` returns the text of an imported file. The error
/// names the file and the line.
pub(crate) fn resolve(
    file: &str,
    source: &str,
    defines: &BTreeSet<&str>,
    shared: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<SourceLine>, String> {
    Resolver { defines, shared, imported: BTreeSet::new() }.lines_of(file, source)
}

struct Resolver<'a> {
    defines: &'a BTreeSet<&'a str>,
    shared: &'a dyn Fn(&str) -> Option<String>,
    imported: BTreeSet<String>,
}

impl Resolver<'_> {
    fn lines_of(&mut self, file: &str, source: &str) -> Result<Vec<SourceLine>, String> {
        let mut resolved: Vec<SourceLine> = Vec::new();
        // For each open `#repeat`, its variable, its values, and the number of lines before it.
        let mut repeats = Vec::new();
        // For each open `#ifdef`, whether its lines are kept.
        let mut kept: Vec<bool> = Vec::new();
        for (index, text) in source.lines().enumerate() {
            let number = index + 1;
            let line = |text: &str| SourceLine { file: file.to_owned(), number, text: text.to_owned() };
            let error = |message: String| format!("{file}.wgsl:{number}: {message}");
            let missing = |directive| error(format!("`{}` has no `{directive}` before it", text.trim()));
            let is_kept = kept.iter().all(|&kept| kept);
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["#repeat", ref arguments @ ..] => {
                    let usage = "write `#repeat NAME COUNT` or `#repeat NAME COUNT down`";
                    let (variable, values) = repeated(arguments).ok_or_else(|| error(usage.to_owned()))?;
                    repeats.push((variable, values, resolved.len()));
                }
                ["#endrepeat"] => {
                    let (variable, values, begin) = repeats.pop().ok_or_else(|| missing("#repeat"))?;
                    let body = resolved.split_off(begin);
                    for value in values.into_iter().filter(|_| is_kept) {
                        let with_value = |line: &SourceLine| SourceLine {
                            text: line.text.replace(&variable, &format!("{value}u")),
                            ..line.clone()
                        };
                        resolved.push(line("{"));
                        resolved.extend(body.iter().map(with_value));
                        resolved.push(line("}"));
                    }
                }
                ["#import", name] => {
                    let is_first = is_kept && self.imported.insert(name.to_owned());
                    if is_first {
                        let text = (self.shared)(name)
                            .ok_or_else(|| error(format!("no room has a file shared/{name}.wgsl")))?;
                        resolved.extend(self.lines_of(name, &text)?);
                    }
                }
                ["#ifdef", name] => kept.push(self.defines.contains(name)),
                ["#ifndef", name] => kept.push(!self.defines.contains(name)),
                ["#else"] => {
                    let last = kept.last_mut().ok_or_else(|| missing("#ifdef"))?;
                    *last = !*last;
                }
                ["#endif"] => drop(kept.pop().ok_or_else(|| missing("#ifdef"))?),
                [directive, ..] if directive.starts_with('#') => {
                    return Err(error(format!("`{}` is not a directive", text.trim())));
                }
                _ if is_kept => resolved.push(line(text)),
                _ => {}
            }
        }
        match (kept.is_empty(), repeats.is_empty()) {
            (true, true) => Ok(resolved),
            (false, _) => Err(format!("{file}.wgsl: an `#ifdef` has no `#endif`")),
            _ => Err(format!("{file}.wgsl: a `#repeat` has no `#endrepeat`")),
        }
    }
}

/// The variable and the values of a `#repeat`, from the words after it.
fn repeated(words: &[&str]) -> Option<(String, Vec<u32>)> {
    let (variable, count, is_down) = match words {
        [variable, count] => (variable, count, false),
        [variable, count, "down"] => (variable, count, true),
        _ => return None,
    };
    let mut values: Vec<u32> = (0..count.parse().ok()?).collect();
    if is_down {
        values.reverse();
    }
    Some((format!("${variable}"), values))
}

#[cfg(test)]
mod tests;
