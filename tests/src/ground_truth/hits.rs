//! Precise hits compared with the pixels that resvg paints.

use std::fmt;
use std::path::{Path, PathBuf};

use boxwood_cpu::{Picker, Place};
use boxwood_svg::{Drawing, Hits, Options, Role, load, load_file};
use kurbo::{Affine, Point, Rect};
use resvg::tiny_skia::Pixmap;
use resvg::usvg;

use super::ink::Canvas;
use super::isolate::Normalised;
use super::{Class, spread};
use crate::{Random, chain};

/// How far around the box of a leaf points are tested, in pixels.
const AROUND: f64 = 5.0;

/// The alpha of ink that covers its pixel, relative to the largest alpha of the leaf. The edges of
/// a narrow gap have less: both are in each of its pixels.
const COVERED: f64 = 0.95;

/// The points at which the pixels of a leaf, drawn alone, are compared with its hits.
#[derive(Clone, Debug)]
pub struct HitFinding {
    /// The file of the drawing.
    pub path: PathBuf,
    /// `leaf` and its number, in document order of the normalised drawing.
    pub part: String,
    /// The class of the leaf.
    pub class: Class,
    /// Whether transparent pixels count as paint: in images, patterns, and the results of filters.
    pub has_transparent_paint: bool,
    /// The points at which ink covers all pixels around, and those without any.
    pub n_points: [usize; 2],
    /// The number of points with ink that are not hit.
    pub n_missed: usize,
    /// The number of points without ink that are hit.
    pub n_without_ink: usize,
    /// The number of points without ink that are in the box of the leaf.
    pub n_boxed: usize,
    /// The first point that is hit and has no ink, or the reverse, in scene space.
    pub example: Option<Point>,
}

impl fmt::Display for HitFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, part, class, n_points: [n_with, n_without], n_missed, n_without_ink, .. } = self;
        write!(f, "{}, {part} ({class:?}): ", path.display())?;
        write!(f, "{n_missed} of {n_with} points with ink are not hit, ")?;
        write!(f, "{n_without_ink} of {n_without} without ink are hit")?;
        self.example.map_or(Ok(()), |example| write!(f, ", such as {example}"))
    }
}

/// The findings at some random points for at most `limit` leaves of a drawing, evenly spread.
///
/// # Errors
///
/// A message with the path if the drawing, or a part of it, does not load.
pub fn hit_findings(
    path: &Path,
    options: &Options,
    limit: usize,
    n_points: usize,
) -> Result<Vec<HitFinding>, String> {
    let options = Options { clip_to_viewport: false, ..options.clone() };
    let drawing = load_file(path, &options).map_err(|error| chain(&error))?;
    let text = drawing.tree.to_string(&usvg::WriteOptions::default());
    let normalised = Normalised::new(&text).map_err(|error| format!("{error}: {}", path.display()))?;
    let of_part = |part: &super::isolate::Part| {
        let drawing = load(normalised.only(part).as_bytes(), &options)
            .map_err(|error| format!("{}: {}, {}", chain(&error), path.display(), part.name))?;
        let found = HitFinding {
            path: path.to_owned(),
            part: part.name.clone(),
            class: part.class,
            has_transparent_paint: !drawing.raster_images.is_empty()
                || drawing.table.iter().any(|info| info.role == Role::Image),
            n_points: [0; 2],
            n_missed: 0,
            n_without_ink: 0,
            n_boxed: 0,
            example: None,
        };
        Ok(compared(&drawing, found, n_points))
    };
    spread(normalised.leaves(), limit).map(of_part).collect()
}

fn compared(drawing: &Drawing, mut found: HitFinding, n_points: usize) -> HitFinding {
    let canvas = Canvas::around(drawing);
    let boxes = boxwood_cpu::specification::boxes(&drawing.elements);
    let Some([x0, y0, x1, y1]) = canvas.bounds(boxes.group_boxes[0]) else { return found };
    let (pixels, scene_from_canvas) = (canvas.pixels(drawing), canvas.canvas_from_scene().inverse());
    let tested = Rect::new(x0, y0, x1, y1).inflate(AROUND, AROUND);
    let covered = covered(&pixels);
    let (hits, mut random) = (Hits::new(drawing), Random::new(1));
    for _ in 0..n_points {
        let [x, y] =
            [tested.x0 + tested.width() * random.unit(), tested.y0 + tested.height() * random.unit()];
        let Some(has_ink) = has_ink(&pixels, covered, [x, y]) else { continue };
        let point = scene_point(scene_from_canvas, [x, y]);
        #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
        let place = Place::Point([point.x as f32, point.y as f32]);
        let is_boxed = Picker::top_most(&drawing.elements, &boxes, place, |_, _| true).is_some();
        let is_hit = |element, _| hits.is_hit(drawing, element, point, 0.0);
        let is_hit = Picker::top_most(&drawing.elements, &boxes, place, is_hit).is_some();
        found.n_points[usize::from(!has_ink)] += 1;
        found.n_missed += usize::from(has_ink && !is_hit);
        found.n_without_ink += usize::from(!has_ink && is_hit);
        found.n_boxed += usize::from(!has_ink && is_boxed);
        if has_ink != is_hit {
            found.example.get_or_insert(point);
        }
    }
    found
}

/// The centre of the pixel that a point of the canvas is in, in scene space.
fn scene_point(scene_from_canvas: Affine, at: [f64; 2]) -> Point {
    let [x, y] = at.map(|v| v.floor() + 0.5);
    scene_from_canvas * Point::new(x, y)
}

/// Whether the pixel at a point has ink. `None` unless this and the eight pixels around it are
/// either covered or blank, so that the edge of the ink is away.
fn has_ink(pixels: &Pixmap, covered: u8, at: [f64; 2]) -> Option<bool> {
    #[expect(clippy::cast_possible_truncation, reason = "a canvas has a few thousand pixels")]
    let [x, y] = at.map(|v| v.floor() as i64);
    let has_ink = |dx: i64, dy: i64| {
        let (x, y) = (u32::try_from(x + dx).ok()?, u32::try_from(y + dy).ok()?);
        let alpha = pixels.pixel(x, y)?.alpha();
        (alpha == 0 || alpha >= covered).then_some(alpha != 0)
    };
    let own = has_ink(0, 0)?;
    let agree = (-1..2).all(|dy| (-1..2).all(|dx| has_ink(dx, dy) == Some(own)));
    agree.then_some(own)
}

/// The alpha of ink that covers its pixel. Never zero.
fn covered(pixels: &Pixmap) -> u8 {
    let largest = pixels.pixels().iter().map(|pixel| pixel.alpha()).max().unwrap_or(0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most 255")]
    let covered = (COVERED * f64::from(largest)).ceil() as u8;
    covered.max(1)
}
