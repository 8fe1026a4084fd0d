//! The gradients of CSS in masks, as gradients of SVG. Only the alpha of colours counts.

use std::f64::consts::SQRT_2;

use cssparser::{Delimiter, ParseError, Parser};
use kurbo::{Point, Rect, Vec2};

use super::colors::color;
use super::grammar::{ANY_LENGTH, Context, DeclaredIn, Lengths, Result, degrees, invalid, keyword, length};
use super::shapes::position;
use super::values::{Units, Value, evaluate};

/// A length or percentage as it is written.
type Length = String;

/// A linear or radial gradient of CSS Images 3.
#[derive(Debug)]
pub(crate) struct Gradient {
    line: GradientLine,
    is_repeating: bool,
    stops: Vec<Stop>,
}

/// The line of a gradient from offset 0 to 1.
#[derive(Debug)]
enum GradientLine {
    /// Degrees clockwise from the top.
    Angle(f64),
    /// A side or corner: the signs of the direction along x and y.
    To(Vec2),
    Radial {
        is_circle: bool,
        size: Radii,
        centre: [Length; 2],
    },
}

/// The size of a radial gradient.
#[derive(Debug)]
enum Radii {
    Side { is_closest: bool },
    Corner { is_closest: bool },
    Lengths([Length; 2]),
}

#[derive(Debug)]
struct Stop {
    alpha: f64,
    at: Option<Length>,
}

/// A gradient as an element of SVG, in user space.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) tag: &'static str,
    pub(crate) attributes: Vec<(&'static str, String)>,
    /// The offset and the alpha of each stop.
    pub(crate) stops: Vec<[f64; 2]>,
}

const LENGTHS: Lengths = Lengths { has_numbers: false, ..ANY_LENGTH };

impl Gradient {
    /// Parses a gradient that SVG can express.
    pub(crate) fn parse(input: &mut Parser<'_>, context: &Context) -> Result<Self> {
        let name = input.expect_function()?.to_ascii_lowercase();
        let kind = name.strip_prefix("repeating-").unwrap_or(&name);
        let is_repeating = kind.len() < name.len();
        input.parse_nested_block(|input| {
            let line = match kind {
                "linear-gradient" => direction(input)?,
                "radial-gradient" => radial(input)?,
                _ => return invalid(),
            };
            let mut stops = Vec::new();
            input.parse_comma_separated(|input| stop(input, context, &mut stops))?;
            if stops.len() < 2 { invalid() } else { Ok(Self { line, is_repeating, stops }) }
        })
    }

    /// The gradient in a valid value of `mask`. A `currentColor` is taken as opaque.
    pub(crate) fn parse_all(value: &str) -> Option<Self> {
        Parser::new(value).parse_entirely(|input| Self::parse(input, &Context::new(DeclaredIn::Sheet))).ok()
    }

    /// The gradient in a box. `None` if SVG cannot express it there.
    pub(crate) fn placed(&self, rect: Rect, units: &dyn Units) -> Option<Placed> {
        match &self.line {
            GradientLine::Angle(degrees) => {
                // Zero degrees point to the top, and y points down.
                let (sin, cos) = degrees.to_radians().sin_cos();
                self.linear(rect, Vec2::new(sin, -cos), units)
            }
            // The stripes are parallel to the diagonal between the other two corners.
            GradientLine::To(to) if to.x != 0.0 && to.y != 0.0 => {
                let direction = Vec2::new(to.x * rect.height(), to.y * rect.width());
                self.linear(rect, direction / direction.hypot(), units)
            }
            GradientLine::To(to) => self.linear(rect, *to, units),
            GradientLine::Radial { is_circle, size, centre: [x, y] } => {
                let centre = Vec2::new(px(x, units, rect.width())?, px(y, units, rect.height())?);
                let [rx, ry] = radii(size, *is_circle, rect, centre, units)?;
                self.radial(rect.origin() + centre, rx, ry, units)
            }
        }
    }

    fn linear(&self, rect: Rect, along: Vec2, units: &dyn Units) -> Option<Placed> {
        // The line ends where its perpendiculars pass through corners, so that these have the
        // colours of the ends.
        let length = (rect.width() * along.x).abs() + (rect.height() * along.y).abs();
        let offsets = self.offsets(length, units)?;
        let [first, last] = self.ends(&offsets)?;
        let at = |offset: f64| rect.center() + along * (length * (offset - 0.5));
        let (start, end) = (at(first), at(last));
        let attributes = [("x1", start.x), ("y1", start.y), ("x2", end.x), ("y2", end.y)];
        Some(self.element("linearGradient", &attributes, &offsets, [first, last]))
    }

