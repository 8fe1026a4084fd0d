//! Scenes for Vello's renderer, one per subject.

use std::sync::Arc;

use boxwood_assets::NOTO_SANS;
use kurbo::{Affine, BezPath, Circle, Rect, RoundedRect, Shape as _, Stroke};
use peniko::{
    Blob, Color, Compose, Extend, Fill, FontData, Gradient, ImageAlphaType, ImageBrush, ImageData,
    ImageFormat, Mix,
};
use vello::{Glyph, Scene};

use crate::Random;

/// The side of the square that the scenes fill.
pub const SCENE_SIDE: f64 = 256.0;

const ALL: Rect = Rect::new(0.0, 0.0, SCENE_SIDE, SCENE_SIDE);

/// Twelve scenes with their names.
pub fn vello_scenes() -> Vec<(&'static str, Scene)> {
    vec![
        ("fills and strokes", fills_and_strokes()),
        ("nested clips", nested_clips()),
        ("many clips", many_clips()),
        ("empty and far clips", empty_and_far_clips()),
        ("blends", blends()),
        ("compose modes", compose_modes()),
        ("deep blends", deep_blends(8)),
        ("luminance masks", luminance_masks()),
        ("gradients", gradients()),
        ("images", images()),
        ("text", text()),
        ("blurred rectangles", blurred_rectangles()),
    ]
}

fn colour(random: &mut Random) -> Color {
    let mut channel = || u8::try_from(random.below(256)).expect("it is below 256");
    let (r, g, b) = (channel(), channel(), channel());
    Color::from_rgba8(r, g, b, 200)
}

#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn number(random: &mut Random, below: usize) -> f64 {
    random.below(below * 8) as f64 / 8.0
}

fn rect(random: &mut Random, side: usize) -> Rect {
    let (x, y) = (number(random, 256), number(random, 256));
    let (w, h) = (number(random, side), number(random, side));
    Rect::new(x, y, x + w, y + h)
}

fn star(center: (f64, f64), radius: f64) -> BezPath {
    let mut path = BezPath::new();
    for i in 0..5 {
        let angle = f64::from(i * 2) * std::f64::consts::TAU / 5.0;
        let point = (center.0 + radius * angle.sin(), center.1 - radius * angle.cos());
        if i == 0 { path.move_to(point) } else { path.line_to(point) }
    }
    path.close_path();
    path
}

fn fills_and_strokes() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(1));
    for i in 0..40 {
        let shape = RoundedRect::from_rect(rect(&mut random, 90), 7.0);
        let style = if i % 2 == 0 { Fill::NonZero } else { Fill::EvenOdd };
        scene.fill(style, Affine::rotate(0.01 * f64::from(i)), colour(&mut random), None, &shape);
    }
    scene.fill(Fill::EvenOdd, Affine::IDENTITY, colour(&mut random), None, &star((128.0, 128.0), 110.0));
    for i in 0..12 {
        let stroke = Stroke::new(1.0 + f64::from(i)).with_dashes(0.0, [9.0, f64::from(i)]);
        let stroke = if i % 3 == 0 { Stroke::new(3.0) } else { stroke };
        scene.stroke(&stroke, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 200));
    }
    scene
}

fn nested_clips() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(2));
    let clips = [
        star((128.0, 128.0), 126.0),
        Circle::new((140.0, 120.0), 90.0).to_path(0.1),
        Rect::new(40.0, 50.0, 220.0, 200.0).to_path(0.1),
    ];
    for (depth, clip) in clips.iter().enumerate() {
        let rule = if depth == 0 { Fill::EvenOdd } else { Fill::NonZero };
        scene.push_clip_layer(rule, Affine::IDENTITY, clip);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &ALL);
    }
    scene.push_clip_layer(&Stroke::new(12.0), Affine::IDENTITY, &Circle::new((128.0, 128.0), 50.0));
    scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &ALL);
    for _ in 0..=clips.len() {
        scene.pop_layer();
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 40));
    }
    scene
}

/// A random tree of 1,500 clips with a shape in each.
fn many_clips() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(3));
    let (mut depth, mut n) = (0, 0);
    while n < 1500 || depth > 0 {
        if n < 1500 && (depth == 0 || (depth < 40 && random.percent(55))) {
            let clip = rect(&mut random, 256).inflate(40.0, 40.0);
            scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
            scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 60));
            (depth, n) = (depth + 1, n + 1);
        } else {
            scene.pop_layer();
            depth -= 1;
        }
    }
    scene
}

