//! The basic shapes of CSS in `clip-path`, as paths.

use std::fmt::Write;

use cssparser::Parser;
use kurbo::{Point, Rect, Size};
use svgtypes::PathParser;

use super::grammar::{ANY_LENGTH, Lengths, Result, component, invalid, keyword, length};
use super::values::{Units, evaluate};

/// A clip path that is not a reference: a shape relative to a box, or the box itself.
#[derive(Debug)]
pub(crate) struct ClipShape {
    shape: Option<Shape>,
    pub(crate) reference: ReferenceBox,
}

/// The box that a shape is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceBox {
    Fill,
    /// CSS Masking 1 (section 3.1): `border-box` is the default, which is this for SVG elements.
    Stroke,
    View,
}

/// The names of boxes. Those of CSS boxes are those that SVG elements have instead.
const BOXES: [(&str, ReferenceBox); 7] = [
    ("border-box", ReferenceBox::Stroke),
    ("stroke-box", ReferenceBox::Stroke),
    ("margin-box", ReferenceBox::Stroke),
    ("fill-box", ReferenceBox::Fill),
    ("content-box", ReferenceBox::Fill),
    ("padding-box", ReferenceBox::Fill),
    ("view-box", ReferenceBox::View),
];

/// A length or percentage as it is written.
type Length = String;

#[derive(Debug)]
enum Shape {
    Rect { sides: Sides, radii: Option<Radii> },
    Ellipse { radii: [Radius; 2], is_circle: bool, centre: [Length; 2] },
    Polygon { is_even_odd: bool, points: Vec<[Length; 2]> },
    Path { is_even_odd: bool, data: String },
}

#[derive(Debug)]
enum Sides {
    /// The distances of the sides inward from the top, right, bottom, and left of the box.
    Inset([Length; 4]),
    /// The same sides, all from the top or left of the box. `None` is the side of the box itself.
    Rect([Option<Length>; 4]),
    /// The corner at the top left, and the size.
    Xywh([Length; 4]),
}

/// The radii of the corners from the top left one clockwise: along x, and along y.
type Radii = [[Length; 4]; 2];

#[derive(Debug)]
enum Radius {
    Length(Length),
    Closest,
    Farthest,
}

/// A box with the units of lengths relative to it.
pub(crate) struct Reference<'a> {
    pub(crate) rect: Rect,
    /// Units with the width of the box as 100 %.
    pub(crate) x: &'a dyn Units,
    /// Units with its height.
    pub(crate) y: &'a dyn Units,
    /// Units with its diagonal over √2.
    pub(crate) diagonal: &'a dyn Units,
}

/// A path with its fill rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ShapePath {
    /// The data of the path. It is empty if the shape has no area.
    pub(crate) data: String,
    /// The transform of the path: it moves the origin.
    pub(crate) origin: String,
    pub(crate) fill_rule: &'static str,
}

impl ClipShape {
    /// Parses a value of `clip-path` other than `none` and references. `has_numbers` is whether a
    /// length may have no unit, which Chromium allows in attributes.
    pub(crate) fn parse(input: &mut Parser<'_>, has_numbers: bool) -> Result<Self> {
        let mut named = input.try_parse(reference_box).ok();
        let shape = input.try_parse(|input| shape(input, Lengths { has_numbers, ..ANY_LENGTH })).ok();
        if named.is_none() && shape.is_some() {
            named = input.try_parse(reference_box).ok();
        }
        if named.is_none() && shape.is_none() {
            return invalid();
        }
        Ok(Self { shape, reference: named.unwrap_or(ReferenceBox::Stroke) })
    }

