//! Whether a point of a drawing is on what an element paints.
//!
//! The shapes are those of the encoding, which has them all: outlines with their fill rules, centre
//! lines with their dashes, glyphs, markers, and clip paths. So memory is needed only for the
//! outlines of the elements that are asked about.

mod outline;

use std::collections::HashMap;
use std::sync::OnceLock;

use boxwood_anyrender::encoding::{EncodedObjects, EncodedPath, PathStyle};
use boxwood_cpu::ElementKind;
use kurbo::{Join, Point, Stroke};
use peniko::Fill;
use vello_encoding::{DrawBeginClip, DrawTag};

use crate::drawing::Drawing;
use crate::geometry::max_scale;
use crate::guard::limits::MIN_SCALE;
use crate::quirks::nonfinite_strokes;
use crate::table::{Role, Within};
use outline::{Lines, Outline, tolerance};

/// Decides whether a point is on what an element of a drawing paints.
///
/// The box of an element is only a candidate: this is the test that refines a hit. It computes the
/// outline of an element when it is first asked about it, and keeps it.
///
/// ```
/// use boxwood_cpu::{Picker, Place};
/// use boxwood_svg::{Hits, Options, load};
/// use kurbo::{Join, Point, Stroke};
///
/// let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
///     <circle cx="50" cy="50" r="50"/>
/// </svg>"#;
/// let drawing = load(svg, &Options::default())?;
/// let (boxes, hits) = (drawing.boxes(), Hits::new(&drawing));
/// let top_most = |x: f32, y: f32| {
///     let is_hit = |element, _| hits.is_hit(&drawing, element, Point::new(x.into(), y.into()), 0.0);
///     Picker::top_most(&drawing.elements, boxes, Place::Point([x, y]), is_hit)
/// };
/// assert_eq!(top_most(50.0, 50.0), Some(1));
/// assert_eq!(top_most(5.0, 5.0), None, "the corner of the box");
/// # Ok::<(), boxwood_svg::Error>(())
/// ```
///
/// # What is painted
///
/// - A fill is hit inside of its outline by its fill rule, and a stroke inside of its expanded
///   outline with dashes, caps, and joins. Texts are hit on their glyphs, and images in their
///   rectangles. As for the boxes, transparent pixels and partly transparent paint count.
/// - A clip node lets the points through that are inside of its shape.
/// - A mask lets the points through at which its contents paint something, other than black in a
///   mask by luminance. Gradients and patterns count as paint everywhere.
/// - A filter moves and adds ink, so the result of a filter is hit everywhere in the rectangle that
///   the filter can paint. The elements that it is applied to are hit there as well. The nodes
///   between them and the filter do not count.
/// - A stroke whose coordinates are too large to expand is hit everywhere in its box.
/// - Miters that are clipped at the limit (`stroke-linejoin: miter-clip`) are bevels, as in the
///   encoding.
/// - Far beyond the viewport, where outlines are cut off in the encoding, nothing is hit.
#[derive(Debug)]
pub struct Hits {
    objects: EncodedObjects,
    /// The shape of each element that was asked about.
    shapes: Vec<OnceLock<Box<Shape>>>,
    /// The other element of each begin and end. Every other element has itself.
    partners: Vec<usize>,
    /// The begins of the masks of a node, by its begin.
    masks: HashMap<usize, Vec<usize>>,
    /// The leaf of the outermost filter around a leaf.
    filters: HashMap<usize, usize>,
}

impl Hits {
    /// Reads the streams of a drawing once. No outline is computed.
    ///
    /// # Panics
    ///
    /// Panics if parts of the encoding were removed.
    pub fn new(drawing: &Drawing) -> Self {
        let n_elements = drawing.table.len();
        let mut hits = Self {
            objects: EncodedObjects::new(&drawing.encoding).expect("a loaded drawing is complete"),
            shapes: std::iter::repeat_with(OnceLock::new).take(n_elements).collect(),
            partners: (0..n_elements).collect(),
            masks: HashMap::new(),
            filters: HashMap::new(),
        };
        let (mut open, mut filter) = (Vec::new(), None);
        for (element, info) in drawing.table.iter().enumerate() {
            match drawing.elements.kind(element) {
                ElementKind::Begin => {
                    if let Some(around) = open.last().filter(|_| info.role == Role::Mask) {
                        hits.masks.entry(*around).or_default().push(element);
                    }
                    open.push(element);
                }
                ElementKind::End => {
                    if let Some(begin) = open.pop() {
                        hits.partners[begin] = element;
                        hits.partners[element] = begin;
                    }
                }
                // The contents of a filter follow its leaf.
                ElementKind::Leaf if info.within == Within::Filter => {
                    hits.filters.extend(filter.map(|filter| (element, filter)));
                }
                ElementKind::Leaf => filter = Some(element).filter(|_| info.role == Role::Filter),
                ElementKind::Nop => {}
            }
        }
        hits
    }

