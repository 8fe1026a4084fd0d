//! The sizes that relative units refer to: fonts and viewports.

use std::rc::Rc;

use crate::dom::{Document, Node};
use svgtypes::ViewBox;

use crate::css::values::split;
use crate::css::values::{Units, Value, absolute_unit, angle, evaluate};

/// The size of the font of the root, in px: `medium` of CSS in browsers.
pub(crate) const DEFAULT_FONT_SIZE: f32 = 16.0;

/// The keywords of `font-size`, and the sizes that browsers make of them. CSS Fonts 4 (section
/// 2.5.1) relates them to `medium` by fractions.
const SIZES: [(&str, f64); 8] = [
    ("xx-small", 9.0),
    ("x-small", 10.0),
    ("small", 13.0),
    ("medium", 16.0),
    ("large", 18.0),
    ("x-large", 24.0),
    ("xx-large", 32.0),
    ("xxx-large", 48.0),
];

/// Whether a word in lower case is a keyword for a size.
pub(crate) fn is_size_keyword(word: &str) -> bool {
    SIZES.iter().any(|(name, _)| *name == word)
}

/// The factor between adjacent sizes that `larger` and `smaller` stand for.
const STEP: f64 = 1.2;

/// The viewport of a document without a valid `viewBox`, as in usvg.
const DEFAULT_VIEWPORT: [f64; 2] = [100.0; 2];

/// Sizes of a font, relative to the font size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FontMetrics {
    /// The advance of `0`.
    pub(crate) ch: f64,
    /// The height of `x`.
    pub(crate) ex: f64,
    /// The height of `H`.
    pub(crate) cap: f64,
    /// The height of a line, from the ascent to the descent.
    pub(crate) line: f64,
}

/// Measures the first available font of a list of families.
pub(crate) type Measure<'a> = &'a dyn Fn(&str) -> FontMetrics;

/// What a percentage is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LengthAxis {
    X,
    Y,
    /// SVG 2, section 8.9: the diagonal of the viewport over √2.
    Diagonal,
}

impl LengthAxis {
    /// The axis of an attribute.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "x" | "x1" | "x2" | "cx" | "fx" | "dx" | "rx" | "refX" | "width" | "markerWidth" => Self::X,
            "y" | "y1" | "y2" | "cy" | "fy" | "dy" | "ry" | "refY" | "height" | "markerHeight" => Self::Y,
            _ => Self::Diagonal,
        }
    }
}

/// The sizes around the elements of a document, which are added parents first.
pub(crate) struct Sizes<'a> {
    measure: Measure<'a>,
    /// The size of the root's viewport in px.
    pub(crate) root: [f64; 2],
    root_font_size: f64,
    /// What the children of each node inherit, if it was added.
    inherited: Vec<Option<Inherited>>,
}

/// The font of an element, and the size of the viewport around its children in user units.
#[derive(Clone, Debug)]
struct Inherited {
    font_size: f64,
    families: Rc<str>,
    viewport: [f64; 2],
}

/// The units of the declarations of an element.
pub(crate) struct ElementUnits<'a> {
    sizes: &'a Sizes<'a>,
    font_size: f64,
    families: Rc<str>,
    /// What 100 % is.
    whole: f64,
}

impl<'a> Sizes<'a> {
    pub(crate) fn new(document: &Document, measure: Measure<'a>) -> Self {
        let root = view_box(document.root_element()).unwrap_or(DEFAULT_VIEWPORT);
        Self { measure, root, root_font_size: DEFAULT_FONT_SIZE.into(), inherited: Vec::new() }
    }

    /// The sizes around all elements of a document whose lengths are plain.
    pub(crate) fn of_document(document: &Document, measure: Measure<'a>) -> Self {
        let mut sizes = Self::new(document, measure);
        for node in document.elements() {
            sizes.add(node);
            if node.has_tag("svg") {
                sizes.set_viewport(node, ["width", "height"].map(|name| node.attribute(name)));
            }
        }
        sizes
    }

    /// What the children of an element inherit, if it was added.
    fn of(&self, node: Node<'_>) -> Option<&Inherited> {
        self.inherited.get(node.id().index())?.as_ref()
    }

    /// What an element inherits.
    fn around(&self, node: Node<'_>) -> Inherited {
        let parent = node.parent_element().and_then(|parent| self.of(parent));
        parent.cloned().unwrap_or_else(|| Inherited {
            font_size: DEFAULT_FONT_SIZE.into(),
            families: Rc::from(""),
            viewport: self.root,
        })
    }

    /// Adds an element with its font. Returns its font size if usvg computes another one.
    pub(crate) fn add(&mut self, node: Node<'_>) -> Option<f64> {
        let mut inherited = self.around(node);
        let size = self.font_size(node);
        if let Some(families) = node.attribute("font-family").filter(|families| *families != "inherit") {
            inherited.families = families.into();
        }
        if let Some((size, _)) = size {
            inherited.font_size = size;
        }
        if node.parent_element().is_none() {
            self.root_font_size = inherited.font_size;
        }
        let index = node.id().index();
        if index >= self.inherited.len() {
            self.inherited.resize(index + 1, None);
        }
        self.inherited[index] = Some(inherited);
        size.filter(|(_, is_usual)| !is_usual).map(|(size, _)| size)
    }

