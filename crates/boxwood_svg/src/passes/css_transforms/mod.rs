//! usvg 0.49 ignores CSS transforms with units, such as `translate(10px, 5px)`, the properties
//! `translate`, `rotate`, `scale` and `offset-path`, and `transform-box`.
//!
//! SVG 2 (section 8.5) has the transforms of CSS. So usvg gets their matrix as the attribute
//! `transform`, which then is the whole transform of each element.

mod fill_box;
mod motion;
mod text_boxes;

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::dom::{Document, Node, NodeId};
use kurbo::{Affine, Point, Rect, Vec2};
use svgtypes::Transform;

use self::fill_box::FillBox;
use self::motion::OFFSET_PATH;

use crate::css::sizes::{LengthAxis, Sizes};
use crate::css::transforms::{Reference, is_spatial};
use crate::error::Error;
use crate::passes::Tools;
use crate::warnings::WarningKind;

/// The properties of transforms.
const PROPERTIES: [&str; 6] = [OFFSET_PATH, "rotate", "scale", TRANSFORM, TRANSFORM_BOX, "translate"];

/// The paths that are ignored.
const IGNORED: &str = "`offset-path` other than `path()`";

const TRANSFORM: &str = "transform";
const TRANSFORM_BOX: &str = "transform-box";
const TRANSFORM_ORIGIN: &str = "transform-origin";

/// The elements that can be transformed.
const TRANSFORMABLE: [&str; 16] = [
    "a",
    "circle",
    "clipPath",
    "ellipse",
    "foreignObject",
    "g",
    "image",
    "line",
    "path",
    "polygon",
    "polyline",
    "rect",
    "svg",
    "switch",
    "text",
    "use",
];

/// The elements whose transforms by CSS are ignored.
const SERVERS: [&str; 3] = ["linearGradient", "pattern", "radialGradient"];

/// The warning about transforms relative to the box of a stroke, which is not known here.
const OF_STROKES: &str = "the stroke in `transform-box: stroke-box`";

/// The warning about transforms of gradients and patterns.
const OF_SERVERS: &str = "`transform` of a gradient or pattern";

/// Gives a matrix to each element with a transform by CSS. The lengths of the document must be
/// plain.
pub(crate) fn make_matrices(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let servers = document.elements().filter(|node| SERVERS.contains(&node.tag()) && has_styles(*node));
    tools.ignore(&servers.collect::<Vec<_>>(), OF_SERVERS);
    let is_styled = |node: &Node<'_>| TRANSFORMABLE.contains(&node.tag()) && has_styles(*node);
    let styled: Vec<_> = document.elements().filter(is_styled).map(|node| node.id()).collect();
    if styled.is_empty() {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    let other_paths = |id: &NodeId| {
        let path = document.node(*id).declaration(OFFSET_PATH);
        path.is_some_and(|path| path != "none" && !path.starts_with("path("))
    };
    let ignored: Vec<_> = styled.iter().filter(|id| other_paths(id)).map(|id| document.node(*id)).collect();
    tools.ignore(&ignored, IGNORED);
    let is_of_stroke = |node: &Node<'_>| {
        let is_stroke_box = matches!(node.declaration(TRANSFORM_BOX), Some("stroke-box" | "border-box"));
        is_stroke_box && node.inherited("stroke").is_some_and(|stroke| stroke != "none")
    };
    let of_strokes: Vec<_> = styled.iter().map(|id| document.node(*id)).filter(is_of_stroke).collect();
    tools.ignore(&of_strokes, OF_STROKES);
    let mut transforms = Transforms { sizes, tools, fill_boxes: HashMap::new(), text_boxes: OnceCell::new() };
    let mut matrices = Vec::new();
    for id in styled {
        let node = document.node(id);
        match transforms.of(node, 0) {
            Some(transform) => matrices.push((id, transform.as_coeffs().map(|v| v.to_string()).join(" "))),
            None => {
                tools.uncertain.borrow_mut().extend(node.number());
                if !node.is_copy() {
                    tools.warnings.add(WarningKind::Transform, || node.name_or_place());
                }
            }
        }
    }
    for (id, numbers) in matrices {
        document.set_attribute(id, TRANSFORM, format!("matrix({numbers})"));
        document.remove_attribute(id, TRANSFORM_ORIGIN);
    }
    Ok(())
}

