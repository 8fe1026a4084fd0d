//! Shapes of CSS in `clip-path`. The boxes are those of the ink in Chromium 156.

use boxwood_cpu::Aabb;
use boxwood_svg::audit;

use crate::loaded::{Loaded, assert_near};

/// Asserts that an element with the id `a` is clipped to a box.
#[track_caller]
fn assert_clipped(element: &str, expected: [f64; 4]) {
    let d = Loaded::of(element);
    assert_near(d.boxes.group_boxes[0], expected);
    assert_eq!(d.drawing.warnings, [], "{element}");
}

/// The cells of the text reach from 18 to 59, beyond the ink. Chromium's clip begins 17 below that.
#[test]
fn a_shape_is_relative_to_the_cells_of_a_text() {
    let text = "<text id='a' x='10' y='50' font-size='30' style='clip-path:inset(17px 0 0 0)'>xxx</text>";
    for whole in [
        text.to_owned(),
        format!("<g style='clip-path:inset(17px 0 0 0)'>{}</g>", text.replace("style", "class")),
    ] {
        let d = Loaded::of(&whole);
        let cells = 50.0 - 30.0 * 1.069;
        let clip = d.boxes.clip_boxes[1];
        assert!((f64::from(clip.y0) - (cells + 17.0)).abs() < 0.1, "{whole}: {clip:?}");
    }
}

#[test]
fn shapes_are_relative_to_the_box_of_the_element() {
    for (shape, expected) in [
        ("inset(10px 5px)", [15.0, 20.0, 45.0, 40.0]),
        ("circle(10px at 20px 20px)", [20.0, 20.0, 40.0, 40.0]),
        ("polygon(0 0,100% 0,0 50%)", [10.0, 10.0, 50.0, 30.0]),
        ("path('M0 0H20V20H0z')", [10.0, 10.0, 30.0, 30.0]),
        ("ellipse(20px 10px)", [10.0, 20.0, 50.0, 40.0]),
        ("xywh(5px 5px 10px 20px)", [15.0, 15.0, 25.0, 35.0]),
        ("rect(5px 35px auto 10%)", [14.0, 15.0, 45.0, 50.0]),
        ("inset(1px 2px 3px 4px round 1px / 2px)", [14.0, 11.0, 48.0, 47.0]),
        ("circle(5px at right 10px bottom 5px)", [35.0, 40.0, 45.0, 50.0]),
        ("circle(5px at bottom right)", [45.0, 45.0, 50.0, 50.0]),
        ("circle(farthest-side at 10px 10px)", [10.0, 10.0, 50.0, 50.0]),
        ("ellipse(5px farthest-side at 10px 5px)", [15.0, 10.0, 25.0, 50.0]),
        ("view-box circle(5px at 20px 30px)", [15.0, 25.0, 25.0, 35.0]),
        // These are invalid.
        ("circle(5)", [10.0, 10.0, 50.0, 50.0]),
        ("circle(5px at top 10px)", [10.0, 10.0, 50.0, 50.0]),
        ("ellipse(5px)", [10.0, 10.0, 50.0, 50.0]),
        ("polygon(0 0, 10px 0, 10px 10px,)", [10.0, 10.0, 50.0, 50.0]),
    ] {
        let rect = format!("<rect x='10' y='10' width='40' height='40' style=\"clip-path:{shape}\"/>");
        assert_clipped(&rect, expected);
    }
    assert_clipped("<rect x='10' width='40' height='40' clip-path='circle(5)'/>", [25.0, 15.0, 35.0, 25.0]);
}

#[test]
fn the_box_is_that_of_the_stroke_unless_the_value_names_another_one() {
    for (shape, expected) in [
        ("inset(1px)", [6.0, 6.0, 54.0, 54.0]),
        ("inset(0) fill-box", [10.0, 10.0, 50.0, 50.0]),
        ("content-box", [10.0, 10.0, 50.0, 50.0]),
        ("border-box", [5.0, 5.0, 55.0, 55.0]),
        ("path('M0 0H20V20H0z')", [5.0, 5.0, 25.0, 25.0]),
        ("path('M0 0H20V20H0z') fill-box", [10.0, 10.0, 30.0, 30.0]),
    ] {
        let rect = format!(
            "<rect x='10' y='10' width='40' height='40' stroke='red' stroke-width='10' style=\"clip-path:{shape}\"/>"
        );
        assert_clipped(&rect, expected);
    }
    let group = "<g style='clip-path:inset(5px)' transform='translate(10 80)'>
        <rect width='20' height='20' stroke='red' stroke-width='4'/><rect x='30' width='20' height='20'/></g>";
    assert_clipped(group, [13.0, 83.0, 55.0, 97.0]);
    let used = "<use href='#src' x='250' y='150' style='clip-path:inset(5px)'/>
        <defs><rect id='src' width='40' height='20'/></defs>";
    assert_clipped(used, [255.0, 155.0, 285.0, 165.0]);
}

#[test]
fn a_shape_without_area_hides_the_element() {
    for shape in ["circle(0)", "path('M0 0H10')", "polygon(0 0,10px 10px)", "inset(50%)", "inset(30px)"] {
        let d = Loaded::of(&format!("<rect id='a' width='40' height='40' style=\"clip-path:{shape}\"/>"));
        assert_eq!(d.ink(), Aabb::EMPTY, "{shape}");
        assert_near(d.leaf("a"), [0.0, 0.0, 40.0, 40.0]);
    }
}

#[test]
fn a_shape_relative_to_an_unknown_box_is_reported() {
    let svg = "<rect id='a' width='9' height='9'/>
        <svg width='300' height='300' style='clip-path: inset(2px)'><rect width='300' height='300'/></svg>";
    let d = Loaded::of(svg);
    assert_near(d.ink(), [0.0, 0.0, 300.0, 300.0]);
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert!(warning.first.contains("3:9 (a shape in `clip-path`"), "{warning:?}");
    assert!(audit(&d.drawing).is_empty(), "the rectangle may be visible");
}

#[test]
fn a_cover_that_is_clipped_covers_its_shape_only() {
    let d = Loaded::of(
        "<rect id='under' x='20' y='20' width='20' height='20'/>
        <rect width='100' height='100' style='clip-path:circle(10px at 90px 90px)'/>",
    );
    let findings = audit(&d.drawing);
    assert!(findings.iter().all(|finding| finding.name != "under"), "{findings:?}");
}
