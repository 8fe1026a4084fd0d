//! The extent of what a filter can paint.

use kurbo::{Affine, Insets, Rect, Vec2};
use usvg::Group;
use usvg::filter::{
    ColorMatrixKind, CompositeOperator, ConvolveMatrix, EdgeMode, Filter, Input, Kind, MorphologyOperator,
    Primitive, TransferFunction,
};

use crate::geometry::{max_scale, rect, union};
use crate::guard::limits::{MAX_KERNEL_EXTENT, MIN_SCALE};
use crate::passes::displacement;

/// The extent of a blur, in standard deviations. resvg blurs with three box blurs, whose extent is
/// 2.82, plus half a pixel each.
const BLUR_EXTENT: f64 = 3.2;

/// The additional extent of narrow blurs, in standard deviations. resvg does them recursively,
/// which leaves longer tails.
const TAIL: f64 = 0.8;

/// The largest additional extent of those tails, in px.
const LONGEST_TAIL: f64 = 2.0;

/// A rectangle, or `None` for nothing.
pub(crate) type Extent = Option<Rect>;

/// The size of a pixel in units of a group's user space, at one pixel per px. resvg filters on a
/// canvas along the axes of that space.
pub(crate) fn pixel(scene_from_group: Affine) -> Vec2 {
    let [a, b, c, d, ..] = scene_from_group.as_coeffs();
    let units = |scale: f64| scale.max(MIN_SCALE).recip();
    Vec2::new(units(a.hypot(b)), units(c.hypot(d)))
}

/// The extent of the result of a filter, in the user space of its group.
///
/// `extent_of` gives the extent of a group that an `feImage` shows.
pub(crate) fn result_extent(
    filter: &Filter,
    source: Extent,
    scene_from_group: Affine,
    mut extent_of: impl FnMut(&Group) -> Extent,
) -> Extent {
    let region = rect(filter.rect());
    let source = intersect(source, Some(region));
    let scale = max_scale(scene_from_group).max(MIN_SCALE);
    let pixel = pixel(scene_from_group);
    let mut inputs = Inputs { source, region, scale, pixel, results: Vec::new() };
    for primitive in filter.primitives() {
        inputs.results.push((primitive.result(), inputs.result_of(primitive, &mut extent_of)));
    }
    inputs.results.last().and_then(|(_, result)| *result)
}

/// The inputs of a primitive.
struct Inputs<'f> {
    source: Extent,
    region: Rect,
    /// The largest number of px in a unit.
    scale: f64,
    /// The size of a pixel in units.
    pixel: Vec2,
    results: Vec<(&'f str, Extent)>,
}

impl Inputs<'_> {
    fn get(&self, input: &Input) -> Extent {
        match input {
            Input::SourceGraphic | Input::SourceAlpha => self.source,
            Input::Reference(name) => {
                let named = self.results.iter().rev().find(|(result, _)| result == name);
                named.map_or(Some(self.region), |(_, result)| *result)
            }
        }
    }

    /// The extent of the result of a primitive: its whole subregion if it can paint where its
    /// inputs are transparent.
    fn result_of(&self, primitive: &Primitive, extent_of: &mut impl FnMut(&Group) -> Extent) -> Extent {
        let subregion = intersect(Some(rect(primitive.rect())), Some(self.region));
        let result = match primitive.kind() {
            Kind::Blend(blend) => union(self.get(blend.input1()), self.get(blend.input2())),
            Kind::ColorMatrix(matrix) => match matrix.kind() {
                // This adds to alpha.
                ColorMatrixKind::Matrix(m) if m.get(19).is_none_or(|offset| *offset > 0.0) => subregion,
                _ => self.get(matrix.input()),
            },
            Kind::ComponentTransfer(transfer) if is_zero_at_zero(transfer.func_a()) => {
                self.get(transfer.input())
            }
            Kind::Composite(composite) => {
                let (a, b) = (self.get(composite.input1()), self.get(composite.input2()));
                composited(composite.operator(), a, b, subregion)
            }
            Kind::ConvolveMatrix(convolve) if convolve.preserve_alpha() => self.get(convolve.input()),
            Kind::ConvolveMatrix(convolve) => kernel_extent(convolve, self.pixel)
                .map_or(subregion, |insets| self.get(convolve.input()).map(|extent| extent + insets)),
            Kind::DisplacementMap(map) => {
                let distance = displacement::extent(map.scale());
                self.get(map.input1()).map(|extent| extent.inflate(distance, distance))
            }
            Kind::DropShadow(shadow) => {
                let input = self.get(shadow.input());
                let by = Vec2::new(shadow.dx().into(), shadow.dy().into());
                let blurred = blur(input, shadow.std_dev_x().get(), shadow.std_dev_y().get(), self.scale);
                // Both parts are cut before they are united, so the union is tight.
                union(intersect(input, subregion), intersect(blurred.map(|extent| extent + by), subregion))
            }
            Kind::GaussianBlur(gauss) => {
                blur(self.get(gauss.input()), gauss.std_dev_x().get(), gauss.std_dev_y().get(), self.scale)
            }
            Kind::Merge(merge) => merge.inputs().iter().map(|input| self.get(input)).fold(None, union),
            Kind::Morphology(erosion) if erosion.operator() == MorphologyOperator::Erode => {
                self.get(erosion.input())
            }
            Kind::Morphology(dilation) => {
                let [x, y] = [dilation.radius_x(), dilation.radius_y()].map(|r| f64::from(r.get()));
                self.get(dilation.input()).map(|extent| extent.inflate(x, y))
            }
            Kind::Offset(offset) => {
                let by = Vec2::new(offset.dx().into(), offset.dy().into());
                // resvg does not clip an offset to its subregion.
                return intersect(self.get(offset.input()).map(|extent| extent + by), Some(self.region));
            }
            // resvg draws the group at the corner of the subregion, in whole pixels. SVG draws it
            // where it is.
            Kind::Image(image) => {
                let image = extent_of(image.root());
                let corner = Vec2::new(primitive.rect().x().into(), primitive.rect().y().into());
                let drawn = image.map(|extent| (extent + corner).union(extent + (corner - self.pixel)));
                union(intersect(image, subregion), intersect(drawn, subregion))
            }
            Kind::ComponentTransfer(_)
            | Kind::DiffuseLighting(_)
            | Kind::Flood(_)
            | Kind::SpecularLighting(_)
            | Kind::Tile(_)
            | Kind::Turbulence(_) => subregion,
        };
        intersect(result, subregion)
    }
}