    /// The font size that a declaration or attribute sets, and whether usvg computes the same.
    fn font_size(&self, node: Node<'_>) -> Option<(f64, bool)> {
        let Inherited { font_size: parent, families, .. } = self.around(node);
        let units = ElementUnits { sizes: self, font_size: parent, families, whole: parent };
        let size = |text: &str| {
            let text = text.trim();
            let keyword = SIZES.iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
            match (keyword, text) {
                (Some((_, size)), _) => Some((*size, false)),
                // What usvg makes of these words depends on where they are.
                (None, "inherit" | "unset" | "revert") => Some((parent, false)),
                (None, "initial") => Some((DEFAULT_FONT_SIZE.into(), false)),
                (None, "larger") => Some((parent * STEP, true)),
                (None, "smaller") => Some((parent / STEP, true)),
                (None, _) => Some((units.px(evaluate(text, &units)?), is_usual(text))),
            }
        };
        let found = size(node.attribute("font-size")?);
        found.filter(|(size, _)| size.is_finite() && *size >= 0.0)
    }

    /// Sets the viewport of an `svg` element by the final values of its width and height.
    pub(crate) fn set_viewport(&mut self, svg: Node<'_>, size: [Option<&str>; 2]) {
        let around = self.viewport(svg);
        let used = [("width", size[0]), ("height", size[1])].map(|(name, text)| {
            let units = self.units(svg, LengthAxis::of(name));
            Some(units.px(evaluate(text?, &units)?)).filter(|size| *size > 0.0)
        });
        let view_box = view_box(svg);
        let is_root = svg.parent_element().is_none();
        let used = match (used, view_box) {
            ([Some(w), None], Some([vw, vh])) if is_root && size[1].is_none() => [w, vh * w / vw],
            ([None, Some(h)], Some([vw, vh])) if is_root && size[0].is_none() => [vw * h / vh, h],
            ([w, h], _) => [w.unwrap_or(around[0]), h.unwrap_or(around[1])],
        };
        if is_root {
            self.root = used;
        }
        if let Some(Some(inherited)) = self.inherited.get_mut(svg.id().index()) {
            inherited.viewport = view_box.unwrap_or(used);
        }
    }

    /// The size of the viewport around an element.
    pub(crate) fn viewport(&self, node: Node<'_>) -> [f64; 2] {
        self.around(node).viewport
    }

    /// The units of an element that was added.
    pub(crate) fn units(&self, node: Node<'_>, axis: LengthAxis) -> ElementUnits<'_> {
        let around = self.around(node);
        let [width, height] = around.viewport;
        let whole = match axis {
            LengthAxis::X => width,
            LengthAxis::Y => height,
            LengthAxis::Diagonal => width.hypot(height) / std::f64::consts::SQRT_2,
        };
        let Inherited { font_size, families, .. } = self.of(node).cloned().unwrap_or(around);
        ElementUnits { sizes: self, font_size, families, whole }
    }

    /// A length in px that is an attribute of an element. `None` if it is missing or invalid.
    pub(crate) fn length(&self, node: Node<'_>, name: &str) -> Option<f64> {
        let units = self.units(node, LengthAxis::of(name));
        Some(units.px(evaluate(node.attribute(name)?, &units)?))
    }
}

impl ElementUnits<'_> {
    /// The metrics of the font.
    pub(crate) fn metrics(&self) -> FontMetrics {
        (self.sizes.measure)(&self.families)
    }

    /// The size of the font in px.
    pub(crate) fn font_size(&self) -> f64 {
        self.font_size
    }

    /// The same units, with percentages of the font size.
    pub(crate) fn relative_to_font(self) -> Self {
        let whole = self.font_size;
        self.relative_to(whole)
    }

    /// The same units, with another size for percentages.
    pub(crate) fn relative_to(self, whole: f64) -> Self {
        Self { whole, ..self }
    }
}

impl Units for ElementUnits<'_> {
    fn unit(&self, name: &str) -> Option<Value> {
        let [width, height] = self.sizes.root;
        let in_px = match name {
            "rem" => self.sizes.root_font_size,
            "vw" | "svw" | "lvw" | "dvw" | "vi" => width / 100.0,
            "vh" | "svh" | "lvh" | "dvh" | "vb" => height / 100.0,
            "vmin" => width.min(height) / 100.0,
            "vmax" => width.max(height) / 100.0,
            // usvg takes the font size of the place where an element is used. CJK characters are as
            // wide as the font size.
            "em" | "ic" => return Some(Value::of_em(1.0)),
            "ch" => return Some(Value::of_em(self.metrics().ch)),
            "ex" => return Some(Value::of_em(self.metrics().ex)),
            "cap" => return Some(Value::of_em(self.metrics().cap)),
            _ => match absolute_unit(name) {
                Some(in_px) => in_px,
                None => return angle(name).map(Value::of_degrees),
            },
        };
        Some(Value::of_px(in_px))
    }

    fn px(&self, value: Value) -> f64 {
        value.number + value.px + value.em * self.font_size + value.percent / 100.0 * self.whole
    }
}

/// Whether usvg reads a value as browsers do. It may be a list of lengths.
pub(crate) fn is_usual(text: &str) -> bool {
    split(text, |c| c.is_whitespace() || c == ',').into_iter().all(|part| {
        let is_number = part.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
        let usual = !part.contains("ex") && part.parse::<svgtypes::Length>().is_ok();
        if is_number { usual } else { !part.contains('(') }
    })
}

/// The size of the `viewBox` of an element.
fn view_box(svg: Node<'_>) -> Option<[f64; 2]> {
    let ViewBox { w, h, .. } = svg.attribute("viewBox")?.parse().ok()?;
    Some([w, h])
}
