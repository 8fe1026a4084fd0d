//! How sources are painted: fills, strokes, fonts, and the compositing of groups.

mod nodes;
mod servers;
#[cfg(feature = "text")]
mod texts;

use usvg::{FillRule, Group, LineCap, LineJoin, Node};

use crate::drawing::Drawing;
use crate::placed::Places;
use crate::table::SourceKind;

/// How a source is painted. Clip paths, masks and filters are not part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The opacity of the element as a group.
    pub opacity: f32,
    /// Its blend mode as CSS writes it, such as `normal`.
    pub blend_mode: String,
    /// Whether the property `isolation` isolates it.
    pub is_isolated: bool,
    /// The paints of a shape, or the different ones of the runs of a text. Empty for groups and
    /// images, and for a text without glyphs. The paints of markers are not among them.
    pub paints: Vec<Paints>,
}

/// The paints of a shape, or of a run of glyphs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paints {
    /// The paint of the interior.
    pub fill: Option<FillStyle>,
    /// The paint of the outline.
    pub stroke: Option<StrokeStyle>,
    /// The font of a run of glyphs, if it is known.
    pub font: Option<FontStyle>,
}

/// How the interior of a shape is painted.
#[derive(Clone, Debug, PartialEq)]
pub struct FillStyle {
    /// What it is painted with.
    pub paint: PaintStyle,
    /// The opacity, with that of the colour.
    pub opacity: f32,
    /// The fill rule as SVG writes it: `nonzero` or `evenodd`.
    pub rule: &'static str,
}

/// How the outline of a shape is painted. Lengths are in the user space of the element.
#[derive(Clone, Debug, PartialEq)]
pub struct StrokeStyle {
    /// What it is painted with.
    pub paint: PaintStyle,
    /// The opacity, with that of the colour.
    pub opacity: f32,
    /// The width.
    pub width: f32,
    /// The lengths of dashes and gaps, alternately. Empty for a solid line.
    pub dashes: Vec<f32>,
    /// The distance into the dashes at which the outline starts.
    pub dash_offset: f32,
    /// The shape of ends as SVG writes it, such as `butt`.
    pub cap: &'static str,
    /// The shape of corners as SVG writes it, such as `miter`.
    pub join: &'static str,
    /// The maximum length of a miter, relative to the width.
    pub miter_limit: f32,
}

/// What a fill or stroke is painted with.
#[derive(Clone, Debug, PartialEq)]
pub enum PaintStyle {
    /// A colour: red, green, and blue, in sRGB.
    Color([u8; 3]),
    /// A linear gradient.
    LinearGradient {
        /// The id of its element. Empty if it is not known.
        id: String,
        /// The colours along the line.
        stops: Vec<GradientStop>,
    },
    /// A radial gradient.
    RadialGradient {
        /// The id of its element. Empty if it is not known.
        id: String,
        /// The colours from the inside to the outside.
        stops: Vec<GradientStop>,
    },
    /// A pattern.
    Pattern {
        /// The id of its element. Empty if it is not known.
        id: String,
    },
}

/// A colour of a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientStop {
    /// The place, from 0 to 1.
    pub offset: f32,
    /// Red, green, and blue, in sRGB.
    pub color: [u8; 3],
    /// The opacity.
    pub opacity: f32,
}

/// The font of a run of glyphs.
#[derive(Clone, Debug, PartialEq)]
pub struct FontStyle {
    /// The families that the element asks for, in the order of preference, as CSS writes them. An
    /// element that names none asks for `Times New Roman`.
    pub families: Vec<String>,
    /// The families of the fonts that its glyphs come from. Empty if they are not known.
    pub used_families: Vec<String>,
    /// The size in the user space of the element.
    pub size: f32,
    /// The weight, from 1 to 1000.
    pub weight: u16,
    /// The style as CSS writes it: `normal`, `italic` or `oblique`.
    pub style: &'static str,
}

/// A shape, or a run of glyphs.
struct Run {
    paints: Paints,
    /// The element in the document whose properties paint it, if it is known.
    element: Option<u32>,
}

