//! Layers in each other with every pair of compose modes, compared with exact arithmetic and with
//! Vello.
//!
//! Vello rounds the backdrop of a layer to 8 bits per premultiplied channel. The target has
//! straight alpha, so that an error of half a step becomes `0.5 / alpha` steps of a colour. Where a
//! shrunk layer no longer is, the backdrop stays exact, and so the shrunk picture is nearer to the
//! exact one.

use boxwood_tests::{COMPOSE_MODES, Painters, picture_tightened, premultiplied_apart};
use image::RgbaImage;
use kurbo::{Affine, Circle, Rect};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use vello::{AaConfig, Scene};

const SIZE: [u32; 2] = [256, 256];

/// The side of a cell. Each cell has another inner compose mode.
const CELL: u32 = 64;

const BACKDROP: [u8; 3] = [90, 140, 60];
const OUTER: [u8; 3] = [200, 30, 40];
const INNER: [u8; 3] = [20, 30, 200];
const OUTER_ALPHA: f32 = 0.9;
const INNER_ALPHA: f32 = 0.8;

fn fill(scene: &mut Scene, [r, g, b]: [u8; 3], shape: &impl kurbo::Shape) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(r, g, b), None, shape);
}

/// A backdrop, and in each cell an outer layer with `draw_outer` in it, which contains an inner
/// layer with `draw_inner` in it.
fn cells(
    outer: Compose,
    draw_outer: impl Fn(&mut Scene, f64, f64),
    draw_inner: impl Fn(&mut Scene, f64, f64),
) -> Scene {
    let mut scene = Scene::new();
    fill(&mut scene, BACKDROP, &Rect::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into()));
    for (index, inner) in (0..).zip(COMPOSE_MODES) {
        let (x, y) = (f64::from(index % 4 * CELL), f64::from(index / 4 * CELL));
        let cell = Rect::new(x, y, x + 62.0, y + 62.0);
        scene.push_layer(Fill::NonZero, outer, OUTER_ALPHA, Affine::IDENTITY, &cell);
        draw_outer(&mut scene, x, y);
        scene.push_layer(Fill::NonZero, inner, INNER_ALPHA, Affine::IDENTITY, &cell.inset(-1.0));
        draw_inner(&mut scene, x, y);
        scene.pop_layer();
        scene.pop_layer();
    }
    scene
}

/// The columns of a cell, 5 pixels wide, of which column j has this coverage in row [`ROW`].
/// Sevenths of 255 and of the colours are not halfway between two steps.
const COLUMNS: u32 = 12;
const COLUMN_WIDTH: u32 = 5;
const ROW: u32 = 20;

fn outer_coverage(column: u32) -> f64 {
    f64::from(7 - column % 7) / 7.0
}

/// The inner shapes cover the first five columns, which are 25 pixels wide and so lie in two of the
/// four columns of tiles.
const INNER_COLUMNS: u32 = 5;

fn inner_coverage(column: u32) -> f64 {
    if column < INNER_COLUMNS { f64::from(1 + column % 7) / 7.0 } else { 0.0 }
}

/// A bar per column that ends in the middle of row [`ROW`] or covers it.
fn bars(scene: &mut Scene, color: [u8; 3], (x, y): (f64, f64), coverage: fn(u32) -> f64) {
    for column in (0..COLUMNS).filter(|&column| coverage(column) > 0.0) {
        let left = x + f64::from(column * COLUMN_WIDTH);
        let bottom = y + f64::from(ROW + 1);
        let bar = Rect::new(left, bottom - coverage(column), left + f64::from(COLUMN_WIDTH), bottom + 9.0);
        fill(scene, color, &bar);
    }
}

