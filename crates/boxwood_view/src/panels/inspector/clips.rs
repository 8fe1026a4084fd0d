//! The chain of clips around a source: what each cuts, and what hides the source.

use boxwood_cpu::Aabb;
use boxwood_svg::{Hidden, Part, Role, Step};
use egui::{CollapsingHeader, Ui};

use super::link;
use crate::model::{Details, Model, rect};
use crate::state::State;

/// Shows what the effects around each part of a source leave of it.
pub(super) fn show(ui: &mut Ui, model: &Model, details: &Details, state: &mut State) {
    for (index, part) in details.explanation.parts.iter().enumerate() {
        let title = format!("Effects around the {}", name(part));
        CollapsingHeader::new(title).id_salt(index).default_open(index == 0).show(ui, |ui| {
            if part.steps.is_empty() {
                ui.weak("none");
            }
            let mut before = part.own_box;
            for step in &part.steps {
                ui.horizontal_wrapped(|ui| {
                    ui.label(format!("{} of", effect(step)));
                    link(ui, model, step.source, state);
                    if step.clip.is_some() {
                        let cut = percent(area(before) - area(step.left), area(part.own_box));
                        ui.label(format!("cuts {cut} of the box"));
                    }
                });
                before = step.left;
            }
            ui.label(format!("{} of the box is left.", percent(area(part.left), area(part.own_box))));
            if let Some(hidden) = part.hidden {
                verdict(ui, model, hidden, state);
            }
        });
    }
}

/// The name of a part, such as `stroke`.
fn name(part: &Part) -> &'static str {
    match part.role {
        _ if part.is_marker => "markers",
        Some(Role::Fill) => "fill",
        Some(Role::Stroke) => "stroke",
        Some(Role::Filter) => "filter",
        Some(Role::Image) => "image",
        _ => "contents",
    }
}

fn effect(step: &Step) -> String {
    let clip = step.clip.as_ref().map(ToString::to_string);
    let opacity = (step.opacity < 1.0).then(|| format!("opacity {}", step.opacity));
    let blending = step.blends.then(|| "blend mode".to_owned());
    clip.into_iter().chain(opacity).chain(blending).collect::<Vec<_>>().join(", ")
}

/// Why nothing of a part is visible.
fn verdict(ui: &mut Ui, model: &Model, hidden: Hidden, state: &mut State) {
    let (reason, by) = match hidden {
        Hidden::Empty => ("its filter paints nothing", None),
        Hidden::OffCanvas => ("it is off the canvas", None),
        Hidden::ClippedAway { by: None } => ("it is outside of the clips around it", None),
        Hidden::ClippedAway { by } => ("it is outside of the clip of", by),
        Hidden::Covered { by } => ("it is below the opaque", Some(by)),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("Nothing is visible: {reason}"));
        if let Some(by) = by {
            link(ui, model, by, state);
        }
    });
}

/// The area of a box in scene units. 0 for an empty one.
fn area(own: Aabb) -> f64 {
    rect(own).map_or(0.0, |rect| rect.area())
}

/// A part of a whole as a percentage.
fn percent(part: f64, whole: f64) -> String {
    let percent = if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    format!("{percent:.1} %")
}
