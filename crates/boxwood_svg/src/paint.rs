//! Paints as brushes.

use std::sync::Arc;

use kurbo::{Affine, Point, Vec2};
use peniko::color::{AlphaColor, DynamicColor, Srgb};
use peniko::{Brush, Color, ColorStop, ColorStops, Extend, Gradient, InterpolationAlphaSpace};

use crate::path::{affine, is_in_range};
use crate::rasterize::Content;

/// What a leaf is painted with.
pub(crate) enum Paint {
    /// A brush, and where it has one, the transform from its space to the scene.
    Brush { brush: Brush, scene_from_brush: Option<Affine> },
    /// What resvg draws.
    Raster(Content),
}

/// Whether a paint can leave a trace.
pub(crate) fn is_visible(paint: &usvg::Paint, opacity: usvg::Opacity) -> bool {
    Paint::new(paint, opacity, Affine::IDENTITY).is_some()
}

impl Paint {
    /// The brush of a paint on a path that is placed in the scene by `scene_from_path`. `None` where it draws nothing.
    pub(crate) fn new(paint: &usvg::Paint, opacity: usvg::Opacity, scene_from_path: Affine) -> Option<Self> {
        if opacity.get() == 0.0 {
            return None;
        }
        match paint {
            usvg::Paint::Color(c) => Some(Self::solid(*c, opacity)),
            usvg::Paint::Pattern(pattern) => Some(Self::Raster(Content::Pattern {
                pattern: Arc::clone(pattern),
                opacity,
                scene_from_path,
            })),
            usvg::Paint::LinearGradient(g) => linear(g, opacity, scene_from_path),
            usvg::Paint::RadialGradient(g) => radial(g, opacity, scene_from_path),
        }
    }

    /// A brush that hides all that is below, for what shapes a mask.
    pub(crate) fn opaque() -> Self {
        Self::Brush { brush: Brush::Solid(Color::BLACK), scene_from_brush: None }
    }

    /// A brush that leaves no trace.
    pub(crate) fn nothing() -> Self {
        Self::Brush { brush: Brush::Solid(Color::TRANSPARENT), scene_from_brush: None }
    }

    /// A brush of one colour.
    fn solid(colour: usvg::Color, opacity: usvg::Opacity) -> Self {
        Self::Brush { brush: Brush::Solid(color(colour, opacity)), scene_from_brush: None }
    }
}

fn linear(g: &usvg::LinearGradient, opacity: usvg::Opacity, scene_from_path: Affine) -> Option<Paint> {
    let start = Point::new(g.x1().into(), g.y1().into());
    let along = Point::new(g.x2().into(), g.y2().into()) - start;
    if along == Vec2::ZERO {
        // SVG: the last stop's colour, everywhere.
        return g.stops().last().map(|stop| Paint::solid(stop.color(), stop.opacity() * opacity));
    }
    let scene_from_brush = invertible(scene_from_path * affine(g.transform()))?;
    // Vello draws stripes that are square to the transformed line, SVG transforms the stripes. So the line is found,
    // in the scene, that is square to the transformed stripes.
    let [a, b, c, d, ..] = scene_from_brush.as_coeffs();
    let stripe = Vec2::new(-along.y, along.x);
    let stripe = Vec2::new(a * stripe.x + c * stripe.y, b * stripe.x + d * stripe.y);
    let along = Vec2::new(a * along.x + c * along.y, b * along.x + d * along.y);
    let along = along - stripe * (along.dot(stripe) / stripe.hypot2());
    let start = scene_from_brush * start;
    if !(start.is_finite() && along.is_finite()) {
        return None;
    }
    let (mut stops, mut ends) = (stops(g.stops(), opacity), [start, start + along]);
    let is_step = along.hypot() < SHORTEST_LINE * (1.0 + start.to_vec2().hypot());
    if is_step && g.spread_method() == usvg::SpreadMethod::Pad {
        let (first, last) = (stops.first()?.color, stops.last()?.color);
        let step = [(0.0, first), (0.5, first), (0.5, last), (1.0, last)];
        stops = ColorStops::from(&step.map(|(offset, color)| ColorStop { offset, color })[..]);
        let half = along * (0.5 * SHORTEST_LINE * (1.0 + start.to_vec2().hypot()) / along.hypot());
        ends = [start - half, start + half];
    }
    Some(gradient(Gradient::new_linear(ends[0], ends[1]), g, stops, Affine::IDENTITY))
}

/// The shortest line of a gradient whose ends a renderer tells apart in `f32`, to the distance from the origin. A shorter one is
/// a step from the first colour to the last.
const SHORTEST_LINE: f64 = 1e-5;

fn radial(g: &usvg::RadialGradient, opacity: usvg::Opacity, scene_from_path: Affine) -> Option<Paint> {
    let scene_from_brush = invertible(scene_from_path * affine(g.transform()))?;
    let focus = Point::new(g.fx().into(), g.fy().into());
    let centre = Point::new(g.cx().into(), g.cy().into());
    let (inner, outer) = (g.fr().get(), g.r().get());
    let mut stops = stops(g.stops(), opacity);
    let is_step = focus == centre && (outer - inner).abs() <= (outer * 1e-3).max(1e-3);
    let inner = if is_step {
        // Of a ring without width Vello draws nothing; SVG has the first colour inside and the last outside.
        let (first, last) = (stops.first()?.color, stops.last()?.color);
        let step =
            [(0.0, first), (0.998, first), (1.0, last)].map(|(offset, color)| ColorStop { offset, color });
        stops = ColorStops::from(&step[..]);
        0.0
    } else {
        inner
    };
    let rings = Gradient::new_two_point_radial(focus, inner, centre, outer);
    Some(gradient(rings, g, stops, scene_from_brush))
}

