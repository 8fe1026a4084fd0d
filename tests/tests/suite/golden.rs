//! Compares pictures of the samples, drawn by lavapipe with their boxes, with the images in
//! `tests/golden`.
//!
//! A picture that differs is written to `tests/golden/failed`, together with an image of the
//! difference. With `BOXWOOD_BLESS=1` the test rewrites the images that differ instead.

use std::path::{Path, PathBuf};

use boxwood_render::{
    Background, CpuRenderer, Legend, OverlayKinds, OverlaySource, PictureSize, RenderOptions, render_on_cpu,
};
use boxwood_svg::{Drawing, Fonts, Options};
use boxwood_tests::{gpu, is_reference_adapter};
use image::{Rgba, RgbaImage};

/// A channel of a pixel may differ by this, because versions of Mesa round anti-aliased edges
/// differently. Boxes have no anti-aliasing.
const CHANNEL_TOLERANCE: u8 = 1;

/// This many pixels may differ by more.
const PIXEL_TOLERANCE: usize = 10;

struct Golden {
    name: &'static str,
    drawing: &'static str,
    overlay: OverlayKinds,
    boxes: OverlaySource,
    size: PictureSize,
    legend: bool,
}

const fn golden(name: &'static str, drawing: &'static str, overlay: OverlayKinds) -> Golden {
    Golden {
        name,
        drawing,
        overlay,
        boxes: OverlaySource::Scene,
        size: PictureSize::Width(160),
        legend: false,
    }
}

/// A picture with the boxes of the frame.
const fn of_frame(name: &'static str, drawing: &'static str, overlay: OverlayKinds) -> Golden {
    Golden { boxes: OverlaySource::Frame, ..golden(name, drawing, overlay) }
}

const GOLDENS: &[Golden] = &[
    golden("clips_clip", "clips", OverlayKinds::CLIP),
    golden("clips_clipped", "clips", OverlayKinds::CLIPPED),
    golden("empty_clip_all", "empty_clip", OverlayKinds::ALL),
    golden("filters_masks_patterns_all", "filters_masks_patterns", OverlayKinds::ALL),
    golden("gradients_leaf", "gradients", OverlayKinds::LEAF),
    golden("groups_group", "groups", OverlayKinds::GROUP),
    golden("image_all", "image", OverlayKinds::ALL),
    golden("strokes_leaf", "strokes", OverlayKinds::LEAF),
    golden("text_clipped", "text", OverlayKinds::CLIPPED),
    golden("transforms_none", "transforms", OverlayKinds::NONE),
    golden("transforms_all", "transforms", OverlayKinds::ALL),
    Golden {
        size: PictureSize::Zoom(0.5),
        legend: true,
        ..golden("poster_all", "poster", OverlayKinds::ALL)
    },
    of_frame("clips_clip_of_frame", "clips", OverlayKinds::CLIP),
    of_frame("filters_masks_patterns_all_of_frame", "filters_masks_patterns", OverlayKinds::ALL),
    of_frame("groups_all_of_frame", "groups", OverlayKinds::ALL),
];

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn load(sample: &str) -> Drawing {
    let path = repository(&format!("assets/svg/{sample}.svg"));
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    boxwood_svg::load_file(&path, &options).unwrap_or_else(|e| panic!("{e}"))
}

fn options(golden: &Golden) -> RenderOptions {
    RenderOptions {
        size: golden.size,
        crop: None,
        background: Background::WHITE,
        overlay: golden.overlay,
        boxes: golden.boxes,
        legend: if golden.legend { Legend::Inside } else { Legend::None },
    }
}

/// An image of the pixels that differ by more than `tolerance` in a channel, and their number.
fn difference(a: &RgbaImage, b: &RgbaImage, tolerance: u8) -> (RgbaImage, usize) {
    let mut count = 0;
    let picture = RgbaImage::from_fn(a.width().max(b.width()), a.height().max(b.height()), |x, y| {
        let pixels = a.get_pixel_checked(x, y).zip(b.get_pixel_checked(x, y));
        if pixels.is_some_and(|(p, q)| p.0.iter().zip(q.0).all(|(p, q)| p.abs_diff(q) <= tolerance)) {
            Rgba([255; 4])
        } else {
            count += 1;
            Rgba([255, 0, 0, 255])
        }
    });
    (picture, count)
}

