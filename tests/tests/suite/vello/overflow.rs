//! A scene that overflows one of Vello's buffers is reported, or the buffer grows.

use boxwood_tests::{
    MAX_RUNS, Painters, checkered_image, gpu, gpu_with_limits, new_renderer, params, picture_by, picture_on,
    picture_view, pixels_apart, vello_scenes,
};
use boxwood_vello::{BumpBuffer, Error, Fill, OnOverflow, Overflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Blob, Color, Mix};
use vello::{AaConfig, AaSupport, Scene};

/// A renderer whose buffers have these initial sizes, or Vello's.
fn renderer(on_overflow: OnOverflow, initial_items: &[(BumpBuffer, u32)]) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        initial_items: initial_items.to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    })
}

/// A rectangle in `depth` nested layers of the size of the picture.
pub(super) fn nested_layers(depth: usize, size: [u32; 2]) -> Scene {
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
    for _ in 0..depth {
        scene.push_layer(peniko::Fill::NonZero, Mix::Normal, 0.9, Affine::IDENTITY, &all);
    }
    let middle = Rect::new(100.0, 100.0, 400.0, 300.0);
    scene.fill(peniko::Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(200, 60, 30), None, &middle);
    for _ in 0..depth {
        scene.pop_layer();
    }
    scene
}

#[test]
fn every_buffer_grows_and_is_named_in_errors() {
    let size = [128, 128];
    let scene = nested_layers(7, size);
    let expected = Painters::default().by_vello(&scene, size, AaConfig::Area);
    let mut grows = renderer(OnOverflow::Grow, &BumpBuffer::ALL.map(|buffer| (buffer, 1)));
    let (picture, result) = picture_by(&mut grows, &scene, size, AaConfig::Area);
    result.expect("it grows");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));
    let usage = grows.usage().expect("the renderer reads the counters");
    assert_eq!(usage.overflow(), None);

    let needs = BumpBuffer::ALL.map(|buffer| (buffer, usage.of(buffer).need));
    let mut holds = renderer(OnOverflow::Refuse, &needs);
    let (picture, result) = picture_by(&mut holds, &scene, size, AaConfig::Area);
    result.expect("the buffers are exactly large enough");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));

    // The segments are counted before they are drawn, and have as much room as the counts.
    for (buffer, need) in needs.into_iter().filter(|(buffer, _)| *buffer != BumpBuffer::Segments) {
        let mut refuses = renderer(OnOverflow::Refuse, &[(buffer, need - 1)]);
        let (picture, result) = picture_by(&mut refuses, &scene, size, AaConfig::Area);
        let Err(Error::Overflow(overflow)) = result else { panic!("{buffer:?}: {result:?}") };
        assert_eq!(overflow.0, Fill { buffer, need, size: need - 1 });
        assert!(picture.pixels().all(|p| p.0 == [255, 0, 255, 0]), "{buffer:?}: the target has changed");
        let message = overflow.to_string();
        for part in [buffer.name(), &need.to_string(), &(need - 1).to_string()] {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// Buffers that have grown do not shrink again.
#[test]
fn scenes_are_drawn_as_by_vello_in_buffers_that_grow() {
    let size = [128, 128];
    let mut grows = renderer(OnOverflow::Grow, &BumpBuffer::ALL.map(|buffer| (buffer, 1)));
    let mut painters = Painters::default();
    for (name, scene) in vello_scenes() {
        let mut pixels_apart_in_run = || {
            let expected = painters.by_vello(&scene, size, AaConfig::Area);
            let (picture, result) = picture_by(&mut grows, &scene, size, AaConfig::Area);
            result.unwrap_or_else(|e| panic!("{name}: {e}"));
            pixels_apart(&picture, &expected)
        };
        let runs: Vec<_> = (0..MAX_RUNS).map(|_| pixels_apart_in_run()).collect();
        assert!(runs.contains(&(0, 0)), "{name}: {runs:?}");
    }
}

#[test]
fn five_nested_layers_of_1920_x_1080_overflow_vellos_blend_spill() {
    let size = [1920, 1080];
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let (_, result) = picture_by(&mut refuses, &nested_layers(5, size), size, AaConfig::Area);
    let Err(Error::Overflow(Overflow(fill))) = result else { panic!("{result:?}") };
    // 120 x 68 tiles of 256 pixels.
    let (need, size) = (120 * 68 * 256, 1 << 20);
    assert_eq!(fill, Fill { buffer: BumpBuffer::BlendSpill, need, size });
}

/// Vello would write the first commands of such tiles beyond its buffer.
#[test]
fn pictures_with_too_many_tiles_are_refused_before_anything_runs() {
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let scene = Scene::new();
    let view = picture_view([16, 16]);
    let params = params([8192, 4112], AaConfig::Area);
    let result = refuses.render_to_texture(&gpu().device, &gpu().queue, &scene, &view, &params);
    let Err(Error::Overflow(Overflow(fill))) = result else { panic!("{result:?}") };
    assert_eq!(fill, Fill { buffer: BumpBuffer::Commands, need: 512 * 257 * 64, size: 1 << 23 });
}

/// On a device with a low limit, so that a texture of any adapter has enough tiles.
#[test]
fn a_buffer_beyond_the_limit_of_the_device_is_refused() {
    const LIMIT: u64 = 8 << 20;
    let (gpu, mut grows) = growing_renderer_with_limit(LIMIT);
    // 64 commands of 4 bytes per tile.
    let rows = u32::try_from(LIMIT / 256 / 256 + 1).expect("the limit is low");
    let result = {
        let params = params([16 * 256, 16 * rows], AaConfig::Area);
        let texture = picture_view([16, 16]);
        grows.render_to_texture(&gpu.device, &gpu.queue, &Scene::new(), &texture, &params)
    };
    let Err(Error::Overflow(Overflow(fill))) = result else { panic!("{result:?}") };
    assert_eq!((fill.buffer, fill.need), (BumpBuffer::Commands, 256 * rows * 64));
}

/// A device that binds at most `limit` bytes, and a renderer on it whose buffers grow from one
/// item.
fn growing_renderer_with_limit(limit: u64) -> (boxwood::native::Gpu, Renderer) {
    let max_storage_buffer_binding_size = limit;
    let gpu = gpu_with_limits(wgpu::Limits { max_storage_buffer_binding_size, ..gpu().adapter.limits() });
    let options = RendererOptions {
        on_overflow: OnOverflow::Grow,
        initial_items: BumpBuffer::ALL.map(|buffer| (buffer, 1)).to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    };
    let grows = Renderer::new(&gpu.device, options).expect("the device runs it");
    (gpu, grows)
}

/// The limit is not a power of two, so buffers grow to the limit itself. A scene that does not fit
/// does not affect later ones.
#[test]
fn buffers_grow_up_to_any_limit() {
    let (gpu, mut grows) = growing_renderer_with_limit(10_000_000);
    let size = [512, 512];
    let mut draw = |scene: &Scene| picture_on(&gpu, &mut grows, scene, size, AaConfig::Area);
    // Each layer beyond the fourth takes 1 MiB.
    let (fits, does_not_fit) = (nested_layers(4 + 9, size), nested_layers(4 + 10, size));
    let (picture, result) = draw(&fits);
    result.expect("9 MiB are within the limit");
    let (expected, result) = picture_by(&mut renderer(OnOverflow::Grow, &[]), &fits, size, AaConfig::Area);
    result.expect("it grows");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));
    let (_, result) = draw(&does_not_fit);
    assert!(
        matches!(result, Err(Error::Overflow(o)) if o.0.buffer == BumpBuffer::BlendSpill),
        "10 MiB are not: {result:?}"
    );
    let (picture, result) = draw(&fits);
    result.expect("it fits again");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));
}