/// Porter-Duff composition of premultiplied colours with [`Mix::Normal`].
fn compose(mode: Compose, backdrop: [f64; 4], source: [f64; 4]) -> [f64; 4] {
    let (b, s) = (backdrop[3], source[3]);
    let (of_source, of_backdrop) = match mode {
        Compose::Clear => (0.0, 0.0),
        Compose::Copy => (1.0, 0.0),
        Compose::Dest => (0.0, 1.0),
        Compose::SrcOver => (1.0, 1.0 - s),
        Compose::DestOver => (1.0 - b, 1.0),
        Compose::SrcIn => (b, 0.0),
        Compose::DestIn => (0.0, s),
        Compose::SrcOut => (1.0 - b, 0.0),
        Compose::DestOut => (0.0, 1.0 - s),
        Compose::SrcAtop => (b, 1.0 - s),
        Compose::DestAtop => (1.0 - b, s),
        Compose::Xor => (1.0 - b, 1.0 - s),
        Compose::Plus | Compose::PlusLighter => (1.0, 1.0),
    };
    let mut composed = [0, 1, 2, 3].map(|i| of_source * source[i] + of_backdrop * backdrop[i]);
    composed[3] = composed[3].min(1.0);
    if mode == Compose::PlusLighter { composed.map(|channel| channel.min(1.0)) } else { composed }
}

fn premultiplied([r, g, b]: [u8; 3], coverage: f64) -> [f64; 4] {
    [r.into(), g.into(), b.into(), 255.0].map(|channel: f64| channel / 255.0 * coverage)
}

/// The premultiplied pixel in row [`ROW`] of a column, with or without Vello's rounding of the
/// inner layer's backdrop. The outer layer's backdrop is opaque and a multiple of a step.
fn exact_pixel(outer: Compose, inner: Compose, column: u32, is_rounded: bool) -> [f64; 4] {
    let mut backdrop = premultiplied(OUTER, outer_coverage(column));
    if is_rounded {
        backdrop = backdrop.map(|channel| (channel * 255.0).round() / 255.0);
    }
    let layer = premultiplied(INNER, inner_coverage(column) * f64::from(INNER_ALPHA));
    let layer = compose(inner, backdrop, layer).map(|channel| channel * f64::from(OUTER_ALPHA));
    compose(outer, premultiplied(BACKDROP, 1.0), layer)
}

/// The error in steps of a premultiplied channel that f32 arithmetic may cause. Coordinates below
/// 256 have an error of 2^-17 pixels, which is 0.002 steps of coverage; a few operations follow.
const F32_ERROR: f64 = 0.01;

/// How far the rounding of the target may move a channel, in steps. Software rounds exactly, by at
/// most 0.5. Vulkan only recommends that, and Direct3D allows 0.6 for the conversion from a float
/// to a normalised integer (Direct3D 11.3 Functional Specification, section 3.2.3.6), which GPUs
/// use.
const TARGET_ROUNDING: f64 = 0.6;

/// How far a pixel is from the expected one, in steps of its straight channels, beyond its own
/// rounding and the error of f32 arithmetic.
fn excess([r, g, b, a]: [u8; 4], expected: [f64; 4]) -> f64 {
    let alpha = expected[3];
    let color_excess = |found: u8, channel: f64| {
        let straight = (channel / alpha.max(1e-6)).min(1.0);
        (f64::from(found) - 255.0 * straight).abs() - TARGET_ROUNDING - F32_ERROR / alpha.max(1e-6)
    };
    let alpha_excess = (f64::from(a) - 255.0 * alpha).abs() - TARGET_ROUNDING - F32_ERROR;
    let colors = [(r, expected[0]), (g, expected[1]), (b, expected[2])].map(|(f, e)| color_excess(f, e));
    // A colour without alpha has no meaning.
    colors.into_iter().filter(|_| alpha > 1e-6).fold(alpha_excess, f64::max)
}