    fn radial(&self, centre: Point, rx: f64, ry: f64, units: &dyn Units) -> Option<Placed> {
        // CSS Images 3 (section 3.2.3) draws an ellipse without a size as stripes or in one colour.
        if !(rx > 0.0 && ry > 0.0) {
            return None;
        }
        let offsets = self.offsets(rx, units)?;
        let [first, last] = self.ends(&offsets)?;
        // SVG has no negative radius.
        if first < 0.0 || self.is_repeating && first != 0.0 {
            return None;
        }
        let mut placed = self.element(
            "radialGradient",
            &[("cx", 0.0), ("cy", 0.0), ("r", rx * last)],
            &offsets,
            [0.0, last],
        );
        // SVG has circles only, so a transform makes the ellipse. Offsets are along the x axis.
        let transform = format!("translate({} {}) scale(1 {})", centre.x, centre.y, ry / rx);
        placed.attributes.push(("gradientTransform", transform));
        Some(placed)
    }

    /// The offsets of the stops (CSS Images 3, section 3.4.3).
    fn offsets(&self, whole: f64, units: &dyn Units) -> Option<Vec<f64>> {
        let last = self.stops.len() - 1;
        // A stop before an earlier one moves to it, so the offsets never decrease.
        let mut known = Vec::new();
        let mut least = f64::NEG_INFINITY;
        for (index, stop) in self.stops.iter().enumerate() {
            let own = match &stop.at {
                Some(at) => Some(px(at, units, whole)? / whole).filter(|v| v.is_finite()),
                None if index == 0 => Some(0.0),
                None if index == last => Some(1.0),
                None => None,
            };
            if let Some(own) = own {
                least = least.max(own);
                known.push((index, least));
            }
        }
        let mut offsets = Vec::with_capacity(last + 1);
        // The stops without a position are spaced evenly between their neighbours with one.
        for pair in known.windows(2) {
            let [(from, a), (to, b)] = [pair[0], pair[1]];
            let n = u32::try_from(to - from).ok()?;
            let mut offset = a;
            for _ in 0..n {
                offsets.push(offset);
                offset += (b - a) / f64::from(n);
            }
        }
        offsets.push(known.last()?.1);
        (offsets.len() == last + 1).then_some(offsets)
    }

    /// The offsets at the ends of the line of SVG.
    fn ends(&self, offsets: &[f64]) -> Option<[f64; 2]> {
        let (first, last) = (*offsets.first()?, *offsets.last()?);
        // The period of a repeating gradient is from the first stop to the last. Other gradients
        // extend beyond their stops in CSS as in SVG, so a wider line is the same.
        let ends = if self.is_repeating { [first, last] } else { [first.min(0.0), last.max(1.0)] };
        (ends[0] < ends[1]).then_some(ends)
    }

