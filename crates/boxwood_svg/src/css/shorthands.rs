//! Shorthands, as the longhands that usvg reads.

use cssparser::{ParseError, Parser, Token};

use super::colors::color;
use super::grammar::{self as g, Context, DeclaredIn, Result, STRETCHES, keyword};
use super::properties::{PropertyId, by_name, parse};

/// A property that sets several others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shorthand {
    Background,
    Font,
    Marker,
    Offset,
}

/// The shorthands with their longhands. The others of `font`, such as `line-height`, change nothing
/// that is painted.
const SHORTHANDS: [(Shorthand, &str, &[&str]); 4] = [
    (Shorthand::Background, "background", &["background-color"]),
    (
        Shorthand::Font,
        "font",
        &[
            "font-style",
            "font-variant",
            "font-weight",
            "font-stretch",
            "font-size",
            "font-family",
            "font-kerning",
            "font-optical-sizing",
            "font-variation-settings",
        ],
    ),
    (Shorthand::Marker, "marker", &["marker-start", "marker-mid", "marker-end"]),
    (Shorthand::Offset, "offset", &["offset-path", "offset-distance", "offset-rotate", "offset-anchor"]),
];

impl Shorthand {
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        SHORTHANDS.iter().find(|(_, known, _)| *known == name).map(|(shorthand, ..)| *shorthand)
    }

    fn row(self) -> (&'static str, &'static [&'static str]) {
        let row = SHORTHANDS.iter().find(|(shorthand, ..)| *shorthand == self);
        row.map_or(("", &[]), |(_, name, longhands)| (name, longhands))
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().0
    }

    /// The properties that it sets.
    pub(crate) fn longhands(self) -> Vec<PropertyId> {
        self.row().1.iter().filter_map(|name| by_name(name)).collect()
    }
}

/// The values of the longhands of a shorthand, in its order. `None` if the value is invalid.
pub(crate) fn expand(
    shorthand: Shorthand,
    text: &str,
    context: &Context,
) -> Option<Vec<(PropertyId, String)>> {
    let values = match shorthand {
        Shorthand::Background => vec![background(text, context)?],
        Shorthand::Font => font(text, context)?,
        Shorthand::Marker => vec![parse(by_name("marker-start")?, text, context)?; 3],
        Shorthand::Offset => offset(text, context)?,
    };
    Some(shorthand.longhands().into_iter().zip(values).collect())
}

/// The keywords of a background other than its colour.
const BACKGROUNDS: &[&str] = &[
    "auto",
    "border-box",
    "bottom",
    "center",
    "contain",
    "content-box",
    "cover",
    "fixed",
    "left",
    "local",
    "no-repeat",
    "none",
    "padding-box",
    "repeat",
    "repeat-x",
    "repeat-y",
    "right",
    "round",
    "scroll",
    "space",
    "text",
    "top",
];

/// The colour of a background, which is empty without one. Images are not supported.
fn background(text: &str, context: &Context) -> Option<String> {
    let mut input = Parser::new(text);
    let mut found = None;
    while !input.is_exhausted() {
        if let Ok(color) = input.try_parse(|input| color(input, context)) {
            found = Some(color);
        } else {
            // Repetition, position, box and size.
            let is_keyword = input.try_parse(|input| keyword(input, BACKGROUNDS)).is_ok();
            let mut is_other = || match input.next() {
                Ok(token) => matches!(
                    token,
                    Token::Number { .. }
                        | Token::Dimension { .. }
                        | Token::Percentage { .. }
                        | Token::Comma
                        | Token::Delim('/')
                ),
                Err(_) => false,
            };
            if !is_keyword && !is_other() {
                return None;
            }
        }
    }
    Some(found.filter(|color| !color.is_transparent()).map_or_else(String::new, |color| color.written()))
}

