//! Tests of pictures on the GPU: they need an adapter, be it one in software.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use boxwood::Gpu;
use boxwood_layout::Aabb;
use boxwood_svg::{Fonts, Options, Scene};
use image::{Rgba, RgbaImage};

use crate::canvas::Stop;
use crate::kinds::{OVERLAY_STYLES, OverlayKinds};
use crate::lines::{Holes, LineView};
use crate::panel::Panel;
use crate::software::draw_overlay;
use crate::{
    Background, OverlaySource, Painter, PictureSize, RenderError, RenderOptions, ViewTransform,
    render_software,
};

/// One painter for all tests: it compiles shaders.
fn painter() -> MutexGuard<'static, Painter> {
    static PAINTER: OnceLock<Mutex<Painter>> = OnceLock::new();
    let painter = PAINTER.get_or_init(|| {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        Mutex::new(Painter::new(&gpu).expect("the adapter runs the renderer"))
    });
    painter.lock().unwrap_or_else(PoisonError::into_inner)
}

fn scene(width: u32, height: u32, contents: &str) -> Scene {
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{contents}</svg>"#
    );
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    boxwood_svg::load(svg.as_bytes(), &options).expect("the drawing is correct")
}

/// A scene with every kind of box, at coordinates that are no whole pixels.
fn rich_scene() -> Scene {
    scene(
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
        background: Background::White,
        overlay,
        ..RenderOptions::default()
    }
}

/// The overlay alone, drawn on the CPU.
fn overlay_on_the_cpu(
    scene: &Scene,
    zoom: f64,
    size: [u32; 2],
    shown: OverlayKinds,
    holes: Holes,
) -> RgbaImage {
    let mut overlay = RgbaImage::new(size[0], size[1]);
    let view = LineView::new(ViewTransform::scaled(zoom), size.map(crate::frame::signed), holes);
    draw_overlay(&mut overlay, scene, &boxwood_cpu::boxes(&scene.elements), &view, shown);
    overlay
}

