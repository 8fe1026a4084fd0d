//! What does not fit Vello's buffers is reported, or the buffers grow: nothing is lost in silence.

use boxwood_tests::{
    Painters, checkered_image, gpu, gpu_with_limits, new_renderer, params, picture_by, picture_on,
    picture_view, pixels_apart, vello_scenes,
};
use boxwood_vello::{BumpBuffer, Error, Fill, OnOverflow, Overflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Blob, Color, Mix};
use vello::{AaConfig, AaSupport, Scene};

/// Renderers whose buffers hold so few items at first, or as many as Vello's.
fn renderer(on_overflow: OnOverflow, initial_items: &[(BumpBuffer, u32)]) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        initial_items: initial_items.to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    })
}

/// So many layers around a rectangle, each as large as the picture.
fn nested_layers(depth: usize, size: [u32; 2]) -> Scene {
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
fn every_buffer_is_named_and_grows() {
    let size = [128, 128];
    let scene = nested_layers(7, size);
    let expected = Painters::default().by_vello(&scene, size, AaConfig::Area);
    let mut grows = renderer(OnOverflow::Grow, &BumpBuffer::ALL.map(|buffer| (buffer, 1)));
    let (picture, result) = picture_by(&mut grows, &scene, size, AaConfig::Area);
    result.expect("it grows");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));
    let usage = grows.usage().expect("it looked");
    assert_eq!(usage.overflow(), None);

    let needs = BumpBuffer::ALL.map(|buffer| (buffer, usage.of(buffer).need));
    let mut holds = renderer(OnOverflow::Refuse, &needs);
    let (picture, result) = picture_by(&mut holds, &scene, size, AaConfig::Area);
    result.expect("it is as much as it takes");
    assert_eq!(pixels_apart(&picture, &expected), (0, 0));

    // Nothing overflows the segments that does not overflow their counts.
    for (buffer, need) in needs.into_iter().filter(|(buffer, _)| *buffer != BumpBuffer::Segments) {
        let mut refuses = renderer(OnOverflow::Refuse, &[(buffer, need - 1)]);
        let (picture, result) = picture_by(&mut refuses, &scene, size, AaConfig::Area);
        let Err(Error::Overflow(overflow)) = result else { panic!("{buffer:?}: {result:?}") };
        assert_eq!(overflow.0, Fill { buffer, need, size: need - 1 });
        assert!(picture.pixels().all(|p| p.0 == [255, 0, 255, 0]), "{buffer:?}: nothing is drawn");
        let message = overflow.to_string();
        for part in [buffer.name(), &need.to_string(), &(need - 1).to_string()] {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// Buffers that have grown stay as they are for the scenes that come after.
#[test]
fn scenes_are_drawn_as_by_vello_in_buffers_that_grow() {
    let size = [128, 128];
    let mut grows = renderer(OnOverflow::Grow, &BumpBuffer::ALL.map(|buffer| (buffer, 1)));
    let mut painters = Painters::default();
    for (name, scene) in vello_scenes() {
        let expected = painters.by_vello(&scene, size, AaConfig::Area);
        let (picture, result) = picture_by(&mut grows, &scene, size, AaConfig::Area);
        result.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(pixels_apart(&picture, &expected), (0, 0), "{name}");
    }
}

/// The first of Vello's buffers to be too small for layers of a whole screen.
#[test]
fn five_nested_layers_of_1920_x_1080_are_refused_with_vellos_buffers() {
    let size = [1920, 1080];
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let (_, result) = picture_by(&mut refuses, &nested_layers(5, size), size, AaConfig::Area);
    let Err(Error::Overflow(Overflow(fill))) = result else { panic!("{result:?}") };
    // A tile has 256 pixels, and there are 120 x 68.
    let (need, size) = (120 * 68 * 256, 1 << 20);
    assert_eq!(fill, Fill { buffer: BumpBuffer::BlendSpill, need, size });
}

/// A picture may have more tiles than Vello has commands for; Vello would write beyond them.
#[test]
fn pictures_of_too_many_tiles_are_refused_before_they_are_drawn() {
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let scene = Scene::new();
    let view = picture_view([16, 16]);
    let params = params([8192, 4112], AaConfig::Area);
    let result = refuses.render_to_texture(&gpu().device, &gpu().queue, &scene, &view, &params);
    let Err(Error::Overflow(Overflow(fill))) = result else { panic!("{result:?}") };
    assert_eq!(fill, Fill { buffer: BumpBuffer::Commands, need: 512 * 257 * 64, size: 1 << 23 });
}

/// A buffer grows as far as the device allows, and what is beyond that is refused.
#[test]
fn what_no_buffer_can_hold_is_refused() {
    let limits = gpu().device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let mut grows = renderer(OnOverflow::Grow, &[]);
    // 256 bytes of commands a tile.
    let n_tiles = limit / 256 + 1;
    let Ok(rows) = u32::try_from(n_tiles.div_ceil(1024)) else { return };
    let params = params([16 * 1024, 16 * rows], AaConfig::Area);
    let view = picture_view([16, 16]);
    let result = grows.render_to_texture(&gpu().device, &gpu().queue, &Scene::new(), &view, &params);
    assert!(matches!(result, Err(Error::Overflow(o)) if o.0.buffer == BumpBuffer::Commands), "{result:?}");
}

/// The limit may be no size that buffers otherwise grow to, and what does not fit costs the scenes after it nothing.
#[test]
fn buffers_grow_up_to_any_limit() {
    let max_storage_buffer_binding_size = 10_000_000;
    let gpu = gpu_with_limits(wgpu::Limits { max_storage_buffer_binding_size, ..gpu().adapter.limits() });
    let options = RendererOptions {
        on_overflow: OnOverflow::Grow,
        initial_items: BumpBuffer::ALL.map(|buffer| (buffer, 1)).to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    };
    let mut grows = Renderer::new(&gpu.device, options).expect("the device runs it");
    let size = [512, 512];
    let mut draw = |scene: &Scene| picture_on(&gpu, &mut grows, scene, size, AaConfig::Area);
    // 1 MiB a layer beyond the fourth.
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

#[test]
fn bad_input_is_refused() {
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
    assert!(matches!(result, Err(Error::EmptyImage { width: 8, height: 8, .. })), "{result:?}");

    image.data = Blob::new(std::sync::Arc::new([0; 255]));
    let mut short = Scene::new();
    short.draw_image(&image, Affine::IDENTITY);
    let result = draw(&short, AaConfig::Area);
    assert!(matches!(result, Err(Error::ShortImage { found: 255, needed: 256, .. })), "{result:?}");

    let on_the_cpu = vello::RendererOptions { use_cpu: true, ..Default::default() };
    let result = Renderer::new(&gpu().device, on_the_cpu);
    assert!(matches!(result, Err(Error::CpuStages)), "{result:?}");

    draw(&Scene::new(), AaConfig::Area).expect("it draws again, and the empty scene");

    let view = picture_view([16, 16]);
    for size in [[u32::MAX, 16], [16, u32::MAX - 20]] {
        let params = params(size, AaConfig::Area);
        let result = renderer.render_to_texture(&gpu().device, &gpu().queue, &Scene::new(), &view, &params);
        assert!(matches!(result, Err(Error::Target { .. })), "{result:?}");
    }
}

/// A refused scene may have images that were never uploaded.
#[test]
fn images_are_drawn_after_a_scene_with_them_was_refused() {
    let scenes = vello_scenes();
    let (_, scene) = scenes.iter().find(|(name, _)| *name == "images").expect("it is one of them");
    let expected = Painters::default().by_vello(scene, [64, 64], AaConfig::Area);
    let mut no_data = checkered_image(8);
    no_data.data = Blob::new(std::sync::Arc::new([]));
    let mut unregistered = Scene::new();
    unregistered.draw_image(&no_data, Affine::IDENTITY);
    unregistered.append(scene, None);
    let too_large = params([8192, 4112], AaConfig::Area);
    for (scene_refused, params) in [(scene, too_large), (&unregistered, params([64, 64], AaConfig::Area))] {
        let mut renderer = renderer(OnOverflow::Refuse, &[]);
        let view = picture_view([64, 64]);
        let result = renderer.render_to_texture(&gpu().device, &gpu().queue, scene_refused, &view, &params);
        result.expect_err("it is refused");
        let (picture, result) = picture_by(&mut renderer, scene, [64, 64], AaConfig::Area);
        result.expect("it draws");
        assert_eq!(pixels_apart(&picture, &expected), (0, 0));
    }
}

/// A texture drawn as an image.
#[test]
fn registered_textures_are_drawn() {
    let mut renderer = renderer(OnOverflow::Refuse, &[]);
    let texture = gpu().device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let fill = |value: u8| {
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(64), rows_per_image: None };
        let bytes = [value, 40, 50, 255].repeat(256);
        gpu().queue.write_texture(texture.as_image_copy(), &bytes, layout, texture.size());
    };
    let image = renderer.register_texture(texture.clone());
    let mut scene = Scene::new();
    scene.draw_image(&image, Affine::scale(4.0));
    let pixel = |renderer: &mut Renderer| {
        let (picture, result) = picture_by(renderer, &scene, [64, 64], AaConfig::Area);
        result.map(|()| picture.get_pixel(30, 30).0)
    };
    fill(100);
    assert_eq!(pixel(&mut renderer).expect("it draws"), [100, 40, 50, 255]);
    fill(200);
    renderer.mark_override_image_dirty(&image);
    assert_eq!(pixel(&mut renderer).expect("it draws"), [200, 40, 50, 255]);
    renderer.unregister_texture(image);
    assert!(matches!(pixel(&mut renderer), Err(Error::EmptyImage { .. })));
}
