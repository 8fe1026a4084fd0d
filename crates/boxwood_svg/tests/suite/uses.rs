//! What uses draw, as trees of their own.

use boxwood_svg::{Include, Space, audit};

use crate::loaded::Loaded;

const FILL: Include = Include { fill: true, stroke: false, markers: false, clipped: false };

/// The object box in scene space of the source with this id or path: x, y, width, and height.
fn box_of(d: &Loaded, name: &str) -> Option<[f64; 4]> {
    let [source] = d.named(name)[..] else { panic!("one source is named {name}") };
    let rect = d.drawing.object_boxes(FILL, Space::Scene)[source as usize]?;
    Some([rect.x0, rect.y0, rect.width(), rect.height()].map(|v| (v * 1e3).round() / 1e3))
}

#[test]
fn the_own_children_of_a_use_are_not_drawn() {
    let d = Loaded::of("<use id='u' href='#none'><rect width='9' height='9'/></use><use id='v' href='#u'/>");
    assert_eq!(box_of(&d, "v"), None);
}

/// The boxes are those of Chromium 156.
#[test]
fn lengths_in_a_copy_are_relative_to_its_own_surroundings() {
    for (body, expected) in [
        (
            "<rect id='r' width='1' height='1'/><symbol id='s' viewBox='0 0 10 10'><use href='#r' x='50%'/></symbol>
             <use id='u' href='#s' width='100' height='100'/>",
            [50.0, 0.0, 10.0, 10.0],
        ),
        (
            "<svg id='t' width='10' height='10' overflow='visible'><rect width='calc(100% - 1px)' height='5'/></svg>
             <use id='u' href='#t' width='50' height='50'/>",
            [0.0, 0.0, 49.0, 5.0],
        ),
        (
            "<g id='b'><rect width='1em' height='1em'/></g>
             <use id='u' href='#b' font-size='50' style='transform-box:fill-box;transform-origin:100% 100%;scale:2'/>",
            [-50.0, -50.0, 100.0, 100.0],
        ),
    ] {
        assert_eq!(box_of(&Loaded::of(body), "u"), Some(expected), "{body}");
    }
}

#[test]
fn a_copy_changes_nothing_of_its_original() {
    let d = Loaded::of("<g id='g'><rect id='r' width='1em' height='9'/></g><use href='#r' font-size='0'/>");
    assert_eq!(box_of(&d, "g"), Some([0.0, 0.0, 16.0, 9.0]));
    let text = "<text id='t' y='20' font-size='1em'><tspan id='a'>AB</tspan></text>";
    let part = |body: &str| {
        let d = Loaded::of(body);
        let parts = d.named("a");
        d.drawing.object_boxes(FILL, Space::Scene)[parts[0] as usize]
    };
    assert_eq!(part(text), part(&format!("{text}<use href='#t' font-size='40'/>")));
}

#[test]
fn each_use_draws_its_last_copy_only() {
    let d = Loaded::of(
        "<rect id='r' width='9' height='9'/><g id='a'><use href='#r'><g/></use></g><use id='u' href='#a' x='20'/>",
    );
    assert_eq!(box_of(&d, "u"), Some([20.0, 0.0, 9.0, 9.0]));
}

#[test]
fn uses_in_masks_in_definitions_have_copies() {
    let d = Loaded::of(
        "<defs><mask id='m'><use href='#s' fill='white'/></mask></defs>
         <symbol id='s' width='10' height='10' viewBox='0 0 1 1'><rect width='1' height='1'/></symbol>
         <rect id='r' width='100' height='100' mask='url(#m)'/>",
    );
    let group = d.drawing.boxes().clipped_boxes.iter().copied().find(|b| b.x1 == 10.0);
    assert!(group.is_some(), "the mask lets 10 by 10 through");
}

#[test]
fn style_sheets_and_selectors_are_those_of_the_document() {
    let d = Loaded::of(
        "<g id='a'><style>.c { width: 5px } use:empty { display: none } #r:first-child { height: 7px }</style>
         <rect id='r' class='c' width='9' height='9'/></g><use id='u' href='#r' x='20'><title/></use>",
    );
    // In the tree of the use, the rectangle is the first child.
    assert_eq!(
        (box_of(&d, "/svg/g[1]/rect[1]"), box_of(&d, "u")),
        (Some([0.0, 0.0, 5.0, 9.0]), Some([20.0, 0.0, 5.0, 7.0]))
    );
}

#[test]
fn an_animation_in_a_copy_is_that_of_the_original() {
    let d = Loaded::of(
        "<g id='a'><rect width='9' height='9'><animate attributeName='x'/></rect></g><use href='#a'/>",
    );
    assert!(audit(&d.drawing).is_empty());
}

#[test]
fn a_chain_of_uses_takes_time_for_what_it_draws() {
    let paths = "<path d='M0 0h1v1z'/>\n".repeat(250);
    let chain: String = (1..100).map(|i| format!("<g id='g{i}'><use href='#g{}'/></g>", i - 1)).collect();
    let d = Loaded::of(&format!("<g id='g0'>{paths}</g>{chain}"));
    assert_eq!(d.drawing.warnings, []);
}
