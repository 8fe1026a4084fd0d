//! Upper bounds of resvg's work for a part of a drawing, computed before resvg draws it.
//!
//! resvg draws a pattern anew for each path that is painted with it, and patterns can be painted
//! with patterns. The same goes for masks and clip paths. So a few lines of SVG can take longer
//! than anybody waits. Computing the bounds visits each pattern, mask and clip path only once.

use std::collections::HashMap;

use kurbo::Size;
use usvg::filter::{Filter, Kind};
use usvg::{ClipPath, Fill, Group, ImageKind, Mask, Node, Paint, Path, Pattern, Stroke, Transform};

use crate::error::{LimitError, Quantity};
use crate::geometry::{affine, max_scale, rect};
use crate::guard::limits::{MAX_DRAWN_DEPTH, MAX_DRAWN_ELEMENTS, MAX_FILTER_STEPS, MAX_TILE, MAX_TILES};
use crate::raster::filter_cost::{Steps, steps_of_filters};

/// The cost of drawing a part of a drawing, at one pixel per unit of the space around it.
///
/// A tile has at most as many pixels as its area times the square of the largest factor by which
/// its transform stretches a length. These factors multiply from level to level, so a cost can be
/// scaled without visiting the part again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// The number of drawn elements.
    elements: f64,
    /// The pixels of the largest tile.
    tile: f64,
    /// The pixels of all tiles.
    tiles: f64,
    filters: Steps,
    /// The depth of nested groups, patterns, masks and clip paths.
    depth: u32,
}

impl Cost {
    /// The cost of drawing both parts.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            elements: self.elements + other.elements,
            tile: self.tile.max(other.tile),
            tiles: self.tiles + other.tiles,
            filters: self.filters.and(other.filters),
            depth: self.depth.max(other.depth),
        }
    }

    /// The cost at this many pixels per unit.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let area = scale * scale;
        let filters = self.filters.scaled(scale);
        Self { tile: self.tile * area, tiles: self.tiles * area, filters, ..self }
    }

    /// The cost if filters process only this share of their pixels.
    pub(crate) fn with_share_of_filters(self, share: f64) -> Self {
        Self { filters: self.filters.times(share), ..self }
    }

    /// The cost in the space around, one level up.
    fn transformed(self, transform: Transform) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self.scaled(max_scale(affine(transform))) }
    }

    /// An error if a limit is exceeded.
    pub(crate) fn check(self) -> Result<(), LimitError> {
        Quantity::DrawnDepth.check(self.depth.into(), MAX_DRAWN_DEPTH.into())?;
        Quantity::DrawnElements.check(self.elements, MAX_DRAWN_ELEMENTS)?;
        Quantity::TilePixels.check(self.tile, MAX_TILE)?;
        Quantity::AllTilePixels.check(self.tiles, MAX_TILES)?;
        Quantity::FilterSteps.check(self.filters.count(), MAX_FILTER_STEPS)
    }
}

/// Computes costs, and remembers those of patterns, masks, clip paths and filters.
pub(crate) struct Costs {
    /// By address. The tree keeps them in place.
    known: HashMap<usize, Cost>,
    /// The number of pixels of the whole drawing at 100 %.
    picture: f64,
}

impl Costs {
    /// For the parts of a drawing of this size.
    pub(crate) fn new(drawing: Size) -> Self {
        Self { known: HashMap::new(), picture: drawing.area() }
    }

    /// The cost of the contents of a group, in the group's own space.
    pub(crate) fn of_contents(&mut self, group: &Group) -> Cost {
        group.children().iter().map(|node| self.of_node(node)).fold(Cost::default(), Cost::and)
    }

    /// The cost of the contents of a pattern's tile, in the space of the pattern.
    pub(crate) fn of_tile_contents(&mut self, pattern: &Pattern) -> Cost {
        self.remembered(pattern, |costs| costs.of_contents(pattern.root()))
    }

