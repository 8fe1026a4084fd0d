//! The rectangle that a drawing is cropped to, and the attributes of the root that say so.

use boxwood_svg::Drawing;
use kurbo::Rect;

use super::start_tag::StartTag;
use super::{CropError, Margin};

/// The number of steps that the larger side of a crop is divided into at least. The edges of a
/// `viewBox` are at steps, which are powers of ten, so that its numbers have few digits.
const STEPS: f64 = 1e4;

/// The distance within which an edge is where it should be, in steps: an edge is rounded outward to
/// a step, and again for `--square`.
const KEPT_STEPS: f64 = 2.0;

/// The relative error of the boxes of two versions of a drawing: 4 times the rounding error of an
/// `f32`, 2^-24, for the transforms that coordinates go through.
pub(super) const ERROR: f64 = 1.0 / (1 << 22) as f64;

/// The number of significant digits of a width and a height. An `f32` has 7.
const DIGITS: i32 = 7;

/// A new `viewBox`.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The rectangle in user units of the root.
    pub(super) user_box: Rect,
    /// The number of user units per px, along each axis.
    pub(super) user_per_px: [f64; 2],
    /// The size of the old canvas in user units.
    canvas: [f64; 2],
}

impl View {
    /// The view around some ink, which is in px of the scene. `None` if the canvas is that already.
    ///
    /// # Errors
    ///
    /// A transform of the root is not only a scale and a translation.
    pub(super) fn around(ink: Rect, drawing: &Drawing, margin: Margin) -> Result<Option<Self>, CropError> {
        let user_from_scene = drawing.user_from_scene();
        let [a, b, c, d, _, _] = user_from_scene.as_coeffs();
        if b != 0.0 || c != 0.0 || a <= 0.0 || d <= 0.0 {
            return Err(CropError::Transform);
        }
        // The padding and the square are in px, which may have another aspect ratio than user
        // units.
        let [dx, dy] = margin.padding.in_scene(user_from_scene);
        let mut wanted = ink.inflate(dx, dy);
        if margin.is_square {
            let side = wanted.width().max(wanted.height());
            wanted = wanted.inflate((side - wanted.width()) / 2.0, (side - wanted.height()) / 2.0);
        }
        let wanted = user_from_scene.transform_rect_bbox(wanted);
        let canvas = user_from_scene.transform_rect_bbox(drawing.size.to_rect());
        let side = wanted.width().max(wanted.height());
        // The error of an edge grows with the coordinates, not with the size of the canvas.
        let error = ERROR * largest(wanted).max(largest(canvas));
        let distances =
            edges(wanted).into_iter().zip(edges(canvas)).map(|(wanted, edge)| (wanted - edge).abs());
        if distances.fold(0.0, f64::max) <= KEPT_STEPS * (side / STEPS + error) {
            return Ok(None);
        }
        let decimals = -exponent(side / STEPS);
        let mut user_box = rounded_outward(wanted, decimals, error);
        // Rounding can make the sides differ by a step.
        if margin.is_square && (a - d).abs() <= ERROR * a {
            let side = user_box.width().max(user_box.height());
            user_box = Rect::from_origin_size(user_box.origin(), (side, side));
        }
        Ok(Some(Self { user_box, user_per_px: [a, d], canvas: [canvas.width(), canvas.height()] }))
    }

    /// The attributes of the root.
    ///
    /// # Errors
    ///
    /// The width or the height is not a length, or only one of them is a percentage.
    pub(super) fn attributes(&self, tag: &StartTag<'_>, has_view_box: bool) -> Result<Attributes, CropError> {
        let Rect { x0, y0, .. } = self.user_box;
        let sides = [self.user_box.width(), self.user_box.height()];
        let mut attributes = Vec::new();
        let mut n_relative = 0;
        for (axis, name) in ["width", "height"].into_iter().enumerate() {
            let part = sides[axis] / self.canvas[axis];
            match tag.value(name) {
                // The viewBox would scale a drawing that has no size.
                None if has_view_box => {}
                None => attributes.push((name, significant(sides[axis] / self.user_per_px[axis]))),
                Some(value) => match scaled(value.trim(), part) {
                    Some(Scaled::Length(value)) => attributes.push((name, value)),
                    Some(Scaled::Relative) => n_relative += 1,
                    None => return Err(CropError::NotLength { attribute: name, value: value.into_owned() }),
                },
            }
        }
        let has_length = ["width", "height"].map(|name| tag.value(name).is_some());
        // The missing one is 100 %, so the drawing would be scaled by whatever is around it.
        if !has_view_box && n_relative == 0 && has_length[0] != has_length[1] {
            return Err(CropError::OneSide);
        }
        if n_relative == 1 && !attributes.is_empty() {
            return Err(CropError::OnePercentage);
        }
        let scale = largest(self.user_box);
        let [x, y, width, height] = [x0, y0, sides[0], sides[1]].map(|number| tidy(number, scale));
        attributes.push(("viewBox", format!("{x} {y} {width} {height}")));
        Ok(Attributes { values: attributes, is_relative: n_relative > 0 })
    }
}

