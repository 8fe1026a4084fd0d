//! The elements that markers belong to.

use boxwood_svg::Role;

use crate::loaded::Loaded;

#[test]
fn markers_belong_to_their_path() {
    let with = |sheet: &str, styles: [&str; 3]| {
        let marker = r#"<marker id="m" overflow="visible"><rect width="6" height="6"/></marker>"#;
        let path = |(i, style): (usize, &str)| {
            let x = 50 * (i + 1);
            format!(r#"<path id="p{i}" d="M{x} 50h20v20" stroke="red" marker-end="url(#m)" {style}/>"#)
        };
        let paths: String = styles.into_iter().enumerate().map(path).collect();
        Loaded::of(&format!("<style>{sheet}</style>{marker}<g id='g'>{paths}</g>"))
    };
    let (last, first) = ("", r#"style="paint-order:markers""#);
    for styles in [[last, last, last], [first, first, first], [last, first, last], [first, last, first]] {
        let d = with("", styles);
        for (i, id) in ["p0", "p1", "p2"].iter().enumerate() {
            let x = 50.0 * (i as f32 + 1.0);
            assert_eq!(d.leaf(id).x0, x, "{styles:?}");
            assert_eq!(d.leaf(id).x1, x + 26.0, "{styles:?}");
        }
    }
    // An effect on a path with markers belongs to the path.
    let d = with("", [last, r#"opacity=".5""#, r#"style="paint-order:markers" opacity=".5""#]);
    assert_eq!(d.roles("p1"), [Role::Blend, Role::Fill, Role::Stroke, Role::Fill]);
    assert_eq!(d.roles("p2"), [Role::Blend, Role::Fill, Role::Fill, Role::Stroke]);
    // Both parts of a path with markers in the middle belong to it, and none of its neighbours'.
    let d = with("", [last, r#"style="paint-order:fill markers""#, first]);
    let edges = ["p0", "p1", "p2"].map(|id| (d.leaf(id).x0, d.leaf(id).x1));
    assert_eq!(edges, [(50.0, 76.0), (100.0, 126.0), (150.0, 176.0)]);
    // An element that is not drawn has no markers.
    let d = with("#p1 { display: none }", [last, last, last]);
    assert_eq!((d.leaf("p0").x1, d.leaf("p1").is_empty(), d.leaf("p2").x0), (76.0, true, 150.0));
    // So does a path whose order is set in a style sheet.
    let d = with("path { paint-order: markers }", [last, last, last]);
    assert_eq!(["p0", "p1", "p2"].map(|id| d.leaf(id).x1), [76.0, 126.0, 176.0]);
}

#[test]
fn markers_between_fill_and_stroke_belong_to_their_path() {
    const MARKER: &str = r#"<marker id="m" overflow="visible"><rect width="6" height="6"/></marker>"#;
    let path = |(i, style): (usize, &&str)| {
        let x = 50 * (i + 1);
        format!(r#"<path id="p{i}" d="M{x} 50h20v20" marker-end="url(#m)" {style}/>"#)
    };
    // The left and right edges of the leaves of each path, and of the group around them.
    let edges = |sheet: &str, styles: &[&str]| {
        let paths: String = styles.iter().enumerate().map(path).collect();
        let d = Loaded::of(&format!("<style>{sheet}</style>{MARKER}<g id='g'>{paths}</g>"));
        let ids = (0..styles.len()).map(|i| format!("p{i}")).chain(["g".to_owned()]);
        ids.map(|id| d.leaf(&id))
            .map(|leaf| (!leaf.is_empty()).then_some((leaf.x0, leaf.x1)))
            .collect::<Vec<_>>()
    };
    let whole = [Some((50.0, 76.0)), Some((100.0, 126.0))];
    for order in ["fill markers stroke", "stroke markers"] {
        let by_attribute = format!(r#"paint-order="{order}" stroke="red""#);
        let by_style = format!(r#"style="paint-order:{order};stroke:red""#);
        let sheet = format!("path {{ paint-order: {order} }}");
        for (sheet, style) in [("", &*by_attribute), ("", &*by_style), (&*sheet, r#"stroke="red""#)] {
            assert_eq!(edges(sheet, &[style; 2]), [whole[0], whole[1], None], "{sheet}{style}");
        }
    }
    // A path that is drawn in one step or in none, before and after a path without markers.
    let plain = r#"style="marker:none""#;
    let [stroked, filled, bare] = [r#"fill="none" stroke="red""#, "", r#"fill="none""#]
        .map(|paint| format!(r#"paint-order="fill markers" {paint}"#));
    for style in [&*stroked, &*filled] {
        assert_eq!(edges("", &[style, plain]), [whole[0], Some((100.0, 120.0)), None], "{style}");
        assert_eq!(edges("", &[plain, style]), [Some((50.0, 70.0)), whole[1], None], "{style}");
    }
    assert_eq!(edges("", &[&*bare, plain])[1..], [Some((100.0, 120.0)), None]);
    assert_eq!(edges("", &[&*filled; 2]), [whole[0], whole[1], None]);
}
