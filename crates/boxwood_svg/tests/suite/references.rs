//! References between elements that form cycles, or stand for too many elements.

use boxwood_cpu::Aabb;
use boxwood_svg::{Quantity, Warning, WarningKind, load};

use crate::loaded::{Loaded, assert_exceeds, assert_near, error, options, svg};

#[test]
fn usvg_breaks_short_cycles_of_clip_paths() {
    let d = Loaded::of(
        r#"<clipPath id="a" clip-path="url(#b)"><rect width="9" height="9"/></clipPath>
           <clipPath id="b" clip-path="url(#a)"><rect width="9" height="9"/></clipPath>
           <clipPath id="self"><rect width="9" height="9" clip-path="url(#self)"/></clipPath>
           <rect clip-path="url(#a)" width="50" height="50"/><rect clip-path="url(#self)" width="50" height="50"/>"#,
    );
    assert!(Aabb::new(0.0, 0.0, 50.0, 50.0).expect("numbers").contains(d.ink()));
}

/// Twelve elements that each refer to the next ten times: 10^12 elements.
fn bomb(element: impl Fn(usize, &str) -> String, reference: impl Fn(usize) -> String) -> String {
    (0..12).map(|i| element(i, &reference(i + 1).repeat(10))).collect()
}

#[test]
fn references_that_stand_for_too_many_elements_are_refused() {
    let rect = |attribute: String| format!("<rect width='50' height='50' {attribute}/>");
    let tile = "patternUnits='userSpaceOnUse' width='9' height='9'";
    let bombs = [
        bomb(
            |i, c| format!("<clipPath id='r{i}'>{c}</clipPath>"),
            |i| rect(format!("clip-path='url(#r{i})'")),
        ) + "<clipPath id='r12'><rect width='9' height='9'/></clipPath><rect width='9' height='9' clip-path='url(#r0)'/>",
        bomb(|i, c| format!("<mask id='r{i}'>{c}</mask>"), |i| rect(format!("mask='url(#r{i})'")))
            + "<mask id='r12'><rect width='9' height='9'/></mask><rect width='9' height='9' mask='url(#r0)'/>",
        bomb(
            |i, c| format!("<pattern id='r{i}' {tile}>{c}</pattern>"),
            |i| rect(format!("style='fill: url(#r{i})'")),
        ) + "<pattern id='r12'><rect width='9' height='9'/></pattern><rect width='9' height='9' fill='url(#r0)'/>",
        bomb(
            |i, _| {
                format!(
                    "<marker id='r{i}'><path d='M0 0L1 1L2 0L3 1L4 0L5 1L6 0L7 1L8 0L9 1L0 9' class='m{}'/></marker>",
                    i + 1
                )
            },
            |_| String::new(),
        ) + "<path d='M0 0L9 9L0 9' class='m0'/><marker id='r12'><rect width='9' height='9'/></marker>"
            + &format!(
                "<style>{}</style>",
                (0..13).map(|i| format!(".m{i} {{ marker-mid: url(#r{i}) }}")).collect::<String>()
            ),
    ];
    for bomb in bombs {
        // Visiting each of them would end at the time limit.
        assert_exceeds(&error(&svg(&bomb)), Quantity::Elements, 1e9..);
    }
}

#[test]
fn references_that_nest_too_deep_are_refused() {
    let n = 20_000;
    let chain =
        |element: &dyn Fn(usize, usize) -> String| (0..n).map(|i| element(i, i + 1)).collect::<String>();
    let clips = chain(&|i, next| {
        format!("<clipPath id='r{i}' clip-path='url(#r{next})'><rect width='9' height='9'/></clipPath>")
    });
    let masks =
        chain(&|i, next| format!("<mask id='r{i}'><path d='M0 0h9v9z' mask='url(#r{next})'/></mask>"));
    let markers = chain(&|i, next| {
        format!("<marker id='r{i}'><path d='M0 0h9v9z' marker-end='url(#r{next})'/></marker>")
    });
    for (chain, attribute) in [(clips, "clip-path"), (masks, "mask"), (markers, "marker-end")] {
        let error = error(&svg(&format!("{chain}<path d='M0 0h9v9z' {attribute}='url(#r0)'/>")));
        assert_exceeds(&error, Quantity::Depth, 1_025.0..);
    }
}

/// A cycle of `n` elements that each refer to the next.
fn cycle(n: usize, element: impl Fn(usize, usize) -> String) -> String {
    (0..n).map(|i| element(i, (i + 1) % n)).collect()
}

