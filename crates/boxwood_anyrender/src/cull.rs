//! Drawing only the commands that can change the picture.

use anyrender::PaintScene;
use boxwood_cpu::{Aabb, ElementKind, Occlusion, Rectangle};
use kurbo::Rect;

use crate::frame::Frame;
use crate::reach::Reach;
use crate::recorder::aabb;
use crate::recording::Command;
use crate::report::Report;

/// The commands to leave out, in addition to those outside of the parts that are drawn. The picture
/// stays the same, byte for byte.
///
/// Nothing inside of a layer with a filter is left out, only the layer as a whole, since renderers
/// filter in ways that depend on the extent of the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cull {
    /// Those that later, opaque rectangles in the same layer hide: fills of one colour without
    /// transparency, whose sides are parallel to the axes.
    pub hidden: bool,
    /// Layers without contents, unless they change pixels even so.
    pub empty_layers: bool,
}

impl Cull {
    /// Leaves out as much as possible.
    pub const ALL: Self = Self { hidden: true, empty_layers: true };

    /// Leaves out only what paints outside. The layers around it stay.
    pub const OUTSIDE: Self = Self { hidden: false, empty_layers: false };
}

/// The choice of the commands to draw.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// Whether each command is drawn. A command in a filtered layer that is not drawn may be
    /// chosen.
    is_drawn: Vec<bool>,
    parts: Vec<Aabb>,
    open: Vec<OpenLayer>,
    occlusion: Occlusion,
    candidates: Candidates,
}

/// The commands that others may hide, or that may hide others.
#[derive(Debug, Default)]
struct Candidates {
    commands: Vec<usize>,
    boxes: Vec<Aabb>,
    inner_boxes: Vec<Aabb>,
    /// The place in these lists of the first command that each command can hide.
    scope_starts: Vec<u32>,
    /// The starts of the scopes around the open layers.
    outer_starts: Vec<usize>,
}

/// A layer on the way from its pop to its push.
#[derive(Clone, Copy, Debug)]
struct OpenLayer {
    /// Whether it has contents that are drawn.
    has_contents: bool,
    /// Whether it, or a layer around it, is filtered.
    is_filtered: bool,
}

impl Frame {
    /// Draws the commands, except those that [`Cull`] leaves out.
    pub fn draw_into(&mut self, target: &mut impl PaintScene, cull: Cull) {
        let [x1, y1] = self.size;
        self.draw_parts_into(target, &[Rectangle { x0: 0, y0: 0, x1, y1 }], cull);
    }

    /// Draws the commands that the pixels in some parts of the picture depend on, except those that
    /// [`Cull`] leaves out. The pixels outside of these parts may lack commands.
    ///
    /// To repaint a picture, draw the parts that [`damage_since`](Self::damage_since) returns into
    /// an empty picture, and copy their pixels.
    pub fn draw_parts_into(&mut self, target: &mut impl PaintScene, parts: &[Rectangle], cull: Cull) {
        self.choose(parts, cull);
        // A layer that is not drawn is skipped as a whole, because the contents of a filtered layer
        // may be chosen even if the layer is not.
        let mut command = 0;
        while command < self.len() {
            if self.chosen.is_drawn[command] {
                self.recording.resolve(command).draw(target);
            } else if self.recording.scene.kind(command) == ElementKind::Begin {
                command = self.partner(command);
            }
            command += 1;
        }
    }

    /// The numbers of commands and layers that [`draw_into`](Self::draw_into) leaves out.
    pub fn report(&mut self, cull: Cull) -> Report {
        let [x1, y1] = self.size;
        self.choose(&[Rectangle { x0: 0, y0: 0, x1, y1 }], cull);
        let mut report = Report::default();
        let mut end_of_omitted = 0;
        for command in 0..self.len() {
            let kind = self.recording.scene.kind(command);
            let is_drawn = command >= end_of_omitted && self.chosen.is_drawn[command];
            match kind {
                ElementKind::Begin => {
                    report.n_layers += 1;
                    report.n_omitted_layers += usize::from(!is_drawn);
                    if !is_drawn {
                        end_of_omitted = end_of_omitted.max(self.partner(command) + 1);
                    }
                }
                ElementKind::End => {}
                _ => {
                    report.n_commands += 1;
                    report.n_omitted_commands += usize::from(!is_drawn);
                }
            }
        }
        report
    }

    /// Chooses the commands to draw for some parts of the picture.
    fn choose(&mut self, parts: &[Rectangle], cull: Cull) {
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.parts.clear();
        chosen.parts.extend(parts.iter().filter(|part| !part.is_empty()).map(|part| {
            let [x0, y0, x1, y1] = [part.x0, part.y0, part.x1, part.y1].map(f64::from);
            aabb(Rect::new(x0, y0, x1, y1))
        }));
        chosen.find_inside(self);
        if cull.hidden {
            chosen.remove_hidden(self);
        }
        // Without layers, all decisions are made.
        if self.recording.scene.n_entries() > 0 {
            chosen.choose_layers(self, cull);
        }
        self.chosen = chosen;
    }
}

