//! Raster images in the encoding, and pictures of trees.

use boxwood_svg::{CancelToken, Deadline, Drawing, Error, Quantity, Role, Within};
use kurbo::{Affine, Rect};
use peniko::ImageData;
use vello_encoding::{DrawTag, Encoding, Patch};

use crate::loaded::{Loaded, assert_near};

/// A view of the whole viewport at a zoom.
fn view(zoom: f64) -> (Affine, Rect) {
    (Affine::scale(zoom), Rect::new(0.0, 0.0, 300.0 * zoom, 300.0 * zoom))
}

fn drawn(drawing: &Drawing, (device_from_scene, region): (Affine, Rect)) -> Encoding {
    let mut encoding = drawing.encoding.clone();
    drawing
        .raster_images
        .draw_into(&mut encoding, device_from_scene, region, &Deadline::default())
        .expect("it is quick to draw");
    encoding
}

fn images(encoding: &Encoding) -> Vec<&ImageData> {
    fn image(patch: &Patch) -> Option<&ImageData> {
        match patch {
            Patch::Image { image, .. } => Some(image),
            _ => None,
        }
    }
    encoding.resources.patches.iter().filter_map(image).collect()
}

/// The sizes of the images, without their transparent borders.
fn sizes(encoding: &Encoding) -> Vec<[u32; 2]> {
    images(encoding).into_iter().map(size).collect()
}

fn size(image: &ImageData) -> [u32; 2] {
    [image.width, image.height].map(|side| side.saturating_sub(2))
}

/// The premultiplied red, green, blue and alpha of a pixel.
fn pixel(image: &ImageData, x: u32, y: u32) -> [u8; 4] {
    let at = 4 * ((y + 1) * image.width + x + 1) as usize;
    image.data.data()[at..at + 4].try_into().expect("four bytes a pixel")
}

const MOVED: &str = r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="300" height="300">
    <feOffset dx="100" dy="50"/></filter>"#;

