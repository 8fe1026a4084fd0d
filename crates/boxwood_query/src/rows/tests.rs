use boxwood_cpu::tag;
use boxwood_svg::Options;

use super::*;

fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
    Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
}

fn source(name: &str, kind: SourceKind, parent: Option<u32>) -> Source {
    let (tag, path, class) = (String::new(), String::new(), String::new());
    let has_id = !name.starts_with('/');
    Source { name: name.into(), has_id, kind, parent, tag, path, line: 1, column: 1, class }
}

fn no_reasons(sources: &[Source]) -> Vec<Option<NoBox>> {
    vec![None; sources.len()]
}

fn content<'a>(sources: &'a [Source], table: &'a [ElementInfo], scene: &'a Scene) -> Content<'a, 'a> {
    Content { sources, table, text_leaves: &[], scene }
}

const fn info(source: u32, role: Role) -> ElementInfo {
    ElementInfo { source, role, within: Within::Scene, in_marker: false }
}

#[test]
fn the_boxes_of_an_svg_element_are_combined() {
    let sources = [
        source("/", SourceKind::Svg, None),
        source("twice-clipped", SourceKind::Group, Some(0)),
        source("fill-and-stroke", SourceKind::Path, Some(1)),
    ];
    let table = [
        info(0, Role::Clip),
        info(1, Role::Clip),
        info(1, Role::ClipBlend),
        info(2, Role::Fill),
        info(2, Role::Stroke),
        info(1, Role::ClipBlend),
        info(1, Role::Clip),
        info(0, Role::Clip),
    ];
    let b = tag::BEGIN;
    let e = tag::END;
    let scene = Scene::from_streams(
        vec![b, b, b, tag::LEAF, tag::LEAF, e, e, e],
        vec![
            aabb(0.0, 0.0, 100.0, 100.0),
            aabb(10.0, 10.0, 60.0, 60.0),
            aabb(40.0, 0.0, 90.0, 90.0),
            aabb(20.0, 20.0, 50.0, 50.0),
            aabb(18.0, 18.0, 52.0, 52.0),
            Aabb::EMPTY,
            Aabb::EMPTY,
            Aabb::EMPTY,
        ],
    )
    .expect("the streams are valid");
    let boxes = boxwood_cpu::specification::boxes(&scene);
    let unpainted = no_reasons(&sources);
    let all = ink_rows(content(&sources, &table, &scene), &boxes, &BoxKind::INK, &unpainted);
    let found: Vec<_> = all.iter().filter_map(|row| Some((&*row.name, row.kind?, row.bounds))).collect();
    let visible = aabb(40.0, 18.0, 52.0, 52.0);
    assert_eq!(
        found,
        [
            ("/", BoxKind::Clip, aabb(0.0, 0.0, 100.0, 100.0)),
            ("/", BoxKind::Group, visible),
            ("twice-clipped", BoxKind::Clip, aabb(40.0, 10.0, 60.0, 60.0)),
            ("twice-clipped", BoxKind::Group, visible),
            ("fill-and-stroke", BoxKind::Leaf, aabb(18.0, 18.0, 52.0, 52.0)),
            ("fill-and-stroke", BoxKind::Clipped, visible),
        ]
    );
    let clips = ink_rows(content(&sources, &table, &scene), &boxes, &[BoxKind::Clip], &unpainted);
    let found: Vec<_> = clips.iter().map(|row| (row.order, row.is_listed, row.reason.as_ref())).collect();
    assert_eq!(found, [(0, true, None), (1, true, None), (2, false, Some(&NoBox::OtherBoxes))]);
}

#[test]
fn an_element_has_a_row_for_each_set_of_parts() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
        <rect id="r" width="3" height="3" clip-path="url(#c)"/><clipPath id="c"/><g id="g"/></svg>"#;
    let drawing = boxwood_svg::load(svg.as_bytes(), &Options::default()).expect("it is a drawing");
    let fill = Include { fill: true, ..NO_PARTS };
    let sets = [fill, Include { clipped: true, ..fill }, Include { stroke: true, ..NO_PARTS }];
    let rows = object_rows(&drawing, &sets, Space::Scene, |_| true);
    let found: Vec<_> = rows.iter().map(|row| (&*row.name, row.bounds.x1, row.reason.as_ref())).collect();
    let none = Aabb::EMPTY.x1;
    assert_eq!(
        found,
        [
            ("/svg", 3.0, None),
            ("/svg", none, Some(&NoBox::ClippedAway)),
            ("/svg", none, Some(&NoBox::OtherBoxes)),
            ("r", 3.0, None),
            ("r", none, Some(&NoBox::ClippedAway)),
            ("r", none, Some(&NoBox::OtherBoxes)),
            ("g", none, Some(&NoBox::NoContents)),
            ("g", none, Some(&NoBox::NoContents)),
            ("g", none, Some(&NoBox::NoContents)),
        ]
    );
    let rows: Vec<_> = unlisted_rows(drawing.unlisted(), 3, &sets).collect();
    let definition = NoBox::Definition { within: "clipPath".to_owned() };
    assert!(
        rows.iter().all(|row| (&*row.name, row.order, row.reason.as_ref()) == ("c", 3, Some(&definition)))
    );
    assert_eq!(rows.len(), sets.len());
}

#[test]
fn a_group_without_a_node_has_the_box_of_its_contents() {
    let sources = [
        source("/", SourceKind::Svg, None),
        source("layer", SourceKind::Group, Some(0)),
        source("/g[1]/g[1]", SourceKind::Group, Some(1)),
        source("left", SourceKind::Path, Some(2)),
        source("right", SourceKind::Path, Some(1)),
        source("empty", SourceKind::Group, Some(0)),
        source("beside", SourceKind::Path, Some(0)),
    ];
    let leaves = [info(3, Role::Fill), info(4, Role::Fill), info(6, Role::Fill)];
    let table = [&[info(0, Role::Clip)][..], &leaves, &[info(0, Role::Clip)]].concat();
    let scene = Scene::from_streams(
        vec![tag::BEGIN, tag::LEAF, tag::LEAF, tag::LEAF, tag::END],
        vec![
            aabb(0.0, 0.0, 100.0, 100.0),
            aabb(-10.0, 10.0, 20.0, 20.0),
            aabb(50.0, 30.0, 60.0, 40.0),
            aabb(70.0, 70.0, 90.0, 90.0),
            Aabb::EMPTY,
        ],
    )
    .expect("the streams are valid");
    let boxes = boxwood_cpu::specification::boxes(&scene);
    let unpainted = no_reasons(&sources);
    let mut groups = ink_rows(content(&sources, &table, &scene), &boxes, &[BoxKind::Group], &unpainted);
    groups.retain(|row| row.kind.is_some());
    let found: Vec<_> = groups.iter().map(|row| (&*row.name, row.is_listed, row.bounds)).collect();
    assert_eq!(
        found,
        [
            ("/", true, aabb(0.0, 10.0, 90.0, 90.0)),
            ("layer", true, aabb(0.0, 10.0, 60.0, 40.0)),
            ("/g[1]/g[1]", true, aabb(0.0, 10.0, 20.0, 20.0)),
            ("empty", true, Aabb::EMPTY),
        ]
    );
    let mut leaves = ink_rows(content(&sources, &table, &scene), &boxes, &[BoxKind::Leaf], &unpainted);
    leaves.retain(|row| row.kind.is_some());
    let parents: Vec<_> = leaves.iter().map(|row| (&*row.name, row.parent)).collect();
    assert_eq!(parents, [("left", Some("/g[1]/g[1]")), ("right", Some("layer")), ("beside", Some("/"))]);
}
