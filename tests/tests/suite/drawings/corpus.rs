//! Real SVG files: each loads or is refused with a reason, and the GPU gives its boxes as the specification does.
//!
//! The drawings of `assets/svg`, and those below the folder that the environment variable `BOXWOOD_CORPUS` names.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use boxwood::{Aabb, ElementKind};
use boxwood_svg::{Drawing, Error, Fonts, Options, Role, Within};
use boxwood_tests::{Packed, first_difference, gpu_boxes, path_bounds, path_bounds_difference};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/svg");

/// Every SVG and SVGZ file below a folder.
pub(crate) fn drawings(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{e}: {}", folder.display()));
        for entry in entries.map(|e| e.expect("the folder can be listed").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "svg" || e == "svgz") {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

/// The drawings of `assets/svg`.
pub(crate) fn samples() -> Vec<PathBuf> {
    drawings(Path::new(ASSETS))
}

/// The drawings below the folder that `BOXWOOD_CORPUS` names, if it does.
pub(crate) fn files() -> Option<Vec<PathBuf>> {
    std::env::var_os("BOXWOOD_CORPUS").map(|folder| drawings(Path::new(&folder)))
}

/// Every 40th drawing below a folder, or as many as `BOXWOOD_EVERY` says.
pub(crate) fn spread_files(folder: &Path) -> Vec<PathBuf> {
    let every = std::env::var("BOXWOOD_EVERY").map_or(40, |n| n.parse().expect("a number"));
    drawings(folder).into_iter().step_by(every).collect()
}

/// Drawings with a stroke that the loader bounds otherwise than what it encodes.
const OTHER_STROKES: [(&str, &str); 2] = [
    ("miter-clip.svg", "the loader makes room for miters that are cut, which Vello does not have"),
    ("strokes.svg", "the encoding leaves out a dash of no length at the very end of a path"),
];

/// What is wrong with the boxes of a drawing's paths, where the loader has computed those of its leaves in `f64`.
fn compare_with_loader(path: &Path, drawing: &Drawing, path_boxes: &[Aabb]) -> Result<(), String> {
    let is_other = OTHER_STROKES.iter().any(|(name, _)| path.ends_with(name));
    for (index, (path_box, leaf_box)) in path_boxes.iter().zip(drawing.elements.boxes()).enumerate() {
        let is_stroke = drawing.table[index].role == Role::Stroke;
        // What shapes a mask has no box, what goes through a filter has the filter's.
        let is_drawn = drawing.table[index].within == Within::Scene
            // That of a filter that can ink nothing is no path's.
            && !(drawing.table[index].role == Role::Filter && leaf_box.is_empty());
        if drawing.elements.kind(index) != ElementKind::Leaf || !is_drawn || (is_stroke && is_other) {
            continue;
        }
        let sides = |b: &Aabb| [b.x0, b.y0, -b.x1, -b.y1].map(f64::from);
        let extent = f64::from(leaf_box.width().max(leaf_box.height()));
        let far = sides(leaf_box).iter().fold(0.0_f64, |far, side| far.max(side.abs()));
        let room = if is_stroke { 0.5_f64.max(0.01 * extent) } else { 1.0 / 256.0 } + 1e-6 * far;
        let is_near = |(a, b): (f64, f64)| (a - b).abs() <= room;
        if !sides(path_box).into_iter().zip(sides(leaf_box)).all(is_near) {
            return Err(format!(
                "element {index} has the path box {path_box:?} and the leaf box {leaf_box:?}"
            ));
        }
    }
    Ok(())
}

/// What is wrong with what becomes of a drawing, or whether it loads.
fn check(path: &Path) -> Result<bool, String> {
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    let drawing = match boxwood_svg::load_file(path, &options) {
        Ok(drawing) => drawing,
        Err(Error::InFile { source, .. }) => {
            return match *source {
                Error::Panicked { .. } | Error::Thread { .. } | Error::TimeLimit { .. } => {
                    Err(source.to_string())
                }
                _ => Ok(false),
            };
        }
        Err(error) => return Err(error.to_string()),
    };
    let elements = &drawing.elements;
    let tags: Vec<u32> = drawing.encoding.draw_tags.iter().map(|tag| tag.0).collect();
    if elements.tags() != tags || drawing.table.len() != tags.len() || drawing.encoding.n_open_clips != 0 {
        return Err("the encoding, the elements and the table are not of one scene".to_owned());
    }
    let expected = boxwood_cpu::boxes(elements);
    if let Some(difference) = first_difference(&expected, &gpu_boxes(elements)) {
        return Err(difference);
    }
    let packed = Packed::of(&drawing.encoding);
    if let Some(difference) = path_bounds_difference(path_bounds(), &packed, true) {
        return Err(difference);
    }
    compare_with_loader(path, &drawing, &boxwood_cpu::paths::path_boxes(&packed.streams()))?;
    let root = expected.clip_boxes[0];
    if !root.contains(expected.group_boxes[0]) {
        return Err("ink is outside the viewport".to_owned());
    }
    Ok(true)
}

/// Checks all, on as many threads as there are cores, and fails with every fault found.
fn check_all(paths: &[PathBuf]) -> usize {
    let (next, loaded, faults) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match check(path) {
                        Ok(has_loaded) => {
                            loaded.fetch_add(usize::from(has_loaded), Ordering::Relaxed);
                        }
                        Err(fault) => {
                            faults
                                .lock()
                                .expect("no thread panics")
                                .push(format!("{}: {fault}", path.display()));
                        }
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no thread panics");
    assert!(faults.is_empty(), "{} of {} files:\n{}", faults.len(), paths.len(), faults.join("\n"));
    loaded.into_inner()
}

#[test]
fn every_sample_loads_and_agrees() {
    let paths = samples();
    assert!(paths.len() >= 10, "the samples are there: {}", paths.len());
    assert_eq!(check_all(&paths), paths.len(), "every sample loads");
}

#[test]
fn every_file_of_the_corpus_loads_or_is_refused_and_agrees() {
    let Some(paths) = files() else { return };
    let loaded = check_all(&paths);
    assert!(loaded * 10 > paths.len() * 9, "only {loaded} of {} files load", paths.len());
}
