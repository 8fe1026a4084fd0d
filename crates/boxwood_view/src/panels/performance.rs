//! The panel with counts, limits, and times.

use boxwood_render::{OverlaySource, StageTime};
use egui::{Color32, Grid, Label, RichText, ScrollArea, Sense, Stroke, TextWrapMode, Ui, pos2, vec2};

use super::{Facts, run_on_click, style};
use crate::commands::Command;
use crate::model::Model;
use crate::performance::{Performance, Series, Slowest, slowest, stage_info, stage_title};
use crate::state::{Request, State, antialiasing_text};

/// The panel.
#[derive(Debug, Default)]
pub(crate) struct PerformancePanel;

impl PerformancePanel {
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
        ui.horizontal_wrapped(|ui| {
            ui.heading("Performance");
            let boxes = match state.boxes {
                OverlaySource::Frame => "Source of boxes: frame",
                OverlaySource::Scene => "Source of boxes: scene",
            };
            run_on_click(ui, state, boxes, Command::ToggleBoxSource);
            let vsync = if state.has_vsync { "Vsync: on" } else { "Vsync: off" };
            run_on_click(ui, state, vsync, Command::ToggleVsync);
            let antialiasing = format!("Antialiasing: {}", antialiasing_text(state.antialiasing));
            run_on_click(ui, state, &antialiasing, Command::NextAntialiasing);
            run_on_click(ui, state, "Save a trace", Command::SaveTrace);
            let tip = "Forget the times so far. The next picture starts new series.";
            if ui.button("Clear the times").on_hover_text(tip).clicked() {
                state.request(Request::ClearTimes);
            }
        });
        if let Some(performance) = facts.performance {
            answer(ui, performance, state);
        }
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            ui.horizontal_top(|ui| {
                if let Some(performance) = facts.performance {
                    ui.vertical(|ui| stages(ui, performance));
                    ui.vertical(|ui| waits(ui, facts.model, performance));
                    ui.vertical(|ui| buffers(ui, performance));
                    ui.vertical(|ui| counts(ui, facts.model, performance));
                }
            });
        });
    }
}

/// The numbers of the drawing and the limits of the device.
fn counts(ui: &mut Ui, model: Option<&Model>, performance: &Performance) {
    ui.strong("Adapter");
    ui.label(&performance.adapter.name);
    let Some(model) = model else { return };
    let (scene, limits) = (&model.drawing.elements, performance.adapter.limits);
    ui.strong("Scene");
    Grid::new("counts").num_columns(3).striped(true).show(ui, |ui| {
        for header in ["", "used", "limit"] {
            ui.weak(header);
        }
        ui.end_row();
        let mut row = |name: &str, used: u64, limit: Option<u64>| {
            ui.label(name);
            number(ui, used, limit);
            ui.label(limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string()));
            ui.end_row();
        };
        row("elements of the scene", scene.len() as u64, Some(limits.max_elements));
        row("begins and ends", scene.n_entries() as u64, Some(limits.max_entries));
        row("elements of the document", model.sources().len() as u64, None);
        row("largest depth", model.deepest.into(), None);
        row("bytes of the boxes", model.boxes_bytes(), None);
    });
}

/// The use of Vello's buffers.
fn buffers(ui: &mut Ui, performance: &Performance) {
    ui.strong("Vello's buffers, in items");
    let Some(usage) = performance.last.usage else {
        ui.weak("no picture yet");
        return;
    };
    Grid::new("buffers").num_columns(4).striped(true).show(ui, |ui| {
        for header in ["", "used", "size", "MiB"] {
            ui.weak(header);
        }
        ui.end_row();
        for fill in usage.0 {
            ui.label(fill.buffer.name().trim_start_matches("vello."));
            number(ui, fill.need.into(), Some(fill.size.into()));
            ui.label(fill.size.to_string());
            let bytes = u64::from(fill.size) * fill.buffer.stride();
            ui.label(format!("{:.1}", bytes as f64 / f64::from(1 << 20)));
            ui.end_row();
        }
    });
    let n_parts = performance.last.n_parts;
    if n_parts > 1 {
        ui.label(format!("The picture was drawn in {n_parts} parts. These are the numbers of the last one."));
    }
}

/// A number, which stands out if it exceeds its limit.
fn number(ui: &mut Ui, used: u64, limit: Option<u64>) {
    let Some(limit) = limit else {
        ui.label(used.to_string());
        return;
    };
    let share = 100.0 * used as f64 / limit.max(1) as f64;
    let text = format!("{used} ({share:.1} %)");
    if used > limit {
        ui.colored_label(style::ERROR, format!("{text}, too many"));
    } else {
        ui.label(text);
    }
}

