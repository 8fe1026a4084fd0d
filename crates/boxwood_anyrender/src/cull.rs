//! Drawing only the commands that can change the picture.

use anyrender::PaintScene;
use boxwood_cpu::{Aabb, ElementKind, Occlusion, Rectangle};
use kurbo::Rect;

use crate::frame::Frame;
use crate::reach::Reach;
use crate::recorder::aabb;
use crate::report::Report;

/// The commands to leave out. The picture stays the same, byte for byte.
///
/// Nothing inside of a layer with a filter is left out, only the layer as a whole, since renderers
/// filter in ways that depend on the extent of the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cull {
    /// Those whose boxes are outside of the picture or of the parts that are drawn.
    pub outside: bool,
    /// Those that later, opaque rectangles in the same layer hide: fills of one colour without
    /// transparency, whose sides are parallel to the axes.
    pub hidden: bool,
    /// Layers without contents, unless they change pixels even so.
    pub empty_layers: bool,
}

impl Cull {
    /// Leaves out as much as possible.
    pub const ALL: Self = Self { outside: true, hidden: true, empty_layers: true };

    /// Leaves out nothing.
    pub const NONE: Self = Self { outside: false, hidden: false, empty_layers: false };
}

/// The choice of the commands to draw.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// Whether each command is drawn. A command in a filtered layer that is not drawn may be
    /// chosen.
    is_drawn: Vec<bool>,
    open: Vec<OpenLayer>,
    parts: Vec<Aabb>,
    occlusion: Occlusion,
    scope_starts: Vec<u32>,
    /// The first commands in the layers that are open.
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
        if cull.hidden {
            chosen.find_scopes(self);
        }
        let Chosen { is_drawn, open, parts, occlusion, scope_starts, .. } = &mut chosen;
        let inner_boxes = &self.recording.inner_boxes;
        let visible: &[u32] =
            if cull.hidden { occlusion.by_boxes(&self.boxes, inner_boxes, Some(scope_starts)) } else { &[] };
        is_drawn.clear();
        is_drawn.resize(self.len(), true);
        open.clear();
        // The distance from which the layers above read pixels.
        let mut backdrop_reach = Reach::NONE;
        for command in (0..self.len()).rev() {
            let is_filtered = open.last().is_some_and(|layer| layer.is_filtered);
            let is_wanted = |own: &Aabb| {
                let is_visible = visible.get(command / 32).is_none_or(|word| word >> (command % 32) & 1 == 1);
                let is_inside = || {
                    let own = if backdrop_reach == Reach::NONE || own.is_empty() {
                        *own
                    } else {
                        let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(f64::from);
                        aabb(backdrop_reach.around(Rect::new(x0, y0, x1, y1)))
                    };
                    parts.iter().any(|part| part.overlaps(own))
                };
                is_visible && (!cull.outside || is_inside())
            };
            match self.recording.scene.kind(command) {
                ElementKind::End => {
                    let layer = self.recording.layer(self.partner(command));
                    let has_filter = layer.is_some_and(|layer| layer.composite.filter.is_some());
                    let is_filtered = is_filtered || has_filter;
                    open.push(OpenLayer { has_contents: false, is_filtered });
                }
                ElementKind::Begin => {
                    let OpenLayer { has_contents, is_filtered } =
                        open.pop().expect("the pop of the layer is after it");
                    let is_inner = open.last().is_some_and(|layer| layer.is_filtered);
                    let traits = self.recording.layer(command).map(|layer| layer.traits);
                    let paints_when_empty = traits.is_some_and(|traits| traits.paints_when_empty);
                    let may_be_empty = paints_when_empty || !cull.empty_layers;
                    // What is in a filtered layer stays, since the filter depends on its extent.
                    let is_kept = if is_inner {
                        true
                    } else if is_filtered || (paints_when_empty && !has_contents) {
                        (has_contents || may_be_empty) && is_wanted(&self.boxes[command])
                    } else {
                        has_contents || may_be_empty
                    };
                    is_drawn[command] = is_kept;
                    let partner = self.partner(command);
                    is_drawn[partner] = is_kept;
                    if let Some(around) = open.last_mut() {
                        around.has_contents |= is_kept;
                    }
                    if let Some(reach) = traits.and_then(|traits| traits.backdrop_reach).filter(|_| is_kept) {
                        backdrop_reach = backdrop_reach.and(reach);
                    }
                }
                _ => {
                    let is_kept = is_filtered || is_wanted(&self.boxes[command]);
                    is_drawn[command] = is_kept;
                    if let Some(around) = open.last_mut() {
                        around.has_contents |= is_kept;
                    }
                }
            }
        }
        self.chosen = chosen;
    }
}

impl Chosen {
    /// Finds the first of the commands that each command can hide.
    fn find_scopes(&mut self, frame: &Frame) {
        let Self { scope_starts, outer_starts, .. } = self;
        scope_starts.clear();
        outer_starts.clear();
        // Renderers draw layers apart, clips included, and round their opacity. So nothing in a
        // layer surely replaces what is below the layer.
        let mut start = 0;
        // A layer that reads the picture below it reads what later commands hide.
        let mut first = 0;
        for command in 0..frame.len() {
            let scope_start = u32::try_from(start.max(first));
            scope_starts.push(scope_start.expect("there are fewer commands than an i32 can index"));
            match frame.recording.scene.kind(command) {
                ElementKind::Begin => {
                    let layer = frame.recording.layer(command);
                    if layer.is_some_and(|layer| layer.traits.backdrop_reach.is_some()) {
                        first = command;
                    }
                    outer_starts.push(start);
                    start = command + 1;
                }
                ElementKind::End => start = outer_starts.pop().expect("the push of the layer is before it"),
                _ => {}
            }
        }
    }
}
