//! usvg 0.49 cuts the filter functions of CSS, such as `blur(10px)`, at a region: the bounding box
//! with a margin that is a part of its size. It ignores them on elements without area. resvg 0.49
//! makes the shadows of `drop-shadow()` lighter: it converts their colours to sRGB, where they are
//! already.
//!
//! Filter Effects 1 (section 8) has no region for functions, and sRGB colours. So the functions
//! become `filter` elements, with regions in user space that contain their results. One element
//! stands for all functions between two references to others. The box of what the filters are
//! applied to comes from a tree without these functions.

use std::collections::HashMap;

use kurbo::{Affine, Rect, Vec2};
use svgtypes::{Color, FilterValue, FilterValueListParser, Length, LengthUnit};
use usvg::{Group, Node as UsvgNode};

use crate::css::reference_to;
use crate::css::sizes::{LengthAxis, Sizes};
use crate::css::values::{Units, Value};
use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::geometry::{affine, rect, union};
use crate::guard::limits::MAX_COPIED_BYTES;
use crate::passes::Tools;
use crate::xml::user_units;

const PROPERTY: &str = "filter";

/// The extent of the region around a blur, in standard deviations. That of a blur by three boxes is
/// 2.82, and the narrow blurs of resvg, which are recursive, end before this one.
const EXTENT_OF_BLUR: f64 = 4.0;

/// The largest coordinate of a region. A result beyond it is left to usvg.
const MAX_COORDINATE: f64 = 1e6;

/// Replaces the filter functions of all elements that are drawn.
pub(super) fn make_filters(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    if !document.elements().any(|node| node.has_attribute(PROPERTY)) {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    let of_element = |node: Node<'_>| {
        let steps = steps(node, &sizes)?;
        Some(Filtered { element: node.id(), id: node.attribute("id")?.to_owned(), steps })
    };
    let filtered: Vec<_> = document.elements().filter_map(of_element).collect();
    if filtered.is_empty() {
        return Ok(());
    }
    // The references stay: the functions after one are applied to its result.
    let mut plain = document.clone();
    for Filtered { element, steps, .. } in &filtered {
        let references: Vec<_> = steps.iter().filter_map(Step::reference).collect();
        let list = if references.is_empty() { "none".to_owned() } else { references.join(" ") };
        plain.set_attribute(*element, PROPERTY, list);
    }
    let Some(tree) = (tools.tree)(&plain) else { return Ok(()) };
    let steps = filtered.iter().map(|Filtered { id, steps, .. }| (&**id, &**steps)).collect();
    let mut regions = Regions { steps, found: HashMap::new() };
    regions.add(tree.root());

    let mut filters = Filters::default();
    for Filtered { element, id, steps } in &filtered {
        let regions = regions.found.get(&**id);
        if let Some(list) = regions.and_then(|regions| filters.list(steps, regions)) {
            document.set_attribute(*element, PROPERTY, list);
        }
    }
    filters.write(document);
    Ok(())
}

/// An element with filter functions.
struct Filtered {
    element: NodeId,
    id: String,
    steps: Vec<Step>,
}

/// A part of a list of filters.
#[derive(Debug, PartialEq)]
enum Step {
    /// A reference to a `filter` element, as usvg reads it.
    Reference(String),
    /// Functions without a reference between them.
    Functions(Vec<Function>),
}

impl Step {
    fn reference(&self) -> Option<&str> {
        if let Self::Reference(text) = self { Some(text) } else { None }
    }
}

/// A function as a filter primitive.
#[derive(Debug, PartialEq)]
enum Function {
    /// A blur with a standard deviation.
    Blur(f64),
    Shadow {
        offset: Vec2,
        std_dev: f64,
        color: String,
    },
    /// A primitive that changes colours, with its attributes.
    Colors(&'static str, Vec<(&'static str, String)>),
    /// Transfer functions of the channels, with their attributes.
    Transfer(&'static [&'static str], Vec<(&'static str, String)>),
}

