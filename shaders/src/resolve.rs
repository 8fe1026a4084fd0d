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
use std::fmt;

/// A directive that is not valid.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResolveError {
    /// The file, without its folder and suffix.
    file: String,
    /// The line in it, starting at 1.
    line: usize,
    message: String,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.wgsl:{}: {}", self.file, self.line, self.message)
    }
}

/// A line of resolved WGSL, and its position in the file that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) file: String,
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// Resolves the directives of a file. `shared` returns the text of an imported file.
pub(crate) fn resolve(
    file: &str,
    source: &str,
    defines: &BTreeSet<&str>,
    shared: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Line>, ResolveError> {
    Resolver { defines, shared, imported: BTreeSet::new() }.lines_of(file, source)
}

struct Resolver<'a> {
    defines: &'a BTreeSet<&'a str>,
    shared: &'a dyn Fn(&str) -> Option<String>,
    imported: BTreeSet<String>,
}

impl Resolver<'_> {
    fn lines_of(&mut self, file: &str, source: &str) -> Result<Vec<Line>, ResolveError> {
        let mut resolved = Vec::new();
        let mut repeats: Vec<Repeat> = Vec::new();
        // For each open `#ifdef`, whether its lines are kept.
        let mut kept: Vec<bool> = Vec::new();
        for (index, text) in source.lines().enumerate() {
            let number = index + 1;
            let error = |message: String| ResolveError { file: file.to_owned(), line: number, message };
            let missing =
                |directive: &str| error(format!("`{}` has no `{directive}` before it", text.trim()));
            let is_kept = kept.iter().all(|&kept| kept);
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["#repeat", ref arguments @ ..] => {
                    let usage = "write `#repeat NAME COUNT` or `#repeat NAME COUNT down`";
                    repeats.push(Repeat::parse(arguments).ok_or_else(|| error(usage.to_owned()))?);
                }
                ["#endrepeat"] => {
                    let repeat = repeats.pop().ok_or_else(|| missing("#repeat"))?;
                    if is_kept {
                        repeats
                            .last_mut()
                            .map_or(&mut resolved, |outer| &mut outer.lines)
                            .extend(repeat.unrolled());
                    }
                }
                ["#import", name] if !is_kept || self.imported.contains(name) => {}
                ["#import", name] => {
                    self.imported.insert(name.to_owned());
                    let text = (self.shared)(name)
                        .ok_or_else(|| error(format!("no room has a file shared/{name}.wgsl")))?;
                    resolved.extend(self.lines_of(name, &text)?);
                }
                ["#ifdef", name] => kept.push(self.defines.contains(name)),
                ["#ifndef", name] => kept.push(!self.defines.contains(name)),
                ["#else"] => {
                    let last = kept.last_mut().ok_or_else(|| missing("#ifdef"))?;
                    *last = !*last;
                }
                ["#endif"] => {
                    kept.pop().ok_or_else(|| missing("#ifdef"))?;
                }
                [directive, ..] if directive.starts_with('#') => {
                    return Err(error(format!("`{}` is not a directive", text.trim())));
                }
                _ if is_kept => {
                    let line = Line { file: file.to_owned(), number, text: text.to_owned() };
                    repeats.last_mut().map_or(&mut resolved, |repeat| &mut repeat.lines).push(line);
                }
                _ => {}
            }
        }
        let unclosed = match (kept.is_empty(), repeats.is_empty()) {
            (true, true) => return Ok(resolved),
            (false, _) => "an `#ifdef` has no `#endif`",
            _ => "a `#repeat` has no `#endrepeat`",
        };
        let line = source.lines().count();
        Err(ResolveError { file: file.to_owned(), line, message: unclosed.to_owned() })
    }
}

/// An open `#repeat`, and the lines since then.
struct Repeat {
    variable: String,
    values: Vec<u32>,
    lines: Vec<Line>,
}

impl Repeat {
    /// The words after `#repeat`.
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
        Some(Self { variable: format!("${variable}"), values, lines: Vec::new() })
    }

    fn unrolled(self) -> impl Iterator<Item = Line> {
        let with_text = |line: &Line, text: String| Line { text, ..line.clone() };
        self.values.into_iter().flat_map(move |value| {
            let body = self
                .lines
                .iter()
                .map(|line| with_text(line, line.text.replace(&self.variable, &format!("{value}u"))));
            let brace = |brace: &str| self.lines.first().map(|line| with_text(line, brace.to_owned()));
            brace("{").into_iter().chain(body).chain(brace("}")).collect::<Vec<_>>()
        })
    }
}