/// The values of the longhands of `offset`. The position has no effect on paths.
fn offset(text: &str, context: &Context) -> Option<Vec<String>> {
    let parsed = Parser::new(text).parse_entirely(|input| -> Result<Vec<String>> {
        let mut path = None;
        while path.is_none() && !input.is_exhausted() {
            path = input.try_parse(|input| g::offset_path(input, context)).ok();
            if path.is_none() && input.try_parse(|input| input.expect_ident_matching("none")).is_err() {
                // A part of the position.
                input
                    .try_parse(|input| {
                        keyword(input, &["left", "right", "top", "bottom", "center", "auto", "normal"])
                            .map(str::to_owned)
                    })
                    .or_else(|_| g::offset_distance(input, context))?;
            }
        }
        let [mut distance, mut rotation] = [const { None }; 2];
        for _ in 0..2 {
            distance = distance.or_else(|| input.try_parse(|input| g::offset_distance(input, context)).ok());
            rotation = rotation.or_else(|| input.try_parse(|input| g::offset_rotate(input, context)).ok());
        }
        let has_anchor = input.try_parse(|input| input.expect_delim('/')).is_ok();
        let anchor = if has_anchor { Some(g::offset_anchor(input, context)?) } else { None };
        let or = |value: Option<String>, initial: &str| value.unwrap_or_else(|| initial.to_owned());
        Ok(vec![or(path, "none"), or(distance, "0"), or(rotation, "auto"), or(anchor, "auto")])
    });
    parsed.ok()
}

/// The values of the longhands of `font`.
fn font(text: &str, context: &Context) -> Option<Vec<String>> {
    let mut input = Parser::new(text);
    let parsed = input.parse_entirely(|input| -> Result<Vec<String>> {
        let [mut style, mut variant, mut weight, mut stretch] = [const { None }; 4];
        // Up to four words in any order, of which `normal` can be any.
        for _ in 0..4 {
            if input.try_parse(|input| input.expect_ident_matching("normal")).is_ok() {
                continue;
            }
            let word = |input: &mut Parser<'_>| -> Result<()> {
                let start = input.state();
                if style.is_none()
                    && let Ok(found) = g::font_style(&mut *input, context)
                {
                    style = Some(found);
                    return Ok(());
                }
                input.reset(&start);
                if variant.is_none()
                    && let Ok(found) = keyword(input, &["small-caps"])
                {
                    variant = Some(found.to_owned());
                    return Ok(());
                }
                input.reset(&start);
                if weight.is_none()
                    && let Ok(found) = g::font_weight(input, context)
                {
                    weight = Some(found);
                    return Ok(());
                }
                input.reset(&start);
                let name = input.expect_ident()?.to_ascii_lowercase();
                let known = STRETCHES.iter().find(|(known, _)| *known == name);
                if stretch.is_none()
                    && let Some((known, _)) = known
                {
                    stretch = Some((*known).to_owned());
                    return Ok(());
                }
                Err(ParseError::unexpected_token())
            };
            if input.try_parse(word).is_err() {
                break;
            }
        }
        // Browsers accept a size without a unit in the longhand only.
        let size = g::font_size(input, &Context::new(DeclaredIn::Sheet))?;
        if input.try_parse(|input| input.expect_delim('/')).is_ok() {
            let line_height = |input: &mut Parser<'_>| g::offset(input, context);
            if input.try_parse(|input| input.expect_ident_matching("normal")).is_err() {
                line_height(input)?;
            }
        }
        let families = g::families(input, context)?;
        let or_normal = |value: Option<String>| value.unwrap_or_else(|| "normal".to_owned());
        let reset = ["auto", "auto", "normal"].map(str::to_owned);
        let mut values = vec![or_normal(style), or_normal(variant), or_normal(weight), or_normal(stretch)];
        values.extend([size, families]);
        values.extend(reset);
        Ok(values)
    });
    parsed.ok()
}

#[cfg(test)]
mod tests {
    use super::super::testing::style;

    #[test]
    fn shorthands_set_longhands() {
        let font = |size: &str, rest: &str| {
            format!("font-family:{rest};font-kerning:auto;font-optical-sizing:auto;font-size:{size}")
        };
        for (declarations, start) in [
            ("font: 24px/1.5 X, serif", font("24px", "X, serif")),
            ("font: italic small-caps 900 condensed 2em / normal \"A b\"", font("2em", "'A b'")),
            ("font: 12 X", String::new()),
            ("font: bold", String::new()),
            ("marker: url(#m)", "marker-end:url(#m);marker-mid:url(#m);marker-start:url(#m)".to_owned()),
            ("background: no-repeat RED", "background-color:red".to_owned()),
            ("background: none", String::new()),
            ("font-size: 9px; font: inherit", String::new()),
        ] {
            let found = style(&format!("<style>#a {{ {declarations} }}</style><g id='a'/>"));
            assert!(
                found.starts_with(&start) && start.is_empty() == found.is_empty(),
                "{declarations}: {found}"
            );
        }
        let full = style("<g id='a' style='font: italic small-caps 900 condensed 2em X'/>");
        assert!(full.ends_with("font-stretch:condensed;font-style:italic;font-variant:small-caps;font-variation-settings:normal;font-weight:900"), "{full}");
    }
}
