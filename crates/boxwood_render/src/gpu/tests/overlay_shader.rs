//! Shaders of the overlay that change while a painter lives.

use super::*;

#[test]
fn a_shader_with_an_error_leaves_the_picture_as_it_is() {
    let mut painter = painter();
    painter.set_drawing(&rich_drawing()).expect("the scene is small");
    let frame = Frame { boxes: OverlaySource::Scene, ..plain_frame([96, 64]) };
    let paint = |painter: &mut Painter| {
        let picture = painter.paint(&frame).expect("the picture is small");
        painter.read(&picture).expect("it is read")
    };
    let before = paint(&mut painter);
    let source = boxwood_shaders::view::OVERLAY.source;
    // Not WGSL, without an entry point, with an input that the pipeline does not have, and with a
    // uniform that is larger than its buffer.
    let other_input = source.replace("@location(1)", "@location(7)");
    assert_ne!(other_input, source);
    let large_style = source.replace("of_entries: u32,", "of_entries: u32, more: vec4<f32>,");
    assert_ne!(large_style, source);
    for broken in ["fn", "fn f() {}", &other_input, &large_style] {
        let error = painter.set_overlay_shader(broken).expect_err("it is refused");
        assert!(matches!(error, RenderError::Device(_)), "{error}");
        assert!(paint(&mut painter) == before, "the picture before");
    }
    let green = source.replace("style.color", "vec4(0.0, 1.0, 0.0, 1.0)");
    assert_ne!(green, source);
    painter.set_overlay_shader(&green).expect("it is right");
    let after = paint(&mut painter);
    assert!(after != before && after.pixels().any(|pixel| pixel.0 == [0, 255, 0, 255]), "green lines");
    let without_style = green
        .replace("style.dash_bits", "1u")
        .replace("style.dash_period", "1u")
        .replace("style.of_entries", "0u");
    assert!(!without_style.contains("style."));
    painter.set_overlay_shader(&without_style).expect("it is right");
    assert!(paint(&mut painter) != before, "lines without dashes");
    painter.set_overlay_shader(source).expect("it is right");
    assert!(paint(&mut painter) == before, "the shader before");
}
