//! How much resvg would do for a part of a drawing, known before it is asked to.
//!
//! A pattern is drawn anew for each path that it paints, and may be painted with patterns itself; masks and clip paths likewise.
//! So a few lines can stand for more than any machine draws. Here each pattern, mask and clip path is looked at once.

use std::collections::HashMap;

use kurbo::Size;
use usvg::filter::{Filter, Kind};
use usvg::{ClipPath, Group, ImageKind, Mask, Node, Paint, Path, Pattern, Transform};

use crate::filter_work::{Steps, steps_of_filters};
use crate::path::{affine, max_scale, rect};

/// The most elements that are drawn, each as often as it is.
const MAX_ELEMENTS: f64 = 4e6;

/// The most pixels of one tile of a pattern: 256 MiB.
const MAX_TILE: f64 = (64 << 20) as f64;

/// The most pixels of all tiles together, each as often as it is drawn.
const MAX_TILES: f64 = 8e9;

/// The most steps of all filters together, each as often as it is done: about a minute.
const MAX_FILTER_STEPS: f64 = 6e10;

/// How many groups, patterns, masks and clip paths may be inside of each other: resvg recurses with them on the caller's stack.
const MAX_DEPTH: u32 = 3_000;

/// A drawing is more than resvg is asked to draw.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TooMuchToDraw {
    /// There are too many elements.
    #[error(
        "the drawing has {count:.0} elements, each counted as often as patterns, masks and clip paths draw it; the limit is \
         {MAX_ELEMENTS:.0}: use fewer of them inside of each other"
    )]
    Scene {
        /// How many.
        count: f64,
    },
    /// A pattern is too large.
    #[error(
        "the tile of a pattern would have {pixels:.0} pixels, the limit is {MAX_TILE:.0}: take a smaller zoom or tile"
    )]
    Tile {
        /// How many pixels it would have, at most.
        pixels: f64,
    },
    /// The patterns are too large together.
    #[error(
        "the tiles of all patterns would have {pixels:.0} pixels, each tile counted as often as it is drawn; the limit is \
         {MAX_TILES:.0}: take a smaller zoom or use fewer patterns"
    )]
    Tiles {
        /// How many pixels they would have, at most.
        pixels: f64,
    },
    /// The filters do too much.
    #[error(
        "the filters would take {steps:.0} steps (the pixels of each times what a primitive does for one, such as a step for each \
         pixel around it within the radius of a morphology); the limit is {MAX_FILTER_STEPS:.0}: take a smaller zoom, or smaller \
         radii, orders and regions"
    )]
    Filters {
        /// How many steps they would take, at most.
        steps: f64,
    },
    /// Something is nested too deep.
    #[error(
        "groups, patterns, masks and clip paths are {depth} inside of each other, the limit is {MAX_DEPTH}: flatten the drawing"
    )]
    Depth {
        /// How many.
        depth: u32,
    },
}

/// What resvg does for a part of a drawing, at most; sizes are those at one pixel a unit of the space around the part.
///
/// A tile has no more pixels than its area times the square of how far its transform stretches any length. That is a product
/// along the way down, so works add up and scale without another look at what they are of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Work {
    /// How many elements are drawn.
    elements: f64,
    /// The pixels of the largest tile.
    tile: f64,
    /// The pixels of all tiles.
    tiles: f64,
    /// What filters do.
    filters: Steps,
    depth: u32,
}

impl Work {
    /// One after the other.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            elements: self.elements + other.elements,
            tile: self.tile.max(other.tile),
            tiles: self.tiles + other.tiles,
            filters: self.filters.and(other.filters),
            depth: self.depth.max(other.depth),
        }
    }

    /// The same, so many pixels a unit.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let area = scale * scale;
        let filters = self.filters.scaled(scale);
        Self { tile: self.tile * area, tiles: self.tiles * area, filters, ..self }
    }

    /// The same where filters work on this part of their pixels only.
    pub(crate) fn with_part_of_filters(self, part: f64) -> Self {
        Self { filters: self.filters.times(part), ..self }
    }

    fn below(self, transform: Transform) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self.scaled(max_scale(affine(transform))) }
    }

    /// An error where it is too much.
    pub(crate) fn check(self) -> Result<(), TooMuchToDraw> {
        let Self { elements, tile, tiles, filters, depth } = self;
        let steps = filters.count();
        // What is not a number is too much.
        let is_within = |value: f64, limit: f64| value <= limit;
        if depth > MAX_DEPTH {
            Err(TooMuchToDraw::Depth { depth })
        } else if !is_within(elements, MAX_ELEMENTS) {
            Err(TooMuchToDraw::Scene { count: elements })
        } else if !is_within(tile, MAX_TILE) {
            Err(TooMuchToDraw::Tile { pixels: tile })
        } else if !is_within(tiles, MAX_TILES) {
            Err(TooMuchToDraw::Tiles { pixels: tiles })
        } else if !is_within(steps, MAX_FILTER_STEPS) {
            Err(TooMuchToDraw::Filters { steps })
        } else {
            Ok(())
        }
    }
}

