//! Values of the properties `transform`, `translate`, `rotate`, `scale` and `transform-origin`.

use kurbo::{Affine, Rect, Vec2};

use crate::css::values::split;
use crate::css::values::{Units, Value, evaluate};

/// What the lengths of a transform are relative to.
pub(crate) struct Reference<'a> {
    /// The reference box. Percentages are relative to its size.
    pub(crate) rect: Rect,
    /// Units with the width of the box as 100 %.
    pub(crate) x: &'a dyn Units,
    /// Units with its height.
    pub(crate) y: &'a dyn Units,
}

impl Reference<'_> {
    fn x(&self, text: &str) -> Option<f64> {
        length(text, self.x)
    }

    fn y(&self, text: &str) -> Option<f64> {
        length(text, self.y)
    }

    /// Degrees. Zero may have no unit.
    fn angle(&self, text: &str) -> Option<f64> {
        evaluate(text, self.x)?.as_degrees()
    }

    fn number(&self, text: &str) -> Option<f64> {
        evaluate(text, self.x)?.as_number()
    }

    /// A factor, as a number or a percentage.
    fn factor(&self, text: &str) -> Option<f64> {
        let value = evaluate(text, self.x)?;
        let percent =
            (value == Value { percent: value.percent, ..Value::default() }).then_some(value.percent / 100.0);
        value.as_number().or(percent)
    }

    /// A length in the third dimension, which has no effect.
    fn depth(&self, text: &str) -> Option<()> {
        evaluate(text, self.x).filter(|value| value.is_length() && value.percent == 0.0).map(drop)
    }

    /// A list of transform functions. The third dimension is left out where it has no effect.
    pub(crate) fn transform(&self, text: &str) -> Option<Affine> {
        let (mut product, mut rest) = (Affine::IDENTITY, text.trim());
        if rest.eq_ignore_ascii_case("none") {
            return Some(product);
        }
        while !rest.is_empty() {
            let (name, inside) = rest.split_once('(')?;
            let mut depth = 0;
            let end = inside.find(|c| {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth < 0
            })?;
            let arguments = split(&inside[..end], |c| c == ',');
            product *= self.function(&name.trim_end().to_ascii_lowercase(), &arguments)?;
            rest = inside[end + 1..].trim_start();
        }
        product.is_finite().then_some(product)
    }

    fn function(&self, name: &str, arguments: &[&str]) -> Option<Affine> {
        let scale = |x, y| Some(Affine::scale_non_uniform(x, y));
        let skew = |x: f64, y: f64| Some(Affine::skew(x.to_radians().tan(), y.to_radians().tan()));
        let translate = |x: f64, y: f64| Some(Affine::translate((x, y)));
        match (name, arguments) {
            ("translate" | "translatex", [x]) => translate(self.x(x)?, 0.0),
            ("translate", [x, y]) => translate(self.x(x)?, self.y(y)?),
            ("translate3d", [x, y, z]) => self.depth(z).and(translate(self.x(x)?, self.y(y)?)),
            ("translatey", [y]) => translate(0.0, self.y(y)?),
            ("scale", [s]) => scale(self.factor(s)?, self.factor(s)?),
            ("scale", [x, y]) => scale(self.factor(x)?, self.factor(y)?),
            ("scale3d", [x, y, z]) => self.factor(z).and(scale(self.factor(x)?, self.factor(y)?)),
            ("scalex", [x]) => scale(self.factor(x)?, 1.0),
            ("scaley", [y]) => scale(1.0, self.factor(y)?),
            ("rotate" | "rotatez", [angle]) => Some(Affine::rotate(self.angle(angle)?.to_radians())),
            ("skew" | "skewx", [x]) => skew(self.angle(x)?, 0.0),
            ("skew", [x, y]) => skew(self.angle(x)?, self.angle(y)?),
            ("skewy", [y]) => skew(0.0, self.angle(y)?),
            ("translatez", [z]) => self.depth(z).map(|()| Affine::IDENTITY),
            ("scalez", [z]) => self.factor(z).map(|_| Affine::IDENTITY),
            ("matrix", [_, _, _, _, _, _]) => {
                let numbers: Vec<f64> =
                    arguments.iter().map(|text| self.number(text)).collect::<Option<_>>()?;
                Some(Affine::new(numbers.try_into().ok()?))
            }
            _ => None,
        }
    }

    /// The property `translate`.
    pub(crate) fn translate(&self, text: &str) -> Option<Affine> {
        let lower = text.to_ascii_lowercase();
        match words(&lower)[..] {
            ["none"] => Some(Affine::IDENTITY),
            [x] => Some(Affine::translate((self.x(x)?, 0.0))),
            [x, y] => Some(Affine::translate((self.x(x)?, self.y(y)?))),
            [x, y, z] => self.depth(z).and(Some(Affine::translate((self.x(x)?, self.y(y)?)))),
            _ => None,
        }
    }

    /// The property `rotate`.
    pub(crate) fn rotate(&self, text: &str) -> Option<Affine> {
        let lower = text.to_ascii_lowercase();
        match words(&lower)[..] {
            ["none"] => Some(Affine::IDENTITY),
            [angle] | ["z", angle] | [angle, "z"] => Some(Affine::rotate(self.angle(angle)?.to_radians())),
            _ => None,
        }
    }

    /// The property `scale`.
    pub(crate) fn scale(&self, text: &str) -> Option<Affine> {
        let lower = text.to_ascii_lowercase();
        let scale = |x, y| Some(Affine::scale_non_uniform(x, y));
        match words(&lower)[..] {
            ["none"] => Some(Affine::IDENTITY),
            [s] => Some(Affine::scale(self.factor(s)?)),
            [x, y] => scale(self.factor(x)?, self.factor(y)?),
            [x, y, z] => self.factor(z).and(scale(self.factor(x)?, self.factor(y)?)),
            _ => None,
        }
    }

    /// The point of the property `transform-origin`. Numbers are valid in attributes only.
    pub(crate) fn origin(&self, text: &str, accepts_numbers: bool) -> Option<Vec2> {
        let lower = text.to_ascii_lowercase();
        let words = words(&lower);
        if let [_, _, z] = words[..] {
            self.depth(z)?;
        }
        let (x, y) = match words[..] {
            [y @ ("top" | "bottom")] => ("center", y),
            [x] => (x, "center"),
            [first @ ("top" | "bottom"), second]
            | [first @ ("top" | "bottom"), second, _]
            | [first @ "center", second @ ("left" | "right")] => (second, first),
            [first, second] | [first, second, _] => (first, second),
            _ => return None,
        };
        let offset = |text, start, end, units: &dyn Units, from: f64, size: f64| {
            let part = match text {
                "center" => 0.5 * size,
                text if text == start => 0.0,
                text if text == end => size,
                _ => {
                    let value = evaluate(text, units)?;
                    let is_valid = value.is_length() || accepts_numbers && value.as_number().is_some();
                    Some(units.px(value)).filter(|_| is_valid)?
                }
            };
            Some(from + part)
        };
        let Rect { x0, y0, .. } = self.rect;
        Some(Vec2::new(
            offset(x, "left", "right", self.x, x0, self.rect.width())?,
            offset(y, "top", "bottom", self.y, y0, self.rect.height())?,
        ))
    }
}

fn words(text: &str) -> Vec<&str> {
    split(text, char::is_whitespace)
}

fn length(text: &str, units: &dyn Units) -> Option<f64> {
    evaluate(text, units).filter(|value| value.is_length()).map(|value| units.px(value))
}

/// Whether a value of a property has a rotation or a perspective in three dimensions.
pub(crate) fn is_spatial(property: &str, value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    match property {
        "transform" => ["rotatex", "rotatey", "rotate3d", "matrix3d", "perspective"]
            .iter()
            .any(|name| lower.contains(name)),
        "rotate" => matches!(words(&lower)[..], ["x" | "y", _] | [_, "x" | "y"] | [_, _, _, _]),
        _ => false,
    }
}