/// Why a picture takes long: the stages of the one that is being drawn, and the slowest stage of
/// the last one, or of one that was cancelled before any was complete.
fn answer(ui: &mut Ui, performance: &Performance, state: &State) {
    let running = if state.busy.is_some() { performance.running.stages() } else { Vec::new() };
    let mut line = |text: String| ui.add(Label::new(RichText::new(text).strong()).wrap());
    if !running.is_empty() {
        // The current one first.
        let stages: Vec<_> = running.iter().rev().map(running_text).collect();
        line(format!("Now: {}", stages.join("; before that: ")));
    }
    if let Some(slowest) = slowest(&performance.last) {
        line(slowest_text("in the last picture", &slowest));
    } else if let Some(slowest) = slowest(&performance.cancelled) {
        line(slowest_text("until the picture was cancelled", &slowest));
    } else if running.is_empty() {
        line("No picture of this drawing is complete yet.".to_owned());
    }
}

/// The slowest stage of a picture.
fn slowest_text(place: &str, Slowest { purpose, advice, seconds, total_seconds }: &Slowest) -> String {
    let share = 100.0 * seconds / total_seconds;
    let [seconds, total] = [*seconds, *total_seconds].map(duration);
    format!("Slowest {place}: {purpose}, {seconds} of {total} ({share:.0} %). {advice}")
}

/// The time of a stage of the picture that is being drawn.
fn running_text(StageTime { stage, n_parts, time }: &StageTime) -> String {
    let purpose = stage_info(stage).map_or(*stage, |info| info.purpose);
    let part = if *n_parts > 1 { format!(" (part {n_parts})") } else { String::new() };
    format!("{purpose}{part}: {}", duration(time.as_secs_f64()))
}

/// The times of the last pictures on the GPU.
fn stages(ui: &mut Ui, performance: &Performance) {
    ui.strong("Drawing, GPU");
    if performance.gpu.is_empty() {
        ui.label(if performance.adapter.has_timestamps {
            "n/a: no picture has been measured yet"
        } else {
            "n/a: the adapter has no timestamps"
        });
    } else {
        table(ui, "gpu", &performance.gpu);
    }
}

/// The times that the window waited for: those of loading, and of the last pictures.
fn waits(ui: &mut Ui, model: Option<&Model>, performance: &Performance) {
    ui.strong("Pictures, from the start to the screen");
    if performance.cpu.is_empty() {
        ui.weak("no picture yet");
    } else {
        table(ui, "cpu", &performance.cpu);
    }
    if let Some(model) = model {
        let times = &model.drawing.times;
        ui.strong("Loading, CPU");
        let text = |time: std::time::Duration| duration(time.as_secs_f64());
        ui.label(format!(
            "parse {}, elements {}, boxes and facts {}",
            text(times.parse),
            text(times.lower),
            text(model.time)
        ));
    }
}

/// A table of series, those with the largest medians first.
fn table(ui: &mut Ui, name: &str, rows: &[(String, Series)]) {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|(_, a), (_, b)| b.median().unwrap_or_default().total_cmp(&a.median().unwrap_or_default()));
    Grid::new(name).num_columns(6).striped(true).show(ui, |ui| {
        for header in ["", "last", "min", "median", "max", ""] {
            ui.weak(header);
        }
        ui.end_row();
        for (stage, series) in rows {
            let label = ui.label(stage_title(stage));
            if let Some(info) = stage_info(stage) {
                label.on_hover_text(info.purpose);
            }
            for value in [series.values().last(), series.min(), series.median(), series.max()] {
                ui.label(value.map_or_else(|| "n/a".to_owned(), duration));
            }
            sparkline(ui, series);
            ui.end_row();
        }
    });
}

/// A time with three digits, in the unit that fits.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        _ if seconds < 1e-3 => (1e6 * seconds, "µs"),
        _ if seconds < 1.0 => (1e3 * seconds, "ms"),
        _ => (seconds, "s"),
    };
    let n_decimals = match value {
        _ if value < 10.0 => 2,
        _ if value < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.n_decimals$} {unit}")
}