/// Whether a property of transforms applies to an element.
fn has_styles(node: Node<'_>) -> bool {
    PROPERTIES.iter().any(|property| node.declaration(property).is_some())
        || node.has_attribute(TRANSFORM_ORIGIN)
}

struct Transforms<'a> {
    sizes: Sizes<'a>,
    tools: &'a Tools<'a>,
    /// The boxes so far. The box of an element inside of itself is unknown.
    fill_boxes: HashMap<NodeId, FillBox>,
    /// The boxes of texts. `None` inside if they are not known.
    text_boxes: OnceCell<Option<HashMap<NodeId, Rect>>>,
}

impl Transforms<'_> {
    /// The transform of an element. `None` if it is in three dimensions or relative to an unknown
    /// box.
    fn of(&mut self, node: Node<'_>, depth: u32) -> Option<Affine> {
        let attribute = || {
            let Transform { a, b, c, d, e, f } = node.attribute(TRANSFORM)?.parse().ok()?;
            Some(Affine::new([a, b, c, d, e, f]))
        };
        if !has_styles(node) {
            return Some(attribute().unwrap_or_default());
        }
        if !has_transform(node) {
            return Some(Affine::IDENTITY);
        }
        let is_root = node.parent_element().is_none();
        let has_own_box = node.declaration(TRANSFORM_BOX).is_some_and(is_own_box);
        let rect = match (is_root, has_own_box) {
            (true, _) => Rect::from_origin_size(Point::ORIGIN, <(f64, f64)>::from(self.sizes.root)),
            (false, true) => self.fill_box(node, depth)?.unwrap_or_default(),
            (false, false) => {
                Rect::from_origin_size(Point::ORIGIN, <(f64, f64)>::from(self.sizes.viewport(node)))
            }
        };
        let x = self.sizes.units(node, LengthAxis::X).relative_to(rect.width());
        let y = self.sizes.units(node, LengthAxis::Y).relative_to(rect.height());
        let reference = Reference { rect, x: &x, y: &y };
        let property = |name: &str, parse: &dyn Fn(&str) -> Option<Affine>| match node.declaration(name) {
            Some(value) if is_spatial(name, value) => None,
            Some(value) if is_none(value) => Some(Affine::IDENTITY),
            Some(value) => Some(parse(value).unwrap_or_default()),
            None if name == TRANSFORM => Some(attribute().unwrap_or_default()),
            None => Some(Affine::IDENTITY),
        };
        let origin = node.attribute(TRANSFORM_ORIGIN).and_then(|text| reference.origin(text, true));
        let default = if is_root { rect.center().to_vec2() } else { Vec2::ZERO };
        let origin = origin.unwrap_or(default);
        let units = self.sizes.units(node, LengthAxis::Diagonal);
        // The order is that of CSS Transforms 2, section 4.
        let own = property("translate", &|text| reference.translate(text))?
            * property("rotate", &|text| reference.rotate(text))?
            * property("scale", &|text| reference.scale(text))?
            * motion::transform(node, &reference, units, origin).unwrap_or_default()
            * property(TRANSFORM, &|text| reference.transform(text))?;
        Some(Affine::translate(origin) * own * Affine::translate(-origin))
    }
}

/// Whether an element has a transform, by CSS or the attribute.
fn has_transform(node: Node<'_>) -> bool {
    let is_set = |name| match node.declaration(name) {
        Some(value) => !is_none(value),
        None => name == TRANSFORM && node.has_attribute(name),
    };
    [TRANSFORM, "translate", "rotate", "scale", OFFSET_PATH].into_iter().any(is_set)
}

/// Whether a value of a property is its initial value, no transform. The properties are not
/// inherited.
fn is_none(value: &str) -> bool {
    value.eq_ignore_ascii_case("none")
}

/// Whether a value of `transform-box` is a box of the element, rather than the viewport. The box of
/// the stroke is taken for that of the fill, which has the same centre.
fn is_own_box(value: &str) -> bool {
    value != "view-box"
}

