//! Vello 0.11 does not draw all of SVG's gradients.
//!
//! - It draws the stripes of a linear gradient perpendicular to the transformed line. SVG
//!   transforms the stripes. So the line is replaced by one that is perpendicular to the
//!   transformed stripes.
//! - Its ramps start at 0 with the first stop, whatever the offset of that is. So the first and
//!   last stop are repeated at 0 and 1.
//! - It does not draw a radial gradient between two equal circles. SVG draws the first colour
//!   inside and the last outside.
//! - It computes in `f32`, so a very short linear gradient has noise for colours. SVG draws a step.

use kurbo::{Affine, Point, Vec2};
use peniko::color::{AlphaColor, Srgb};
use peniko::{Brush, Color, ColorStop, ColorStops, Extend, Gradient, InterpolationAlphaSpace};
use usvg::{BaseGradient, LinearGradient, Opacity, Paint, RadialGradient, SpreadMethod, Stop};

use crate::geometry::{affine, is_in_range};

/// The shortest line of a linear gradient that is not drawn as a step, relative to its distance
/// from the origin: about 80 times the spacing of `f32`.
const SHORTEST_LINE: f64 = 1e-5;

/// The smallest difference between the circles of a radial gradient that is not drawn as a step, in
/// user units and relative to the radius.
const THINNEST_RING: f32 = 1e-3;

/// The offset at which a radial step starts. It ends at 1.
const RING_START: f32 = 0.998;

/// A brush and the transform from its space to the scene, if it has a space.
pub(crate) type PlacedBrush = (Brush, Option<Affine>);

/// The brush of a paint on a path. `None` if it draws nothing, or is a pattern.
pub(crate) fn brush(paint: &Paint, opacity: Opacity, scene_from_path: Affine) -> Option<PlacedBrush> {
    match paint {
        Paint::Color(c) => Some(solid(*c, opacity)),
        Paint::LinearGradient(g) => linear(g, opacity, scene_from_path),
        Paint::RadialGradient(g) => radial(g, opacity, scene_from_path),
        Paint::Pattern(_) => None,
    }
}

fn solid(colour: usvg::Color, opacity: Opacity) -> PlacedBrush {
    (Brush::Solid(color(colour, opacity)), None)
}

fn linear(g: &LinearGradient, opacity: Opacity, scene_from_path: Affine) -> Option<PlacedBrush> {
    let start = Point::new(g.x1().into(), g.y1().into());
    let along = Point::new(g.x2().into(), g.y2().into()) - start;
    if along == Vec2::ZERO {
        // SVG: the colour of the last stop everywhere.
        return g.stops().last().map(|stop| solid(stop.color(), stop.opacity() * opacity));
    }
    let scene_from_brush = invertible(scene_from_path * affine(g.transform()))?;
    let [a, b, c, d, ..] = scene_from_brush.as_coeffs();
    let linear = |v: Vec2| Vec2::new(a * v.x + c * v.y, b * v.x + d * v.y);
    let (stripe, along) = (linear(Vec2::new(-along.y, along.x)), linear(along));
    let along = along - stripe * (along.dot(stripe) / stripe.hypot2());
    let start = scene_from_brush * start;
    if !(start.is_finite() && along.is_finite()) {
        return None;
    }
    let (mut stops, mut ends) = (stops(g.stops(), opacity), [start, start + along]);
    let shortest = SHORTEST_LINE * (1.0 + start.to_vec2().hypot());
    if along.hypot() < shortest && g.spread_method() == SpreadMethod::Pad {
        stops = step(&stops, &[0.0, 0.5], &[0.5, 1.0])?;
        let half = along * (0.5 * shortest / along.hypot());
        ends = [start - half, start + half];
    }
    Some(gradient(Gradient::new_linear(ends[0], ends[1]), g, stops, Affine::IDENTITY))
}

fn radial(g: &RadialGradient, opacity: Opacity, scene_from_path: Affine) -> Option<PlacedBrush> {
    let scene_from_brush = invertible(scene_from_path * affine(g.transform()))?;
    let focus = Point::new(g.fx().into(), g.fy().into());
    let centre = Point::new(g.cx().into(), g.cy().into());
    let (mut inner, outer) = (g.fr().get(), g.r().get());
    let mut stops = stops(g.stops(), opacity);
    if focus == centre && (outer - inner).abs() <= outer.max(1.0) * THINNEST_RING {
        stops = step(&stops, &[0.0, RING_START], &[1.0])?;
        inner = 0.0;
    }
    let rings = Gradient::new_two_point_radial(focus, inner, centre, outer);
    Some(gradient(rings, g, stops, scene_from_brush))
}

/// The transform, if a renderer can invert it.
fn invertible(transform: Affine) -> Option<Affine> {
    let is_regular = transform.determinant().abs() >= f64::from(f32::MIN_POSITIVE);
    (is_in_range(transform) && is_regular).then_some(transform)
}

fn gradient(
    gradient: Gradient,
    base: &BaseGradient,
    stops: ColorStops,
    scene_from_brush: Affine,
) -> PlacedBrush {
    let extend = match base.spread_method() {
        SpreadMethod::Pad => Extend::Pad,
        SpreadMethod::Reflect => Extend::Reflect,
        SpreadMethod::Repeat => Extend::Repeat,
    };
    let alpha_space = InterpolationAlphaSpace::Unpremultiplied;
    let gradient = gradient.with_extend(extend).with_interpolation_alpha_space(alpha_space);
    (Brush::Gradient(Gradient { stops, ..gradient }), Some(scene_from_brush))
}

