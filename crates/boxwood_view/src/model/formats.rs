//! Texts about a source for other programs.

use boxwood_cpu::Aabb;
use boxwood_render::{OverlayKinds, OverlayStyle, hex};
use boxwood_svg::{GradientStop, PaintStyle, Paints, Style, style};
use kurbo::Rect;
use serde_json::{Value, json};

use super::{Model, rect};

/// A text about a source for another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CopyFormat {
    /// Its name, its place, its paint, and all of its boxes in scene space, with exact numbers.
    Json,
    /// `x y width height` of its clipped box in scene space, to a thousandth of a pixel.
    Numbers,
    /// An SVG `rect` of its clipped box, for the contents of the root, to a thousandth of a pixel.
    /// Its colour is that of clipped boxes in the overlay.
    SvgRect,
    /// A CSS selector that selects it.
    Selector,
}

impl CopyFormat {
    /// The name of the format in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "the JSON",
            Self::Numbers => "x, y, width, and height",
            Self::SvgRect => "an SVG rect",
            Self::Selector => "a CSS selector",
        }
    }

    /// The text about a source. `None` if it needs a box, but the clipped box is empty.
    pub(crate) fn text(self, model: &Model, source: u32) -> Option<String> {
        let clipped = model.facts(source).clipped_box;
        match self {
            Self::Json => Some(format!("{:#}", as_json(model, source))),
            Self::Numbers => rect(clipped).map(|rect| rounded_rect(rect, 1.0).join(" ")),
            Self::SvgRect => rect(clipped).map(|rect| as_svg(model, rect)),
            Self::Selector => Some(as_selector(model, source)),
        }
    }
}

/// x, y, width, and height, with the digits of `f32`.
fn numbers(own: Aabb) -> [f32; 4] {
    [own.x0, own.y0, own.width(), own.height()]
}

/// A number through the text of `f32`, because its value in `f64` has more digits.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn as_json(model: &Model, index: u32) -> Value {
    let (source, facts) = (model.source(index), model.facts(index));
    let as_box = |own: Aabb| {
        if own == Aabb::PLANE {
            return json!("plane");
        }
        rect(own).map_or(Value::Null, |_| {
            let [x, y, width, height] = numbers(own).map(number);
            json!({ "x": x, "y": y, "width": width, "height": height })
        })
    };
    json!({
        "name": source.name, "has_id": source.has_id, "element": source.tag, "path": source.path,
        "line": source.line, "column": source.column, "class": source.class,
        "paint": paint_as_json(&style(&model.drawing, index)),
        "space": "scene", "unit": "px",
        "boxes": {
            "own": as_box(facts.own_box),
            "clipped": as_box(facts.clipped_box),
            "clip": facts.clip_box.map_or(Value::Null, as_box),
            "group": facts.group_box.map_or(Value::Null, as_box),
        },
    })
}

fn paint_as_json(style: &Style) -> Value {
    let stop = |GradientStop { offset, color: own, opacity }: &GradientStop| json!({ "offset": number(*offset), "color": hex(*own), "opacity": number(*opacity) });
    let stops = |stops: &[GradientStop]| stops.iter().map(stop).collect::<Vec<_>>();
    let paint = |paint: &PaintStyle| match paint {
        PaintStyle::Color(own) => json!({ "kind": "color", "color": hex(*own) }),
        PaintStyle::LinearGradient { id, stops: own } => {
            json!({ "kind": "linear gradient", "id": id, "stops": stops(own) })
        }
        PaintStyle::RadialGradient { id, stops: own } => {
            json!({ "kind": "radial gradient", "id": id, "stops": stops(own) })
        }
        PaintStyle::Pattern { id } => json!({ "kind": "pattern", "id": id }),
    };
    let paints = |Paints { fill, stroke, font }: &Paints| {
        json!({
            "fill": fill.as_ref().map(|fill| json!({
                "paint": paint(&fill.paint), "opacity": number(fill.opacity), "rule": fill.rule,
            })),
            "stroke": stroke.as_ref().map(|stroke| json!({
                "paint": paint(&stroke.paint), "opacity": number(stroke.opacity), "width": number(stroke.width),
                "dashes": stroke.dashes.iter().copied().map(number).collect::<Vec<_>>(),
                "dash_offset": number(stroke.dash_offset), "cap": stroke.cap, "join": stroke.join,
                "miter_limit": number(stroke.miter_limit),
            })),
            "font": font.as_ref().map(|font| json!({
                "families": font.families, "used_families": font.used_families, "size": number(font.size), "weight": font.weight, "style": font.style,
            })),
        })
    };
    json!({
        "opacity": number(style.opacity), "blend_mode": style.blend_mode, "isolated": style.is_isolated,
        "shapes": style.paints.iter().map(paints).collect::<Vec<_>>(),
    })
}

fn as_svg(model: &Model, scene_box: Rect) -> String {
    let user_from_scene = model.drawing.user_from_scene();
    let user_box = user_from_scene.transform_rect_bbox(scene_box);
    // Every pixel is as wide and as high as this, or more.
    let [a, b, c, d, ..] = user_from_scene.as_coeffs();
    let pixel = a.hypot(b).min(c.hypot(d));
    let [x, y, width, height] = rounded_rect(user_box, pixel);
    let style = OverlayKinds::CLIPPED.styles().next().expect("one kind has one style");
    let color = OverlayStyle::css_color(style);
    format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{color}"/>"#)
}

