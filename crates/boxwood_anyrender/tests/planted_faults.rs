//! Faults that the comparisons of pictures must catch.

#[path = "../../boxwood_cpu/tests/planted/mod.rs"]
mod planted;

use std::path::Path;
use std::process::Command;

use planted::{Faulty, Planted, fault};

const ALONE: &str = "commands_near_the_picture_are_drawn";
const BLURRED: &str = "pictures_of_blurred_shapes_are_repainted";
const CULLED: &str = "pictures_are_the_same_without_what_is_culled";
const FILTERED: &str = "pictures_with_filters_are_the_same_without_what_is_culled";
const PICKED: &str = "picked_commands_paint_the_pixels";
const REPAINTED: &str = "repainted_pictures_are_the_same_as_whole_ones";

const FAULTS: &[Faulty] = &[
    Faulty {
        file: "bounds.rs",
        tests: &[ALONE],
        faults: &[
            fault("the blur of a shadow does not count", "SHADOW_DEVIATIONS * std_dev.abs()", "0.0"),
            fault("the width of a stroke does not count", "factor * stroke.width.abs() / 2.0", "0.0"),
            fault("a miter is as long as the stroke is wide", "factor.max(stroke.miter_limit)", "factor"),
            fault("the transform of a run does not count", "extent.rect.map(|rect| transform.transform_rect_bbox(rect))", "extent.rect"),
            fault("a curve is in the box of its ends", "has_curves |= matches!(element, PathEl::QuadTo(..) | PathEl::CurveTo(..));", ""),
        ],
    },
    Faulty {
        file: "bounds.rs",
        tests: &[CULLED],
        faults: &[
            fault("a rotated rectangle is aligned", "is_aligned.then(|| transform.transform_rect_bbox(rect))", "Some(transform.transform_rect_bbox(rect))"),
            fault("an inner box has the pixels at its edges", "whole_edges(rect, inner)", "rect.expand()"),
        ],
    },
    Faulty {
        file: "recorder.rs",
        tests: &[CULLED],
        faults: &[
            fault(
                "shapes that share a pixel without touching each other do not count",
                "aabb(self.reach.around(rect).expand())",
                "aabb(self.reach.around(rect))",
            ),
            fault("a transparent fill hides what is below", "color.components[3] == 1.0", "true"),
            fault("a layer that removes what is below it may be left out", "!is_over || reach.is_some_and(Reach::is_unbounded)", "reach.is_some_and(Reach::is_unbounded)"),
        ],
    },
    Faulty {
        file: "cull.rs",
        tests: &[CULLED],
        faults: &[
            fault(
                "an occluder in a layer hides what is below the layer",
                "start = command + 1;",
                "",
            ),
            fault("a layer with contents may be left out", "around.has_contents |= is_kept;", "")
                .after("_ => {\n                    let is_kept = is_filtered || is_wanted(&self.boxes[command]);\n                    is_drawn[command] = is_kept;\n                    if let Some(around) = open.last_mut() {\n                        "),
        ],
    },
    Faulty {
        file: "reach.rs",
        tests: &[FILTERED],
        faults: &[fault(
            "a filter paints only in the box of its input",
            "Self(linear.transform_rect_bbox(sum).inflate(ROUNDING, ROUNDING))",
            "Self::NONE",
        )],
    },
    Faulty {
        file: "damage.rs",
        tests: &[REPAINTED],
        faults: &[
            fault(
                "a command that vanishes damages nothing",
                "old.len() == new.len()",
                "{ for (i, own) in old_boxes.iter_mut().enumerate() { \
                 if !partners.contains(&(i as u32)) { *own = Aabb::EMPTY; } } old.len() == new.len() }",
            ),
            fault(
                "a command with the same box is the same",
                "new.recording.resolve(command) == old.recording.resolve(partner)",
                "true",
            ),
        ],
    },
    Faulty {
        file: "damage.rs",
        tests: &[BLURRED],
        faults: &[
            fault("a change in a filtered layer damages its own box alone", "!has_filter || new.recording.in_filter[command]", "true"),
        ],
    },
    Faulty {
        file: "shape.rs",
        tests: &[PICKED],
        faults: &[fault("a fill does not close its path", "closed(path).winding(point)", "path.winding(point)")],
    },
];

/// Runs a test, over as many scenes as the faults need.
fn run(program: &Path, test: &str) -> Command {
    let mut command = Command::new(program);
    let n_scenes = match test {
        // Pictures of one command are drawn quickly.
        ALONE => "2000",
        PICKED => "30",
        _ => "300",
    };
    command.args(["--exact", test]).env("BOXWOOD_SCENES", n_scenes);
    command
}

#[test]
fn the_pictures_show_each_fault() {
    let planted = Planted {
        name: "boxwood_anyrender",
        included: &["crates/boxwood_anyrender/tests"],
        arguments: &["--test", "pictures"],
        faults: FAULTS,
        run,
        found: " differ",
    };
    planted.assert_all_caught();
}
