//! Random scenes with every command.

use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use anyrender::filters::FilterEffect;
use anyrender::{Filter, Glyph, PaintScene};
use fastrand::Rng;
use kurbo::{Affine, BezPath, Cap, Circle, Join, Point, Rect, RoundedRect, Stroke, Vec2};
use peniko::{
    BlendMode, Blob, Color, ColorStop, Compose, Extend, Fill, FontData, Gradient, ImageAlphaType, ImageBrush,
    ImageData, ImageFormat, ImageQuality, ImageSampler, Mix, Style,
};

/// The width and the height of the pictures.
pub(crate) const SIZE: [u32; 2] = [120, 88];

/// Kinds of commands.
pub(crate) mod kind {
    pub(crate) const STROKE: u32 = 4;
    pub(crate) const GLYPHS: u32 = 5;
    pub(crate) const SHADOW: u32 = 6;
    pub(crate) const IMAGE: u32 = 7;
    pub(crate) const FILL: u32 = 11;
}

/// The colour glyphs of their font.
const EMOJI: Range<u32> = 1..5;

/// A random scene, which is the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct RandomScene {
    pub(crate) seed: u64,
    pub(crate) n_commands: usize,
    /// A number that changes some commands, moves others, and swaps two, unless it is 0.
    pub(crate) change: u64,
    /// Whether there are filters.
    pub(crate) has_filters: bool,
    /// The kind of all commands, if it is not random.
    pub(crate) kind: Option<u32>,
    /// The standard deviation of a blur of the whole scene, in pixels.
    pub(crate) blur: f32,
}

/// Images and fonts, which all scenes share.
pub(crate) struct Resources {
    font: FontData,
    /// A font of colour glyphs (`COLRv1`).
    emoji: FontData,
    image: ImageData,
}

impl Resources {
    pub(crate) fn new() -> Self {
        let font = |bytes: &'static [u8]| FontData::new(Blob::new(Arc::new(bytes)), 0);
        let emoji = font(include_bytes!("../fonts/NotoColorEmoji-COLR.ttf"));
        let font = font(boxwood_assets::NOTO_SANS);
        let pixels: Vec<u8> =
            (0..16 * 16_u32).flat_map(|i| (0x40_80_c0_ff_u32.rotate_left(i % 32)).to_le_bytes()).collect();
        let image = ImageData {
            data: Blob::new(Arc::new(pixels)),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width: 16,
            height: 16,
        };
        Self { font, emoji, image }
    }
}

impl Resources {
    /// Resources whose colour glyphs are replaced by outlines.
    pub(crate) fn without_color_glyphs() -> Self {
        let resources = Self::new();
        Self { emoji: resources.font.clone(), ..resources }
    }
}

/// Random numbers, and the size of the area that commands are in.
struct Source {
    rng: Rng,
    spread: f64,
    /// A number that changes the colours.
    color: u8,
}

impl Deref for Source {
    type Target = Rng;

    fn deref(&self) -> &Rng {
        &self.rng
    }
}

impl DerefMut for Source {
    fn deref_mut(&mut self) -> &mut Rng {
        &mut self.rng
    }
}

impl RandomScene {
    /// Draws the scene.
    pub(crate) fn paint(&self, scene: &mut impl PaintScene, resources: &Resources) {
        let mut depth = 0;
        if self.blur > 0.0 {
            let (filter, clip) =
                (Filter::single(FilterEffect::blur(self.blur)), Rect::new(0.0, 0.0, 120.0, 88.0));
            let filter = Some(Arc::new(filter));
            scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &clip, filter, None);
            depth += 1;
        }
        let mut indices: Vec<usize> = (0..self.n_commands).collect();
        if self.change > 0 && self.n_commands > 1 {
            let first =
                usize::try_from(self.seed + self.change).expect("it is small") % (self.n_commands - 1);
            indices.swap(first, first + 1);
        }
        for index in indices {
            let mut rng = Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(index as u64));
            // One command in twelve differs between two changes.
            let mut color = 0;
            match rng.u64(0..12) {
                0 => rng = Rng::with_seed(rng.u64(..) ^ self.change),
                1 => color = 0x10 * self.change.to_le_bytes()[0],
                _ => {}
            }
            // In some scenes, most commands are in the picture and cover each other. In others,
            // most are outside.
            let spread = [80.0, 160.0, 420.0][usize::try_from(self.seed % 3).expect("it is small")];
            let mut random = Source { rng, spread, color };
            match self.kind.unwrap_or_else(|| random.u32(0..14)) {
                0 | 1 if depth < 12 => {
                    push(scene, &mut random, self.has_filters);
                    depth += 1;
                }
                2 | 3 if depth > 0 => {
                    scene.pop_layer();
                    depth -= 1;
                }
                kind::STROKE => stroke(scene, &mut random),
                kind::GLYPHS => glyphs(scene, &mut random, resources),
                kind::SHADOW => shadow(scene, &mut random),
                kind::IMAGE => image(scene, &mut random, resources),
                8..kind::FILL => card(scene, &mut random),
                _ => fill(scene, &mut random),
            }
        }
        for _ in 0..depth {
            scene.pop_layer();
        }
    }
}

