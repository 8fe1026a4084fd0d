//! Bytes that may be a drawing.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use boxwood_cpu::paths::PathStreams;
use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, Error, Fonts, Include, ObjectBox, Options, Role, Space, Within, load};
use vello_encoding::Resolver;

/// How long a drawing may take to load, of whatever kind.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What a load may take longer than the limit: that of reading a clock now and then.
const SLACK: Duration = Duration::from_secs(2);

/// How far beyond the viewport a renderer is given anything, in px and in sizes of the viewport.
const REACH: (f64, f64) = (2e6, 2.0);

/// The largest drawing whose numbers are held to be moderate, in px.
const LARGEST: f64 = 1e9;

/// Whether a dependency has panicked since this was last looked at.
static DEPENDENCY_PANICKED: AtomicBool = AtomicBool::new(false);

/// From now on, says nothing of panics in the sources of dependencies. Those of the parser become errors, as they should; without
/// this, [`loader`] takes each for a fault.
pub fn pass_over_dependencies() {
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

/// The input that loads a drawing with these choices: its bytes, and then the byte of the choices.
pub fn loader_input(drawing: &[u8], choices: u8) -> Vec<u8> {
    [drawing, &[choices]].concat()
}

/// Checks `boxwood_svg` on the drawing that these bytes are, but for the last, which says how to load it. Gives the scene, if it is
/// one.
///
/// # Panics
///
/// If the loader panics other than [in a dependency](pass_over_dependencies), if loading takes longer than it may, or if what is loaded breaks a rule.
pub fn loader(bytes: &[u8]) -> Option<Drawing> {
    let (&choices, drawing) = bytes.split_last()?;
    let chosen = |bit: u8| choices & bit != 0;
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/svg");
    let options = Options {
        // Those of the system are other on each machine, and go the same way.
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
    for object_box in object_boxes.into_iter().filter_map(ObjectBox::rect) {
        let is_ordered = object_box.x0 <= object_box.x1 && object_box.y0 <= object_box.y1;
        assert!(is_ordered, "{object_box:?} is no box");
    }
    Some(drawing)
}

/// Checks what was loaded, with or without a clip to the viewport.
///
/// # Panics
///
/// If it breaks a rule.
pub fn check_drawing(drawing: &Drawing, clips_to_viewport: bool) {
    check_streams(drawing);
    check_boxes(drawing, clips_to_viewport);
}

/// Checks that the streams of a scene are of one scene, and fit for a renderer.
fn check_streams(drawing: &Drawing) {
    let Drawing { encoding, elements, table, sources, .. } = drawing;
    let tags: Vec<u32> = encoding.draw_tags.iter().map(|tag| tag.0).collect();
    assert_eq!(elements.tags(), tags);
    assert_eq!(table.len(), tags.len());
    assert_eq!(encoding.n_open_clips, 0);
    assert_eq!(encoding.n_paths as usize, tags.len(), "a path a draw object");
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
        assert!(number.is_finite(), "{number} reaches a renderer");
    }
}

/// Checks the boxes of a scene, by its own leaf boxes and by those of its packed streams.
fn check_boxes(drawing: &Drawing, clips_to_viewport: bool) {
    let elements = &drawing.elements;
    let boxes = boxwood_cpu::boxes(elements);
    assert_eq!(boxes.links[0].partner as usize, boxes.links.len() - 1, "the root holds everything");
    for (element, info) in drawing.table.iter().enumerate() {
        let own_box = elements.boxes()[element];
        assert_eq!(own_box.canonical(), own_box, "box of element {element}");
        if elements.kind(element) == ElementKind::Leaf && info.within == Within::Mask {
            assert!(own_box.is_empty(), "element {element} shapes a mask, and inks {own_box:?}");
        }
    }
    if clips_to_viewport {
        assert!(boxes.clip_boxes[0].contains(boxes.group_boxes[0]), "ink is outside of the viewport");
    }
    let mut bytes = Vec::new();
    let mut resolver = Resolver::new();
    let (layout, ..) = resolver.resolve(&drawing.encoding, &mut bytes);
    let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let streams = PathStreams::new(&words, bytemuck::cast(layout)).expect("the resolver's own layout");
    let path_boxes = boxwood_cpu::paths::path_boxes(&streams);
    assert_eq!(path_boxes.len(), elements.len());
    // A drawing can be larger itself than what a renderer draws; there is no picture of it then.
    if drawing.size.width.max(drawing.size.height) > LARGEST {
        return;
    }
    let reach = REACH.0 + REACH.1 * drawing.size.width.max(drawing.size.height);
    let near = drawing.size.to_rect().inflate(reach, reach);
    let near = Aabb::new(near.x0, near.y0, near.x1, near.y1).expect("the viewport has a size");
    for (element, path_box) in path_boxes.into_iter().enumerate() {
        // Nothing is drawn in a filter's region.
        let is_near = near.contains(path_box) || drawing.table[element].role == Role::Filter;
        assert!(is_near, "a renderer is given {path_box:?} for element {element}");
    }
}