/// How a [source](Drawing::sources), which is an index, is painted.
///
/// This walks the tree.
///
/// # Panics
///
/// If there is no such source.
pub fn style(drawing: &Drawing, source: u32) -> Style {
    let kind = drawing.sources[source as usize].kind;
    let origin = &drawing.origins[source as usize];
    let root = drawing.tree.root();
    let node = Places::new(&drawing.tree, &drawing.document).of(origin.node).map(|place| place.node);
    let mut runs = match (kind, node) {
        (SourceKind::Path, Some(node)) => {
            vec![Run { paints: nodes::paints(node), element: Some(origin.element) }]
        }
        (SourceKind::Text | SourceKind::TextPart, Some(node)) => {
            #[cfg(feature = "text")]
            let runs = nodes::text(node).map(|text| texts::runs(drawing, text, origin.element));
            // usvg has no texts in its tree.
            #[cfg(not(feature = "text"))]
            let runs = nodes::text(node).map(|_| Vec::new());
            runs.unwrap_or_default()
        }
        _ => Vec::new(),
    };
    servers::name(drawing, source, &mut runs);
    let mut paints: Vec<Paints> = Vec::new();
    for run in runs {
        if !paints.contains(&run.paints) {
            paints.push(run.paints);
        }
    }
    let group = match (kind, node, root.children()) {
        (SourceKind::TextPart, ..) => None,
        // usvg puts a group around everything for the effects of the root.
        (SourceKind::Svg, _, [Node::Group(whole)]) => {
            Some(&**whole).filter(|whole| whole.id().is_empty() && whole.should_isolate())
        }
        (_, Some(Node::Group(group)), _) => Some(&**group),
        _ => None,
    };
    Style {
        opacity: group.map_or(1.0, |group| group.opacity().get()),
        blend_mode: group.map(Group::blend_mode).unwrap_or_default().to_string(),
        is_isolated: group.is_some_and(Group::isolate),
        paints,
    }
}

impl From<&usvg::Fill> for FillStyle {
    fn from(fill: &usvg::Fill) -> Self {
        let rule = match fill.rule() {
            FillRule::NonZero => "nonzero",
            FillRule::EvenOdd => "evenodd",
        };
        Self { paint: fill.paint().into(), opacity: fill.opacity().get(), rule }
    }
}

impl From<&usvg::Stroke> for StrokeStyle {
    fn from(stroke: &usvg::Stroke) -> Self {
        Self {
            paint: stroke.paint().into(),
            opacity: stroke.opacity().get(),
            width: stroke.width().get(),
            dashes: stroke.dasharray().unwrap_or_default().to_vec(),
            dash_offset: stroke.dashoffset(),
            cap: match stroke.linecap() {
                LineCap::Butt => "butt",
                LineCap::Round => "round",
                LineCap::Square => "square",
            },
            join: match stroke.linejoin() {
                LineJoin::Miter => "miter",
                LineJoin::MiterClip => "miter-clip",
                LineJoin::Round => "round",
                LineJoin::Bevel => "bevel",
            },
            miter_limit: stroke.miterlimit().get(),
        }
    }
}

impl From<&usvg::Paint> for PaintStyle {
    fn from(paint: &usvg::Paint) -> Self {
        let rgb = |color: usvg::Color| [color.red, color.green, color.blue];
        let stop = |stop: &usvg::Stop| GradientStop {
            offset: stop.offset().get(),
            color: rgb(stop.color()),
            opacity: stop.opacity().get(),
        };
        match paint {
            usvg::Paint::Color(color) => Self::Color(rgb(*color)),
            usvg::Paint::LinearGradient(gradient) => Self::LinearGradient {
                id: gradient.id().to_owned(),
                stops: gradient.stops().iter().map(stop).collect(),
            },
            usvg::Paint::RadialGradient(gradient) => Self::RadialGradient {
                id: gradient.id().to_owned(),
                stops: gradient.stops().iter().map(stop).collect(),
            },
            usvg::Paint::Pattern(pattern) => Self::Pattern { id: pattern.id().to_owned() },
        }
    }
}
