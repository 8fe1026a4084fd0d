//! Conditions with `not`, `and` and `or`, and those of `@supports`.

use cssparser::{ParseError, Parser, Token};
use selectors::parser::ParseRelative;

use super::matching::{Namespaces, parse_list};
use super::{properties, without_important};

type Result<T> = std::result::Result<T, ParseError<()>>;

/// Parses the inside of parentheses, or of a function with its name.
type Leaf<'l, 'i> = &'l dyn Fn(Option<&str>, &mut Parser<'i>) -> Result<Option<bool>>;

/// Parses a condition up to the end of the input. `None` inside if it is unknown whether it is
/// true: neither it nor its negation then is.
pub(crate) fn condition<'i>(input: &mut Parser<'i>, leaf: Leaf<'_, 'i>) -> Result<Option<bool>> {
    if input.try_parse(|input| input.expect_ident_matching("not")).is_ok() {
        return Ok(in_parentheses(input, leaf)?.map(|value| !value));
    }
    let mut value = in_parentheses(input, leaf)?;
    let mut operator = None;
    while !input.is_exhausted() {
        let word = input.expect_ident()?.to_ascii_lowercase();
        // Different operators must be in parentheses.
        if *operator.get_or_insert_with(|| word.clone()) != word {
            return Err(ParseError::unexpected_token());
        }
        let next = in_parentheses(input, leaf)?;
        value = match (&*word, value, next) {
            ("and", Some(false), _) | ("and", _, Some(false)) => Some(false),
            ("or", Some(true), _) | ("or", _, Some(true)) => Some(true),
            ("and" | "or", Some(value), Some(_)) => Some(value),
            ("and" | "or", _, _) => None,
            _ => return Err(ParseError::unexpected_token()),
        };
    }
    Ok(value)
}

fn in_parentheses<'i>(input: &mut Parser<'i>, leaf: Leaf<'_, 'i>) -> Result<Option<bool>> {
    match input.next()?.clone() {
        Token::ParenthesisBlock => input.parse_nested_block(|input| {
            let start = input.state();
            match input.parse_entirely(|input| condition(input, leaf)) {
                Ok(value) => Ok(value),
                Err(_) => {
                    input.reset(&start);
                    let value = leaf(None, input);
                    skip(input);
                    Ok(value.unwrap_or(None))
                }
            }
        }),
        Token::Function(name) => input.parse_nested_block(|input| {
            let value = leaf(Some(&name), input);
            skip(input);
            Ok(value.unwrap_or(None))
        }),
        _ => Err(ParseError::unexpected_token()),
    }
}

fn skip(input: &mut Parser<'_>) {
    while input.next().is_ok() {}
}

/// Whether a condition of `@supports` is true: whether this crate parses a declaration or a
/// selector.
pub(crate) fn supports(input: &mut Parser<'_>, namespaces: &Namespaces) -> Result<bool> {
    let parse = |function: Option<&str>, input: &mut Parser<'_>| -> Result<Option<bool>> {
        match function {
            None => {
                let name = input.expect_ident()?.clone();
                input.expect_colon()?;
                let start = input.position();
                skip(input);
                let (value, _) = without_important(input.slice_from(start));
                Ok(Some(properties::supports(&name, value)))
            }
            Some(name) if name.eq_ignore_ascii_case("selector") => {
                let parsed = input.parse_entirely(|input| {
                    parse_list(namespaces, input, ParseRelative::No)
                        .map_err(|_| ParseError::<()>::unexpected_token())
                });
                Ok(Some(parsed.is_ok()))
            }
            Some(_) => Ok(Some(false)),
        }
    };
    // CSS Conditional 3, section 3: what cannot be parsed is false, and its negation is true.
    let leaf = |function: Option<&str>, input: &mut Parser<'_>| parse(function, input).or(Ok(Some(false)));
    Ok(condition(input, &leaf)?.unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_supports_are_evaluated() {
        let is_true = |text: &str| supports(&mut Parser::new(text), &Namespaces::default()).unwrap_or(false);
        for text in [
            "(fill: red)",
            "(FILL: oklch(0.5 0.1 20))",
            "(--a: b)",
            "(fill: var(--x))",
            "not (fill: foo)",
            "(r: 1px) and (x: 1px)",
            "(foo: bar) or ((r: 1px))",
            "selector(a > b)",
            "(marker: none !important)",
            "(marker: none ! IMPORTANT)",
            "not (foo)",
        ] {
            assert!(is_true(text), "{text}");
        }
        for text in [
            "(foo: bar)",
            "(text-transform: none)",
            "not (fill: red)",
            "(r: 1px) and (foo: bar)",
            "selector(:foo)",
            "font-tech(variations)",
            "fill: red",
            "(r: 1px) and (x: 1px) or (y: 1px)",
        ] {
            assert!(!is_true(text), "{text}");
        }
    }
}
