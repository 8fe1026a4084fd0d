//! Flat pictures of drawings: each leaf is a rectangle in the place of its clipped box.

use boxwood::{Aabb, ElementKind};
use boxwood_cpu::specification::spatial::{Rectangle, TileGrid};
use boxwood_svg::{Drawing, Role, Within};

/// The larger side of a picture in pixels.
const SIDE: f64 = 160.0;

/// A drawing as it is painted: leaves, in groups that are composited as a whole.
#[derive(Debug, Default)]
pub(super) struct Flat {
    pub(super) width: u32,
    pub(super) height: u32,
    parts: Vec<Part>,
    /// The boxes of the leaves, in pixels.
    pub(super) leaves: Vec<Aabb>,
    /// For each leaf, the first leaf of the innermost group around it, or 0.
    pub(super) scope_starts: Vec<u32>,
    /// Leaves and groups, in the order of their beginnings.
    pub(super) items: Vec<Item>,
    pub(super) n_scopes: u32,
}

/// A leaf or a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) bounds: Aabb,
    /// The picture, which is 0, or the number of the group around it.
    pub(super) scope: u32,
    /// Items with different keys are not drawn at once.
    pub(super) key: u32,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Begin(Aabb),
    End,
    Leaf(usize),
}

/// A node that is open: its number, if it is a group, and its first leaf.
#[derive(Clone, Copy, Debug)]
struct Open {
    group: Option<u32>,
    first_leaf: u32,
}

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("a drawing has fewer elements")
}

impl Flat {
    pub(super) fn new(drawing: &Drawing) -> Self {
        let (scene, boxes) = (&drawing.elements, boxwood_cpu::specification::boxes(&drawing.elements));
        let scale = SIDE / drawing.size.width.max(drawing.size.height);
        let in_pixels = |own: Aabb| {
            let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|edge| scale * f64::from(edge));
            Aabb::new(x0, y0, x1, y1).expect("no NaN")
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most the side")]
        let [width, height] =
            [drawing.size.width, drawing.size.height].map(|side| (scale * side).ceil().max(1.0) as u32);
        let mut flat = Self { width, height, n_scopes: 1, ..Self::default() };
        let picture = Open { group: Some(0), first_leaf: 0 };
        let mut open = vec![picture];
        for (index, info) in drawing.table.iter().enumerate() {
            let around = open.iter().rev().find(|node| node.group.is_some()).copied().unwrap_or(picture);
            let scope = around.group.unwrap_or(0);
            match scene.kind(index) {
                ElementKind::Begin => {
                    let first_leaf = small(flat.leaves.len());
                    let is_group = matches!(info.role, Role::Blend | Role::ClipBlend | Role::Mask);
                    if is_group {
                        let bounds = in_pixels(boxes.group_boxes[boxes.ranks[index] as usize]);
                        flat.parts.push(Part::Begin(bounds));
                        flat.items.push(Item { bounds, scope, key: 0 });
                        flat.n_scopes += 1;
                    }
                    open.push(Open { group: is_group.then_some(flat.n_scopes - 1), first_leaf });
                }
                ElementKind::End => {
                    if open.len() > 1 && open.pop().is_some_and(|node| node.group.is_some()) {
                        flat.parts.push(Part::End);
                    }
                }
                ElementKind::Leaf if info.within == Within::Scene => {
                    let bounds = in_pixels(boxes.clipped_boxes[index]);
                    flat.parts.push(Part::Leaf(flat.leaves.len()));
                    flat.leaves.push(bounds);
                    flat.scope_starts.push(around.first_leaf);
                    let key = match info.role {
                        Role::Stroke => 1,
                        Role::Image => 2,
                        _ => 3,
                    };
                    flat.items.push(Item { bounds, scope, key });
                }
                ElementKind::Leaf | ElementKind::Nop => {}
            }
        }
        flat
    }

    /// The pixels of the picture as tiles.
    pub(super) fn pixels(&self) -> TileGrid {
        TileGrid { width: self.width, height: self.height, lg_tile: 0 }
    }

