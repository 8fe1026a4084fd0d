//! Elements that are drawn alone.

use boxwood_svg::{Error, Only, Options, load};

use crate::loaded::{options, svg};

const BODY: &str = r##"<clipPath id="c"><rect width="50" height="50"/></clipPath>
    <g id="g" clip-path="url(#c)" opacity=".5"><rect id="a" width="90" height="20"/><rect id="b" width="9" height="9"/></g>
    <path id="p" d="M0 0h9v9"/><use id="u" href="#p" x="30"/><text><textPath href="#p">A</textPath></text>"##;

/// The names of the elements with leaves, each with the right edge of its clipped box.
fn drawn(names: &[&str], clips: bool) -> Result<Vec<(String, f32)>, Error> {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let drawing = load(&svg(BODY), &Options { only: Some(Only { names, clips }), ..options() })?;
    let boxes = drawing.boxes();
    let leaves = boxes.clipped_boxes.iter().zip(&drawing.table).enumerate();
    let leaves = leaves.filter(|(index, _)| drawing.elements.kind(*index) == boxwood_cpu::ElementKind::Leaf);
    Ok(leaves.map(|(_, (b, info))| (drawing.sources[info.source as usize].name.clone(), b.x1)).collect())
}

#[test]
fn only_the_named_elements_are_drawn() {
    for (names, clips, expected) in [
        (&["a"][..], true, &[("a", 50.0)][..]),
        (&["a"], false, &[("a", 90.0)]),
        (&["b", "/svg/path[1]"], true, &[("b", 9.0), ("p", 9.0), ("/svg/use[1] → /svg/path[1]", 39.0)]),
        (&["g"], true, &[("a", 50.0), ("b", 9.0)]),
        // The clip path of a named element is its own.
        (&["g"], false, &[("a", 50.0), ("b", 9.0)]),
        (&["rect"], true, &[("a", 50.0), ("b", 9.0)]),
        (&["u"], true, &[("/svg/use[1] → /svg/path[1]", 39.0)]),
    ] {
        let expected: Vec<_> = expected.iter().map(|(name, x)| ((*name).to_owned(), *x)).collect();
        assert_eq!(drawn(names, clips).expect("it is found"), expected, "{names:?} {clips}");
    }
}

#[test]
fn other_elements_can_still_be_referred_to() {
    assert!(!drawn(&["text"], true).expect("it is found").is_empty(), "its path is not drawn");
}

#[test]
fn a_part_of_a_text_is_drawn_alone_where_it_is() {
    let body = r#"<text id="t" visibility="hidden">aa<tspan id="a" visibility="visible">bb</tspan
        ><tspan visibility="visible">cc<tspan id="b">dd</tspan></tspan></text>"#;
    let ink = |names: &[&str]| {
        let only = (!names.is_empty()).then(|| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Only { names, clips: true }
        });
        let drawing = load(&svg(body), &Options { only, ..options() }).expect("it is a drawing");
        let part = |id| drawing.sources.iter().position(|source| source.name == id).expect("it has a row");
        let (a, b) = (part("a"), part("b"));
        let leaves = drawing.leaves_of_text_parts();
        [a, b].map(|part| {
            let own = leaves.iter().filter(|(source, _)| *source as usize == part);
            own.map(|(_, leaf)| drawing.elements.boxes()[*leaf]).reduce(|a, b| a.union(b))
        })
    };
    let [a, b] = ink(&[]);
    assert!(a.is_some() && b.is_some());
    assert_eq!(ink(&["a"]), [a, None]);
    assert_eq!(ink(&["b"]), [None, b]);
    assert_eq!(ink(&["a", "b"]), [a, b]);
}

#[test]
fn what_is_not_drawn_is_an_error() {
    for name in ["c", "/svg/clipPath[1]/rect[1]", "clipPath"] {
        let error = drawn(&["a", name], true).expect_err("it is a definition");
        assert!(matches!(&error, Error::NotDrawn { name: named } if named == name), "{error}");
    }
}

#[test]
fn a_name_of_no_element_is_an_error() {
    let error = drawn(&["none"], true).expect_err("there is no such element").to_string();
    assert_eq!(error, "no element has the id or path `none`, or matches it as a selector");
}
