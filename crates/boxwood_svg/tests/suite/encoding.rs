//! The encoding, the boxes and the table agree, and Vello accepts the encoding.

use boxwood_cpu::ElementKind;
use boxwood_svg::{Role, load};
use usvg::roxmltree::Document;
use vello_encoding::{Encoding, PathTag, Resolver};

use crate::loaded::{Loaded, options};

/// Checks what holds for every drawing.
#[track_caller]
fn check(name: &str, svg: &[u8]) {
    let drawing = load(svg, &options()).expect("the drawing loads");
    let Encoding { draw_tags, path_tags, path_data, transforms, n_paths, n_open_clips, .. } =
        &drawing.encoding;
    let n = drawing.elements.len();
    assert_eq!(
        (draw_tags.len(), drawing.table.len()),
        (n, n),
        "{name}: one entry per element in each stream"
    );
    assert!(draw_tags.iter().map(|tag| tag.0).eq(drawing.elements.tags().iter().copied()), "{name}: tags");
    assert_eq!(*n_paths as usize, n, "{name}: one path per draw object");
    assert_eq!(
        path_tags.iter().filter(|tag| tag.0 & PathTag::PATH.0 != 0).count(),
        n,
        "{name}: path markers"
    );
    assert_eq!(*n_open_clips, 0, "{name}: every node ends");
    assert!(path_data.iter().all(|word| f32::from_bits(*word).is_finite()), "{name}: finite coordinates");
    let numbers = transforms.iter().flat_map(|t| t.matrix.into_iter().chain(t.translation));
    assert!(numbers.into_iter().all(f32::is_finite), "{name}: finite transforms");

    let mut open = Vec::new();
    for i in 0..n {
        let info = drawing.table[i];
        assert!((info.source as usize) < drawing.sources.len(), "{name}: a source");
        let is_leaf = matches!(info.role, Role::Fill | Role::Stroke | Role::Image | Role::Filter);
        match drawing.elements.kind(i) {
            ElementKind::Begin => open.push(info),
            ElementKind::End => {
                assert_eq!(open.pop(), Some(info), "{name}: an end has the entry of its begin");
            }
            ElementKind::Leaf => assert!(is_leaf && !open.is_empty(), "{name}: a leaf in the viewport"),
            ElementKind::Nop => panic!("{name}: nothing draws nothing"),
        }
    }
    assert!(open.is_empty(), "{name}: balanced");
    let mut packed = Vec::new();
    let (layout, ..) = Resolver::new().resolve(&drawing.encoding, &mut packed);
    assert_eq!(layout.n_draw_objects as usize, n, "{name}: Vello sees the same draw objects");
}

#[test]
fn the_streams_of_every_sample_agree() {
    for (name, svg) in boxwood_assets::SAMPLES {
        check(name, svg);
    }
}

#[test]
fn samples_have_an_id_on_every_element() {
    for (name, svg) in boxwood_assets::SAMPLES {
        let text = std::str::from_utf8(svg).expect("samples are UTF-8");
        let document = Document::parse(text).expect("samples are XML");
        let parts = ["defs", "stop"];
        for element in document.descendants().filter(|n| n.is_element()) {
            let tag = element.tag_name().name();
            let is_part = parts.contains(&tag) || tag.starts_with("fe");
            assert!(is_part || element.has_attribute("id"), "{name}: a <{tag}> has no id");
        }
    }
}

#[test]
fn blend_layers_are_as_large_as_their_contents() {
    let d = Loaded::of(
        r#"<g opacity=".5"><rect x="100" y="100" width="50" height="50"/><circle cx="900" cy="0" r="9"/></g>"#,
    );
    // The rectangle of the root, then that of the layer: the top left corner, then four lines.
    let data: Vec<f32> = d.drawing.encoding.path_data.iter().map(|word| f32::from_bits(*word)).collect();
    let [x0, y0, x1, _, _, y1] = data[10..16] else { panic!("ten numbers a rectangle") };
    assert!(x0 < 96.0 && y0 < 96.0 && x1 > 154.0 && y1 > 154.0, "{:?}", &data[10..20]);
    assert!(x0 > 50.0 && x1 < 200.0, "the circle is outside of the viewport: {:?}", &data[10..20]);
}

#[test]
fn every_paint_makes_one_leaf() {
    let d = Loaded::of(
        r#"<linearGradient id="point" x1="5" x2="5" gradientUnits="userSpaceOnUse"><stop/><stop offset="1"/></linearGradient>
           <linearGradient id="one"><stop stop-color="red"/></linearGradient>
           <linearGradient id="none"/>
           <radialGradient id="flat" r="0"><stop/><stop offset="1"/></radialGradient>
           <linearGradient id="singular" gradientTransform="scale(0 1)"><stop/><stop offset="1"/></linearGradient>
           <linearGradient id="late"><stop offset=".4"/><stop offset=".6" stop-color="red"/></linearGradient>
           <rect id="a" width="9" height="9" fill="url(#point)"/>
           <rect id="b" width="9" height="9" fill="url(#one)"/>
           <rect id="c" width="9" height="9" fill="url(#late)"/>
           <rect id="d" width="9" height="9" fill="url(#none)"/>
           <rect id="e" width="9" height="9" fill="url(#singular)"/>
           <rect id="f" width="9" height="9" fill="url(#flat)"/>"#,
    );
    let n_leaves = ["a", "b", "c", "d", "e", "f"].map(|id| d.roles(id).len());
    assert_eq!(n_leaves, [1, 1, 1, 0, 0, 1]);
    let offsets: Vec<f32> = d.drawing.encoding.resources.color_stops.iter().map(|stop| stop.offset).collect();
    assert_eq!(offsets[..4], [0.0, 0.4, 0.6, 1.0], "a ramp begins at 0 and ends at 1");
}
