//! `boxwood render`.

use std::fs;

use image::RgbaImage;

use crate::run::{Folder, Run, SMALL};

fn picture(png: &[u8]) -> RgbaImage {
    image::load_from_memory_with_format(png, image::ImageFormat::Png).expect("it is a PNG").into_rgba8()
}

/// The picture of a successful run that was to write `out.png`.
fn written(folder: &Folder, run: &Run) -> RgbaImage {
    assert_eq!((run.code, run.text()), (0, ""), "{}", run.stderr);
    picture(&fs::read(folder.path().join("out.png")).expect("the picture was written"))
}

fn is_close(picture: &RgbaImage, x: u32, y: u32, color: [u8; 4]) -> bool {
    picture.get_pixel(x, y).0.iter().zip(color).all(|(&a, b)| a.abs_diff(b) <= 2)
}

/// The colour of the rectangle `beside`.
const GREEN: [u8; 4] = [0, 0x99, 0x77, 255];
/// The colour of the rectangle `corner`.
const BLUE: [u8; 4] = [0, 0x77, 0xbb, 255];

fn assert_shows_small(picture: &RgbaImage) {
    assert_eq!(picture.dimensions(), (100, 80));
    assert!(is_close(picture, 75, 20, GREEN), "{:?}", picture.get_pixel(75, 20));
    assert!(is_close(picture, 20, 18, BLUE), "{:?}", picture.get_pixel(20, 18));
    assert!(is_close(picture, 5, 5, [255; 4]), "the corner is clipped: {:?}", picture.get_pixel(5, 5));
}

#[test]
fn either_back_end_writes_the_picture() {
    let folder = Folder::with_small();
    for backend in ["gpu", "cpu"] {
        let args = ["render", "small.svg", "-o", "out.png", "--background", "white", "--backend", backend];
        let run = folder.run(&args);
        assert_eq!(run.stderr, "");
        assert_shows_small(&written(&folder, &run));
    }
}

