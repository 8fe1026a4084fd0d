//! What a filter can ink.

use boxwood_cpu::Aabb;
use kurbo::{Affine, Rect, Vec2};
use usvg::Group;
use usvg::filter::{
    ColorMatrixKind, CompositeOperator, ConvolveMatrix, EdgeMode, Filter, Input, Kind, MorphologyOperator,
    Primitive, TransferFunction,
};

use crate::displacement;
use crate::flatten::Walk;
use crate::path::{area, max_scale, rect, rect_box};

/// How far a blur reaches, in standard deviations: three box blurs reach 2.82 and half a pixel each.
const BLUR_REACH: f64 = 3.2;

/// Narrow blurs have longer tails where they are done recursively: so much more, in standard deviations.
const TAIL: f64 = 0.8;

/// The most that those tails reach further, in pixels at 100 %.
const LONGEST_TAIL: f64 = 2.0;

/// The most pixels that a convolution which is bounded by its kernel reaches in any direction.
const LARGEST_REACH: f64 = 2.0;

impl Walk {
    /// The box of what the filters of a group can ink, before the group's clip path and mask.
    pub(crate) fn filtered_box(&mut self, group: &Group, scene_from_group: Affine) -> Aabb {
        let extent = self.filtered_extent(group, scene_from_group);
        extent.map_or(Aabb::EMPTY, |extent| rect_box(extent, scene_from_group))
    }

    /// The extent of what the filters of a group can ink, in the user space of the group, in which filters work.
    pub(crate) fn filtered_extent(&mut self, group: &Group, scene_from_group: Affine) -> Extent {
        let contents = self.extent_of_contents(group, pixel(scene_from_group));
        group.filters().iter().fold(contents, |source, filter| self.through(filter, source, scene_from_group))
    }

    /// The extent of what is in a group, in its user space. That of what is filtered in there depends on the size of a pixel.
    fn extent_of_contents(&mut self, group: &Group, pixel: Vec2) -> Extent {
        let contents = self.contents_box(group, Affine::scale_non_uniform(pixel.x.recip(), pixel.y.recip()));
        let user_from_canvas = Affine::scale_non_uniform(pixel.x, pixel.y);
        area(contents).map(|extent| user_from_canvas.transform_rect_bbox(extent))
    }

    /// The extent of a filter's result.
    fn through(&mut self, filter: &Filter, source: Extent, scene_from_group: Affine) -> Extent {
        let region = rect(filter.rect());
        let pixel = pixel(scene_from_group);
        let scale = max_scale(scene_from_group).max(1e-9);
        let source = intersect(source, Some(region));
        let mut results: Vec<(&str, Extent)> = Vec::new();
        for primitive in filter.primitives() {
            let image = match primitive.kind() {
                Kind::Image(image) => self.extent_of_contents(image.root(), pixel),
                _ => None,
            };
            let inputs = Inputs { source, image, region, scale, pixel, results: &results };
            let result = inputs.through(primitive);
            results.push((primitive.result(), result));
        }
        results.last().and_then(|(_, result)| *result)
    }
}

/// How many units of a group's user space a pixel is at 100 %, across and down. resvg filters on a canvas along the axes of that
/// space.
fn pixel(scene_from_group: Affine) -> Vec2 {
    let [a, b, c, d, ..] = scene_from_group.as_coeffs();
    let units = |scale: f64| scale.max(1e-9).recip();
    Vec2::new(units(a.hypot(b)), units(c.hypot(d)))
}

/// A rectangle, or nothing: the identity of the union.
pub(crate) type Extent = Option<Rect>;