/// A number rounded to a thousandth of a pixel, without zeros at its end. `pixel` is the size of a
/// pixel in the unit of the number.
fn rounded(value: f64, pixel: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let n_decimals = (3.0 - pixel.log10()).ceil().clamp(0.0, 12.0) as usize;
    decimal(value, n_decimals)
}

/// x, y, width, and height, rounded to a thousandth of a pixel. A smaller width or height keeps one
/// digit, because a box without it would be another one.
fn rounded_rect(rect: Rect, pixel: f64) -> [String; 4] {
    let length = |value: f64| {
        let text = rounded(value, pixel);
        if text != "0" || value == 0.0 {
            return text;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 324")]
        let n_decimals = (-value.abs().log10()).ceil().max(0.0) as usize;
        decimal(value, n_decimals)
    };
    [rounded(rect.x0, pixel), rounded(rect.y0, pixel), length(rect.width()), length(rect.height())]
}

/// A number with at most this many decimals, without zeros at its end.
pub(crate) fn decimal(value: f64, n_decimals: usize) -> String {
    let text = format!("{value:.n_decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// An id, or the chain of children that the path describes. What a `use` draws has the selector of
/// the `use`.
fn as_selector(model: &Model, index: u32) -> String {
    let source = model.source(index);
    if source.has_id {
        let is_plain = source.name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            && source.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let quoted = source.name.replace('\\', r"\\").replace('"', r#"\""#);
        return if is_plain { format!("#{}", source.name) } else { format!(r#"[id="{quoted}"]"#) };
    }
    let path = source.path.split(" → ").next().unwrap_or_default();
    let step = |step: &str| match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
        Some((tag, position)) => format!("{tag}:nth-of-type({position})"),
        None => step.to_owned(),
    };
    path.split('/').filter(|part| !part.is_empty()).map(step).collect::<Vec<_>>().join(" > ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    #[test]
    fn a_source_is_copied_in_each_format() {
        let model = model(
            r##"<clipPath id="k"><rect width="30" height="30"/></clipPath>
            <g><rect id="r" class="a b" x="10.1" y="5" width="40" height="15" clip-path="url(#k)"/></g>
            <rect id="off" x="10" y="500" width="1" height="1"/><rect id="2 &quot;" width="1" height="1"/>"##,
        );
        let copy = |name, format: CopyFormat| format.text(&model, index(&model, name));
        assert_eq!(copy("r", CopyFormat::Numbers).as_deref(), Some("10.1 5 19.9 15"));
        assert_eq!(
            copy("r", CopyFormat::SvgRect).as_deref(),
            Some(r##"<rect x="10.1" y="5" width="19.9" height="15" fill="none" stroke="#0072b2"/>"##)
        );
        assert_eq!(copy("r", CopyFormat::Selector).as_deref(), Some("#r"));
        assert_eq!(copy("2 \"", CopyFormat::Selector).as_deref(), Some(r#"[id="2 \""]"#));
        assert_eq!(copy("/svg/g[1]", CopyFormat::Selector).as_deref(), Some("svg > g:nth-of-type(1)"));
        assert_eq!(copy("off", CopyFormat::Numbers), None);
        let json = copy("r", CopyFormat::Json).expect("every source has one");
        let json: Value = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(json["boxes"]["own"], json!({ "x": 10.1, "y": 5.0, "width": 40.0, "height": 15.0 }));
        assert_eq!(json["boxes"]["clipped"]["width"], json!(19.9));
        let fill =
            json!({ "paint": { "kind": "color", "color": "#000000" }, "opacity": 1.0, "rule": "nonzero" });
        assert_eq!(json["paint"]["shapes"], json!([{ "fill": fill, "stroke": null, "font": null }]));
        assert_eq!((&json["class"], &json["line"]), (&json!("a b"), &json!(2)));
    }

    #[test]
    fn numbers_for_people_are_rounded_and_those_in_json_are_exact() {
        let model = model(r##"<rect id="r" x="12.000001" y="5.12345" width="40.00002" height="15.5"/>"##);
        let copy = |format: CopyFormat| format.text(&model, index(&model, "r")).expect("it has a box");
        assert_eq!(copy(CopyFormat::Numbers), "12 5.123 40 15.5");
        assert!(copy(CopyFormat::SvgRect).starts_with(r#"<rect x="12" y="5.123" width="40" height="15.5" "#));
        let json: Value = serde_json::from_str(&copy(CopyFormat::Json)).expect("it is JSON");
        assert_eq!(json["boxes"]["own"]["x"], json!(12.000_001));
        for (value, pixel, text) in [
            (0.000_4, 1.0, "0"),
            (-0.000_4, 1.0, "0"),
            (100.0, 1.0, "100"),
            (0.123_456_7, 0.001, "0.123457"),
            (123_456.7, 1000.0, "123457"),
            (1230.0, 1000.0, "1230"),
        ] {
            assert_eq!(rounded(value, pixel), text);
        }
        let narrow = rounded_rect(Rect::new(-0.000_1, 2.0, 0.000_3, 2.0), 1.0);
        assert_eq!(narrow, ["0", "2", "0.0004", "0"], "a width is 0 only if it is exactly 0");
    }

    #[test]
    fn a_rect_is_in_the_user_space_of_the_root() {
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="10 0 50 50">
            <rect id="r" x="20" y="10" width="20" height="5"/></svg>"#;
        let drawing = boxwood_svg::load(svg, &boxwood_svg::Options::default()).expect("it is correct");
        let model = Model::new(drawing);
        let text = CopyFormat::SvgRect.text(&model, index(&model, "r")).expect("it has a box");
        assert!(text.contains(r#"x="20" y="10" width="20" height="5""#), "{text}");
    }
}
