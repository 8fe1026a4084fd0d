//! usvg 0.49 removes an element whose transform scales it to nothing along an axis, such as
//! `scale(0)`.
//!
//! Its box in its own user space stays, and the box of the elements around it has the point or line
//! that is left (SVG 2, section 8.10). So usvg gets a scale that is just large enough, and an
//! opacity of zero.

use std::str::FromStr;

use crate::dom::Document;
use svgtypes::Transform;
use usvg::{Group, Opacity};

use crate::error::Error;
use crate::passes::Tools;

/// The scale in place of zero. usvg removes elements with a scale of up to `f32::EPSILON`, about
/// 1.2e-7.
const SCALE: f64 = 1e-6;

/// Gives a scale to each element whose attribute `transform` has none along an axis.
pub(super) fn give_scales(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let matrices =
        document.elements().filter_map(|node| Some((node.id(), scaled(node.attribute("transform")?)?)));
    for (id, matrix) in matrices.collect::<Vec<_>>() {
        document.set_attribute(id, "transform", matrix);
        document.set_attribute(id, "opacity", "0");
    }
    Ok(())
}

/// The matrix of a transform with a scale along each axis. `None` if it has one already.
fn scaled(text: &str) -> Option<String> {
    let Transform { mut a, b, c, mut d, e, f } = Transform::from_str(text).ok()?;
    let is_none = |x: f64, y: f64| x.hypot(y) <= f64::from(f32::EPSILON);
    let [is_x_none, is_y_none] = [is_none(a, c), is_none(b, d)];
    if is_x_none {
        a = SCALE;
    }
    if is_y_none {
        d = SCALE;
    }
    (is_x_none || is_y_none).then(|| format!("matrix({a} {b} {c} {d} {e} {f})"))
}

/// Whether a group has got a scale here, and is not drawn for that.
pub(crate) fn is_singular(group: &Group) -> bool {
    let transform = group.transform();
    let rows = [transform.sx.hypot(transform.kx), transform.sy.hypot(transform.ky)];
    group.opacity() == Opacity::ZERO && rows.into_iter().any(|row| f64::from(row) < 2.0 * SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_removes_elements_without_a_scale() {
        for transform in ["scale(0)", "translate(3 4) scale(0 2)", "scale(1 0)"] {
            let drawn = |transform: &str| {
                tree(&format!("<rect width='9' height='9' transform='{transform}'/>")).root().has_children()
            };
            assert!(!drawn(transform), "{transform}");
            assert!(drawn(&scaled(transform).expect("it has no scale")), "{transform}");
        }
        assert_eq!(scaled("scale(1 2)"), None);
    }
}
