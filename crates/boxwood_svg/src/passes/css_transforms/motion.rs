//! The transform of `offset-path` (Motion Path 1), for paths that are constant.

use kurbo::{Affine, BezPath, ParamCurve, ParamCurveArclen, PathSeg, Point, Vec2};

use crate::css::sizes::ElementUnits;
use crate::css::transforms::Reference;
use crate::css::values::{Units, evaluate, split};
use crate::dom::Node;

pub(super) const OFFSET_PATH: &str = "offset-path";

/// The error of lengths along a path, in px. Browsers have `f32`.
const ACCURACY: f64 = 1e-4;

/// The distance between the parameters of two points whose difference is the direction of a curve.
const STEP: f64 = 1e-5;

/// Whether an element has an `offset-path`.
pub(super) fn is_moved(node: Node<'_>) -> bool {
    node.declaration(OFFSET_PATH).is_some_and(|value| value != "none")
}

/// The transform of the `offset-path` of an element around its origin, the identity without one.
/// `units` are any of the element. `None` for other values than paths.
pub(super) fn transform(
    node: Node<'_>,
    reference: &Reference<'_>,
    units: ElementUnits<'_>,
    origin: Vec2,
) -> Option<Affine> {
    let Some(value) = node.declaration(OFFSET_PATH).filter(|_| is_moved(node)) else {
        return Some(Affine::IDENTITY);
    };
    let data = value.strip_prefix("path(\"")?.strip_suffix("\")")?;
    let path = BezPath::from_svg(data).ok()?;
    let segments: Vec<_> = path.segments().map(|segment| (segment, segment.arclen(ACCURACY))).collect();
    let length = segments.iter().map(|(_, length)| length).sum();
    let units = units.relative_to(length);
    let distance = node.declaration("offset-distance").and_then(|text| evaluate(text, &units));
    let distance = distance.map_or(0.0, |distance| units.px(distance));
    let is_closed = matches!(path.elements().last(), Some(kurbo::PathEl::ClosePath));
    let distance =
        if is_closed && length > 0.0 { distance.rem_euclid(length) } else { distance.clamp(0.0, length) };
    let start = path.elements().first().and_then(kurbo::PathEl::end_point).unwrap_or_default();
    let (point, direction) = place(&segments, distance).unwrap_or((start, 0.0));

    let mut angle = 0.0;
    for word in split(node.declaration("offset-rotate").unwrap_or("auto"), char::is_whitespace) {
        angle += match word {
            "auto" => direction,
            "reverse" => direction + 180.0,
            word => evaluate(word, &units)?.as_degrees()?,
        };
    }
    let anchor = node.declaration("offset-anchor").filter(|anchor| *anchor != "auto");
    let anchor = anchor.map_or(Some(origin), |anchor| reference.origin(anchor, false))?;
    let transform = Affine::translate(point.to_vec2() - origin)
        * Affine::rotate(angle.to_radians())
        * Affine::translate(origin - anchor);
    transform.is_finite().then_some(transform)
}

/// The point at a distance along a path, and the direction there in degrees. `None` without a
/// segment.
fn place(segments: &[(PathSeg, f64)], distance: f64) -> Option<(Point, f64)> {
    let mut left = distance;
    let last = segments.iter().rposition(|(_, length)| *length > 0.0)?;
    for (index, (segment, length)) in segments.iter().enumerate().filter(|(_, (_, length))| *length > 0.0) {
        if left <= *length || index == last {
            let t = segment.inv_arclen(left.min(*length), ACCURACY);
            let along = segment.eval((t + STEP).min(1.0)) - segment.eval((t - STEP).max(0.0));
            return Some((segment.eval(t), along.atan2().to_degrees()));
        }
        left -= length;
    }
    None
}