/// What a primitive may read.
struct Inputs<'f> {
    source: Extent,
    /// What an `feImage` refers to, in the user space of that.
    image: Extent,
    region: Rect,
    /// How many pixels a unit is at 100 %, at most.
    scale: f64,
    /// How many units a pixel is at 100 %, across and down.
    pixel: Vec2,
    results: &'f [(&'f str, Extent)],
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

    /// The extent of the result of a primitive. Where it can ink what was transparent, that is its whole subregion.
    fn through(&self, primitive: &Primitive) -> Extent {
        let subregion = intersect(Some(rect(primitive.rect())), Some(self.region));
        let result = match primitive.kind() {
            Kind::Blend(blend) => union(self.get(blend.input1()), self.get(blend.input2())),
            Kind::ColorMatrix(matrix) => match matrix.kind() {
                // What is added to alpha.
                ColorMatrixKind::Matrix(m) if m.get(19).is_none_or(|offset| *offset > 0.0) => subregion,
                _ => self.get(matrix.input()),
            },
            Kind::ComponentTransfer(transfer) if is_zero_at_zero(transfer.func_a()) => {
                self.get(transfer.input())
            }
            Kind::Composite(composite) => {
                let (a, b) = (self.get(composite.input1()), self.get(composite.input2()));
                match composite.operator() {
                    CompositeOperator::Over | CompositeOperator::Xor | CompositeOperator::Lighter => {
                        union(a, b)
                    }
                    CompositeOperator::In => intersect(a, b),
                    CompositeOperator::Out => a,
                    CompositeOperator::Atop => b,
                    CompositeOperator::Arithmetic { k4, .. } if k4 > 0.0 => subregion,
                    CompositeOperator::Arithmetic { k2, k3, .. } => match (k2 > 0.0, k3 > 0.0) {
                        (false, false) => intersect(a, b),
                        (true, false) => a,
                        (false, true) => b,
                        (true, true) => union(a, b),
                    },
                }
            }
            Kind::ConvolveMatrix(convolve) if convolve.preserve_alpha() => self.get(convolve.input()),
            Kind::ConvolveMatrix(convolve) => match kernel_reach(convolve) {
                Some([left, above, right, below]) => self.get(convolve.input()).map(|extent| {
                    let Vec2 { x, y } = self.pixel;
                    Rect::new(
                        extent.x0 - left * x,
                        extent.y0 - above * y,
                        extent.x1 + right * x,
                        extent.y1 + below * y,
                    )
                }),
                None => subregion,
            },
            Kind::DisplacementMap(map) => {
                let reach = displacement::reach(map.scale());
                self.get(map.input1()).map(|extent| extent.inflate(reach, reach))
            }
            Kind::DropShadow(shadow) => {
                let input = self.get(shadow.input());
                let by = Vec2::new(shadow.dx().into(), shadow.dy().into());
                let blurred = blur(input, shadow.std_dev_x().get(), shadow.std_dev_y().get(), self.scale);
                // What is cut off must not loosen the union.
                union(intersect(input, subregion), intersect(blurred.map(|extent| extent + by), subregion))
            }
            Kind::GaussianBlur(gauss) => {
                blur(self.get(gauss.input()), gauss.std_dev_x().get(), gauss.std_dev_y().get(), self.scale)
            }
            Kind::Merge(merge) => merge.inputs().iter().map(|input| self.get(input)).fold(None, union),
            Kind::Morphology(morphology) => {
                let input = self.get(morphology.input());
                let radius = |r: usvg::PositiveF32| f64::from(r.get());
                match morphology.operator() {
                    MorphologyOperator::Erode => input,
                    MorphologyOperator::Dilate => input.map(|extent| {
                        extent.inflate(radius(morphology.radius_x()), radius(morphology.radius_y()))
                    }),
                }
            }
            Kind::Offset(offset) => {
                let by = Vec2::new(offset.dx().into(), offset.dy().into());
                // resvg does not cut an offset to its subregion.
                return intersect(self.get(offset.input()).map(|extent| extent + by), Some(self.region));
            }
            // resvg draws it from the corner of the subregion on, in whole pixels; other renderers draw elements where they are.
            Kind::Image(_) => {
                let corner = Vec2::new(primitive.rect().x().into(), primitive.rect().y().into());
                let drawn = self.image.map(|extent| (extent + corner).union(extent + (corner - self.pixel)));
                union(intersect(self.image, subregion), intersect(drawn, subregion))
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

fn union(a: Extent, b: Extent) -> Extent {
    a.into_iter().chain(b).reduce(|a, b| a.union(b))
}

fn intersect(a: Extent, b: Extent) -> Extent {
    a.zip(b).map(|(a, b)| a.intersect(b)).filter(|extent| extent.area() > 0.0)
}

/// The extent of a blur, `scale` pixels a unit.
fn blur(input: Extent, std_dev_x: f32, std_dev_y: f32, scale: f64) -> Extent {
    let reach = |std_dev: f32| {
        let std_dev = f64::from(std_dev);
        BLUR_REACH * std_dev + (TAIL * std_dev).min(LONGEST_TAIL / scale)
    };
    input.map(|extent| extent.inflate(reach(std_dev_x), reach(std_dev_y)))
}

/// How many pixels a convolution inks beyond its input, to the left, above, to the right and below. `None` if that may be all: it
/// adds to alpha, goes on at the other side, or is large.
///
/// The pixels are those of whatever scale resvg draws at, and boxes know those of 100 % only; a small kernel is not far off at
/// another.
fn kernel_reach(convolve: &ConvolveMatrix) -> Option<[f64; 4]> {
    let kernel = convolve.matrix();
    let (x, y) = (f64::from(kernel.target_x()), f64::from(kernel.target_y()));
    let last = |n: u32| f64::from(n) - 1.0;
    let reach = [last(kernel.columns()) - x, last(kernel.rows()) - y, x, y];
    let is_local = convolve.bias() <= 0.0 && convolve.edge_mode() != EdgeMode::Wrap;
    (is_local && reach.iter().all(|pixels| *pixels <= LARGEST_REACH)).then_some(reach)
}

/// Whether what is transparent stays so.
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