/// Works that are known.
pub(crate) struct Works {
    /// Of patterns, masks, clip paths and filters, by their address: the tree keeps them alive.
    known: HashMap<usize, Work>,
    /// The pixels of the picture of the whole drawing at 100 %.
    picture: f64,
}

impl Works {
    /// For the parts of a drawing of this size.
    pub(crate) fn new(drawing: Size) -> Self {
        Self { known: HashMap::new(), picture: drawing.area() }
    }

    /// The work of what is in a group, in the group's own space.
    pub(crate) fn of_contents(&mut self, group: &Group) -> Work {
        group.children().iter().map(|node| self.of_node(node)).fold(Work::default(), Work::and)
    }

    /// The work of a pattern but for its own tile, in the space of the pattern.
    pub(crate) fn of_tile_contents(&mut self, pattern: &Pattern) -> Work {
        self.remembered(pattern, |works| works.of_contents(pattern.root()))
    }

    /// The work of a node, in the space around it.
    pub(crate) fn of_node(&mut self, node: &Node) -> Work {
        match node {
            Node::Group(group) => self.of_group(group),
            Node::Path(path) => self.of_path(path),
            Node::Text(text) => self.of_group(text.flattened()),
            Node::Image(image) => match image.kind() {
                ImageKind::SVG(tree) => self.of_contents(tree.root()),
                _ => Work { elements: 1.0, ..Work::default() },
            },
        }
    }

    fn of_group(&mut self, group: &Group) -> Work {
        let filters = steps_of_filters(group, self.picture);
        let mut work = Work { filters, ..Work::default() }.and(self.of_contents(group));
        for filter in group.filters() {
            work = work.and(self.of_filter(filter));
        }
        if let Some(clip_path) = group.clip_path() {
            work = work.and(self.of_clip_path(clip_path));
        }
        if let Some(mask) = group.mask() {
            work = work.and(self.of_mask(mask));
        }
        work.below(group.transform())
    }

    fn of_path(&mut self, path: &Path) -> Work {
        let paints =
            path.fill().map(usvg::Fill::paint).into_iter().chain(path.stroke().map(usvg::Stroke::paint));
        paints.fold(Work { elements: 1.0, ..Work::default() }, |work, paint| match paint {
            Paint::Pattern(pattern) => {
                let contents = self.of_tile_contents(pattern);
                let area = rect(pattern.rect()).area();
                let own_tile = Work { tile: area, tiles: area, ..Work::default() };
                work.and(contents.and(own_tile).below(pattern.transform()))
            }
            Paint::Color(_) | Paint::LinearGradient(_) | Paint::RadialGradient(_) => work,
        })
    }

    fn of_clip_path(&mut self, clip_path: &ClipPath) -> Work {
        self.remembered(clip_path, |works| {
            let outer = clip_path.clip_path().map_or(Work::default(), |outer| works.of_clip_path(outer));
            works.of_contents(clip_path.root()).below(clip_path.transform()).and(outer)
        })
    }

    fn of_mask(&mut self, mask: &Mask) -> Work {
        self.remembered(mask, |works| {
            let outer = mask.mask().map_or(Work::default(), |outer| works.of_mask(outer));
            works.of_contents(mask.root()).below(Transform::identity()).and(outer)
        })
    }

    fn of_filter(&mut self, filter: &Filter) -> Work {
        self.remembered(filter, |works| {
            let images = filter.primitives().iter().filter_map(|primitive| match primitive.kind() {
                Kind::Image(image) => Some(image.root()),
                _ => None,
            });
            let work = images.map(|root| works.of_contents(root)).fold(Work::default(), Work::and);
            work.below(Transform::identity())
        })
    }

    fn remembered<T>(&mut self, thing: &T, find: impl FnOnce(&mut Self) -> Work) -> Work {
        let address = std::ptr::from_ref(thing).addr();
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        let work = find(self);
        self.known.insert(address, work);
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loader bounds elements and depth by what is written; usvg may make more of it, of a text, say.
    #[test]
    fn each_limit_holds() {
        let most = Work {
            elements: MAX_ELEMENTS,
            tile: MAX_TILE,
            tiles: MAX_TILES,
            depth: MAX_DEPTH,
            ..Work::default()
        };
        assert_eq!(most.check(), Ok(()));
        let elements = Work { elements: MAX_ELEMENTS + 1.0, ..most };
        assert_eq!(elements.check(), Err(TooMuchToDraw::Scene { count: MAX_ELEMENTS + 1.0 }));
        let deep = Work { depth: MAX_DEPTH + 1, ..most };
        assert_eq!(deep.check(), Err(TooMuchToDraw::Depth { depth: MAX_DEPTH + 1 }));
        assert!(matches!(Work { tile: f64::NAN, ..most }.check(), Err(TooMuchToDraw::Tile { .. })));
        assert!(matches!(most.scaled(1.1).check(), Err(TooMuchToDraw::Tile { .. })));
        let tiles = Work { tile: 1.0, ..most.scaled(1.1) };
        assert!(matches!(tiles.check(), Err(TooMuchToDraw::Tiles { .. })));
    }
}
