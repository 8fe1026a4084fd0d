//! Custom properties, and the references to them by `var()`.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use cssparser::{ParseError, Parser, Token};

use super::ignored::Ignored;
use super::properties::{Specified, Wide};

/// The largest length of a value with its references replaced, in bytes.
///
/// Values of drawings are far shorter. Without a limit, 40 properties that each refer to the next
/// one twice would have 10¹² bytes.
const MAX_LENGTH: usize = 1 << 16;

/// The largest length of all values of a drawing with their references replaced, in bytes.
const MAX_ALL_LENGTH: usize = 1 << 28;

/// The largest number of properties that refer to each other in a row.
const MAX_CHAIN: usize = 256;

/// Whether a value refers to a custom property or to the environment.
pub(crate) fn has_reference(text: &str) -> bool {
    text.match_indices('(').any(|(at, _)| {
        let name = at.checked_sub(3).and_then(|start| text.get(start..at));
        name.is_some_and(|name| name.eq_ignore_ascii_case("var") || name.eq_ignore_ascii_case("env"))
    })
}

/// The custom properties of an element: its own, and those that it inherits. A property without a
/// valid value is `None`.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    own: HashMap<Rc<str>, Option<Rc<str>>>,
    inherited: Option<Rc<Self>>,
}

impl Variables {
    /// The value of a custom property, `None` if it has none.
    fn get(&self, name: &str) -> Option<Rc<str>> {
        let mut variables = Some(self);
        while let Some(Self { own, inherited }) = variables {
            if let Some(value) = own.get(name) {
                return value.clone();
            }
            variables = inherited.as_deref();
        }
        None
    }
}

/// Replaces references in a drawing.
pub(crate) struct Substitution<'a> {
    ignored: &'a Ignored,
    /// The number of bytes of all values so far.
    n_bytes: Cell<usize>,
}

impl<'a> Substitution<'a> {
    pub(crate) const fn new(ignored: &'a Ignored) -> Self {
        Self { ignored, n_bytes: Cell::new(0) }
    }

    /// The custom properties of an element, given its own declarations, the one that takes
    /// precedence for each name.
    pub(crate) fn variables(
        &self,
        declared: &HashMap<Rc<str>, Specified>,
        inherited: Option<&Rc<Variables>>,
        at: usize,
    ) -> Option<Rc<Variables>> {
        if declared.is_empty() {
            return inherited.cloned();
        }
        let resolver = Resolver {
            substitution: self,
            at,
            declared,
            inherited,
            known: HashMap::with_capacity(declared.len()),
            open: Vec::new(),
        };
        let own = resolver.resolve_all();
        Some(Rc::new(Variables { own, inherited: inherited.cloned() }))
    }

    /// A value with its references replaced. `None` if it is then invalid.
    pub(crate) fn value(&self, text: &str, variables: Option<&Variables>, at: usize) -> Option<String> {
        let mut get = |name: &str| variables.and_then(|variables| variables.get(name));
        self.replace(text, &mut get, at)
    }

    fn replace(&self, text: &str, get: &mut dyn FnMut(&str) -> Option<Rc<str>>, at: usize) -> Option<String> {
        let mut written = Writer { text: String::new(), get, is_too_long: false };
        let is_valid = written.copy(&mut Parser::new(text)).is_ok();
        let Writer { text, mut is_too_long, .. } = written;
        let n_bytes = self.n_bytes.get().saturating_add(text.len());
        self.n_bytes.set(n_bytes);
        is_too_long |= n_bytes > MAX_ALL_LENGTH;
        if is_too_long {
            self.ignored.add("variables with long values", at);
        }
        (is_valid && !is_too_long).then_some(text)
    }
}

/// Resolves the custom properties of one element, which may refer to each other.
struct Resolver<'a> {
    substitution: &'a Substitution<'a>,
    at: usize,
    declared: &'a HashMap<Rc<str>, Specified>,
    inherited: Option<&'a Rc<Variables>>,
    known: HashMap<Rc<str>, Option<Rc<str>>>,
    /// The properties that are being resolved, each with whether it is in a cycle.
    open: Vec<(Rc<str>, bool)>,
}

