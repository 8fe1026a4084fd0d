//! The paint of a source: fills, strokes, fonts, and the compositing of a group.

use boxwood_render::hex;
use boxwood_svg::{FillStyle, FontStyle, GradientStop, PaintStyle, Paints, StrokeStyle, Style};
use egui::{Color32, Mesh, Rect, Sense, Shape, Stroke, StrokeKind, Ui, lerp, vec2};

use crate::panels::canvas::length;

/// Shows how a source is painted. A group that only has contents has no paint.
pub(super) fn show(ui: &mut Ui, style: &Style) {
    let compositing = compositing(style);
    if compositing.is_empty() && style.paints.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.strong("Paint");
    for (index, Paints { fill, stroke, font }) in style.paints.iter().enumerate() {
        if index > 0 {
            ui.add_space(6.0);
        }
        row(ui, "fill", |ui| match fill {
            Some(fill) => filled(ui, fill),
            None => _ = ui.weak("none"),
        });
        row(ui, "stroke", |ui| match stroke {
            Some(stroke) => stroked(ui, stroke),
            None => _ = ui.weak("none"),
        });
        if let Some(font) = font {
            row(ui, "font", |ui| _ = ui.label(font_text(font)));
        }
    }
    if !compositing.is_empty() {
        row(ui, "group", |ui| _ = ui.label(compositing));
    }
    ui.add_space(6.0);
}

/// A row of text, which continues in the next line if the panel is too narrow.
fn row(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal_wrapped(|ui| {
        ui.label(title);
        contents(ui);
    });
}

fn filled(ui: &mut Ui, FillStyle { paint, opacity, rule }: &FillStyle) {
    swatch(ui, paint, *opacity);
    let rule = if *rule == "evenodd" { ", even-odd" } else { "" };
    ui.label(format!("{}{}{rule}", paint_text(paint), opacity_text(*opacity)));
}

fn stroked(ui: &mut Ui, stroke: &StrokeStyle) {
    let StrokeStyle { paint, opacity, width, dashes, dash_offset, cap, join, miter_limit } = stroke;
    swatch(ui, paint, *opacity);
    let number = |value: &f32| length((*value).into());
    let dashes = if dashes.is_empty() {
        String::new()
    } else {
        let lengths = dashes.iter().map(number).collect::<Vec<_>>().join(" ");
        let offset =
            if *dash_offset == 0.0 { String::new() } else { format!(" from {}", number(dash_offset)) };
        format!(", dashes {lengths}{offset}")
    };
    let limit =
        if join.starts_with("miter") { format!(" up to {}", number(miter_limit)) } else { String::new() };
    ui.label(format!(
        "{}{}, {} px wide{dashes}, {cap} caps, {join} joins{limit}",
        paint_text(paint),
        opacity_text(*opacity),
        number(width)
    ));
}

/// The paint as text, such as `#ff8800` or `linear gradient #id`.
fn paint_text(paint: &PaintStyle) -> String {
    let (kind, id) = match paint {
        PaintStyle::Color(color) => return hex(*color),
        PaintStyle::LinearGradient { id, .. } => ("linear gradient", id),
        PaintStyle::RadialGradient { id, .. } => ("radial gradient", id),
        PaintStyle::Pattern { id } => ("pattern", id),
    };
    if id.is_empty() { kind.to_owned() } else { format!("{kind} #{id}") }
}

fn opacity_text(opacity: f32) -> String {
    if opacity < 1.0 { format!(", opacity {} %", length((100.0 * opacity).into())) } else { String::new() }
}

/// The font that is used, with the generic family that it stands for, and the families before it
/// that the text asks for in vain.
fn font_text(FontStyle { families, used_families, size, weight, style }: &FontStyle) -> String {
    let style = if *style == "normal" { String::new() } else { format!(", {style}") };
    let name = match used_families.first() {
        None => families.join(", "),
        Some(first) => {
            // Only generic families are written without quotes. Some font serves each of them.
            let is_generic = |family: &str| !family.starts_with('"');
            let serves =
                |family: &String| is_generic(family) || family.trim_matches('"').eq_ignore_ascii_case(first);
            let index = families.iter().position(serves).unwrap_or(families.len());
            let generic = families.get(index).filter(|family| is_generic(family));
            let generic = generic.map_or_else(String::new, |family| format!(" ({family})"));
            let missing = families[..index].join(", ");
            let missing = if missing.is_empty() { missing } else { format!(" instead of {missing}") };
            format!("{}{generic}{missing}", used_families.join(", "))
        }
    };
    format!("{name}, {} px, weight {weight}{style}", length((*size).into()))
}

/// How the source is composited as a group. Empty if it is not.
fn compositing(Style { opacity, blend_mode, is_isolated, .. }: &Style) -> String {
    let opacity = (*opacity < 1.0).then(|| format!("opacity {} %", length((100.0 * opacity).into())));
    let blending = (blend_mode != "normal").then(|| format!("blend mode {blend_mode}"));
    let isolation = is_isolated.then(|| "isolated".to_owned());
    opacity.into_iter().chain(blending).chain(isolation).collect::<Vec<_>>().join(", ")
}

/// A sample of a paint over white and black, so that its opacity is seen. A pattern has none.
fn swatch(ui: &mut Ui, paint: &PaintStyle, opacity: f32) {
    let solid = |color| [0.0, 1.0].map(|offset| GradientStop { offset, color, opacity: 1.0 }).to_vec();
    let stops = match paint {
        PaintStyle::Color(color) => solid(*color),
        PaintStyle::LinearGradient { stops, .. } | PaintStyle::RadialGradient { stops, .. } => stops.clone(),
        PaintStyle::Pattern { .. } => return,
    };
    let (rect, _) = ui.allocate_exact_size(vec2(32.0, 12.0), Sense::hover());
    let (top, bottom) = rect.split_top_bottom_at_fraction(0.5);
    ui.painter().rect_filled(top, 0.0, Color32::WHITE);
    ui.painter().rect_filled(bottom, 0.0, Color32::BLACK);
    ui.painter().add(Shape::mesh(ramp(rect, &stops, opacity)));
    let line = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().rect_stroke(rect, 0.0, line, StrokeKind::Outside);
}

/// The colours of a gradient from the left to the right. The first and the last one extend to the
/// edges.
fn ramp(rect: Rect, stops: &[GradientStop], opacity: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let ends = stops.first().map(|first| (0.0, first)).into_iter();
    let ends = ends.chain(stops.iter().map(|stop| (stop.offset, stop)));
    for (offset, GradientStop { color: [red, green, blue], opacity: own, .. }) in
        ends.chain(stops.last().map(|last| (1.0, last)))
    {
        let color = Color32::from_rgb(*red, *green, *blue).gamma_multiply(own * opacity);
        let x = lerp(rect.x_range(), offset);
        let n_vertices = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        mesh.colored_vertex(egui::pos2(x, rect.top()), color);
        mesh.colored_vertex(egui::pos2(x, rect.bottom()), color);
        if let Some(before) = n_vertices.checked_sub(2) {
            mesh.add_triangle(before, before + 1, n_vertices);
            mesh.add_triangle(before + 1, n_vertices, n_vertices + 1);
        }
    }
    mesh
}
