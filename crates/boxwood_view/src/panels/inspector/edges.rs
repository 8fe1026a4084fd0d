//! The elements and the clips that set the edges of a source's boxes.

use boxwood_svg::Role;
use egui::{CollapsingHeader, Ui};

use super::link;
use crate::model::{EDGES, Edge, Edges, Model};
use crate::panels::canvas::length;
use crate::state::State;

/// Shows what sets each edge, unless the source does so alone.
pub(super) fn show(ui: &mut Ui, model: &Model, index: u32, edges: &Edges, state: &mut State) {
    let Edges { own, clipped } = edges;
    let tells = |edge: &Edge| edge.source != index || edge.clip.is_some();
    if let Some(clipped) = clipped.filter(|clipped| clipped.iter().any(tells)) {
        ui.add_space(6.0);
        ui.strong("Edges of the clipped box");
        rows(ui, model, index, &clipped, state);
        ui.add_space(6.0);
    }
    let at = |edges: &Option<[Edge; 4]>| edges.map(|edges| edges.map(|edge| edge.at));
    if let Some(own) = own.filter(|own| own.iter().any(tells) && at(&Some(*own)) != at(clipped)) {
        CollapsingHeader::new("Edges before clipping").show(ui, |ui| rows(ui, model, index, &own, state));
        ui.add_space(6.0);
    }
}

fn rows(ui: &mut Ui, model: &Model, index: u32, edges: &[Edge; 4], state: &mut State) {
    for (name, Edge { at, source, role, n_others, clip }) in EDGES.iter().zip(edges) {
        ui.horizontal_wrapped(|ui| {
            let (at, part) = (length((*at).into()), part(*role));
            if *source == index {
                ui.label(format!("{name} {at}: its {part}"));
            } else {
                ui.label(format!("{name} {at}: set by the {part} of"));
                link(ui, model, *source, state);
            }
            match n_others {
                0 => {}
                1 => _ = ui.label("and 1 other"),
                n_others => _ = ui.label(format!("and {n_others} others")),
            }
            if let Some(clip) = clip {
                ui.label("cut by the clip of");
                link(ui, model, *clip, state);
            }
        });
    }
}

/// The name of a leaf, such as `stroke`.
fn part(role: Role) -> &'static str {
    match role {
        Role::Stroke => "stroke",
        Role::Filter => "filter",
        Role::Image => "image",
        _ => "fill",
    }
}
