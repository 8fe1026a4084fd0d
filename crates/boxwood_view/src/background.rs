//! What lies behind the drawing.

use std::fmt;
use std::str::FromStr;

use image::{Rgba, RgbaImage};

/// What lies behind the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// Light squares, which show where the drawing is transparent.
    #[default]
    Checker,
    /// White.
    White,
    /// Black.
    Black,
    /// Nothing. A window has nothing behind it and shows black.
    Transparent,
    /// Red, green, blue and opacity, in sRGB, not premultiplied.
    Color([u8; 4]),
}

/// A text that is no background.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown background `{0}`: take checker, white, black, transparent, or a colour as #rrggbb or #rrggbbaa"
)]
pub struct UnknownBackground(pub String);

/// The two colours of the checker.
const CHECKER: [[u8; 4]; 2] = [[255, 255, 255, 255], [232, 232, 232, 255]];

/// The side of a square of the checker, in device pixels at a scale factor of 1.
const CHECKER_SIDE: u32 = 8;

impl Background {
    /// The background that follows when a window goes through them.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Checker => Self::White,
            Self::White => Self::Black,
            Self::Black | Self::Transparent | Self::Color(_) => Self::Checker,
        }
    }

    /// One tile of the background, to be repeated: red, green, blue and opacity, not premultiplied.
    ///
    /// `scale_factor` is how many device pixels a pixel of the desktop has.
    pub(crate) fn tile(self, scale_factor: f64) -> RgbaImage {
        let color = match self {
            Self::Checker => {
                // Saturates; a screen has a few device pixels a pixel.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
                let factor = scale_factor.round().clamp(1.0, 16.0) as u32;
                let side = CHECKER_SIDE * factor;
                return RgbaImage::from_fn(2 * side, 2 * side, |x, y| {
                    Rgba(CHECKER[usize::from((x < side) != (y < side))])
                });
            }
            Self::White => [255; 4],
            Self::Black => [0, 0, 0, 255],
            Self::Transparent => [0; 4],
            Self::Color(color) => color,
        };
        RgbaImage::from_pixel(1, 1, Rgba(color))
    }
}

/// Reads what the message of [`UnknownBackground`] lists.
impl FromStr for Background {
    type Err = UnknownBackground;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "checker" => Ok(Self::Checker),
            "white" => Ok(Self::White),
            "black" => Ok(Self::Black),
            "transparent" => Ok(Self::Transparent),
            other => color(other).map(Self::Color).ok_or_else(|| UnknownBackground(text.to_owned())),
        }
    }
}

/// Writes what [`FromStr`] reads.
impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checker => f.write_str("checker"),
            Self::White => f.write_str("white"),
            Self::Black => f.write_str("black"),
            Self::Transparent => f.write_str("transparent"),
            Self::Color([red, green, blue, alpha]) => write!(f, "#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
        }
    }
}

/// The colour written as `#rrggbb` or `#rrggbbaa`.
fn color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let channels = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some((channels << 8 | 0xff).to_be_bytes()),
        8 => Some(channels.to_be_bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_colours_are_read() {
        for background in [
            Background::Checker,
            Background::White,
            Background::Black,
            Background::Transparent,
            Background::Color([1, 2, 0xfe, 0x80]),
        ] {
            assert_eq!(background.to_string().parse(), Ok(background));
        }
        assert_eq!("#0102Fe".parse(), Ok(Background::Color([1, 2, 0xfe, 255])));
        for bad in ["", "#", "#12345", "#+12345", "#1234567", "#gg0000", "red", "#€123"] {
            assert_eq!(bad.parse::<Background>(), Err(UnknownBackground(bad.to_owned())));
        }
    }

    #[test]
    fn the_checker_has_both_colours_in_squares_of_device_pixels() {
        let tile = Background::Checker.tile(2.0);
        assert_eq!(tile.dimensions(), (32, 32));
        let at = |x, y| tile.get_pixel(x, y).0;
        assert_eq!([at(0, 0), at(15, 15), at(16, 31)], [CHECKER[0]; 3]);
        assert_eq!([at(16, 15), at(0, 16)], [CHECKER[1]; 2]);
    }

    #[test]
    fn a_window_goes_through_the_backgrounds() {
        let mut background = Background::Color([9; 4]);
        let seen: Vec<_> = std::iter::from_fn(|| {
            background = background.next();
            Some(background)
        })
        .take(4)
        .collect();
        assert_eq!(seen, [Background::Checker, Background::White, Background::Black, Background::Checker]);
    }
}
