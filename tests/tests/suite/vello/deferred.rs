//! Overflows that are reported in a later call.

use boxwood_tests::{gpu, new_renderer, params, picture_by, pixels_apart};
use boxwood_vello::{BumpBuffer, Error, OnOverflow, OverflowCheck, Renderer, RendererOptions};
use image::{Rgba, RgbaImage};
use vello::{AaConfig, AaSupport, Scene};

use super::overflow::nested_layers;

const SIZE: [u32; 2] = [128, 128];

fn renderer(on_overflow: OnOverflow, overflow_check: OverflowCheck) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        overflow_check,
        // Room for one layer beyond the fourth.
        initial_items: vec![(BumpBuffer::BlendSpill, SIZE[0] * SIZE[1])],
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    })
}

fn picture(renderer: &mut Renderer, scene: &Scene) -> (RgbaImage, Result<(), Error>) {
    picture_by(renderer, scene, SIZE, AaConfig::Area)
}

fn expected(scene: &Scene) -> RgbaImage {
    let (picture, result) = picture(&mut renderer(OnOverflow::Grow, OverflowCheck::Wait), scene);
    result.expect("it grows");
    picture
}

/// Whether the target has the colour that it had before the frame.
fn is_unchanged(picture: &RgbaImage) -> bool {
    picture.pixels().all(|pixel| *pixel == Rgba([255, 0, 255, 0]))
}

#[track_caller]
fn assert_lost(result: &Result<(), Error>, frames: usize, is_redrawable: bool) {
    let Err(Error::LostFrames { n_frames, overflow, can_redraw }) = result else { panic!("{result:?}") };
    assert_eq!((*n_frames, *can_redraw), (frames, is_redrawable));
    assert_eq!(overflow.0.buffer, BumpBuffer::BlendSpill);
    assert!(overflow.0.need > overflow.0.size);
}

#[test]
fn the_next_frame_reports_the_overflow_and_the_buffers_have_grown() {
    let (fits, too_deep) = (nested_layers(5, SIZE), nested_layers(9, SIZE));
    let mut renderer = renderer(OnOverflow::Grow, OverflowCheck::Deferred);
    let (first, result) = picture(&mut renderer, &fits);
    result.expect("nothing is known yet");
    assert_eq!(pixels_apart(&first, &expected(&fits)), (0, 0));

    // Reading the picture waits for the device, so the next call finds the counters.
    let (lost, result) = picture(&mut renderer, &too_deep);
    result.expect("nothing is known yet");
    assert!(is_unchanged(&lost), "a frame that overflows leaves its target unchanged");
    let (refused, result) = picture(&mut renderer, &fits);
    assert_lost(&result, 1, true);
    assert!(is_unchanged(&refused), "a call that returns an error draws nothing");

    let (drawn, result) = picture(&mut renderer, &too_deep);
    result.expect("each loss is reported once");
    assert_eq!(pixels_apart(&drawn, &expected(&too_deep)), (0, 0));
    renderer.flush(&gpu().device).expect("the last frame was drawn");
    assert_eq!(renderer.usage().expect("the counters have arrived").overflow(), None);
}

#[test]
fn poll_and_flush_report_the_overflow() {
    let device = &gpu().device;
    let too_deep = nested_layers(9, SIZE);
    let mut renderer = renderer(OnOverflow::Refuse, OverflowCheck::Deferred);
    for report in [Renderer::poll, Renderer::flush] {
        report(&mut renderer, device).expect("no frame is in flight");
        let (lost, result) = picture(&mut renderer, &too_deep);
        result.expect("nothing is known yet");
        assert!(is_unchanged(&lost));
        assert_lost(&report(&mut renderer, device), 1, false);
        report(&mut renderer, device).expect("each loss is reported once");
    }
}

/// Frames are submitted without reading their pictures, so nothing but the renderer waits.
#[test]
fn no_loss_is_forgotten_however_many_frames_follow() {
    let boxwood::native::Gpu { device, queue, .. } = gpu();
    let (fits, too_deep) = (nested_layers(5, SIZE), nested_layers(9, SIZE));
    let params = params(SIZE, AaConfig::Area);
    let view = boxwood_tests::picture_view(SIZE);
    let mut renderer = renderer(OnOverflow::Refuse, OverflowCheck::Deferred);
    let (mut submitted, mut lost) = (0, 0);
    let count = |result: Result<(), Error>| match result {
        Ok(()) => 0,
        Err(Error::LostFrames { n_frames, .. }) => n_frames,
        Err(error) => panic!("{error}"),
    };
    for frame in 0..12 {
        let scene = if frame % 3 == 1 { &too_deep } else { &fits };
        let result = renderer.render_to_texture(device, queue, scene, &view, &params);
        submitted += usize::from(frame % 3 == 1 && result.is_ok());
        lost += count(result);
    }
    lost += count(renderer.flush(device));
    assert!(submitted > 0 && lost == submitted, "{lost} of {submitted} lost frames are reported");
}

#[test]
fn a_scene_that_the_device_cannot_hold_cannot_be_redrawn() {
    let limit = 2 << 20;
    let gpu = boxwood_tests::gpu_with_limits(wgpu::Limits {
        max_storage_buffer_binding_size: limit,
        ..wgpu::Limits::default()
    });
    let options = RendererOptions {
        on_overflow: OnOverflow::Grow,
        overflow_check: OverflowCheck::Deferred,
        initial_items: BumpBuffer::ALL.map(|buffer| (buffer, 1 << 16)).to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    };
    let mut renderer = Renderer::new(&gpu.device, options).expect("the device runs it");
    // Each layer beyond the fourth takes 1 MiB.
    let scene = nested_layers(4 + 3, [512, 512]);
    let (_, result) = boxwood_tests::picture_on(&gpu, &mut renderer, &scene, [512, 512], AaConfig::Area);
    result.expect("nothing is known yet");
    assert_lost(&renderer.flush(&gpu.device), 1, false);
}