    /// The path of the shape in the user space that the box is in. `None` if a length is not
    /// supported.
    pub(crate) fn path(&self, reference: &Reference<'_>) -> Option<ShapePath> {
        let Some(shape) = &self.shape else {
            return Some(ShapePath::new(rounded(reference.rect, [[0.0; 4]; 2])));
        };
        Some(match shape {
            Shape::Rect { sides, radii } => {
                let Some(rect) = sides.rect(reference)? else { return Some(ShapePath::new(String::new())) };
                let radii = radii.as_ref().map_or(Some([[0.0; 4]; 2]), |[x, y]| {
                    Some([lengths(x, reference.x)?, lengths(y, reference.y)?])
                });
                ShapePath::new(rounded(rect, radii?))
            }
            Shape::Ellipse { radii, is_circle, centre } => {
                let centre = reference.point(centre)?;
                let [rx, ry] = reference.radii(radii, *is_circle, centre)?;
                ShapePath::new(ellipse(reference.rect.origin() + centre.to_vec2(), rx, ry))
            }
            Shape::Polygon { is_even_odd, points } => {
                let mut data = String::new();
                for point in points {
                    let Point { x, y } = reference.rect.origin() + reference.point(point)?.to_vec2();
                    let command = if data.is_empty() { 'M' } else { 'L' };
                    _ = write!(data, "{command}{x} {y}");
                }
                ShapePath { fill_rule: fill_rule(*is_even_odd), ..ShapePath::new(data) }
            }
            Shape::Path { is_even_odd, data } => {
                let Point { x, y } = reference.rect.origin();
                let origin = format!("translate({x} {y})");
                ShapePath { data: data.clone(), origin, fill_rule: fill_rule(*is_even_odd) }
            }
        })
    }
}

impl ShapePath {
    fn new(data: String) -> Self {
        Self { data, origin: "translate(0)".to_owned(), fill_rule: fill_rule(false) }
    }
}

const fn fill_rule(is_even_odd: bool) -> &'static str {
    if is_even_odd { "evenodd" } else { "nonzero" }
}

impl Reference<'_> {
    /// A point relative to the origin of the box.
    fn point(&self, [x, y]: &[Length; 2]) -> Option<Point> {
        Some(Point::new(px(x, self.x)?, px(y, self.y)?))
    }

    /// The radii of a circle or ellipse around a point relative to the origin of the box.
    fn radii(&self, radii: &[Radius; 2], is_circle: bool, centre: Point) -> Option<[f64; 2]> {
        let Size { width, height } = self.rect.size();
        let distances = [[centre.x, width - centre.x], [centre.y, height - centre.y]];
        let distances = distances.map(|of_axis| of_axis.map(f64::abs));
        let of_axis = |axis: usize, units: &dyn Units| {
            let axes = if is_circle { &distances[..] } else { &distances[axis..=axis] };
            let all = axes.iter().flatten().copied();
            match &radii[axis] {
                Radius::Length(text) => px(text, units),
                Radius::Closest => all.reduce(f64::min),
                Radius::Farthest => all.reduce(f64::max),
            }
        };
        if is_circle {
            let radius = of_axis(0, self.diagonal)?;
            return Some([radius; 2]);
        }
        Some([of_axis(0, self.x)?, of_axis(1, self.y)?])
    }
}

impl Sides {
    /// The rectangle: `None` inside if it has no area, and `None` if a length is not supported.
    fn rect(&self, Reference { rect, x, y, .. }: &Reference<'_>) -> Option<Option<Rect>> {
        let Size { width, height } = rect.size();
        let [x0, y0, x1, y1] = match self {
            Self::Inset([top, right, bottom, left]) => {
                let ([top, bottom], [left, right]) =
                    ([px(top, *y)?, px(bottom, *y)?], [px(left, *x)?, px(right, *x)?]);
                [left, top, width - right, height - bottom]
            }
            Self::Rect([top, right, bottom, left]) => {
                let or = |side: &Option<Length>, units: &dyn Units, auto: f64| {
                    side.as_ref().map_or(Some(auto), |side| px(side, units))
                };
                let (left, top) = (or(left, *x, 0.0)?, or(top, *y, 0.0)?);
                // CSS Shapes 1, section 3.1: the right side is never left of the left one.
                [left, top, or(right, *x, width)?.max(left), or(bottom, *y, height)?.max(top)]
            }
            Self::Xywh([left, top, width, height]) => {
                let (left, top) = (px(left, *x)?, px(top, *y)?);
                [left, top, left + px(width, *x)?, top + px(height, *y)?]
            }
        };
        let sides = Rect::new(x0, y0, x1, y1) + rect.origin().to_vec2();
        Some((x0 < x1 && y0 < y1).then_some(sides))
    }
}

/// A length in px.
fn px(text: &str, units: &dyn Units) -> Option<f64> {
    Some(units.px(evaluate(text, units)?)).filter(|px| px.is_finite())
}

fn lengths(texts: &[Length; 4], units: &dyn Units) -> Option<[f64; 4]> {
    let values: Option<Vec<f64>> = texts.iter().map(|text| Some(px(text, units)?.max(0.0))).collect();
    values?.try_into().ok()
}

