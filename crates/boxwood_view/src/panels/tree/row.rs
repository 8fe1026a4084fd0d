//! A row of the tree.

use boxwood_svg::SourceKind;
use egui::{Color32, FontId, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::model::{Model, Visibility};
use crate::state::State;

/// The indentation of each level.
const INDENT: f32 = 11.0;

/// Rows at greater depths are not indented further, so that their names stay in view.
const MAX_INDENTS: u32 = 16;

/// The width of the triangle, of the icon, and of the eye.
const ICON: f32 = 16.0;

/// What the tree knows about a row.
pub(super) struct Look {
    pub(super) is_expanded: bool,
    /// Whether the source itself passes the filter.
    pub(super) is_match: bool,
}

/// What the user did with a row.
pub(super) enum Action {
    Toggle(u32),
    Select(u32),
    /// Hide the source in the overlay, or show it again.
    Hide(u32),
}

/// The height of every row.
pub(super) fn height(ui: &Ui) -> f32 {
    ui.text_style_height(&egui::TextStyle::Body) + 4.0
}

/// Shows a row, and points at its source if the pointer is over it.
pub(super) fn show(ui: &mut Ui, model: &Model, index: u32, look: &Look, state: &mut State) -> Option<Action> {
    let (source, facts) = (model.source(index), model.facts(index));
    let size = vec2(ui.available_width(), height(ui));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let is_selected = state.selected == Some(index);
    let text = if source.has_id { format!("{} #{}", source.tag, source.name) } else { source.tag.clone() };
    let badge = badge(&facts.visibility, facts.is_filtered);
    let label = format!("{text} {badge}");
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, label.trim_end()));
    if response.hovered() {
        state.pointed_at = Some(index);
    }
    if is_selected || response.hovered() || response.has_focus() || state.hover.source(model) == Some(index) {
        let visuals = ui.visuals();
        let fill = if is_selected { visuals.selection.bg_fill } else { visuals.widgets.hovered.weak_bg_fill };
        ui.painter().rect_filled(rect, 2.0, fill);
    }
    #[expect(clippy::cast_precision_loss, reason = "it is small")]
    let left = rect.left() + INDENT * facts.depth.min(MAX_INDENTS) as f32;
    let at = |x: f32| Rect::from_min_size(pos2(x, rect.top()), vec2(ICON, rect.height()));
    let mut action = response.clicked().then_some(Action::Select(index));
    let is_hidden = state.readability.hidden.covers(index, model);
    let strong =
        if is_hidden || !look.is_match { ui.visuals().weak_text_color() } else { ui.visuals().text_color() };
    if facts.end > index + 1 {
        let toggle = ui.interact(at(left), response.id.with("toggle"), Sense::click());
        toggle.widget_info(|| {
            let verb = if look.is_expanded { "Collapse" } else { "Expand" };
            WidgetInfo::labeled(Role::Button, true, format!("{verb} {text}"))
        });
        triangle(ui, toggle.rect.center(), look.is_expanded, strong);
        if toggle.clicked() {
            action = Some(Action::Toggle(index));
        }
    }
    icon(ui, at(left + ICON).center(), source.kind, strong);
    let eye_rect = at(rect.right() - ICON);
    let badge_right = eye_rect.left() - 4.0;
    let font = FontId::proportional(11.0);
    let badge = ui.painter().layout_no_wrap(badge, font, ui.visuals().weak_text_color());
    let badge_left = badge_right - badge.size().x;
    let clipped = ui.painter_at(Rect::from_x_y_ranges(left..=badge_left - 4.0, rect.y_range()));
    let body = egui::TextStyle::Body.resolve(ui.style());
    let text_at = pos2(left + 2.0 * ICON + 2.0, rect.center().y);
    clipped.text(text_at, egui::Align2::LEFT_CENTER, &text, body, strong);
    ui.painter().galley(pos2(badge_left, rect.center().y - badge.size().y / 2.0), badge, strong);
    if eye(ui, &response, eye_rect, &text, state.readability.hidden.contains(index), is_hidden) {
        action = Some(Action::Hide(index));
    }
    response.on_hover_text(&source.path);
    action
}

/// Why a source is not visible as it is, in a word.
fn badge(visibility: &Visibility, is_filtered: bool) -> String {
    let word = match visibility {
        Visibility::Visible if is_filtered => "filtered",
        Visibility::Visible => "",
        Visibility::Unpainted(_) => "empty",
        Visibility::OffCanvas => "off canvas",
        Visibility::ClippedAway => "clipped away",
    };
    word.to_owned()
}

/// The eye of a row. It is painted if the pointer is over the row, or if the source is hidden.
fn eye(ui: &Ui, row: &Response, rect: Rect, text: &str, is_own: bool, is_hidden: bool) -> bool {
    let response = ui.interact(rect, row.id.with("eye"), Sense::click());
    response.widget_info(|| {
        let verb = if is_own { "Show the boxes of" } else { "Hide the boxes of" };
        WidgetInfo::selected(Role::CheckBox, true, !is_own, format!("{verb} {text}"))
    });
    if is_hidden || row.hovered() || response.hovered() || response.has_focus() {
        let color = if response.hovered() { Color32::WHITE } else { ui.visuals().weak_text_color() };
        let (center, stroke) = (rect.center(), Stroke::new(1.2, color));
        let painter = ui.painter();
        painter.add(Shape::ellipse_stroke(center, vec2(6.0, 3.6), stroke));
        painter.circle_filled(center, 1.8, color);
        if is_hidden {
            painter.line_segment([center + vec2(-6.0, 5.0), center + vec2(6.0, -5.0)], stroke);
        }
    }
    response.clicked()
}

fn triangle(ui: &Ui, center: Pos2, is_expanded: bool, color: Color32) {
    let points = if is_expanded {
        [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.5)]
    } else {
        [vec2(-2.5, -4.0), vec2(3.5, 0.0), vec2(-2.5, 4.0)]
    };
    let points = points.map(|offset| center + offset).to_vec();
    ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// The icon of a kind: nested squares, a polygon, a picture, or a letter.
fn icon(ui: &Ui, center: Pos2, kind: SourceKind, color: Color32) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.2, color);
    let square =
        |offset: f32, side: f32| Rect::from_center_size(center + vec2(offset, offset), vec2(side, side));
    let outline = |rect| painter.rect_stroke(rect, 1.0, stroke, egui::StrokeKind::Middle);
    match kind {
        SourceKind::Svg => _ = outline(square(0.0, 10.0)),
        SourceKind::Group => {
            outline(square(-1.5, 7.0));
            outline(square(1.5, 7.0));
        }
        SourceKind::Path => {
            let corners = [vec2(-5.0, 4.0), vec2(-1.0, -5.0), vec2(5.0, 2.0)].map(|offset| center + offset);
            painter.add(Shape::closed_line(corners.to_vec(), stroke));
        }
        SourceKind::Image => {
            outline(square(0.0, 10.0));
            painter.circle_filled(center + vec2(-1.5, -1.5), 1.5, color);
            painter.line_segment([center + vec2(-4.0, 4.0), center + vec2(4.0, -1.0)], stroke);
        }
        SourceKind::Text | SourceKind::TextPart => {
            painter.line_segment([center + vec2(-4.0, -4.5), center + vec2(4.0, -4.5)], stroke);
            painter.line_segment([center + vec2(0.0, -4.5), center + vec2(0.0, 5.0)], stroke);
        }
    }
}