#[test]
fn pictures_are_exact_except_for_the_rounding_of_backdrops() {
    let mut painters = Painters::default();
    let (mut greatest_of_vello, mut greatest_of_tight) = (0.0_f64, 0.0_f64);
    for outer in COMPOSE_MODES {
        let scene = cells(
            outer,
            |scene, x, y| bars(scene, OUTER, (x, y), outer_coverage),
            |scene, x, y| bars(scene, INNER, (x, y), inner_coverage),
        );
        let by_vello = painters.by_vello(&scene, SIZE, AaConfig::Area);
        let (tight, _) = picture_tightened(&scene, SIZE, true);
        for (index, inner) in (0..).zip(COMPOSE_MODES) {
            for column in 0..COLUMNS {
                // The middle of the column: no other bar touches the pixel.
                let x = index % 4 * CELL + column * COLUMN_WIDTH + COLUMN_WIDTH / 2;
                let y = index / 4 * CELL + ROW;
                let rounded = exact_pixel(outer, inner, column, true);
                let exact = exact_pixel(outer, inner, column, false);
                let pixel = |picture: &RgbaImage| picture.get_pixel(x, y).0;
                let context = || {
                    format!(
                        "{inner:?} in {outer:?}, column {column}: by Vello {:?}, tightened {:?}, exact {exact:?}",
                        pixel(&by_vello),
                        pixel(&tight)
                    )
                };
                assert!(excess(pixel(&by_vello), rounded) <= 0.0, "{}", context());
                // The shrunk layer is in all tiles that the inner bars touch.
                let is_destructive = BlendMode::new(Mix::Normal, inner).is_destructive();
                let is_in_layer =
                    is_destructive || (x % CELL) / 16 <= (INNER_COLUMNS * COLUMN_WIDTH - 1) / 16;
                let expected = if is_in_layer { rounded } else { exact };
                assert!(excess(pixel(&tight), expected) <= 0.0, "{}", context());
                greatest_of_vello = greatest_of_vello.max(excess(pixel(&by_vello), exact));
                greatest_of_tight = greatest_of_tight.max(excess(pixel(&tight), exact));
            }
        }
    }
    assert!(greatest_of_tight <= greatest_of_vello, "{greatest_of_tight} and {greatest_of_vello} steps");
}

/// The greatest difference that the rounding of the inner layer's backdrop can make, in steps of a
/// premultiplied channel. The rounding changes a colour c and the alpha a by half a step each. A
/// compose mode multiplies them by factors of up to 1 and adds. So after the inner layer c is off
/// by up to 0.5 + 0.5 and a, to which its own alpha contributes alone, by 0.5. After the outer
/// layer, which is multiplied by its alpha first, c is off by the sum of both.
const ROUNDED_BACKDROP: f64 = (1.0 + 0.5) * OUTER_ALPHA as f64;

/// The greatest difference that the rounding of two targets can make: that of the straight colour,
/// which is multiplied by the alpha, and that of the alpha, which is multiplied by the colour, in
/// each of them.
const ROUNDED_TARGETS: f64 = 2.0 * (TARGET_ROUNDING + TARGET_ROUNDING);

/// Curves, which have no exact reference here.
#[test]
fn circles_look_as_by_vello() {
    let mut painters = Painters::default();
    for outer in COMPOSE_MODES {
        let scene = cells(
            outer,
            |scene, x, y| fill(scene, OUTER, &Circle::new((x + 12.0, y + 12.0), 9.0)),
            |scene, x, y| fill(scene, INNER, &Circle::new((x + 18.0, y + 18.0), 9.0)),
        );
        let by_vello = painters.by_vello(&scene, SIZE, AaConfig::Area);
        let (tight, _) = picture_tightened(&scene, SIZE, true);
        let (apart, [x, y]) = premultiplied_apart(&by_vello, &tight);
        let [p, q] = [&by_vello, &tight].map(|picture| picture.get_pixel(x, y).0);
        let limit = ROUNDED_BACKDROP + ROUNDED_TARGETS + 2.0 * F32_ERROR;
        assert!(apart <= limit, "{outer:?}: {apart} steps at ({x}, {y}): {p:?} by Vello, {q:?} tightened");
    }
}