/// The filters of an element. `None` if none of them is a function, or if one is not valid.
fn steps(node: Node<'_>, sizes: &Sizes<'_>) -> Option<Vec<Step>> {
    let value = node.attribute(PROPERTY)?;
    let units = sizes.units(node, LengthAxis::Diagonal);
    let mut steps = Vec::new();
    for value in FilterValueListParser::from(value) {
        let function = match value.ok()? {
            FilterValue::Url(id) => {
                steps.push(Step::Reference(reference_to(id)));
                continue;
            }
            function => Function::of(function, node, &units)?,
        };
        // One `filter` element stands for all adjacent functions, so they need one region only.
        match steps.last_mut() {
            Some(Step::Functions(functions)) => functions.push(function),
            _ => steps.push(Step::Functions(vec![function])),
        }
    }
    steps.iter().any(|step| step.reference().is_none()).then_some(steps)
}

impl Function {
    fn of(value: FilterValue<'_>, node: Node<'_>, units: &dyn Units) -> Option<Self> {
        let transfer = |channels, kind: &str, attributes: &[(&'static str, String)]| {
            let kind = [("type", kind.to_owned())].into_iter();
            Self::Transfer(channels, kind.chain(attributes.iter().cloned()).collect())
        };
        let matrix = |kind: &str, values: String| {
            Self::Colors("feColorMatrix", vec![("type", kind.to_owned()), ("values", values)])
        };
        Some(match value {
            FilterValue::Blur(std_dev) => Self::Blur(px(std_dev, units)?.max(0.0)),
            FilterValue::DropShadow { color, dx, dy, std_dev } => Self::Shadow {
                offset: Vec2::new(px(dx, units)?, px(dy, units)?),
                std_dev: px(std_dev, units)?.max(0.0),
                color: color.map_or_else(|| node.inherited("color").unwrap_or("black").to_owned(), hex),
            },
            FilterValue::Brightness(slope) => transfer(&COLORS, "linear", &[("slope", slope.to_string())]),
            FilterValue::Contrast(slope) => {
                let intercept = 0.5 - 0.5 * slope;
                let attributes = [("slope", slope.to_string()), ("intercept", intercept.to_string())];
                transfer(&COLORS, "linear", &attributes)
            }
            FilterValue::Invert(amount) => {
                transfer(&COLORS, "table", &[("tableValues", format!("{amount} {}", 1.0 - amount))])
            }
            FilterValue::Opacity(amount) => {
                transfer(&["feFuncA"], "table", &[("tableValues", format!("0 {amount}"))])
            }
            FilterValue::Saturate(amount) => matrix("saturate", amount.to_string()),
            FilterValue::HueRotate(angle) => matrix("hueRotate", angle.to_degrees().to_string()),
            FilterValue::Grayscale(amount) => matrix("matrix", mixed(GRAY, amount)),
            FilterValue::Sepia(amount) => matrix("matrix", mixed(SEPIA, amount)),
            FilterValue::Url(_) => return None,
        })
    }

    /// The extent of its result.
    fn region(&self, source: Rect) -> Rect {
        let blurred = |std_dev: f64| source.inflate(EXTENT_OF_BLUR * std_dev, EXTENT_OF_BLUR * std_dev);
        match self {
            Self::Blur(std_dev) => blurred(*std_dev),
            Self::Shadow { offset, std_dev, .. } => source.union(blurred(*std_dev) + *offset),
            Self::Colors(..) | Self::Transfer(..) => source,
        }
    }

    /// Adds its primitives to a filter. `source` is the name of the result before it, and `result`
    /// that of its own result.
    fn write(&self, filter: NodeId, source: &str, result: &str, document: &mut Document) {
        let ends = [("in", source), ("result", result)];
        match self {
            Self::Blur(std_dev) => {
                let std_dev = std_dev.to_string();
                let attributes = [&ends[..], &[("stdDeviation", &*std_dev)]].concat();
                document.append_element(filter, "feGaussianBlur", &attributes);
            }
            Self::Shadow { offset, std_dev, color } => {
                let [dx, dy, std_dev] = [offset.x, offset.y, *std_dev].map(|length| length.to_string());
                // The colour comes before the blur, so that the extent of the blur depends on its
                // opacity.
                document.append_element(filter, "feFlood", &[("flood-color", color)]);
                document.append_element(filter, "feComposite", &[("operator", "in"), ("in2", source)]);
                document.append_element(filter, "feGaussianBlur", &[("stdDeviation", &std_dev)]);
                let shadow = format!("{result}-shadow");
                let attributes = [("dx", &*dx), ("dy", &dy), ("result", &shadow)];
                document.append_element(filter, "feOffset", &attributes);
                let merge = document.append_element(filter, "feMerge", &[("result", result)]);
                document.append_element(merge, "feMergeNode", &[("in", &shadow)]);
                document.append_element(merge, "feMergeNode", &[("in", source)]);
            }
            Self::Colors(tag, attributes) => {
                document.append_element(filter, tag, &[&ends[..], &borrowed(attributes)].concat());
            }
            Self::Transfer(channels, attributes) => {
                let primitive = document.append_element(filter, "feComponentTransfer", &ends);
                for channel in *channels {
                    document.append_element(primitive, channel, &borrowed(attributes));
                }
            }
        }
    }
}

/// The transfer functions of all colours.
const COLORS: [&str; 3] = ["feFuncR", "feFuncG", "feFuncB"];

/// The matrices of `grayscale(1)` and `sepia(1)` (Filter Effects 1, section 8.1).
const GRAY: [[f64; 3]; 3] = [[0.2126, 0.7152, 0.0722]; 3];
const SEPIA: [[f64; 3]; 3] = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];

