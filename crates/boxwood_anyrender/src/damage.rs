//! The part of a picture that differs from the frame before.

use boxwood_cpu::{Aabb, Damage, ElementKind, Partners, Rectangle, TileGrid};

use crate::frame::Frame;
use crate::recording::{Command, Recording};

/// The memory of a comparison of frames.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// A number for each command, by which it is found in another frame. Empty before the first
    /// comparison.
    ids: Vec<u32>,
    /// The numbers of the commands of the previous frame, if it has none of its own.
    previous_ids: Vec<u32>,
    open: Vec<u32>,
    partners: Partners,
    /// For each command, whether it differs from its partner.
    is_changed: Vec<bool>,
    /// For each command of the previous frame, whether it is a partner.
    is_partner: Vec<bool>,
    /// The boxes of the commands that differ, in the previous frame and in this one.
    boxes: Vec<Aabb>,
    damage: Damage,
    rectangles: Vec<Rectangle>,
}

/// Numbers the commands by their kinds, their boxes, and the layers around them. Commands with the
/// same number are compared before they count as the same.
fn find_ids(recording: &Recording, ids: &mut Vec<u32>, open: &mut Vec<u32>) {
    ids.clear();
    open.clear();
    let mut around = 0;
    for (command, own) in recording.scene.boxes().iter().enumerate() {
        let kind: u32 = match recording.commands[command] {
            Command::Layer(_) => 1,
            Command::Clip(_) => 2,
            Command::Pop => 3,
            Command::Fill(_) => 4,
            Command::Stroke(_) => 5,
            Command::Glyphs(_) => 6,
            Command::Shadow(_) => 7,
            Command::Unseen => 8,
        };
        let words =
            [[around, kind], [own.x0.to_bits(), own.y0.to_bits()], [own.x1.to_bits(), own.y1.to_bits()]];
        let products = words.iter().zip(HASH_FACTORS);
        let products =
            products.map(|([a, b], factor)| (u64::from(*a) << 32 | u64::from(*b)).wrapping_mul(factor));
        // The low bits of a product do not depend on the high bits of its factors.
        let id = products.fold(0, |hash, product| hash ^ product ^ product >> 32);
        #[expect(clippy::cast_possible_truncation, reason = "a number with fewer bits is as good")]
        let id = id as u32;
        ids.push(id);
        match recording.scene.kind(command) {
            ElementKind::Begin => {
                open.push(around);
                around = id;
            }
            ElementKind::End => around = open.pop().unwrap_or(0),
            _ => {}
        }
    }
}

/// Odd numbers with bits at all places: parts of the golden ratio, of the root of 3, and of that of
/// 5.
const HASH_FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];

impl Frame {
    /// Disjoint rectangles in pixels. Outside of them, the picture is the same as that of a
    /// previous frame. There are at most `max` rectangles, where a `max` of 0 counts as 1. If
    /// nothing changed, there are none.
    ///
    /// Commands are compared with each other, with all their parameters. Images, fonts, and
    /// resources with the same identity count as the same.
    pub fn damage_since(&mut self, previous: &Self, max: usize) -> &[Rectangle] {
        let mut changes = std::mem::take(&mut self.changes);
        changes.rectangles.clear();
        if self.size == previous.size {
            let mut partners = std::mem::take(&mut changes.partners);
            let [old_ids, new_ids] = changes.ids_of([previous, self]);
            let found = partners.of(old_ids, new_ids);
            changes.compare([previous, self], found);
            changes.add_filtered([previous, self], found);
            changes.partners = partners;
            let [width, height] = self.size;
            let Changes { damage, boxes, rectangles, .. } = &mut changes;
            // Without boxes there is nothing to look for in the tiles.
            if !boxes.is_empty() {
                rectangles.extend_from_slice(damage.around(boxes, TileGrid::new(width, height), max));
            }
        } else {
            let [x1, y1] = self.size;
            changes.rectangles.push(Rectangle { x0: 0, y0: 0, x1, y1 });
        }
        self.changes = changes;
        &self.changes.rectangles
    }
}

impl Changes {
    /// Prepares for another frame.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
    }

    /// The numbers of the commands of both frames.
    fn ids_of<'a>(&'a mut self, [old, new]: [&'a Frame; 2]) -> [&'a [u32]; 2] {
        let Self { ids, previous_ids, open, .. } = self;
        find_ids(&new.recording, ids, open);
        if old.changes.ids.len() == old.len() {
            return [&old.changes.ids, ids];
        }
        find_ids(&old.recording, previous_ids, open);
        [previous_ids, ids]
    }

    /// Compares the commands of the new frame with their partners in the old one.
    fn compare(&mut self, [old, new]: [&Frame; 2], partners: &[u32]) {
        let Self { is_changed, is_partner, boxes, .. } = self;
        boxes.clear();
        is_changed.clear();
        is_partner.clear();
        is_partner.resize(old.len(), false);
        // The largest partner so far.
        let mut largest = 0;
        for (command, partner) in partners.iter().map(|partner| *partner as usize).enumerate() {
            let has_partner = partner < old.len();
            // Two commands that have changed their order may look different.
            let is_same = has_partner && partner >= largest && {
                let partner_around = new.layer_around(command).map(|around| partners[around] as usize);
                partner_around == old.layer_around(partner)
                    && new.recording.resolve(command) == old.recording.resolve(partner)
                    // Pixels of a layer without a filter change only where its contents do.
                    && (new.boxes[command] == old.boxes[partner]
                        || new.recording.scene.kind(command) == ElementKind::Begin)
            };
            is_changed.push(!is_same);
            if has_partner {
                largest = largest.max(partner);
                is_partner[partner] = true;
            }
            if !is_same {
                boxes.push(new.boxes[command]);
                boxes.extend(old.boxes.get(partner));
            }
        }
        let vanished = is_partner.iter().zip(&old.boxes).filter(|(is_partner, _)| !**is_partner);
        boxes.extend(vanished.map(|(_, own)| *own));
    }

    /// Adds the boxes of layers whose pixels may change where no command in them does.
    fn add_filtered(&mut self, [old, new]: [&Frame; 2], partners: &[u32]) {
        let Self { is_changed, boxes, .. } = self;
        if boxes.is_empty() {
            return;
        }
        for command in 0..new.len() {
            let Some(layer) = new.recording.layer(command) else { continue };
            // The pixels of a layer that reads what is below it may change everywhere.
            if layer.traits.backdrop_reach.is_some() {
                boxes.push(new.boxes[command]);
            }
            // Renderers filter in ways that depend on the extent of the contents, so that a change
            // in a filtered layer may change all of it.
            let is_outermost = layer.composite.filter.is_some() && !new.recording.in_filter[command];
            if !is_outermost || is_changed[command] {
                continue;
            }
            let partner = partners[command] as usize;
            let length = new.partner(command) - command;
            let is_same = length == old.partner(partner) - partner
                && (command..=command + length).all(|inner| {
                    !is_changed[inner] && partners[inner] as usize == partner + (inner - command)
                });
            if !is_same {
                boxes.extend([new.boxes[command], old.boxes[partner]]);
            }
        }
    }
}