/// Vello checks the counted segments, but not the drawn ones.
#[test]
fn segments_have_as_much_room_as_their_counts() {
    let size = [128, 128];
    let scene = nested_layers(2, size);
    let expected = Painters::default().by_vello(&scene, size, AaConfig::Area);
    let mut refuses = renderer(OnOverflow::Refuse, &[(BumpBuffer::Segments, 1)]);
    let (picture, result) = picture_by(&mut refuses, &scene, size, AaConfig::Area);
    result.expect("the buffer is not as small as asked for");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));
}

#[test]
fn invalid_input_is_refused() {
    let mut renderer = renderer(OnOverflow::Refuse, &[]);
    let mut draw = |scene: &Scene, antialiasing| picture_by(&mut renderer, scene, [64, 64], antialiasing).1;

    let result = draw(&Scene::new(), AaConfig::Msaa8);
    assert!(matches!(result, Err(Error::Antialiasing(AaConfig::Msaa8))), "{result:?}");

    let mut open = Scene::new();
    open.push_clip_layer(peniko::Fill::NonZero, Affine::IDENTITY, &Rect::new(0.0, 0.0, 9.0, 9.0));
    let result = draw(&open, AaConfig::Area);
    assert!(matches!(result, Err(Error::OpenLayers(1))), "{result:?}");

    let mut image = checkered_image(8);
    image.data = Blob::new(std::sync::Arc::new([]));
    let mut empty = Scene::new();
    empty.draw_image(&image, Affine::IDENTITY);
    let result = draw(&empty, AaConfig::Area);
    assert!(matches!(result, Err(Error::Image { width: 8, height: 8, found: 0, .. })), "{result:?}");

    image.data = Blob::new(std::sync::Arc::new([0; 255]));
    let mut short = Scene::new();
    short.draw_image(&image, Affine::IDENTITY);
    let result = draw(&short, AaConfig::Area);
    assert!(matches!(result, Err(Error::Image { found: 255, needed: 256, .. })), "{result:?}");

    let on_the_cpu = vello::RendererOptions { use_cpu: true, ..Default::default() };
    let result = Renderer::new(&gpu().device, on_the_cpu);
    assert!(matches!(result, Err(Error::CpuStages)), "{result:?}");

    draw(&Scene::new(), AaConfig::Area).expect("a valid scene is drawn after the errors");

    let view = picture_view([16, 16]);
    for size in [[u32::MAX, 16], [16, u32::MAX - 20], [0, 16], [16, 0], [0, 0]] {
        let params = params(size, AaConfig::Area);
        let result = renderer.render_to_texture(&gpu().device, &gpu().queue, &Scene::new(), &view, &params);
        assert!(matches!(result, Err(Error::Target { .. })), "{result:?}");
    }
}
