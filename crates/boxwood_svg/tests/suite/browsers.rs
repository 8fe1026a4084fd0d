//! The object boxes of the drawings in `assets/browsers`, compared with `getBBox` of Chromium and
//! Firefox.

use std::path::Path;

use boxwood_cpu::Aabb;
use boxwood_svg::{Deadline, Include, Role, Space, WarningKind, load, load_file};
use kurbo::{Affine, Rect};

use crate::loaded::{Loaded, assert_near, options};

/// Asserts that elements of a drawing in `assets/browsers` have these object boxes in local space.
#[track_caller]
fn assert_boxes(name: &str, expected: &[(&str, Option<[f64; 4]>)]) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/browsers").join(name);
    let d = Loaded::new(load_file(&path, &options()).expect("the drawing loads"));
    assert_local(&d, expected);
    d
}

/// Asserts that elements of a drawing have these object boxes in local space, as x, y, width and
/// height.
#[track_caller]
fn assert_local(d: &Loaded, expected: &[(&str, Option<[f64; 4]>)]) {
    let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
    let boxes = d.drawing.object_boxes(fill, Space::Local);
    for (id, expected) in expected {
        let source = d.drawing.sources.iter().position(|source| source.name == *id);
        let found = source.and_then(|source| boxes[source]);
        let found = found.map(|r| [r.x0, r.y0, r.width(), r.height()].map(|v| (v * 1e3).round() / 1e3));
        assert_eq!(found, *expected, "{id}");
    }
}

#[test]
fn points_of_closed_subpaths_count() {
    let boxes = [
        ("a", Some([10.0, 10.0, 60.0, 50.0])),
        ("b", Some([50.0, 50.0, 20.0, 10.0])),
        ("c", Some([50.0, 50.0, 20.0, 10.0])),
        ("d", Some([50.0, 50.0, 40.0, 40.0])),
        ("g", Some([50.0, 50.0, 10.0, 10.0])),
        ("h", Some([5.0, 5.0, 55.0, 55.0])),
        ("i", Some([5.0, 5.0, 55.0, 55.0])),
    ];
    assert_boxes("moveto.svg", &boxes);
}

#[test]
fn an_image_that_cannot_be_loaded_has_its_rectangle() {
    let rect = Some([10.0, 20.0, 30.0, 40.0]);
    let d = assert_boxes("missimg.svg", &[("g", rect), ("i", rect), ("j", Some([1.0, 2.0, 30.0, 40.0]))]);
    assert_eq!((d.ink(), d.roles("i")), (Aabb::EMPTY, Vec::new()));
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert_eq!((warning.kind, warning.count, &*warning.first), (WarningKind::MissingImage, 2, "j"));
}

#[test]
fn an_image_has_its_rectangle_where_a_use_draws_it() {
    let boxes = [
        ("card", Some([0.0, 0.0, 60.0, 100.0])),
        ("u", Some([100.0, 0.0, 60.0, 100.0])),
        ("v", Some([200.0, 0.0, 60.0, 100.0])),
        ("n", Some([0.0, 0.0, 60.0, 100.0])),
        ("effects", Some([1.0, 2.0, 60.0, 100.0])),
        ("/svg/g[3]/use[1] → /svg/image[1]", Some([1.0, 2.0, 60.0, 100.0])),
    ];
    assert_boxes("imguse.svg", &boxes);
}

#[test]
fn a_reference_to_another_kind_of_element_is_ignored() {
    let rect = Some([0.0, 0.0, 10.0, 10.0]);
    let d = assert_boxes("wrongclip.svg", &["a", "b", "c", "d", "e", "f"].map(|id| (id, rect)));
    for id in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(d.roles(id), [Role::Fill], "{id}");
    }
}

#[test]
fn an_empty_clip_path_hides_an_element_that_keeps_its_box() {
    let boxes = [("g", Some([0.0, 0.0, 40.0, 60.0])), ("r", Some([10.0, 20.0, 30.0, 40.0]))];
    let d = assert_boxes("emptyclip.svg", &boxes);
    assert_near(d.leaf("r"), [10.0, 20.0, 40.0, 60.0]);
    assert_eq!(d.clipped("r"), Aabb::EMPTY);
}

