//! References between elements that lead in a circle, or to more than can be taken.

use std::time::{Duration, Instant};

use boxwood_cpu::Aabb;
use boxwood_svg::{Error, WarningKind};

use crate::drawing::{Loaded, assert_near, error, svg};

#[test]
fn clip_paths_in_a_circle_are_cut_open() {
    let d = Loaded::of(
        r#"<clipPath id="a" clip-path="url(#b)"><rect width="9" height="9"/></clipPath>
           <clipPath id="b" clip-path="url(#a)"><rect width="9" height="9"/></clipPath>
           <clipPath id="self"><rect width="9" height="9" clip-path="url(#self)"/></clipPath>
           <rect clip-path="url(#a)" width="50" height="50"/><rect clip-path="url(#self)" width="50" height="50"/>"#,
    );
    assert!(Aabb::new(0.0, 0.0, 50.0, 50.0).expect("numbers").contains(d.ink()));
}

/// Scene of which each of twelve refers to the next ten times: 10^12 elements.
fn bomb(element: impl Fn(usize, &str) -> String, reference: impl Fn(usize) -> String) -> String {
    (0..12).map(|i| element(i, &reference(i + 1).repeat(10))).collect()
}

#[test]
fn references_that_grow_without_bound_are_refused_with_their_number_and_the_limit() {
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
        let start = Instant::now();
        let error = error(&svg(&bomb));
        assert!(matches!(error, Error::TooMany { count } if count > 1_000_000_000), "{error}: {bomb}");
        assert!(error.to_string().contains("limit is 1000000"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[test]
fn references_that_nest_too_deep_are_refused_for_that() {
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
        assert!(matches!(error, Error::TooDeep { depth: 1025.. }), "{attribute}: {error}");
        assert!(error.to_string().contains("limit is 1024"), "{error}");
    }
}

/// The elements of a circle of `n`, of which each refers to the next.
fn circle(n: usize, element: impl Fn(usize, usize) -> String) -> String {
    (0..n).map(|i| element(i, (i + 1) % n)).collect()
}

#[test]
fn circles_of_references_are_refused() {
    let tile = "patternUnits='userSpaceOnUse' width='9' height='9'";
    let circles = [
        circle(3, |i, to| format!("<clipPath id='r{i}' clip-path='url(#r{to})'><rect width='9' height='9'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        circle(3, |i, to| format!("<clipPath id='r{i}'><rect width='9' height='9' clip-path='url(#r{to})'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        circle(4, |i, to| format!("<mask id='r{i}' mask='url(#r{to})'><rect width='9' height='9'/></mask>"))
            + "<g mask='url(#r1)'><rect width='9' height='9'/></g>",
        circle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' style='stroke:url( \"#r{to}\" )'/></pattern>"))
            + "<rect fill='url(#r0)' width='9' height='9'/>",
        circle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' class='c{to}'/></pattern>"))
            + "<style>.c0 { fill: url(#r0) } .c1 { fill: url('#r1') } rect.c2 { fill: url(#r2) red }</style>"
            + "<rect class='c1' width='9' height='9'/>",
        // By what is inherited, by what is used, by a pattern that has the contents of another.
        format!("<g fill='url(#p)'><pattern id='p' {tile}><rect width='9' height='9'/></pattern><path d='M0 0h9v9z'/></g>"),
        circle(3, |i, to| format!("<clipPath id='r{i}'><use href='#u{i}'/></clipPath><rect id='u{i}' width='9' height='9' clip-path='url(#r{to})'/>")),
        circle(3, |i, to| {
            format!("<pattern id='r{i}' href='#p{i}' {tile}/><pattern id='p{i}'><rect width='9' height='9' fill='url(#r{to})'/></pattern>")
        }) + "<rect fill='url(#r0)' width='9' height='9'/>",
        // Of several kinds.
        "<mask id='m'><rect width='9' height='9' fill='url(#p)'/></mask>
         <pattern id='p' width='1' height='1'><rect width='9' height='9' mask='url(#m)'/></pattern>
         <rect mask='url(#m)' width='9' height='9'/>"
            .to_owned(),
        "<filter id='f'><feImage href='#g'/></filter><g id='g'><rect width='9' height='9' filter='url(#f)'/></g>".to_owned(),
        circle(2, |i, to| {
            format!("<filter id='f{i}'><feImage href='#g{to}'/></filter><g id='g{i}' filter='url(#f{i})'><path d='M0 0h9v9z'/></g>")
        }),
    ];
    for circle in circles {
        let error = error(&svg(&circle));
        assert!(matches!(error, Error::Circle { .. }), "{error}: {circle}");
        assert!(error.to_string().contains("lead back to it"), "{error}");
    }
}

#[test]
fn circles_of_uses_are_refused_for_that() {
    for n in [2, 5] {
        let uses = circle(n, |i, to| format!("<g id='r{i}'><use href='#r{to}'/></g>"));
        let error = error(&svg(&uses));
        assert!(matches!(&error, Error::Circle { element, id } if element == "g" && id == "r0"), "{error}");
    }
    // One that is opened is not the reason.
    let many = "<g id='a'><use href='#a'/></g>".to_owned() + &"<g/>".repeat(1_000_001);
    let error = error(&svg(&many));
    assert!(matches!(error, Error::TooMany { count: 1_000_001.. }), "{error}");
}

#[test]
fn circles_that_are_opened_are_no_reason_to_refuse() {
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
fn references_are_found_however_they_are_written() {
    let circle = |reference: &dyn Fn(usize) -> String| {
        let pattern = |i, to| format!("<pattern id='r{i}' width='9' height='9'>{}</pattern>", reference(to));
        circle(3, pattern) + "<rect width='9' height='9' fill='url(#r0)'/>"
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
        let circle = circle(reference);
        assert!(matches!(error(&svg(&circle)), Error::Circle { .. }), "{circle}");
    }
}

#[test]
fn a_circle_in_an_image_leaves_the_image_out() {
    let pattern = |i, to| {
        format!(
            "<pattern id='r{i}' width='1' height='1'><rect width='9' height='9' fill='url(%23r{to})'/></pattern>"
        )
    };
    let inner = circle(3, pattern) + "<rect width='9' height='9' fill='url(%23r0)'/>";
    let inner = format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{inner}</svg>");
    let d = Loaded::of(&format!(
        r#"<image width="9" height="9" href="data:image/svg+xml,{}"/>"#,
        inner.replace('<', "%3C")
    ));
    assert_eq!((d.ink(), d.drawing.warnings[0].kind), (Aabb::EMPTY, WarningKind::BadImage));
}

#[test]
fn references_that_end_are_followed_however_often() {
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
fn masks_and_filters_in_a_circle_are_cut_open() {
    let d = Loaded::of(
        r##"<mask id="a" mask="url(#b)"><rect width="9" height="9" fill="white"/></mask>
           <mask id="b" mask="url(#a)"><rect width="9" height="9" fill="white" mask="url(#a)"/></mask>
           <filter id="f"><feImage href="#i"/></filter><g id="i" filter="url(#f)"><rect width="9" height="9"/></g>
           <rect width="20" height="20" mask="url(#a)"/>"##,
    );
    assert!(Aabb::new(-2.0, -2.0, 20.0, 20.0).expect("numbers").contains(d.ink()), "{:?}", d.ink());
}