    /// Whether a point in scene space is on what a leaf paints, without regard to the nodes around
    /// it, or whether the node that begins at an element lets the point through. Nothing else is
    /// hit.
    ///
    /// These are the answers that a [`Picker`](boxwood_cpu::Picker) asks for, with the boxes of the
    /// drawing. The boxes are not tested here: they also exclude what lies beyond the last visible
    /// stop of a gradient.
    ///
    /// So that thin lines can be hit, a leaf that is thinner than twice `tolerance` is hit up to
    /// `tolerance` px away from its middle.
    ///
    /// # Panics
    ///
    /// May panic if this is another drawing. Otherwise the answer has no meaning then.
    pub fn is_hit(&self, drawing: &Drawing, element: usize, point: Point, tolerance: f64) -> bool {
        match drawing.elements.kind(element) {
            ElementKind::Leaf => {
                let painter = self.filters.get(&element).copied().unwrap_or(element);
                self.is_in_shape(drawing, painter, point, tolerance)
            }
            ElementKind::Begin => self.lets_through(drawing, element, point),
            ElementKind::End | ElementKind::Nop => false,
        }
    }

    /// Whether a node lets a point through: by its shape, and by its masks.
    fn lets_through(&self, drawing: &Drawing, begin: usize, point: Point) -> bool {
        let info = drawing.table[begin];
        let is_in_shape = match info.role {
            // A filter moves what the nodes inside of it let through.
            _ if info.within == Within::Filter => return true,
            // The shape of a node that does not clip is a rectangle around everything.
            Role::Blend => true,
            _ => self.is_in_shape(drawing, begin, point, 0.0),
        };
        let masks = self.masks.get(&begin).into_iter().flatten();
        is_in_shape && masks.copied().all(|mask| self.mask_shows(drawing, mask, point))
    }

    /// Whether a mask shows a point: its contents paint something there.
    fn mask_shows(&self, drawing: &Drawing, mask: usize, point: Point) -> bool {
        if !self.is_in_shape(drawing, mask, point, 0.0) {
            return false;
        }
        let blend = self.objects.draw_data(mask, &drawing.encoding).first();
        let is_luminance = blend == Some(&DrawBeginClip::LUMINANCE_MASK_BLEND_MODE);
        let (mut element, mut n_groups) = (self.partners[mask], 0_usize);
        while element > mask + 1 {
            element -= 1;
            let begin = self.partners[element];
            match drawing.elements.kind(element) {
                // A mask inside of the mask paints nothing: its node asks it.
                ElementKind::End if drawing.table[begin].role == Role::Mask => element = begin,
                ElementKind::End if !self.lets_through(drawing, begin, point) => element = begin,
                ElementKind::End => n_groups += usize::from(drawing.table[begin].role != Role::Clip),
                ElementKind::Begin => n_groups -= usize::from(drawing.table[begin].role != Role::Clip),
                ElementKind::Leaf if self.is_in_shape(drawing, element, point, 0.0) => {
                    let colour = self.solid_colour(drawing, element).map(u32::to_le_bytes);
                    match (colour, is_luminance) {
                        // Opaque black hides everything below it, unless its group is transparent.
                        (Some([0, 0, 0, 255]), true) if n_groups == 0 => return false,
                        // Transparent paint, such as the contents of a hidden filter, masks
                        // nothing.
                        (Some([_, _, _, 0]), _) | (Some([0, 0, 0, _]), true) => {}
                        _ => return true,
                    }
                }
                ElementKind::Leaf | ElementKind::Nop => {}
            }
        }
        false
    }

    /// The premultiplied colour of a leaf, from red in the lowest byte to alpha. `None` if it has
    /// more than one.
    fn solid_colour(&self, drawing: &Drawing, leaf: usize) -> Option<u32> {
        let is_solid = drawing.encoding.draw_tags[leaf] == DrawTag::COLOR;
        self.objects.draw_data(leaf, &drawing.encoding).first().copied().filter(|_| is_solid)
    }

    fn is_in_shape(&self, drawing: &Drawing, element: usize, point: Point, tolerance: f64) -> bool {
        // Without a shape, only the box is known.
        if drawing.shapeless.binary_search(&element).is_ok() {
            return true;
        }
        let shape = || Box::new(Shape::new(self.objects.path(element, &drawing.encoding)));
        self.shapes[element].get_or_init(shape).contains(point, tolerance)
    }
}