#[test]
fn an_empty_mask_or_filter_hides_an_element_that_keeps_its_box() {
    for effect in ["mask", "filter"] {
        let contents = if effect == "mask" { "<g/>" } else { "" };
        let d = Loaded::of(&format!(
            "<{effect} id='e'>{contents}</{effect}><rect id='r' width='30' height='40' {effect}='url(#e)'/>"
        ));
        assert_eq!(d.ink(), Aabb::EMPTY, "{effect}");
        let mut image = vec![0; 4 * 50 * 50];
        let deadline = Deadline::default();
        d.drawing.draw_tree(&mut image, [50; 2], Affine::IDENTITY, &deadline).expect("it is quick to draw");
        assert!(image.iter().all(|byte| *byte == 0), "{effect}");
        let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
        let boxes = d.drawing.object_boxes(fill, Space::Local);
        let source = d.drawing.sources.iter().position(|source| source.name == "r").expect("it is listed");
        assert_eq!(boxes[source].map(|r| [r.x0, r.y0, r.x1, r.y1]), Some([0.0, 0.0, 30.0, 40.0]), "{effect}");
    }
}

#[test]
fn a_symbol_has_its_own_size() {
    let boxes = [
        ("u", Some([20.0, 50.0, 20.0, 20.0])),
        ("v", Some([30.0, 105.0, 10.0, 10.0])),
        ("w", Some([60.0, 100.0, 20.0, 20.0])),
        ("x", Some([90.0, 100.0, 20.0, 20.0])),
        ("z", Some([20.0, 0.0, 200.0, 200.0])),
    ];
    assert_boxes("symbol.svg", &boxes);
}

#[test]
fn a_clip_path_is_relative_to_a_path_without_its_markers() {
    let d = assert_boxes("obbmarker.svg", &[("p", Some([50.0, 50.0, 50.0, 50.0]))]);
    assert_near(d.ink(), [50.0, 50.0, 100.0, 100.0]);
    assert_eq!(d.ink_at_4(), [50.0, 50.0, 100.0, 100.0]);
    let unlisted = d.drawing.unlisted().into_iter();
    let ids: Vec<_> = unlisted.map(|unlisted| unlisted.id).filter(|id| !id.is_empty()).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
}

#[test]
fn masks_and_filters_are_relative_to_a_path_without_its_markers() {
    let white = "fill='white' width";
    let effects = [
        format!("<mask id='e' x='0' y='0' width='1' height='100%'><rect {white}='200' height='200'/></mask>"),
        format!(
            "<mask id='e' x='0' y='0' width='1' height='1' maskContentUnits='objectBoundingBox'>
               <rect {white}='1' height='1'/></mask>"
        ),
        format!(
            "<mask id='e' x='0' y='0' width='200' height='200' maskUnits='userSpaceOnUse'
               maskContentUnits='objectBoundingBox'><rect {white}='1' height='1'/></mask>"
        ),
        "<filter id='e' x='0' y='0' width='1' height='1'><feOffset/></filter>".to_owned(),
    ];
    for effect in effects {
        let property = if effect.starts_with("<mask") { "mask" } else { "filter" };
        let d = Loaded::of(&format!(
            "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='40' markerHeight='40' refX='20' refY='20'>
               <rect width='40' height='40'/></marker>
             {effect}<path id='p' d='M50,50 H100 V100 H50' marker-mid='url(#m)' {property}='url(#e)'/>"
        ));
        assert_near(d.ink(), [50.0, 50.0, 100.0, 100.0]);
        assert_eq!(d.ink_at_4(), [50.0, 50.0, 100.0, 100.0], "{effect}");
    }
}

