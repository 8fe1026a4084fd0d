//! The drawing itself, with its boxes as the last group of its root.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_query::{BoxKind, BoxRow, Include, Numbers};
use boxwood_render::{OVERLAY_STYLES, OverlayKinds, OverlayStyle};
use kurbo::Affine;

use super::{FileBoxes, parts_name};

/// The initial values of properties that change an outline and are inherited from the root.
const INITIAL: &str = "visibility:visible;stroke-opacity:1;stroke-dasharray:none;stroke-linecap:butt;\
    stroke-linejoin:miter;marker:none";

/// Properties that a rule of the drawing, such as `rect {opacity: 0}`, can set on any element.
const NO_EFFECTS: &str = "display:inline;opacity:1;filter:none;clip-path:none;mask:none";

/// The id of the group, which replaces an earlier one.
pub(in crate::query) const OVERLAY_ID: &str = "boxwood-overlay";

pub(super) fn print(out: &mut impl Write, file: &FileBoxes<'_>) -> io::Result<()> {
    let mut sets: Vec<Include> = Vec::new();
    for row in &file.answer.rows {
        if !sets.contains(&row.include) {
            sets.push(row.include);
        }
    }
    let transform = match file.answer.drawing.user_from_scene() {
        Affine::IDENTITY => String::new(),
        other => format!(" transform=\"matrix({})\"", other.as_coeffs().map(|v| v.to_string()).join(" ")),
    };
    let start = format!("<g id=\"{OVERLAY_ID}\" xmlns=\"http://www.w3.org/2000/svg\"");
    let mut elements = vec![format!("{start}{transform} style=\"{INITIAL};{NO_EFFECTS}\">")];
    // Later outlines leave the earlier ones visible in the gaps of their dashes.
    for style in OverlayKinds::ALL.styles_in_paint_order() {
        let rows = file.answer.rows.iter().filter(|row| style_of(row, &sets) == style);
        elements.extend(rows.filter_map(|row| outline(row, style)));
    }
    elements.push("</g>\n".to_owned());
    out.write_all(file.answer.drawing.text_with(&elements.join("\n")).as_bytes())
}

/// The style of an ink box by its kind, and of an object box by its set of parts.
fn style_of(row: &BoxRow<'_>, sets: &[Include]) -> &'static OverlayStyle {
    let index = match row.kind {
        Some(BoxKind::Object) => sets.iter().position(|set| *set == row.include).unwrap_or_default(),
        kind => kind.map_or(0, |kind| kind as usize),
    };
    &OVERLAY_STYLES[index % OVERLAY_STYLES.len()]
}

/// The outline of a box, `None` if it has none. A box without width or height is a line, because
/// such a `<rect>` would not be drawn.
fn outline(row: &BoxRow<'_>, style: &OverlayStyle) -> Option<String> {
    let kind = row.kind.filter(|_| !matches!(row.bounds, Aabb::EMPTY | Aabb::PLANE))?;
    let Numbers { x, y, width, height, x1, y1, .. } = Numbers::from(row.bounds);
    let (tag, geometry) = if width > 0.0 && height > 0.0 {
        ("rect", format!(r#"x="{x}" y="{y}" width="{width}" height="{height}""#))
    } else {
        ("path", format!(r#"d="M{x} {y}L{x1} {y1}""#))
    };
    let cap = if tag == "path" { ";stroke-linecap:square" } else { "" };
    let (title, kind_name) = (escaped(&row.name), kind.word());
    let (data, kind) = match kind {
        BoxKind::Object => {
            let parts = parts_name(row.include);
            (format!(r#"data-kind="{kind_name}" data-include="{parts}""#), parts)
        }
        _ => (format!(r#"data-kind="{kind_name}""#), kind_name.to_owned()),
    };
    let color = style.css_color();
    let dash = style.dash.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let dash = if dash.is_empty() { dash } else { format!(";stroke-dasharray:{dash}") };
    // Style sheets of the drawing may match any <rect>, but the attribute `style` has precedence.
    let style = format!(
        "fill:none;stroke:{color};stroke-width:1{dash}{cap};\
         vector-effect:non-scaling-stroke;transform:none;{NO_EFFECTS}"
    );
    Some(format!(
        r#"  <{tag} {geometry} data-name="{title}" {data} style="{style}"><title>{title}: {kind}</title></{tag}>"#
    ))
}

/// A text for an attribute or an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_ink_box_has_the_style_of_its_name() {
        assert_eq!(BoxKind::INK.map(BoxKind::word), OVERLAY_STYLES.map(|style| style.name));
    }
}
