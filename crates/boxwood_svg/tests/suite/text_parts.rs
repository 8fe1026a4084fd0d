//! The boxes of parts of texts. Chromium has the same object boxes, up to the rounding of ascents.

use boxwood_cpu::Aabb;
use boxwood_svg::{Hidden, Include, NoBox, Role, SourceKind, Space, audit, explain};

use crate::loaded::Loaded;

const FILL: Include = Include { fill: true, stroke: false, markers: false, clipped: false };

/// A drawing with some text in the bundled font, whose size is 20.
fn texts(texts: &str) -> Loaded {
    Loaded::of(&format!("<g font-family='Noto Sans' font-size='20'>{texts}</g>"))
}

/// The object box of an element, as its left, top, right and bottom side.
#[track_caller]
fn object(d: &Loaded, name: &str, include: Include, space: Space) -> [f64; 4] {
    let source = d.drawing.sources.iter().position(|source| source.name == name).expect("it is a source");
    let found = d.drawing.object_boxes(include, space)[source].expect("it has a box");
    [found.x0, found.y0, found.x1, found.y1]
}

/// Asserts that numbers differ by no more than the rounding of usvg.
#[track_caller]
fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 2e-3, "{a} is not {b}");
}

#[track_caller]
fn assert_same(d: &Loaded, [a, b]: [&str; 2], include: Include) {
    for space in [Space::Local, Space::Scene] {
        let [of_a, of_b] = [a, b].map(|name| object(d, name, include, space));
        of_a.iter().zip(of_b).for_each(|(a, b)| assert_near(*a, b));
    }
}

/// The reason of an element that is not a source.
fn reason(d: &Loaded, id: &str) -> Option<&'static str> {
    d.drawing.unlisted().iter().find(|unlisted| unlisted.id == id).map(|unlisted| unlisted.reason.word())
}

#[test]
fn a_part_with_all_characters_has_the_box_of_its_text() {
    let path = "<path id='path' d='M20 200Q150 50 280 200' fill='none'/>";
    for (text, part) in [
        ("x='9' y='50'", ""),
        ("x='90' y='50' text-anchor='middle' letter-spacing='4'", ""),
        ("x='90' y='50' text-anchor='end' letter-spacing='4'", ""),
        ("x='9' y='50' letter-spacing='-2' word-spacing='9'", ""),
        ("x='9' y='50' dx='3 4' dy='5 -9'", "dx='7' rotate='30'"),
        ("x='9 40 90' y='50 60'", "rotate='10 20 -30'"),
        ("x='9' y='50'", "textLength='90'"),
        ("x='9' y='50'", "textLength='90' lengthAdjust='spacingAndGlyphs'"),
        ("x='9' y='50' transform='rotate(30)' clip-path='none' opacity='.5'", "fill='red'"),
        ("x='9' y='50'", "style='fill: red !important; text-decoration: none'"),
        ("x='9' y='50' visibility='hidden'", "baseline-shift='super'"),
        ("x='90' y='50' writing-mode='tb'", ""),
    ] {
        let d = texts(&format!("<text id='t' {text}><tspan id='p' {part}>one two</tspan></text>"));
        assert_same(&d, ["p", "t"], FILL);
    }
    let on_path = "<text id='t'><textPath id='p' href='#path'>on a <a id='q'>path</a></textPath></text>";
    assert_same(&texts(&format!("{path}{on_path}")), ["p", "t"], FILL);
}

#[test]
fn parts_are_where_their_characters_are() {
    let d = texts(
        "<text id='t' x='10' y='50'>one <tspan id='a'>two <tspan id='b' font-size='40'>three</tspan></tspan> x</text>
         <text id='before' x='10' y='50' xml:space='preserve'>one </text>
         <text id='inner' x='10' y='50' xml:space='preserve'>one two </text>
         <text id='big' font-size='40'>three</text>",
    );
    let of = |name| object(&d, name, FILL, Space::Local);
    let [text, a, b, big] = ["t", "a", "b", "big"].map(of);
    let [before, inner] = ["before", "inner"].map(|name| of(name)[2]);
    assert_near(a[0], before);
    assert_near(b[0], inner);
    assert_near(b[2] - b[0], big[2] - big[0]);
    assert_near(b[3] - b[1], big[3] - big[1]);
    assert_eq!([a[1], a[2], a[3]], [b[1], b[2], b[3]], "a part contains those inside of it");
    assert_near(a[1], text[1]);
    assert!(a[2] < text[2]);
}

#[test]
fn letters_from_right_to_left_are_in_their_visual_order() {
    let letters = "\u{5d0}\u{5d1}\u{5d2}";
    let d = texts(&format!("<text id='t' x='9' y='50'>{letters}<tspan id='p'>\u{5d3}</tspan></text>"));
    let [text, part] = ["t", "p"].map(|name| object(&d, name, FILL, Space::Local));
    assert_near(part[0], text[0]);
    assert!(part[2] < text[2] - 10.0, "the other letters are to the right: {part:?}, {text:?}");
}

