//! Colours of CSS Color 4 and 5, written as sRGB colours that usvg reads.

use cssparser::{ParseError, Parser, Token};
use peniko::color::{AlphaColor, ColorSpaceTag, DynamicColor, HueDirection, Srgb, parse_color};

use super::grammar::{Context, Result, rest_of_function};
use super::values::{Units, Value, evaluate};

/// A colour.
#[derive(Clone, Debug)]
pub(crate) enum Color {
    /// `currentColor`.
    Current,
    /// A colour, and its text if usvg reads it as the same colour.
    Absolute(DynamicColor, Option<String>),
}

impl Color {
    /// The text of the colour as usvg reads it.
    pub(crate) fn written(self) -> String {
        match self {
            Self::Current => "currentColor".to_owned(),
            Self::Absolute(_, Some(text)) => text,
            Self::Absolute(color, None) => hex(color),
        }
    }

    /// The text of the colour without a function, as usvg reads it inside of one.
    pub(crate) fn written_inside(self) -> String {
        match self {
            Self::Absolute(color, Some(text)) if text.contains('(') => hex(color),
            other => other.written(),
        }
    }

    /// Whether nothing can be seen of the colour.
    pub(crate) fn is_transparent(&self) -> bool {
        matches!(self, Self::Absolute(color, _) if rgba(*color)[3] == 0)
    }

    /// Its alpha.
    pub(crate) fn alpha(self, context: &Context) -> f64 {
        f64::from(rgba(self.absolute(context))[3]) / 255.0
    }

    /// The colour, with the colour of the element in place of `currentColor`.
    fn absolute(self, context: &Context) -> DynamicColor {
        match self {
            Self::Current => context.current_color(),
            Self::Absolute(color, _) => color,
        }
    }
}

/// Parses a colour.
pub(crate) fn color(input: &mut Parser<'_>, context: &Context) -> Result<Color> {
    input.skip_whitespace();
    let start = input.position();
    let invalid = || ParseError::unexpected_token();
    match input.next()?.clone() {
        Token::Ident(name) => {
            let name = name.to_ascii_lowercase();
            // The colour of the element is not known yet, and usvg resolves it.
            if name == "currentcolor" {
                return Ok(Color::Current);
            }
            if let Some((_, hex)) = SYSTEM_COLORS.iter().find(|(known, _)| *known == name) {
                return Ok(Color::Absolute(parse_color(hex).map_err(|_| invalid())?, None));
            }
            // The names with `grey` are known to usvg only, and `rebeccapurple` is not.
            if let Ok(svgtypes::Color { red, green, blue, alpha }) = name.parse() {
                let color = AlphaColor::<Srgb>::from_rgba8(red, green, blue, alpha);
                return Ok(Color::Absolute(DynamicColor::from_alpha_color(color), Some(name)));
            }
            Ok(Color::Absolute(parse_color(&name).map_err(|_| invalid())?, None))
        }
        Token::Hash(_) | Token::IDHash(_) => {
            let text = input.slice_from(start);
            let color = parse_color(text).map_err(|_| invalid())?;
            Ok(Color::Absolute(color, readable(text, color)))
        }
        Token::Function(name) => match &*name.to_ascii_lowercase() {
            // The colour scheme is light, but an invalid dark colour makes the value invalid.
            "light-dark" => input.parse_nested_block(|input| {
                let light = color(input, context)?;
                input.expect_comma()?;
                color(input, context)?;
                Ok(light)
            }),
            "color-mix" => {
                let mixed = input.parse_nested_block(|input| color_mix(input, context))?;
                Ok(Color::Absolute(mixed, None))
            }
            _ => {
                rest_of_function(input)?;
                let text = input.slice_from(start);
                let color = parse_color(&text.to_ascii_lowercase()).map_err(|_| invalid())?;
                Ok(Color::Absolute(color, readable(text, color)))
            }
        },
        _ => Err(invalid()),
    }
}

/// A text if usvg reads it as this colour.
fn readable(text: &str, color: DynamicColor) -> Option<String> {
    let read: svgtypes::Color = text.parse().ok()?;
    let is_same = [read.red, read.green, read.blue, read.alpha] == rgba(color);
    is_same.then(|| text.to_owned())
}

/// The components of a colour in sRGB. Colours outside of it are clipped, as in browsers.
fn rgba(color: DynamicColor) -> [u8; 4] {
    let rgba = color.to_alpha_color::<Srgb>().to_rgba8();
    [rgba.r, rgba.g, rgba.b, rgba.a]
}