/// The transform, if a renderer can invert it.
fn invertible(transform: Affine) -> Option<Affine> {
    (is_in_range(transform) && transform.determinant().abs() >= f64::from(f32::MIN_POSITIVE))
        .then_some(transform)
}

fn gradient(
    gradient: Gradient,
    base: &usvg::BaseGradient,
    stops: ColorStops,
    scene_from_brush: Affine,
) -> Paint {
    let mut brush = gradient.with_extend(match base.spread_method() {
        usvg::SpreadMethod::Pad => Extend::Pad,
        usvg::SpreadMethod::Reflect => Extend::Reflect,
        usvg::SpreadMethod::Repeat => Extend::Repeat,
    });
    brush.interpolation_alpha_space = InterpolationAlphaSpace::Unpremultiplied;
    brush.stops = stops;
    Paint::Brush { brush: Brush::Gradient(brush), scene_from_brush: Some(scene_from_brush) }
}

/// The stops, with one at each end: Vello's ramps begin at 0 with the first stop wherever it is.
fn stops(stops: &[usvg::Stop], opacity: usvg::Opacity) -> ColorStops {
    let stop = |stop: &usvg::Stop, offset: f32| ColorStop {
        offset,
        color: DynamicColor::from_alpha_color(color(stop.color(), stop.opacity() * opacity)),
    };
    let mut list: Vec<ColorStop> = Vec::with_capacity(stops.len() + 2);
    if let Some(first) = stops.first().filter(|first| first.offset().get() > 0.0) {
        list.push(stop(first, 0.0));
    }
    list.extend(stops.iter().map(|s| stop(s, s.offset().get())));
    if let Some(last) = stops.last().filter(|last| last.offset().get() < 1.0) {
        list.push(stop(last, 1.0));
    }
    ColorStops::from(list.as_slice())
}

fn color(colour: usvg::Color, opacity: usvg::Opacity) -> Color {
    let opaque: AlphaColor<Srgb> = Color::from_rgb8(colour.red, colour.green, colour.blue);
    opaque.with_alpha(opacity.get())
}

#[cfg(test)]
mod tests {
    use peniko::GradientKind;

    use super::*;

    #[test]
    fn a_gradient_too_short_for_f32_is_a_step() {
        let of = |scale: f64| {
            let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">
                <linearGradient id="g" x2="1" gradientUnits="userSpaceOnUse"><stop/><stop offset="1" stop-color="red"/>
                </linearGradient><rect width="9" height="9" fill="url(#g)"/></svg>"#;
            let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).expect("a drawing");
            let usvg::Node::Path(path) = &tree.root().children()[0] else { panic!("one path") };
            let fill = path.fill().expect("it is filled");
            let placed = Affine::translate((300.0, 0.0)) * Affine::scale(scale);
            let paint = Paint::new(fill.paint(), fill.opacity(), placed).expect("it is painted");
            let Paint::Brush { brush: Brush::Gradient(gradient), .. } = paint else { panic!("a gradient") };
            let GradientKind::Linear(line) = gradient.kind else { panic!("a linear gradient") };
            (line.start.x, line.end.x, gradient.stops.iter().map(|stop| stop.offset).collect::<Vec<_>>())
        };
        assert_eq!(of(0.01), (300.0, 300.01, vec![0.0, 1.0]));
        let (start, end, offsets) = of(1e-6);
        assert_eq!(offsets, [0.0, 0.5, 0.5, 1.0]);
        assert!((start + end - 600.0).abs() < 1e-9);
        // Here `f32` has steps of 3e-5.
        assert!((1e-4..1e-2).contains(&(end - start)), "from {start} to {end}");
    }

    #[test]
    fn the_stripes_of_a_skewed_gradient_are_skewed() {
        // From corner to corner of a box four times as wide as high: the stripes are parallel to the other diagonal.
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">
            <linearGradient id="g" x2="1" y2="1"><stop/><stop offset="1" stop-color="red"/></linearGradient>
            <rect width="400" height="100" fill="url(#g)"/></svg>"#;
        let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).expect("a drawing");
        let usvg::Node::Path(path) = &tree.root().children()[0] else { panic!("one path") };
        let fill = path.fill().expect("it is filled");
        let paint = Paint::new(fill.paint(), fill.opacity(), Affine::IDENTITY).expect("it is painted");
        let Paint::Brush {
            brush: Brush::Gradient(Gradient { kind: GradientKind::Linear(line), .. }), ..
        } = paint
        else {
            panic!("a linear gradient")
        };
        let along = line.end - line.start;
        let other_diagonal = Vec2::new(400.0, -100.0);
        assert!(along.dot(other_diagonal).abs() < 1e-6, "{along:?} is not square to the stripes");
        // The far corner has the last colour.
        let offset = along.dot(Point::new(400.0, 100.0) - line.start) / along.hypot2();
        assert!((offset - 1.0).abs() < 1e-9, "{offset}");
    }
}