#[cfg(test)]
mod tests {
    use usvg::Node as UsvgNode;

    use crate::passes::testing::after_css;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_ignores_transforms_of_css() {
        for style in [
            "transform:translate(9px)",
            "translate:9px",
            "rotate:9deg",
            "scale:2",
            "offset-path:path(\"M9 9H20\")",
        ] {
            let drawn = tree(&format!("<rect width='9' height='9' style='{style}'/>"));
            assert!(matches!(drawn.root().children(), [UsvgNode::Path(_)]), "{style}");
        }
    }

    /// The matrix that an element with the id `a` gets in a drawing of 300 by 200.
    fn matrix(elements: &str) -> Option<Vec<f64>> {
        let text = format!("<svg width='300' height='200' font-size='10'>{elements}</svg>");
        let document = after_css(&text);
        let mut nodes = document.elements();
        let matrix = nodes.find(|node| node.attribute("id") == Some("a"))?.attribute("transform")?;
        let numbers = matrix.strip_prefix("matrix(")?.strip_suffix(')')?.split(' ');
        Some(numbers.map(|number| (number.parse::<f64>().expect("a number") * 1e4).round() / 1e4).collect())
    }

    /// The matrices are those of `getCTM` in Chromium 156.
    #[test]
    fn transforms_are_those_of_browsers() {
        for (style, expected) in [
            ("transform:translate(10px,5px) rotate(20deg)", [0.9397, 0.342, -0.342, 0.9397, 10.0, 5.0]),
            ("transform:translate(50%,50%)", [1.0, 0.0, 0.0, 1.0, 150.0, 100.0]),
            ("transform:scale(2);transform-origin:center", [2.0, 0.0, 0.0, 2.0, -150.0, -100.0]),
            ("transform:scale(2);transform-origin:right 10px", [2.0, 0.0, 0.0, 2.0, -300.0, -10.0]),
            ("transform:scale(2);transform-origin:bottom", [2.0, 0.0, 0.0, 2.0, -150.0, -200.0]),
            ("transform:scale(2);transform-origin:10 20", [2.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
            (
                "transform:scale(2);transform-origin:center;transform-box:fill-box",
                [2.0, 0.0, 0.0, 2.0, -15.0, -20.0],
            ),
            (
                "translate:10px 5px;rotate:90deg;scale:2 3;transform:translate(1px)",
                [0.0, 2.0, -3.0, 0.0, 10.0, 7.0],
            ),
            (
                "rotate:0.25turn;scale:50%;translate:10%;transform-origin:10px 10px",
                [0.0, 0.5, -0.5, 0.0, 45.0, 5.0],
            ),
            (
                "transform:translate3d(10px,20px,5px) scale3d(2,3,4) rotateZ(90deg) translateZ(3px)",
                [0.0, 3.0, -2.0, 0.0, 10.0, 20.0],
            ),
            (
                "transform:skew(10deg,20deg) skewX(1rad)skewY(0.1rad) scaleX(2) scaleY(3) translateX(1em) translateY(1rem)",
                [2.3479, 1.0424, 5.2012, 4.7006, 75.4911, 57.4291],
            ),
            (
                "transform:translate(calc(50% - 10px), calc(1em * 2)) rotate(calc(45deg * 2)) scale(calc(1 + 1))",
                [0.0, 2.0, -2.0, 0.0, 140.0, 20.0],
            ),
            ("transform:ROTATE(-90DEG)", [0.0, -1.0, 1.0, 0.0, 0.0, 0.0]),
            ("transform:translate(0,5px) rotate(0)", [1.0, 0.0, 0.0, 1.0, 0.0, 5.0]),
            ("transform:none", [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        ] {
            let rect = format!("<rect id='a' x='10' y='10' width='10' height='20' style='{style}'/>");
            assert_eq!(matrix(&rect), Some(expected.to_vec()), "{style}");
        }
    }

    #[test]
    fn a_word_for_the_initial_value_replaces_the_attribute() {
        for word in ["none", "initial", "unset"] {
            let rect = format!("<rect id='a' transform='scale(3)' style='transform:{word}'/>");
            assert_eq!(matrix(&rect), Some(vec![1.0, 0.0, 0.0, 1.0, 0.0, 0.0]), "{word}");
        }
    }

    #[test]
    fn the_reference_box_is_that_of_css() {
        let of = |reference_box: &str, element: &str| {
            let style = format!("scale:2;transform-origin:100% 100%;transform-box:{reference_box}");
            matrix(&format!("<{element} id='a' style='{style}'/>"))
        };
        let rect = "rect x='10' y='10' width='10' height='20'";
        let (of_fill, of_view) = ([2.0, 0.0, 0.0, 2.0, -20.0, -30.0], [2.0, 0.0, 0.0, 2.0, -300.0, -200.0]);
        for (reference_box, expected) in [
            ("fill-box", of_fill),
            ("CONTENT-BOX", of_fill),
            ("view-box", of_view),
            ("initial", of_view),
            ("none", of_view),
            ("stroke-box", of_fill),
        ] {
            assert_eq!(of(reference_box, rect), Some(expected.to_vec()), "{reference_box}");
        }
        for unknown in ["image width='9'", "path d='M1 1L9 9 x'"] {
            assert_eq!(of("fill-box", unknown), None, "{unknown}");
        }
    }

    #[test]
    fn only_a_transform_that_applies_needs_a_box() {
        let image = |style: &str| {
            matrix(&format!(
                "<style>image {{ transform-box: fill-box; transform-origin: center; scale: 2 }}</style>
                <image id='a' style='{style}'/>"
            ))
        };
        assert_eq!(image(""), None, "the box is unknown");
        assert_eq!(image("scale:none"), Some(vec![1.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
    }

    /// The lines of texts in Chromium 156 are those of its `getBBox`, with whole ascents and
    /// heights.
    #[test]
    fn a_reference_box_can_be_that_of_a_text() {
        let style = "style='transform-box:fill-box;transform-origin:100% 0;transform:scale(2)'";
        let has = |elements: &str, [x, y]: [f64; 2]| {
            let group = format!("<g font-family='Noto Sans' font-size='20'>{elements}</g>");
            let matrix = matrix(&group).expect("the box is known");
            assert!((matrix[4] + x).abs() < 0.5 && (matrix[5] + y).abs() < 0.7, "{matrix:?} {elements}");
        };
        has(&format!("<text id='a' {style} x='10' y='60'>Flip</text>"), [43.0, 39.0]);
        has(&format!("<text id='a' {style} x='10' y='60' letter-spacing='4'> Flip </text>"), [59.0, 39.0]);
        has(
            &format!("<text id='a' {style} x='50' y='60' text-anchor='end' letter-spacing='4'>Flip</text>"),
            [50.0, 39.0],
        );
        has(&format!("<defs><text id='a' {style} x='10' y='60'>Flip</text></defs>"), [43.0, 39.0]);
        has(
            &format!("<g id='a' {style}><rect width='9' height='9'/><text x='10' y='60'>Flip</text></g>"),
            [43.0, 0.0],
        );
        has(
            &format!("<g id='a' {style}><text x='9' y='60' transform='translate(1 2)'>Flip</text></g>"),
            [43.0, 41.0],
        );
        has(&format!("<text id='a' {style} x='10' y='60'/>"), [0.0, 0.0]);
    }

    #[test]
    fn transforms_in_three_dimensions_count_by_the_cascade() {
        let rect = |rule: &str, style: &str| {
            matrix(&format!(
                "<style>rect {{ {rule} }}</style><rect id='a' width='9' height='9' style='{style}'/>"
            ))
        };
        let moved = Some(vec![1.0, 0.0, 0.0, 1.0, 9.0, 0.0]);
        assert_eq!(rect("transform: rotateX(9deg)", "transform:translate(9px)"), moved);
        assert_eq!(rect("transform: translate(9px)", "transform:rotateX(9deg)"), None);
        for spatial in ["x 45deg", "45deg Y", "1 1 0 45deg"] {
            assert_eq!(rect("translate: 9px", &format!("rotate:{spatial}")), None, "{spatial}");
        }
        assert_eq!(rect("rotate: x 45deg", "rotate:none;translate:9px"), moved);
    }

    /// The matrices are those of `getCTM` in Chromium 156, which measures curves by chords, with
    /// errors of up to 0.2 px.
    #[test]
    fn motions_are_those_of_browsers() {
        for (style, expected) in [
            (
                "offset-path:path('M50 50H150V150');offset-distance:75%;offset-rotate:auto 45deg",
                [-0.707, 0.707, -0.707, -0.707, 150.0, 100.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:75%;offset-rotate:reverse",
                [0.0, -1.0, 1.0, 0.0, 150.0, 100.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:75%;offset-rotate:30deg;offset-anchor:10px 5px",
                [0.866, 0.5, -0.5, 0.866, 143.8397, 90.6699],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:30px;offset-anchor:center;transform-box:fill-box",
                [1.0, 0.0, 0.0, 1.0, 70.0, 45.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:30px;transform-box:fill-box;transform-origin:center",
                [1.0, 0.0, 0.0, 1.0, 70.0, 45.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:30px;transform-origin:10px 5px",
                [1.0, 0.0, 0.0, 1.0, 70.0, 45.0],
            ),
            ("offset-path:path('M50 50H150V150');offset-distance:400px", [0.0, 1.0, -1.0, 0.0, 150.0, 150.0]),
            ("offset-path:path('M50 50H150V150');offset-distance:-10px", [1.0, 0.0, 0.0, 1.0, 50.0, 50.0]),
            (
                "offset-path:path('M50 50H150V150');translate:5px 6px;rotate:90deg;scale:2;transform:skewX(20deg);offset-distance:30px;offset-rotate:20deg",
                [-0.684, 1.8794, -2.1284, 0.0, -95.0, 166.0],
            ),
            (
                "offset-path:path('M50 50H150V150Z');offset-distance:450px",
                [0.0, 1.0, -1.0, 0.0, 150.0, 58.5786],
            ),
            (
                "offset-path:path('M50 50H150M10 10V60');offset-distance:120px",
                [0.0, 1.0, -1.0, 0.0, 10.0, 30.0],
            ),
            (
                "offset-path:path('M50 50C50 150 150 150 150 50');offset-distance:25%",
                [0.4769, 0.879, -0.879, 0.4769, 60.6341, 98.4352],
            ),
            ("offset-path:path('M50 50');offset-distance:25%", [1.0, 0.0, 0.0, 1.0, 50.0, 50.0]),
            ("offset:path('M50 50H150') 50px 30deg / 10px 5px", [0.866, 0.5, -0.5, 0.866, 93.8397, 40.6699]),
            (
                "offset-path:path('M50 50H150V150');offset-distance:50%;offset-rotate:auto",
                [1.0, 0.0, 0.0, 1.0, 150.0, 50.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:calc(10% + 1em);offset-rotate:0.1turn",
                [0.809, 0.5878, -0.5878, 0.809, 80.0, 50.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:30px;offset-anchor:50% 50%",
                [1.0, 0.0, 0.0, 1.0, -70.0, -50.0],
            ),
            (
                "offset-path:path('M50 50H150V150');offset-distance:30px;offset-anchor:auto;offset-position:10px 10px",
                [1.0, 0.0, 0.0, 1.0, 80.0, 50.0],
            ),
            (
                "offset-path:path('M50 50H150') border-box;offset-distance:30px",
                [1.0, 0.0, 0.0, 1.0, 80.0, 50.0],
            ),
            (
                "offset-path:path('M50 50H150V150Z');offset-distance:-10px",
                [-0.707, -0.707, 0.707, -0.707, 57.0711, 57.0711],
            ),
            ("offset-path:path('M50 50H150V150Z');offset-distance:100%", [1.0, 0.0, 0.0, 1.0, 50.0, 50.0]),
            (
                "offset-path:path('M50 50H150V150Z');offset-distance:99.99%",
                [-0.707, -0.707, 0.707, -0.707, 50.0242, 50.0242],
            ),
            (
                "offset:10px 20px path('M50 50H150') 50px reverse 30deg",
                [-0.866, -0.5, 0.5, -0.866, 100.0, 50.0],
            ),
            ("offset:path('M50 50H150') 30deg 50%", [0.866, 0.5, -0.5, 0.866, 100.0, 50.0]),
            ("offset:path('M50 50H150')", [1.0, 0.0, 0.0, 1.0, 50.0, 50.0]),
            (
                "offset-path:path('m50 50q50 0 50 50 t 50 50');offset-distance:50px;offset-anchor:right 5px bottom 2px;transform-box:fill-box",
                [0.5022, 0.8648, -0.8648, 0.5022, 92.6382, 53.0227],
            ),
            (
                "offset-path:path('M50 50A50 25 30 1 1 150 50');offset-distance:150px",
                [0.6864, 0.7272, -0.7272, 0.6864, 143.5816, 42.3778],
            ),
            (
                "offset-path:path('M50 50C50 50 100 100 150 50');offset-distance:0",
                [0.707, 0.707, -0.707, 0.707, 50.0, 50.0],
            ),
            ("offset-path:path('M50 50H50V90');offset-distance:0", [0.0, 1.0, -1.0, 0.0, 50.0, 50.0]),
        ] {
            let found = matrix(&format!("<rect id='a' width='20' height='10' style=\"{style}\"/>"));
            let found = found.expect("it has a matrix");
            let is_near = found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() <= if b.abs() < 3.0 { 0.002 } else { 0.2 });
            assert!(is_near, "{style}: {found:?}");
        }
        let group = "<g id='a' transform='scale(2)' style='offset:path(\"M50 50H150\") 30px'/>";
        assert_eq!(matrix(group), Some(vec![2.0, 0.0, 0.0, 2.0, 80.0, 50.0]));
    }

    #[test]
    fn a_reference_box_can_be_that_of_a_group() {
        let style = "style='transform-box:fill-box;transform-origin:100% 100%;transform:scale(2)'";
        let shapes = "<rect x='5' y='5' width='10' height='10'/>
            <g transform='scale(2)'><path d='M25 5h10v10' style='translate:0px'/></g><defs><path d='M99 99H0'/></defs>";
        let expected = Some(vec![2.0, 0.0, 0.0, 2.0, -70.0, -30.0]);
        assert_eq!(matrix(&format!("<g id='a' {style}>{shapes}</g>")), expected);
        let used = format!("<g id='b'>{shapes}</g><use id='a' href='#b' x='-5' {style}/>");
        assert_eq!(matrix(&used), expected, "its x is a part of its transform");
        let around =
            format!("<defs><g id='b'>{shapes}</g></defs><g id='a' {style}><use href='#b' x='-5'/></g>");
        assert_eq!(matrix(&around), Some(vec![2.0, 0.0, 0.0, 2.0, -65.0, -30.0]));
        let switch =
            format!("<switch id='a' {style}><title/><g>{shapes}</g><rect width='99' height='99'/></switch>");
        assert_eq!(matrix(&switch), expected, "only one child is drawn");
        assert_eq!(matrix(&format!("<g id='a' {style}><image/></g>")), None, "it depends on a file");
        assert_eq!(
            matrix(&format!("<g id='a' {style}><use href='#a'/></g>")),
            Some(vec![2.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
            "it is not drawn"
        );
    }

    /// The matrices are those of `getCTM` in Chromium 156.
    #[test]
    fn what_is_not_displayed_does_not_count_in_a_reference_box() {
        let style = "style='transform-box:fill-box;transform-origin:100% 100%;transform:scale(2)'";
        let group = |contents: &str| {
            matrix(&format!(
                "<style>.none {{ display: none }}</style>
                <g id='a' {style}><rect x='5' y='5' width='65' height='25'/>{contents}</g>"
            ))
        };
        for hidden in ["display='none'", "style='display: NONE'", "class='none' display='inline'"] {
            let contents = format!("<rect width='99' height='99' {hidden}/><image {hidden}/>");
            assert_eq!(group(&contents), Some(vec![2.0, 0.0, 0.0, 2.0, -70.0, -30.0]), "{hidden}");
        }
        let displayed = "display='none' style='display:inline;visibility:hidden'";
        let contents = format!("<rect width='90' height='9' {displayed}/>");
        assert_eq!(group(&contents), Some(vec![2.0, 0.0, 0.0, 2.0, -90.0, -30.0]));
    }
}
