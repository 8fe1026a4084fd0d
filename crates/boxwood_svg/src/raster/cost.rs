//! Upper bounds of resvg's work for a part of a drawing, computed before resvg draws it.
//!
//! resvg draws a pattern anew for each path that is painted with it, and patterns can be painted
//! with patterns. The same goes for masks and clip paths. So a few lines of SVG can take longer
//! than anybody waits. Computing the bounds visits each pattern, mask and clip path only once.

use std::collections::HashMap;

use kurbo::Size;
use usvg::filter::{Filter, Kind, Primitive};
use usvg::{ClipPath, Fill, Group, ImageKind, Mask, Node, Paint, Path, Pattern, Stroke, Transform};

use crate::error::{LimitError, Quantity};
use crate::geometry::{affine, max_scale, rect};
use crate::guard::limits::{
    FILTER_CANVASES, MAX_DRAWN_DEPTH, MAX_DRAWN_ELEMENTS, MAX_FILTER_STEPS, MAX_TILE, MAX_TILES,
};

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
    /// The steps of filters that grow with the area, of about a nanosecond each on one core.
    filters: f64,
    /// The steps of filters that grow with the square of the area: some primitives look at a
    /// neighbourhood of each pixel, whose number of pixels grows as well.
    neighbourhoods: f64,
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
            filters: self.filters + other.filters,
            neighbourhoods: self.neighbourhoods + other.neighbourhoods,
            depth: self.depth.max(other.depth),
        }
    }

    /// The cost at this many pixels per unit.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let area = scale * scale;
        Self {
            tile: self.tile * area,
            tiles: self.tiles * area,
            filters: self.filters * area,
            neighbourhoods: self.neighbourhoods * (area * area),
            ..self
        }
    }

    /// The cost if filters process this many times their pixels.
    pub(crate) fn with_filters_times(self, factor: f64) -> Self {
        Self { filters: self.filters * factor, neighbourhoods: self.neighbourhoods * factor, ..self }
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
        Quantity::FilterSteps.check(self.filters + self.neighbourhoods, MAX_FILTER_STEPS)
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
        let mut cost = cost_of_filters(group, self.picture).and(self.of_contents(group));
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
                let area = rect(pattern.rect().to_rect()).area();
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

/// The cost of the filters of a group, in the group's user space, for a drawing whose picture at
/// 100 % has this many pixels.
fn cost_of_filters(group: &Group, picture: f64) -> Cost {
    let pixels_per_unit = affine(group.abs_transform()).determinant().abs();
    let of_filter = |filter: &Filter| {
        let region = rect(filter.rect().to_rect());
        let seen = (FILTER_CANVASES * picture / pixels_per_unit).min(region.area());
        let of_primitive =
            |primitive| cost_per_area(primitive, [region.width(), region.height()]).with_filters_times(seen);
        filter.primitives().iter().map(of_primitive).fold(Cost::default(), Cost::and)
    };
    group.filters().iter().map(|filter| of_filter(filter)).fold(Cost::default(), Cost::and)
}

/// An estimate of the steps that resvg 0.49 takes for a primitive per unit of area, in a region of
/// this width and height.
fn cost_per_area(primitive: &Primitive, region: [f64; 2]) -> Cost {
    let filters = match primitive.kind() {
        Kind::Morphology(morphology) => {
            let radii = [morphology.radius_x(), morphology.radius_y()];
            return cost_of_neighbourhoods(radii.map(|radius| f64::from(radius.get())), region);
        }
        Kind::ConvolveMatrix(convolve) => {
            let matrix = convolve.matrix();
            10.0 + 4.0 * f64::from(matrix.columns()) * f64::from(matrix.rows())
        }
        Kind::Turbulence(turbulence) => 10.0 + 100.0 * f64::from(turbulence.num_octaves()),
        Kind::GaussianBlur(_) | Kind::DropShadow(_) => 100.0,
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 50.0,
        Kind::Merge(merge) => 10.0 * merge.inputs().len() as f64,
        Kind::Blend(_)
        | Kind::ColorMatrix(_)
        | Kind::ComponentTransfer(_)
        | Kind::Composite(_)
        | Kind::DisplacementMap(_)
        | Kind::Flood(_)
        | Kind::Image(_)
        | Kind::Offset(_)
        | Kind::Tile(_) => 10.0,
    };
    Cost { filters, ..Cost::default() }
}

/// One step for each pixel of a neighbourhood with these radii, for each pixel of a unit of area.
///
/// At s pixels per unit, the neighbourhood is 2 r s + 1 pixels wide, and at most as wide as the
/// region. The product of width and height has a linear term, which `s ≤ (s² + 1) / 2` splits
/// between the other two.
fn cost_of_neighbourhoods(radii: [f64; 2], region: [f64; 2]) -> Cost {
    let [(a, b), (c, d)] = [0, 1].map(|axis| {
        let diameter = 2.0 * radii[axis];
        if diameter + 1.0 < region[axis] { (diameter, 1.0) } else { (region[axis], 0.0) }
    });
    let linear = 0.5 * (a * d + b * c);
    Cost { filters: b * d + linear, neighbourhoods: a * c + linear, ..Cost::default() }
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

    #[test]
    fn the_estimate_for_a_neighbourhood_is_an_upper_bound() {
        for (radii, region) in
            [([3.0, 7.0], [90.0, 90.0]), ([0.5, 200.0], [90.0, 90.0]), ([1e9, 1e9], [20.0, 30.0])]
        {
            for scale in [0.1, 1.0, 4.0] {
                let axis = |i: usize| (2.0 * radii[i] * scale + 1.0_f64).min(region[i] * scale);
                let (exact, area) = (axis(0) * axis(1), scale * scale);
                let Cost { filters, neighbourhoods, .. } = cost_of_neighbourhoods(radii, region);
                let found = filters + neighbourhoods * area;
                assert!(found >= exact * 0.999, "{radii:?} at {scale}: {found} of {exact}");
                assert!(scale < 1.0 || found <= 2.0 * exact, "{radii:?} at {scale}: {found} of {exact}");
            }
        }
    }

    #[test]
    fn steps_scale_with_their_powers() {
        let steps = |cost: Cost| cost.filters + cost.neighbourhoods;
        let cost = Cost { filters: 3.0, neighbourhoods: 5.0, ..Cost::default() }.with_filters_times(10.0);
        assert_eq!(steps(cost), 80.0);
        assert_eq!(steps(cost.scaled(2.0)), 30.0 * 4.0 + 50.0 * 16.0);
        assert_eq!(steps(cost.and(cost)), 160.0);
    }
}
