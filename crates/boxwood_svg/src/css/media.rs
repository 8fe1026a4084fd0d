//! Media queries, for a drawing on a screen of the size of the drawing.

use std::cmp::Ordering;

use cssparser::{Delimiter, ParseError, Parser, Token};

use super::conditions::condition;
use super::values::{Units, Value, absolute_unit, evaluate};

/// The size of a drawing in px.
pub(crate) type Viewport = [f64; 2];

/// What a feature of a medium is here.
enum Feature {
    /// A number or a length in px.
    Number(f64),
    /// A keyword, and whether it is true without a value.
    Keyword(&'static str, bool),
}

/// The features of a screen on which a browser shows a drawing with light colours.
fn feature(name: &str, [width, height]: Viewport) -> Option<Feature> {
    Some(match name {
        "width" | "device-width" | "inline-size" => Feature::Number(width),
        "height" | "device-height" | "block-size" => Feature::Number(height),
        "aspect-ratio" | "device-aspect-ratio" => Feature::Number(width / height),
        "orientation" => Feature::Keyword(if height >= width { "portrait" } else { "landscape" }, true),
        "resolution" | "-webkit-device-pixel-ratio" => Feature::Number(1.0),
        "color" => Feature::Number(8.0),
        "color-index" | "monochrome" | "grid" => Feature::Number(0.0),
        "color-gamut" => Feature::Keyword("srgb", true),
        "dynamic-range" | "video-dynamic-range" => Feature::Keyword("standard", true),
        "prefers-color-scheme" => Feature::Keyword("light", true),
        "prefers-contrast"
        | "prefers-reduced-data"
        | "prefers-reduced-motion"
        | "prefers-reduced-transparency" => Feature::Keyword("no-preference", false),
        "forced-colors" | "inverted-colors" => Feature::Keyword("none", false),
        "hover" | "any-hover" => Feature::Keyword("hover", true),
        "pointer" | "any-pointer" => Feature::Keyword("fine", true),
        "update" => Feature::Keyword("fast", true),
        "scripting" => Feature::Keyword("enabled", true),
        "display-mode" => Feature::Keyword("browser", true),
        "overflow-block" | "overflow-inline" => Feature::Keyword("scroll", true),
        "scan" => Feature::Keyword("progressive", true),
        _ => return None,
    })
}

/// The features that are lengths, which have a unit unless they are zero.
const LENGTHS: [&str; 6] = ["block-size", "device-height", "device-width", "height", "inline-size", "width"];

/// Whether a list of media queries up to the end of the input matches. An empty list does.
pub(crate) fn matches(input: &mut Parser<'_>, viewport: Viewport) -> bool {
    if input.is_exhausted() {
        return true;
    }
    let mut is_any = false;
    loop {
        // A query that cannot be parsed matches nothing, and does not affect the others.
        let query = input.parse_until_before(Delimiter::Comma, |input| query(input, viewport));
        is_any |= query.unwrap_or(false);
        if input.next().is_err() {
            return is_any;
        }
    }
}

/// Whether the attribute `media` of a style sheet matches.
pub(crate) fn attribute_matches(text: &str, viewport: Viewport) -> bool {
    matches(&mut Parser::new(text), viewport)
}

type Result<T> = std::result::Result<T, ParseError<()>>;

fn query(input: &mut Parser<'_>, viewport: Viewport) -> Result<bool> {
    let leaf = |function: Option<&str>, input: &mut Parser<'_>| {
        if function.is_some() { Ok(None) } else { media_feature(input, viewport) }
    };
    // A condition such as `not (width > 1px)` and a medium such as `not print` begin alike, so the
    // condition is tried first.
    let start = input.state();
    if let Ok(value) = input.parse_entirely(|input| condition(input, &leaf)) {
        return Ok(value.unwrap_or(false));
    }
    input.reset(&start);
    let is_negated = input.try_parse(|input| input.expect_ident_matching("not")).is_ok();
    if !is_negated {
        let _ = input.try_parse(|input| input.expect_ident_matching("only"));
    }
    let medium = input.expect_ident()?.to_ascii_lowercase();
    if matches!(&*medium, "and" | "or" | "not" | "only" | "layer") {
        return Err(ParseError::unexpected_token());
    }
    // An unknown medium matches nothing. An unknown feature is `None`, which negation does not
    // change.
    let mut value = Some(matches!(&*medium, "all" | "screen"));
    if !input.is_exhausted() {
        input.expect_ident_matching("and")?;
        let features = condition(input, &leaf)?;
        value = match (value, features) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (_, features) => features,
        };
    }
    Ok(value.is_some_and(|value| value != is_negated))
}

