//! The parts of boxes in which gradients are not transparent.

use boxwood_cpu::Aabb;
use kurbo::{Point, Rect, Vec2};
use peniko::{Brush, ColorStop, Extend, GradientKind, LinearGradientPosition, RadialGradientPosition};

use crate::geometry::{aabb, area, max_scale};
use crate::quirks::close_stops::DISTANCES;
use crate::quirks::gradients::PlacedBrush;

/// The smallest box of the paint in a box. A gradient that is padded with a transparent colour does
/// not paint beyond the stops with that colour.
pub(crate) fn painted_box(own_box: Aabb, (brush, scene_from_brush): &PlacedBrush) -> Aabb {
    let (Brush::Gradient(gradient), Some(scene_from_brush), Some(all)) =
        (brush, scene_from_brush, area(own_box))
    else {
        return own_box;
    };
    if gradient.stops.iter().all(is_transparent) {
        return Aabb::EMPTY;
    }
    let Some(painted) = painted_offsets(&gradient.stops).filter(|_| gradient.extend == Extend::Pad) else {
        return own_box;
    };
    let scale = max_scale(*scene_from_brush);
    let part = match gradient.kind {
        GradientKind::Linear(LinearGradientPosition { start, end }) => {
            let [start, end] = [start, end].map(|end| *scene_from_brush * end);
            let [least, most] = with_margin(painted, all, start, start.distance(end));
            let along = end - start;
            // The offset of p is (p - start) · per_px.
            let per_px = along / along.hypot2();
            let at_start = per_px.dot(start.to_vec2());
            let above = half_plane(all, per_px, least + at_start);
            half_plane(above, -per_px, -(most + at_start))
        }
        GradientKind::Radial(RadialGradientPosition {
            start_center,
            start_radius,
            end_center,
            end_radius,
        }) => {
            let [inner, outer] = [start_radius, end_radius].map(f64::from);
            let centre = *scene_from_brush * end_center;
            let [_, most] = with_margin(painted, all, centre, outer * scale);
            // If the circles are nested, each circle contains those of smaller offsets.
            if most == f64::INFINITY || start_center.distance(end_center) + inner > outer {
                return own_box;
            }
            let centre = *scene_from_brush * start_center.lerp(end_center, most);
            let radius = inner + (outer - inner) * most;
            let [a, b, c, d, ..] = scene_from_brush.as_coeffs();
            let half = Vec2::new(a.hypot(c), b.hypot(d)) * radius;
            all.intersect(Rect::from_points(centre - half, centre + half))
        }
        GradientKind::Sweep(_) => return own_box,
    };
    aabb(part).intersect(own_box)
}

/// The least and the greatest offset at which a padded gradient is not transparent. `None` if these
/// are unbounded.
fn painted_offsets(stops: &[ColorStop]) -> Option<[f64; 2]> {
    let first = stops.iter().take_while(|stop| is_transparent(stop)).last();
    let last = stops.iter().rev().take_while(|stop| is_transparent(stop)).last();
    let least = first.map_or(f64::NEG_INFINITY, |stop| stop.offset.into());
    let most = last.map_or(f64::INFINITY, |stop| stop.offset.into());
    (first.or(last).is_some()).then_some([least, most])
}

fn is_transparent(stop: &ColorStop) -> bool {
    stop.color.components[3] == 0.0
}

/// These offsets with a margin for the errors of renderers: half the distance of the colours of
/// Vello, and a few errors of `f32` in the coordinates of a box and a point of the gradient,
/// relative to the length of the gradient in px.
fn with_margin([least, most]: [f64; 2], all: Rect, point: Point, length: f64) -> [f64; 2] {
    let coordinates = [all.x0, all.y0, all.x1, all.y1, point.x, point.y];
    let farthest = coordinates.into_iter().map(f64::abs).fold(0.0, f64::max);
    let margin = 0.5 / DISTANCES + 8.0 * f64::from(f32::EPSILON) * farthest / length;
    [least - margin, most + margin]
}

/// The bounds of the part of a rectangle in which p · normal is at least `least`.
fn half_plane(rect: Rect, normal: Vec2, least: f64) -> Rect {
    let most_x = (normal.x * rect.x0).max(normal.x * rect.x1);
    let most_y = (normal.y * rect.y0).max(normal.y * rect.y1);
    let [x, y] = [(least - most_y) / normal.x, (least - most_x) / normal.y];
    let mut part = rect;
    match normal.x {
        n if n > 0.0 => part.x0 = part.x0.max(x),
        n if n < 0.0 => part.x1 = part.x1.min(x),
        _ => {}
    }
    match normal.y {
        n if n > 0.0 => part.y0 = part.y0.max(y),
        n if n < 0.0 => part.y1 = part.y1.min(y),
        _ => {}
    }
    part
}