    /// The cost of a node, in the space around it.
    pub(crate) fn of_node(&mut self, node: &Node) -> Cost {
        match node {
            Node::Group(group) => self.of_group(group),
            Node::Path(path) => self.of_path(path),
            Node::Text(text) => self.of_group(text.flattened()),
            Node::Image(image) => match image.kind() {
                ImageKind::SVG(tree) => self.of_contents(tree.root()),
                _ => Cost { elements: 1.0, ..Cost::default() },
            },
        }
    }

    fn of_group(&mut self, group: &Group) -> Cost {
        let filters = steps_of_filters(group, self.picture);
        let mut cost = Cost { filters, ..Cost::default() }.and(self.of_contents(group));
        for filter in group.filters() {
            cost = cost.and(self.of_filter(filter));
        }
        if let Some(clip_path) = group.clip_path() {
            cost = cost.and(self.of_clip_path(clip_path));
        }
        if let Some(mask) = group.mask() {
            cost = cost.and(self.of_mask(mask));
        }
        cost.transformed(group.transform())
    }

    fn of_path(&mut self, path: &Path) -> Cost {
        let paints = path.fill().map(Fill::paint).into_iter().chain(path.stroke().map(Stroke::paint));
        paints.fold(Cost { elements: 1.0, ..Cost::default() }, |cost, paint| match paint {
            Paint::Pattern(pattern) => {
                let contents = self.of_tile_contents(pattern);
                let area = rect(pattern.rect()).area();
                let own_tile = Cost { tile: area, tiles: area, ..Cost::default() };
                cost.and(contents.and(own_tile).transformed(pattern.transform()))
            }
            Paint::Color(_) | Paint::LinearGradient(_) | Paint::RadialGradient(_) => cost,
        })
    }

    fn of_clip_path(&mut self, clip_path: &ClipPath) -> Cost {
        self.remembered(clip_path, |costs| {
            let outer = clip_path.clip_path().map_or(Cost::default(), |outer| costs.of_clip_path(outer));
            costs.of_contents(clip_path.root()).transformed(clip_path.transform()).and(outer)
        })
    }

    fn of_mask(&mut self, mask: &Mask) -> Cost {
        self.remembered(mask, |costs| {
            let outer = mask.mask().map_or(Cost::default(), |outer| costs.of_mask(outer));
            costs.of_contents(mask.root()).transformed(Transform::identity()).and(outer)
        })
    }

    fn of_filter(&mut self, filter: &Filter) -> Cost {
        self.remembered(filter, |costs| {
            let images = filter.primitives().iter().filter_map(|primitive| match primitive.kind() {
                Kind::Image(image) => Some(image.root()),
                _ => None,
            });
            let cost = images.map(|root| costs.of_contents(root)).fold(Cost::default(), Cost::and);
            cost.transformed(Transform::identity())
        })
    }

    fn remembered<T>(&mut self, part: &T, compute: impl FnOnce(&mut Self) -> Cost) -> Cost {
        let address = std::ptr::from_ref(part).addr();
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        let cost = compute(self);
        self.known.insert(address, cost);
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loader limits the elements and the depth of the document. usvg may produce more of both,
    /// such as for a text.
    #[test]
    fn each_limit_holds() {
        let most = Cost {
            elements: MAX_DRAWN_ELEMENTS,
            tile: MAX_TILE,
            tiles: MAX_TILES,
            depth: MAX_DRAWN_DEPTH,
            ..Cost::default()
        };
        let exceeded = |cost: Cost| cost.check().map_err(|error| error.quantity);
        assert_eq!(exceeded(most), Ok(()));
        for (cost, quantity) in [
            (Cost { elements: MAX_DRAWN_ELEMENTS + 1.0, ..most }, Quantity::DrawnElements),
            (Cost { depth: MAX_DRAWN_DEPTH + 1, ..most }, Quantity::DrawnDepth),
            (Cost { tile: f64::NAN, ..most }, Quantity::TilePixels),
            (most.scaled(1.1), Quantity::TilePixels),
            (Cost { tile: 1.0, ..most.scaled(1.1) }, Quantity::AllTilePixels),
        ] {
            assert_eq!(exceeded(cost), Err(quantity));
        }
    }
}
