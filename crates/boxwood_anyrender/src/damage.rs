//! The part of a picture that differs from the frame before.

use boxwood_cpu::{Aabb, Damage, ElementKind, Frame as Elements, Partners, Rectangle, TileGrid};

use crate::frame::Frame;
use crate::recording::{Command, Recording};

/// The memory of a comparison of frames.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// A number for each command, by which it is found in another frame.
    ids: Vec<u32>,
    open: Vec<u32>,
    partners: Partners,
    damage: Damage,
    /// The boxes of both frames.
    boxes: [Vec<Aabb>; 2],
    signatures: [Vec<u32>; 2],
    rectangles: Vec<Rectangle>,
}

impl Changes {
    /// Numbers the commands by their kinds, their boxes, and the layers around them. Commands with
    /// the same number are compared before they count as the same.
    pub(crate) fn find_ids(&mut self, recording: &Recording) {
        self.ids.clear();
        self.open.clear();
        for (command, own) in recording.scene.boxes().iter().enumerate() {
            let kind: u32 = match recording.commands[command] {
                Command::Layer(_) => 1,
                Command::Clip { .. } => 2,
                Command::Pop => 3,
                Command::Fill { .. } => 4,
                Command::Stroke { .. } => 5,
                Command::Glyphs(_) => 6,
                Command::Shadow(_) => 7,
            };
            let around = self.open.last().copied().unwrap_or(0);
            let words =
                [around, kind, own.x0.to_bits(), own.y0.to_bits(), own.x1.to_bits(), own.y1.to_bits()];
            let id = words.into_iter().fold(FNV_OFFSET, |hash, word| (hash ^ word).wrapping_mul(FNV_PRIME));
            self.ids.push(id);
            match recording.scene.kind(command) {
                ElementKind::Begin => self.open.push(id),
                ElementKind::End => _ = self.open.pop(),
                _ => {}
            }
        }
    }
}

/// The constants of the hash function FNV-1a with 32 bits.
const FNV_OFFSET: u32 = 0x811c_9dc5;
const FNV_PRIME: u32 = 0x0100_0193;

impl Frame {
    /// Disjoint rectangles in pixels. Outside of them, the picture is the same as that of a
    /// previous frame. There are at most `max` rectangles, where a `max` of 0 counts as 1. If
    /// nothing changed, there are none.
    ///
    /// Commands are compared with each other, with all their parameters. Images, fonts, and
    /// resources with the same identity count as the same.
    pub fn damage_since(&mut self, previous: &Self, max: usize) -> &[Rectangle] {
        let mut changes = std::mem::take(&mut self.changes);
        if self.size == previous.size {
            changes.find([previous, self], max);
        } else {
            let [x1, y1] = self.size;
            changes.rectangles.clear();
            changes.rectangles.push(Rectangle { x0: 0, y0: 0, x1, y1 });
        }
        self.changes = changes;
        &self.changes.rectangles
    }
}

impl Changes {
    /// Finds the rectangles that differ between an old frame and the frame that these changes
    /// belong to.
    fn find(&mut self, [old, new]: [&Frame; 2], max: usize) {
        let Self { ids, partners, damage, boxes, signatures, rectangles, .. } = self;
        let partners = partners.of(&old.changes.ids, ids);
        let [old_boxes, new_boxes] = boxes;
        for (list, frame) in [(&mut *old_boxes, old), (&mut *new_boxes, new)] {
            list.clear();
            list.extend_from_slice(&frame.boxes);
        }
        let [old_signatures, new_signatures] = signatures;
        for (list, frame) in [(&mut *old_signatures, old), (&mut *new_signatures, new)] {
            list.clear();
            list.resize(frame.len(), UNCHANGED);
        }
        let mut is_same_frame = old.len() == new.len();
        for (command, partner) in partners.iter().map(|partner| *partner as usize).enumerate() {
            let is_same = partner < old.len() && {
                let partner_around = new.layer_around(command).map(|around| partners[around] as usize);
                partner_around == old.layer_around(partner)
                    && new.recording.resolve(command) == old.recording.resolve(partner)
            };
            if !is_same {
                new_signatures[command] = CHANGED;
            } else if new.recording.scene.kind(command) == ElementKind::Begin {
                // Pixels of a layer without a filter change only where its contents do.
                (old_boxes[partner], new_boxes[command]) = (Aabb::EMPTY, Aabb::EMPTY);
            }
            is_same_frame &= is_same && partner == command;
        }
        // Renderers filter in ways that depend on the extent of the contents, so that a change in a
        // filtered layer may change all of it.
        for command in 0..new.len() {
            let has_filter =
                new.recording.layer(command).is_some_and(|layer| layer.composite.filter.is_some());
            if !has_filter || new.recording.in_filter[command] || new_signatures[command] == CHANGED {
                continue;
            }
            let partner = partners[command] as usize;
            let length = new.partner(command) - command;
            let is_same = length == old.partner(partner) - partner
                && (0..=length).all(|i| {
                    new_signatures[command + i] == UNCHANGED && partners[command + i] as usize == partner + i
                });
            if !is_same {
                new_signatures[command] = CHANGED;
                (old_boxes[partner], new_boxes[command]) = (old.boxes[partner], new.boxes[command]);
            }
        }
        // The pixels of a layer that reads what is below it may change everywhere.
        let reads_below = |command: &usize| {
            new.recording.layer(*command).is_some_and(|layer| layer.traits.backdrop_reach.is_some())
        };
        if !is_same_frame {
            for command in (0..new.len()).filter(reads_below) {
                new_signatures[command] = CHANGED;
                new_boxes[command] = new.boxes[command];
            }
        }
        let frames = [
            Elements { boxes: old_boxes, signatures: old_signatures },
            Elements { boxes: new_boxes, signatures: new_signatures },
        ];
        let [width, height] = new.size;
        let damaged = damage.between(frames, partners, TileGrid::new(width, height), max);
        rectangles.clear();
        rectangles.extend_from_slice(damaged.rectangles);
    }
}

/// The signatures of a command that is the same as its partner, and of one that is not.
const UNCHANGED: u32 = 0;
const CHANGED: u32 = 1;