/// The values of a colour matrix between the identity and another one.
fn mixed(matrix: [[f64; 3]; 3], amount: f64) -> String {
    let rows = matrix.iter().zip(0..).map(|(row, y)| {
        let values = row.iter().zip(0..).map(|(value, x)| {
            let identity = if x == y { 1.0 } else { 0.0 };
            (identity + (value - identity) * amount).to_string()
        });
        values.collect::<Vec<_>>().join(" ") + " 0 0 "
    });
    rows.collect::<String>() + "0 0 0 1 0"
}

fn borrowed<'a>(attributes: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    attributes.iter().map(|(name, value)| (*name, &**value)).collect()
}

fn hex(Color { red, green, blue, alpha }: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}")
}

/// A length in px. `None` for a percentage, which is not valid.
fn px(length: Length, units: &dyn Units) -> Option<f64> {
    let px = match length.unit {
        LengthUnit::Em => units.px(Value::of_em(length.number)),
        LengthUnit::Ex => length.number * units.px(units.unit("ex")?),
        unit => length.number * user_units(unit)?,
    };
    px.is_finite().then_some(px)
}

/// Finds the regions of functions.
struct Regions<'d> {
    /// The filters of elements, by id.
    steps: HashMap<&'d str, &'d [Step]>,
    /// The regions of the functions of these, in the user space of each element. Those of an
    /// element that is drawn more than once contain all of its results.
    found: HashMap<&'d str, Vec<Rect>>,
}

impl Regions<'_> {
    /// Adds the nodes in a group. Returns the extent of everything that they paint, in the space of
    /// the contents.
    fn add(&mut self, group: &Group) -> Option<Rect> {
        // usvg keeps the id of a shape inside of the group that has its filters.
        let around = if group.id().is_empty() { regions(group) } else { None };
        group.children().iter().fold(None, |all, node| union(all, self.add_node(node, around)))
    }

    /// Adds a node. `around` is the region of the filters of the group around it, which may be its
    /// own. Returns the extent of everything that the node paints, in the space of its parent.
    fn add_node(&mut self, node: &UsvgNode, around: Option<Rect>) -> Option<Rect> {
        // The contents of masks and patterns have filters too, but they paint nothing here.
        node.subroots(|root| _ = self.add(root));
        match node {
            UsvgNode::Group(group) => {
                let contents = self.add(group);
                let regions = regions(group);
                // A filter may paint in all of its region.
                let source = if regions.is_some() { union(contents, regions) } else { contents };
                let result = self.apply(group.id(), source)?;
                let parent_from_group: Affine = affine(group.transform());
                Some(parent_from_group.transform_rect_bbox(result))
            }
            UsvgNode::Path(_) | UsvgNode::Image(_) | UsvgNode::Text(_) => {
                let mut own = Some(rect(node.stroke_bounding_box()));
                // The stroke box of a text is that of its cells. Glyphs may extend beyond these.
                if let UsvgNode::Text(text) = node {
                    own = union(own, Some(rect(text.flattened().stroke_bounding_box())));
                }
                self.apply(node.id(), union(own, around))
            }
        }
    }

    /// The extent of the result of the filters of the element with an id.
    fn apply(&mut self, id: &str, source: Option<Rect>) -> Option<Rect> {
        let Some((id, steps)) = self.steps.get_key_value(id) else { return source };
        // A function of nothing is nothing.
        let mut extent = source?;
        let known = self.found.entry(id).or_default();
        let functions = steps.iter().filter_map(|step| match step {
            Step::Functions(functions) => Some(functions),
            Step::Reference(_) => None,
        });
        for (index, functions) in functions.enumerate() {
            extent = functions.iter().fold(extent, |extent, function| function.region(extent));
            // Known regions are those of the same element at another place where it is drawn.
            match known.get_mut(index) {
                Some(known) => *known = known.union(extent),
                None => known.push(extent),
            }
        }
        Some(extent)
    }
}