fn hex(color: DynamicColor) -> String {
    let [r, g, b, a] = rgba(color);
    let alpha = if a == u8::MAX { String::new() } else { format!("{a:02x}") };
    format!("#{r:02x}{g:02x}{b:02x}{alpha}")
}

/// The arguments of `color-mix()`.
fn color_mix(input: &mut Parser<'_>, context: &Context) -> Result<DynamicColor> {
    // CSS Color 5, section 3: the default is Oklab, and the shorter arc of hues.
    let (mut space, mut direction) = (ColorSpaceTag::Oklab, HueDirection::Shorter);
    if input.try_parse(|input| input.expect_ident_matching("in")).is_ok() {
        space = color_space(&input.expect_ident()?.to_ascii_lowercase())?;
        if let Ok(word) = input.try_parse(|input| input.expect_ident_cloned()) {
            direction = match &*word.to_ascii_lowercase() {
                "shorter" => HueDirection::Shorter,
                "longer" => HueDirection::Longer,
                "increasing" => HueDirection::Increasing,
                "decreasing" => HueDirection::Decreasing,
                _ => return Err(ParseError::unexpected_token()),
            };
            input.expect_ident_matching("hue")?;
        }
        input.expect_comma()?;
    }
    let (first, p1) = part(input, context)?;
    input.expect_comma()?;
    let (second, p2) = part(input, context)?;
    // CSS Color 5, section 3.2: missing percentages are the rest, and others are scaled to 100 %.
    let (p1, p2) = match (p1, p2) {
        (None, None) => (50.0, 50.0),
        (Some(p1), None) => (p1, 100.0 - p1),
        (None, Some(p2)) => (100.0 - p2, p2),
        (Some(p1), Some(p2)) => (p1, p2),
    };
    let sum = p1 + p2;
    // There is nothing to scale.
    if sum <= 0.0 {
        return Err(ParseError::unexpected_token());
    }
    #[expect(clippy::cast_possible_truncation, reason = "colours are in f32")]
    let (t, alpha) = ((p2 / sum) as f32, (sum / 100.0).min(1.0) as f32);
    Ok(first.interpolate(second, space, direction).eval(t).multiply_alpha(alpha))
}

/// A colour with a percentage before or after it.
fn part(input: &mut Parser<'_>, context: &Context) -> Result<(DynamicColor, Option<f64>)> {
    let percentage = |input: &mut Parser<'_>| -> Result<f64> {
        input.skip_whitespace();
        let start = input.position();
        if matches!(input.next()?, Token::Function(_)) {
            rest_of_function(input)?;
        }
        let value = evaluate(input.slice_from(start), &NoUnits);
        let percent = value.filter(|value| *value == Value { percent: value.percent, ..Value::default() });
        let percent = percent.map(|value| value.percent).filter(|percent| (0.0..=100.0).contains(percent));
        percent.ok_or_else(ParseError::unexpected_token)
    };
    // Either order is valid, but only one percentage.
    let before = input.try_parse(percentage).ok();
    let color = color(input, context)?.absolute(context);
    let after = if before.is_some() { None } else { input.try_parse(percentage).ok() };
    Ok((color, before.or(after)))
}

struct NoUnits;

impl Units for NoUnits {
    fn unit(&self, _: &str) -> Option<Value> {
        None
    }

    fn px(&self, value: Value) -> f64 {
        value.number
    }
}

fn color_space(name: &str) -> Result<ColorSpaceTag> {
    Ok(match name {
        "srgb" => ColorSpaceTag::Srgb,
        "srgb-linear" => ColorSpaceTag::LinearSrgb,
        "display-p3" => ColorSpaceTag::DisplayP3,
        "a98-rgb" => ColorSpaceTag::A98Rgb,
        "prophoto-rgb" => ColorSpaceTag::ProphotoRgb,
        "rec2020" => ColorSpaceTag::Rec2020,
        "lab" => ColorSpaceTag::Lab,
        "lch" => ColorSpaceTag::Lch,
        "oklab" => ColorSpaceTag::Oklab,
        "oklch" => ColorSpaceTag::Oklch,
        "hsl" => ColorSpaceTag::Hsl,
        "hwb" => ColorSpaceTag::Hwb,
        "xyz" | "xyz-d65" => ColorSpaceTag::XyzD65,
        "xyz-d50" => ColorSpaceTag::XyzD50,
        _ => return Err(ParseError::unexpected_token()),
    })
}

