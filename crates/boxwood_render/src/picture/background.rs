//! The background of the drawing.

use std::str::FromStr;

use image::{Rgba, RgbaImage};
use resvg::tiny_skia::ColorU8;

/// The background of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// Light squares, which show through where the drawing is transparent.
    #[default]
    Checker,
    /// Red, green, blue, and opacity, in sRGB, with straight alpha.
    Color([u8; 4]),
}

/// A text that names no background.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown background `{0}`: use checker, or a CSS colour such as white, transparent, #rgb, #rrggbb, #rrggbbaa, or rgb(0 0 0 / 50%)"
)]
pub struct UnknownBackground(pub String);

/// The two colours of the checker.
const CHECKER: [[u8; 4]; 2] = [[255, 255, 255, 255], [232, 232, 232, 255]];

/// The side of a checker square, in device pixels at a scale factor of 1.
const CHECKER_SIDE: u32 = 8;

impl Background {
    /// White.
    pub const WHITE: Self = Self::Color([255; 4]);
    /// Black.
    pub const BLACK: Self = Self::Color([0, 0, 0, 255]);
    /// No background. A window shows black instead.
    pub const TRANSPARENT: Self = Self::Color([0; 4]);

    /// The background that follows this one when the window cycles through them.
    pub fn next(self) -> Self {
        match self {
            Self::Checker => Self::WHITE,
            Self::WHITE => Self::BLACK,
            Self::Color(_) => Self::Checker,
        }
    }

    /// The tile that the background repeats: red, green, blue, and opacity, with straight alpha.
    ///
    /// `scale_factor` is the number of device pixels per logical pixel of the desktop.
    pub(crate) fn tile(self, scale_factor: f64) -> RgbaImage {
        match self {
            Self::Checker => {
                // No screen has more than a few device pixels per logical pixel.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
                let factor = scale_factor.round().clamp(1.0, 16.0) as u32;
                let side = CHECKER_SIDE * factor;
                RgbaImage::from_fn(2 * side, 2 * side, |x, y| {
                    Rgba(CHECKER[usize::from((x < side) != (y < side))])
                })
            }
            Self::Color(color) => RgbaImage::from_pixel(1, 1, Rgba(color)),
        }
    }
}

/// Reads `checker`, or a colour as CSS writes it.
impl FromStr for Background {
    type Err = UnknownBackground;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "checker" {
            return Ok(Self::Checker);
        }
        let color: Result<peniko::Color, _> = text.parse();
        color
            .map(|color| Self::Color(color.to_rgba8().to_u8_array()))
            .map_err(|_| UnknownBackground(text.to_owned()))
    }
}

/// A picture of the background alone, with premultiplied alpha.
pub(crate) fn backdrop(background: Background, scale_factor: f64, size: [u32; 2]) -> RgbaImage {
    backdrop_at(background, scale_factor, size, [0, 0])
}

/// The same, with a corner of the repeated tile at this pixel, which may be outside the picture.
pub fn backdrop_at(
    background: Background,
    scale_factor: f64,
    [width, height]: [u32; 2],
    corner: [i64; 2],
) -> RgbaImage {
    let tile = background.tile(scale_factor);
    // Both are smaller than a tile.
    let shift = |corner: i64, side: u32| u32::try_from((-corner).rem_euclid(side.into())).unwrap_or_default();
    let [left, top] = [shift(corner[0], tile.width()), shift(corner[1], tile.height())];
    RgbaImage::from_fn(width, height, |x, y| {
        premultiplied(*tile.get_pixel((x + left) % tile.width(), (y + top) % tile.height()))
    })
}

fn premultiplied(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    let color = ColorU8::from_rgba(red, green, blue, alpha).premultiply();
    Rgba([color.red(), color.green(), color.blue(), color.alpha()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_colours_are_read() {
        for (text, background) in [
            ("checker", Background::Checker),
            ("white", Background::WHITE),
            ("black", Background::BLACK),
            ("transparent", Background::TRANSPARENT),
            ("RebeccaPurple", Background::Color([0x66, 0x33, 0x99, 255])),
            ("#12f", Background::Color([0x11, 0x22, 0xff, 255])),
            ("#12f8", Background::Color([0x11, 0x22, 0xff, 0x88])),
            ("rgb(1, 2, 254)", Background::Color([1, 2, 254, 255])),
            ("rgba(1, 2, 254, 0.2)", Background::Color([1, 2, 254, 51])),
            ("hsl(120 100% 50%)", Background::Color([0, 255, 0, 255])),
            ("#0102fe80", Background::Color([1, 2, 0xfe, 0x80])),
            (" #0102Fe", Background::Color([1, 2, 0xfe, 255])),
            ("rgb(1 2 254 / 20%)", Background::Color([1, 2, 0xfe, 51])),
        ] {
            assert_eq!(text.parse(), Ok(background));
        }
        for bad in ["", "#", "#12345", "#+12345", "#1234567", "#gg0000", "no colour", "€", "#€123"] {
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
        assert_eq!(seen, [Background::Checker, Background::WHITE, Background::BLACK, Background::Checker]);
    }
}
