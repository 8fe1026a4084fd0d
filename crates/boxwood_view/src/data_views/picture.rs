//! The picture of a view of the data for a position of the drawing.

use std::sync::Arc;

use boxwood_render::TILE;
use egui::{Color32, ColorImage};
use kurbo::{Point, TranslateScale};

use super::DataView;
use super::analysis::{Analysis, counted};
use super::cells::{counts, top_most, touched};

/// A picture has at most this many cells, so that it takes a few hundredths of a second. In a
/// larger window, cells have several pixels.
const MAX_CELLS: u64 = 1 << 22;

/// The first number of each step of a count of boxes. Each step is twice as wide as the one before.
const STEPS: [u32; 7] = [1, 2, 3, 5, 9, 17, 33];

/// The colours of the steps, from dark to light. They are from the map cividis, which people with
/// any colour vision see as even steps.
const STEP_COLORS: [[u8; 3]; STEPS.len()] = [
    [0x00, 0x2c, 0x66],
    [0x2c, 0x42, 0x6d],
    [0x57, 0x59, 0x6d],
    [0x7d, 0x7c, 0x78],
    [0xa6, 0x99, 0x71],
    [0xd1, 0xb9, 0x5c],
    [0xff, 0xe9, 0x45],
];

/// The colours of classes, from the palette of Okabe and Ito. Classes beyond them have the same
/// colours with another pattern.
const CLASS_COLORS: [[u8; 3]; 6] = [
    [0x00, 0x72, 0xb2],
    [0xe6, 0x9f, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xd5, 0x5e, 0x00],
    [0x56, 0xb4, 0xe9],
];

/// The opacities of a pixel of a pattern and of one between them, and of a count.
const OPACITIES: [f32; 3] = [0.75, 0.4, 0.7];

/// The position of the drawing in the picture area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawingPosition {
    /// The size of the area in device pixels.
    pub(crate) size: [u32; 2],
    /// The scale and the translation from scene space to device space.
    pub(crate) scale: f64,
    pub(crate) translation: [f64; 2],
}

/// A row of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegendRow {
    pub(crate) class: usize,
    pub(crate) text: String,
}

/// The picture of a view of the data.
#[derive(Debug)]
pub(crate) struct DataPicture {
    pub(crate) analysis: Arc<Analysis>,
    /// The map from scene space to the cells, each of which is a pixel of the image.
    pub(crate) cell_from_scene: TranslateScale,
    /// The legend, with the numbers of this picture.
    pub(crate) rows: Vec<LegendRow>,
    /// Sentences with the numbers of this picture.
    pub(crate) summary: Vec<String>,
    size: [u32; 2],
    /// The number of boxes in each cell, or 1 more than the index of its top-most mark.
    cells: Vec<u32>,
}

impl DataPicture {
    /// Draws the facts of an analysis for a position.
    pub(crate) fn new(analysis: Arc<Analysis>, place: DrawingPosition) -> Self {
        let cell = if analysis.view == DataView::Tiles { TILE } else { cell_side(place.size) };
        let size = place.size.map(|side| side.div_ceil(cell));
        let side = f64::from(cell);
        let [x, y] = place.translation.map(|offset| offset / side);
        let cell_from_scene = TranslateScale::new((x, y).into(), place.scale / side);
        let cell_from_marks = cell_from_scene * analysis.marks_from_scene.inverse();
        let rectangles: Vec<_> =
            analysis.marks.iter().map(|mark| touched(mark.bounds, cell_from_marks, size)).collect();
        let (cells, rows, summary) = if analysis.is_counted() {
            let cells = counts(rectangles.iter().copied(), size);
            let (rows, summary) = counted_rows(&analysis, &cells, size);
            (cells, rows, summary)
        } else {
            let row = |(class, text): (usize, &String)| LegendRow { class, text: text.clone() };
            let rows = analysis.classes.iter().enumerate().map(row).collect();
            (top_most(&rectangles, size), rows, Vec::new())
        };
        Self { analysis, cell_from_scene, rows, summary, size, cells }
    }

    /// The image, with one pixel per cell.
    pub(crate) fn image(&self) -> ColorImage {
        let [width, height] = self.size.map(|side| side as usize);
        let is_counted = self.analysis.is_counted();
        let mut pixels = Vec::with_capacity(self.cells.len());
        for y in 0..height {
            for x in 0..width {
                let index = y * width + x;
                let number = self.cells[index];
                // Marks have an edge, where another one begins.
                let is_edge = || {
                    x > 0 && self.cells[index - 1] != number || y > 0 && self.cells[index - width] != number
                };
                pixels.push(match number {
                    0 => Color32::TRANSPARENT,
                    n if is_counted => color(STEP_COLORS[step(n)], OPACITIES[2]),
                    n => {
                        let class = self.analysis.marks[n as usize - 1].class;
                        let is_inked = is_edge() || is_in_pattern(class, x, y);
                        color(CLASS_COLORS[class % CLASS_COLORS.len()], OPACITIES[usize::from(!is_inked)])
                    }
                });
            }
        }
        ColorImage::new([width, height], pixels)
    }

