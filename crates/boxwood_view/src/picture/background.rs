//! The background of the drawing.

use std::str::FromStr;

use image::{Rgba, RgbaImage};

/// The background of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// Light squares, which show through where the drawing is transparent.
    #[default]
    Checker,
    /// White.
    White,
    /// Black.
    Black,
    /// No background. A window shows black instead.
    Transparent,
    /// Red, green, blue, and opacity, in sRGB, with straight alpha.
    Color([u8; 4]),
}

/// A text that names no background.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown background `{0}`: use checker, white, black, transparent, or a colour as #rrggbb or #rrggbbaa"
)]
pub struct UnknownBackground(pub String);

/// The two colours of the checker.
const CHECKER: [[u8; 4]; 2] = [[255, 255, 255, 255], [232, 232, 232, 255]];

/// The side of a checker square, in device pixels at a scale factor of 1.
const CHECKER_SIDE: u32 = 8;

impl Background {
    /// The background that follows this one when the window cycles through them.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Checker => Self::White,
            Self::White => Self::Black,
            Self::Black | Self::Transparent | Self::Color(_) => Self::Checker,
        }
    }

    /// The tile that the background repeats: red, green, blue, and opacity, with straight alpha.
    ///
    /// `scale_factor` is the number of device pixels per logical pixel of the desktop.
    pub(crate) fn tile(self, scale_factor: f64) -> RgbaImage {
        let color = match self {
            Self::Checker => {
                // No screen has more than a few device pixels per logical pixel.
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

/// Reads a name or a colour as [`UnknownBackground`] lists them.
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

/// Parses a colour of the form `#rrggbb` or `#rrggbbaa`.
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
        for (text, background) in [
            ("checker", Background::Checker),
            ("white", Background::White),
            ("black", Background::Black),
            ("transparent", Background::Transparent),
            ("#0102fe80", Background::Color([1, 2, 0xfe, 0x80])),
            (" #0102Fe", Background::Color([1, 2, 0xfe, 255])),
        ] {
            assert_eq!(text.parse(), Ok(background));
        }
        for bad in ["", "#", "#12345", "#+12345", "#1234567", "#gg0000", "red", "#€123"] {
            assert_eq!(bad.parse::<Background>(), Err(UnknownBackground(bad.to_owned())));
        }
    }

    #[test]
    fn the_checker_alternates_both_colours_in_squares_of_device_pixels() {
        let tile = Background::Checker.tile(2.0);
        assert_eq!(tile.dimensions(), (32, 32));
        let at = |x, y| tile.get_pixel(x, y).0;
        assert_eq!([at(0, 0), at(15, 15), at(16, 31)], [CHECKER[0]; 3]);
        assert_eq!([at(16, 15), at(0, 16)], [CHECKER[1]; 2]);
    }

    #[test]
    fn a_window_cycles_through_the_backgrounds() {
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