/// Checks that `with` is `without` but for the pixels of `overlay`, and that there are some.
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
fn an_outline_runs_through_the_outermost_pixels_of_the_clipped_leaf() {
    let scene = scene(
        16,
        12,
        r##"<clipPath id="c"><rect x="0" y="0" width="9" height="12"/></clipPath>
        <g clip-path="url(#c)"><rect x="3" y="2" width="10" height="7" fill="#fff"/></g>"##,
    );
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
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
fn every_kind_has_the_pixels_that_the_cpu_gives_it() {
    let scene = rich_scene();
    let kinds = OVERLAY_STYLES.iter().map(|style| style.kind).chain([OverlayKinds::ALL]);
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    for (zoom, shown) in kinds.flat_map(|kind| [0.37, 1.0, 1.7].map(|zoom| (zoom, kind))) {
        let without = painter.render(&options(zoom, OverlayKinds::NONE)).expect("the picture is small");
        let with = painter.render(&options(zoom, shown)).expect("the picture is small");
        let size = with.dimensions().into();
        assert_overlaid(&with, &without, &overlay_on_the_cpu(&scene, zoom, size, shown, Holes::default()));
    }
}

#[test]
fn a_picture_of_several_regions_has_no_seams() {
    let scene = rich_scene();
    let zoom = 18.3;
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    let without = painter.render(&options(zoom, OverlayKinds::NONE)).expect("the picture is within limits");
    let with = painter.render(&options(zoom, OverlayKinds::ALL)).expect("the picture is within limits");
    assert!(with.width() > 2048);
    let size = with.dimensions().into();
    let overlay = overlay_on_the_cpu(&scene, zoom, size, OverlayKinds::ALL, Holes::default());
    assert_overlaid(&with, &without, &overlay);
}

#[test]
fn the_legend_lies_over_the_overlay_on_both_back_ends() {
    let scene = scene(400, 200, r##"<rect x="2" y="3" width="390" height="190" fill="#eee"/>"##);
    let shown = OverlayKinds::ALL;
    let with_legend = RenderOptions { legend: true, ..options(1.0, shown) };
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    let gpu = painter.render(&with_legend).expect("the picture is small");
    let boxes = boxwood_cpu::boxes(&scene.elements);
    let software = render_software(&scene, &boxes, &with_legend).expect("the picture is small");
    let panels = Panel::all(Some(shown), None, [400, 200], 1.0).expect("the legend is correct");
    let [x0, y0, x1, y1] = panels[0].rect();
    assert!(x0 > 0 && y0 > 0 && x1 < 400 && y1 < 200, "the legend is in the picture");
    let key_of_clipped = OVERLAY_STYLES[1].color;
    for image in [&gpu, &software] {
        let is_in = |x: u32, y: u32| {
            let (x, y) = (i64::from(x), i64::from(y));
            (x0.into()..x1.into()).contains(&x) && (y0.into()..y1.into()).contains(&y)
        };
        let colored =
            image.enumerate_pixels().filter(|&(x, y, pixel)| is_in(x, y) && pixel.0[..3] == key_of_clipped);
        assert!(colored.count() > 100, "the key of the clipped leaf boxes is filled with their colour");
    }
    // Outside the legend: the same outlines.
    let holes = Panel::holes(panels.iter(), [0, 0]);
    let overlay = overlay_on_the_cpu(&scene, 1.0, [400, 200], shown, holes);
    for (x, y, line) in overlay.enumerate_pixels().filter(|(_, _, line)| line.0[3] != 0) {
        assert_eq!((gpu.get_pixel(x, y), software.get_pixel(x, y)), (line, line), "at {x}, {y}");
    }
}

#[test]
fn both_back_ends_have_the_same_backgrounds() {
    let scene =
        scene(40, 20, r##"<rect x="20" y="0" width="20" height="20" fill="#f00" fill-opacity="0.5"/>"##);
    let boxes = boxwood_cpu::boxes(&scene.elements);
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    for background in [
        Background::Checker,
        Background::White,
        Background::Black,
        Background::Transparent,
        Background::Color([10, 200, 30, 255]),
        Background::Color([10, 200, 30, 128]),
    ] {
        let options = RenderOptions { background, ..RenderOptions::default() };
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_software(&scene, &boxes, &options).expect("the picture is small");
        for (x, y, pixel) in gpu.enumerate_pixels() {
            let other = software.get_pixel(x, y);
            let difference = (0..4).map(|c| pixel.0[c].abs_diff(other.0[c])).max();
            assert!(difference <= Some(2), "{background} at {x}, {y}: {pixel:?} and {other:?}");
        }
    }
    let transparent = RenderOptions { background: Background::Transparent, ..RenderOptions::default() };
    let image = painter.render(&transparent).expect("the picture is small");
    assert_eq!(image.get_pixel(0, 0).0, [0; 4]);
    let Rgba([red, green, blue, alpha]) = *image.get_pixel(30, 10);
    assert_eq!(([red, green, blue], (127..=128).contains(&alpha)), ([255, 0, 0], true), "alpha is straight");
}

/// Filters with every effect that a group has beside them, and patterns.
const RASTER_LEAVES: &str = r##"
    <filter id="blur"><feGaussianBlur stdDeviation="2"/></filter>
    <filter id="moved" filterUnits="userSpaceOnUse" x="0" y="0" width="200" height="100"><feOffset dx="30"/></filter>
    <pattern id="p" patternUnits="userSpaceOnUse" width="9" height="7" patternTransform="rotate(20)">
        <rect width="4" height="3" fill="#06c"/></pattern>
    <clipPath id="c"><path d="M0 0H200V60L0 90Z"/></clipPath>
    <mask id="m" maskUnits="userSpaceOnUse" width="200" height="100"><rect width="90" height="99" fill="#999"/></mask>
    <rect width="200" height="100" fill="#fd8"/>
    <circle cx="30" cy="30" r="15" fill="#c04" filter="url(#blur)" opacity="0.6"/>
    <rect x="40" y="40" width="40" height="40" fill="#070" filter="url(#moved)" clip-path="url(#c)" mask="url(#m)"
          style="mix-blend-mode:multiply"/>
    <g transform="rotate(10) skewX(10)" filter="url(#blur)"><rect x="150" y="-20" width="40" height="30" fill="url(#p)"/></g>
    <rect x="110" y="50" width="60" height="40" fill="url(#p)" fill-opacity="0.7" stroke="url(#p)" stroke-width="8"/>"##;

/// How many pixels are off by more than 64 in some channel, which few are by antialiasing alone.
fn n_apart(a: &RgbaImage, b: &RgbaImage) -> usize {
    let is_apart = |(a, b): (&Rgba<u8>, &Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 64);
    a.pixels().zip(b.pixels()).filter(|pair| is_apart(*pair)).count()
}

#[test]
fn filters_and_patterns_are_drawn_on_the_gpu_as_on_the_cpu() {
    let scene = scene(200, 100, RASTER_LEAVES);
    assert_eq!(scene.warnings, []);
    let boxes = boxwood_cpu::boxes(&scene.elements);
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    for zoom in [1.0, 2.5, 0.7] {
        let options = options(zoom, OverlayKinds::NONE);
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_software(&scene, &boxes, &options).expect("the picture is small");
        let apart = n_apart(&gpu, &software);
        assert!(apart <= 20, "{apart} pixels at {zoom}");
    }
    // Without what resvg draws, much is missing.
    let options = options(1.0, OverlayKinds::NONE);
    let whole = painter.render(&options).expect("the picture is small");
    let mut bare = scene;
    bare.raster_leaves = Arc::default();
    painter.set_scene(&bare).expect("the scene is small");
    let bare = painter.render(&options).expect("the picture is small");
    assert!(n_apart(&whole, &bare) > 1_000, "{}", n_apart(&whole, &bare));
}

/// Clip paths of several children that are not the interior of one path.
const CLIPS: &str = r##"
    <clipPath id="star"><path d="M60 10L80 70L30 30H90L40 70Z" clip-rule="evenodd"/><path d="M90 20h50v70h-50z"/></clipPath>
    <clipPath id="disc"><circle cx="50" cy="50" r="40"/></clipPath>
    <clipPath id="cut"><path d="M10 10H95V95H10Z" clip-path="url(#disc)"/><path d="M100 5L130 90H100Z" clip-path="url(#star)"/>
        <rect x="140" y="15" width="50" height="30"/></clipPath>
    <clipPath id="against"><path d="M10 10H90V90H10ZM30 30H70V70H30Z"/><path d="M40 40V150H150V40Z"/><path d="M20 20L60 50L20 80L60 20Z"/></clipPath>
    <g clip-path="url(#CLIP)"><rect width="200" height="100" fill="#06c"/><circle cx="60" cy="40" r="30" fill="#fd8"/></g>"##;

#[test]
fn clip_paths_of_several_children_are_drawn_on_the_gpu_as_on_the_cpu() {
    let mut painter = painter();
    for clip in ["star", "cut", "against"] {
        let scene = scene(200, 100, &CLIPS.replace("CLIP", clip));
        assert_eq!(scene.warnings, [], "{clip}");
        painter.set_scene(&scene).expect("the scene is small");
        let options = options(2.0, OverlayKinds::NONE);
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_software(&scene, &boxwood_cpu::boxes(&scene.elements), &options);
        let apart = n_apart(&gpu, &software.expect("the picture is small"));
        // Without the mask a star alone is off by more than a thousand.
        assert!(apart <= 100, "{clip}: {apart} pixels");
    }
}

#[test]
fn a_view_that_moves_shows_the_same_filters_and_patterns() {
    let scene = scene(200, 100, RASTER_LEAVES);
    let mut painter = painter();
    let picture = |painter: &mut Painter, scale: f64, by: [f64; 2]| {
        let frame = crate::Frame {
            size: [80, 60],
            view: ViewTransform::scaled(scale).panned((-by[0], -by[1]).into()),
            scale_factor: 1.0,
            background: Background::White,
            surround: None,
            overlay: OverlayKinds::NONE,
            boxes: OverlaySource::Scene,
            legend: false,
            message: None,
        };
        let picture = painter.paint(&frame).expect("the picture is small");
        crate::headless::read_texture(painter.device(), painter.queue(), &picture).expect("it can be read")
    };
    // In the margin of the first view, beyond it, between pixels, at another scale, and back.
    let views = [
        (2.0, [90.0, 60.0]),
        (2.0, [99.0, 55.0]),
        (2.0, [240.0, 90.0]),
        (2.0, [240.4, 90.3]),
        (3.1, [300.0, 150.0]),
    ];
    painter.set_scene(&scene).expect("the scene is small");
    let moved: Vec<_> = views.iter().map(|&(scale, by)| picture(&mut painter, scale, by)).collect();
    for ((scale, by), moved) in views.into_iter().zip(moved) {
        painter.set_scene(&scene).expect("the scene is small");
        let alone = picture(&mut painter, scale, by);
        let off = moved
            .pixels()
            .zip(alone.pixels())
            .flat_map(|(a, b)| a.0.into_iter().zip(b.0).map(|(a, b)| a.abs_diff(b)));
        assert!(off.max() <= Some(2), "{scale} {by:?}: {:?}", n_apart(&moved, &alone));
    }
}

#[test]
fn another_view_or_overlay_leaves_the_boxes_as_they_are() {
    let scene = rich_scene();
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    let first = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    painter.render(&options(2.5, OverlayKinds::CLIP)).expect("the picture is small");
    let again = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    assert_eq!(first, again);
}

#[test]
fn images_survive_a_picture_without_any() {
    let scene = scene(8, 8, r##"<rect width="8" height="8" fill="#f00"/>"##);
    let frame = |background, surround| crate::Frame {
        size: [8, 8],
        view: ViewTransform::scaled(1.0).panned((2.0, 2.0).into()),
        scale_factor: 1.0,
        background,
        surround,
        overlay: OverlayKinds::NONE,
        boxes: OverlaySource::Scene,
        legend: false,
        message: None,
    };
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    let corner = |painter: &mut Painter| {
        let picture = painter.paint(&frame(Background::White, None)).expect("the picture is small");
        let image = crate::headless::read_texture(painter.device(), painter.queue(), &picture);
        image.expect("the picture is small").get_pixel(0, 0).0
    };
    assert_eq!(corner(&mut painter), [255; 4]);
    painter.clear_scene();
    painter.paint(&frame(Background::White, Some([0; 3]))).expect("the picture is small");
    assert_eq!(corner(&mut painter), [255; 4]);
}

#[test]
fn deep_nesting_is_drawn_in_parts() {
    let circle = r##"<circle cx="256" cy="200" r="190" fill="#39c"/>"##;
    let nested = |depth: usize| {
        let begins = r#"<g style="isolation:isolate">"#.repeat(depth);
        scene(512, 400, &format!("{begins}{circle}{}", "</g>".repeat(depth)))
    };
    let mut painter = painter();
    let [flat, deep] = [0, 30].map(|depth| {
        painter.set_scene(&nested(depth)).expect("the scene is small");
        painter.render(&options(1.0, OverlayKinds::LEAF)).expect("it is drawn in parts")
    });
    for (x, y, pixel) in deep.enumerate_pixels() {
        let difference = (0..4).map(|c| pixel.0[c].abs_diff(flat.get_pixel(x, y).0[c])).max();
        assert!(difference <= Some(1), "at {x}, {y}: {pixel:?}");
    }
}

#[test]
fn a_picture_that_is_not_wanted_is_stopped_and_another_is_drawn() {
    let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
    let stop = Stop::default();
    let painter = Painter::on(gpu.device, gpu.queue, stop.clone());
    let mut painter = painter.expect("the adapter runs the renderer");
    painter.set_scene(&rich_scene()).expect("the scene is small");
    stop.set(true);
    let stopped = painter.render(&options(1.0, OverlayKinds::ALL));
    assert!(matches!(stopped, Err(RenderError::Stopped)), "{:?}", stopped.err());
    stop.set(false);
    painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
}

#[test]
fn what_no_part_can_draw_is_an_error() {
    // More lines than Vello has room for, wherever they are.
    let path: String = (0..2_200_000).map(|i| format!("L{} {}", i % 97, i % 89)).collect();
    let scene = scene(100, 100, &format!(r#"<path d="M0 0{path}"/>"#));
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene has one leaf");
    let result = painter.render(&options(1.0, OverlayKinds::NONE));
    assert!(matches!(result, Err(RenderError::TooComplex)), "{:?}", result.err());
}

#[test]
fn what_is_beyond_a_limit_is_refused_and_the_scene_stays() {
    let small = scene(10, 10, r##"<rect width="5" height="5"/>"##);
    let mut painter = painter();
    painter.set_scene(&small).expect("the scene is small");
    let before = painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small");
    let error = painter.render(&options(1e6, OverlayKinds::NONE)).expect_err("the picture is too large");
    assert!(error.to_string().contains("10000000 x 10000000 pixels, the limit is"), "{error}");
    assert_eq!(painter.render(&options(1.0, OverlayKinds::ALL)).expect("the picture is small"), before);
}

/// The boxes that Vello draws with are those of the scene, rounded outward to pixels; where paths are curves, up to a pixel, as Vello
/// draws lines in their place.
#[test]
fn boxes_of_the_frame_are_those_of_the_scene_in_pixels() {
    let scene = rich_scene();
    let expected = boxwood_cpu::boxes(&scene.elements);
    let mut painter = painter();
    painter.set_scene(&scene).expect("the scene is small");
    for zoom in [1.0_f32, 2.5] {
        let of_frame = RenderOptions {
            boxes: OverlaySource::Frame,
            legend: true,
            ..options(zoom.into(), OverlayKinds::ALL)
        };
        painter.render(&of_frame).expect("the picture is small");
        let buffers = painter.frame_boxes().expect("they are shown");
        let found = boxwood::read_back(painter.device(), painter.queue(), buffers);
        let found = found.expect("the device answers");
        // The background is a draw object before them, and the legend's come after.
        let in_pixels = |b: &Aabb| {
            let [low, high] = [[b.x0, b.y0], [b.x1, b.y1]]
                .map(|corner| corner.map(|value| (value * zoom).clamp(f32::MIN, f32::MAX)));
            let [x0, y0] = low.map(f32::floor);
            let [x1, y1] = high.map(f32::ceil);
            Aabb { x0, y0, x1, y1 }
        };
        let is_near = |expected: &Aabb, found: &Aabb| {
            let expected = if expected.is_empty() { *expected } else { in_pixels(expected) };
            let sides = |b: &Aabb| [b.x0, b.y0, b.x1, b.y1];
            let apart = sides(&expected).into_iter().zip(sides(found)).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f32::max) <= 1.0
        };
        let n_elements = scene.elements.len();
        let pairs = [
            ("clipped", &expected.clipped_boxes[..], &found.clipped_boxes[1..=n_elements]),
            ("clip", &expected.clip_boxes, &found.clip_boxes[..scene.elements.n_nodes()]),
            ("group", &expected.group_boxes, &found.group_boxes[..scene.elements.n_nodes()]),
        ];
        for (kind, expected, found) in pairs {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert!(is_near(expected, found), "{kind} {index} at {zoom}: {expected:?} and {found:?}");
            }
        }
    }
}

/// Rectangles at whole pixels look alike, in one part and in many, and with a legend that the outlines spare.
#[test]
fn outlines_of_the_frame_are_those_of_the_scene_at_whole_pixels() {
    let begins = r#"<g style="isolation:isolate">"#.repeat(12);
    let rects = r##"<rect x="40" y="60" width="300" height="200" fill="#39c"/><g clip-path="url(#c)"><rect x="20" y="90"
        width="460" height="31" fill="#c33"/></g>"##;
    let clip = r#"<clipPath id="c"><rect x="50" y="70" width="401" height="300"/></clipPath>"#;
    let mut painter = painter();
    // A layer of the frame cuts what is in it to a rectangle around it, which is no clip of the scene.
    let all_but_clip = OverlayKinds::ALL.toggled(OverlayKinds::CLIP);
    for (contents, all) in [
        (format!("{clip}{rects}"), OverlayKinds::ALL),
        (format!("{clip}{begins}{rects}{}", "</g>".repeat(12)), all_but_clip),
    ] {
        painter.set_scene(&scene(512, 400, &contents)).expect("the scene is small");
        for shown in all.styles().map(|style| style.kind).chain([all]) {
            let [of_scene, of_frame] = [OverlaySource::Scene, OverlaySource::Frame].map(|boxes| {
                let options = RenderOptions { boxes, legend: true, ..options(1.0, shown) };
                painter.render(&options).expect("it is drawn, in parts if need be")
            });
            let apart =
                of_scene.enumerate_pixels().filter(|(x, y, pixel)| *pixel != of_frame.get_pixel(*x, *y));
            let places: Vec<_> = apart.map(|(x, y, _)| (x, y)).take(20).collect();
            assert!(places.is_empty(), "{shown}: {places:?}");
        }
    }
}

#[test]
fn a_picture_by_the_cpu_has_no_boxes_of_the_frame() {
    let scene = rich_scene();
    let boxes = boxwood_cpu::boxes(&scene.elements);
    let options = RenderOptions { boxes: OverlaySource::Frame, ..options(1.0, OverlayKinds::CLIP) };
    let result = render_software(&scene, &boxes, &options);
    assert!(matches!(result, Err(RenderError::NoFrameBoxes)), "{:?}", result.err());
    let without = RenderOptions { overlay: OverlayKinds::NONE, ..options };
    render_software(&scene, &boxes, &without).expect("no overlay, no boxes");
}