/// The values of a series from left to right, from 0 at the bottom to the largest at the top.
fn sparkline(ui: &mut Ui, series: &Series) {
    let (rect, _) = ui.allocate_exact_size(vec2(120.0, 14.0), Sense::hover());
    let Some(max) = series.max().filter(|max| *max > 0.0) else { return };
    let step = rect.width() / (series.len() - 1).max(1) as f32;
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    let point = |(index, value): (usize, f64)| {
        pos2(rect.left() + step * index as f32, rect.bottom() - rect.height() * (value / max) as f32)
    };
    let points: Vec<_> = series.values().enumerate().map(point).collect();
    let stroke = Stroke::new(1.0, Color32::from_rgb(0x56, 0xb4, 0xe9));
    match points[..] {
        [alone] => _ = ui.painter().circle_filled(alone, 1.5, stroke.color),
        _ => _ = ui.painter().add(egui::Shape::line(points, stroke)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use egui::Key;
    use egui_kittest::kittest::Queryable as _;
    use vello::AaConfig;

    use crate::panels::tests::app;
    use crate::performance::tests::{performance, query};
    use crate::state::{Busy, Request};
    use boxwood_render::{OverlaySource, PictureCosts};

    const ONE: &str = r#"<rect width="9" height="9"/>"#;

    #[test]
    fn the_panel_has_counts_limits_and_times() {
        let mut harness = app(ONE);
        let mut costs = performance(true);
        for ms in [4.0, 2.0, 6.0] {
            let cpu = vec![("draw", Duration::from_secs_f64(ms / 1000.0))];
            let gpu = vec![query("fine", ms / 2000.0, Vec::new())];
            costs.add(PictureCosts { cpu, gpu, ..PictureCosts::default() });
        }
        harness.state_mut().performance = Some(costs);
        harness.key_press(Key::S);
        harness.run();
        for label in ["an adapter", "3 (0.3 %)", "2 (0.4 %)", "fine", "draw, GPU", "1.00 ms"] {
            harness.get_by_label(label);
        }
        // The last and the largest time of drawing are 6 ms, and the median is 4 ms.
        assert_eq!(["6.00 ms", "4.00 ms"].map(|time| harness.get_all_by_label(time).count()), [2, 1]);
        harness.state_mut().performance = Some(performance(false));
        harness.run();
        harness.get_by_label("n/a: the adapter has no timestamps");
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        for (seconds, text) in [
            (0.0, "0.00 µs"),
            (0.000_012_34, "12.3 µs"),
            (0.001_234, "1.23 ms"),
            (0.123_4, "123 ms"),
            (7.2, "7.20 s"),
            (72.0, "72.0 s"),
        ] {
            assert_eq!(super::duration(seconds), text);
        }
    }

    #[test]
    fn the_slowest_stage_is_at_the_top_and_the_running_ones_while_there_are_some() {
        let mut harness = app(ONE);
        let mut costs = performance(true);
        let running = costs.running.clone();
        harness.state_mut().state.layout.has_performance = true;
        let gpu = [("vello.coarse", 0.2), ("vello.fine_area", 1.5), ("vello.flatten", 0.3)];
        let gpu = gpu.map(|(stage, seconds)| query(stage, seconds, Vec::new())).to_vec();
        costs.add(PictureCosts {
            cpu: vec![("draw", Duration::from_secs(2))],
            gpu,
            ..PictureCosts::default()
        });
        harness.state_mut().performance = Some(costs);
        harness.run();
        harness
            .get_by_label_contains("Slowest in the last picture: painting pixels, 1.50 s of 2.00 s (75 %).");
        let tops = ["fine_area", "flatten", "coarse"].map(|stage| harness.get_by_label(stage).rect().top());
        assert!(tops.is_sorted(), "{tops:?}");
        running.begin("images");
        running.begin("draw");
        running.begin_part();
        running.begin_part();
        harness.state_mut().state.busy = Some(Busy::Drawing);
        harness.run_steps(2);
        harness.get_by_label_contains("Now: drawing on the GPU (part 2): ");
        harness.get_by_label_contains("; before that: drawing images, filters, and patterns on the CPU: ");
        harness
            .get_by_label_contains("Slowest in the last picture: painting pixels, 1.50 s of 2.00 s (75 %).");
    }

    #[test]
    fn the_slowest_stage_of_a_cancelled_picture_stays_until_one_is_complete() {
        let mut harness = app(ONE);
        let mut costs = performance(true);
        harness.state_mut().state.layout.has_performance = true;
        costs.running.begin("images");
        costs.running.begin("draw");
        std::thread::sleep(Duration::from_millis(20));
        costs.running.end();
        costs.cancel();
        harness.state_mut().performance = Some(costs);
        harness.run();
        harness.get_by_label_contains("Slowest until the picture was cancelled: drawing on the GPU, ");
        let costs = harness.state_mut().performance.as_mut().expect("it is set");
        let cpu = vec![("images", Duration::from_secs(2))];
        costs.add(PictureCosts { cpu, ..PictureCosts::default() });
        harness.run();
        harness.get_by_label_contains("Slowest in the last picture: drawing images, filters, ");
        assert!(harness.query_by_label_contains("cancelled").is_none());
    }

    #[test]
    fn switches_show_their_state() {
        let mut harness = app(ONE);
        harness.state_mut().performance = Some(performance(false));
        harness.key_press(Key::S);
        harness.run();
        harness.get_by_label("Source of boxes: scene").click();
        harness.get_by_label("Vsync: on").click();
        harness.run();
        harness.key_press(Key::M);
        harness.run();
        harness.get_by_label("Antialiasing: 8 samples");
        harness.get_by_label("Vsync: off");
        let state = &mut harness.state_mut().state;
        assert_eq!((state.boxes, state.has_vsync), (OverlaySource::Frame, false));
        assert_eq!(state.frame().antialiasing, AaConfig::Msaa8);
        state.take_requests();
        harness.get_by_label("Save a trace").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::SaveTrace]);
        harness.get_by_label("Clear the times").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::ClearTimes]);
    }
}