fn coordinate(random: &mut Source) -> f64 {
    let at = 50.0 + (random.f64() - 0.5) * random.spread;
    if random.bool() { at.round() } else { at }
}

fn point(random: &mut Source) -> Point {
    Point::new(coordinate(random), coordinate(random))
}

fn rect(random: &mut Source) -> Rect {
    let (origin, [width, height]) = (point(random), [(); 2].map(|()| random.f64().powi(2) * 150.0));
    let [width, height] = if random.bool() { [width.round(), height.round()] } else { [width, height] };
    Rect::new(origin.x, origin.y, origin.x + width, origin.y + height)
}

fn transform(random: &mut Source) -> Affine {
    match random.u32(0..12) {
        0 => Affine::rotate(random.f64() * 6.3),
        1 => Affine::scale_non_uniform(random.f64() * 3.0 - 1.0, random.f64() * 3.0 - 1.0),
        2 => Affine::skew(random.f64() - 0.5, random.f64() - 0.5),
        3 => Affine::translate((random.f64() * 20.0, random.f64() * 20.0)),
        4 => Affine::new([0.0, 1.0, -1.0, 0.0, 60.0, 0.0]),
        // A line, and a point.
        5 if random.u32(0..6) == 0 => Affine::scale_non_uniform(1.0, 0.0),
        6 if random.u32(0..6) == 0 => Affine::scale(0.0),
        _ => Affine::IDENTITY,
    }
}

fn color(random: &mut Source) -> Color {
    let alpha = [255, 255, 255, 255, 128, 1, 0][random.usize(0..7)];
    Color::from_rgba8(random.u8(..) ^ random.color, random.u8(..), random.u8(..), alpha)
}

fn path(random: &mut Source) -> BezPath {
    let mut path = BezPath::new();
    let mut last = point(random);
    for _ in 0..random.usize(1..3) {
        path.move_to(last);
        for _ in 0..random.usize(1..5) {
            last = point(random);
            match random.u32(0..3) {
                0 => path.line_to(last),
                1 => path.quad_to(point(random), last),
                _ => path.curve_to(point(random), point(random), last),
            }
        }
        if random.bool() {
            path.close_path();
        }
        last = point(random);
    }
    path
}

fn fill_rule(random: &mut Source) -> Fill {
    if random.bool() { Fill::NonZero } else { Fill::EvenOdd }
}

/// An opaque rectangle in most cases.
fn card(scene: &mut impl PaintScene, random: &mut Source) {
    let color = color(random);
    let margin = if random.bool() { 40.0 } else { 0.0 };
    let rect = rect(random).inflate(margin, margin);
    let (rule, transform) = (fill_rule(random), transform(random));
    if random.u32(0..3) == 0 {
        // A border of less than a pixel.
        scene.fill(
            rule,
            transform,
            self::color(random),
            None,
            &rect.inflate(0.3 * random.f64(), 0.3 * random.f64()),
        );
    }
    scene.fill(rule, transform, color, None, &rect);
}

fn fill(scene: &mut impl PaintScene, random: &mut Source) {
    let (rule, transform) = (fill_rule(random), transform(random));
    match random.u32(0..4) {
        0 => {
            let mut path = path(random);
            // In some paths, a curve ends far away.
            if random.u32(0..6) == 0 {
                let far = 10.0_f64.powi(random.i32(2..6)) * coordinate(random);
                path.quad_to(point(random), Point::new(coordinate(random), far));
            }
            scene.fill(rule, transform, color(random), None, &path);
        }
        1 => {
            // A circle is the same with a negative radius.
            let radius = random.f64() * 60.0 * if random.u32(0..4) == 0 { -1.0 } else { 1.0 };
            let circle = Circle::new(point(random), radius);
            scene.fill(rule, transform, color(random), None, &circle);
        }
        2 => {
            let rounded = RoundedRect::from_rect(rect(random), random.f64() * 20.0);
            scene.fill(rule, transform, color(random), None, &rounded);
        }
        _ => {
            let stops = [color(random), color(random)].into_iter().zip([0.0, 1.0]);
            let stops: Vec<ColorStop> =
                stops.map(|(color, offset)| ColorStop { offset, color: color.into() }).collect();
            let gradient = Gradient::new_linear(point(random), point(random))
                .with_stops(&*stops)
                .with_extend([Extend::Pad, Extend::Repeat, Extend::Reflect][random.usize(0..3)]);
            let paint_transform = random.bool().then(|| Affine::rotate(0.5));
            scene.fill(rule, transform, &gradient, paint_transform, &path(random));
        }
    }
}