#[test]
fn conditions_that_browsers_ignore_do_not_hide_elements() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" systemLanguage="ru-RU" requiredExtensions="x">
        <rect id="a" width="9" height="9" requiredFeatures="INVALID"/>
        <switch><g requiredFeatures="INVALID"><rect id="b" width="9" height="9"/></g><rect id="c"/></switch>
        <rect id="d" width="9" height="9" systemLanguage="ru-RU"/></svg>"#;
    let drawing = load(svg.as_bytes(), &options()).expect("the drawing loads");
    let with_id = drawing.sources.iter().filter(|source| source.has_id);
    assert_eq!(with_id.map(|source| &*source.name).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn the_background_of_the_root_is_its_ink_but_not_in_its_box() {
    let in_sheet = "<style>svg { background-color: red }</style>";
    for (attributes, sheet) in [("style='background-color: #0000ff80'", ""), ("", in_sheet)] {
        for contents in
            ["<rect id='r' x='5' y='6' width='2' height='3'/>", "<g id='r'><path d='M5 6h2v3z'/></g>"]
        {
            let svg = format!(
                "<svg id='s' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20' {attributes}>{sheet}{contents}</svg>"
            );
            let d = Loaded::new(load(svg.as_bytes(), &options()).expect("the drawing loads"));
            let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
            let own = Some(Rect::new(5.0, 6.0, 7.0, 9.0));
            assert_eq!(d.drawing.object_boxes(fill, Space::Local)[..2], [own, own], "{svg}");
            let leaves = d.drawing.table.iter().filter(|info| info.role == Role::Fill);
            let names: Vec<_> = leaves.map(|info| &*d.drawing.sources[info.source as usize].tag).collect();
            assert_eq!((names[0], names.len()), ("svg", 2), "{svg}");
            assert!(matches!(names[1], "rect" | "path"), "{svg}");
        }
    }
    let attribute = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' background-color='red'/>";
    let d = Loaded::whole(attribute.as_bytes());
    assert!(!d.drawing.table.iter().any(|info| info.role == Role::Fill));
}

#[test]
fn geometry_in_css_counts_where_it_applies() {
    let boxes = [
        ("a", Some([0.0, 0.0, 20.0, 10.0])),
        ("b", Some([0.0, 0.0, 20.0, 10.0])),
        ("c", Some([13.0, 13.0, 14.0, 14.0])),
        ("d", Some([1.0, 1.0, 8.0, 8.0])),
        ("e", Some([40.0, 0.0, 5.0, 5.0])),
        ("inline", Some([5.0, 0.0, 20.0, 30.0])),
        ("sheet", Some([5.0, 0.0, 9.0, 9.0])),
        ("important", Some([0.0, 0.0, 5.0, 3.0])),
        ("negative", Some([0.0, 0.0, 10.0, 5.0])),
        ("percent", Some([30.0, 0.0, 150.0, 100.0])),
        ("diagonal", Some([-10.495, -25.495, 50.99, 50.99])),
        ("auto", Some([-20.0, -20.0, 40.0, 40.0])),
        ("use", Some([10.0, 20.0, 5.0, 5.0])),
        ("bad", Some([0.0, 0.0, 9.0, 9.0])),
        ("line", Some([1.0, 1.0, 9.0, 19.0])),
        ("calculated", Some([0.0, 0.0, 9.0, 12.0])),
    ];
    assert_boxes("cssgeo.svg", &boxes);
}

#[test]
fn browsers_have_xhtml_as_an_extension() {
    const XHTML: &str = "http://www.w3.org/1999/xhtml";
    let d = Loaded::of(&format!(
        "<rect id='a' requiredExtensions='{XHTML}' width='5' height='5'/><rect id='b' requiredExtensions='' width='5' height='5'/>
        <switch><rect id='c' requiredExtensions='{XHTML} other' width='5' height='5'/><rect id='d' width='5' height='5'/></switch>"
    ));
    let square = Some([0.0, 0.0, 5.0, 5.0]);
    assert_local(&d, &[("a", square), ("d", square)]);
    let words: Vec<_> = d.drawing.unlisted().iter().map(|u| (u.id.clone(), u.reason.word())).collect();
    assert_eq!(words, [("b", "not-selected"), ("c", "not-selected")].map(|(id, word)| (id.to_owned(), word)));
}

/// The widths are those of `getBBox` in Chromium 156.
#[test]
fn sizes_and_spaces_in_a_style_attribute_need_no_unit() {
    let d = Loaded::of(
        "<style>.a { font-size: 40 } .b { font-size: 20px; letter-spacing: 10 }</style><g font-family='Noto Sans'>
        <text id='style' style='font-size: 40'>Hello</text><text id='sheet' class='a'>Hello</text>
        <text id='font' style='font: 40 Noto Sans'>Hello</text>
        <text id='spaced' style='font-size: 20px; letter-spacing: 10'>Hello</text>
        <text id='not-spaced' class='b'>Hello</text><text id='words' style='word-spacing: 30'>A B</text></g>",
    );
    let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
    let boxes = d.drawing.object_boxes(fill, Space::Local);
    for (id, width) in [
        ("style", 97.0),
        ("sheet", 38.8),
        ("font", 38.8),
        ("spaced", 98.5),
        ("not-spaced", 48.5),
        ("words", 54.8),
    ] {
        let text = d.drawing.sources.iter().position(|source| source.name == id).expect("it has a row");
        let found = boxes[text].expect("it has a box").width();
        assert!((found - width).abs() < 0.1, "{id}: {found}");
    }
}

#[test]
fn lengths_have_the_units_of_css() {
    let boxes = [
        ("viewport", Some([0.0, 0.0, 30.0, 20.0])),
        ("least", Some([0.0, 0.0, 20.0, 30.0])),
        ("q", Some([0.0, 0.0, 37.795, 10.0])),
        ("sum", Some([0.0, 0.0, 160.0, 13.0])),
        ("number", Some([0.0, 0.0, 15.0, 15.0])),
        ("choice", Some([0.0, 0.0, 10.0, 2.0])),
        ("clamp", Some([0.0, 0.0, 10.0, 5.0])),
        ("line", Some([11.0, 10.0, 19.0, 10.0])),
        ("inner", Some([0.0, 0.0, 30.0, 35.0])),
        ("font", Some([0.0, 0.0, 20.0, 10.0])),
        ("size", Some([0.0, 0.0, 20.0, 10.0])),
        ("smaller", Some([0.0, 0.0, 8.333, 10.0])),
        ("keyword", Some([0.0, 0.0, 32.0, 300.0])),
        // In Noto Sans, a digit is 0.572 times as wide as the font size.
        ("letters", Some([0.0, 0.0, 57.2, 10.0])),
    ];
    assert_boxes("cssunits.svg", &boxes);
}

#[test]
fn transforms_in_css_apply_to_boxes_and_positions() {
    let d = Loaded::of(
        "<style>\n#a { transform: translate(10px, 5px) }</style>
        <rect id='a' width='10' height='20'/>
        <rect id='b' x='10' y='10' width='10' height='20' style='transform-box: fill-box; transform-origin: center; rotate: 90deg'/>
        <path id='p' d='M1 1L9 9 x' style='transform-box: fill-box; scale: 2'/>",
    );
    assert_near(d.leaf("a"), [10.0, 5.0, 20.0, 25.0]);
    assert_near(d.leaf("b"), [5.0, 15.0, 25.0, 25.0]);
    let source = d.drawing.sources.iter().find(|source| source.name == "b").expect("it is listed");
    assert_eq!([source.line, source.column], [5, 9], "in the text that was given");
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert_eq!((warning.kind, &*warning.first), (WarningKind::Transform, "p"));
}

#[test]
fn words_of_css_for_a_font_size_take_precedence_over_the_attribute() {
    for (word, size) in [("inherit", 20.0), ("unset", 20.0), ("initial", 16.0), ("2em", 40.0)] {
        let d = Loaded::of(&format!(
            "<g font-size='20'><rect id='r' font-size='70' style='font-size:{word};width:1em;height:1em'/></g>"
        ));
        assert_near(d.leaf("r"), [0.0, 0.0, size, size]);
    }
}

#[test]
fn a_size_of_the_root_in_css_counts_if_it_does_not_depend_on_a_window() {
    for (root, expected) in [
        ("width='300' height='200' style='width:5em;height:3rem' font-size='10'", [50.0, 30.0]),
        ("width='300' height='200' style='width:100%;height:auto'", [300.0, 200.0]),
        ("viewBox='0 0 10 20' width='10rem'", [160.0, 320.0]),
        ("viewBox='0 0 10 20' width='100vw' height='100vh'", [10.0, 20.0]),
        ("width='10rem' height='calc(5px + 1em)'", [160.0, 21.0]),
    ] {
        let d = Loaded::whole(format!("<svg xmlns='http://www.w3.org/2000/svg' {root}/>").as_bytes());
        assert_eq!([d.drawing.size.width, d.drawing.size.height], expected, "{root}");
    }
}

#[test]
fn a_line_with_an_effect_relative_to_its_box_is_hidden_but_keeps_its_box() {
    let d = Loaded::of(
        "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/></clipPath>
        <mask id='m'><rect width='99' height='99' fill='white'/></mask>
        <filter id='f'><feOffset/></filter>
        <filter id='p' filterUnits='userSpaceOnUse' primitiveUnits='objectBoundingBox'><feOffset/></filter>
        <g id='g' stroke='red' stroke-width='4'><line id='l' x1='10' y1='10' x2='50' y2='10' clip-path='url(#c)'/>
        <polyline id='q' points='5,5 5,30' style='clip-path:url(#c)'/><path id='n' d='M10 50H60' mask='url(#m)'/>
        <path id='o' d='M20 70H60' filter='url(#f)'/><path id='r' d='M70 20V60' style='filter:url(#p)'/></g>
        <g id='h' filter='url(#f)' stroke='red'><g id='i'><path id='s' d='M1 2H9M3 2H20'/></g></g>",
    );
    let boxes = [
        ("g", Some([5.0, 5.0, 65.0, 65.0])),
        ("l", Some([10.0, 10.0, 40.0, 0.0])),
        ("q", Some([5.0, 5.0, 0.0, 25.0])),
        ("n", Some([10.0, 50.0, 50.0, 0.0])),
        ("o", Some([20.0, 70.0, 40.0, 0.0])),
        ("r", Some([70.0, 20.0, 0.0, 40.0])),
        ("h", Some([1.0, 2.0, 19.0, 0.0])),
        ("i", Some([1.0, 2.0, 19.0, 0.0])),
        ("s", Some([1.0, 2.0, 19.0, 0.0])),
    ];
    assert_local(&d, &boxes);
    assert_eq!(d.ink(), Aabb::EMPTY);
}

#[test]
fn a_group_of_lines_with_an_area_has_its_effect() {
    let d = Loaded::of(
        "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>
        <g id='g' clip-path='url(#c)' stroke='red' stroke-width='2'>
        <path d='M10 10H50'/><line x1='10' x2='50' y1='30' y2='30'/></g>",
    );
    assert_local(&d, &[("g", Some([10.0, 10.0, 40.0, 20.0]))]);
    assert_near(d.ink(), [10.0, 10.0, 30.0, 30.0]);
}

#[test]
fn an_element_after_an_empty_one_with_a_transform_keeps_its_box() {
    for empty in [
        "<text transform='translate(1,2)'/>",
        "<text opacity='.5'><tspan> </tspan></text>",
        "<path d='' transform='scale(2)'/>",
        "<rect opacity='.5'/><text transform='scale(2)'/>",
    ] {
        let d = Loaded::of(&format!(
            "<g id='g'>{empty}<image id='i' x='3' y='4' width='5' height='6' href='no.png'/></g>
             <g id='h'>{empty}<text id='t' x='10' y='20'>a</text>{empty}</g>"
        ));
        let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
        let boxes = d.drawing.object_boxes(fill, Space::Local);
        let of = |id: &str| d.drawing.sources.iter().position(|source| source.name == id).map(|i| boxes[i]);
        assert_eq!(of("i"), Some(Some(Rect::new(3.0, 4.0, 8.0, 10.0))), "{empty}");
        assert!(of("t").flatten().is_some_and(|text| text.x0 == 10.0), "{empty}");
        assert_eq!([of("i"), of("t")], [of("g"), of("h")], "{empty}");
    }
}

#[test]
fn switches_and_inner_viewports_have_a_box() {
    let square = Some([0.0, 0.0, 50.0, 50.0]);
    let boxes = ["a", "r", "b", "c", "d", "s", "sr", "s2", "sg"].map(|id| (id, square));
    assert_boxes("nested.svg", &boxes);
}

#[test]
fn an_inner_viewport_without_a_size_has_the_box_of_its_contents() {
    let d = Loaded::of(
        "<svg id='a' width='0' height='0' opacity='0.5'><rect id='r' width='4' height='5'/></svg>
        <svg id='b' x='3' y='4' width='0' height='10'><rect width='4' height='5'/><path d='M1 1H2V2'/></svg>",
    );
    let contents = Some([0.0, 0.0, 4.0, 5.0]);
    assert_local(&d, &[("a", contents), ("r", contents), ("b", contents)]);
    assert_eq!(d.roles("/svg"), [Role::Clip], "the opacity belongs to `a`");
}

#[test]
fn an_element_that_is_scaled_to_nothing_keeps_its_own_box() {
    let boxes = ["z", "zr", "zt", "small"].map(|id| (id, Some([0.0, 0.0, 5.0, 5.0])));
    let d = assert_boxes("degenerate.svg", &boxes);
    let names = d.drawing.sources.iter().map(|source| source.name.as_str());
    let words: Vec<_> = names.zip(d.drawing.unpainted()).filter_map(|(n, r)| Some((n, r?.word()))).collect();
    for id in ["z", "zr", "zt", "small"] {
        assert!(words.contains(&(id, "no-size")), "{words:?}");
    }
}

#[test]
fn a_comment_in_a_style_element_is_no_style_sheet() {
    let d = Loaded::of(
        "<style>#b { width: 20px }<!-- #a { width: 50px } --></style>
        <rect id='a' width='9' height='9'/><rect id='b' width='9' height='9'/>",
    );
    assert_near(d.leaf("a"), [0.0, 0.0, 9.0, 9.0]);
    assert_near(d.leaf("b"), [0.0, 0.0, 20.0, 9.0]);
}

#[test]
fn a_use_finds_an_element_with_a_space_in_its_id() {
    let d = Loaded::of(
        "<rect id='a b' x='1' y='2' width='3' height='4'/><use id='u' href='#a b' x='10'/>
        <use id='the other' xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='#none' href=' #u '/>",
    );
    let boxes = [
        ("a b", Some([1.0, 2.0, 3.0, 4.0])),
        ("u", Some([11.0, 2.0, 3.0, 4.0])),
        ("the other", Some([11.0, 2.0, 3.0, 4.0])),
    ];
    assert_local(&d, &boxes);
}

#[test]
fn a_path_beside_a_transformed_shape_has_its_own_box() {
    let turned = "<rect id='r' x='50' y='50' width='5' height='5' transform='rotate(20)'/>";
    let path = "<path id='p' d='M1 2H4V6z'/>";
    for both in [[turned, path], [path, turned]] {
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' viewBox='0 0 90 90'>{}</svg>",
            both.concat()
        );
        let d = Loaded::whole(svg.as_bytes());
        assert_local(&d, &[("p", Some([1.0, 2.0, 3.0, 4.0])), ("r", Some([50.0, 50.0, 5.0, 5.0]))]);
    }
}