/// Clips that are empty or outside of the picture, and fills after them.
fn empty_and_far_clips() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(4));
    let clips = [
        BezPath::new(),
        Rect::new(10.0, 10.0, 10.0, 90.0).to_path(0.1),
        Rect::new(-900.0, -900.0, -800.0, -800.0).to_path(0.1),
        Rect::new(-5e9, -5e9, 5e9, 5e9).to_path(0.1),
        Rect::new(200.0, 0.0, 250.0, 250.0).to_path(0.1),
    ];
    for clip in &clips {
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Rect::new(20.0, 20.0, 120.0, 240.0));
        scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, Affine::IDENTITY, clip);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &ALL);
        scene.push_clip_layer(&Stroke::new(0.0), Affine::IDENTITY, &ALL);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &ALL);
        scene.pop_layer();
        scene.pop_layer();
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 90));
        scene.pop_layer();
    }
    scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 90));
    scene
}

fn blends() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(5));
    let ramp = Gradient::new_linear((0.0, 0.0), (256.0, 0.0)).with_stops([Color::WHITE, Color::BLACK]);
    scene.fill(Fill::NonZero, Affine::IDENTITY, &ramp, None, &ALL);
    let mixes = [
        Mix::Normal,
        Mix::Multiply,
        Mix::Screen,
        Mix::Overlay,
        Mix::Darken,
        Mix::Lighten,
        Mix::ColorDodge,
        Mix::ColorBurn,
        Mix::HardLight,
        Mix::SoftLight,
        Mix::Difference,
        Mix::Exclusion,
        Mix::Hue,
        Mix::Saturation,
        Mix::Color,
        Mix::Luminosity,
    ];
    for (i, mix) in (0..).zip(mixes) {
        let (x, y) = (f64::from(i % 4) * 64.0, f64::from(i / 4) * 64.0);
        scene.push_layer(
            Fill::NonZero,
            mix,
            0.8,
            Affine::translate((x, y)),
            &Rect::new(2.0, 2.0, 62.0, 62.0),
        );
        let circle = Circle::new((x + 30.0, y + 30.0), 26.0);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &circle);
        scene.pop_layer();
    }
    scene
}

fn compose_modes() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(6));
    for (i, compose) in (0..).zip(COMPOSE_MODES) {
        let (x, y) = (f64::from(i % 4) * 64.0, f64::from(i / 4) * 64.0);
        let square = Rect::new(x, y, x + 62.0, y + 62.0);
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &square);
        let left = Circle::new((x + 22.0, y + 30.0), 18.0);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &left);
        scene.push_layer(Fill::NonZero, compose, 0.9, Affine::IDENTITY, &square);
        let right = Circle::new((x + 40.0, y + 30.0), 18.0);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &right);
        scene.pop_layer();
        scene.pop_layer();
    }
    scene
}

/// All compose modes of peniko.
pub const COMPOSE_MODES: [Compose; 14] = [
    Compose::Clear,
    Compose::Copy,
    Compose::Dest,
    Compose::SrcOver,
    Compose::DestOver,
    Compose::SrcIn,
    Compose::DestIn,
    Compose::SrcOut,
    Compose::DestOut,
    Compose::SrcAtop,
    Compose::DestAtop,
    Compose::Xor,
    Compose::Plus,
    Compose::PlusLighter,
];

/// `depth` nested layers of the size of the picture.
fn deep_blends(depth: usize) -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(7));
    for _ in 0..depth {
        scene.push_layer(Fill::NonZero, Mix::Multiply, 0.9, Affine::IDENTITY, &ALL);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 120));
    }
    for _ in 0..depth {
        scene.pop_layer();
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &rect(&mut random, 60));
    }
    scene
}

