//! The order in which commands can be drawn in batches.

use boxwood_cpu::{Aabb, ElementKind, Layers};
use kurbo::Rect;

use crate::frame::Frame;
use crate::recorder::aabb;

/// The memory of a search for layers.
#[derive(Debug, Default)]
pub(crate) struct Order {
    layers: Layers,
    items: Vec<Aabb>,
    scopes: Vec<u32>,
    open: Vec<u32>,
}

impl Frame {
    /// A number for each command: 1 more than the largest number of an earlier command that it
    /// overlaps, or 1. Commands with the same number in the same layer do not overlap, so that a
    /// renderer can draw them in any order, and in one batch.
    ///
    /// Numbers start at 1 inside of each layer that is not only a clip. The push of such a layer
    /// stands for all of it in the layer around it. Other pushes, and pops, have the number 1.
    pub fn layers(&mut self) -> &[u32] {
        let Order { layers, items, scopes, open } = &mut self.order;
        items.clear();
        scopes.clear();
        open.clear();
        let mut scope = 0;
        for (command, own) in self.boxes.iter().enumerate() {
            let traits = self.recording.layer(command).map(|layer| layer.traits);
            let is_composited = traits.is_some();
            let kind = self.recording.scene.kind(command);
            scopes.push(scope);
            items.push(match traits.and_then(|traits| traits.backdrop_reach) {
                // The layer is drawn after everything that it reads.
                Some(reach) if !own.is_empty() => {
                    let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(f64::from);
                    aabb(reach.before(Rect::new(x0, y0, x1, y1)))
                }
                _ if kind == ElementKind::Begin && !is_composited => Aabb::EMPTY,
                _ => *own,
            });
            match kind {
                ElementKind::Begin => {
                    open.push(scope);
                    if is_composited {
                        scope = u32::try_from(command + 1)
                            .expect("there are fewer commands than an i32 can index");
                    }
                }
                ElementKind::End => scope = open.pop().expect("the push of the layer is before it"),
                _ => {}
            }
        }
        layers.in_scopes(items, scopes)
    }
}