#[test]
fn a_drawing_without_filters_and_patterns_has_none() {
    let d = Loaded::of(r#"<g opacity=".5"><rect width="9" height="9"/></g>"#);
    assert!(d.drawing.raster_images.is_empty());
}

#[test]
fn a_filtered_group_becomes_an_image_of_its_clipped_box_at_the_scale_of_the_view() {
    let d = Loaded::of(&format!(
        r#"{MOVED}<clipPath id="c"><rect x="105" width="300" height="300"/></clipPath>
           <g clip-path="url(#c)"><rect id="r" filter="url(#f)" width="20" height="10" fill="red"/></g>
           <rect width="30" height="40"/>"#
    ));
    assert_near(d.leaf("r"), [100.0, 50.0, 120.0, 60.0]);
    assert_eq!(sizes(&d.drawing.encoding), [[0, 0]], "it is empty before it is drawn");
    for zoom in [0.5, 1.0, 3.0] {
        let encoding = drawn(&d.drawing, view(zoom));
        let [image] = images(&encoding)[..] else { panic!("one leaf") };
        let expected = Rect::new(105.0 * zoom, 50.0 * zoom, 120.0 * zoom, 60.0 * zoom).expand();
        assert_eq!(size(image).map(f64::from), [expected.width(), expected.height()], "{zoom}");
        assert_eq!(image.data.data()[..4], [0; 4], "the border at zoom {zoom}");
        assert_eq!(pixel(image, size(image)[0] / 2, size(image)[1] / 2), [255, 0, 0, 255], "{zoom}");
    }
    // The region shows half of it.
    let encoding = drawn(&d.drawing, (Affine::IDENTITY, Rect::new(0.0, 0.0, 300.0, 55.0)));
    assert_eq!(sizes(&encoding), [[15, 5]]);
    let encoding = drawn(&d.drawing, (Affine::IDENTITY, Rect::new(0.0, 0.0, 300.0, 50.0)));
    assert_eq!(sizes(&encoding), [[0, 0]], "the region shows nothing of it");
}

#[test]
fn drawing_changes_nothing_else_in_the_encoding() {
    let d = Loaded::of(&format!(
        r#"{MOVED}<pattern id="p" patternUnits="userSpaceOnUse" width="8" height="8"><rect width="4" height="4"/></pattern>
           <rect width="5" height="5"/><rect id="r" filter="url(#f)" width="20" height="10"/><rect width="7" height="5"/>
           <rect width="20" height="10" fill="url(#p)" stroke="url(#p)"/><rect width="7" height="9"/>"#
    ));
    let (before, after) = (&d.drawing.encoding, drawn(&d.drawing, view(2.0)));
    assert_eq!(sizes(&after), [[40, 20], [40, 20], [41, 21]]);
    assert!(before.path_tags == after.path_tags && before.draw_tags == after.draw_tags);
    assert_eq!((&before.path_data, &before.styles), (&after.path_data, &after.styles));
    let changed = before.transforms.iter().zip(&after.transforms).filter(|(before, after)| before != after);
    assert_eq!(changed.count(), 3, "only the transforms of the images");
    let changed = before.draw_data.iter().zip(&after.draw_data).filter(|(before, after)| before != after);
    assert_eq!(changed.count(), 3, "only the sizes of the images");
}

#[test]
fn the_contents_of_a_filter_are_transparent() {
    let d = Loaded::of(&format!(
        r#"{MOVED}<linearGradient id="l"><stop/><stop offset="1" stop-color="red"/></linearGradient>
           <pattern id="p" width=".5" height=".5"><rect width="4" height="4"/></pattern>
           <g id="g" filter="url(#f)"><rect id="a" width="20" height="10" fill="url(#l)"/><g id="i" filter="url(#f)">
           <rect id="b" width="20" height="10" fill="url(#p)" stroke="red"/></g></g>"#
    ));
    assert_eq!(d.roles("g"), [Role::Blend, Role::Filter]);
    assert_eq!(d.withins("b"), [Within::Filter; 2]);
    let tags = &d.drawing.encoding.draw_tags;
    assert_eq!(tags.iter().filter(|tag| **tag == DrawTag::IMAGE).count(), 1, "the outer filter's");
    assert_eq!(
        tags.iter().filter(|tag| **tag == DrawTag::COLOR).count(),
        4,
        "the inner filter's and the contents'"
    );
    assert!(!tags.contains(&DrawTag::LINEAR_GRADIENT));
    // Colours are premultiplied, so transparent ones are zero.
    let colors: Vec<u32> = draw_data(&d.drawing.encoding, DrawTag::COLOR).map(|data| data[0]).collect();
    assert_eq!(colors, [0; 4]);
}

#[test]
fn opacity_and_mask_of_a_filtered_group_are_applied_once() {
    let d = Loaded::of(&format!(
        r##"{MOVED}<mask id="m" maskUnits="userSpaceOnUse" width="300" height="300">
               <rect x="100" width="10" height="300" fill="#fff"/></mask>
           <g opacity=".5" mask="url(#m)" filter="url(#f)"><rect width="20" height="10" fill="red"/></g>"##
    ));
    let encoding = drawn(&d.drawing, view(1.0));
    let [image] = images(&encoding)[..] else { panic!("one leaf") };
    assert_eq!(size(image), [10, 10], "the mask clips the box");
    let [red, .., alpha] = pixel(image, 5, 5);
    assert!((127..=128).contains(&alpha) && red == alpha, "{:?}", pixel(image, 5, 5));
    let alphas: Vec<f32> = blends(&encoding).map(|(_, alpha)| alpha).collect();
    assert!(alphas.iter().all(|alpha| *alpha == 1.0), "the opacity is not applied again: {alphas:?}");
    let plain = Loaded::of(
        r##"<mask id="m"><rect width="10" height="300" fill="#fff"/></mask><g opacity=".5" mask="url(#m)"><path d="M0 0h9v9z"/></g>"##,
    );
    assert!(blends(&plain.drawing.encoding).any(|(_, alpha)| alpha == 0.5));
    let masks = |encoding| blends(encoding).filter(|(blend, _)| is_luminance_mask(*blend)).count();
    assert_eq!((masks(&plain.drawing.encoding), masks(&encoding)), (1, 0), "nor is the mask");
}

fn is_luminance_mask(blend: u32) -> bool {
    blend == vello_encoding::DrawBeginClip::LUMINANCE_MASK_BLEND_MODE
}

/// The blend mode and opacity of each begin.
fn blends(encoding: &Encoding) -> impl Iterator<Item = (u32, f32)> {
    draw_data(encoding, DrawTag::BEGIN_CLIP).map(|data| (data[0], f32::from_bits(data[1])))
}

/// The draw data of each element with this tag.
fn draw_data(encoding: &Encoding, wanted: DrawTag) -> impl Iterator<Item = &[u32]> {
    let mut rest = &encoding.draw_data[..];
    encoding.draw_tags.iter().filter_map(move |tag| {
        // A tag contains its number of words.
        let (data, after) = rest.split_at((tag.0 >> 2 & 7) as usize);
        rest = after;
        (*tag == wanted).then_some(data)
    })
}

#[test]
fn a_pattern_is_repeated_over_the_visible_part() {
    let d = Loaded::of(
        r#"<pattern id="p" patternUnits="userSpaceOnUse" width="10" height="10"><rect width="5" height="10" fill="blue"/></pattern>
           <rect x="3" width="40" height="20" fill="url(#p)" fill-opacity=".5"/>"#,
    );
    let encoding = drawn(&d.drawing, view(2.0));
    let [image] = images(&encoding)[..] else { panic!("one leaf") };
    assert_eq!(size(image), [80, 40]);
    for x in 0..80 {
        let in_tile = (x + 6) % 20;
        // Not at the edges of the stripes, where resvg's bicubic filter mixes colours.
        if (2..8).contains(&in_tile) {
            assert!((127..=128).contains(&pixel(image, x, 20)[3]), "at {x}: {:?}", pixel(image, x, 20));
        } else if (12..18).contains(&in_tile) {
            assert_eq!(pixel(image, x, 20), [0; 4], "at {x}");
        }
    }
}

#[test]
fn huge_filters_and_patterns_take_bounded_memory() {
    let d = Loaded::of(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="-1e6" y="-1e6" width="2e6" height="2e6">
               <feFlood flood-color="red"/></filter>
           <pattern id="p" patternUnits="userSpaceOnUse" width="1e6" height="1e6"><rect width="1e6" height="1e6"/></pattern>
           <rect filter="url(#f)" width="9" height="9"/><rect width="1e6" height="1e6" fill="url(#p)"/>"#,
    );
    for zoom in [1.0, 100.0] {
        let region = Rect::new(0.0, 0.0, 300.0, 300.0);
        let encoding = drawn(&d.drawing, (Affine::scale(zoom), region));
        assert_eq!(sizes(&encoding), [[300, 300]; 2], "zoom {zoom}");
        assert_eq!(pixel(images(&encoding)[0], 299, 299), [255, 0, 0, 255], "zoom {zoom}");
    }
    // A device of a hundred million pixels.
    let d = Loaded::of(
        r#"<pattern id="p" patternUnits="userSpaceOnUse" width="9" height="9"><rect width="5" height="5"/></pattern>
           <rect width="300" height="300" fill="url(#p)"/>"#,
    );
    let huge = (Affine::scale(33.0), Rect::new(0.0, 0.0, 1e4, 1e4));
    assert!(!d.drawing.raster_images.are_sharp(huge.0, huge.1));
    let pixels: u32 = sizes(&drawn(&d.drawing, huge)).iter().map(|[width, height]| width * height).sum();
    assert!((15 << 20..17 << 20).contains(&pixels), "{pixels} pixels");
}

#[test]
fn a_filter_in_pieces_is_the_same_as_in_one() {
    let [whole, pieces] = [300, 100_000].map(|side| {
        let d = Loaded::of(&format!(
            r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="{side}" height="{side}">
               <feGaussianBlur stdDeviation="5"/></filter>
               <ellipse filter="url(#f)" cx="150" cy="50" rx="115" ry="15"/>"#
        ));
        drawn(&d.drawing, view(4.0))
    });
    assert_eq!(sizes(&whole), sizes(&pieces));
    assert!(sizes(&whole)[0][0] > 800, "it takes two pieces");
    let [whole, pieces] = [&whole, &pieces].map(|encoding| images(encoding)[0].data.data().to_vec());
    let apart = whole.iter().zip(&pieces).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(apart <= Some(1), "{apart:?}");
}

/// A rectangle painted with the first of `n` patterns. Each paints this many rectangles with the
/// next.
fn patterns_in_patterns(n: usize, rectangles: usize, side: f64) -> Loaded {
    let pattern = |i: usize, fill: String| {
        let rectangle = format!(r#"<rect width="5" height="5" fill="{fill}"/>"#);
        format!(
            r#"<pattern id="p{i}" patternUnits="userSpaceOnUse" width="{side}" height="{side}">{}</pattern>"#,
            rectangle.repeat(rectangles)
        )
    };
    let patterns: String = (1..n).map(|i| pattern(i, format!("url(#p{})", i + 1))).collect();
    let last = pattern(n, "red".to_owned());
    Loaded::of(&format!(r#"{patterns}{last}<rect id="r" width="50" height="50" fill="url(#p1)"/>"#))
}

#[test]
fn drawings_beyond_a_limit_are_refused_before_drawing() {
    let result = |d: &Loaded, (device_from_scene, region)| {
        let mut encoding = d.drawing.encoding.clone();
        let result =
            d.drawing.raster_images.draw_into(&mut encoding, device_from_scene, region, &Deadline::default());
        assert!(result.is_ok() || sizes(&encoding).iter().all(|size| *size == [0, 0]), "nothing is drawn");
        result
    };
    let of_tree = |d: &Loaded, zoom: f64| {
        let mut image = vec![0; 4 * 100 * 100];
        let result = d.drawing.draw_tree(&mut image, [100, 100], Affine::scale(zoom), &Deadline::default());
        assert_eq!(result.is_ok(), image[..4] != [0; 4], "it is drawn or refused");
        result
    };
    // A tile of 10^12 pixels inside of another, too many tiles, and a few that are accepted.
    let large = patterns_in_patterns(2, 1, 1e6);
    let tile = result(&large, view(1.0));
    assert!(exceeds(tile.as_ref().err(), Quantity::TilePixels, 1e12));
    let large = patterns_in_patterns(7, 4, 100.0);
    let tiles = result(&large, view(40.0));
    assert!(exceeds(tiles.as_ref().err(), Quantity::AllTilePixels, 8e9));
    for (d, zoom) in [
        (&large, 1.0),
        (&patterns_in_patterns(3, 10, 10.0), 10.0),
        (&patterns_in_patterns(500, 1, 10.0), 1.0),
    ] {
        result(d, view(zoom)).expect("it is quick to draw");
        of_tree(d, zoom).expect("it is quick to draw");
    }
    assert!(of_tree(&large, 40.0).is_err());
}

/// Whether drawing failed at a limit of this quantity, with at least this count.
fn exceeds(error: Option<&Error>, quantity: Quantity, least: f64) -> bool {
    matches!(error, Some(Error::Limit(found)) if found.quantity == quantity && found.count >= least)
}

/// The errors of drawing the raster images and the tree of a drawing. Checks that an error leaves
/// nothing drawn.
fn refusals(d: &Loaded, deadline: &Deadline) -> [Option<Error>; 2] {
    let mut encoding = d.drawing.encoding.clone();
    let (device_from_scene, region) = view(1.0);
    let of_leaves =
        d.drawing.raster_images.draw_into(&mut encoding, device_from_scene, region, deadline).err();
    let is_blank = sizes(&encoding).iter().all(|size| *size == [0, 0]);
    assert!(of_leaves.is_none() || is_blank, "an image is drawn");
    let mut image = vec![0; 4 * 300 * 300];
    let of_tree = d.drawing.draw_tree(&mut image, [300, 300], device_from_scene, deadline).err();
    assert!(of_tree.is_none() || image.iter().all(|byte| *byte == 0), "a part is drawn");
    [of_leaves, of_tree]
}

#[test]
fn a_panic_of_resvg_is_an_error_that_names_the_part() {
    let green = r#"<pattern id="q" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="5" height="5"/></pattern>
        <rect width="50" height="50" fill="url(#q)"/>"#;
    for (body, part) in [
        (r#"<circle r="1e30"/>"#, None),
        (r#"<circle r="1e10"/>"#, None),
        (
            r#"<filter id="f" filterUnits="userSpaceOnUse" width="99" height="99"><feOffset/></filter>
               <circle r="1e30" filter="url(#f)"/>"#,
            Some("a filtered group"),
        ),
        (
            r#"<filter id="f"><feOffset dx="1e10"/></filter><rect width="30" height="30" filter="url(#f)"/>"#,
            None,
        ),
        (
            r#"<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><circle r="1e30"/></pattern>
               <rect width="50" height="50" fill="url(#p)"/>"#,
            Some("a pattern"),
        ),
        (
            r#"<clipPath id="c" clipPathUnits="objectBoundingBox" transform="scale(100000 -1e30)">
               <rect width="1e5" height="1"/></clipPath><rect width="30" height="30" clip-path="url(#c)"/>"#,
            None,
        ),
    ] {
        let errors = refusals(&Loaded::of(&format!("{green}{body}")), &Deadline::default());
        for (error, part) in errors.into_iter().zip([part, Some("the drawing")]) {
            let Some(part) = part else { continue };
            let message = error.unwrap_or_else(|| panic!("resvg draws {body}")).to_string();
            let expected = format!("resvg crashed on {part}: ");
            assert!(message.starts_with(&expected), "{message}");
        }
    }
}

#[test]
fn filters_that_would_take_minutes_are_refused_before_drawing() {
    let filtered = |primitive: &str, side: f64| {
        Loaded::of(&format!(
            r#"<filter id="f" x="0" y="0" width="1" height="1">{primitive}</filter>
               <g transform="scale(2)"><rect width="{side}" height="{side}" filter="url(#f)"/></g>"#
        ))
    };
    let morphology = |radius: f64| format!(r#"<feMorphology operator="dilate" radius="{radius}"/>"#);
    let matrix = format!(r#"<feConvolveMatrix order="500" kernelMatrix="{}"/>"#, "1 ".repeat(250_000));
    // The estimate decides, not the clock.
    let deadline = Deadline::after(None);
    for (primitive, side) in [
        (morphology(300.0), 500.0),
        (matrix, 150.0),
        (r#"<feTurbulence baseFrequency="1" numOctaves="1e9"/>"#.to_owned(), 150.0),
        (r#"<feGaussianBlur stdDeviation="9"/>"#.repeat(1_000), 500.0),
    ] {
        for error in refusals(&filtered(&primitive, side), &deadline) {
            assert!(exceeds(error.as_ref(), Quantity::FilterSteps, 6e10), "{}", &primitive[..40]);
        }
    }
    // Only a small part of a huge region is visible.
    for (primitive, side) in [(morphology(1.0), 1e8), (morphology(1e9), 10.0), (morphology(5.0), 150.0)] {
        for error in refusals(&filtered(&primitive, side), &deadline) {
            assert!(error.is_none(), "{error:?}: {primitive}");
        }
    }
}

#[test]
fn drawing_ends_at_the_deadline() {
    // This takes seconds.
    let d = Loaded::of(
        r#"<filter id="f" x="0" y="0" width="1" height="1"><feMorphology operator="dilate" radius="60"/></filter>
           <rect width="300" height="300" filter="url(#f)"/>"#,
    );
    let limit = std::time::Duration::from_millis(20);
    for of in [0, 1] {
        let [leaves, tree] = refusals(&d, &Deadline::after(Some(limit)));
        let error = [leaves, tree].into_iter().nth(of).flatten().expect("it takes longer");
        assert!(matches!(error, Error::TimeLimit { limit: l, .. } if l == limit), "{error}");
        assert!(error.to_string().starts_with("drawing took more than 0.02 s, the time limit"), "{error}");
    }
    let stop = CancelToken::default();
    stop.set(true);
    for error in refusals(&d, &Deadline::default().or_cancelled_by(stop)) {
        assert!(matches!(error, Some(Error::Cancelled(_))), "{error:?}");
    }
}
