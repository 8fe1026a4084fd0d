//! The bar at the bottom: the legend of the kinds of box, the zoom, the view of the data, and the
//! panels.

use boxwood_render::{OVERLAY_STYLES, OverlaySource, OverlayStyle};
use egui::{
    Button, Color32, Pos2, Rect, Response, Role, Sense, Stroke, TextStyle, Ui, Widget, WidgetInfo, vec2,
};

use super::run_on_click;
use super::style::color;
use crate::commands::Command;
use crate::data_views::DataView;
use crate::state::State;

/// The bar.
#[derive(Debug, Default)]
pub(crate) struct Status;

/// The buttons at the end of the bar. Those without room are in a menu.
const BUTTONS: [(&str, Command); 7] = [
    ("Files", Command::ToggleFiles),
    ("Tree", Command::ToggleTree),
    ("Inspector", Command::ToggleInspector),
    ("Display", Command::ToggleDisplay),
    ("Performance", Command::TogglePerformance),
    ("Commands", Command::ShowPalette),
    ("Keys", Command::ShowHelp),
];

/// The button of the menu.
const MORE: &str = "More";

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
                OverlaySource::Frame => "Boxes: frame",
                OverlaySource::Scene => "Boxes: scene",
            };
            run_on_click(ui, state, source, Command::ToggleBoxSource);
            let zoom = state.zoom_text();
            run_on_click(ui, state, &zoom, Command::ResetView);
            if let Some(view) = state.data_view {
                data_view(ui, view, state);
            }
            ui.separator();
            let n_shown = n_that_fit(ui);
            for (label, command) in &BUTTONS[..n_shown] {
                run_on_click(ui, state, label, *command);
            }
            if n_shown < BUTTONS.len() {
                ui.menu_button(MORE, |ui| {
                    for (label, command) in &BUTTONS[n_shown..] {
                        run_on_click(ui, state, label, *command);
                    }
                });
            }
        });
    }
}

/// The view of the data that is shown, which a click turns off.
fn data_view(ui: &mut Ui, view: DataView, state: &mut State) {
    let command = Command::ShowData(view);
    let keys = |command: Command| command.info().keys_text();
    let tip = format!(
        "This view of the data is over the drawing. A click turns it off ({}). The display panel has its legend \
         ({}).",
        keys(command),
        keys(Command::ToggleDisplay)
    );
    let button = ui.add(Button::new(format!("{} ×", view.title())).selected(true));
    if button.on_hover_text(tip).clicked() {
        state.run(command);
    }
}

/// How many of the buttons have room in the rest of the row, with the menu for the others.
fn n_that_fit(ui: &Ui) -> usize {
    let font = TextStyle::Button.resolve(ui.style());
    let spacing = ui.spacing();
    let width = |label: &str| {
        let text = ui.painter().layout_no_wrap(label.to_owned(), font.clone(), Color32::WHITE);
        text.size().x + 2.0 * spacing.button_padding.x + spacing.item_spacing.x
    };
    let widths = BUTTONS.map(|(label, _)| width(label));
    let room = ui.available_size_before_wrap().x + spacing.item_spacing.x;
    if widths.iter().sum::<f32>() <= room {
        return BUTTONS.len();
    }
    let mut left = room - width(MORE);
    let fits = |width: &&f32| {
        left -= **width;
        left >= 0.0
    };
    widths.iter().take_while(fits).count()
}

/// A kind of box in the legend, which shows or hides it. A kind that is hidden is crossed out.
struct Kind<'s> {
    style: &'s OverlayStyle,
    is_on: bool,
}

impl Widget for Kind<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let Self { style, is_on } = self;
        let text = format!("{}  {}", style.key, style.name);
        let text_color = if is_on { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
        let font = TextStyle::Body.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(text.clone(), font, text_color);
        let sample = 24.0;
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

#[cfg(test)]
mod tests {
    use egui::{Key, vec2};
    use egui_kittest::kittest::Queryable as _;

    use super::BUTTONS;
    use crate::data_views::DataView;
    use crate::panels::tests::{NESTED, app, on_screen};
    use boxwood_render::OverlayKinds;

    #[test]
    fn the_bar_is_one_row_and_the_menu_has_the_buttons_without_room() {
        let mut harness = app("");
        // Their titles are labels too.
        harness.key_press(Key::T);
        harness.key_press(Key::I);
        for width in [1400.0, 1000.0, 800.0, 640.0] {
            harness.set_size(vec2(width, 800.0));
            harness.run();
            let row = harness.get_by_label("leaf boxes").rect();
            assert!(row.bottom() > 760.0, "{width}: {row}");
            let shown: Vec<_> =
                BUTTONS.iter().filter_map(|(label, _)| harness.query_by_label(label)).collect();
            assert!(shown.iter().all(|button| button.rect().right() <= width), "{width}");
            let is_complete = harness.query_by_label("More").is_none();
            assert_eq!(is_complete, width == 1400.0, "{width}");
        }
        harness.get_by_label("More").click();
        harness.run();
        harness.get_by_label("Keys").click();
        harness.run();
        assert!(harness.state().state.sheet.is_some());
    }

    #[test]
    fn a_view_of_the_data_is_in_the_bar_until_it_is_turned_off() {
        let mut harness = app(r#"<rect width="9" height="9"/>"#);
        let at = on_screen(&harness, 5.0, 5.0);
        harness.key_press(Key::Num5);
        harness.key_press(Key::D);
        harness.run();
        assert_eq!(harness.state().state.data_view, Some(DataView::Overdraw));
        assert!(!harness.state().state.layout.has_display);
        harness.get_by_label("Overdraw ×").click();
        harness.run();
        assert_eq!(harness.state().state.data_view, None);
        assert!(harness.query_by_label("Overdraw ×").is_none());
        assert_eq!(on_screen(&harness, 5.0, 5.0), at);
    }

    #[test]
    fn the_legend_shows_and_hides_kinds_and_keeps_those_that_are_hidden() {
        let mut harness = app(NESTED);
        for name in ["leaf boxes", "clipped leaf boxes", "clip boxes", "group boxes"] {
            harness.get_by_label(name);
        }
        harness.get_by_label("clip boxes").click();
        harness.run();
        assert_eq!(harness.state().state.overlay, OverlayKinds::CLIP);
        harness.key_press(Key::Num3);
        harness.run();
        assert_eq!(harness.state().state.overlay, OverlayKinds::NONE);
    }
}