/// One side of a comparison.
enum Side {
    /// A value, and whether it may be that of a length.
    Value(f64, bool),
    /// A feature, and whether it is a length.
    Feature(f64, bool),
}

/// The inside of the parentheses of a media feature.
fn media_feature(input: &mut Parser<'_>, viewport: Viewport) -> Result<Option<bool>> {
    let plain = input.try_parse(|input| {
        let name = input.expect_ident()?.to_ascii_lowercase();
        if input.is_exhausted() {
            let known = feature(&name, viewport);
            return Ok(known.map(|feature| match feature {
                Feature::Number(number) => number != 0.0,
                Feature::Keyword(_, is_true) => is_true,
            }));
        }
        input.expect_colon()?;
        // The prefix comes after that of a vendor, as in `-webkit-min-device-pixel-ratio`.
        let (prefix, bare) = ["min-", "max-"]
            .into_iter()
            .find_map(|prefix| {
                let vendor = name.strip_prefix("-webkit-");
                let bare = vendor.unwrap_or(&name).strip_prefix(prefix)?;
                let vendor = if vendor.is_some() { "-webkit-" } else { "" };
                Some((prefix, format!("{vendor}{bare}")))
            })
            .unwrap_or(("", name.clone()));
        let value = match feature(&bare, viewport) {
            None => return Ok(None),
            Some(Feature::Keyword(own, _)) => {
                let word = input.expect_ident()?;
                return Ok((prefix.is_empty()).then(|| word.eq_ignore_ascii_case(own)));
            }
            Some(Feature::Number(own)) => {
                let (value, may_be_length) = number(input)?;
                if LENGTHS.contains(&&*bare) && !may_be_length {
                    return Err(ParseError::unexpected_token());
                }
                own.partial_cmp(&value)
            }
        };
        Ok(value.map(|order| match prefix {
            "min-" => order.is_ge(),
            "max-" => order.is_le(),
            _ => order.is_eq(),
        }))
    });
    plain.or_else(|_: ParseError<()>| range(input, viewport))
}

/// A comparison such as `width > 10px` or `10px <= width < 20px`.
fn range(input: &mut Parser<'_>, viewport: Viewport) -> Result<Option<bool>> {
    let (mut left, mut is_true, mut is_unknown) = (side(input, viewport)?, true, false);
    // `a < b < c` is two comparisons, which share `b`. More are not valid.
    let mut n_comparisons = 0;
    while !input.is_exhausted() && n_comparisons < 2 {
        let operator = match input.next()? {
            Token::Delim(c @ ('<' | '>' | '=')) => *c,
            _ => return Err(ParseError::unexpected_token()),
        };
        let or_equal = operator != '=' && input.try_parse(|input| input.expect_delim('=')).is_ok();
        let right = side(input, viewport)?;
        match (&left, &right) {
            (Some(Side::Feature(_, true)), Some(Side::Value(_, false)))
            | (Some(Side::Value(_, false)), Some(Side::Feature(_, true))) => {
                return Err(ParseError::unexpected_token());
            }
            (
                Some(Side::Value(a, _) | Side::Feature(a, _)),
                Some(Side::Value(b, _) | Side::Feature(b, _)),
            ) => {
                let order = a.partial_cmp(b).ok_or_else(ParseError::unexpected_token)?;
                is_true &= match (operator, order) {
                    ('<', Ordering::Less) | ('>', Ordering::Greater) | ('=', Ordering::Equal) => true,
                    (_, Ordering::Equal) => or_equal,
                    _ => false,
                };
            }
            _ => is_unknown = true,
        }
        left = right;
        n_comparisons += 1;
    }
    if n_comparisons == 0 {
        return Err(ParseError::unexpected_token());
    }
    Ok((!is_unknown).then_some(is_true))
}