fn intersect(a: Extent, b: Extent) -> Extent {
    a.zip(b).map(|(a, b)| a.intersect(b)).filter(|extent| extent.area() > 0.0)
}

fn composited(operator: CompositeOperator, a: Extent, b: Extent, subregion: Extent) -> Extent {
    match operator {
        CompositeOperator::Over | CompositeOperator::Xor | CompositeOperator::Lighter => union(a, b),
        CompositeOperator::In => intersect(a, b),
        CompositeOperator::Out => a,
        CompositeOperator::Atop => b,
        CompositeOperator::Arithmetic { k4, .. } if k4 > 0.0 => subregion,
        CompositeOperator::Arithmetic { k2, k3, .. } => {
            union(intersect(a, b), union(a.filter(|_| k2 > 0.0), b.filter(|_| k3 > 0.0)))
        }
    }
}

/// The extent of a blur, at `scale` px in a unit.
fn blur(input: Extent, std_dev_x: f32, std_dev_y: f32, scale: f64) -> Extent {
    let distance = |std_dev: f32| {
        let std_dev = f64::from(std_dev);
        BLUR_EXTENT * std_dev + (TAIL * std_dev).min(LONGEST_TAIL / scale)
    };
    input.map(|extent| extent.inflate(distance(std_dev_x), distance(std_dev_y)))
}

/// The distances by which a convolution paints beyond its input, with pixels of this size. `None`
/// if it may paint everything, because it adds to alpha, wraps around, or has a large kernel.
fn kernel_extent(convolve: &ConvolveMatrix, pixel: Vec2) -> Option<Insets> {
    let kernel = convolve.matrix();
    let (x, y) = (f64::from(kernel.target_x()), f64::from(kernel.target_y()));
    let last = |n: u32| f64::from(n) - 1.0;
    let extent @ [left, top, right, bottom] = [last(kernel.columns()) - x, last(kernel.rows()) - y, x, y];
    let is_local = convolve.bias() <= 0.0 && convolve.edge_mode() != EdgeMode::Wrap;
    let is_small = extent.iter().all(|pixels| *pixels <= MAX_KERNEL_EXTENT);
    let insets = Insets::new(left * pixel.x, top * pixel.y, right * pixel.x, bottom * pixel.y);
    (is_local && is_small).then_some(insets)
}

/// Whether a transfer function leaves transparent pixels transparent.
fn is_zero_at_zero(alpha: &TransferFunction) -> bool {
    match alpha {
        TransferFunction::Identity => true,
        TransferFunction::Table(values) | TransferFunction::Discrete(values) => {
            values.first().is_none_or(|first| *first <= 0.0)
        }
        TransferFunction::Linear { intercept, .. } => *intercept <= 0.0,
        TransferFunction::Gamma { exponent, offset, .. } => *offset <= 0.0 && *exponent > 0.0,
    }
}
