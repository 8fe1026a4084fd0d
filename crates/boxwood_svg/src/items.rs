//! The items of a drawing: what a renderer draws as a whole.

use boxwood_cpu::{Aabb, ElementKind};

use crate::drawing::Drawing;
use crate::table::Role;

/// The kind of an item. Items of different kinds cannot be drawn at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// The interior of a path or glyph.
    Fill,
    /// The stroke of a path or glyph.
    Stroke,
    /// A raster image.
    Image,
    /// A group that is composited as one, or the result of a filter.
    Group,
}

impl ItemKind {
    /// All kinds, in the order of their values.
    pub const ALL: [Self; 4] = [Self::Fill, Self::Stroke, Self::Image, Self::Group];

    /// The kind in one word that does not change.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Stroke => "stroke",
            Self::Image => "image",
            Self::Group => "group",
        }
    }
}

/// Something that is drawn as a whole: a leaf, or a group with an opacity, blend mode, mask, or
/// filter, with everything inside of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// Its clipped box, or its group box.
    pub bounds: Aabb,
    /// Its source.
    pub source: u32,
}

/// The items of a drawing in paint order, without those that have no box.
pub fn items(drawing: &Drawing) -> Vec<Item> {
    let (scene, boxes) = (&drawing.elements, drawing.boxes());
    let (mut items, mut n_open, mut group) = (Vec::new(), 0_usize, None);
    for (index, info) in drawing.table.iter().enumerate() {
        let is_group = matches!(info.role, Role::Blend | Role::ClipBlend | Role::Mask);
        let (kind, bounds) = match scene.kind(index) {
            ElementKind::Begin => {
                n_open += 1;
                if !is_group || group.is_some() {
                    continue;
                }
                group = Some(n_open);
                (ItemKind::Group, boxes.group_boxes[boxes.ranks[index] as usize])
            }
            ElementKind::End => {
                group = group.filter(|group| *group != n_open);
                n_open = n_open.saturating_sub(1);
                continue;
            }
            ElementKind::Leaf if group.is_none() => {
                let kind = match info.role {
                    Role::Stroke => ItemKind::Stroke,
                    Role::Image => ItemKind::Image,
                    Role::Filter => ItemKind::Group,
                    _ => ItemKind::Fill,
                };
                (kind, boxes.clipped_boxes[index])
            }
            ElementKind::Leaf | ElementKind::Nop => continue,
        };
        if !bounds.is_empty() {
            items.push(Item { kind, bounds, source: info.source });
        }
    }
    items
}