fn side(input: &mut Parser<'_>, viewport: Viewport) -> Result<Option<Side>> {
    if let Ok(name) = input.try_parse(|input| input.expect_ident().map(|name| name.to_ascii_lowercase())) {
        return Ok(match feature(&name, viewport) {
            Some(Feature::Number(number)) => Some(Side::Feature(number, LENGTHS.contains(&&*name))),
            _ => None,
        });
    }
    let (value, may_be_length) = number(input)?;
    Ok(Some(Side::Value(value, may_be_length)))
}

/// A length in px, a ratio, a resolution, or a number, and whether it may be a length.
fn number(input: &mut Parser<'_>) -> Result<(f64, bool)> {
    let first = single(input)?;
    if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        return Ok((MediaUnits.px(first) / MediaUnits.px(single(input)?), false));
    }
    Ok((MediaUnits.px(first), first.is_length()))
}

fn single(input: &mut Parser<'_>) -> Result<Value> {
    input.skip_whitespace();
    let start = input.position();
    if matches!(input.next()?, Token::Function(_)) {
        input.parse_nested_block(|input| {
            while input.next().is_ok() {}
            Ok(())
        })?;
    }
    evaluate(input.slice_from(start), &MediaUnits).ok_or_else(ParseError::unexpected_token)
}

/// The units in media queries, which are relative to the initial font size.
struct MediaUnits;

impl Units for MediaUnits {
    fn unit(&self, name: &str) -> Option<Value> {
        let in_px = match name {
            "dppx" | "x" => 1.0,
            "em" | "rem" => 16.0,
            // Half of the font size, for a font that is not known.
            "ch" | "ex" => 8.0,
            "dpi" => 1.0 / 96.0,
            "dpcm" => 2.54 / 96.0,
            other => absolute_unit(other)?,
        };
        Some(Value::of_px(in_px))
    }

    fn px(&self, value: Value) -> f64 {
        value.number + value.px
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_evaluated() {
        for query in [
            "",
            "all",
            "SCREEN",
            "only screen and (min-width: 200px)",
            "not print",
            "print, screen",
            "foo(), screen",
            "(max-width: 12.5em)",
            "(width = 200px) and (height < 101px)",
            "(100px < width <= 200px)",
            "(prefers-color-scheme: light)",
            "(orientation: landscape)",
            "(min-aspect-ratio: 2/1)",
            "not (prefers-reduced-motion)",
            "(color)",
            "(not (width < 9px)) and ((hover) or (foo))",
            "(min-resolution: 1dppx)",
            "(width >= calc(100px + 50px))",
            "(min-width: 0)",
            "(color >= 8)",
        ] {
            assert!(attribute_matches(query, [200.0, 100.0]), "{query}");
        }
        for query in [
            "print",
            "not screen",
            "screen and (min-width: 201px)",
            "(prefers-color-scheme: dark)",
            "(foo)",
            "not (foo)",
            "(width: foo)",
            "(min-width: 100)",
            "(width > 100)",
            "(100 < width)",
            "(width > 200px)",
            "screen and",
            "(color) and (grid) or (hover)",
            "200px",
        ] {
            assert!(!attribute_matches(query, [200.0, 100.0]), "{query}");
        }
    }
}
