//! The picture that Vello draws of a drawing against the one that resvg draws, pixel by pixel.

use std::fmt;
use std::path::{Path, PathBuf};

use boxwood_svg::{Drawing, Fonts, Options, load_file};
use boxwood_view::{Background, Painter, PictureSize, RenderOptions, render_software};
use image::{Rgba, RgbaImage};

/// The longest side of a picture, in pixels. Smaller drawings are drawn at 100 %.
const MAX_SIDE: f64 = 800.0;

/// What a pixel may be off by, in the channel that is off most: anti-aliasing alone is more at an edge, and less elsewhere.
const SLIGHT: u8 = 16;

/// From here on a pixel is plainly another.
const PLAIN: u8 = 64;

/// How two pictures of a drawing differ.
#[derive(Clone, Debug)]
pub struct PictureDifference {
    /// The drawing.
    pub name: String,
    /// Vello's picture.
    pub vello: RgbaImage,
    /// resvg's.
    pub resvg: RgbaImage,
    /// The mean of what the channels are off by, of 255.
    pub mean: f64,
    /// The share of the pixels that are off by more than 16 of 255.
    pub slightly_off: f64,
    /// The same of 64.
    pub plainly_off: f64,
    /// The share of the pixels that are off by more than 64 and at no edge: in both pictures the pixels around are the same but
    /// for 16.
    pub off_inside: f64,
}

/// How the pictures of a drawing differ, on white, without boxes. An error says why there are none.
pub fn picture_difference(
    painter: &mut Painter,
    path: &Path,
    font_dirs: &[PathBuf],
) -> Result<PictureDifference, String> {
    let options = Options { fonts: Fonts::Bundled, font_dirs: font_dirs.to_vec(), ..Options::default() };
    let drawing = load_file(path, &options).map_err(|error| error.to_string())?;
    let with_path = |error: &dyn fmt::Display| format!("{error}: {}", path.display());
    let options = RenderOptions {
        size: PictureSize::Zoom((MAX_SIDE / drawing.size.width.max(drawing.size.height)).min(1.0)),
        background: Background::White,
        ..RenderOptions::default()
    };
    let vello = by_vello(painter, &drawing, &options).map_err(|error| with_path(&error))?;
    let boxes = boxwood_cpu::boxes(&drawing.elements);
    let resvg = render_software(&drawing, &boxes, &options).map_err(|error| with_path(&error))?;
    Ok(PictureDifference::new(path.display().to_string(), vello, resvg))
}

fn by_vello(
    painter: &mut Painter,
    drawing: &Drawing,
    options: &RenderOptions,
) -> Result<RgbaImage, boxwood_view::RenderError> {
    painter.set_drawing(drawing)?;
    painter.render(options)
}

impl PictureDifference {
    /// The difference of two pictures of one size.
    pub fn new(name: String, vello: RgbaImage, resvg: RgbaImage) -> Self {
        assert_eq!(vello.dimensions(), resvg.dimensions(), "{name}: the sizes of the pictures");
        let n_pixels = f64::from(vello.width()) * f64::from(vello.height());
        let off: Vec<u8> = vello.pixels().zip(resvg.pixels()).map(|(a, b)| apart(*a, *b)).collect();
        let sum: u64 = vello.iter().zip(resvg.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let share = |count: usize| count as f64 / n_pixels;
        let beyond = |limit: u8| share(off.iter().filter(|off| **off > limit).count());
        let is_inside = |&(x, y, _): &(u32, u32, _)| [&vello, &resvg].iter().all(|p| is_flat(p, x, y));
        let at = |(x, y, _): (u32, u32, _)| off[(y * vello.width() + x) as usize];
        let plain = vello.enumerate_pixels().filter(|&pixel| at(pixel) > PLAIN);
        let off_inside = share(plain.filter(is_inside).count());
        // Three colours: all pictures are opaque.
        let mean = sum as f64 / (3.0 * n_pixels);
        let (slightly_off, plainly_off) = (beyond(SLIGHT), beyond(PLAIN));
        Self { name, mean, slightly_off, plainly_off, off_inside, vello, resvg }
    }

    /// Vello's picture, resvg's, and where they differ, side by side: red inside of areas, blue at their edges.
    pub fn side_by_side(&self) -> RgbaImage {
        let (width, height) = self.vello.dimensions();
        RgbaImage::from_fn(3 * width, height, |x, y| {
            let (picture, x) = (x / width, x % width);
            let [vello, resvg] = [&self.vello, &self.resvg].map(|picture| *picture.get_pixel(x, y));
            let is_inside = || is_flat(&self.vello, x, y) && is_flat(&self.resvg, x, y);
            match picture {
                0 => vello,
                1 => resvg,
                _ if apart(vello, resvg) <= SLIGHT => Rgba([255; 4]),
                _ if is_inside() => Rgba([255, 0, 0, 255]),
                _ => Rgba([160, 160, 255, 255]),
            }
        })
    }
}

/// What the channel is off by that is off most.
fn apart(a: Rgba<u8>, b: Rgba<u8>) -> u8 {
    let off = a.0.iter().zip(b.0).map(|(a, b)| a.abs_diff(b));
    off.max().unwrap_or_default()
}

/// Whether the pixels around this one are nearly the same.
fn is_flat(picture: &RgbaImage, x: u32, y: u32) -> bool {
    let pixel = *picture.get_pixel(x, y);
    let near = |v: u32, end: u32| v.saturating_sub(1)..=(v + 1).min(end - 1);
    near(x, picture.width())
        .all(|x| near(y, picture.height()).all(|y| apart(pixel, *picture.get_pixel(x, y)) <= SLIGHT))
}

/// Markdown: a row of a table.
impl fmt::Display for PictureDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        write!(
            f,
            "| {} | {:.2} | {} | {} | {} |",
            self.name,
            self.mean,
            percent(self.slightly_off),
            percent(self.plainly_off),
            percent(self.off_inside)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black with a white square of this side in its corner.
    fn square(side: u32) -> RgbaImage {
        RgbaImage::from_fn(10, 10, |x, y| {
            let white = u8::from(x < side && y < side) * 255;
            Rgba([white, white, white, 255])
        })
    }

    #[test]
    fn what_is_missing_is_told_from_an_edge_that_is_off() {
        let of = |a, b| PictureDifference::new(String::new(), square(a), square(b));
        let same = of(6, 6);
        assert_eq!((same.mean, same.slightly_off, same.plainly_off, same.off_inside), (0.0, 0.0, 0.0, 0.0));
        let edge = of(6, 7);
        assert_eq!((edge.slightly_off, edge.plainly_off, edge.off_inside), (0.13, 0.13, 0.0));
        let missing = of(0, 6);
        assert_eq!((missing.plainly_off, missing.off_inside), (0.36, 0.25));
        assert!((missing.mean - 0.36 * 255.0).abs() < 1e-9, "{}", missing.mean);
    }
}
