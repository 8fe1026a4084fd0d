//! The recorded commands at points of drawings, compared with the pixels that each command alone
//! paints.

use std::path::Path;
use std::sync::Arc;

use anyrender::{
    Filter, Glyph, ImageRenderer as _, NormalizedCoord, NullScenePainter, PaintRef, PaintScene, RenderContext,
};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use boxwood_anyrender::Recorder;
use boxwood_svg::{Deadline, Drawing, Options, load_file};
use boxwood_tests::{Corpus, own_options, repository};
use fastrand::Rng;
use kurbo::{Affine, Point, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Fill, FontData, StyleRef};

/// The length of the longer side of the pictures, in pixels. The lines of the map are wider than a
/// pixel then.
const SIDE: f64 = 2000.0;

/// Forwards all clips, but only one command that paints, in black.
struct Alone<'t, T> {
    target: &'t mut T,
    wanted: Option<usize>,
    n_commands: usize,
    /// The commands that paint.
    leaves: Vec<usize>,
}

impl<'t, T> Alone<'t, T> {
    fn new(target: &'t mut T, wanted: Option<usize>) -> Self {
        Self { target, wanted, n_commands: 0, leaves: Vec::new() }
    }

    /// Counts a command that paints. Returns whether it is wanted.
    fn leaf(&mut self) -> bool {
        self.leaves.push(self.n_commands);
        self.n_commands += 1;
        self.wanted == self.leaves.last().copied()
    }
}

impl<T> RenderContext for Alone<'_, T> {}

impl<T: PaintScene> PaintScene for Alone<'_, T> {
    fn reset(&mut self) {
        self.target.reset();
    }

    fn push_layer(
        &mut self,
        fill: Fill,
        _: impl Into<BlendMode>,
        _: f32,
        transform: Affine,
        clip: &impl Shape,
        _: Option<Arc<Filter>>,
        _: Option<Arc<Filter>>,
    ) {
        self.push_clip_layer(fill, transform, clip);
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        self.n_commands += 1;
        self.target.push_clip_layer(fill, transform, clip);
    }

    fn pop_layer(&mut self) {
        self.n_commands += 1;
        self.target.pop_layer();
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        _: impl Into<PaintRef<'a>>,
        _: Option<Affine>,
        shape: &impl Shape,
    ) {
        if self.leaf() {
            self.target.stroke(style, transform, Color::BLACK, None, shape);
        }
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        _: impl Into<PaintRef<'a>>,
        _: Option<Affine>,
        shape: &impl Shape,
    ) {
        if self.leaf() {
            self.target.fill(style, transform, Color::BLACK, None, shape);
        }
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        _: &'a FontData,
        _: f32,
        _: bool,
        _: &'a [NormalizedCoord],
        _: Vec2,
        _: impl Into<StyleRef<'a>>,
        _: impl Into<PaintRef<'a>>,
        _: f32,
        _: Affine,
        _: Option<Affine>,
        _: impl Iterator<Item = Glyph> + Clone,
    ) {
        panic!("a drawing has outlines");
    }

    fn draw_box_shadow(&mut self, _: Affine, _: Rect, _: Color, _: f64, _: f64) {
        panic!("a drawing has no shadows");
    }
}

/// A drawing with a view.
struct Shown {
    drawing: Drawing,
    size: [u32; 2],
    view: Affine,
}

impl Shown {
    fn new(path: &Path, options: &Options) -> Self {
        let drawing = load_file(path, options).expect("the drawing loads");
        assert!(drawing.raster_images.is_empty(), "{}: images count as wholes", path.display());
        let zoom = SIDE / drawing.size.width.max(drawing.size.height);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the sizes are small")]
        let size = [drawing.size.width, drawing.size.height].map(|side| (zoom * side).ceil() as u32);
        Self { drawing, size, view: Affine::scale(zoom) }
    }

    fn draw(&self, target: &mut impl PaintScene) {
        let region = Rect::new(0.0, 0.0, self.size[0].into(), self.size[1].into());
        let drawn = self.drawing.draw_into(target, self.view, region, &Deadline::default());
        drawn.expect("the drawing is small");
    }

    /// The pixels that a command alone paints in black, inside of its clips.
    fn pixels_of(&self, command: usize) -> Vec<u8> {
        let mut pixels = Vec::new();
        VelloCpuImageRenderer::new(self.size[0], self.size[1])
            .render_to_vec(|target| self.draw(&mut Alone::new(target, Some(command))), &mut pixels);
        pixels
    }

    /// Picks at the centres of pixels. Returns the share of points where it finds exactly the
    /// commands that cover at least half of the pixel, and the number of differences away from
    /// edges.
    fn compare(&self, n_points: usize) -> (f64, usize) {
        let mut recorder = Recorder::new(self.size);
        self.draw(&mut recorder);
        let mut frame = recorder.finish().expect("a drawing has finite coordinates");
        let mut null = NullScenePainter::new();
        let mut all = Alone::new(&mut null, None);
        self.draw(&mut all);
        let leaves = all.leaves;
        let mut random = Rng::with_seed(4);
        let points: Vec<[u32; 2]> =
            (0..n_points).map(|_| self.size.map(|side| random.u32(1..side - 1))).collect();
        let picked: Vec<Vec<usize>> = points
            .iter()
            .map(|[x, y]| frame.pick(Point::new(f64::from(*x) + 0.5, f64::from(*y) + 0.5)).to_vec())
            .collect();
        let n_hits = picked.iter().filter(|commands| commands.iter().any(|hit| leaves.contains(hit))).count();
        assert!(10 * n_hits > n_points, "only {n_hits} points are hit");
        let (mut is_same, mut n_inside) = (vec![true; n_points], 0);
        for leaf in leaves {
            let pixels = self.pixels_of(leaf);
            let alpha = |x: u32, y: u32| pixels[4 * (y * self.size[0] + x) as usize + 3];
            let is_covered = |x: u32, y: u32| alpha(x, y) >= 128;
            for (([x, y], commands), is_same) in points.iter().zip(&picked).zip(&mut is_same) {
                let own = is_covered(*x, *y);
                if commands.contains(&leaf) != own {
                    *is_same = false;
                    let mut near = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| [x, y]));
                    n_inside += usize::from(near.all(|[x, y]| is_covered(x, y) == own));
                }
            }
        }
        let n_same = is_same.iter().filter(|is_same| **is_same).count();
        (n_same as f64 / n_points as f64, n_inside)
    }
}

#[test]
fn picked_commands_paint_the_pixels_of_own_drawings() {
    for name in ["clips", "poster", "strokes", "text", "transforms"] {
        let path = repository().join(format!("assets/svg/{name}.svg"));
        let (share, n_inside) = Shown::new(&path, &own_options()).compare(300);
        assert!(share >= 0.97 && n_inside == 0, "{name}: {share}, {n_inside} not at edges");
    }
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
#[expect(clippy::print_stdout, reason = "the share is to be read")]
fn picked_commands_paint_the_pixels_of_a_map() {
    let corpus = Corpus::from_env();
    let path = corpus.drawings().into_iter().find(|path| path.ends_with("batik/samples/mapSpain.svg"));
    let map = Shown::new(&path.expect("the corpus has the map"), &corpus.options());
    let (share, n_inside) = map.compare(1000);
    println!("{:.1} % of 1,000 points have the same commands, {n_inside} differ not at edges", 100.0 * share);
    assert!(share >= 0.995, "{share}");
}