/// The union of the regions of the filters of a group.
fn regions(group: &Group) -> Option<Rect> {
    group.filters().iter().fold(None, |all, filter| union(all, Some(rect(filter.rect().to_rect()))))
}

/// The filters of a document, in the order of their ids.
#[derive(Default)]
struct Filters<'s> {
    filters: Vec<(Rect, &'s [Function])>,
    n_bytes: usize,
}

impl<'s> Filters<'s> {
    fn id(index: usize) -> String {
        format!("boxwood-filter-{index}")
    }

    /// The list of filters for some steps, with these regions of its functions. `None` if they are
    /// too large.
    fn list(&mut self, steps: &'s [Step], regions: &[Rect]) -> Option<String> {
        let is_valid = |region: &Rect| {
            let Rect { x0, y0, x1, y1 } = *region;
            [x0, y0, x1, y1].iter().all(|v| v.abs() <= MAX_COORDINATE) && region.area() > 0.0
        };
        // The primitives of a function have about 400 bytes.
        self.n_bytes += steps
            .iter()
            .map(|step| if let Step::Functions(f) = step { 400 * f.len() } else { 0 })
            .sum::<usize>();
        if !regions.iter().all(is_valid) || self.n_bytes > MAX_COPIED_BYTES {
            return None;
        }
        // Only functions have regions, in the order of the list.
        let mut regions = regions.iter();
        let list = steps.iter().map(|step| match step {
            Step::Reference(text) => Some(text.clone()),
            Step::Functions(functions) => {
                self.filters.push((*regions.next()?, functions));
                Some(format!("url(#{})", Self::id(self.filters.len() - 1)))
            }
        });
        Some(list.collect::<Option<Vec<_>>>()?.join(" "))
    }

    /// Adds them at the end of the document.
    fn write(&self, document: &mut Document) {
        let root = document.root_element().id();
        for (index, (region, functions)) in self.filters.iter().enumerate() {
            let id = Self::id(index);
            let [x, y, width, height] =
                [region.x0, region.y0, region.width(), region.height()].map(|length| length.to_string());
            let attributes = [
                ("id", &*id),
                ("filterUnits", "userSpaceOnUse"),
                ("x", &x),
                ("y", &y),
                ("width", &width),
                ("height", &height),
                ("color-interpolation-filters", "sRGB"),
            ];
            let filter = document.append_element(root, PROPERTY, &attributes);
            // The names are explicit, because the primitives of a shadow refer to its source twice.
            let mut source = "SourceGraphic".to_owned();
            for (index, function) in functions.iter().enumerate() {
                let result = format!("result-{index}");
                function.write(filter, &source, &result, document);
                source = result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Pixmap, Transform};
    use usvg::Node as UsvgNode;

    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_has_regions_for_functions() {
        let cut = tree("<rect width='9' height='9' style='filter:drop-shadow(50px 0 0 red)'/>");
        assert_eq!(cut.root().layer_bounding_box().right(), 13.5, "the shadow is at 50");
        let line = tree("<path d='M1 1H9' stroke='red' style='filter:grayscale(1)'/>");
        assert!(matches!(line.root().children(), [UsvgNode::Path(_)]), "{line:?}");
    }

    #[test]
    fn resvg_still_converts_the_colors_of_shadows() {
        let shadow = tree("<rect width='9' height='9' style='filter:drop-shadow(4px 0 0 #808080)'/>");
        let mut pixmap = Pixmap::new(20, 20).expect("it has pixels");
        resvg::render(&shadow, Transform::identity(), &mut pixmap.as_mut());
        assert_eq!(pixmap.pixel(11, 4).map(|pixel| pixel.red()), Some(0xbc), "it is 0x80 in sRGB");
    }
}
