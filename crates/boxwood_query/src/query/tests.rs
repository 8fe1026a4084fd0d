use boxwood_svg::Options;
use serde_json::{Value, json};

use super::*;
use crate::place::{place_at, place_within};
use crate::words::ObjectPart;

fn drawing(svg: &str) -> Drawing {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
{svg}</svg>"#
    );
    boxwood_svg::load(svg.as_bytes(), &Options::default()).expect("it is a drawing")
}

#[test]
fn kinds_are_printed_once_and_in_order() {
    let kinds = |kinds: &[BoxKind]| BoxesQuery { kinds: kinds.into(), ..BoxesQuery::default() }.ink_kinds();
    assert_eq!(kinds(&[BoxKind::Group, BoxKind::Leaf, BoxKind::Group]), [BoxKind::Leaf, BoxKind::Group]);
    assert_eq!(kinds(&[]), BoxKind::INK);
}

#[test]
fn options_without_a_meaning_are_refused() {
    use QueryError::{
        InkInLocalSpace, KindsAtPlace, KindsOfObjects, NoParts, PlaceInLocalSpace, PreciseWithoutPoint,
        UnitOutsideScene, Zoom, ZoomOutsideDevice,
    };
    let all = BoxesQuery::default;
    let (fill, clipped) = (ObjectPart::set([ObjectPart::Fill]), ObjectPart::set([ObjectPart::Clipped]));
    let objects = || BoxesQuery { include: vec![fill], ..all() };
    let at = || BoxesQuery { place: place_at([1.0, 1.0]).ok(), ..all() };
    let within = || BoxesQuery { place: place_within([1.0, 1.0, 2.0, 2.0]).ok(), ..all() };
    let (local, device, leaf) = (Space::Local, Space::Device, vec![BoxKind::Leaf]);
    for (query, error) in [
        (BoxesQuery { space: local, ..at() }, PlaceInLocalSpace),
        (BoxesQuery { space: local, ..all() }, InkInLocalSpace),
        (BoxesQuery { include: vec![fill, clipped], ..all() }, NoParts),
        (BoxesQuery { unit: Unit::Mm, space: device, ..all() }, UnitOutsideScene),
        (BoxesQuery { kinds: leaf.clone(), ..objects() }, KindsOfObjects),
        (BoxesQuery { kinds: vec![BoxKind::Object], ..all() }, KindsOfObjects),
        (BoxesQuery { kinds: leaf, ..at() }, KindsAtPlace),
        (BoxesQuery { include: vec![fill], ..within() }, KindsAtPlace),
        (BoxesQuery { precise: true, ..within() }, PreciseWithoutPoint),
        (BoxesQuery { precise: true, ..all() }, PreciseWithoutPoint),
        (BoxesQuery { zoom: Some(f64::NAN), space: device, ..all() }, Zoom),
        (BoxesQuery { zoom: Some(2.0), ..all() }, ZoomOutsideDevice),
    ] {
        assert_eq!(query.answer(&drawing("")).err(), Some(error), "{query:?}");
    }
    for query in [
        all(),
        within(),
        BoxesQuery { space: local, ..objects() },
        BoxesQuery { precise: true, unit: Unit::Mm, ..at() },
        BoxesQuery { zoom: Some(2.0), space: device, ..all() },
    ] {
        assert_eq!(query.check(), Ok(()), "{query:?}");
    }
}