#[test]
fn strokes_of_a_part_count_if_they_are_included() {
    let d = texts("<text id='t' y='50'>a <tspan id='p' stroke='red' stroke-width='60'>b</tspan> c</text>");
    let both = Include { stroke: true, ..FILL };
    let [cells, strokes] = [FILL, both].map(|include| object(&d, "p", include, Space::Local));
    assert!(strokes[0] < cells[0] - 20.0 && strokes[1] < cells[1] - 5.0, "{strokes:?}, {cells:?}");
    let stroke = Include { fill: false, ..both };
    assert!(object(&d, "p", stroke, Space::Local)[3] > 60.0);
}

#[test]
fn the_glyphs_of_a_part_belong_to_its_text() {
    let with =
        |part: &str| texts(&format!("<text id='t' y='50'>one <tspan {part} fill='red'>two</tspan></text>"));
    let [named, nameless] = [with("id='p'"), with("class='p'")];
    assert_eq!(named.leaf("t"), nameless.leaf("t"));
    assert_eq!(named.roles("t"), [Role::Fill, Role::Fill]);
    assert_eq!(named.roles("p"), []);
    let sources = &named.drawing.sources;
    let part = sources.iter().position(|source| source.name == "p").expect("it is a source");
    assert_eq!((sources[part].kind, sources[part].parent), (SourceKind::TextPart, Some(2)));
    assert_eq!(named.drawing.unpainted()[part], None);
    assert_eq!(nameless.drawing.sources[part].name, "/svg/g[1]/text[1]/tspan[1]");
    assert_eq!(ink(&nameless, "/svg/g[1]/text[1]/tspan[1]"), ink(&named, "p"));
    let [of_named, of_nameless] = [&named, &nameless].map(|d| object(d, "t", FILL, Space::Local));
    assert_eq!(of_named, of_nameless, "the box of the text stays");
}

/// The ink box of a part: the union of the boxes of its leaves.
fn ink(d: &Loaded, name: &str) -> Aabb {
    let leaves = d.drawing.leaves_of_text_parts().into_iter();
    let own = leaves.filter(|(source, _)| d.drawing.sources[*source as usize].name == name);
    own.map(|(_, leaf)| d.drawing.elements.boxes()[leaf]).fold(Aabb::EMPTY, Aabb::union)
}

/// The texts have a part `p`, and everything else in them is hidden in the picture.
#[test]
fn the_ink_of_a_part_is_what_resvg_paints_of_it_alone() {
    let path = "<path id='path' d='M20 200Q150 50 280 200' fill='none'/>";
    for text in [
        "<text x='30' y='90'>one <tspan id='p'>two</tspan> three</text>",
        "<text x='30' y='90' stroke='red'>one <tspan id='p' fill='none' stroke-width='6'>two</tspan> x</text>",
        "<text x='30' y='90'>one<tspan id='p' dx='9' dy='20' rotate='40'>two</tspan>three</text>",
        "<text x='30' y='90'>one <tspan id='p' font-size='50'>t<tspan fill='red' dy='30'>w</tspan>o</tspan></text>",
        "<text x='30' y='90' text-anchor='middle'>one <tspan id='p' x='150' y='99'>two</tspan> three</text>",
        "<text x='30' y='90' transform='rotate(30)'>one <a id='p' letter-spacing='9'>two</a> three</text>",
        "<text x='30' y='90'>one <tspan id='p' text-decoration='underline line-through'>two</tspan> three</text>",
        "<text x='30' y='90' text-decoration='overline'>one <tspan id='p'>two <tspan dy='9'>x</tspan></tspan></text>",
        "<text><textPath href='#path'>on a <tspan id='p' stroke='red'>path</tspan> here</textPath></text>",
        "<text x='30' y='90'>\u{5d0}\u{5d1} <tspan id='p'>\u{5d2}\u{5d3}</tspan> \u{5d4}</text>",
        "<text x='90' y='30' writing-mode='tb'>one <tspan id='p'>two</tspan></text>",
    ] {
        let d = texts(&format!("{path}{text}"));
        let hidden = text.replacen("<text", "<text visibility='hidden'", 1);
        let alone = hidden.replacen(" id='p'", " id='p' visibility='visible'", 1);
        let painted = texts(&format!("{path}{alone}")).ink_at_4();
        let found = ink(&d, "p");
        let found = [found.x0, found.y0, found.x1, found.y1].map(f64::from);
        // The box of mostly covered pixels is off by up to a pixel, which is 1/4 px.
        let is_near = found.iter().zip(painted).all(|(a, b)| (a - b).abs() <= 0.3);
        assert!(is_near, "{text}: {found:?} is not {painted:?}");
    }
}

