//! Any bytes as a drawing.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use boxwood_cpu::paths::PathStreams;
use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, Error, Fonts, Include, Options, Role, Space, Within, load};
use vello_encoding::Resolver;

/// The time limit for loading any drawing.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The time by which a load may exceed the limit, since it reads the clock only now and then.
const SLACK: Duration = Duration::from_secs(2);

/// The maximum distance from the viewport of geometry for a renderer: in px, and in addition as a
/// multiple of the size of the viewport.
const MAX_DISTANCE: (f64, f64) = (2e6, 2.0);

/// The maximum size in px of a drawing with a check of that distance.
const MAX_SIZE: f64 = 1e9;

/// Whether a dependency has panicked since the last check.
static DEPENDENCY_PANICKED: AtomicBool = AtomicBool::new(false);

/// Silences panics in the sources of dependencies for the rest of the process. The loader turns the
/// panics of a parser into errors. Without this call, [`loader`] treats each of them as a fault.
pub fn ignore_panics_of_dependencies() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.location().is_some_and(|location| location.file().contains("/registry/src/")) {
            DEPENDENCY_PANICKED.store(true, Ordering::Relaxed);
        } else {
            hook(info);
        }
    }));
}

/// The bits of the last byte of an input.
mod choice {
    pub(super) const NO_VIEWPORT_CLIP: u8 = 1;
    pub(super) const RESOURCES: u8 = 2;
    pub(super) const FILL: u8 = 4;
    pub(super) const STROKE: u8 = 8;
    pub(super) const MARKERS: u8 = 16;
    pub(super) const CLIPPED: u8 = 32;
    pub(super) const LOCAL: u8 = 64;
}

/// The input of [`loader`] for a drawing and options: the bytes of the drawing, then the byte of
/// the options.
pub fn loader_input(drawing: &[u8], choices: u8) -> Vec<u8> {
    [drawing, &[choices]].concat()
}

/// Checks `boxwood_svg` on a drawing, and returns the drawing if it loads. The last byte selects
/// the options.
///
/// # Panics
///
/// If the loader panics, except [in a dependency](ignore_panics_of_dependencies), if it exceeds the
/// time limit, or if the drawing breaks a rule.
pub fn loader(bytes: &[u8]) -> Option<Drawing> {
    let (&choices, drawing) = bytes.split_last()?;
    let chosen = |bit: u8| choices & bit != 0;
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/svg");
    let options = Options {
        // The fonts of the system differ from machine to machine.
        fonts: Fonts::Bundled,
        resources_dir: chosen(choice::RESOURCES).then_some(samples),
        clip_to_viewport: !chosen(choice::NO_VIEWPORT_CLIP),
        time_limit: Some(TIME_LIMIT),
        ..Options::default()
    };
    let start = Instant::now();
    let loaded = load(drawing, &options);
    assert!(start.elapsed() < TIME_LIMIT + SLACK, "loading took {:?}", start.elapsed());
    let drawing = match loaded {
        Ok(drawing) => drawing,
        Err(error) => {
            let is_at_fault = match error {
                Error::Panicked { .. } => !DEPENDENCY_PANICKED.swap(false, Ordering::Relaxed),
                Error::Thread { .. } => true,
                _ => false,
            };
            assert!(!is_at_fault && !error.to_string().is_empty(), "{error}");
            return None;
        }
    };
    check_drawing(&drawing, options.clip_to_viewport);
    let include = Include {
        fill: chosen(choice::FILL),
        stroke: chosen(choice::STROKE),
        markers: chosen(choice::MARKERS),
        clipped: chosen(choice::CLIPPED),
    };
    let space = if chosen(choice::LOCAL) { Space::Local } else { Space::Scene };
    let object_boxes = drawing.object_boxes(include, space);
    assert_eq!(object_boxes.len(), drawing.sources.len());
    for object_box in object_boxes.into_iter().flatten() {
        let is_ordered = object_box.x0 <= object_box.x1 && object_box.y0 <= object_box.y1;
        assert!(is_ordered, "{object_box:?} is not a box");
    }
    Some(drawing)
}

/// Checks a drawing that was loaded with or without a clip to the viewport.
///
/// # Panics
///
/// If the drawing breaks a rule.
pub fn check_drawing(drawing: &Drawing, clips_to_viewport: bool) {
    check_streams(drawing);
    check_boxes(drawing, clips_to_viewport);
}

/// Checks that the streams of a drawing describe the same elements and are valid for a renderer.
fn check_streams(drawing: &Drawing) {
    let Drawing { encoding, elements, table, sources, .. } = drawing;
    let tags: Vec<u32> = encoding.draw_tags.iter().map(|tag| tag.0).collect();
    assert_eq!(elements.tags(), tags);
    assert_eq!(table.len(), tags.len());
    assert_eq!(encoding.n_open_clips, 0);
    assert_eq!(encoding.n_paths as usize, tags.len(), "there is one path per draw object");
    for (index, source) in sources.iter().enumerate() {
        let is_before = source.parent.is_none_or(|parent| (parent as usize) < index);
        assert!(is_before && source.parent.is_some() == (index > 0), "{source:?} is source {index}");
    }
    assert!(table.iter().all(|info| (info.source as usize) < sources.len()));
    let path_data = encoding.path_data.iter().map(|word| f32::from_bits(*word));
    let numbers = path_data.chain(encoding.transforms.iter().flat_map(|t| {
        let [a, b, c, d] = t.matrix;
        [a, b, c, d, t.translation[0], t.translation[1]]
    }));
    for number in numbers {
        assert!(number.is_finite(), "a renderer gets {number}");
    }
}

/// Checks the boxes of a drawing, with its own leaf boxes and with those of its packed streams.
fn check_boxes(drawing: &Drawing, clips_to_viewport: bool) {
    let elements = &drawing.elements;
    let boxes = boxwood_cpu::specification::boxes(elements);
    assert_eq!(boxes.links[0].partner as usize, boxes.links.len() - 1, "the root contains everything");
    for (element, info) in drawing.table.iter().enumerate() {
        let own_box = elements.boxes()[element];
        assert_eq!(own_box.canonical(), own_box, "box of element {element}");
        if elements.kind(element) == ElementKind::Leaf && info.within == Within::Mask {
            assert!(own_box.is_empty(), "element {element} is in a mask, but has the ink box {own_box:?}");
        }
    }
    if clips_to_viewport {
        assert!(boxes.clip_boxes[0].contains(boxes.group_boxes[0]), "there is ink outside the viewport");
    }
    let mut bytes = Vec::new();
    let mut resolver = Resolver::new();
    let (layout, ..) = resolver.resolve(&drawing.encoding, &mut bytes);
    let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let streams = PathStreams::new(&words, bytemuck::cast(layout)).expect("the resolver's layout is valid");
    let path_boxes = boxwood_cpu::paths::twin::path_boxes(&streams);
    assert_eq!(path_boxes.len(), elements.len());
    // A renderer cannot draw a drawing that is larger.
    if drawing.size.width.max(drawing.size.height) > MAX_SIZE {
        return;
    }
    let distance = MAX_DISTANCE.0 + MAX_DISTANCE.1 * drawing.size.width.max(drawing.size.height);
    let near = drawing.size.to_rect().inflate(distance, distance);
    let near = Aabb::new(near.x0, near.y0, near.x1, near.y1).expect("the viewport has a size");
    for (element, path_box) in path_boxes.into_iter().enumerate() {
        // The region of a filter is not painted itself.
        let is_near = near.contains(path_box) || drawing.table[element].role == Role::Filter;
        assert!(is_near, "a renderer gets {path_box:?} for element {element}");
    }
}