    /// What the view shows at a point of the scene, and the source there.
    pub(crate) fn at(&self, point: Point) -> Option<(String, Option<u32>)> {
        let Point { x, y } = self.cell_from_scene * point;
        let [width, height] = self.size.map(f64::from);
        if !(0.0..width).contains(&x) || !(0.0..height).contains(&y) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the size")]
        let index = y as usize * self.size[0] as usize + x as usize;
        let number = self.cells[index];
        if self.analysis.is_counted() {
            return Some((counted(number as usize, "box", "boxes"), None));
        }
        let mark = &self.analysis.marks[(number as usize).checked_sub(1)?];
        Some((self.analysis.classes[mark.class].clone(), mark.source))
    }
}

/// The side of a cell in pixels, for an area of this size.
fn cell_side([width, height]: [u32; 2]) -> u32 {
    let n_cells = |side: &u32| u64::from(width.div_ceil(*side)) * u64::from(height.div_ceil(*side));
    (1..).find(|side| n_cells(side) <= MAX_CELLS).unwrap_or(u32::MAX)
}

/// The step of a number of boxes, which is at least 1.
fn step(n: u32) -> usize {
    STEPS.iter().rposition(|first| *first <= n).unwrap_or(0)
}

/// The legend of counted boxes, and sentences about them.
fn counted_rows(
    analysis: &Analysis,
    cells: &[u32],
    [width, height]: [u32; 2],
) -> (Vec<LegendRow>, Vec<String>) {
    let mut n_cells = [0_usize; STEPS.len()];
    cells.iter().filter(|n| **n > 0).for_each(|n| n_cells[step(*n)] += 1);
    let n_touched: usize = n_cells.iter().sum();
    let what = if analysis.view == DataView::Tiles { ["tile", "tiles"] } else { ["pixel", "pixels"] };
    let row = |(class, n): (usize, usize)| {
        let first = STEPS[class];
        let range = match STEPS.get(class + 1).map(|end| end - 1) {
            Some(last) if last == first => first.to_string(),
            Some(last) => format!("{first} to {last}"),
            None => format!("{first} or more"),
        };
        let share = 100.0 * n as f64 / n_touched.max(1) as f64;
        let boxes = if class == 0 { "box" } else { "boxes" };
        LegendRow { class, text: format!("{range} {boxes}: {share:.1} % of the {} with boxes", what[1]) }
    };
    let rows = n_cells.into_iter().enumerate().map(row).collect();
    let most = cells.iter().max().copied().unwrap_or(0);
    let sum: f64 = cells.iter().map(|n| f64::from(*n)).sum();
    let mean = sum / n_touched.max(1) as f64;
    let mut summary =
        vec![format!("In the window, a {} has {mean:.2} boxes on average, {most} at most.", what[0])];
    if analysis.view == DataView::Tiles {
        summary.push(format!(
            "{width} × {height} tiles of {TILE} px; {} without a box.",
            cells.len() - n_touched
        ));
    }
    (rows, summary)
}

/// Whether the pattern of a class has a pixel, so that classes differ by more than their colour:
/// solid, or lines in one of three directions.
fn is_in_pattern(class: usize, x: usize, y: usize) -> bool {
    const PERIOD: usize = 6;
    match class % 4 {
        0 => (x + y) % PERIOD < 2,
        1 => (x + PERIOD * y - y) % PERIOD < 2,
        2 => y % PERIOD < 2,
        _ => x % PERIOD < 2,
    }
}

fn color([red, green, blue]: [u8; 3], opacity: f32) -> Color32 {
    Color32::from_rgb(red, green, blue).gamma_multiply(opacity)
}

/// The colour of a row of the legend.
pub(crate) fn swatch(is_counted: bool, class: usize) -> Color32 {
    let rgb = if is_counted { STEP_COLORS[class] } else { CLASS_COLORS[class % CLASS_COLORS.len()] };
    color(rgb, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_where_their_first_numbers_are() {
        assert_eq!(
            [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, u32::MAX].map(step),
            [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
        );
    }

    #[test]
    fn a_large_window_has_larger_cells() {
        assert_eq!(cell_side([1, 1]), 1);
        assert_eq!(cell_side([2048, 2048]), 1);
        assert_eq!(cell_side([2049, 2048]), 2);
        assert_eq!(cell_side([16_384, 16_384]), 8);
    }

    #[test]
    fn patterns_of_neighbouring_classes_differ() {
        let pattern = |class| -> Vec<_> { (0..36).map(|i| is_in_pattern(class, i % 6, i / 6)).collect() };
        for class in 0..3 {
            assert!((class + 1..4).all(|other| pattern(class) != pattern(other)), "{class}");
        }
    }
}
