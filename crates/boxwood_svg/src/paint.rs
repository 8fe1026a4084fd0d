//! Paints as brushes.

use kurbo::Affine;
use peniko::color::{AlphaColor, DynamicColor, Srgb};
use peniko::{Brush, Color, ColorStop, ColorStops, Extend, Gradient, InterpolationAlphaSpace};

use crate::path::{affine, is_in_range};

/// A brush, and the transform from its space to that of the path it paints.
pub(crate) struct Paint {
    pub(crate) brush: Brush,
    pub(crate) path_from_brush: Option<Affine>,
}

/// The grey that stands for a pattern.
const PATTERN_GREY: usvg::Color = usvg::Color { red: 128, green: 128, blue: 128 };

impl Paint {
    /// The brush of a paint, `None` where it draws nothing.
    pub(crate) fn new(paint: &usvg::Paint, opacity: usvg::Opacity) -> Option<Self> {
        if opacity.get() == 0.0 {
            return None;
        }
        match paint {
            usvg::Paint::Color(c) => Some(Self::solid(*c, opacity)),
            usvg::Paint::Pattern(_) => Some(Self::solid(PATTERN_GREY, opacity)),
            usvg::Paint::LinearGradient(g) => {
                let start = (f64::from(g.x1()), f64::from(g.y1()));
                let end = (f64::from(g.x2()), f64::from(g.y2()));
                if start == end {
                    // SVG: the last stop's colour, everywhere.
                    return g.stops().last().map(|stop| Self::solid(stop.color(), stop.opacity() * opacity));
                }
                Self::gradient(Gradient::new_linear(start, end), g, opacity)
            }
            usvg::Paint::RadialGradient(g) => {
                let focus = (f64::from(g.fx()), f64::from(g.fy()));
                let centre = (f64::from(g.cx()), f64::from(g.cy()));
                let gradient = Gradient::new_two_point_radial(focus, g.fr().get(), centre, g.r().get());
                Self::gradient(gradient, g, opacity)
            }
        }
    }

    /// A brush that leaves no trace.
    pub(crate) fn nothing() -> Self {
        Self { brush: Brush::Solid(Color::TRANSPARENT), path_from_brush: None }
    }

    /// A brush of one colour.
    fn solid(colour: usvg::Color, opacity: usvg::Opacity) -> Self {
        Self { brush: Brush::Solid(color(colour, opacity)), path_from_brush: None }
    }

    fn gradient(gradient: Gradient, base: &usvg::BaseGradient, opacity: usvg::Opacity) -> Option<Self> {
        let path_from_brush = affine(base.transform());
        // A renderer inverts this.
        let determinant = path_from_brush.determinant();
        if !is_in_range(path_from_brush) || determinant.abs() < f64::from(f32::MIN_POSITIVE) {
            return None;
        }
        let mut brush = gradient.with_extend(match base.spread_method() {
            usvg::SpreadMethod::Pad => Extend::Pad,
            usvg::SpreadMethod::Reflect => Extend::Reflect,
            usvg::SpreadMethod::Repeat => Extend::Repeat,
        });
        brush.interpolation_alpha_space = InterpolationAlphaSpace::Unpremultiplied;
        brush.stops = stops(base.stops(), opacity);
        Some(Self { brush: Brush::Gradient(brush), path_from_brush: Some(path_from_brush) })
    }
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
