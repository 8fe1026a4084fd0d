//! The parts of a GPU picture that resvg draws, and clips that take Vello several layers.

use super::*;

/// Filters together with every other effect of a group, and patterns.
const RASTER_IMAGES: &str = r##"
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

#[test]
fn filters_and_patterns_are_the_same_on_the_gpu_and_the_cpu() {
    let drawing = drawing(200, 100, RASTER_IMAGES);
    assert_eq!(drawing.warnings, []);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for zoom in [1.0, 2.5, 0.7] {
        let options = options(zoom, OverlayKinds::NONE);
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_on_cpu(&drawing, CpuRenderer::Resvg, &options).expect("the picture is small");
        let different = n_different(&gpu, &software);
        assert!(different <= 20, "{different} pixels at {zoom}");
    }
    // Without the images that resvg draws, much of the picture is missing.
    let options = options(1.0, OverlayKinds::NONE);
    let whole = painter.render(&options).expect("the picture is small");
    let mut bare = drawing;
    bare.raster_images = Arc::default();
    painter.set_drawing(&bare).expect("the scene is small");
    let bare = painter.render(&options).expect("the picture is small");
    assert!(n_different(&whole, &bare) > 1_000, "{}", n_different(&whole, &bare));
}

/// Clip paths with several children whose union is not the interior of one path.
const CLIPS: &str = r##"
    <clipPath id="star"><path d="M60 10L80 70L30 30H90L40 70Z" clip-rule="evenodd"/><path d="M90 20h50v70h-50z"/></clipPath>
    <clipPath id="disc"><circle cx="50" cy="50" r="40"/></clipPath>
    <clipPath id="cut"><path d="M10 10H95V95H10Z" clip-path="url(#disc)"/><path d="M100 5L130 90H100Z" clip-path="url(#star)"/>
        <rect x="140" y="15" width="50" height="30"/></clipPath>
    <clipPath id="against"><path d="M10 10H90V90H10ZM30 30H70V70H30Z"/><path d="M40 40V150H150V40Z"/><path d="M20 20L60 50L20 80L60 20Z"/></clipPath>
    <g clip-path="url(#CLIP)"><rect width="200" height="100" fill="#06c"/><circle cx="60" cy="40" r="30" fill="#fd8"/></g>"##;

#[test]
fn clip_paths_with_several_children_are_the_same_on_the_gpu_and_the_cpu() {
    let mut painter = painter();
    for clip in ["star", "cut", "against"] {
        let drawing = drawing(200, 100, &CLIPS.replace("CLIP", clip));
        assert_eq!(drawing.warnings, [], "{clip}");
        painter.set_drawing(&drawing).expect("the scene is small");
        let options = options(2.0, OverlayKinds::NONE);
        let gpu = painter.render(&options).expect("the picture is small");
        let software = render_on_cpu(&drawing, CpuRenderer::Resvg, &options);
        let different = n_different(&gpu, &software.expect("the picture is small"));
        // Without the mask, the star alone differs in more than a thousand pixels.
        assert!(different <= 100, "{clip}: {different} pixels");
    }
}

#[test]
fn moving_the_view_keeps_filters_and_patterns() {
    let drawing = drawing(200, 100, RASTER_IMAGES);
    let mut painter = painter();
    let picture = |painter: &mut Painter, scale: f64, by: [f64; 2]| {
        let frame = Frame {
            size: [80, 60],
            view: TranslateScale::new((-by[0], -by[1]).into(), scale),
            scale_factor: 1.0,
            background: Background::WHITE,
            surround: None,
            n_painted: None,
            overlay: OverlayKinds::NONE,
            boxes: OverlaySource::Scene,
            emphasis: Emphasis::default(),
            antialiasing: vello::AaConfig::Area,
            legend: false,
        };
        let picture = painter.paint(&frame).expect("the picture is small");
        painter.read(&picture).expect("the device answers")
    };
    // The views are within the margin of the first, beyond it, between pixels, and at another
    // scale.
    let views = [
        (2.0, [90.0, 60.0]),
        (2.0, [99.0, 55.0]),
        (2.0, [240.0, 90.0]),
        (2.0, [240.4, 90.3]),
        (3.1, [300.0, 150.0]),
    ];
    painter.set_drawing(&drawing).expect("the scene is small");
    let moved: Vec<_> = views.iter().map(|&(scale, by)| picture(&mut painter, scale, by)).collect();
    for ((scale, by), moved) in views.into_iter().zip(moved) {
        painter.set_drawing(&drawing).expect("the scene is small");
        let alone = picture(&mut painter, scale, by);
        let differences = moved
            .pixels()
            .zip(alone.pixels())
            .flat_map(|(a, b)| a.0.into_iter().zip(b.0).map(|(a, b)| a.abs_diff(b)));
        let n_different = n_different(&moved, &alone);
        assert!(differences.max() <= Some(2), "{scale} {by:?}: {n_different} pixels");
    }
}
