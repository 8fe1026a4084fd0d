//! Tests of pictures on the GPU. They need an adapter, which may be a software one.

mod costs;
mod draw_order;
mod emphasis;
mod frame_boxes;
mod masks;
mod overlay_shader;
mod raster_images;
mod vello_bugs;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use boxwood::native::Gpu;
use boxwood_cpu::Aabb;
use boxwood_svg::{CancelToken, Drawing, Fonts, Options};
use image::{Rgba, RgbaImage};
use kurbo::TranslateScale;

use crate::legend::{hole, legend};
use crate::overlay::{Hole, OverlayView};
use crate::software::draw_overlay;
use crate::{
    Background, CpuRenderer, Emphasis, Frame, Legend, OVERLAY_STYLES, OverlayKinds, OverlaySource, Painter,
    PictureSize, RenderError, RenderOptions, Running, render_on_cpu,
};

/// One painter for all tests, because it compiles shaders.
fn painter() -> MutexGuard<'static, Painter> {
    static PAINTER: OnceLock<Mutex<Painter>> = OnceLock::new();
    let painter = PAINTER.get_or_init(|| {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        Mutex::new(Painter::new(&gpu).expect("the adapter runs the renderer"))
    });
    painter.lock().unwrap_or_else(PoisonError::into_inner)
}

fn drawing(width: u32, height: u32, contents: &str) -> Drawing {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{contents}</svg>"#
    );
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    boxwood_svg::load(svg.as_bytes(), &options).expect("the drawing is correct")
}

/// A drawing with every kind of box, at coordinates between pixels.
fn rich_drawing() -> Drawing {
    drawing(
        120,
        90,
        r##"<clipPath id="c"><circle cx="50" cy="40" r="30.3"/></clipPath>
        <clipPath id="d"><rect x="33.3" y="-20" width="40.1" height="88.8"/></clipPath>
        <g opacity="0.6"><rect x="3.7" y="5.2" width="41" height="70.5" fill="#c33"/>
          <g clip-path="url(#c)"><path d="M10 10 L110 44 L30 80Z" fill="#3a3" stroke="#000" stroke-width="3"/>
            <g clip-path="url(#d)" style="isolation:isolate"><ellipse cx="60" cy="50" rx="55" ry="12"/></g></g>
          <rect x="-1000" y="60" width="3000" height="10.25" fill="#39c"/></g>"##,
    )
}

fn options(zoom: f64, overlay: OverlayKinds) -> RenderOptions {
    RenderOptions {
        size: PictureSize::Zoom(zoom),
        background: Background::WHITE,
        overlay,
        ..RenderOptions::default()
    }
}

/// The number of pixels that differ by more than 64 in a channel. Few do so by anti-aliasing alone.
fn n_different(a: &RgbaImage, b: &RgbaImage) -> usize {
    let is_different = |(a, b): (&Rgba<u8>, &Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 64);
    a.pixels().zip(b.pixels()).filter(|pair| is_different(*pair)).count()
}

/// The overlay alone, drawn on the CPU.
fn overlay_on_the_cpu(
    drawing: &Drawing,
    zoom: f64,
    size: [u32; 2],
    shown: OverlayKinds,
    hole: Hole,
) -> RgbaImage {
    let mut overlay = RgbaImage::new(size[0], size[1]);
    let view = OverlayView::new(TranslateScale::scale(zoom), size, hole);
    draw_overlay(&mut overlay, drawing, &view, shown);
    overlay
}

/// Checks that `with` is `without` with the pixels of `overlay`, and that there are some.
fn assert_overlaid(with: &RgbaImage, without: &RgbaImage, overlay: &RgbaImage) {
    let mut count = 0;
    for (x, y, line) in overlay.enumerate_pixels() {
        let is_line = line.0[3] != 0;
        count += usize::from(is_line);
        let expected = if is_line { line } else { without.get_pixel(x, y) };
        assert_eq!(with.get_pixel(x, y), expected, "at {x}, {y}, line: {is_line}");
    }
    assert!(count > 0, "the overlay is empty");
}