/// The shape of a leaf or node, in scene space.
#[derive(Debug)]
enum Shape {
    Fill(Outline),
    Stroke(Box<StrokeShape>),
}

/// A stroke, which is expanded once a point is near its centre line: many strokes have a box at a
/// point, and few are near it.
#[derive(Debug)]
struct StrokeShape {
    centre_line: Lines,
    /// The largest distance between the stroke and the lines, in px.
    reach: f64,
    path: EncodedPath,
    style: Stroke,
    expanded: OnceLock<Outline>,
}

impl Shape {
    fn new(path: EncodedPath) -> Self {
        match path.style {
            PathStyle::Fill(rule) => Self::Fill(Outline::new(&(path.transform * path.path), rule, None)),
            PathStyle::Stroke(ref style) => Self::Stroke(Box::new(StrokeShape::new(style.clone(), path))),
        }
    }

    fn contains(&self, point: Point, tolerance: f64) -> bool {
        match self {
            Self::Fill(outline) => outline.contains(point, tolerance),
            Self::Stroke(stroke) => {
                stroke.centre_line.are_near(point, stroke.reach + tolerance)
                    && stroke.expanded.get_or_init(|| stroke.expand()).contains(point, tolerance)
            }
        }
    }
}

impl StrokeShape {
    fn new(style: Stroke, path: EncodedPath) -> Self {
        let half_width = 0.5 * style.width * max_scale(path.transform);
        // A miter is as long as the limit allows, and the corner of a square cap is √2 half widths
        // away.
        let limit = if style.join == Join::Miter { style.miter_limit } else { 0.0 };
        // Lines that are off by a quarter of the width need few segments.
        let error = 0.25 * half_width;
        let in_scene = path.transform * &path.path;
        // A thin curve of any length gets a bounded number of lines.
        let error = error.max(tolerance(in_scene.control_box()));
        let reach = half_width * limit.max(std::f64::consts::SQRT_2) + error;
        let centre_line = Lines::new(&in_scene, error, false);
        Self { centre_line, reach, path, style, expanded: OnceLock::new() }
    }

    fn expand(&self) -> Outline {
        let EncodedPath { path, transform, .. } = &self.path;
        let scale = max_scale(*transform).max(MIN_SCALE);
        let in_scene = transform.transform_rect_bbox(path.control_box());
        let expanded = nonfinite_strokes::outline(path, &self.style, tolerance(in_scene) / scale);
        // A transform can make a stroke thinner in one direction than in the other: the determinant
        // is the product of the largest and the smallest scale.
        let least_scale = transform.determinant().abs() / scale;
        let half_thickness = 0.5 * self.style.width * least_scale;
        Outline::new(&(*transform * expanded), Fill::NonZero, Some(half_thickness))
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{Affine, BezPath, Cap};

    use super::*;

    #[test]
    fn a_stroke_that_is_not_expanded_does_not_contain_the_point() {
        let path =
            BezPath::from_svg("M10 10L90 20L20 30C120 40 120 90 20 90M50 50L60 60V70Z").expect("a path");
        let transforms = [Affine::IDENTITY, Affine::new([1.5, 0.2, -0.4, 0.3, 9.0, 5.0])];
        for (join, cap) in [(Join::Miter, Cap::Square), (Join::Round, Cap::Round), (Join::Bevel, Cap::Butt)] {
            for (width, transform) in [(0.5, transforms[0]), (6.0, transforms[0]), (9.0, transforms[1])] {
                let style = Stroke::new(width).with_join(join).with_caps(cap).with_miter_limit(20.0);
                let encoded = EncodedPath {
                    path: path.clone(),
                    transform,
                    brush_transform: transform,
                    style: PathStyle::Stroke(style.clone()),
                };
                let shape = StrokeShape::new(style, encoded);
                let outline = shape.expand();
                let (mut n_inside, mut n_rejected) = (0, 0);
                for step in 0..90_000 {
                    let at =
                        Point::new(f64::from(step % 300) * 0.7 - 20.0, f64::from(step / 300) * 0.7 - 20.0);
                    for tolerance in [0.0, 2.0] {
                        let is_inside = outline.contains(at, tolerance);
                        let is_rejected = !shape.centre_line.are_near(at, shape.reach + tolerance);
                        assert!(!(is_inside && is_rejected), "{join:?} {width} {at}");
                        n_inside += usize::from(is_inside);
                        n_rejected += usize::from(is_rejected);
                    }
                }
                assert!(n_inside > 500 && n_rejected > 2_000, "{n_inside} inside, {n_rejected} rejected");
            }
        }
    }
}
