//! The paints of sources.

use boxwood_svg::{PaintStyle, Paints, Style, style};

use crate::loaded::Loaded;

/// The style of the only source with a name.
#[track_caller]
fn of(d: &Loaded, name: &str) -> Style {
    let [source] = d.named(name)[..] else { panic!("{name} is not one source") };
    style(&d.drawing, source)
}

/// The only paints of a source.
#[track_caller]
fn paints(d: &Loaded, name: &str) -> Paints {
    let [paints] = &of(d, name).paints[..] else { panic!("{name} has other paints") };
    paints.clone()
}

/// The paint of the fill, and its id if it has one.
fn server(paints: &Paints) -> (&'static str, &str) {
    match paints.fill.as_ref().map(|fill| &fill.paint) {
        None => ("none", ""),
        Some(PaintStyle::Color(_)) => ("colour", ""),
        Some(PaintStyle::LinearGradient { id, .. }) => ("linear", id),
        Some(PaintStyle::RadialGradient { id, .. }) => ("radial", id),
        Some(PaintStyle::Pattern { id }) => ("pattern", id),
    }
}

const SERVERS: &str = "<linearGradient id='l'><stop stop-color='red' stop-opacity='.5'/><stop offset='1'/></linearGradient>
    <radialGradient id='r'><stop/><stop offset='1' stop-color='lime'/></radialGradient>
    <radialGradient id='u' gradientUnits='userSpaceOnUse' r='9'><stop/><stop offset='1' stop-color='lime'/></radialGradient>
    <pattern id='p' width='.5' height='.5'><rect width='5' height='5'/></pattern>";

#[test]
fn a_shape_has_a_fill_and_a_stroke() {
    let d = Loaded::of(
        "<path id='a' d='M9 9h50v50z' fill='#102030' fill-opacity='.5' fill-rule='evenodd' stroke='rgba(1, 2, 3, .5)'
            stroke-width='4' stroke-dasharray='5 2' stroke-dashoffset='1' stroke-linecap='round' stroke-linejoin='bevel'/>
        <line id='b' x2='50' y2='50' stroke='red'/>",
    );
    let a = paints(&d, "a");
    let (fill, stroke) = a.fill.zip(a.stroke).expect("it has both");
    assert_eq!((fill.paint, fill.opacity, fill.rule), (PaintStyle::Color([16, 32, 48]), 0.5, "evenodd"));
    assert_eq!((stroke.paint, stroke.width), (PaintStyle::Color([1, 2, 3]), 4.0));
    assert!((stroke.opacity - 0.5).abs() < 0.01);
    assert_eq!((&stroke.dashes[..], stroke.dash_offset), (&[5.0, 2.0][..], 1.0));
    assert_eq!((stroke.cap, stroke.join), ("round", "bevel"));
    let b = paints(&d, "b");
    let stroke = b.stroke.expect("a stroke");
    assert_eq!((stroke.cap, stroke.join, stroke.miter_limit), ("butt", "miter", 4.0));
}

#[test]
fn gradients_and_patterns_have_their_ids_in_the_document() {
    let d = Loaded::of(&format!(
        "{SERVERS}<style>.s {{ fill: url(#r) }}</style>
        <rect id='one' width='9' height='9' fill='url(#l)'/><rect id='two' width='9' height='9' fill='url(#l)'/>
        <rect id='three' class='s' fill='red' width='9' height='9'/><rect id='four' width='9' height='9' fill='url(#u)'/>
        <g fill='url(#p)'><rect id='five' width='9' height='9'/><rect id='six' width='9' height='9' fill='inherit'/></g>
        <rect id='seven' style='fill: url(&quot;#l&quot;) red' width='9' height='9'/>"
    ));
    let found = ["one", "two", "three", "four", "five", "six", "seven"].map(|name| paints(&d, name));
    assert_eq!(
        found.each_ref().map(server),
        [
            ("linear", "l"),
            ("linear", "l"),
            ("radial", "r"),
            ("radial", "u"),
            ("pattern", "p"),
            ("pattern", "p"),
            ("linear", "l")
        ]
    );
    let Some(PaintStyle::LinearGradient { stops, .. }) = found[0].fill.as_ref().map(|fill| &fill.paint)
    else {
        panic!("a linear gradient")
    };
    let stops: Vec<_> = stops.iter().map(|stop| (stop.offset, stop.color, stop.opacity)).collect();
    assert_eq!(stops, [(0.0, [255, 0, 0], 0.5), (1.0, [0; 3], 1.0)]);
}

#[test]
fn what_a_use_draws_inherits_from_the_use() {
    let d = Loaded::of(&format!(
        "{SERVERS}<defs><g fill='url(#r)'><rect id='own' width='9' height='9' fill='url(#p)'/><g id='bare'>
            <rect id='in' width='9' height='9'/></g></g></defs>
        <g fill='url(#l)'><use id='a' href='#own'/><use id='b' href='#bare'/></g>
        <use id='c' href='#bare' fill='red' opacity='.5'/>"
    ));
    let of_uses = |name| -> Vec<_> {
        let found = d.named(name).into_iter().map(|source| style(&d.drawing, source));
        found.map(|style| server(&style.paints[0]).1.to_owned()).collect()
    };
    assert_eq!(of_uses("own"), ["p"]);
    // The group with a gradient is around the definition, and not around the uses.
    assert_eq!(of_uses("in"), ["l", ""]);
    let c = of(&d, "c");
    assert_eq!((c.opacity, c.paints.len()), (0.5, 0));
}