/// The attributes of a root.
pub(super) struct Attributes {
    pub(super) values: Vec<(&'static str, String)>,
    /// Whether the size is relative to what is around the drawing.
    pub(super) is_relative: bool,
}

/// A width or a height for a part of a drawing.
enum Scaled {
    Length(String),
    /// It is relative to what is around the drawing, and stays.
    Relative,
}

/// A part of a length in its unit. `None` if it is not a length.
fn scaled(length: &str, part: f64) -> Option<Scaled> {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
    let end = |length: &str| length.find(|c| !is_of_number(c)).unwrap_or(length.len());
    let mut unit = end(length);
    // `1e2px` has an exponent, and `1em` does not: a digit follows the letter.
    if let Some(exponent) = length[unit..].strip_prefix(['e', 'E'])
        && end(exponent) > 0
    {
        unit = length.len() - exponent.len() + end(exponent);
    }
    let (number, unit) = length.split_at(unit);
    if unit == "%" || length == "auto" {
        return Some(Scaled::Relative);
    }
    let number: f64 = number.parse().ok().filter(|number: &f64| *number > 0.0)?;
    let is_unit = unit.chars().all(|c| c.is_ascii_alphabetic());
    is_unit.then(|| Scaled::Length(format!("{}{unit}", significant(number * part))))
}

fn edges(Rect { x0, y0, x1, y1 }: Rect) -> [f64; 4] {
    [x0, y0, x1, y1]
}

/// The largest absolute value of a coordinate.
pub(super) fn largest(rect: Rect) -> f64 {
    edges(rect).into_iter().fold(0.0, |largest, edge| edge.abs().max(largest))
}

/// The exponent of the largest power of ten up to a positive number.
#[expect(clippy::cast_possible_truncation, reason = "an f64 has exponents below 309")]
fn exponent(number: f64) -> i32 {
    number.log10().floor() as i32
}

/// Rounds each edge outward to this many decimals. An edge within `error` of them is rounded to the
/// nearest ones.
fn rounded_outward(Rect { x0, y0, x1, y1 }: Rect, decimals: i32, error: f64) -> Rect {
    let rounded = |edge: f64, outward: fn(f64) -> f64| {
        let nearest = at_decimals(edge, decimals, f64::round);
        if (nearest - edge).abs() <= error { nearest } else { at_decimals(edge, decimals, outward) }
    };
    Rect::new(
        rounded(x0, f64::floor),
        rounded(y0, f64::floor),
        rounded(x1, f64::ceil),
        rounded(y1, f64::ceil),
    )
}

/// Rounds a number to a number of decimals, or to a power of ten if that is negative.
fn at_decimals(number: f64, decimals: i32, round: fn(f64) -> f64) -> f64 {
    // A positive power of ten is exact, so that the result is the closest number to the decimals.
    let power = 10_f64.powi(decimals.abs());
    // Adding 0.0 turns -0.0 into 0.0.
    if decimals < 0 { round(number / power) * power + 0.0 } else { round(number * power) / power + 0.0 }
}

/// A number with the significant digits of a length.
fn significant(number: f64) -> String {
    at_decimals(number, DIGITS - 1 - exponent(number), f64::round).to_string()
}

/// A coordinate without the rounding errors of a difference of numbers up to `scale`.
fn tidy(number: f64, scale: f64) -> String {
    /// An `f64` has 15 decimal digits.
    const DIGITS: i32 = 14;
    at_decimals(number, DIGITS - 1 - exponent(scale), f64::round).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_rounded_outward() {
        let rounded = |rect, decimals| rounded_outward(rect, decimals, 1e-5);
        let rect = Rect::new(1.234_56, -0.000_001, 5.000_001, 7.000_1);
        assert_eq!(rounded(rect, 3), Rect::new(1.234, 0.0, 5.0, 7.001));
        assert_eq!(
            rounded(Rect::new(-1234.0, 0.0, 1234.0, 90.0), -2),
            Rect::new(-1300.0, 0.0, 1300.0, 100.0)
        );
    }

    #[test]
    fn a_length_keeps_its_unit() {
        let scaled = |length| match scaled(length, 0.5) {
            Some(Scaled::Length(length)) => length,
            Some(Scaled::Relative) => "relative".to_owned(),
            None => "wrong".to_owned(),
        };
        let lengths =
            ["100", "1e2px", "10.5mm", "3em", "2E+1ex", "100%", "auto", "-4", "", "px", "&w;", "4 px"];
        let expected = ["50", "50px", "5.25mm", "1.5em", "10ex", "relative", "relative"];
        assert_eq!(lengths.map(scaled)[..7], expected);
        assert!(lengths.map(scaled)[7..].iter().all(|length| length == "wrong"));
    }

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!(tidy(12.3 - 0.1, 12.3), "12.2");
        assert_eq!(tidy(0.0, 1.0), "0");
        assert_eq!(tidy(1_803.900_000_000_4, 6.9e6), "1803.9");
        assert_eq!(significant(40.000_002_4), "40");
        assert_eq!(significant(1_234_567.8), "1234568");
        assert_eq!(significant(123_456_789.0), "123456800");
    }
}
