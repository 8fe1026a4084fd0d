//! Gradients as resvg draws them.

use kurbo::Affine;
use resvg::tiny_skia::{Color, GradientStop, LinearGradient, Point, RadialGradient, Shader, SpreadMode};
use usvg::{BaseGradient, Opacity, Paint, SpreadMethod};

use crate::geometry::affine;
use crate::raster::content::transform;

/// The shader of a gradient. `None` if the paint is not a gradient, or the gradient is degenerate.
pub(super) fn gradient(paint: &Paint, opacity: Opacity, pixels_from_path: Affine) -> Option<Shader<'static>> {
    match paint {
        Paint::LinearGradient(g) => {
            let [start, end] = [(g.x1(), g.y1()), (g.x2(), g.y2())].map(Point::from);
            let pixels_from_gradient = transform(pixels_from_path * affine(g.transform()))?;
            LinearGradient::new(start, end, stops(g, opacity), spread_mode(g), pixels_from_gradient)
        }
        Paint::RadialGradient(g) => {
            let [focus, centre] = [(g.fx(), g.fy()), (g.cx(), g.cy())].map(Point::from);
            let [inner, outer] = [g.fr().get(), g.r().get()];
            let pixels_from_gradient = transform(pixels_from_path * affine(g.transform()))?;
            let (stops, mode) = (stops(g, opacity), spread_mode(g));
            RadialGradient::new(focus, inner, centre, outer, stops, mode, pixels_from_gradient)
        }
        Paint::Color(_) | Paint::Pattern(_) => None,
    }
}

fn stops(gradient: &BaseGradient, opacity: Opacity) -> Vec<GradientStop> {
    let stop = |stop: &usvg::Stop| {
        let (colour, alpha) = (stop.color(), stop.opacity() * opacity);
        let colour = Color::from_rgba8(colour.red, colour.green, colour.blue, alpha.to_u8());
        GradientStop::new(stop.offset().get(), colour)
    };
    gradient.stops().iter().map(stop).collect()
}

fn spread_mode(gradient: &BaseGradient) -> SpreadMode {
    match gradient.spread_method() {
        SpreadMethod::Pad => SpreadMode::Pad,
        SpreadMethod::Reflect => SpreadMode::Reflect,
        SpreadMethod::Repeat => SpreadMode::Repeat,
    }
}