#[test]
fn an_element_that_closes_a_cycle_of_references_is_left_out() {
    let tile = "patternUnits='userSpaceOnUse' width='9' height='9'";
    let cycles = [
        cycle(3, |i, to| format!("<clipPath id='r{i}' clip-path='url(#r{to})'><rect width='9' height='9'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        cycle(3, |i, to| format!("<clipPath id='r{i}'><rect width='9' height='9' clip-path='url(#r{to})'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        cycle(4, |i, to| format!("<mask id='r{i}' mask='url(#r{to})'><rect width='9' height='9'/></mask>"))
            + "<g mask='url(#r1)'><rect width='9' height='9'/></g>",
        cycle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' style='stroke:url( \"#r{to}\" )'/></pattern>"))
            + "<rect fill='url(#r0)' width='9' height='9'/>",
        cycle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' class='c{to}'/></pattern>"))
            + "<style>.c0 { fill: url(#r0) } .c1 { fill: url('#r1') } rect.c2 { fill: url(#r2) red }</style>"
            + "<rect class='c1' width='9' height='9'/>",
        // Through inheritance, through `use`, through a pattern that takes its contents from
        // another.
        format!("<g fill='url(#p)'><pattern id='p' {tile}><rect width='9' height='9'/></pattern><path d='M0 0h9v9z'/></g>"),
        cycle(3, |i, to| format!("<clipPath id='r{i}'><use href='#u{i}'/></clipPath><rect id='u{i}' width='9' height='9' clip-path='url(#r{to})'/>")),
        cycle(3, |i, to| {
            format!("<pattern id='r{i}' href='#p{i}' {tile}/><pattern id='p{i}'><rect width='9' height='9' fill='url(#r{to})'/></pattern>")
        }) + "<rect fill='url(#r0)' width='9' height='9'/>",
        // Through several kinds of references.
        "<mask id='m'><rect width='9' height='9' fill='url(#p)'/></mask>
         <pattern id='p' width='1' height='1'><rect width='9' height='9' mask='url(#m)'/></pattern>
         <rect mask='url(#m)' width='9' height='9'/>"
            .to_owned(),
        "<filter id='f'><feImage href='#g'/></filter><g id='g'><rect width='9' height='9' filter='url(#f)'/></g>".to_owned(),
        cycle(2, |i, to| {
            format!("<filter id='f{i}'><feImage href='#g{to}'/></filter><g id='g{i}' filter='url(#f{i})'><path d='M0 0h9v9z'/></g>")
        }),
    ];
    for cycle in cycles {
        let n_left_out = left_out(&cycle).len();
        assert!(n_left_out == 1, "{n_left_out} elements are left out: {cycle}");
    }
}

/// What the warnings say about elements that are left out, because they refer to themselves.
fn left_out(body: &str) -> Vec<Warning> {
    let drawing = load(&svg(body), &options()).unwrap_or_else(|error| panic!("{error}: {body}"));
    let warnings = drawing.warnings.into_iter();
    warnings.filter(|warning| warning.kind == WarningKind::ReferenceCycle).collect()
}

#[test]
fn a_use_inside_of_itself_is_left_out() {
    for n in [1, 2, 5] {
        for (around, top) in [("g", 0.0), ("defs", 100.0)] {
            let uses = cycle(n, |i, to| {
                format!("<g id='r{i}'><use id='u{i}' href='#r{to}'/><path id='p{i}' d='M{i} 0h9v9z'/></g>")
            });
            let body = format!("<{around}>{uses}</{around}><use id='all' href='#r0' y='100'/>");
            let warning =
                Warning { kind: WarningKind::ReferenceCycle, count: 1, first: format!("u{}", n - 1) };
            assert_eq!(left_out(&body), [warning]);
            assert_near(Loaded::of(&body).ink(), [0.0, top, n as f64 + 8.0, 109.0]);
        }
    }
    // A cycle that usvg breaks is not the reason.
    let many = "<g id='a'><use href='#a'/></g>".to_owned() + &"<g/>".repeat(1_000_001);
    let error = error(&svg(&many));
    assert_exceeds(&error, Quantity::Elements, 1_000_001.0..);
}

#[test]
fn cycles_that_usvg_breaks_are_accepted() {
    let d = Loaded::of(
        r##"<linearGradient id="l"/><pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern>
           <g id="a"><use href="#a"/><rect width="9" height="9" stroke="url(#l)"/></g>
           <marker id="m"><path d="M0 0h9v9z" marker-start="url(#m)" fill="url(#q)"/></marker>
           <pattern id="q" width="9" height="9"><path d="M0 0h9v9z" marker-start="url(#m)"/></pattern>
           <path id="r" d="M0 0h9v9z" fill="red"/><path d="M0 0h9v9z" marker-end="url(#m)" fill="none"/>"##,
    );
    assert_near(d.leaf("r"), [0.0, 0.0, 9.0, 9.0]);
}

#[test]
fn a_marker_is_left_out_inside_of_itself() {
    let marker = |contents: &str| {
        format!("<marker id='m'>{contents}</marker><path d='M0 0h9v9z' marker-end='url(#m)'/>")
    };
    for contents in [
        "<path d='M0 0h9v9z' marker-start='url(#m)'/><path d='M0 0h9v9z' marker-end='url(#m)'/>",
        "<path d='M0 0h9' fill='url(#p)'/><pattern id='p'><path d='M0 0h9' marker-end='url(#m)'/></pattern>",
    ] {
        let warning = Warning { kind: WarningKind::ReferenceCycle, count: 1, first: "m".to_owned() };
        assert_eq!(left_out(&marker(contents)), [warning], "{contents}");
    }
    assert_eq!(left_out(&marker("<path d='M0 0h9v9z'/>")), []);
}

#[test]
fn references_are_found_however_they_are_written() {
    let cycle = |reference: &dyn Fn(usize) -> String| {
        let pattern = |i, to| format!("<pattern id='r{i}' width='9' height='9'>{}</pattern>", reference(to));
        cycle(3, pattern) + "<rect width='9' height='9' fill='url(#r0)'/>"
    };
    for reference in [
        &|to| format!("<rect width='9' height='9' fill='&#117;rl(#r{to})'/>"),
        &|to| {
            format!("<rect width='9' height='9' fill='none' style='fill: url(\"#r{to}\") red !important'/>")
        },
        &|to| format!("<text y='9'><a fill='url(#r{to})'>t</a></text>"),
        &|to| format!("<rect width='9' height='9' fill='url(#r{to})'/><x:r xmlns:x='x' id='r{to}'/>"),
    ] as [&dyn Fn(usize) -> String; 4]
    {
        let cycle = cycle(reference);
        assert_eq!(left_out(&cycle).len(), 1, "{cycle}");
    }
}

#[test]
fn an_image_with_a_cycle_is_drawn_without_the_element_that_closes_it() {
    let pattern = |i, to| {
        format!(
            "<pattern id='r{i}' width='1' height='1'><rect width='9' height='9' fill='url(%23r{to})'/></pattern>"
        )
    };
    let inner = cycle(3, pattern) + "<rect width='9' height='5' fill='url(%23r0)'/>";
    let inner = format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{inner}</svg>");
    let d = Loaded::of(&format!(
        r#"<image width="9" height="9" href="data:image/svg+xml,{}"/>"#,
        inner.replace('<', "%3C")
    ));
    assert_near(d.ink(), [0.0, 0.0, 9.0, 5.0]);
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert_eq!((warning.kind, &*warning.first), (WarningKind::ReferenceCycle, "<rect> at 1:284"));
}

#[test]
fn references_without_cycles_may_be_used_often() {
    let shapes =
        "<rect width='50' height='40' fill='url(#p)' clip-path='url(#c)' mask='url(#m)' filter='url(#f)'/>";
    let d = Loaded::of(&format!(
        r##"<g fill="url(#p)" marker-end="url(#k)"><pattern id="p" width="1" height="1"><rect fill="red" width="9" height="9"/></pattern></g>
           <clipPath id="c"><use href="#shape"/></clipPath><path id="shape" d="M0 0h90v90z" fill="none"/>
           <mask id="m"><rect width="99" height="99" fill="url(#p)"/></mask>
           <filter id="f"><feOffset/></filter><marker id="k"><path d="M0 0h1v1z" marker-end="url(#k)"/></marker>
           <g>{}</g><path d="M0 0L9 0L9 9" marker-end="url(#k)"/>"##,
        shapes.repeat(1_000)
    ));
    assert_near(d.ink(), [0.0, 0.0, 50.0, 40.0]);
}

#[test]
fn usvg_breaks_short_cycles_of_masks_and_filters() {
    let d = Loaded::of(
        r##"<mask id="a" mask="url(#b)"><rect width="9" height="9" fill="white"/></mask>
           <mask id="b" mask="url(#a)"><rect width="9" height="9" fill="white" mask="url(#a)"/></mask>
           <filter id="f"><feImage href="#i"/></filter><g id="i" filter="url(#f)"><rect width="9" height="9"/></g>
           <rect width="20" height="20" mask="url(#a)"/>"##,
    );
    assert!(Aabb::new(-2.0, -2.0, 20.0, 20.0).expect("numbers").contains(d.ink()), "{:?}", d.ink());
}
