//! Units of length.

use std::str::FromStr;

use kurbo::Affine;

use crate::words::words;

/// The number of CSS pixels in a millimetre: an inch has 96 of them, and 25.4 mm.
const PX_PER_MM: f64 = 96.0 / 25.4;

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// CSS pixels of the drawing at 100 %.
    #[default]
    Px,
    /// User units of the root, which its `viewBox` determines.
    User,
    /// Millimetres at 96 px per inch.
    Mm,
}

words!(Unit, "a unit", Px = "px", User = "user", Mm = "mm");

impl Unit {
    /// The transform from px of the scene to this unit. `user_from_scene` is
    /// [that of the drawing](boxwood_svg::Drawing::user_from_scene).
    pub fn unit_from_scene(self, user_from_scene: Affine) -> Affine {
        match self {
            Self::Px => Affine::IDENTITY,
            Self::User => user_from_scene,
            Self::Mm => Affine::scale(1.0 / PX_PER_MM),
        }
    }
}

/// A length that is not negative, with its unit. It is parsed from a text such as `2mm`, where a
/// number without a unit is in px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    number: f64,
    unit: Unit,
}

/// Why a text or a number is not a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be a number that is not negative, with px, user, mm, or no unit")]
pub struct LengthError;

impl Length {
    /// A length in a unit.
    ///
    /// # Errors
    ///
    /// The number is negative or not finite.
    pub fn new(number: f64, unit: Unit) -> Result<Self, LengthError> {
        if number.is_finite() && number >= 0.0 { Ok(Self { number, unit }) } else { Err(LengthError) }
    }

    /// The length along each axis in px of the scene.
    pub fn in_scene(self, user_from_scene: Affine) -> [f64; 2] {
        let [a, _, _, d, _, _] = self.unit.unit_from_scene(user_from_scene).as_coeffs();
        [self.number / a, self.number / d]
    }
}

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let units = Unit::ALL.iter();
        let mut with_unit = units.filter_map(|unit| Some((text.strip_suffix(unit.word())?, *unit)));
        let (number, unit) = with_unit.next().unwrap_or((text, Unit::Px));
        Self::new(number.trim_end().parse().map_err(|_| LengthError)?, unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_a_unit() {
        let in_scene = |text: &str| {
            text.parse().map(|length: Length| length.in_scene(Affine::scale_non_uniform(2.0, 4.0)))
        };
        assert_eq!(in_scene("8"), Ok([8.0, 8.0]));
        assert_eq!(in_scene("8px"), Ok([8.0, 8.0]));
        assert_eq!(in_scene("8 user"), Ok([4.0, 2.0]));
        assert_eq!(in_scene("25.4mm").map(|[x, _]| x.round()), Ok(96.0));
        for wrong in ["", "px", "-1", "1cm", "inf", "nan", "1 2"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }
}
