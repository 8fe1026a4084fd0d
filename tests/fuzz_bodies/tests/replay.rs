//! Replays the corpus of the fuzzer, and checks that the targets catch wrong results.

use std::panic::{AssertUnwindSafe, RefUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use boxwood_cpu::paths::PathStreams;
use boxwood_cpu::paths::twin::path_boxes;
use boxwood_cpu::specification::boxes;
use boxwood_cpu::specification::papers::search_parentheses;
use boxwood_cpu::specification::tree::{JsonKind, JsonReason, json, match_parentheses};
use boxwood_cpu::{Aabb, Boxes, ElementKind, Engine, Scene};
use boxwood_fuzz::{
    Stages, Trees, check_drawing, draw_tags, draw_tags_by, ignore_panics_of_dependencies, json_text,
    json_text_by, loader, loader_input, path_streams, path_streams_by, style_sheets,
};
use boxwood_svg::{Drawing, Within};

type SceneBoxes = fn(&Scene) -> Boxes;
type EngineBoxes = fn(&mut Engine, &Scene) -> Boxes;
type PathBoxes = fn(&PathStreams<'_>) -> Vec<Aabb>;

/// The checked-in corpus of a target, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{e}: {}", folder.display()));
    let mut inputs: Vec<_> = entries
        .map(|entry| {
            let entry = entry.expect("the folder can be listed");
            let bytes = std::fs::read(entry.path()).expect("the file can be read");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    inputs.sort();
    assert!(inputs.len() >= 20, "{} inputs of {target} are few", inputs.len());
    inputs
}

/// The names of the inputs for which a check panics.
fn failed(target: &str, check: impl Fn(&[u8]) + RefUnwindSafe) -> Vec<String> {
    let fails = |(name, bytes): (String, Vec<u8>)| catch_unwind(|| check(&bytes)).is_err().then_some(name);
    corpus(target).into_iter().filter_map(fails).collect()
}

#[test]
fn the_loader_passes_its_corpus() {
    ignore_panics_of_dependencies();
    let n_loaded = AtomicUsize::new(0);
    let check = |bytes: &[u8]| {
        let is_drawing = loader(bytes).is_some();
        n_loaded.fetch_add(usize::from(is_drawing), Relaxed);
    };
    assert_eq!(failed("loader", check), [""; 0]);
    let n_loaded = n_loaded.into_inner();
    assert!(n_loaded >= 20, "only {n_loaded} inputs are drawings");
}

#[test]
fn path_boxes_pass_their_corpus() {
    assert_eq!(failed("path_streams", path_streams), [""; 0]);
}

#[test]
fn style_sheets_pass_their_corpus() {
    assert_eq!(failed("style_sheets", style_sheets), [""; 0]);
}

#[test]
fn the_stages_pass_their_corpus() {
    assert_eq!(failed("draw_tags", draw_tags), [""; 0]);
}

#[test]
fn json_texts_pass_their_corpus() {
    assert_eq!(failed("json", json_text), [""; 0]);
}

#[test]
fn wrong_trees_are_caught() {
    let faults: [(&str, Trees); 5] = [
        ("numbers are not checked", |text, roots| match json(text, roots) {
            Err(error) if error.reason == JsonReason::Number => Ok(Vec::new()),
            result => result,
        }),
        ("characters are not checked", |text, roots| match json(text, roots) {
            Err(error) if error.reason == JsonReason::Utf8 => Ok(Vec::new()),
            result => result,
        }),
        ("every row is a root", |text, roots| {
            let mut rows = json(text, roots)?;
            rows.iter_mut().for_each(|row| row.parent = -1);
            Ok(rows)
        }),
        ("ends have no partner", |text, roots| {
            let mut rows = json(text, roots)?;
            rows.iter_mut().filter(|row| row.kind.is_end()).for_each(|row| row.partner = -1);
            Ok(rows)
        }),
        ("true is false", |text, roots| {
            let mut rows = json(text, roots)?;
            rows.iter_mut()
                .filter(|row| row.kind == JsonKind::True)
                .for_each(|row| row.kind = JsonKind::False);
            Ok(rows)
        }),
    ];
    for (name, trees) in faults {
        assert!(!failed("json", |text| json_text_by(trees, text)).is_empty(), "not caught: {name}");
    }
}

/// The boxes of a scene with a fault.
fn boxes_with(scene: &Scene, fault: impl FnOnce(&mut Boxes)) -> Boxes {
    let mut boxes = boxes(scene);
    fault(&mut boxes);
    boxes
}

#[test]
fn wrong_stages_are_caught() {
    let faults: [(&str, SceneBoxes); 8] = [
        ("entries are missing", |e| boxes_with(e, |b| b.entries.truncate(1))),
        ("ranks include the element itself", |e| boxes_with(e, |b| b.ranks.iter_mut().for_each(|p| *p += 1))),
        ("ends have no partner", |e| boxes_with(e, |b| b.links.iter_mut().for_each(|l| l.partner = -1))),
        ("every parent is the root", |e| boxes_with(e, |b| b.links.iter_mut().for_each(|l| l.parent = -1))),
        ("clips do not clip inner clips", |e| {
            boxes_with(e, |b| {
                let entries = b.entries.iter().zip(&mut b.clip_boxes).filter(|(entry, _)| entry.is_begin());
                entries.for_each(|(entry, clip_box)| *clip_box = e.boxes()[entry.element()].canonical());
            })
        }),
        ("clips do not clip leaves", |e| {
            boxes_with(e, |b| {
                let leaves =
                    b.clipped_boxes.iter_mut().enumerate().filter(|(_, clipped)| !clipped.is_empty());
                leaves.for_each(|(leaf, clipped)| *clipped = e.boxes()[leaf]);
            })
        }),
        ("the last group is empty", |e| {
            boxes_with(e, |b| b.group_boxes.iter_mut().rev().take(1).for_each(|group| *group = Aabb::EMPTY))
        }),
        ("groups contain everything before them", |e| {
            boxes_with(e, |b| {
                let mut so_far = Aabb::EMPTY;
                b.group_boxes.iter_mut().for_each(|group| {
                    so_far = so_far.union(*group);
                    *group = so_far;
                });
            })
        }),
    ];
    for (name, boxes) in faults {
        let stages = Stages { boxes, ..Stages::CPU };
        assert!(!failed("draw_tags", |bytes| draw_tags_by(&stages, bytes)).is_empty(), "not caught: {name}");
    }
    let stages = [
        Stages {
            match_parentheses: |p| match_parentheses(p).into_iter().map(|_| -1).collect(),
            ..Stages::CPU
        },
        Stages {
            search_parentheses: |p| search_parentheses(p).into_iter().map(|_| -1).collect(),
            ..Stages::CPU
        },
    ];
    for stages in stages {
        assert!(
            !failed("draw_tags", |bytes| draw_tags_by(&stages, bytes)).is_empty(),
            "wrong matches are not caught"
        );
    }
}

#[test]
fn a_wrong_engine_is_caught() {
    let faults: [(&str, EngineBoxes); 3] = [
        ("ends have no partner", |engine, scene| {
            let mut boxes = engine_boxes(engine, scene);
            boxes.links.iter_mut().for_each(|link| link.partner = -1);
            boxes
        }),
        ("zeros are negative", |engine, scene| {
            let mut boxes = engine_boxes(engine, scene);
            boxes.clipped_boxes.iter_mut().filter(|b| b.x0 == 0.0).for_each(|b| b.x0 = -0.0);
            boxes
        }),
        // Scenes of that many elements are computed in chunks.
        ("the last group of a large scene is empty", |engine, scene| {
            let mut boxes = engine_boxes(engine, scene);
            if scene.len() > 100_000 {
                boxes.group_boxes.iter_mut().rev().take(1).for_each(|group| *group = Aabb::EMPTY);
            }
            boxes
        }),
    ];
    for (name, engine_boxes) in faults {
        let stages = Stages { engine_boxes, ..Stages::CPU };
        assert!(!failed("draw_tags", |bytes| draw_tags_by(&stages, bytes)).is_empty(), "not caught: {name}");
    }
}

fn engine_boxes(engine: &mut Engine, scene: &Scene) -> Boxes {
    engine.boxes(scene).expect("every element has a box").clone()
}

#[test]
fn wrong_path_boxes_are_caught() {
    let faults: [(&str, PathBoxes); 4] = [
        ("missing", |_| Vec::new()),
        ("without area", |s| path_boxes(s).into_iter().map(|b| Aabb { x1: b.x0, ..b }).collect()),
        ("too small", |s| path_boxes(s).into_iter().map(|b| Aabb { x1: 0.5 * (b.x0 + b.x1), ..b }).collect()),
        ("too large", |s| {
            path_boxes(s).into_iter().map(|b| Aabb { y1: b.y1 + b.height() + 1.0, ..b }).collect()
        }),
    ];
    for (name, path_boxes) in faults {
        let check = |bytes: &[u8]| path_streams_by(path_boxes, bytes);
        assert!(!failed("path_streams", check).is_empty(), "not caught: boxes that are {name}");
    }
}

#[test]
fn wrong_drawings_are_caught() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect id="r" width="9" height="9"/>
        <mask id="m"><rect width="9" height="9" fill="white"/></mask><path d="M0 0h9v9" mask="url(#m)"/></svg>"#;
    let drawing = || loader(&loader_input(svg, 0)).expect("the drawing loads");
    check_drawing(&drawing(), true);
    let leaf = |drawing: &Drawing, within| {
        let is_leaf =
            |i: &usize| drawing.elements.kind(*i) == ElementKind::Leaf && drawing.table[*i].within == within;
        (0..drawing.elements.len()).find(is_leaf).expect("the drawing has such a leaf")
    };
    let with_box = |mut drawing: Drawing, element: usize, new_box: Aabb| {
        let mut boxes = drawing.elements.boxes().to_vec();
        boxes[element] = new_box;
        let scene = Scene::from_streams(drawing.elements.tags().to_vec(), boxes);
        drawing.elements = scene.expect("no coordinate is NaN").into();
        drawing
    };
    let everywhere = Aabb { x0: -9.0, y0: -9.0, x1: 999.0, y1: 999.0 };
    let mut no_table = drawing();
    no_table.table.pop();
    let mut no_source = drawing();
    no_source.sources[0].parent = Some(1);
    let mut open = drawing();
    open.encoding.n_open_clips = 1;
    let mut far = drawing();
    far.encoding.path_data[0] = 1e20_f32.to_bits();
    let mut infinite = drawing();
    infinite.encoding.transforms[0].translation[0] = f32::INFINITY;
    let in_mask = leaf(&drawing(), Within::Mask);
    let inverted = Aabb { x0: 9.0, x1: 3.0, ..everywhere };
    let faults = [
        ("an element has no entry in the table", no_table),
        ("the root has a parent", no_source),
        ("a clip is not closed", open),
        ("geometry is far outside", far),
        ("a transform is infinite", infinite),
        ("an element in a mask has a box", with_box(drawing(), in_mask, everywhere)),
        ("a box is inverted", with_box(drawing(), leaf(&drawing(), Within::Scene), inverted)),
    ];
    for (name, drawing) in faults {
        assert!(
            catch_unwind(AssertUnwindSafe(|| check_drawing(&drawing, true))).is_err(),
            "not caught: {name}"
        );
    }
}