#[test]
fn an_outline_has_the_outermost_pixels_of_the_clipped_leaf() {
    let drawing = drawing(
        16,
        12,
        r##"<clipPath id="c"><rect x="0" y="0" width="9" height="12"/></clipPath>
        <g clip-path="url(#c)"><rect x="3" y="2" width="10" height="7" fill="#fff"/></g>"##,
    );
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let image = painter.render(&options(1.0, OverlayKinds::CLIPPED)).expect("the picture is small");
    let expected: BTreeSet<(u32, u32)> =
        (3..9).flat_map(|x| [(x, 2), (x, 8)]).chain((2..9).flat_map(|y| [(3, y), (8, y)])).collect();
    let blue = Rgba([0x00, 0x72, 0xb2, 255]);
    for (x, y, pixel) in image.enumerate_pixels() {
        let color = if expected.contains(&(x, y)) { blue } else { Rgba([255; 4]) };
        assert_eq!(*pixel, color, "at {x}, {y}");
    }
}

#[test]
fn every_kind_has_the_same_pixels_on_the_gpu_and_the_cpu() {
    let drawing = rich_drawing();
    let kinds = OVERLAY_STYLES.iter().map(|style| style.kind).chain([OverlayKinds::ALL]);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for (zoom, shown) in kinds.flat_map(|kind| [0.37, 1.0, 1.7].map(|zoom| (zoom, kind))) {
        let without = painter.render(&options(zoom, OverlayKinds::NONE)).expect("the picture is small");
        let with = painter.render(&options(zoom, shown)).expect("the picture is small");
        let size = with.dimensions().into();
        assert_overlaid(&with, &without, &overlay_on_the_cpu(&drawing, zoom, size, shown, Hole::default()));
    }
}

#[test]
fn a_picture_of_several_regions_has_no_seams() {
    let drawing = rich_drawing();
    let zoom = 18.3;
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let without = painter.render(&options(zoom, OverlayKinds::NONE)).expect("the picture is within limits");
    let with = painter.render(&options(zoom, OverlayKinds::ALL)).expect("the picture is within limits");
    assert!(with.width() > 2048);
    let size = with.dimensions().into();
    let overlay = overlay_on_the_cpu(&drawing, zoom, size, OverlayKinds::ALL, Hole::default());
    assert_overlaid(&with, &without, &overlay);
}

