//! The drawings in `assets/cases`, each of which has one trap of SVG, usvg or kurbo.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Error, Role, Within, load_file};

use crate::loaded::{Loaded, assert_within, options, path_boxes};

/// The path of a case.
fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/cases").join(name)
}

/// The box of each drawn leaf, followed by its clipped box if that differs.
fn leaf_boxes(Loaded { drawing, boxes }: &Loaded) -> String {
    let text = |b: Aabb| match b {
        Aabb::EMPTY => "empty".to_owned(),
        Aabb { x0, y0, x1, y1 } => format!("{x0:.1},{y0:.1},{x1:.1},{y1:.1}"),
    };
    let is_drawn_leaf = |element: &usize| {
        drawing.elements.kind(*element) == ElementKind::Leaf
            && drawing.table[*element].within == Within::Scene
    };
    let leaves = (0..drawing.table.len()).filter(is_drawn_leaf).map(|element| {
        let (own, clipped) = (drawing.elements.boxes()[element], boxes.clipped_boxes[element]);
        let clipped = if own == clipped { String::new() } else { format!(" clipped {}", text(clipped)) };
        format!("{:?} {}{clipped}", drawing.table[element].role, text(own))
    });
    leaves.collect::<Vec<_>>().join("; ")
}

#[test]
fn every_case_has_its_leaf_boxes_or_its_error() {
    let mut paths: Vec<_> = std::fs::read_dir(case(""))
        .expect("the folder of cases exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    paths.sort();
    let mut found = String::new();
    for path in paths {
        let name = path.file_stem().expect("it is a file").display();
        let result = match load_file(&path, &options()) {
            Ok(drawing) => {
                assert_eq!(drawing.warnings, [], "{name}");
                leaf_boxes(&Loaded::new(drawing))
            }
            Err(Error::InFile { source, .. }) => format!("error: {source}"),
            Err(error) => panic!("{name}: {error}"),
        };
        writeln!(found, "{name}: {result}").expect("writing to a string succeeds");
    }
    insta::assert_snapshot!(found, @"
    01_rot_scale_stroke: Stroke 92.9,92.9,177.8,177.8
    02_use_symbol_ts: Fill 100.0,0.0,120.0,20.0
    03_use_symbol_visible_ts: Fill 100.0,0.0,120.0,20.0
    04_disjoint_clip: Fill 50.0,50.0,70.0,70.0 clipped empty
    05_empty_clip: Fill 50.0,50.0,70.0,70.0 clipped empty
    06_nested_svg_img: Fill 80.0,80.0,180.0,180.0 clipped 100.0,100.0,150.0,150.0
    07_root_overflow: Fill -100.0,-100.0,500.0,-80.0 clipped empty
    08_hline_stroke: Stroke 50.0,45.0,150.0,55.0
    09_clip_stroke: Fill 0.0,0.0,200.0,200.0 clipped 60.0,60.0,80.0,80.0
    10_clip_nested_attr: Fill 0.0,0.0,200.0,200.0 clipped 60.0,60.0,65.0,65.0
    11_clip_child_clip: Fill 0.0,0.0,200.0,200.0 clipped 60.0,60.0,65.0,65.0
    12_hidden: 
    13_filter_offset_clip: Filter 150.0,50.0,180.0,80.0 clipped 150.0,50.0,170.0,80.0
    14_filter_flood_under_clip: Filter 50.0,50.0,80.0,80.0
    15_mask: Fill 50.0,50.0,80.0,80.0 clipped 60.0,60.0,70.0,70.0
    16_dropshadow_fn: Filter 50.0,44.2,145.8,85.8
    17_zero_len_cap: Stroke 40.0,40.0,60.0,60.0; Stroke 90.0,40.0,110.0,60.0
    18_miter: Stroke 49.5,125.0,200.2,155.0
    19_clip_skew: Fill 0.0,0.0,200.0,200.0 clipped 71.7,71.7,128.3,128.3
    20_text: Fill 17.8,62.2,90.8,109.6
    21_rot_group: Fill 80.0,80.0,120.0,120.0
    22_dash: Stroke 50.0,45.0,70.0,55.0
    23_mask_dark: Fill 50.0,50.0,80.0,80.0 clipped 50.0,50.0,55.0,80.0
    24_marker: Stroke 100.0,99.5,110.0,100.5; Fill 45.0,45.0,245.0,245.0 clipped 95.0,95.0,105.0,105.0
    25_clip_evenodd_hidden: Fill 0.0,0.0,200.0,200.0 clipped 100.0,100.0,120.0,120.0
    26_filter_two: Filter empty
    27_scaled_vb_text: Fill 30.0,128.5,65.1,157.2
    30_marker_obb: Fill 50.0,50.0,90.0,90.0; Fill 40.0,40.0,100.0,100.0 clipped 50.0,50.0,90.0,90.0
    31_text_rot_stroke: Fill 18.3,53.9,38.4,77.9; Fill 37.4,60.8,58.6,84.5; Stroke 31.3,54.6,63.1,89.0
    32_empty_filter: Filter 50.0,50.0,100.0,100.0
    33_hairline: Stroke 10.5,50.0,100.0,50.0
    34_line_clip: Fill 0.0,0.0,90.0,90.0 clipped empty
    35_flat_clip: Fill 0.0,0.0,90.0,90.0 clipped empty
    deep_1000: Fill 0.0,0.0,100.0,100.0 clipped 0.0,0.0,90.0,90.0
    deep_1100: error: the drawing has at least 1025 levels of nested elements (following uses and references), the limit is 1024: flatten it
    deep_200: Fill 0.0,0.0,100.0,100.0 clipped 0.0,0.0,90.0,90.0
    deep_2000: error: the drawing has at least 1025 levels of nested elements (following uses and references), the limit is 1024: flatten it
    deep_500: Fill 0.0,0.0,100.0,100.0 clipped 0.0,0.0,90.0,90.0
    deep_900: Fill 0.0,0.0,100.0,100.0 clipped 0.0,0.0,90.0,90.0
    strokenan: Stroke 26.6,31.1,38.9,38.8
    ");
}

/// The outline of this stroke, as kurbo computes it, is not finite.
#[test]
fn a_stroke_with_a_non_finite_outline_is_bounded_and_encoded() {
    let d = Loaded::new(load_file(&case("strokenan.svg"), &options()).expect("the drawing loads"));
    assert_eq!((d.roles("s"), &d.drawing.warnings[..]), (vec![Role::Stroke], &[][..]));
    // The box of mostly covered pixels is off by less than a pixel, which is 1/4 px.
    assert_within(d.leaf("s"), d.ink_at_4(), 0.25);
    let encoded = path_boxes(&d.drawing)[1];
    assert!(encoded.contains(d.leaf("s")), "{encoded:?} does not contain {:?}", d.leaf("s"));
}
