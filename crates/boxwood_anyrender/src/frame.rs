//! A recorded frame and its boxes.

use std::fmt;

use boxwood_cpu::{Aabb, Boxes, Engine, Picker};

use crate::cull::Chosen;
use crate::damage::Changes;
use crate::layers::Order;
use crate::recording::Recording;

/// The commands of a frame, with the box of each in pixels of the picture.
///
/// A command has an index, which counts all commands, pushes and pops of layers included. The
/// methods that compute something keep their memory in the frame.
pub struct Frame {
    pub(crate) recording: Recording,
    pub(crate) size: [u32; 2],
    pub(crate) engine: Engine,
    /// For each command, the box of the pixels that it may change. For a layer, that of everything
    /// in it. Empty for a pop.
    pub(crate) boxes: Vec<Aabb>,
    pub(crate) chosen: Chosen,
    pub(crate) changes: Changes,
    pub(crate) order: Order,
    pub(crate) hits: Picker,
}

impl Frame {
    pub(crate) fn new(recording: Recording, engine: Engine) -> Self {
        Self {
            recording,
            size: [0; 2],
            engine,
            boxes: Vec::new(),
            chosen: Chosen::default(),
            changes: Changes::default(),
            order: Order::default(),
            hits: Picker::new(),
        }
    }

    /// Computes the boxes.
    pub(crate) fn finish(&mut self, size: [u32; 2]) {
        self.size = size;
        let Self { recording, engine, boxes, .. } = self;
        let computed = engine.boxes(&recording.scene).expect("no box is NaN");
        boxes.clear();
        boxes.extend_from_slice(&computed.clipped_boxes);
        for (rank, entry) in computed.entries.iter().enumerate().filter(|(_, entry)| entry.is_begin()) {
            let push = entry.element();
            let paints_when_empty = recording.layer(push).is_some_and(|layer| layer.traits.paints_when_empty);
            boxes[push] =
                if paints_when_empty { computed.clip_boxes[rank] } else { computed.group_boxes[rank] };
        }
        self.changes.clear();
    }

    /// The width and the height of the picture, in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The number of commands.
    pub fn len(&self) -> usize {
        self.recording.commands.len()
    }

    /// Whether there are no commands.
    pub fn is_empty(&self) -> bool {
        self.recording.commands.is_empty()
    }

    /// For each command, a box of the pixels that it may change, in whole pixels.
    ///
    /// The clips around a command cut its box, and the edges of the picture do not. A push has the
    /// box of the whole layer. A pop has an empty box.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// The box of the scene: the union of the boxes of all commands. It is not cut by the picture,
    /// so that a picture of any size will do if only this box is needed.
    pub fn bounds(&self) -> Aabb {
        self.boxes.iter().fold(Aabb::EMPTY, |bounds, own| bounds.union(*own))
    }

    /// The results of the engine.
    pub(crate) fn computed(&self) -> &Boxes {
        self.engine.computed()
    }

    /// The pop of a layer, from its push, or the other way round.
    pub(crate) fn partner(&self, command: usize) -> usize {
        let computed = self.computed();
        let entry = computed.ranks[command] as usize;
        let partner = usize::try_from(computed.links[entry].partner).expect("all layers are closed");
        computed.entries[partner].element()
    }

    /// The push of the innermost layer around a command.
    pub(crate) fn layer_around(&self, command: usize) -> Option<usize> {
        let computed = self.computed();
        computed.parent(command).map(|entry| computed.entries[entry].element())
    }
}

/// The numbers alone: a frame can have many commands.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("size", &self.size).field("n_commands", &self.len()).finish()
    }
}