impl Resolver<'_> {
    fn resolve_all(mut self) -> HashMap<Rc<str>, Option<Rc<str>>> {
        for name in self.declared.keys() {
            self.get(name);
        }
        self.known
    }

    fn inherited(&self, name: &str) -> Option<Rc<str>> {
        self.inherited.and_then(|inherited| inherited.get(name))
    }

    fn get(&mut self, name: &str) -> Option<Rc<str>> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        if let Some(start) = self.open.iter().position(|(open, _)| &**open == name) {
            // CSS Variables, section 2.3: all properties in a cycle are invalid.
            self.open[start..].iter_mut().for_each(|(_, is_in_cycle)| *is_in_cycle = true);
            return None;
        }
        let Some((name, value)) = self.declared.get_key_value(name) else { return self.inherited(name) };
        if self.open.len() >= MAX_CHAIN {
            self.substitution.ignored.add(format!("variables in a chain of more than {MAX_CHAIN}"), self.at);
            return None;
        }
        self.open.push((Rc::clone(name), false));
        let value = match value {
            Specified::Deferred(text, _) => {
                let (substitution, at) = (self.substitution, self.at);
                substitution.replace(text, &mut |name| self.get(name), at).map(Rc::from)
            }
            Specified::Text(text) => Some(Rc::clone(text)),
            Specified::Wide(Wide::Initial) => None,
            Specified::Wide(_) => self.inherited(name),
        };
        let is_in_cycle = self.open.pop().is_some_and(|(_, is_in_cycle)| is_in_cycle);
        let value = value.filter(|_| !is_in_cycle);
        self.known.insert(Rc::clone(name), value.clone());
        value
    }
}

/// A value that is written with its references replaced.
struct Writer<'g> {
    text: String,
    get: &'g mut dyn FnMut(&str) -> Option<Rc<str>>,
    is_too_long: bool,
}