/// The system colours of CSS Color 4 (section 6.2 and appendix A), as Chromium has them in a light
/// colour scheme.
const SYSTEM_COLORS: [(&str, &str); 42] = [
    ("accentcolor", "#0075ff"),
    ("accentcolortext", "#fff"),
    ("activeborder", "#000"),
    ("activecaption", "#fff"),
    ("activetext", "#f00"),
    ("appworkspace", "#fff"),
    ("background", "#fff"),
    ("buttonborder", "#000"),
    ("buttonface", "#efefef"),
    ("buttonhighlight", "#efefef"),
    ("buttonshadow", "#efefef"),
    ("buttontext", "#000"),
    ("canvas", "#fff"),
    ("canvastext", "#000"),
    ("captiontext", "#000"),
    ("field", "#fff"),
    ("fieldtext", "#000"),
    ("graytext", "#808080"),
    ("highlight", "#1e90ff"),
    ("highlighttext", "#000"),
    ("inactiveborder", "#000"),
    ("inactivecaption", "#fff"),
    ("inactivecaptiontext", "#808080"),
    ("infobackground", "#fff"),
    ("infotext", "#000"),
    ("linktext", "#00e"),
    ("mark", "#ff0"),
    ("marktext", "#000"),
    ("menu", "#fff"),
    ("menutext", "#000"),
    ("scrollbar", "#fff"),
    ("selecteditem", "#1e90ff"),
    ("selecteditemtext", "#fff"),
    ("threeddarkshadow", "#000"),
    ("threedface", "#efefef"),
    ("threedhighlight", "#000"),
    ("threedlightshadow", "#000"),
    ("threedshadow", "#000"),
    ("visitedtext", "#551a8b"),
    ("window", "#fff"),
    ("windowframe", "#000"),
    ("windowtext", "#000"),
];

#[cfg(test)]
mod tests {
    use super::super::testing::{style, written};

    /// The colours are those of Chromium, rounded to 8 bits.
    #[test]
    fn colors_become_srgb() {
        for (color, expected) in [
            ("RED", "red"),
            ("#AbC", "#AbC"),
            ("#12345678", "#12345678"),
            ("currentcolor", "currentColor"),
            ("rebeccapurple", "#663399"),
            ("LightGrey", "lightgrey"),
            ("transparent", "transparent"),
            ("CanvasText", "#000000"),
            ("rgb(1 2 3)", "rgb(1 2 3)"),
            ("rgb(1, 2, 3)", "rgb(1, 2, 3)"),
            ("RGB(0 0 0 / 50%)", "#00000080"),
            ("rgba(300, 0, 0, .5)", "rgba(300, 0, 0, .5)"),
            ("hsl(120deg 100% 25%)", "#008000"),
            ("hwb(0 0% 0% / 25%)", "#ff000040"),
            ("lab(50% 40 59.5)", "#bf5700"),
            ("oklch(0.6279 0.2577 29.23)", "#ff0000"),
            ("oklab(40.1% 0.1143 0.045)", "#7d2429"),
            ("color(display-p3 0 1 0)", "#00ff00"),
            ("color(srgb 0.5 0.5 0.5)", "#808080"),
            ("light-dark(#123456, red)", "#123456"),
            ("color-mix(in srgb, red, blue)", "#800080"),
            ("color-mix(in srgb, red 25%, blue)", "#4000bf"),
            ("color-mix(in srgb, red 20%, blue 20%)", "#80008066"),
            ("color-mix(in hsl longer hue, red, lime)", "#0000ff"),
            ("rgb(from red r g b)", ""),
            ("rgb(1 2)", ""),
            ("#12345", ""),
            ("foo", ""),
        ] {
            let read = |text: &str| text.parse::<svgtypes::Color>().map_err(|_| text.to_owned());
            assert_eq!(read(&written("stroke", color)), read(expected), "{color}");
        }
    }

    #[test]
    fn the_current_color_is_that_of_the_element() {
        for (body, expected) in [
            ("<g color='red'><g id='a' style='flood-color: currentcolor'/></g>", "flood-color:#ff0000"),
            (
                "<g style='color: #00f'><g id='a' style='fill: color-mix(in srgb, currentcolor, #0000)'/></g>",
                "fill:#0000ff80",
            ),
            ("<g id='a' style='color: lime; flood-color: currentColor'/>", "color:lime;flood-color:#00ff00"),
            ("<g id='a' color='tan' style='color: currentColor'/>", ""),
            ("<g id='a' style='stop-color: currentcolor'/>", "stop-color:currentColor"),
        ] {
            assert_eq!(style(body), expected, "{body}");
        }
    }
}
