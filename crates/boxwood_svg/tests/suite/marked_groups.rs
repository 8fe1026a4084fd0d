//! Effects of groups around paths with markers, relative to the box of the group.

use boxwood_cpu::Aabb;
use boxwood_svg::{Include, Space};

use crate::loaded::{Loaded, assert_near};

const MARKER: &str = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='40' markerHeight='40'
    refX='20' refY='20'><rect width='40' height='40'/></marker>";

const PATH: &str = "<path id='p' d='M50,50 H100 V100 H50' marker-mid='url(#m)'/>";

/// Effects that let exactly the box of an element through, and their properties.
const EFFECTS: [(&str, &str); 5] = [
    (
        "clip-path",
        "<clipPath id='e' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/></clipPath>",
    ),
    (
        "mask",
        "<mask id='e' x='0' y='0' width='1' height='100%'><rect fill='white' width='300' height='300'/></mask>",
    ),
    (
        "mask",
        "<mask id='e' x='0' y='0' width='300' height='300' maskUnits='userSpaceOnUse'
           maskContentUnits='objectBoundingBox'><rect fill='white' width='1' height='1'/></mask>",
    ),
    ("filter", "<filter id='e' x='0' y='0' width='1' height='1'><feOffset/></filter>"),
    (
        "filter",
        "<filter id='e' filterUnits='objectBoundingBox' x='0%' y='0%' width='100%' height='100%'>
           <feMerge><feMergeNode in='SourceGraphic'/></feMerge></filter>",
    ),
];

#[test]
fn the_effects_of_a_group_are_relative_to_its_paths_without_their_markers() {
    for (property, effect) in EFFECTS {
        let on = format!("{property}='url(#e)'");
        let style = format!("style='fill:red;{property}:url(#e)'");
        for group in [
            format!("<g id='g' {on}>{PATH}</g>"),
            format!("<g {style}><g transform='scale(2)'><g transform='scale(.5)'>{PATH}</g></g></g>"),
            format!("<g transform='translate(-9)'><a {on} transform='translate(9)'>{PATH}</a></g>"),
            format!("<g marker-mid='url(#m)' {on}><path d='M50,50 H100 V100 H50'/></g>"),
            format!("<defs>{PATH}</defs><use href='#p' {on}/>"),
            format!("<defs>{PATH}</defs><g {on}><use href='#p' x='20' transform='translate(-20)'/></g>"),
        ] {
            let d = Loaded::of(&format!("{MARKER}{effect}{group}"));
            assert_near(d.ink(), [50.0, 50.0, 100.0, 100.0]);
            assert_eq!(d.ink_at_4(), [50.0, 50.0, 100.0, 100.0], "{effect} {group}");
        }
    }
}

#[test]
fn the_text_in_a_group_counts_besides_its_paths() {
    let group = |marker: &str| {
        let d = Loaded::of(&format!(
            "{MARKER}{}<g id='g' clip-path='url(#e)' font-family='Noto Sans'><text x='150' y='90'>A</text>
             <path d='M50,50 H100 V100 H50' {marker}/></g>",
            EFFECTS[0].1
        ));
        d.clip("g")
    };
    let [with, without] = ["marker-mid='url(#m)'", ""].map(group);
    assert_near(with, [without.x0, without.y0, without.x1, without.y1].map(f64::from));
}

#[test]
fn a_group_without_area_is_hidden_but_keeps_its_box() {
    let d = Loaded::of(&format!(
        "{MARKER}{}<g id='g' clip-path='url(#e)'><path id='p' d='M50 50H100' marker-end='url(#m)'/></g>",
        EFFECTS[0].1
    ));
    assert_eq!(d.ink(), Aabb::EMPTY);
    let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
    let group = d.drawing.sources.iter().position(|source| source.name == "g").expect("it is listed");
    let found = d.drawing.object_boxes(fill, Space::Local)[group].expect("it has a box");
    assert_eq!([found.x0, found.y0, found.x1, found.y1], [50.0, 50.0, 100.0, 50.0]);
}
