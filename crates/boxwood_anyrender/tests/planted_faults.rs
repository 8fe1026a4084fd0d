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

const VELLO: &str = "scenes_of_vello_look_the_same";

const MITER: &str = "the_tip_of_a_miter_is_drawn";

const FAULTS: &[Faulty] = &[
    Faulty {
        file: "bounds.rs",
        tests: &[MITER],
        faults: &[fault(
            "a miter is as long as the stroke is wide",
            "factor.max(style.miter_limit.abs())",
            "factor",
        )],
    },
    Faulty {
        file: "strokes.rs",
        tests: &[ALONE],
        faults: &[
            fault("the stroke of a rectangle has its box", "grown(rect, radius)", "StoredShape::Rect(rect)"),
            fault(
                "the outline of a stroke is that of a path without joins",
                "kurbo::stroke_with(elements, style, &StrokeOpts::default(), TOLERANCE / scale, &mut self.0);",
                "kurbo::stroke_with(elements, &Stroke::new(0.1), &StrokeOpts::default(), 1.0, &mut self.0);",
            ),
        ],
    },
    Faulty {
        file: "color_glyphs.rs",
        tests: &[ALONE],
        faults: &[fault(
            "the box of a colour glyph is upside down",
            "[x_min, -y_max, x_max, -y_min]",
            "[x_min, y_min, x_max, y_max]",
        )],
    },
    Faulty {
        file: "encoding/draw.rs",
        tests: &[VELLO],
        faults: &[
            fault("a brush has the transform of its path", "inverse * brush_transform", "Affine::IDENTITY")
                .after("let brush_transform = has_transform.then(|| "),
            fault("a layer has one fill rule", "self.rule", "Fill::NonZero"),
            fault(
                "a blurred rectangle is not at its centre",
                "Rect::from_center_size(Point::ZERO, (width, height))",
                "Rect::new(0.0, 0.0, width, height)",
            ),
            fault("runs of glyphs are paths", "Some(run).filter(|_| is_own)", "None"),
        ],
    },
    Faulty {
        file: "encoding/objects.rs",
        tests: &[VELLO],
        faults: &[
            fault("strokes are closed", "is_stroke && !is_open", "false"),
            fault("a miter is a bevel", "Join::Miter", "Join::Bevel")
                .after("Style::FLAGS_JOIN_BITS_MITER => "),
            fault("all fills are nonzero", "Fill::EvenOdd", "Fill::NonZero").after("Fill::NonZero } else { "),
        ],
    },
    Faulty {
        file: "encoding/paints.rs",
        tests: &[VELLO],
        faults: &[
            fault(
                "a gradient does not repeat",
                "gradient.with_extend(*extend).with_stops(stops)",
                "gradient.with_stops(stops)",
            ),
            fault("an image does not repeat", "[12, 10, 8]", "[12, 8, 10]"),
            fault(
                "colours are not premultiplied",
                "premultiplied.un_premultiply()",
                "Color::from_rgba8(r, g, b, a)",
            ),
        ],
    },
    Faulty {
        file: "bounds.rs",
        tests: &[ALONE],
        faults: &[
            fault("a circle with a negative radius has no box", "(1.0 + ARC_ERROR) * radius.abs()", "radius"),
            fault("the width of a stroke does not count", "0.5 * factor * style.width.abs()", "0.0"),
            fault("the blur of a shadow does not count", "SHADOW_DEVIATIONS * std_dev.abs()", "0.0"),
            fault(
                "the transform of a run does not count",
                "transformed(transform, Rect::new(x0, y0, x1, y1).inflate(rounding, rounding))",
                "Rect::new(x0, y0, x1, y1)",
            ),
            fault(
                "a curve is in the box of its ends",
                "extent.has_curves |= matches!(element, PathEl::QuadTo(..) | PathEl::CurveTo(..));",
                "",
            ),
        ],
    },
    Faulty {
        file: "bounds.rs",
        tests: &[CULLED],
        faults: &[
            fault(
                "a rotated rectangle is aligned",
                "is_aligned.then(|| transformed(transform, rect))",
                "Some(transformed(transform, rect))",
            ),
            fault("an inner box has the pixels at its edges", "whole_edges(rect, inner)", "rect.expand()"),
        ],
    },
    Faulty {
        file: "recorder.rs",
        tests: &[CULLED],
        faults: &[
            fault(
                "shapes that share a pixel without touching each other do not count",
                "whole_pixels(if self.reach == Reach::NONE { rect } else { self.reach.around(rect) })",
                "aabb(self.reach.around(rect))",
            ),
            fault(
                "the box of a run is that of its glyphs at the origin",
                "self.add_unseen(rect)",
                "self.add_unseen(Ok(Some(Rect::ZERO)))",
            )
            .after("let rect = glyphs_box(run, glyphs.clone(), glyph_box);\n        if "),
            fault("a layer does not end the view of its clip", "self.view = outer_view;", ""),
            fault("a transparent fill hides what is below", "color.components[3] == 1.0", "true"),
            fault(
                "a layer that removes what is below it may be left out",
                "!is_over || reach.is_some_and(Reach::is_unbounded)",
                "reach.is_some_and(Reach::is_unbounded)",
            ),
        ],
    },
    Faulty {
        file: "cull.rs",
        tests: &[CULLED],
        faults: &[
            fault(
                "an occluder in a layer hides what is below the layer",
                "start = commands.len() + usize::from(is_chosen[command]);",
                "",
            ),
            fault(
                "a layer with contents may be left out",
                "is_drawn[command] && kind != ElementKind::End",
                "false",
            ),
            fault(
                "an occluder must hide only the picture, not what layers read",
                "candidates.find(frame, is_drawn, bounds);",
                "candidates.find(frame, is_drawn, bounds.intersect(aabb(Rect::new(0.0, 0.0, 40.0, 40.0))));",
            ),
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
                "boxes.extend(vanished.map(|(_, own)| *own));",
                "boxes.extend(vanished.map(|_| Aabb::EMPTY));",
            ),
            fault(
                "commands that change their order look the same",
                "has_partner && partner >= largest",
                "has_partner",
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
        faults: &[fault(
            "a change in a filtered layer damages its own box alone",
            "layer.composite.filter.is_some() && !new.recording.in_filter[command]",
            "false",
        )],
    },
    Faulty {
        file: "shape.rs",
        tests: &[PICKED],
        faults: &[fault(
            "a fill does not close its path",
            "closed(path).winding(point)",
            "path.winding(point)",
        )],
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
        arguments: &["--test", "pictures", "--features", "encoding"],
        faults: FAULTS,
        run,
        found: " differ",
    };
    planted.assert_all_caught();
}
