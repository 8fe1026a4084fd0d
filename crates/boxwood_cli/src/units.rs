//! Units of length on the command line.

use clap::ValueEnum;
use kurbo::Affine;
use serde::Serialize;

/// The number of CSS pixels in a millimetre: an inch has 96 of them, and 25.4 mm.
pub(crate) const PX_PER_MM: f64 = 96.0 / 25.4;

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    /// CSS pixels of the drawing at 100 %
    #[default]
    Px,
    /// User units of the root, which its viewBox determines
    User,
    /// Millimetres at 96 px per inch
    Mm,
}

impl Unit {
    /// The name of the unit, as it is written after a number.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Px => "px",
            Self::User => "user",
            Self::Mm => "mm",
        }
    }

    /// The transform from px of the scene to this unit. `user_from_scene` is that of the drawing.
    pub(crate) fn unit_from_scene(self, user_from_scene: Affine) -> Affine {
        match self {
            Self::Px => Affine::IDENTITY,
            Self::User => user_from_scene,
            Self::Mm => Affine::scale(1.0 / PX_PER_MM),
        }
    }
}

/// A length with its unit, such as `2mm`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Length {
    number: f64,
    unit: Unit,
}

impl Length {
    /// The length along each axis in px of the scene.
    pub(crate) fn in_scene(self, user_from_scene: Affine) -> [f64; 2] {
        let [a, _, _, d, _, _] = self.unit.unit_from_scene(user_from_scene).as_coeffs();
        [self.number / a, self.number / d]
    }
}

/// Parses a length that is not negative. A number without a unit is in px.
pub(crate) fn length(text: &str) -> Result<Length, &'static str> {
    let units = Unit::value_variants().iter();
    let mut with_unit = units.filter_map(|unit| Some((text.strip_suffix(unit.word())?, *unit)));
    let (number, unit) = with_unit.next().unwrap_or((text, Unit::Px));
    let number = number.trim_end().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    let number = number.ok_or("it must be a number that is not negative, with px, user, mm, or no unit")?;
    Ok(Length { number, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_a_unit() {
        let in_scene =
            |text: &str| length(text).map(|length| length.in_scene(Affine::scale_non_uniform(2.0, 4.0)));
        assert_eq!(in_scene("8"), Ok([8.0, 8.0]));
        assert_eq!(in_scene("8px"), Ok([8.0, 8.0]));
        assert_eq!(in_scene("8 user"), Ok([4.0, 2.0]));
        assert_eq!(in_scene("25.4mm").map(|[x, _]| x.round()), Ok(96.0));
        for wrong in ["", "px", "-1", "1cm", "inf", "nan", "1 2"] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }
}