#[test]
fn the_legend_covers_the_overlay_on_the_gpu_and_the_cpu() {
    let drawing = drawing(400, 200, r##"<rect x="2" y="3" width="390" height="190" fill="#eee"/>"##);
    let shown = OverlayKinds::ALL;
    let with_legend = RenderOptions { legend: Legend::Inside, ..options(1.0, shown) };
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let gpu = painter.render(&with_legend).expect("the picture is small");
    let software = render_on_cpu(&drawing, CpuRenderer::Resvg, &with_legend).expect("the picture is small");
    let placed = legend(shown, [400, 200], 1.0).expect("the SVG is correct").expect("there is room");
    let [x0, y0, x1, y1] = placed.rect();
    assert!(x0 > 0 && y0 > 0 && x1 < 400 && y1 < 200, "the legend is in the picture");
    let key_of_clipped = OVERLAY_STYLES[1].color;
    for image in [&gpu, &software] {
        let is_in = |x: u32, y: u32| {
            let (x, y) = (i64::from(x), i64::from(y));
            (x0.into()..x1.into()).contains(&x) && (y0.into()..y1.into()).contains(&y)
        };
        let colored =
            image.enumerate_pixels().filter(|&(x, y, pixel)| is_in(x, y) && pixel.0[..3] == key_of_clipped);
        assert!(colored.count() > 100, "the key of the clipped leaf boxes has their colour");
    }
    // The outlines around the legend are the same.
    let hole = hole(Some(&placed), [0, 0]);
    let overlay = overlay_on_the_cpu(&drawing, 1.0, [400, 200], shown, hole);
    for (x, y, line) in overlay.enumerate_pixels().filter(|(_, _, line)| line.0[3] != 0) {
        assert_eq!((gpu.get_pixel(x, y), software.get_pixel(x, y)), (line, line), "at {x}, {y}");
    }
}

#[test]
fn backgrounds_are_the_same_on_the_gpu_and_the_cpu() {
    let drawing =
        drawing(40, 20, r##"<rect x="20" y="0" width="20" height="20" fill="#f00" fill-opacity="0.5"/>"##);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for background in [
        Background::Checker,
        Background::WHITE,
        Background::BLACK,
        Background::TRANSPARENT,
        Background::Color([10, 200, 30, 255]),
        Background::Color([10, 200, 30, 128]),
    ] {
        let options = RenderOptions { background, ..RenderOptions::default() };
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_on_cpu(&drawing, CpuRenderer::Resvg, &options).expect("the picture is small");
        for (x, y, pixel) in gpu.enumerate_pixels() {
            let other = software.get_pixel(x, y);
            let difference = (0..4).map(|c| pixel.0[c].abs_diff(other.0[c])).max();
            assert!(difference <= Some(2), "{background:?} at {x}, {y}: {pixel:?} and {other:?}");
        }
    }
    let transparent = RenderOptions { background: Background::TRANSPARENT, ..RenderOptions::default() };
    let image = painter.render(&transparent).expect("the picture is small");
    assert_eq!(image.get_pixel(0, 0).0, [0; 4]);
    let Rgba([red, green, blue, alpha]) = *image.get_pixel(30, 10);
    assert_eq!(([red, green, blue], (127..=128).contains(&alpha)), ([255, 0, 0], true), "alpha is straight");
}

#[test]
fn another_view_or_overlay_does_not_change_the_boxes() {
    let drawing = rich_drawing();
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let first = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    painter.render(&options(2.5, OverlayKinds::CLIP)).expect("the picture is small");
    let again = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    assert_eq!(first, again);
}

#[test]
fn images_survive_a_picture_without_images() {
    let drawing = drawing(8, 8, r##"<rect width="8" height="8" fill="#f00"/>"##);
    let frame = |background, surround| Frame {
        size: [8, 8],
        view: TranslateScale::translate((2.0, 2.0)),
        scale_factor: 1.0,
        background,
        surround,
        n_painted: None,
        overlay: OverlayKinds::NONE,
        boxes: OverlaySource::Scene,
        emphasis: Emphasis::default(),
        antialiasing: vello::AaConfig::Area,
        legend: false,
    };
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let corner = |painter: &mut Painter| {
        let picture = painter.paint(&frame(Background::WHITE, None)).expect("the picture is small");
        painter.read(&picture).expect("the device answers").get_pixel(0, 0).0
    };
    assert_eq!(corner(&mut painter), [255; 4]);
    painter.clear_drawing();
    painter.paint(&frame(Background::WHITE, Some([0; 3]))).expect("the picture is small");
    assert_eq!(corner(&mut painter), [255; 4]);
}

#[test]
fn deeply_nested_layers_are_drawn_in_parts() {
    let circle = r##"<circle cx="256" cy="200" r="190" fill="#39c"/>"##;
    let nested = |depth: usize| {
        let begins = r#"<g style="isolation:isolate">"#.repeat(depth);
        drawing(512, 400, &format!("{begins}{circle}{}", "</g>".repeat(depth)))
    };
    let mut painter = painter();
    let [flat, deep] = [0, 30].map(|depth| {
        painter.set_drawing(&nested(depth)).expect("the scene is small");
        painter.render(&options(1.0, OverlayKinds::LEAF)).expect("it can be drawn in parts")
    });
    for (x, y, pixel) in deep.enumerate_pixels() {
        let difference = (0..4).map(|c| pixel.0[c].abs_diff(flat.get_pixel(x, y).0[c])).max();
        assert!(difference <= Some(1), "at {x}, {y}: {pixel:?}");
    }
    assert!(painter.part_side < 512, "the deep drawing needs parts");
    painter.clear_drawing();
    assert_eq!(painter.part_side, u32::MAX, "pictures without the drawing do not need parts");
}

#[test]
fn a_cancelled_picture_is_an_error_and_the_next_is_drawn() {
    let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
    let cancel = CancelToken::default();
    let painter = Painter::with_cancel(&gpu, cancel.clone(), Running::default());
    let mut painter = painter.expect("the adapter runs the renderer");
    painter.set_drawing(&rich_drawing()).expect("the scene is small");
    cancel.set(true);
    let cancelled = painter.render(&options(1.0, OverlayKinds::ALL));
    assert!(
        matches!(cancelled, Err(RenderError::Drawing(boxwood_svg::Error::Cancelled(_)))),
        "{:?}",
        cancelled.err()
    );
    cancel.set(false);
    painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
}

#[test]
fn a_drawing_too_complex_for_the_smallest_part_is_an_error() {
    // Each part contains all lines, which are more than Vello has room for.
    let path: String = (0..2_200_000).map(|i| format!("L{} {}", i % 97, i % 89)).collect();
    let drawing = drawing(100, 100, &format!(r#"<path d="M0 0{path}"/>"#));
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene has one leaf");
    let result = painter.render(&options(1.0, OverlayKinds::NONE));
    assert!(matches!(result, Err(RenderError::TooComplex(_))), "{:?}", result.err());
}

#[test]
fn a_picture_beyond_the_limit_is_refused_and_the_drawing_stays() {
    let small = drawing(10, 10, r##"<rect width="5" height="5"/>"##);
    let mut painter = painter();
    painter.set_drawing(&small).expect("the scene is small");
    let before = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    let error = painter.render(&options(1e6, OverlayKinds::NONE)).expect_err("the picture is too large");
    assert!(
        error.to_string().contains("10000000 x 10000000 pixels is outside the limits of 1 to"),
        "{error}"
    );
    assert_eq!(painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small"), before);
}

/// A frame of a white background with this size.
fn plain_frame(size: [u32; 2]) -> Frame {
    Frame {
        size,
        view: TranslateScale::default(),
        scale_factor: 1.0,
        background: Background::WHITE,
        surround: None,
        n_painted: None,
        overlay: OverlayKinds::ALL,
        boxes: OverlaySource::Frame,
        emphasis: Emphasis::default(),
        antialiasing: vello::AaConfig::Area,
        legend: false,
    }
}

#[test]
fn a_frame_without_pixels_or_beyond_the_limit_is_refused_with_its_size_and_the_limit() {
    let mut painter = painter();
    painter.set_drawing(&rich_drawing()).expect("the scene is small");
    let limit = painter.device.limits().max_texture_dimension_2d;
    for size in [[0, 0], [0, 9], [9, 0], [limit + 1, 9], [9, limit + 1], [u32::MAX, 0], [u32::MAX; 2]] {
        let error = painter.paint(&plain_frame(size)).expect_err("the size is wrong").to_string();
        let [width, height] = size;
        let expected = format!("{width} x {height} pixels is outside the limits of 1 to {limit} pixels");
        assert!(error.contains(&expected), "{size:?}: {error}");
    }
    let error = painter.paint(&plain_frame([8192, 8193])).expect_err("the area is too large");
    let error = error.to_string();
    assert!(error.contains("8192 x 8193 pixels is outside"), "{error}");
    assert!(error.contains("67108864 pixels in total"), "{error}");
    let picture = painter.paint(&plain_frame([9, 1])).expect("the size is within the limits");
    assert_eq!((picture.width(), picture.height()), (9, 1));
}

#[test]
fn a_frame_without_a_scale_is_refused() {
    let mut painter = painter();
    painter.set_drawing(&rich_drawing()).expect("the scene is small");
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut frame = plain_frame([9, 9]);
        frame.view.scale = value;
        let error = painter.paint(&frame).expect_err("the scale is wrong").to_string();
        assert!(error.contains(&format!("the scale of the view is {value}")), "{error}");
        let frame = Frame { scale_factor: value, ..plain_frame([9, 9]) };
        let error = painter.paint(&frame).expect_err("the scale factor is wrong").to_string();
        assert!(error.contains(&format!("the scale factor is {value}")), "{error}");
    }
}
