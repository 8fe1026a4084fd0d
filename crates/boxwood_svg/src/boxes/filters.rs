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

/// The width of the boxes of a blur, in standard deviations: 3·√(2π)/4 (Filter Effects 1, section
/// 9.13). Browsers and resvg blur by three boxes.
const BOX_WIDTH: f64 = 1.879_971;

/// The least alpha that becomes a visible one in 8 bits.
const LEAST_ALPHA: f64 = 0.5 / 255.0;

/// The additional extent of narrow blurs, in standard deviations. Below two pixels, browsers and
/// resvg blur with a Gaussian function, which is visible up to 2.89 of them instead of 2.39.
const TAIL: f64 = 0.5;

/// The largest additional extent, in px: that of a Gaussian blur of two pixels. It is more than the
/// ¾ px by which three boxes are wider because their widths are whole pixels.
const LONGEST_TAIL: f64 = 1.0;

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
    let region = rect(filter.rect().to_rect());
    let source = intersect(source, Some(region));
    let scale = max_scale(scene_from_group).max(MIN_SCALE);
    let pixel = pixel(scene_from_group);
    let mut inputs = Inputs { source, region, scale, pixel, results: Vec::new() };
    for primitive in filter.primitives() {
        let extent = inputs.result_of(primitive, &mut extent_of);
        let alpha = inputs.alpha_of(primitive);
        inputs.results.push(Output { name: primitive.result(), extent, alpha });
    }
    inputs.results.last().and_then(|output| output.extent)
}

/// The inputs of a primitive.
struct Inputs<'f> {
    source: Extent,
    region: Rect,
    /// The largest number of px in a unit.
    scale: f64,
    /// The size of a pixel in units.
    pixel: Vec2,
    results: Vec<Output<'f>>,
}

/// The result of a primitive.
struct Output<'f> {
    name: &'f str,
    extent: Extent,
    /// An upper bound of its alpha.
    alpha: f64,
}

impl Inputs<'_> {
    fn get(&self, input: &Input) -> Extent {
        match input {
            Input::SourceGraphic | Input::SourceAlpha => self.source,
            Input::Reference(name) => self.named(name).map_or(Some(self.region), |output| output.extent),
        }
    }

    fn named(&self, name: &str) -> Option<&Output<'_>> {
        self.results.iter().rev().find(|output| output.name == name)
    }

    /// An upper bound of the alpha of an input.
    fn alpha(&self, input: &Input) -> f64 {
        match input {
            Input::SourceGraphic | Input::SourceAlpha => 1.0,
            Input::Reference(name) => self.named(name).map_or(1.0, |output| output.alpha),
        }
    }

    /// An upper bound of the alpha of the result of a primitive.
    fn alpha_of(&self, primitive: &Primitive) -> f64 {
        match primitive.kind() {
            Kind::Flood(flood) => flood.opacity().get().into(),
            Kind::Composite(composite) if composite.operator() == CompositeOperator::In => {
                self.alpha(composite.input1()) * self.alpha(composite.input2())
            }
            Kind::GaussianBlur(blur) => self.alpha(blur.input()),
            Kind::Offset(offset) => self.alpha(offset.input()),
            _ => 1.0,
        }
    }

    /// The extent of the result of a primitive: its whole subregion if it can paint where its
    /// inputs are transparent.
    fn result_of(&self, primitive: &Primitive, extent_of: &mut impl FnMut(&Group) -> Extent) -> Extent {
        let subregion = intersect(Some(rect(primitive.rect().to_rect())), Some(self.region));
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
                let std_devs = [shadow.std_dev_x().get(), shadow.std_dev_y().get()];
                let blurred = blur(input, std_devs, shadow.opacity().get().into(), self.scale);
                // Both parts are cut before they are united, so the union is tight.
                union(intersect(input, subregion), intersect(blurred.map(|extent| extent + by), subregion))
            }
            Kind::GaussianBlur(gauss) => {
                let std_devs = [gauss.std_dev_x().get(), gauss.std_dev_y().get()];
                blur(self.get(gauss.input()), std_devs, self.alpha(gauss.input()), self.scale)
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

/// The extent of the visible part of a blur of something with this alpha, at `scale` px in a unit.
fn blur(input: Extent, std_devs: [f32; 2], alpha: f64, scale: f64) -> Extent {
    // The blur of an edge is alpha · t³/6 at a distance of t widths from the end of the three
    // boxes, at most one width from it.
    let invisible = (6.0 * LEAST_ALPHA / alpha).cbrt().min(1.0);
    let [x, y] = std_devs.map(|std_dev| {
        let std_dev = f64::from(std_dev);
        (1.5 - invisible) * BOX_WIDTH * std_dev + (TAIL * std_dev).min(LONGEST_TAIL / scale)
    });
    input.map(|extent| extent.inflate(x, y))
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
