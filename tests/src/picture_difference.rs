//! The picture of a drawing by Vello or `vello_cpu` compared with resvg's, pixel by pixel.

use std::fmt;
use std::path::{Path, PathBuf};

use boxwood_render::{
    Background, CpuRenderer, Painter, PictureSize, RenderError, RenderOptions, render_on_cpu,
};
use boxwood_svg::{Drawing, Options, load_file};
use image::{Rgba, RgbaImage};

use crate::drawings::{Exceptions, chain, exception};

/// The longest side of a picture, in pixels. Smaller drawings are drawn at 100 %.
const MAX_SIDE: f64 = 800.0;

/// The maximum difference of a channel between pixels that count as equal. Inside a shape, two
/// renderers differ by less; at an edge, anti-aliasing alone differs by more.
const SLIGHT: u8 = 16;

/// The difference of a channel above which a pixel is plainly wrong.
const PLAIN: u8 = 64;

/// The difference between two pictures of a drawing.
#[derive(Clone, Debug)]
pub struct PictureDifference {
    /// The file of the drawing.
    pub path: PathBuf,
    /// The picture of Vello or of `vello_cpu`.
    pub vello: RgbaImage,
    /// resvg's picture.
    pub resvg: RgbaImage,
    /// The mean difference of the colour channels, from 0 to 255.
    pub mean: f64,
    /// The share of pixels with a channel that differs by more than 16 of 255.
    pub slightly_off: f64,
    /// The share of pixels with a channel that differs by more than 64 of 255.
    pub plainly_off: f64,
    /// The share of pixels with a channel that differs by more than 64 of 255 and that are at no
    /// edge: the neighbours differ from the pixel by at most 16, in both pictures.
    pub off_inside: f64,
}

/// A renderer of encodings, which is compared with resvg.
#[derive(Debug)]
pub enum EncodingRenderer {
    /// Vello, on a GPU.
    Vello(Box<Painter>),
    /// `vello_cpu`.
    VelloCpu,
}

impl EncodingRenderer {
    fn render(&mut self, drawing: &Drawing, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
        match self {
            Self::Vello(painter) => {
                painter.set_drawing(drawing)?;
                painter.render(options)
            }
            Self::VelloCpu => render_on_cpu(drawing, CpuRenderer::VelloCpu, options),
        }
    }
}

/// The difference between the pictures of a drawing, on white, without boxes.
///
/// # Errors
///
/// A message with the path if the drawing does not load or cannot be drawn.
pub fn picture_difference(
    renderer: &mut EncodingRenderer,
    path: &Path,
    options: &Options,
) -> Result<PictureDifference, String> {
    let drawing = load_file(path, options).map_err(|error| chain(&error))?;
    let options = RenderOptions {
        size: PictureSize::Zoom((MAX_SIDE / drawing.size.width.max(drawing.size.height)).min(1.0)),
        background: Background::WHITE,
        ..RenderOptions::default()
    };
    let with_path = |error: RenderError| format!("{}: {}", chain(&error), path.display());
    let vello = renderer.render(&drawing, &options).map_err(with_path)?;
    let resvg = render_on_cpu(&drawing, CpuRenderer::Resvg, &options).map_err(with_path)?;
    Ok(PictureDifference::new(path.to_owned(), vello, resvg))
}

impl PictureDifference {
    /// The difference between two pictures of the same size.
    ///
    /// # Panics
    ///
    /// If their sizes differ.
    pub fn new(path: PathBuf, vello: RgbaImage, resvg: RgbaImage) -> Self {
        assert_eq!(vello.dimensions(), resvg.dimensions(), "{}: the sizes of the pictures", path.display());
        let n_pixels = f64::from(vello.width()) * f64::from(vello.height());
        let off: Vec<u8> = vello.pixels().zip(resvg.pixels()).map(|(a, b)| apart(*a, *b)).collect();
        let sum: u64 = vello.iter().zip(resvg.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let share = |count: usize| count as f64 / n_pixels;
        let beyond = |limit: u8| share(off.iter().filter(|off| **off > limit).count());
        let is_inside = |&(x, y, _): &(u32, u32, _)| [&vello, &resvg].iter().all(|p| is_flat(p, x, y));
        let at = |(x, y, _): (u32, u32, _)| off[(y * vello.width() + x) as usize];
        let plain = vello.enumerate_pixels().filter(|&pixel| at(pixel) > PLAIN);
        let off_inside = share(plain.filter(is_inside).count());
        // Three channels per pixel: all pictures are opaque, so alpha does not differ.
        let mean = sum as f64 / (3.0 * n_pixels);
        let (slightly_off, plainly_off) = (beyond(SLIGHT), beyond(PLAIN));
        Self { path, mean, slightly_off, plainly_off, off_inside, vello, resvg }
    }

    /// Vello's picture, resvg's, and their difference, next to each other. The difference is red
    /// inside shapes and blue at edges.
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

/// The largest difference of a channel between two pixels.
fn apart(a: Rgba<u8>, b: Rgba<u8>) -> u8 {
    let differences = a.0.iter().zip(b.0).map(|(a, b)| a.abs_diff(b));
    differences.max().unwrap_or_default()
}

/// Whether a pixel and its neighbours are nearly equal.
fn is_flat(picture: &RgbaImage, x: u32, y: u32) -> bool {
    let pixel = *picture.get_pixel(x, y);
    let near = |v: u32, end: u32| v.saturating_sub(1)..=(v + 1).min(end - 1);
    near(x, picture.width())
        .all(|x| near(y, picture.height()).all(|y| apart(pixel, *picture.get_pixel(x, y)) <= SLIGHT))
}

/// Writes a row of [`PictureTable`] in Markdown.
impl fmt::Display for PictureDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        write!(
            f,
            "| {} | {:.2} | {} | {} | {} |",
            self.path.display(),
            self.mean,
            percent(self.slightly_off),
            percent(self.plainly_off),
            percent(self.off_inside)
        )
    }
}

