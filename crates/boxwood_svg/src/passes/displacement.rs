//! resvg 0.49 multiplies by the scale of a displacement map twice.
//!
//! Filter Effects 1 (section 9.8) moves a pixel by `scale · (c − ½)`, where c is a channel of the
//! map. usvg therefore gets the square root of each scale, so that resvg draws the right picture.
//! This does not work in two cases, which get a warning: the sign of a negative scale is lost, and
//! the factor of a scale in units of a bounding box is squared as well.

use svgtypes::Number;

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::warnings::WarningKind;

/// An upper bound of the distance that a displacement map moves a pixel, for the scale that usvg
/// has.
///
/// The picture moves it by half of the square of that scale. In units of a bounding box, SVG moves
/// it by half of the scale itself. The larger of the two exceeds the first by at most 1/8.
pub(crate) fn extent(scale: f32) -> f64 {
    let scale = f64::from(scale).abs();
    0.5 * scale.max(scale * scale)
}

/// Replaces all scales of a document by their square roots. Adds warnings for the maps that this
/// does not make right.
pub(super) fn replace_scales(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let is_any_in_units_of_box = document.elements().any(|node| is_linked(node) && is_in_units_of_box(node));
    let mut roots = Vec::new();
    for map in document.elements().filter(|node| node.has_tag("feDisplacementMap")) {
        let Some(Ok(Number(scale))) = map.attribute("scale").map(str::parse) else { continue };
        if scale == 0.0 {
            continue;
        }
        let filter = map.parent_element();
        let is_in_units_of_box = is_any_in_units_of_box || filter.is_some_and(is_in_units_of_box);
        if (scale < 0.0 || is_in_units_of_box) && !map.is_copy() {
            let id = filter.and_then(|filter| filter.attribute("id")).unwrap_or_default();
            tools.warnings.add(WarningKind::Displacement, || id.to_owned());
        }
        if !is_in_units_of_box {
            roots.push((map.id(), (scale.signum() * scale.abs().sqrt()).to_string()));
        }
    }
    roots.into_iter().for_each(|(id, root)| document.set_attribute(id, "scale", root));
    Ok(())
}

/// Whether the lengths of a filter are in units of a bounding box.
fn is_in_units_of_box(filter: Node<'_>) -> bool {
    filter.attribute("primitiveUnits").is_some_and(|units| units.trim() == "objectBoundingBox")
}

/// Whether an element is a filter that may take its primitives from another filter.
fn is_linked(filter: Node<'_>) -> bool {
    filter.has_tag("filter") && filter.href().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::after;
    use crate::quirks::upstream::{first_painted, tree};

    #[test]
    fn resvg_still_squares_the_scale() {
        let displaced = tree(
            "<filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='100' height='100'
                color-interpolation-filters='sRGB'><feFlood flood-color='#fff' result='map'/>
                <feDisplacementMap in='SourceGraphic' in2='map' xChannelSelector='R' yChannelSelector='G' scale='8'/></filter>
            <rect x='70' y='70' width='20' height='20' filter='url(#f)'/>",
        );
        assert_eq!(first_painted(&displaced), [70 - 8 * 8 / 2; 2], "SVG moves the square by 8 / 2");
    }

    /// The scales of all maps after the pass, and the number of warnings.
    fn replaced(text: &str) -> (String, usize) {
        let (document, n_warnings) = after(replace_scales, text);
        let scales: Vec<_> = document.elements().filter_map(|map| map.attribute("scale")).collect();
        (scales.join(" "), n_warnings)
    }

    #[test]
    fn each_scale_is_replaced_by_its_root() {
        let text = "<!DOCTYPE f [<!ENTITY s '16'><!ENTITY m \"<feDisplacementMap scale='9'/>\">]>
            <f scale='25'>&m;&m;<feDisplacementMap scale='&s;' in='é'/><feDisplacementMap scale = '2.25' x=''/></f>";
        assert_eq!(replaced(text), ("25 3 3 4 1.5".to_owned(), 0));
    }

    #[test]
    fn scales_that_the_root_does_not_fix_are_counted() {
        let with = |scale: &str, units: &str| {
            replaced(&format!("<f primitiveUnits='{units}'><feDisplacementMap scale='{scale}'/></f>"))
        };
        assert_eq!(with("-4", "userSpaceOnUse"), ("-2".to_owned(), 1));
        assert_eq!(with("4", "objectBoundingBox"), ("4".to_owned(), 1));
        for none in ["0", "none", ""] {
            assert_eq!(with(none, "objectBoundingBox"), (none.to_owned(), 0), "{none}");
        }
        let linked = |units: &str| {
            let other = format!("<filter href='a' primitiveUnits='{units}'/>");
            replaced(&format!("<g><f id='a'><feDisplacementMap scale='4'/></f>{other}</g>"))
        };
        assert_eq!(linked("objectBoundingBox"), ("4".to_owned(), 1));
        assert_eq!(linked("userSpaceOnUse"), ("2".to_owned(), 0));
    }

    #[test]
    fn the_extent_bounds_both_interpretations() {
        assert_eq!([0.0, 0.5, 4.0, -4.0].map(extent), [0.0, 0.25, 8.0, 8.0]);
    }
}