#[test]
fn an_answer_in_json_has_the_members_of_the_schema() {
    let drawing = drawing(r#"<rect id="r" x="15" width="10" height="4"/><rect id="none" height="1"/>"#);
    let ids = ["r", "none", "missing"].map(str::to_owned).to_vec();
    let wanted = Wanted { ids, ..Wanted::default() };
    let query = BoxesQuery { kinds: vec![BoxKind::Clipped], wanted, ..BoxesQuery::default() };
    let answer = query.answer(&drawing).expect("the query is valid");
    assert_eq!(answer.missing, [NotFound::Id { id: "missing".to_owned() }]);
    let json = serde_json::to_value(&answer).expect("an answer is JSON");
    let with_box = json!({
        "name": "r", "has_id": true, "element": "rect", "path": "/svg/rect[1]", "line": 2, "column": 1,
        "class": "", "kind": "clipped", "include": [], "order": 1, "parent": "/svg",
        "box": [15.0, 0.0, 20.0, 4.0], "reason": null, "explanation": null, "x": 15.0, "y": 0.0,
        "width": 5.0, "height": 4.0, "x0": 15.0, "y0": 0.0, "x1": 20.0, "y1": 4.0,
    });
    assert_eq!(json["rows"][0], with_box);
    assert_eq!(json["rows"][1]["box"], Value::Null);
    assert_eq!(json["rows"][1]["reason"], "no-size");
    let mut head = json;
    head["rows"].take();
    let expected = json!({
        "schema": SCHEMA, "vocabulary": "ink", "space": "scene", "unit": "px",
        "width": 20.0, "height": 10.0, "warnings": [], "rows": null,
    });
    assert_eq!(head, expected);
}

#[test]
fn a_row_at_a_place_has_the_clips_around_its_element() {
    let drawing = drawing(
        r##"<clipPath id="c"><rect width="4" height="4"/></clipPath>
            <g id="g" clip-path="url(#c)"><rect id="r" width="9" height="9"/></g>"##,
    );
    let query = BoxesQuery { place: place_at([1.0, 1.0]).ok(), ..BoxesQuery::default() };
    let answer = query.answer(&drawing).expect("the query is valid");
    let clips = |row: &BoxRow<'_>| row.clips.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
    let found: Vec<_> = answer.rows.iter().map(|row| (&*row.name, clips(row))).collect();
    let [clip, viewport] = ["clip-path #c of g", "viewport of /svg"].map(str::to_owned);
    let inside = vec![clip, viewport.clone()];
    assert_eq!(found, [("r", inside.clone()), ("g", inside), ("/svg", vec![viewport])]);
}

#[test]
fn boxes_are_in_the_unit_and_the_space_of_the_query() {
    let drawing = drawing(r#"<rect id="r" x="48" width="48" height="12"/>"#);
    let wanted = Wanted { ids: vec!["r".to_owned()], ..Wanted::default() };
    let leaf = |query: BoxesQuery| {
        let answer = query.answer(&drawing).expect("the query is valid");
        (answer.naming, answer.rows[0].bounds.to_string())
    };
    let query = || BoxesQuery { wanted: wanted.clone(), ..BoxesQuery::default() };
    let (naming, in_device) = leaf(BoxesQuery { space: Space::Device, zoom: Some(0.3), ..query() });
    assert_eq!((naming.space.word(), &*in_device), ("device", "(14, 0, 29, 4)"));
    let (naming, in_mm) = leaf(BoxesQuery { unit: Unit::Mm, ..query() });
    assert_eq!((naming.unit.word(), &*in_mm), ("mm", "(12.7, 0, 25.4, 3.175)"));
}

#[test]
fn object_boxes_of_one_element_are_those_among_all() {
    let drawing = drawing(
        r##"<clipPath id="c"><rect width="2" height="2"/></clipPath><defs><circle id="d" r="1"/></defs>
        <g id="g"><rect id="r" width="4" height="3" stroke="red"/><path id="p"/></g>
        <rect id="gone" x="5" width="4" height="3" clip-path="url(#c)"/><use id="u" href="#d"/>"##,
    );
    let sets = [vec![ObjectPart::Fill], vec![ObjectPart::Fill, ObjectPart::Stroke, ObjectPart::Clipped]];
    let query = BoxesQuery { include: sets.map(ObjectPart::set).into(), ..BoxesQuery::default() };
    let all = query.answer(&drawing).expect("it has a meaning").rows;
    for id in ["g", "r", "p", "gone", "u"] {
        let wanted = Wanted { ids: vec![id.to_owned()], ..Wanted::default() };
        let rows = BoxesQuery { wanted, ..query.clone() }.answer(&drawing).expect("it has a meaning").rows;
        let expected: Vec<_> = all.iter().filter(|row| row.name == id).cloned().collect();
        assert_eq!((rows.len(), &rows), (2, &expected), "{id}");
    }
}