impl Writer<'_> {
    /// Copies the tokens that are left.
    fn copy(&mut self, input: &mut Parser<'_>) -> Result<(), ParseError<()>> {
        loop {
            let start = input.position();
            let Ok(token) = input.next_including_whitespace() else { return Ok(()) };
            let token = token.clone();
            let close = match &token {
                Token::Function(name) if name.eq_ignore_ascii_case("var") => {
                    self.reference(input)?;
                    continue;
                }
                Token::Function(name) if name.eq_ignore_ascii_case("env") => {
                    input.parse_nested_block(|input| {
                        // A screen without a notch has no insets. No other variable is defined, so
                        // the fallback is used.
                        if input.expect_ident()?.starts_with("safe-area-inset-") {
                            while input.next().is_ok() {}
                            return self.write("0px");
                        }
                        self.fallback(input)
                    })?;
                    continue;
                }
                Token::Function(_) | Token::ParenthesisBlock => ")",
                Token::SquareBracketBlock => "]",
                Token::CurlyBracketBlock => "}",
                _ => "",
            };
            if token.is_parse_error() {
                return Err(ParseError::unexpected_token());
            }
            // A token must not grow together with the end of a value that was put before it.
            let text = input.slice_from(start);
            let is_space = text.starts_with(char::is_whitespace);
            self.write(if is_space { " " } else { text })?;
            if !close.is_empty() {
                input.parse_nested_block(|input| self.copy(input))?;
                self.write(close)?;
            }
        }
    }

    fn write(&mut self, text: &str) -> Result<(), ParseError<()>> {
        self.text.push_str(text);
        self.is_too_long |= self.text.len() > MAX_LENGTH;
        if self.is_too_long { Err(ParseError::unexpected_token()) } else { Ok(()) }
    }

    /// Writes what a `var()` stands for, whose name has just been read.
    fn reference(&mut self, input: &mut Parser<'_>) -> Result<(), ParseError<()>> {
        input.parse_nested_block(|input| {
            let name = input.expect_ident()?.clone();
            if !name.starts_with("--") {
                return Err(ParseError::unexpected_token());
            }
            match (self.get)(&name) {
                Some(value) => {
                    // A value does not grow together with the tokens around it.
                    self.write(" ")?;
                    self.write(&value)?;
                    self.write(" ")?;
                    while input.next().is_ok() {}
                    Ok(())
                }
                None => self.fallback(input),
            }
        })
    }

    /// Writes the rest of a reference, after a comma.
    fn fallback(&mut self, input: &mut Parser<'_>) -> Result<(), ParseError<()>> {
        input.expect_comma()?;
        self.write(" ")?;
        self.copy(input)?;
        self.write(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{resolved, style};

    #[test]
    fn references_are_replaced() {
        for (declarations, expected) in [
            ("--c: red; fill: var(--c)", "fill:red"),
            ("fill: var(--c, blue)", "fill:blue"),
            ("fill: var(--c,var(--d,  lime))", "fill:lime"),
            ("--n: 3; stroke-width: calc(var(--n) * 2px)", "stroke-width:calc( 3  * 2px)"),
            ("--a: 1 2; --b: rgb(var(--a) 3); fill: var(--b)", "fill:rgb( 1 2  3)"),
            ("--c: INITIAL; fill: var(--c, blue)", "fill:blue"),
            ("--around: inherit; fill: var(--around)", "fill:green"),
            ("fill: var(--around)", "fill:green"),
            ("--Around: x; fill: var(--around)", "fill:green"),
            ("--f: bold 9px/1.2 A; font: var(--f)", ""),
            ("--m: url(#m); marker: var(--m)", "marker-end:url(#m);marker-mid:url(#m);marker-start:url(#m)"),
            ("--e:; stroke: var(--e) red", "stroke:red"),
            ("r: env(foo, 5px)", "r:5px"),
            ("r: env(safe-area-inset-top, 5px)", "r:0px"),
            // Invalid once replaced: the inherited or initial value.
            ("--c: 9px; opacity: .5; opacity: var(--c)", "opacity:1"),
            ("fill: var(--missing)", ""),
            ("--a: var(--b); --b: var(--a); fill: var(--a, lime)", "fill:lime"),
            ("--a: var(--a) red; --b: blue; fill: var(--b)", "fill:blue"),
            ("--a: var(--b) ; --b: var(--c); --c: var(--b, red); stroke: var(--a, tan)", "stroke:tan"),
        ] {
            let text =
                format!("<g style='--around: green'><rect id='a' fill='tan' style='{declarations}'/></g>");
            if declarations.starts_with("--f:") {
                assert!(style(&text).contains("font-size:9px;font-stretch:normal"), "{}", style(&text));
            } else {
                assert_eq!(style(&text), expected, "{declarations}");
            }
        }
    }

    #[test]
    fn values_have_a_largest_length() {
        let declarations: String =
            (0..40).map(|i| format!("--v{i}: var(--v{0}) var(--v{0});", i + 1)).collect();
        let rule = format!("{declarations} --v40: red; fill: var(--v0, blue)");
        let text = format!("<svg><style>g {{ {rule} }}</style><g/></svg>");
        let (ignored, styled) = resolved(&text);
        assert_eq!(ignored.len(), 1, "{ignored:?}");
        assert!(ignored[0].contains("(variables with long values)"), "{ignored:?}");
        let last = styled.elements().last().and_then(|node| node.attribute("fill"));
        assert_eq!(last, Some("blue"));
        let chain: String = (0..9_999).map(|i| format!("--v{i}: var(--v{});", i + 1)).collect();
        let (ignored, _) = resolved(&format!("<svg><g style='{chain} --v9999: 1; r: var(--v0)'/></svg>"));
        assert_eq!(ignored.len(), 1, "{ignored:?}");
    }
}