/// The maximum differences with which a picture passes.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// The maximum of [`PictureDifference::off_inside`].
    pub off_inside: f64,
    /// The maximum of [`PictureDifference::plainly_off`].
    pub plainly_off: f64,
}

/// Judges every drawing, and keeps the pictures of the worst.
#[derive(Clone, Debug)]
pub struct PictureTable<'a> {
    tolerance: Tolerance,
    exceptions: Exceptions<'a>,
    worst: Vec<PictureDifference>,
    faults: Vec<String>,
}

impl<'a> PictureTable<'a> {
    /// The number of drawings whose pictures are kept.
    pub const MAX_WORST: usize = 60;

    /// The head of the table, in Markdown.
    pub const HEAD: &'static str = "| drawing | mean, of 255 | off by more than 16 | by more than 64 | and at no edge |\n\
        |---|---|---|---|---|";

    /// An empty table. The `exceptions` may exceed the tolerance, or fail to load.
    pub fn new(tolerance: Tolerance, exceptions: Exceptions<'a>) -> Self {
        Self { tolerance, exceptions, worst: Vec::new(), faults: Vec::new() }
    }

    /// Judges a drawing by its difference, or by the reason why there is none.
    pub fn add(&mut self, path: &Path, difference: Result<PictureDifference, String>) {
        let is_exception = exception(self.exceptions, path).is_some();
        match difference {
            Err(error) if !is_exception => self.faults.push(error),
            Err(_) => {}
            Ok(difference) => {
                let Tolerance { off_inside, plainly_off } = self.tolerance;
                let passes = difference.off_inside <= off_inside && difference.plainly_off <= plainly_off;
                if !passes && !is_exception {
                    self.faults.push(difference.to_string());
                }
                self.worst.push(difference);
                self.worst
                    .sort_by(|a, b| b.off_inside.total_cmp(&a.off_inside).then(b.mean.total_cmp(&a.mean)));
                self.worst.truncate(Self::MAX_WORST);
            }
        }
    }

    /// The drawings with the largest differences, the worst first.
    pub fn worst(&self) -> &[PictureDifference] {
        &self.worst
    }

    /// Every drawing that exceeds the tolerance, does not load, or cannot be drawn, except for the
    /// exceptions.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A black picture with a white square in its corner.
    fn square(side: u32) -> RgbaImage {
        RgbaImage::from_fn(10, 10, |x, y| {
            let white = u8::from(x < side && y < side) * 255;
            Rgba([white, white, white, 255])
        })
    }

    #[test]
    fn a_missing_shape_differs_from_a_shifted_edge() {
        let of = |a, b| PictureDifference::new(PathBuf::new(), square(a), square(b));
        let same = of(6, 6);
        assert_eq!((same.mean, same.slightly_off, same.plainly_off, same.off_inside), (0.0, 0.0, 0.0, 0.0));
        let edge = of(6, 7);
        assert_eq!((edge.slightly_off, edge.plainly_off, edge.off_inside), (0.13, 0.13, 0.0));
        let missing = of(0, 6);
        assert_eq!((missing.plainly_off, missing.off_inside), (0.36, 0.25));
        assert!((missing.mean - 0.36 * 255.0).abs() < 1e-9, "{}", missing.mean);
    }

    /// The rule applies to every drawing, not only to the ones whose pictures are kept.
    #[test]
    fn a_drawing_with_few_pixels_inside_a_shape_is_judged_too() {
        let tolerance = Tolerance { off_inside: 0.1, plainly_off: 0.1 };
        let exceptions = [("known.svg", "a reason"), ("broken.svg", "a reason")];
        let mut table = PictureTable::new(tolerance, &exceptions);
        let edge = PictureDifference::new(PathBuf::new(), square(6), square(7));
        assert_eq!((edge.off_inside, edge.plainly_off), (0.0, 0.13));
        let slight = PictureDifference { off_inside: 0.09, plainly_off: 0.09, ..edge.clone() };
        for _ in 0..PictureTable::MAX_WORST {
            table.add(Path::new("slight.svg"), Ok(slight.clone()));
        }
        assert_eq!(table.faults(), [""; 0]);
        table.add(Path::new("edge.svg"), Ok(edge.clone()));
        assert!(table.worst().iter().all(|worst| worst.off_inside > edge.off_inside), "it is not kept");
        assert_eq!(table.faults(), [edge.to_string()]);
        table.add(Path::new("known.svg"), Ok(edge));
        table.add(Path::new("broken.svg"), Err("it does not load".to_owned()));
        assert_eq!(table.faults().len(), 1, "exceptions pass");
        table.add(Path::new("lost.svg"), Err("it cannot be drawn".to_owned()));
        assert_eq!(table.faults()[1..], ["it cannot be drawn"]);
    }
}
