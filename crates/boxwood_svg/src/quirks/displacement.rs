//! resvg 0.49 multiplies by the scale of a displacement map twice.
//!
//! Filter Effects 1 (section 9.8) moves a pixel by `scale · (c − ½)`, where c is a channel of the
//! map. usvg therefore gets the square root of each scale, so that resvg draws the right picture.
//! This does not work in two cases, which get a warning: the sign of a negative scale is lost, and
//! the factor of a scale in units of a bounding box is squared as well.

use svgtypes::Number;
use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::warnings::{WarningKind, Warnings};

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
pub(crate) fn replace_scales(document: &Document<'_>, edits: &mut Edits<'_>, warnings: &Warnings) {
    let is_any_in_units_of_box =
        document.descendants().any(|node| is_linked(node) && is_in_units_of_box(node));
    for map in document.descendants().filter(|node| node.has_tag_name("feDisplacementMap")) {
        let Some(attribute) = map.attribute_node("scale") else { continue };
        let Ok(Number(scale)) = attribute.value().parse() else { continue };
        if scale == 0.0 {
            continue;
        }
        let filter = map.parent_element();
        let range = edits
            .range_of_value(attribute)
            .filter(|_| !is_any_in_units_of_box && !filter.is_some_and(is_in_units_of_box));
        if scale < 0.0 || range.is_none() {
            let id = filter.and_then(|filter| filter.attribute("id")).unwrap_or_default();
            warnings.add(WarningKind::Displacement, || id.to_owned());
        }
        if let Some(range) = range {
            edits.replace(range, (scale.signum() * scale.abs().sqrt()).to_string());
        }
    }
}

/// Whether the lengths of a filter are in units of a bounding box.
fn is_in_units_of_box(filter: Node<'_, '_>) -> bool {
    filter.attribute("primitiveUnits").is_some_and(|units| units.trim() == "objectBoundingBox")
}

/// Whether an element is a filter that may take its primitives from another filter.
fn is_linked(filter: Node<'_, '_>) -> bool {
    filter.has_tag_name("filter") && filter.attributes().any(|attribute| attribute.name() == "href")
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn rewritten(text: &str) -> (Option<String>, usize) {
        let document = crate::xml::parse(text).expect("it is XML");
        let warnings = Warnings::default();
        let mut edits = Edits::new(&document);
        replace_scales(&document, &mut edits, &warnings);
        (edits.apply(), warnings.take().iter().map(|warning| warning.count).sum())
    }

    #[test]
    fn each_scale_is_replaced_by_its_root_once() {
        let text = |a: &str, b: &str, c: &str| {
            format!(
                r#"<!DOCTYPE f [<!ENTITY s "16"><!ENTITY m "<feDisplacementMap scale='{a}'/>">]>
                <f scale="25">&m;&m;<feDisplacementMap scale="{b}" in="é"/><feDisplacementMap scale = '{c}' x=""/></f>"#
            )
        };
        assert_eq!(rewritten(&text("9", "&s;", "2.25")), (Some(text("3", "4", "1.5")), 0));
    }

    #[test]
    fn scales_that_the_root_does_not_fix_are_counted() {
        let with = |scale: &str, units: &str| {
            rewritten(&format!(r#"<f primitiveUnits="{units}"><feDisplacementMap scale="{scale}"/></f>"#))
        };
        let (text, n_warnings) = with("-4", "userSpaceOnUse");
        assert!(text.is_some_and(|text| text.contains(r#""-2""#)));
        assert_eq!(n_warnings, 1);
        assert_eq!(with("4", "objectBoundingBox"), (None, 1));
        for none in ["0", "none", ""] {
            assert_eq!(with(none, "objectBoundingBox"), (None, 0), "{none}");
        }
        let linked = |units: &str| {
            let other = format!(r#"<filter href="a" primitiveUnits="{units}"/>"#);
            rewritten(&format!(r#"<g><f id="a"><feDisplacementMap scale="4"/></f>{other}</g>"#))
        };
        assert_eq!(linked("objectBoundingBox"), (None, 1));
        assert_eq!(linked("userSpaceOnUse").1, 0);
        let spaced = format!(r#"<f><feDisplacementMap scale{}= "4"/></f>"#, " ".repeat(300));
        assert_eq!(rewritten(&spaced), (None, 1));
    }

    #[test]
    fn the_extent_bounds_both_interpretations() {
        assert_eq!([0.0, 0.5, 4.0, -4.0].map(extent), [0.0, 0.25, 8.0, 8.0]);
    }
}
