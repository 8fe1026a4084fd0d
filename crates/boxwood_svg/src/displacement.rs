//! The scales of displacement maps, which resvg takes to the square.
//!
//! SVG (Filter Effects 1, section 9.8) moves a pixel by `scale · (c − ½)`, with c a channel of the map. resvg 0.49 multiplies by
//! the scale twice. So usvg is given the square root of each scale, and what is drawn is right. That cannot be done where the
//! sign would be lost, nor where the scale is in units of a bounding box: their factor is taken to the square as well.

use std::collections::BTreeMap;
use std::str::FromStr;

use svgtypes::Number;
use usvg::roxmltree::{Attribute, Document, Node};

use crate::warnings::{WarningKind, Warnings};

/// How far a displacement map may move what it is applied to, at most, where usvg has this scale of it: half of what is drawn,
/// which is its square, and half of what SVG wants, which is the scale itself in units of a bounding box.
///
/// Of a root below 1, the second is up to 1/8 of a unit too much.
pub(crate) fn reach(scale: f32) -> f64 {
    let scale = f64::from(scale).abs();
    0.5 * scale.max(scale * scale)
}

/// The text of a document with the square roots of the scales, `None` if it has no scale. Counts those that cannot be mended so.
pub(crate) fn with_roots(document: &Document<'_>, warnings: &Warnings) -> Option<String> {
    let text = document.input_text();
    // What an entity stands for is there once, however often it is used.
    let mut roots = BTreeMap::new();
    let mut maps =
        document.descendants().filter(|node| node.tag_name().name() == "feDisplacementMap").peekable();
    let is_any_in_units_of_box = maps.peek().is_some()
        && document.descendants().any(|node| is_linked(node) && is_in_units_of_box(node));
    for map in maps {
        let Some(attribute) = map.attribute_node("scale") else { continue };
        let Some(scale) = Number::from_str(attribute.value()).ok().filter(|scale| scale.0 != 0.0) else {
            continue;
        };
        let place = place_of_value(attribute, text)
            .filter(|_| !is_any_in_units_of_box && !map.parent_element().is_some_and(is_in_units_of_box));
        if scale.0 < 0.0 || place.is_none() {
            warnings.add(WarningKind::Displacement, || name_of(map));
        }
        if let Some((start, end)) = place {
            roots.insert(start, (end, scale.0.signum() * scale.0.abs().sqrt()));
        }
    }
    if roots.is_empty() {
        return None;
    }
    let mut rooted = String::with_capacity(text.len());
    let mut from = 0;
    for (start, (end, root)) in &roots {
        rooted.push_str(&text[from..*start]);
        rooted.push_str(&root.to_string());
        from = *end;
    }
    rooted.push_str(&text[from..]);
    Some(rooted)
}

/// Where the value of an attribute is in the text, between its quotes. `None` where roxmltree cannot say, by a great many spaces.
fn place_of_value(attribute: Attribute<'_, '_>, text: &str) -> Option<(usize, usize)> {
    let place = attribute.range_value();
    let before = text.get(..place.start)?.chars().next_back()?;
    let value = text.get(place.clone())?;
    let is_quoted = matches!(before, '"' | '\'') && text[place.end..].starts_with(before);
    (is_quoted && !value.contains(before)).then_some((place.start, place.end))
}

/// Whether a filter has its lengths in units of a bounding box.
fn is_in_units_of_box(filter: Node<'_, '_>) -> bool {
    filter.attribute("primitiveUnits").is_some_and(|units| units.trim() == "objectBoundingBox")
}

/// Whether a filter may have its primitives from another.
fn is_linked(filter: Node<'_, '_>) -> bool {
    filter.tag_name().name() == "filter" && filter.attributes().any(|attribute| attribute.name() == "href")
}

/// The id of the filter.
fn name_of(map: Node<'_, '_>) -> String {
    let id = map.parent_element().and_then(|filter| filter.attribute("id"));
    id.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooted(text: &str) -> (Option<String>, usize) {
        let options = usvg::roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = Document::parse_with_options(text, options).expect("it is XML");
        let warnings = Warnings::default();
        let rooted = with_roots(&document, &warnings);
        (rooted, warnings.take().iter().map(|warning| warning.count).sum())
    }

    #[test]
    fn each_scale_has_its_root_once() {
        let text = |a: &str, b: &str, c: &str| {
            format!(
                r#"<!DOCTYPE f [<!ENTITY s "16"><!ENTITY m "<feDisplacementMap scale='{a}'/>">]>
                <f scale="25">&m;&m;<feDisplacementMap scale="{b}" in="é"/><feDisplacementMap scale = '{c}' x=""/></f>"#
            )
        };
        assert_eq!(rooted(&text("9", "&s;", "2.25")), (Some(text("3", "4", "1.5")), 0));
    }

    #[test]
    fn what_has_no_root_is_counted() {
        let of = |scale: &str, units: &str| {
            rooted(&format!(r#"<f primitiveUnits="{units}"><feDisplacementMap scale="{scale}"/></f>"#))
        };
        let (text, n_warnings) = of("-4", "userSpaceOnUse");
        assert!(text.is_some_and(|text| text.contains(r#""-2""#)));
        assert_eq!(n_warnings, 1);
        assert_eq!(of("4", "objectBoundingBox"), (None, 1));
        for none in ["0", "none", ""] {
            assert_eq!(of(none, "objectBoundingBox"), (None, 0), "{none}");
        }
        let linked = |units: &str| {
            let other = format!(r#"<filter href="a" primitiveUnits="{units}"/>"#);
            rooted(&format!(r#"<g><f id="a"><feDisplacementMap scale="4"/></f>{other}</g>"#))
        };
        assert_eq!(linked("objectBoundingBox"), (None, 1));
        assert_eq!(linked("userSpaceOnUse").1, 0);
        let far = format!(r#"<f><feDisplacementMap scale{}= "4"/></f>"#, " ".repeat(300));
        assert_eq!(rooted(&far), (None, 1));
    }

    #[test]
    fn both_ways_to_draw_are_in_reach() {
        assert_eq!([0.0, 0.5, 4.0, -4.0].map(reach), [0.0, 0.25, 8.0, 8.0]);
    }
}