#[test]
fn the_leaves_of_nested_parts_are_those_of_the_outer_part() {
    let d = texts(
        "<clipPath id='c'><path d='M0 0H40V99H0'/></clipPath><text id='t' y='50' clip-path='url(#c)'>one
         <tspan id='a'>two <tspan>three <tspan id='b' stroke='red'>four</tspan></tspan></tspan> <tspan id='c2'/></text>
         <use href='#t'/>",
    );
    let of = |name: &str| {
        let leaves = d.drawing.leaves_of_text_parts().into_iter();
        let own = leaves.filter(|(source, _)| d.drawing.sources[*source as usize].name == name);
        own.map(|(_, leaf)| leaf).collect::<Vec<_>>()
    };
    let [a, b] = ["a", "b"].map(of);
    assert_eq!((a.len(), b.len()), (4, 2), "a stroke and three fills");
    assert_eq!(a[2..], b);
    let text = d.named("t")[0];
    assert!(a.iter().all(|leaf| d.drawing.table[*leaf].source == text));
    let explained = explain(&d.drawing, &[text, d.named("b")[0]]);
    let numbers = |of: usize| explained[of].parts.iter().map(|part| part.n_leaves).collect::<Vec<_>>();
    assert_eq!((numbers(0), numbers(1)), (vec![4, 1], vec![1, 1]));
    let part = &explained[1].parts[0];
    assert_eq!(
        (part.own_box, part.hidden),
        (d.drawing.elements.boxes()[b[0]], Some(Hidden::ClippedAway { by: Some(text) }))
    );
}

#[test]
fn a_part_whose_box_is_not_known_has_the_reason() {
    let path = "<path id='path' d='M20 200H80' fill='none'/>";
    let part = "<tspan id='p'>two</tspan>";
    for (body, expected) in [
        (format!("{path}<text><textPath href='#path'>this is long {part}</textPath></text>"), "unknown"),
        ("<text y='50'>one <tspan id='p'> <tspan/></tspan></text>".to_owned(), "no-contents"),
        ("<text y='50'>one <tspan id='p' clip-path='url(#none)'/></text>".to_owned(), "no-contents"),
        ("<text y='50'>one <tspan><a id='p'/></tspan></text>".to_owned(), "no-contents"),
        ("<text y='50'>e<tspan id='p'>\u{301}</tspan></text>".to_owned(), "unknown"),
    ] {
        let d = texts(&body);
        assert_eq!(reason(&d, "p"), Some(expected), "{body}");
    }
    let entity = "<!DOCTYPE svg [<!ENTITY e \"<tspan id='p'>two</tspan>\">]>
        <svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'><text id='t' y='50'>&e;</text></svg>";
    assert_eq!(reason(&Loaded::whole(entity.as_bytes()), "p"), None, "it is drawn");
    let hidden = texts("<text y='50'>one <tspan id='p' display='none'>two</tspan></text>");
    assert_eq!(reason(&hidden, "p"), Some("display-none"));
}

#[test]
fn the_ink_of_a_part_is_known_without_its_object_box() {
    let path = "<path id='path' d='M20 200H80' fill='none'/>";
    for body in [
        "<text y='50'>one <tspan id='p' rotate='20 0'>two</tspan></text>".to_owned(),
        "<text y='50' writing-mode='tb'>\u{3042} <tspan id='p'>two</tspan></text>".to_owned(),
        format!("{path}<text><textPath id='p' href='#path'>this is too long</textPath></text>"),
    ] {
        let d = texts(&body);
        let part = d.drawing.sources.iter().position(|source| source.name == "p").expect("it is a source");
        assert_eq!(d.drawing.object_boxes(FILL, Space::Local)[part], None, "{body}");
        assert!(!ink(&d, "p").is_empty(), "{body}");
    }
}

#[test]
fn a_part_that_paints_nothing_has_the_reason() {
    let d = texts(
        "<text y='20'>one <tspan id='hidden' visibility='hidden'>two</tspan></text>
         <text y='20'>one <tspan id='outer' fill='none'>a<tspan id='bare'>b</tspan></tspan></text>
         <text y='20'>one <tspan id='half' fill='none'>a<tspan fill='red'>b</tspan></tspan></text>
         <text y='20' opacity='0'>one <tspan id='clear'>two</tspan></text>
         <text y='20' xml:space='preserve'>one<tspan id='space'> </tspan></text>",
    );
    let unpainted = d.drawing.unpainted();
    let reason = |name: &str| {
        let part = d.drawing.sources.iter().position(|source| source.name == name).expect("it is a source");
        unpainted[part].as_ref().map(NoBox::word)
    };
    assert_eq!(
        ["hidden", "outer", "bare", "half", "clear", "space"].map(reason),
        [Some("hidden"), Some("no-paint"), Some("no-paint"), None, Some("transparent"), None]
    );
}

/// A part can move the characters after it, so it is not waste.
#[test]
fn a_part_that_paints_nothing_is_not_waste() {
    let d = texts("<text y='50'>one<tspan id='p' dx='9'/> <tspan fill='none'>two</tspan></text>");
    assert_eq!(audit(&d.drawing), []);
}