impl Chosen {
    /// Chooses the commands that pixels in the parts depend on.
    fn find_inside(&mut self, frame: &Frame) {
        let Self { is_drawn, parts, .. } = self;
        is_drawn.clear();
        is_drawn.resize(frame.len(), false);
        // The distance from which the layers above read pixels.
        let mut backdrop_reach = Reach::NONE;
        for (command, own) in frame.boxes.iter().enumerate().rev() {
            if matches!(frame.recording.commands[command], Command::Unseen) || own.is_empty() {
                continue;
            }
            let own = if backdrop_reach == Reach::NONE {
                *own
            } else {
                let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(f64::from);
                aabb(backdrop_reach.around(Rect::new(x0, y0, x1, y1)))
            };
            is_drawn[command] = parts.iter().any(|part| part.overlaps(own));
            let layer = frame.recording.layer(command).filter(|_| is_drawn[command]);
            if let Some(reach) = layer.and_then(|layer| layer.traits.backdrop_reach) {
                backdrop_reach = backdrop_reach.and(reach);
            }
        }
    }

    /// Removes chosen commands that later ones hide.
    fn remove_hidden(&mut self, frame: &Frame) {
        let Self { is_drawn, parts, candidates, occlusion, .. } = self;
        // Only what is in the parts must be hidden, unless a layer reads pixels around them.
        let bounds = if frame.recording.has_backdrop {
            Aabb::PLANE
        } else {
            parts.iter().fold(Aabb::EMPTY, |bounds, part| bounds.union(*part))
        };
        candidates.find(frame, is_drawn, bounds);
        let Candidates { commands, boxes, inner_boxes, scope_starts, .. } = candidates;
        let visible = occlusion.by_boxes(boxes, inner_boxes, Some(scope_starts));
        for (place, command) in commands.iter().enumerate() {
            is_drawn[*command] = visible[place / 32] >> (place % 32) & 1 == 1;
        }
    }

    /// Chooses the layers to draw, and all contents of filtered ones.
    fn choose_layers(&mut self, frame: &Frame, cull: Cull) {
        let Self { is_drawn, open, .. } = self;
        open.clear();
        for command in (0..frame.len()).rev() {
            let is_filtered = open.last().is_some_and(|layer| layer.is_filtered);
            let kind = frame.recording.scene.kind(command);
            match kind {
                ElementKind::End => {
                    let layer = frame.recording.layer(frame.partner(command));
                    let has_filter = layer.is_some_and(|layer| layer.composite.filter.is_some());
                    open.push(OpenLayer { has_contents: false, is_filtered: is_filtered || has_filter });
                }
                ElementKind::Begin => {
                    let OpenLayer { has_contents, is_filtered } =
                        open.pop().expect("the pop of the layer is after it");
                    let is_inner = open.last().is_some_and(|layer| layer.is_filtered);
                    let layer = frame.recording.layer(command);
                    let paints_when_empty = layer.is_some_and(|layer| layer.traits.paints_when_empty);
                    let may_be_empty = paints_when_empty || !cull.empty_layers;
                    // What is in a filtered layer stays, since the filter depends on its extent.
                    is_drawn[command] = if is_inner {
                        true
                    } else if is_filtered || (paints_when_empty && !has_contents) {
                        (has_contents || may_be_empty) && is_drawn[command]
                    } else {
                        has_contents || may_be_empty
                    };
                    is_drawn[frame.partner(command)] = is_drawn[command];
                }
                _ => is_drawn[command] |= is_filtered,
            }
            if let Some(around) = open.last_mut() {
                // The pop of a layer is not one of its contents.
                around.has_contents |= is_drawn[command] && kind != ElementKind::End;
            }
        }
    }
}

impl Candidates {
    /// Finds the candidates among the chosen commands. Their boxes are cut by `bounds`.
    fn find(&mut self, frame: &Frame, is_chosen: &[bool], bounds: Aabb) {
        let Self { commands, boxes, inner_boxes, scope_starts, outer_starts } = self;
        commands.clear();
        boxes.clear();
        inner_boxes.clear();
        scope_starts.clear();
        outer_starts.clear();
        // Renderers draw layers apart, clips included, and round their opacity. So nothing in a
        // layer surely replaces what is below the layer.
        let mut start = 0;
        // A layer that reads the picture below it reads what later commands hide.
        let mut first = 0;
        for (command, own) in frame.boxes.iter().enumerate() {
            let kind = frame.recording.scene.kind(command);
            let around = start;
            if kind == ElementKind::Begin {
                let layer = frame.recording.layer(command);
                if layer.is_some_and(|layer| layer.traits.backdrop_reach.is_some()) {
                    first = commands.len();
                }
                outer_starts.push(start);
                start = commands.len() + usize::from(is_chosen[command]);
            } else if kind == ElementKind::End {
                start = outer_starts.pop().expect("the push of the layer is before it");
            }
            if is_chosen[command] {
                commands.push(command);
                boxes.push(own.intersect(bounds));
                inner_boxes.push(frame.recording.inner_box(command));
                let scope_start = u32::try_from(around.max(first));
                scope_starts.push(scope_start.expect("there are fewer commands than an i32 can index"));
            }
        }
    }
}