#[test]
fn standard_input_is_drawn_to_standard_output() {
    let args = ["render", "-", "-o", "-", "--background", "white", "--backend", "cpu"];
    let run = Folder::new().run_with_input(&args, SMALL.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_shows_small(&picture(&run.stdout));
}

#[test]
fn either_back_end_draws_the_overlay_on_the_edges_of_the_boxes() {
    let folder = Folder::with_small();
    let args = ["render", "small.svg", "-o", "out.png", "--background", "white", "--zoom", "3"];
    let with = |more: &[&str]| written(&folder, &folder.run(&[args.as_slice(), more].concat()));
    for backend in ["gpu", "cpu"] {
        let plain = with(&["--backend", backend]);
        let boxes = with(&["--backend", backend, "--overlay", "clipped", "--legend", "none"]);
        let differs = |x: u32, y: u32| plain.get_pixel(x, y) != boxes.get_pixel(x, y);
        assert!(differs(30, 50) && differs(50, 30), "the edges of the corner inside its clip");
        assert!(!differs(2, 2) && !differs(50, 50), "neither outside of the clip nor inside of the box");
        let with_legend = with(&["--backend", backend, "--overlay", "clipped"]);
        assert!(with_legend.height() > boxes.height(), "a legend comes with an overlay");
        let above = image::imageops::crop_imm(&with_legend, 0, 0, boxes.width(), boxes.height());
        assert!(above.to_image() == boxes, "the legend covers nothing");
    }
}

#[test]
fn a_picture_of_the_gpu_has_the_boxes_of_the_frame() {
    // The renderer draws the group as a layer, which clips to a rectangle; the scene has no clip
    // there.
    let layer = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <g opacity="0.5"><rect x="20" y="20" width="50" height="30" fill="#39c"/></g>
</svg>"##;
    let folder = Folder::new().with("layer.svg", layer);
    let args = ["render", "layer.svg", "-o", "out.png", "--overlay", "clip"];
    let run = |more: &[&str]| folder.run(&[args.as_slice(), more].concat());
    let with = |more: &[&str]| written(&folder, &run(more));
    let (by_gpu, by_cpu) = (["--backend", "gpu"], ["--backend", "cpu"]);
    let [of_frame, of_scene] =
        ["frame", "scene"].map(|boxes| with(&[by_gpu[0], by_gpu[1], "--boxes", boxes]));
    assert!(of_frame != of_scene);
    assert!(with(&by_gpu) == of_frame);
    assert!(with(&by_cpu) == with(&[by_cpu[0], by_cpu[1], "--boxes", "scene"]));
    let refused = run(&[by_cpu[0], by_cpu[1], "--boxes", "frame"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("only a picture drawn on the GPU has boxes of the frame"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_small_picture_has_no_legend_inside() {
    let folder = Folder::with_small();
    let args = ["render", "small.svg", "-o", "out.png", "--overlay", "all", "--backend", "cpu", "--legend"];
    for (zoom, has_legend) in [("1", false), ("2", false), ("4", true)] {
        let with =
            |legend| written(&folder, &folder.run(&[args.as_slice(), &[legend, "--zoom", zoom]].concat()));
        assert_eq!(with("inside") != with("none"), has_legend, "zoom {zoom}");
    }
}

/// A stroke with more dashes than either back end draws.
const BEYOND: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <path id="dashed" d="M0 50H4e7" stroke="red" stroke-width="2" stroke-dasharray="1"/>
</svg>"##;

#[test]
fn warnings_are_about_the_drawn_picture() {
    let folder = Folder::new().with("beyond.svg", BEYOND);
    let warnings = |backend: &str, overlay: &str| {
        let args = ["render", "beyond.svg", "-o", "out.png", "--backend", backend, "--overlay", overlay];
        let run = folder.run(&args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let message = |line: &str| line.trim_start_matches("boxwood: warning: beyond.svg: ").to_owned();
        run.stderr.lines().map(message).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(warnings("gpu", "none"), @"a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing) is drawn solid, and in a filtered group is missing in the picture if it has more than 1000000 (first at dashed)");
    insta::assert_snapshot!(warnings("gpu", "all"), @"a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing) is drawn solid, and in a filtered group is missing in the picture if it has more than 1000000, and is bounded as if it were solid (first at dashed)");
    insta::assert_snapshot!(warnings("cpu", "none"), @"a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing) is missing in the picture if it has more than 1000000 (first at dashed)");
    insta::assert_snapshot!(warnings("cpu", "all"), @"a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing) is missing in the picture if it has more than 1000000, and is bounded as if it were solid (first at dashed)");
}

#[test]
fn either_back_end_clips_an_svg_image_to_its_viewport() {
    let image = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='10'%3E
        %3Crect x='-5' y='-4' width='20' height='30'/%3E%3C/svg%3E";
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="80"><image x="20" y="30" width="40" height="40" href="{image}"/></svg>"#
    );
    let folder = Folder::new().with("overflow.svg", svg);
    for backend in ["gpu", "cpu"] {
        let args = ["render", "overflow.svg", "-o", "out.png", "--background", "white", "--backend", backend];
        let run = folder.run(&args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let picture = written(&folder, &run);
        for (x, y, pixel) in picture.enumerate_pixels() {
            let is_inside = (20..60).contains(&x) && (30..70).contains(&y);
            assert_eq!(
                pixel.0,
                if is_inside { [0, 0, 0, 255] } else { [255; 4] },
                "{backend}: pixel {x}, {y}"
            );
        }
    }
}

#[test]
fn width_and_zoom_set_the_size() {
    let folder = Folder::with_small();
    let size = |more: &[&str]| {
        let args = ["render", "small.svg", "-o", "out.png", "--backend", "cpu"];
        written(&folder, &folder.run(&[args.as_slice(), more].concat())).dimensions()
    };
    assert_eq!(size(&["--width", "50"]), (50, 40));
    assert_eq!(size(&["--zoom", "1.5"]), (150, 120));
}

#[test]
fn a_picture_that_cannot_be_drawn_is_an_error() {
    let folder = Folder::with_small();
    for (more, message) in [
        (["--zoom", "1e9"], "cannot draw small.svg: a picture of 100000000000 x 80000000000 pixels "),
        (["--zoom", "1e9"], " in total: choose another --width or --zoom"),
        (["--zoom", "nan"], "it must be a positive number"),
        (["--zoom", "-3"], "invalid value '-3' for '--zoom <Z>': it must be a positive number"),
        (["--zoom", "-0.5"], "invalid value '-0.5' for '--zoom <Z>': it must be a positive number"),
        (["--width", "0"], "it must be a positive whole number of pixels"),
        (
            ["--width", "-7"],
            "invalid value '-7' for '--width <W>': it must be a positive whole number of pixels",
        ),
        (["--overlay", "layer"], "unknown kind of box `layer`"),
        (["--background", "puce"], "unknown background `puce`"),
        (["--boxes", "scene"], "--overlay <KINDS>"),
    ] {
        let run = folder
            .run(&[["render", "small.svg", "-o", "out.png", "--backend", "cpu"].as_slice(), &more].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(!folder.path().join("out.png").exists());
    }
    let run = folder.run(&["render", "missing.svg", "-o", "out.png"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("boxwood: error: cannot read missing.svg: "), "{}", run.stderr);
    assert!(!folder.path().join("out.png").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_cpu_draws_and_one_line_reports_it() {
    let folder = Folder::with_small();
    let args = ["render", "small.svg", "-o", "out.png", "--background", "white"];
    let run = folder.run_without_adapter(&args);
    assert_shows_small(&written(&folder, &run));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.starts_with("boxwood: note: computing on the CPU: no graphics adapter"),
        "{}",
        run.stderr
    );
    let run = folder.run_without_adapter(&[args.as_slice(), &["--backend", "gpu"]].concat());
    assert_eq!(run.code, 2);
}

#[test]
fn a_picture_is_cropped_to_an_element() {
    let folder = Folder::with_small();
    let draw = |name: &str, more: &[&str]| {
        let args = ["render", "small.svg", "-o", name, "--backend", "cpu", "--background", "white"];
        let run = folder.run(&[&args[..], more].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        image::open(folder.path().join(name)).expect("it is a picture").into_rgba8()
    };
    let whole = draw("whole.png", &["--zoom", "2"]);
    for (id, [x, y, width, height]) in
        [("corner", [10, 10, 20, 16]), ("clipped", [10, 10, 40, 40]), ("/svg/rect[1]", [60, 10, 30, 20])]
    {
        let cropped = draw("cropped.png", &["--zoom", "2", "--crop", id]);
        let [x, y, width, height] = [x, y, width, height].map(|length| 2 * length);
        // The height of `corner` is 15.5.
        let height = if id == "corner" { height - 1 } else { height };
        assert_eq!(cropped.dimensions(), (width, height), "{id}");
        let expected = image::imageops::crop_imm(&whole, x, y, width, height).to_image();
        assert!(cropped == expected, "{id} has the pixels of the whole picture");
        assert_eq!(draw("wide.png", &["--width", "77", "--crop", id]).width(), 77);
    }
}

#[test]
fn a_crop_to_an_element_without_a_box_is_an_error() {
    let folder = Folder::new().with(
        "a.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="empty"/>
           <rect id="off" x="20" width="9" height="9"/><rect id="gone" display="none"/></svg>"#,
    );
    for (id, message) in [
        ("nowhere", "no element has the id or path `nowhere`"),
        ("empty", "`empty` has no box: it has no contents with a box"),
        ("off", "`off` has no box: it is entirely clipped away"),
        ("gone", "`gone` has no box: it has `display: none`"),
    ] {
        let run = folder.run(&["render", "a.svg", "-o", "a.png", "--backend", "cpu", "--crop", id]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.starts_with("boxwood: error: cannot crop a.svg: "), "{}", run.stderr);
        assert!(run.stderr.contains(message) && !folder.path().join("a.png").exists(), "{}", run.stderr);
    }
}

#[test]
fn an_element_is_drawn_alone() {
    let folder = Folder::with_small();
    let args = ["render", "small.svg", "-o", "out.png", "--backend", "cpu", "--background", "none"];
    let picture = |more: &[&str]| written(&folder, &folder.run(&[&args, more].concat()));
    let n_painted = |picture: &RgbaImage| picture.pixels().filter(|pixel| pixel.0[3] > 0).count();
    let (whole, alone) = (picture(&[]), picture(&["--only", "clipped"]));
    assert_eq!(alone.dimensions(), whole.dimensions());
    assert!((1..n_painted(&whole)).contains(&n_painted(&alone)), "{}", n_painted(&alone));
    assert!(picture(&["--only", "#clipped", "--crop", "clipped"]).pixels().any(|pixel| pixel.0[3] > 0));
    let run = folder.run(&[&args[..], &["--only", "nothing"]].concat());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no element has the id or path `nothing`"), "{}", run.stderr);
}

#[test]
fn several_elements_are_drawn_with_space_around_them() {
    let folder = Folder::with_small();
    let args = ["render", "small.svg", "-o", "out.png", "--backend", "cpu", "--background", "none"];
    let picture = |more: &[&str]| written(&folder, &folder.run(&[&args, more].concat()));
    let both = picture(&["--crop", "corner", "--crop", "beside"]);
    assert_eq!(both.dimensions(), (80, 20));
    assert!(is_close(&both, 65, 10, GREEN) && is_close(&both, 10, 8, BLUE));
    assert_eq!(both.get_pixel(30, 10).0, [0; 4], "there is no background");
    let padded = picture(&["--crop", "beside", "--padding", "15"]);
    assert_eq!(padded.dimensions(), (60, 50));
    assert!(is_close(&padded, 16, 16, GREEN) && padded.get_pixel(16, 2).0 == [0; 4], "the canvas is smaller");
    assert_eq!(folder.run(&[&args[..], &["--padding", "2"]].concat()).code, 2);
}