#[test]
fn a_shape_can_have_the_paint_of_the_use_around_it() {
    let d = Loaded::of(&format!(
        "{SERVERS}<defs><g id='d' stroke='url(#p)'><rect id='context' width='9' height='9' fill='context-stroke'/></g></defs>
        <g stroke='url(#r)'><use href='#d' fill='url(#l)'/></g>"
    ));
    let [source] = d.named("context")[..] else { panic!("one use draws it") };
    assert_eq!(server(&style(&d.drawing, source).paints[0]), ("radial", "r"));
}

#[test]
fn groups_have_an_opacity_a_blend_mode_and_isolation() {
    let d = Loaded::of(
        "<g id='g' opacity='.25' style='mix-blend-mode: multiply'><rect width='9' height='9'/></g>
        <rect id='r' width='9' height='9' opacity='.5' fill='red'/>
        <g id='i' style='isolation: isolate'><rect id='plain' width='9' height='9'/></g>",
    );
    let all = ["g", "r", "i", "plain"].map(|name| {
        let style = of(&d, name);
        (style.opacity, style.blend_mode, style.is_isolated, style.paints.len())
    });
    let expected = [
        (0.25, "multiply", false, 0),
        (0.5, "normal", false, 1),
        (1.0, "normal", true, 0),
        (1.0, "normal", false, 1),
    ];
    assert_eq!(all, expected.map(|(o, blend, isolates, n)| (o, blend.to_owned(), isolates, n)));
    let root = Loaded::whole(b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' opacity='.5'><path d='M0 0h9v9z'/></svg>");
    assert_eq!(style(&root.drawing, 0).opacity, 0.5);
}

#[test]
fn a_shape_with_markers_has_its_own_paints_only() {
    let d = Loaded::of(
        "<marker id='m' markerWidth='9' markerHeight='9'><rect width='9' height='9' fill='lime'/></marker>
        <path id='a' d='M9 9h50' fill='blue' stroke='red' marker-end='url(#m)'/>
        <path id='b' d='M9 9h50v9z' fill='blue' stroke='red' marker-end='url(#m)' paint-order='fill markers'/>
        <path id='c' d='M9 9h50v9z' fill='blue' stroke='red' marker-end='url(#m)' opacity='.5'/><rect id='last' width='9' height='9' fill='#123'/>",
    );
    for name in ["a", "b", "c"] {
        let found = paints(&d, name);
        assert_eq!(found.fill.map(|fill| fill.paint), Some(PaintStyle::Color([0, 0, 255])), "{name}");
        assert_eq!(found.stroke.map(|stroke| stroke.paint), Some(PaintStyle::Color([255, 0, 0])), "{name}");
    }
    assert_eq!(of(&d, "c").opacity, 0.5);
    assert_eq!(paints(&d, "last").fill.map(|fill| fill.paint), Some(PaintStyle::Color([17, 34, 51])));
}

#[test]
fn a_text_has_the_fonts_and_paints_of_its_parts() {
    let d = Loaded::of(&format!(
        "{SERVERS}<text id='t' y='50' font-family='Noto Sans, serif' font-size='20' fill='url(#l)'>one <tspan id='p' font-weight='bold'
        font-size='30' fill='url(#r)'>two</tspan> <tspan id='q' fill='red' font-style='italic'>three</tspan> four</text>
        <text id='whole' y='90' opacity='.5' font-size='9'>five</text>"
    ));
    let texts = |name| -> Vec<_> {
        let font = |paints: &Paints| {
            let font = paints.font.clone().expect("it is known");
            let (kind, id) = server(paints);
            (kind, id.to_owned(), font.size, font.weight, font.style)
        };
        of(&d, name).paints.iter().map(font).collect()
    };
    let of_text = ("linear", "l".to_owned(), 20.0, 400, "normal");
    let of_p = ("radial", "r".to_owned(), 30.0, 700, "normal");
    let of_q = ("colour", String::new(), 20.0, 400, "italic");
    assert_eq!(texts("t"), [of_text, of_p.clone(), of_q.clone()]);
    assert_eq!((texts("p"), texts("q")), (vec![of_p], vec![of_q]));
    let used = paints(&d, "whole").font.map(|font| font.used_families);
    assert_eq!(used, Some(vec!["Noto Sans".to_owned()]), "no family is named, and only this one is there");
    let families = paints(&d, "p").font.map(|font| font.families);
    assert_eq!(families, Some(vec!["\"Noto Sans\"".to_owned(), "serif".to_owned()]));
    assert_eq!((texts("whole").len(), of(&d, "whole").opacity), (1, 0.5));
}