/// The path of a rectangle with rounded corners.
fn rounded(rect: Rect, radii: [[f64; 4]; 2]) -> String {
    let [[a, b, c, d], [e, f, g, h]] = radii;
    let Rect { x0, y0, x1, y1 } = rect;
    // CSS Backgrounds 3, section 4.5: radii that overlap are reduced by one factor.
    let sums = [(a + b, rect.width()), (c + d, rect.width()), (f + g, rect.height()), (e + h, rect.height())];
    let factor = sums.into_iter().map(|(sum, side)| if sum > side { side / sum } else { 1.0 });
    let factor = factor.fold(1.0, f64::min);
    let [a, b, c, d, e, f, g, h] = [a, b, c, d, e, f, g, h].map(|radius| radius * factor);
    if factor == 0.0 || [a, b, c, d, e, f, g, h].iter().all(|radius| *radius == 0.0) {
        return format!("M{x0} {y0}H{x1}V{y1}H{x0}Z");
    }
    format!(
        "M{} {y0}H{}A{b} {f} 0 0 1 {x1} {}V{}A{c} {g} 0 0 1 {} {y1}H{}A{d} {h} 0 0 1 {x0} {}V{}A{a} {e} 0 0 1 {} {y0}Z",
        x0 + a,
        x1 - b,
        y0 + f,
        y1 - g,
        x1 - c,
        x0 + d,
        y1 - h,
        y0 + e,
        x0 + a,
    )
}

/// The path of an ellipse. It is empty without area.
fn ellipse(centre: Point, rx: f64, ry: f64) -> String {
    if !(rx > 0.0 && ry > 0.0) {
        return String::new();
    }
    let (left, right, y) = (centre.x - rx, centre.x + rx, centre.y);
    format!("M{left} {y}A{rx} {ry} 0 0 1 {right} {y}A{rx} {ry} 0 0 1 {left} {y}Z")
}

fn reference_box(input: &mut Parser<'_>) -> Result<ReferenceBox> {
    let name = input.expect_ident()?.to_ascii_lowercase();
    let known = BOXES.iter().find(|(known, _)| *known == name);
    known.map_or_else(invalid, |(_, reference)| Ok(*reference))
}

fn shape(input: &mut Parser<'_>, any: Lengths) -> Result<Shape> {
    let positive = Lengths { has_negative: false, ..any };
    let name = input.expect_function()?.to_ascii_lowercase();
    input.parse_nested_block(|input| match &*name {
        "inset" => {
            let sides = Sides::Inset(four(input, any)?);
            Ok(Shape::Rect { sides, radii: radii(input, positive)? })
        }
        "rect" => {
            let mut side = || {
                let is_auto = input.try_parse(|input| input.expect_ident_matching("auto")).is_ok();
                if is_auto { Ok(None) } else { length(input, any).map(Some) }
            };
            let sides = Sides::Rect([side()?, side()?, side()?, side()?]);
            Ok(Shape::Rect { sides, radii: radii(input, positive)? })
        }
        "xywh" => {
            let [x, y] = [length(input, any)?, length(input, any)?];
            let sides = Sides::Xywh([x, y, length(input, positive)?, length(input, positive)?]);
            Ok(Shape::Rect { sides, radii: radii(input, positive)? })
        }
        "circle" => {
            let first = input.try_parse(|input| radius(input, positive)).unwrap_or(Radius::Closest);
            let radii = [first, Radius::Closest];
            Ok(Shape::Ellipse { radii, is_circle: true, centre: centre(input, any)? })
        }
        "ellipse" => {
            let both = |input: &mut Parser<'_>| -> Result<_> {
                Ok([radius(input, positive)?, radius(input, positive)?])
            };
            let radii = input.try_parse(both).unwrap_or([Radius::Closest, Radius::Closest]);
            Ok(Shape::Ellipse { radii, is_circle: false, centre: centre(input, any)? })
        }
        "polygon" => {
            let is_even_odd = is_even_odd(input)?;
            let point =
                |input: &mut Parser<'_>| -> Result<_> { Ok([length(input, any)?, length(input, any)?]) };
            Ok(Shape::Polygon { is_even_odd, points: input.parse_comma_separated(point)? })
        }
        "path" => {
            let is_even_odd = is_even_odd(input)?;
            let data = input.expect_string_cloned()?.to_string();
            let is_valid = PathParser::from(&*data).all(|segment| segment.is_ok());
            if is_valid { Ok(Shape::Path { is_even_odd, data }) } else { invalid() }
        }
        _ => invalid(),
    })
}

