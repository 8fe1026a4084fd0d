//! Drawings that are each hard in one way: their boxes compared with their ink, which is known by
//! hand or drawn by resvg.

use boxwood_tests::ground_truth::finding_of_whole;
use boxwood_tests::{drawings_below, own_options, repository};

/// The ink of a drawing.
enum Ink {
    /// Nothing is painted.
    None,
    /// The extents of the ink, within 0.1 pixels.
    Box([f64; 4]),
    /// The extents that resvg paints: those of a font's outlines, or of a curved stroke.
    Drawn,
    /// None, since the drawing does not load.
    Refused,
}

use Ink::Box;

/// The ink of each drawing of `assets/cases`.
const CASES: [(&str, Ink); 40] = [
    ("01_rot_scale_stroke", Box([92.93, 92.93, 177.78, 177.78])),
    ("02_use_symbol_ts", Box([100.0, 0.0, 120.0, 20.0])),
    ("03_use_symbol_visible_ts", Box([100.0, 0.0, 120.0, 20.0])),
    ("04_disjoint_clip", Ink::None),
    ("05_empty_clip", Ink::None),
    // As in resvg, which does not clip a nested drawing to its viewport.
    ("06_nested_svg_img", Box([80.0, 80.0, 180.0, 180.0])),
    // The drawing turns off the clip of the root viewport.
    ("07_root_overflow", Box([-100.0, -100.0, 500.0, -80.0])),
    ("08_hline_stroke", Box([50.0, 45.0, 150.0, 55.0])),
    ("09_clip_stroke", Box([60.0, 60.0, 80.0, 80.0])),
    ("10_clip_nested_attr", Box([60.0, 60.0, 65.0, 65.0])),
    ("11_clip_child_clip", Box([60.0, 60.0, 65.0, 65.0])),
    ("12_hidden", Ink::None),
    ("13_filter_offset_clip", Box([150.0, 50.0, 170.0, 80.0])),
    ("14_filter_flood_under_clip", Box([50.0, 50.0, 80.0, 80.0])),
    ("15_mask", Box([60.0, 60.0, 70.0, 70.0])),
    // The box has the visible part of the shadow and a pixel around it.
    ("16_dropshadow_fn", Box([50.0, 44.215, 145.785, 85.785])),
    ("17_zero_len_cap", Box([40.0, 40.0, 110.0, 60.0])),
    ("18_miter", Box([49.5, 125.02, 200.25, 154.98])),
    ("19_clip_skew", Box([71.72, 71.72, 128.28, 128.28])),
    ("20_text", Ink::Drawn),
    ("21_rot_group", Box([80.0, 80.0, 120.0, 120.0])),
    ("22_dash", Box([50.0, 45.0, 70.0, 55.0])),
    ("23_mask_dark", Box([50.0, 50.0, 55.0, 80.0])),
    ("24_marker", Box([95.0, 95.0, 110.0, 105.0])),
    ("25_clip_evenodd_hidden", Box([100.0, 100.0, 120.0, 120.0])),
    // The first filter moves everything out of the region of the second.
    ("26_filter_two", Ink::None),
    ("27_scaled_vb_text", Ink::Drawn),
    ("30_marker_obb", Box([50.0, 50.0, 90.0, 90.0])),
    ("31_text_rot_stroke", Ink::Drawn),
    ("32_empty_filter", Box([50.0, 50.0, 100.0, 100.0])),
    ("33_hairline", Box([10.5, 49.975, 100.0, 50.025])),
    ("34_line_clip", Ink::None),
    ("35_flat_clip", Ink::None),
    ("deep_1000", Box([0.0, 0.0, 90.0, 90.0])),
    ("deep_1100", Ink::Refused),
    ("deep_200", Box([0.0, 0.0, 90.0, 90.0])),
    ("deep_2000", Ink::Refused),
    ("deep_500", Box([0.0, 0.0, 90.0, 90.0])),
    ("deep_900", Box([0.0, 0.0, 90.0, 90.0])),
    ("strokenan", Ink::Drawn),
];

#[test]
fn each_case_has_the_box_of_its_ink() {
    let paths = drawings_below(&repository().join("assets/cases"));
    assert_eq!(paths.len(), CASES.len(), "each case is in the list");
    let mut faults = Vec::new();
    for (path, (name, expected)) in paths.iter().zip(&CASES) {
        assert!(path.file_stem().is_some_and(|stem| stem == *name), "{name} is {}", path.display());
        let found = match (finding_of_whole(path, &own_options()), expected) {
            (Ok(found), _) => found,
            (Err(_), Ink::Refused) => continue,
            (Err(error), _) => {
                faults.push(error);
                continue;
            }
        };
        let b = found.scene_box;
        let is_expected = match expected {
            Ink::None => b.is_empty() && found.ink.is_none(),
            Box(expected) => {
                let sides = [b.x0, b.y0, b.x1, b.y1].map(f64::from);
                sides.iter().zip(expected).all(|(side, expected)| (side - expected).abs() < 0.1)
            }
            Ink::Refused => false,
            // With anti-aliasing, the ink ends in the same pixel as the box.
            Ink::Drawn => found.ink.zip(found.bounds).is_some_and(|(ink, bounds)| {
                ink.iter().zip(bounds).all(|(ink, bound)| (f64::from(*ink) - bound).abs() <= 1.0)
            }),
        };
        if !is_expected || found.excess() > 1.0 {
            faults.push(format!("{name}: {b:?}, ink {:?} of {:?}", found.ink, found.bounds));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