fn luminance_masks() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(8));
    let ramp = Gradient::new_linear((0.0, 0.0), (0.0, 256.0)).with_stops([Color::WHITE, Color::BLACK]);
    for i in 0..3 {
        let part = Rect::new(f64::from(i) * 80.0, 10.0, f64::from(i) * 80.0 + 100.0, 230.0);
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &part);
        scene.fill(Fill::NonZero, Affine::IDENTITY, colour(&mut random), None, &ALL);
        scene.push_luminance_mask_layer(Fill::NonZero, 1.0, Affine::IDENTITY, &part.inset(-4.0));
        scene.fill(Fill::NonZero, Affine::IDENTITY, &ramp, None, &Circle::new(part.center(), 60.0));
        scene.pop_layer();
        scene.pop_layer();
    }
    scene
}

fn gradients() -> Scene {
    let mut scene = Scene::new();
    let stops = [Color::from_rgb8(200, 30, 30), Color::from_rgb8(30, 200, 90), Color::from_rgb8(20, 30, 220)];
    for (i, extend) in (0..).zip([Extend::Pad, Extend::Repeat, Extend::Reflect]) {
        let at = Affine::translate((0.0, f64::from(i) * 85.0));
        let square = Rect::new(2.0, 2.0, 80.0, 80.0);
        let brushes = [
            Gradient::new_linear((20.0, 20.0), (60.0, 40.0)),
            Gradient::new_two_point_radial((30.0, 30.0), 5.0, (45.0, 45.0), 30.0),
            Gradient::new_sweep((40.0, 40.0), 0.3, 4.0),
        ];
        for (column, brush) in (0..).zip(brushes) {
            let at = at * Affine::translate((f64::from(column) * 85.0, 0.0));
            let turned = Some(Affine::rotate(0.1));
            scene.fill(Fill::NonZero, at, &brush.with_extend(extend).with_stops(stops), turned, &square);
        }
    }
    scene
}

/// An image of squares of 4 x 4 pixels.
pub fn checkered_image(side: u32) -> ImageData {
    let pixels = (0..side * side).flat_map(|i| {
        let (x, y) = (i % side, i / side);
        let on = (x / 4 + y / 4) % 2 == 0;
        let shade = |n: u32| u8::try_from(n * 255 / side).expect("it is below 256");
        [shade(x), shade(y), if on { 255 } else { 20 }, if on { 255 } else { 128 }]
    });
    ImageData {
        data: Blob::new(Arc::new(pixels.collect::<Vec<u8>>())),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width: side,
        height: side,
    }
}

fn images() -> Scene {
    let mut scene = Scene::new();
    let image = checkered_image(40);
    scene.draw_image(&image, Affine::translate((10.0, 10.0)) * Affine::scale(2.5));
    scene.draw_image(&checkered_image(64), Affine::translate((120.0, 20.0)) * Affine::rotate(0.3));
    let brush = ImageBrush::new(image).with_extend(Extend::Reflect).with_alpha(0.6);
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &star((128.0, 160.0), 90.0));
    scene.fill(Fill::NonZero, Affine::IDENTITY, &brush, Some(Affine::scale(1.3)), &ALL);
    scene.pop_layer();
    scene
}

fn text() -> Scene {
    let mut scene = Scene::new();
    let font = FontData::new(Blob::new(Arc::new(NOTO_SANS)), 0);
    for (line, size) in (0..).zip([12.0_f32, 20.0, 34.0, 60.0]) {
        let glyphs = (0..12_u32).map(|i| Glyph {
            id: 36 + 3 * i + line,
            #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
            x: i as f32 * size * 0.7,
            y: 0.0,
        });
        let at = Affine::translate((6.0, 30.0 + f64::from(line) * 60.0)) * Affine::skew(0.2, 0.0);
        let run = scene.draw_glyphs(&font).font_size(size).transform(at).hint(false);
        if line % 2 == 0 {
            run.brush(Color::from_rgb8(30, 60, 90)).draw(Fill::NonZero, glyphs);
        } else {
            run.brush(Color::from_rgb8(150, 30, 30)).draw(&Stroke::new(1.0), glyphs);
        }
    }
    scene
}

fn blurred_rectangles() -> Scene {
    let (mut scene, mut random) = (Scene::new(), Random::new(12));
    for i in 0..8 {
        let at = Affine::rotate_about(0.1 * f64::from(i), (128.0, 128.0));
        let shape = rect(&mut random, 120);
        scene.draw_blurred_rounded_rect(at, shape, colour(&mut random), 8.0, 1.0 + f64::from(i));
    }
    scene
}