/// A fill rule and a comma, or nothing.
fn is_even_odd(input: &mut Parser<'_>) -> Result<bool> {
    let Ok(word) = input.try_parse(|input| keyword(input, &["nonzero", "evenodd"])) else {
        return Ok(false);
    };
    input.expect_comma()?;
    Ok(word == "evenodd")
}

fn radius(input: &mut Parser<'_>, lengths: Lengths) -> Result<Radius> {
    let word = input.try_parse(|input| keyword(input, &["closest-side", "farthest-side"]));
    match word {
        Ok("closest-side") => Ok(Radius::Closest),
        Ok(_) => Ok(Radius::Farthest),
        Err(_) => Ok(Radius::Length(length(input, lengths)?)),
    }
}

/// One to four lengths, for the top, right, bottom, and left, as in `margin`.
fn four(input: &mut Parser<'_>, lengths: Lengths) -> Result<[Length; 4]> {
    let first = length(input, lengths)?;
    let mut next = |default: &Length| {
        input.try_parse(|input| length(input, lengths)).unwrap_or_else(|_| default.clone())
    };
    let second = next(&first);
    let third = next(&first);
    let fourth = next(&second);
    Ok([first, second, third, fourth])
}

/// The radii of corners after the word `round`, `None` without it.
fn radii(input: &mut Parser<'_>, lengths: Lengths) -> Result<Option<Radii>> {
    if input.try_parse(|input| input.expect_ident_matching("round")).is_err() {
        return Ok(None);
    }
    let x = four(input, lengths)?;
    let has_y = input.try_parse(|input| input.expect_delim('/')).is_ok();
    let y = if has_y { four(input, lengths)? } else { x.clone() };
    Ok(Some([x, y]))
}

/// The position after the word `at`, the middle of the box without it.
fn centre(input: &mut Parser<'_>, lengths: Lengths) -> Result<[Length; 2]> {
    if input.try_parse(|input| input.expect_ident_matching("at")).is_err() {
        return Ok(["50%".to_owned(), "50%".to_owned()]);
    }
    position(input, lengths)
}

/// A position of CSS Values 4 (section 8.3) up to the end: the distances from the left and top of
/// the box.
pub(crate) fn position(input: &mut Parser<'_>, lengths: Lengths) -> Result<[Length; 2]> {
    let mut parts = Vec::new();
    while !input.is_exhausted() {
        parts.push(component(input)?.to_ascii_lowercase());
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    position_of(&parts, lengths).map_or_else(invalid, Ok)
}

/// The position with these components.
fn position_of(parts: &[&str], lengths: Lengths) -> Option<[Length; 2]> {
    const X: [&str; 2] = ["left", "right"];
    const Y: [&str; 2] = ["top", "bottom"];
    let is_length = |text: &str| {
        let mut input = Parser::new(text);
        input.parse_entirely(|input| length(input, lengths)).is_ok()
    };
    let one = |part: &str, sides: [&str; 2]| match part {
        "center" => Some("50%".to_owned()),
        side if side == sides[0] => Some("0%".to_owned()),
        side if side == sides[1] => Some("100%".to_owned()),
        length => is_length(length).then(|| length.to_owned()),
    };
    let from = |side: &str, length: &str, sides: [&str; 2]| match side {
        _ if !is_length(length) => None,
        side if side == sides[0] => Some(length.to_owned()),
        side if side == sides[1] => Some(format!("calc(100% - ({length}))")),
        _ => None,
    };
    match *parts {
        [y] if Y.contains(&y) => Some(["50%".to_owned(), one(y, Y)?]),
        [x] => Some([one(x, X)?, "50%".to_owned()]),
        // Two keywords may be in either order.
        [y, x] if Y.contains(&y) || X.contains(&x) => {
            (!is_length(x) && !is_length(y)).then_some(())?;
            Some([one(x, X)?, one(y, Y)?])
        }
        [x, y] => Some([one(x, X)?, one(y, Y)?]),
        [y, y_offset, x, x_offset] if Y.contains(&y) => Some([from(x, x_offset, X)?, from(y, y_offset, Y)?]),
        [x, x_offset, y, y_offset] => Some([from(x, x_offset, X)?, from(y, y_offset, Y)?]),
        _ => None,
    }
}