    /// The pixels whose center is in a box.
    fn centers(&self, own: Aabb) -> Rectangle {
        let first = |low: f32, size: u32| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
            let first = (f64::from(low) - 0.5).ceil().clamp(0.0, f64::from(size)) as u32;
            first
        };
        let [x0, x1] = [own.x0, own.x1].map(|edge| first(edge, self.width));
        let [y0, y1] = [own.y0, own.y1].map(|edge| first(edge, self.height));
        Rectangle { x0, y0, x1, y1 }
    }

    /// A number per pixel that depends on the items in one scope whose boxes contain its center,
    /// and on the order in which they are painted.
    pub(super) fn picture_of_items(&self, scope: u32, order: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut picture = Layer::new(Rectangle { x0: 0, y0: 0, x1: self.width, y1: self.height });
        for item in order.filter(|item| self.items[*item].scope == scope) {
            picture.paint(self.centers(self.items[item].bounds), item as u64 + 1);
        }
        picture.pixels
    }

    /// A number per pixel that depends on the leaves that are seen there, in any part of the pixel.
    /// The inner box of a leaf hides everything below it in the same group. Groups are translucent.
    pub(super) fn picture(&self, inner_boxes: &[Aabb], is_drawn: impl Fn(usize) -> bool) -> Vec<u64> {
        let pixels = self.pixels();
        let all = Rectangle { x0: 0, y0: 0, x1: self.width, y1: self.height };
        let mut layers = vec![Layer::new(all)];
        for part in &self.parts {
            match *part {
                Part::Begin(bounds) => layers.push(Layer::new(pixels.touched(bounds))),
                Part::End => {
                    let group = layers.pop().expect("a group is open");
                    layers.last_mut().expect("the picture stays").composite(&group);
                }
                Part::Leaf(leaf) if is_drawn(leaf) => {
                    let layer = layers.last_mut().expect("the picture stays");
                    layer.clear(pixels.covered(inner_boxes[leaf]));
                    layer.paint(pixels.touched(self.leaves[leaf]), leaf as u64 + 1);
                }
                Part::Leaf(_) => {}
            }
        }
        while layers.len() > 1 {
            let group = layers.pop().expect("a group is open");
            layers.last_mut().expect("the picture stays").composite(&group);
        }
        layers.remove(0).pixels
    }
}

/// The pixels of a region. A number stands for everything that is painted on a pixel, in its order.
/// It is 0 at first.
#[derive(Debug)]
struct Layer {
    region: Rectangle,
    pixels: Vec<u64>,
}

impl Layer {
    fn new(region: Rectangle) -> Self {
        let Rectangle { x0, y0, x1, y1 } = region;
        let n_pixels = x1.saturating_sub(x0) as usize * y1.saturating_sub(y0) as usize;
        Self { region, pixels: vec![0; n_pixels] }
    }

    /// The pixels of some columns of a row.
    fn row(&mut self, y: u32, columns: std::ops::Range<u32>) -> &mut [u64] {
        let Rectangle { x0, y0, x1, .. } = self.region;
        let first = (y - y0) as usize * (x1 - x0) as usize;
        &mut self.pixels[first + (columns.start - x0) as usize..first + (columns.end - x0) as usize]
    }

    fn change(&mut self, region: Rectangle, change: impl Fn(u64) -> u64) {
        let Rectangle { x0, y0, x1, y1 } = self.region;
        let (left, right) = (region.x0.max(x0), region.x1.min(x1));
        if left < right {
            for y in region.y0.max(y0)..region.y1.min(y1) {
                self.row(y, left..right).iter_mut().for_each(|pixel| *pixel = change(*pixel));
            }
        }
    }

    fn clear(&mut self, region: Rectangle) {
        self.change(region, |_| 0);
    }

    fn paint(&mut self, region: Rectangle, color: u64) {
        self.change(region, |below| over(below, color));
    }

    fn composite(&mut self, group: &Self) {
        let Rectangle { x0, x1, .. } = group.region;
        let rows = group.pixels.chunks_exact((x1.saturating_sub(x0) as usize).max(1));
        for (y, row) in (group.region.y0..).zip(rows) {
            for (x, color) in (x0..x1).zip(row).filter(|(_, color)| **color != 0) {
                self.paint(Rectangle { x0: x, y0: y, x1: x + 1, y1: y + 1 }, *color);
            }
        }
    }
}

/// What is on a pixel after something is painted over what is there.
fn over(below: u64, color: u64) -> u64 {
    let mixed = (below.rotate_left(23) ^ color).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
