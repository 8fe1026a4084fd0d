//! The bar at the bottom: the legend of the kinds of box, the zoom, and the panels.

use egui::{Color32, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Widget, WidgetInfo, vec2};

use super::run_on_click;
use super::style::color;
use crate::commands::Command;
use crate::overlay::{OVERLAY_STYLES, OverlaySource, OverlayStyle};
use crate::state::State;

/// The bar.
#[derive(Debug, Default)]
pub(crate) struct Status;

impl Status {
    pub(crate) fn show(&mut self, ui: &mut Ui, state: &mut State) {
        ui.horizontal_wrapped(|ui| {
            for style in &OVERLAY_STYLES {
                let is_on = state.overlay.contains(style.kind);
                if ui.add(Kind { style, is_on }).clicked() {
                    state.run(Command::ToggleKind(style.kind));
                }
            }
            ui.separator();
            let source = match state.boxes {
                OverlaySource::Frame => "boxes of the frame",
                OverlaySource::Scene => "boxes of the scene",
            };
            run_on_click(ui, state, source, Command::ToggleBoxSource);
            let zoom = state.zoom_text();
            run_on_click(ui, state, &zoom, Command::ResetView);
            ui.separator();
            run_on_click(ui, state, "Files", Command::ToggleFiles);
            run_on_click(ui, state, "Tree", Command::ToggleTree);
            run_on_click(ui, state, "Inspector", Command::ToggleInspector);
            run_on_click(ui, state, "Display", Command::ToggleDisplay);
            run_on_click(ui, state, "Performance", Command::TogglePerformance);
            run_on_click(ui, state, "Commands", Command::ShowPalette);
            run_on_click(ui, state, "Keys", Command::ShowHelp);
        });
    }
}

/// A kind of box in the legend, which shows or hides it. A kind that is hidden is crossed out.
struct Kind<'s> {
    style: &'s OverlayStyle,
    is_on: bool,
}

impl Widget for Kind<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let Self { style, is_on } = self;
        let text = format!("{}  {}", style.key, style.title);
        let text_color = if is_on { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
        let font = egui::TextStyle::Body.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(text.clone(), font, text_color);
        let sample = 28.0;
        let size = vec2(sample + 6.0 + galley.size().x + 8.0, ui.spacing().interact_size.y);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let label = format!("{} boxes", style.title.trim_end_matches(" box"));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, &label));
        let painter = ui.painter();
        if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, 3.0, ui.visuals().widgets.hovered.bg_fill);
        }
        let y = (rect.center().y * ui.pixels_per_point()).round() / ui.pixels_per_point();
        let left = Pos2::new(rect.left() + 2.0, y);
        line_sample(painter, left, sample, style, is_on);
        let text_at = Pos2::new(left.x + sample + 6.0, rect.center().y - galley.size().y / 2.0);
        let text_rect = Rect::from_min_size(text_at, galley.size());
        painter.galley(text_at, galley, text_color);
        if !is_on {
            painter.hline(text_rect.x_range(), rect.center().y, Stroke::new(1.0, text_color));
        }
        response.on_hover_text(Command::ToggleKind(style.kind).info().help)
    }
}

/// A sample of the line of a kind, in its colour if the kind is shown. Every dash is a rectangle of
/// whole logical pixels, because a line of one pixel would be blurred.
fn line_sample(painter: &egui::Painter, left: Pos2, length: f32, style: &OverlayStyle, is_on: bool) {
    let color = if is_on { color(style.color) } else { Color32::from_gray(0x78) };
    let paint = |start: f32, end: f32| {
        let rect = Rect::from_min_max(left + vec2(start, -1.0), left + vec2(end.min(length), 1.0));
        painter.rect_filled(rect, 0.0, color);
    };
    if style.dash.is_empty() {
        paint(0.0, length);
    }
    let (mut start, mut is_dash) = (0.0, true);
    for &part in style.dash.iter().cycle() {
        if start >= length {
            break;
        }
        let end = start + f32::from(part);
        if is_dash {
            paint(start, end);
        }
        (start, is_dash) = (end, !is_dash);
    }
}