fn stroke(scene: &mut impl PaintScene, random: &mut Source) {
    let mut style = Stroke::new([0.0, 0.3, 1.0, 5.0, 30.0][random.usize(0..5)])
        .with_join([Join::Bevel, Join::Miter, Join::Round][random.usize(0..3)])
        .with_caps([Cap::Butt, Cap::Square, Cap::Round][random.usize(0..3)])
        .with_miter_limit((random.f64() * 10.0 + 1.0) * if random.u32(0..8) == 0 { -1.0 } else { 1.0 });
    if random.u32(0..4) == 0 {
        style = style.with_dashes(random.f64() * 10.0, [1.0 + random.f64() * 10.0, 1.0 + random.f64() * 5.0]);
    }
    let (transform, color) = (transform(random), color(random));
    match random.u32(0..8) {
        0..4 => scene.stroke(&style, transform, color, None, &path(random)),
        4 | 5 => scene.stroke(&style, transform, color, None, &rect(random)),
        6 => {
            let rounded = RoundedRect::from_rect(rect(random), random.f64() * 20.0);
            scene.stroke(&style, transform, color, None, &rounded);
        }
        _ => {
            let circle = Circle::new(point(random), random.f64() * 60.0);
            scene.stroke(&style, transform, color, None, &circle);
        }
    }
}

fn glyphs(scene: &mut impl PaintScene, random: &mut Source, resources: &Resources) {
    let origin = point(random);
    let size = 6.0 + random.f32() * 40.0;
    let (font, ids) =
        if random.u32(0..4) == 0 { (&resources.emoji, EMOJI) } else { (&resources.font, 0..500) };
    let ids: Vec<u32> = (0..random.u32(0..9)).map(|_| random.u32(ids.clone())).collect();
    #[expect(clippy::cast_possible_truncation, reason = "glyphs have coordinates of 32 bits")]
    let glyphs = ids.iter().scan(origin.x as f32, |x, id| {
        let glyph = Glyph { id: *id, x: *x, y: origin.y as f32 };
        *x += 0.6 * size;
        Some(glyph)
    });
    let style = if random.bool() { Style::Fill(Fill::NonZero) } else { Style::Stroke(Stroke::new(1.5)) };
    let hint = random.bool();
    let glyph_transform = (random.u32(0..3) == 0).then(|| Affine::skew(0.3, 0.0));
    let embolden = if random.u32(0..4) == 0 { Vec2::new(2.5, 2.0) } else { Vec2::ZERO };
    scene.draw_glyphs(
        font,
        size,
        hint,
        &[],
        embolden,
        &style,
        color(random),
        1.0,
        transform(random),
        glyph_transform,
        glyphs,
    );
}

fn shadow(scene: &mut impl PaintScene, random: &mut Source) {
    let (rect, std_dev) = (rect(random), random.f64() * 20.0);
    scene.draw_box_shadow(transform(random), rect, color(random), random.f64() * 10.0, std_dev);
}

fn image(scene: &mut impl PaintScene, random: &mut Source, resources: &Resources) {
    let sampler = ImageSampler {
        x_extend: Extend::Repeat,
        y_extend: Extend::Pad,
        quality: [ImageQuality::Low, ImageQuality::Medium][random.usize(0..2)],
        alpha: 1.0,
    };
    let brush = ImageBrush { image: resources.image.clone(), sampler };
    let transform = transform(random) * Affine::translate(point(random).to_vec2());
    scene.fill(Fill::NonZero, transform, brush.as_ref(), None, &Rect::new(0.0, 0.0, 40.0, 30.0));
}

fn push(scene: &mut impl PaintScene, random: &mut Source, has_filters: bool) {
    let (rule, transform) = (fill_rule(random), transform(random));
    let clip =
        if random.bool() { Rect::new(-20.0, -20.0, 130.0, 90.0) } else { rect(random).inflate(30.0, 30.0) };
    match random.u32(if has_filters { 0..16 } else { 0..8 }) {
        0 | 1 => scene.push_clip_layer(rule, transform, &clip),
        2 => scene.push_clip_layer(rule, transform, &path(random)),
        3 | 4 => scene.push_layer(rule, Mix::Normal, 1.0, transform, &clip, None, None),
        5 => {
            let alpha = [0.0, 0.3, 1.0][random.usize(0..3)];
            scene.push_layer(rule, blend(random), alpha, transform, &path(random), None, None);
        }
        8.. => {
            let filter = Arc::new(filter(random));
            scene.push_layer(rule, Mix::Normal, 1.0, transform, &clip, Some(filter), None);
        }
        _ => scene.push_layer(rule, blend(random), 1.0, transform, &clip, None, None),
    }
}

fn blend(random: &mut Source) -> BlendMode {
    const MIXES: [Mix; 16] = [
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
    const COMPOSES: [Compose; 14] = [
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
    if random.u32(0..3) > 0 {
        BlendMode::new(MIXES[random.usize(0..MIXES.len())], Compose::SrcOver)
    } else {
        BlendMode::new(Mix::Normal, COMPOSES[random.usize(0..COMPOSES.len())])
    }
}

/// One of the filters that `vello_cpu` has.
fn filter(random: &mut Source) -> Filter {
    let effect = match random.u32(0..4) {
        0 => FilterEffect::Flood(color(random)),
        1 => FilterEffect::Offset(Vec2::new(random.f64() * 60.0 - 30.0, random.f64() * 60.0 - 30.0)),
        2 => FilterEffect::drop_shadow(random.f32() * 30.0, -random.f32() * 30.0, 4.0, color(random)),
        _ => FilterEffect::blur(random.f32() * 12.0),
    };
    Filter::single(effect)
}