/// Stops with the first colour at some offsets and the last colour at others.
fn step(stops: &ColorStops, first_at: &[f32], last_at: &[f32]) -> Option<ColorStops> {
    let (first, last) = (stops.first()?.color, stops.last()?.color);
    let first = first_at.iter().map(|offset| ColorStop::from((*offset, first)));
    let last = last_at.iter().map(|offset| ColorStop::from((*offset, last)));
    Some(ColorStops::from(&first.chain(last).collect::<Vec<_>>()[..]))
}

/// The stops, with one at 0 and one at 1.
fn stops(stops: &[Stop], opacity: Opacity) -> ColorStops {
    let stop =
        |stop: &Stop, offset: f32| ColorStop::from((offset, color(stop.color(), stop.opacity() * opacity)));
    let first = stops.first().filter(|first| first.offset().get() > 0.0).map(|first| stop(first, 0.0));
    let last = stops.last().filter(|last| last.offset().get() < 1.0).map(|last| stop(last, 1.0));
    let own = stops.iter().map(|own| stop(own, own.offset().get()));
    ColorStops::from(&first.into_iter().chain(own).chain(last).collect::<Vec<_>>()[..])
}

fn color(colour: usvg::Color, opacity: Opacity) -> Color {
    let opaque: AlphaColor<Srgb> = Color::from_rgb8(colour.red, colour.green, colour.blue);
    opaque.with_alpha(opacity.get())
}

#[cfg(test)]
mod tests {
    use peniko::GradientKind;
    use usvg::Node;
    use vello_encoding::{Encoding, Resolver};

    use super::*;
    use crate::quirks::upstream::tree;

    /// The gradient that the first path of a drawing is filled with, and the ends of its line.
    fn filled(body: &str, scene_from_path: Affine) -> (Gradient, [Point; 2]) {
        let tree = tree(body);
        let [Node::Path(path)] = tree.root().children() else { panic!("one path") };
        let fill = path.fill().expect("it is filled");
        let brush = brush(fill.paint(), fill.opacity(), scene_from_path).expect("it is painted");
        let (Brush::Gradient(gradient), _) = brush else { panic!("a gradient") };
        let GradientKind::Linear(line) = gradient.kind else { panic!("a linear gradient") };
        (gradient, [line.start, line.end])
    }

    #[test]
    fn vello_still_starts_ramps_with_the_first_stop() {
        let at = |offset: f32, color: Color| ColorStop::from((offset, color));
        let (black, white) = (Color::BLACK, Color::WHITE);
        let ramp = |stops: &[ColorStop]| {
            let mut encoding = Encoding::new();
            let line = Gradient::new_linear((0.0, 0.0), (9.0, 0.0)).with_stops(stops);
            encoding.encode_brush(&line, 1.0);
            let (mut resolver, mut packed) = (Resolver::new(), Vec::new());
            let (_, ramps, _) = resolver.resolve(&encoding, &mut packed);
            ramps.data.to_vec()
        };
        let short = ramp(&[at(0.5, black), at(1.0, white)]);
        let whole = ramp(&[at(0.0, black), at(0.5, black), at(1.0, white)]);
        assert_ne!(short, whole, "SVG has the first colour up to the first stop");
    }

    #[test]
    fn a_gradient_too_short_for_f32_is_a_step() {
        let line = |scale: f64| {
            let body = "<linearGradient id='g' x2='1' gradientUnits='userSpaceOnUse'><stop/><stop offset='1' stop-color='red'/>
                </linearGradient><rect width='9' height='9' fill='url(#g)'/>";
            let placed = Affine::translate((300.0, 0.0)) * Affine::scale(scale);
            let (gradient, [start, end]) = filled(body, placed);
            (start.x, end.x, gradient.stops.iter().map(|stop| stop.offset).collect::<Vec<_>>())
        };
        assert_eq!(line(0.01), (300.0, 300.01, vec![0.0, 1.0]));
        let (start, end, offsets) = line(1e-6);
        assert_eq!(offsets, [0.0, 0.5, 0.5, 1.0]);
        assert!((start + end - 600.0).abs() < 1e-9);
        // Here `f32` has a spacing of 3e-5.
        assert!((1e-4..1e-2).contains(&(end - start)), "from {start} to {end}");
    }

    #[test]
    fn the_stripes_of_a_skewed_gradient_are_skewed() {
        // From corner to corner of a box four times as wide as high: the stripes are parallel to
        // the other diagonal.
        let body =
            "<linearGradient id='g' x2='1' y2='1'><stop/><stop offset='1' stop-color='red'/></linearGradient>
            <rect width='400' height='100' fill='url(#g)'/>";
        let (_, [start, end]) = filled(body, Affine::IDENTITY);
        let along = end - start;
        let other_diagonal = Vec2::new(400.0, -100.0);
        assert!(along.dot(other_diagonal).abs() < 1e-6, "{along:?} is not perpendicular to the stripes");
        // The far corner has the last colour.
        let offset = along.dot(Point::new(400.0, 100.0) - start) / along.hypot2();
        assert!((offset - 1.0).abs() < 1e-9, "{offset}");
    }
}
