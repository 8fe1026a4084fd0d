//! Every drawing loads, its scene is consistent, and the GPU and the CPU agree on its boxes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use boxwood::{Aabb, ElementKind};
use boxwood_cpu::paths::accuracy::{FILL_TIGHTNESS, STROKE_RELATIVE_TIGHTNESS, STROKE_TIGHTNESS};
use boxwood_svg::{Drawing, Role, Within};
use boxwood_tests::{
    Corpus, Exceptions, Packed, chain, context, exception, first_difference, gpu_boxes, in_parallel,
    own_drawings, own_options, path_boxes_difference,
};

use vello_encoding::Patch;

use super::REFUSED;

/// Drawings with a stroke whose encoding differs from the stroke that the loader bounds.
const OTHER_STROKES: Exceptions<'_> = &[
    ("miter-clip.svg", "the loader's box includes clipped miters, which Vello cannot draw"),
    ("reports/s02_miter_limit.svg", "the loader's box includes clipped miters, which Vello cannot draw"),
    ("strokes.svg", "the encoding omits a dash of zero length at the very end of a path"),
];

/// Drawings with a fill far beyond the viewport, which the encoding has only near it.
const FAR_FILLS: Exceptions<'_> = &[("reports/k04_huge.svg", "a rectangle is 10⁹ px wide")];

/// Drawings with a fill whose path has a subpath with all points on one line. It has no interior,
/// so the loader leaves it out.
const FLAT_SUBPATHS: Exceptions<'_> =
    &[("samples/mapWaadt.svg", "the last subpath of a polygon returns along its own line")];

/// Whether each element has a gradient that starts or ends with a transparent stop. Such an element
/// paints only a part of its path.
fn fading_elements(drawing: &Drawing) -> Vec<bool> {
    let resources = &drawing.encoding.resources;
    let mut fading_offsets = BTreeSet::new();
    for patch in &resources.patches {
        if let Patch::Ramp { draw_data_offset, stops, .. } = patch {
            let stops = &resources.color_stops[stops.clone()];
            if [stops.first(), stops.last()].into_iter().flatten().any(|s| s.color.components[3] == 0.0) {
                fading_offsets.insert(*draw_data_offset);
            }
        }
    }
    let mut offset = 0;
    let is_fading = |tag: &vello_encoding::DrawTag| {
        // The number of words of draw data.
        let length = (tag.0 as usize >> 2) & 7;
        offset += length;
        length > 0 && fading_offsets.contains(&(offset - length))
    };
    drawing.encoding.draw_tags.iter().map(is_fading).collect()
}

/// Compares the path boxes of a drawing with the leaf boxes that the loader has computed in `f64`.
fn compare_with_loader(path: &Path, drawing: &Drawing, path_boxes: &[Aabb]) -> Result<(), String> {
    let is_other = exception(OTHER_STROKES, path).is_some();
    let is_flat = exception(FLAT_SUBPATHS, path).is_some();
    let is_far = exception(FAR_FILLS, path).is_some();
    let is_fading = fading_elements(drawing);
    for (index, (path_box, leaf_box)) in path_boxes.iter().zip(drawing.elements.boxes()).enumerate() {
        let is_stroke = drawing.table[index].role == Role::Stroke;
        // A shape of a mask has no leaf box. The leaf box of a filtered shape is that of the
        // filter, and is empty if the filter paints nothing.
        let is_drawn = drawing.table[index].within == Within::Scene
            && !(drawing.table[index].role == Role::Filter && leaf_box.is_empty());
        let is_other_shape = if is_stroke { is_other } else { is_far };
        if drawing.elements.kind(index) != ElementKind::Leaf || !is_drawn || is_other_shape {
            continue;
        }
        let sides = |b: &Aabb| [b.x0, b.y0, -b.x1, -b.y1].map(f64::from);
        let extent = f64::from(leaf_box.width().max(leaf_box.height()));
        let far = sides(leaf_box).iter().fold(0.0_f64, |far, side| far.max(side.abs()));
        let tightness =
            if is_stroke { STROKE_TIGHTNESS.max(STROKE_RELATIVE_TIGHTNESS * extent) } else { FILL_TIGHTNESS };
        let tolerance = tightness + 1e-6 * far;
        // The loader's box is that of the paint, which may be a part of the path.
        let is_part = is_fading[index] || (is_flat && !is_stroke);
        let is_near = |(a, b): (f64, f64)| a - b <= tolerance && (is_part || b - a <= tolerance);
        if !sides(path_box).into_iter().zip(sides(leaf_box)).all(is_near) {
            return Err(format!(
                "element {index} has the path box {path_box:?} and the leaf box {leaf_box:?}"
            ));
        }
    }
    Ok(())
}

/// Loads a drawing and compares its boxes. An error contains the path.
fn check(path: &Path) -> Result<(), String> {
    let drawing = boxwood_svg::load_file(path, &own_options()).map_err(|error| chain(&error))?;
    check_boxes(path, &drawing).map_err(|fault| format!("{fault}: {}", path.display()))
}

fn check_boxes(path: &Path, drawing: &Drawing) -> Result<(), String> {
    let scene = &drawing.elements;
    let tags: Vec<u32> = drawing.encoding.draw_tags.iter().map(|tag| tag.0).collect();
    if scene.tags() != tags || drawing.table.len() != tags.len() || drawing.encoding.n_open_clips != 0 {
        return Err("the encoding, the scene, and the table do not describe the same elements".to_owned());
    }
    let expected = boxwood_cpu::specification::boxes(scene);
    if let Some(difference) = first_difference(&expected, &gpu_boxes(scene)) {
        return Err(difference);
    }
    let packed = Packed::of(&drawing.encoding);
    if let Some(difference) = path_boxes_difference(context(), &packed, true) {
        return Err(difference);
    }
    compare_with_loader(path, drawing, &boxwood_cpu::paths::twin::path_boxes(&packed.streams()))?;
    if !expected.clip_boxes[0].contains(expected.group_boxes[0]) {
        return Err("the drawing has ink outside the viewport".to_owned());
    }
    Ok(())
}

/// Checks every drawing, and panics with all faults.
fn check_all(paths: &[PathBuf]) {
    let results = in_parallel(paths, |path| match (check(path), exception(REFUSED, path)) {
        (Err(fault), None) => Some(fault),
        (Ok(()), Some(reason)) => Some(format!("{} loads, although {reason}", path.display())),
        _ => None,
    });
    let faults: Vec<_> = results.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{} of {} drawings:\n{}", faults.len(), paths.len(), faults.join("\n"));
}

#[test]
fn own_drawings_have_the_same_boxes_on_cpu_and_gpu() {
    check_all(&own_drawings());
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_of_the_corpus_have_the_same_boxes_on_cpu_and_gpu() {
    check_all(&Corpus::from_env().drawings());
}
