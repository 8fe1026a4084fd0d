//! The elements and the clips that set the edges of a source's boxes.

use boxwood_svg::{Clip, Role};
use egui::{CollapsingHeader, Ui};

use super::link;
use crate::model::{EDGES, Edge, Edges, Model};
use crate::panels::canvas::length;
use crate::state::State;

/// Shows what sets each edge, unless the source does so alone.
pub(super) fn show(ui: &mut Ui, model: &Model, index: u32, edges: &Edges, state: &mut State) {
    let Edges { own, clipped } = edges;
    let is_informative = |edge: &Edge| edge.source != index || edge.clip.is_some();
    if let Some(clipped) = clipped.as_ref().filter(|clipped| clipped.iter().any(is_informative)) {
        ui.add_space(6.0);
        ui.strong("Edges of the clipped box");
        rows(ui, model, index, clipped, state);
        ui.add_space(6.0);
    }
    let at = |edges: &[Edge; 4]| edges.each_ref().map(|edge| edge.at);
    let is_cut = |own| clipped.as_ref().map(at) != Some(at(own));
    if let Some(own) = own.as_ref().filter(|own| own.iter().any(is_informative) && is_cut(own)) {
        CollapsingHeader::new("Edges before clipping").show(ui, |ui| rows(ui, model, index, own, state));
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
            match clip {
                None => {}
                // The root is the page.
                Some((Clip::Viewport, 0)) => _ = ui.label("cut by the page"),
                Some((clip, of)) => {
                    ui.label(format!("cut by the {clip} of"));
                    link(ui, model, *of, state);
                }
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