#[test]
fn pictures_match_the_golden_images() {
    if !is_reference_adapter() {
        return;
    }
    let mut faults = Vec::new();
    for golden in GOLDENS {
        let found = boxwood_render::render(gpu(), &load(golden.drawing), &options(golden))
            .unwrap_or_else(|e| panic!("{}: {e}", golden.name));
        faults.extend(difference_from_blessed(golden.name, &found));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Compares a picture with the image of this name in `tests/golden`. Returns a message if they
/// differ, unless `BOXWOOD_BLESS=1` rewrites the image.
pub(crate) fn difference_from_blessed(name: &str, found: &RgbaImage) -> Option<String> {
    let path = repository(&format!("tests/golden/{name}.png"));
    let reference = image::open(&path).map(image::DynamicImage::into_rgba8).ok();
    let (picture, count) =
        difference(reference.as_ref().unwrap_or(&RgbaImage::new(1, 1)), found, CHANNEL_TOLERANCE);
    if count <= PIXEL_TOLERANCE && reference.is_some() {
        return None;
    }
    if std::env::var_os("BOXWOOD_BLESS").is_some() {
        found.save(&path).unwrap_or_else(|e| panic!("{e}: {}", path.display()));
        return None;
    }
    let failed = repository("tests/golden/failed");
    std::fs::create_dir_all(&failed).expect("a folder can be made");
    for (what, image) in [("found", found), ("difference", &picture)] {
        let path = failed.join(format!("{name}.{what}.png"));
        image.save(&path).unwrap_or_else(|e| panic!("{e}: {}", path.display()));
    }
    Some(format!("{name}: {count} pixels differ, see {}", failed.display()))
}

/// The overlay has the same pixels on the GPU and in software. The test compares the pixels that
/// the overlay changes, because the rasterizers anti-alias the drawing differently.
#[test]
fn the_gpu_and_the_cpu_draw_the_same_outlines() {
    for sample in ["clips", "groups", "transforms"] {
        let drawing = load(sample);
        for overlay in [OverlayKinds::LEAF, OverlayKinds::CLIPPED, OverlayKinds::CLIP, OverlayKinds::GROUP] {
            let with = RenderOptions {
                size: PictureSize::Width(200),
                background: Background::WHITE,
                overlay,
                ..RenderOptions::default()
            };
            let without = RenderOptions { overlay: OverlayKinds::NONE, ..with };
            let gpu = |options| boxwood_render::render(gpu(), &drawing, options).expect("it renders");
            let software =
                |options| render_on_cpu(&drawing, CpuRenderer::Resvg, options).expect("it renders");
            let (on_gpu, n_gpu) = difference(&gpu(&with), &gpu(&without), 0);
            let (on_cpu, _) = difference(&software(&with), &software(&without), 0);
            let (_, n_different) = difference(&on_gpu, &on_cpu, 0);
            assert!(n_gpu > 50, "{sample}: {overlay} has outlines");
            // A line over a pixel of its own colour changes nothing, perhaps on one side only.
            assert!(n_different <= 2, "{sample}: {overlay} differs in {n_different} of {n_gpu} pixels");
        }
    }
}

/// A picture of one pixel is drawn. A picture beyond the limit is refused.
#[test]
fn the_smallest_picture_is_drawn_and_too_large_a_picture_is_refused() {
    let drawing = load("clips");
    let tiny = RenderOptions { size: PictureSize::Width(1), ..RenderOptions::default() };
    let picture = boxwood_render::render(gpu(), &drawing, &tiny).expect("one pixel is a picture");
    assert_eq!(picture.width(), 1);
    let huge = RenderOptions { size: PictureSize::Zoom(1e9), ..RenderOptions::default() };
    let error = boxwood_render::render(gpu(), &drawing, &huge).expect_err("it is above the limit");
    assert!(error.to_string().contains("limit"), "{error}");
}