    fn element(
        &self,
        tag: &'static str,
        numbers: &[(&'static str, f64)],
        offsets: &[f64],
        [first, last]: [f64; 2],
    ) -> Placed {
        let mut attributes: Vec<_> = numbers.iter().map(|(name, v)| (*name, v.to_string())).collect();
        attributes.push(("gradientUnits", "userSpaceOnUse".to_owned()));
        if self.is_repeating {
            attributes.push(("spreadMethod", "repeat".to_owned()));
        }
        let stops = self.stops.iter().zip(offsets);
        let stops = stops.map(|(stop, offset)| [(offset - first) / (last - first), stop.alpha]).collect();
        Placed { tag, attributes, stops }
    }
}

/// A length in px, with this as 100 %.
fn px(text: &str, units: &dyn Units, whole: f64) -> Option<f64> {
    let value = evaluate(text, units)?;
    let length = units.px(Value { percent: 0.0, ..value });
    Some(length + value.percent / 100.0 * whole).filter(|px| px.is_finite())
}

/// The radii of a radial gradient around a point relative to the origin of its box (CSS Images 3,
/// section 3.2).
fn radii(size: &Radii, is_circle: bool, rect: Rect, centre: Vec2, units: &dyn Units) -> Option<[f64; 2]> {
    let pick = |is_closest: bool, a: f64, b: f64| if is_closest { a.min(b) } else { a.max(b) };
    let (is_closest, is_corner) = match size {
        Radii::Side { is_closest } => (*is_closest, false),
        Radii::Corner { is_closest } => (*is_closest, true),
        Radii::Lengths([x, y]) => {
            return Some([px(x, units, rect.width())?, px(y, units, rect.height())?]);
        }
    };
    // The centre may be outside of the box.
    let x = pick(is_closest, centre.x.abs(), (rect.width() - centre.x).abs());
    let y = pick(is_closest, centre.y.abs(), (rect.height() - centre.y).abs());
    Some(match (is_circle, is_corner) {
        (true, false) => [pick(is_closest, x, y); 2],
        (true, true) => [x.hypot(y); 2],
        (false, false) => [x, y],
        // The ellipse has the ratio of the sides, and contains the corner.
        (false, true) => [x * SQRT_2, y * SQRT_2],
    })
}

/// The direction of a linear gradient with its comma, downward without one.
fn direction(input: &mut Parser<'_>) -> Result<GradientLine> {
    let angle = input.try_parse(|input| {
        let angle = degrees(input)?;
        input.expect_comma()?;
        Ok::<_, ParseError<()>>(GradientLine::Angle(angle))
    });
    if angle.is_ok() {
        return angle;
    }
    if input.try_parse(|input| input.expect_ident_matching("to")).is_err() {
        return Ok(GradientLine::Angle(180.0));
    }
    let mut to = Vec2::ZERO;
    while input.try_parse(|input| input.expect_comma()).is_err() {
        let (axis, sign) = match keyword(input, &["left", "right", "top", "bottom"])? {
            "left" => (&mut to.x, -1.0),
            "right" => (&mut to.x, 1.0),
            "top" => (&mut to.y, -1.0),
            _ => (&mut to.y, 1.0),
        };
        // Both words name the same axis, as in `to left right`.
        if *axis != 0.0 {
            return invalid();
        }
        *axis = sign;
    }
    if to == Vec2::ZERO { invalid() } else { Ok(GradientLine::To(to)) }
}

/// The shape, size and position of a radial gradient with their comma.
fn radial(input: &mut Parser<'_>) -> Result<GradientLine> {
    let positive = Lengths { has_negative: false, ..LENGTHS };
    let (mut is_circle, mut size, mut lengths) = (None, None, Vec::new());
    // The shape and the size may come in either order.
    loop {
        if is_circle.is_none()
            && let Ok(shape) = input.try_parse(|input| keyword(input, &["circle", "ellipse"]))
        {
            is_circle = Some(shape == "circle");
        } else if let Ok(extent) = input.try_parse(|input| keyword(input, &EXTENTS)) {
            let is_closest = extent.starts_with("closest");
            let is_side = extent.ends_with("side");
            size = Some(if is_side { Radii::Side { is_closest } } else { Radii::Corner { is_closest } });
        } else if let Ok(radius) = input.try_parse(|input| length(input, positive)) {
            lengths.push(radius);
        } else {
            break;
        }
    }
    let has_shape = is_circle.is_some() || size.is_some() || !lengths.is_empty();
    let mut centre = ["50%".to_owned(), "50%".to_owned()];
    let has_centre = input.try_parse(|input| input.expect_ident_matching("at")).is_ok();
    if has_centre {
        centre = input.parse_until_before(Delimiter::Comma, |input| position(input, LENGTHS))?;
    }
    if has_shape || has_centre {
        input.expect_comma()?;
    }
    let (is_circle, size) = match (&lengths[..], size) {
        ([], size) => (is_circle.unwrap_or(false), size.unwrap_or(Radii::Corner { is_closest: false })),
        // A single length is the radius of a circle, and two are those of an ellipse.
        ([radius], None) if is_circle != Some(false) && !radius.contains('%') => {
            (true, Radii::Lengths([radius.clone(), radius.clone()]))
        }
        ([x, y], None) if is_circle != Some(true) => (false, Radii::Lengths([x.clone(), y.clone()])),
        _ => return invalid(),
    };
    Ok(GradientLine::Radial { is_circle, size, centre })
}

const EXTENTS: [&str; 4] = ["closest-side", "farthest-side", "closest-corner", "farthest-corner"];

/// A colour with up to two positions. A hint between two colours is not supported.
fn stop(input: &mut Parser<'_>, context: &Context, stops: &mut Vec<Stop>) -> Result<()> {
    let position = |input: &mut Parser<'_>| length(input, LENGTHS);
    let mut at: Vec<_> = input.try_parse(position).into_iter().collect();
    let alpha = color(input, context)?.alpha(context);
    while at.len() < 2 {
        let Ok(next) = input.try_parse(position) else { break };
        at.push(next);
    }
    // Two positions stand for two stops of the same colour.
    if at.is_empty() {
        stops.push(Stop { alpha, at: None });
    }
    stops.extend(at.into_iter().map(|at| Stop { alpha, at: Some(at) }));
    Ok(())
}
