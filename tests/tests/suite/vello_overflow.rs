//! What does not fit Vello's buffers is reported, or the buffers grow: nothing is lost in silence.

use boxwood_tests::{
    checkered_image, gpu, new_renderer, picture_by, picture_by_vello, pixels_apart, vello_scenes,
};
use boxwood_vello::{BumpBuffer, ClipStage, Error, OnOverflow, Renderer, RendererOptions};
use image::RgbaImage;
use kurbo::{Affine, BezPath, Rect};
use peniko::{Blob, Color, Fill, Mix};
use vello::{AaConfig, AaSupport, Scene};

fn renderer(on_overflow: OnOverflow) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        antialiasing_support: AaSupport::area_only(),
        clip_stage: ClipStage::Boxwood,
        ..Default::default()
    })
}

/// So many layers around a rectangle, each as large as the picture.
fn nested_layers(depth: usize, size: [u32; 2]) -> Scene {
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
    for _ in 0..depth {
        scene.push_layer(Fill::NonZero, Mix::Normal, 0.9, Affine::IDENTITY, &all);
    }
    let middle = Rect::new(100.0, 100.0, 400.0, 300.0);
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(200, 60, 30), None, &middle);
    for _ in 0..depth {
        scene.pop_layer();
    }
    scene
}

/// Rectangles as large as the picture.
fn full_rectangles(n: usize, size: [u32; 2]) -> Scene {
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
    for _ in 0..n {
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(200, 60, 30), None, &all);
    }
    scene
}

/// A line that goes up and down, far outside of the picture.
fn zigzag(n: u32) -> Scene {
    let mut path = BezPath::new();
    path.move_to((-900.0, -900.0));
    for i in 0..n {
        path.line_to((-900.0 + f64::from(i % 7), if i % 2 == 0 { -800.0 } else { -900.0 }));
    }
    let mut scene = Scene::new();
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &path);
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &Rect::new(9.0, 9.0, 30.0, 30.0));
    scene
}

/// The picture of a scene that overflows a buffer, where it may grow. Where it may not, the error names the buffer.
#[track_caller]
fn check(buffer: BumpBuffer, scene: &Scene, size: [u32; 2]) -> RgbaImage {
    let mut refuses = renderer(OnOverflow::Refuse);
    let (blank, result) = picture_by(&mut refuses, scene, size, AaConfig::Area);
    let Err(Error::Overflow(overflow)) = result else { panic!("{buffer:?}: {result:?}") };
    assert_eq!(overflow.0.buffer, buffer);
    assert!(overflow.0.need > overflow.0.size, "{overflow}");
    let message = overflow.to_string();
    for part in [buffer.name(), &overflow.0.need.to_string(), &overflow.0.size.to_string()] {
        assert!(message.contains(part), "{message}");
    }
    assert!(blank.pixels().all(|p| p.0 == [255, 0, 255, 0]), "nothing is drawn");

    let mut grows = renderer(OnOverflow::Grow);
    let (picture, result) = picture_by(&mut grows, scene, size, AaConfig::Area);
    result.unwrap_or_else(|e| panic!("{buffer:?}: {e}"));
    let fill = grows.usage().expect("it looked").of(buffer);
    assert!(fill.size >= fill.need && fill.size > overflow.0.size, "{fill:?}");
    // The next frame starts with the larger buffers, and the smaller scenes after it are drawn as ever.
    let small = &vello_scenes()[4].1;
    let (found, result) = picture_by(&mut grows, small, [128, 128], AaConfig::Area);
    result.unwrap_or_else(|e| panic!("{buffer:?}, then a small scene: {e}"));
    assert_eq!(pixels_apart(&found, &picture_by_vello(small, [128, 128], AaConfig::Area)), (0, 0));
    picture
}

#[test]
fn five_nested_layers_of_1920_x_1080_overflow_the_spilled_blends() {
    let size = [1920, 1080];
    let picture = check(BumpBuffer::BlendSpill, &nested_layers(5, size), size);
    // One layer of the same opacity, to a step of each of the five roundings.
    let expected = {
        let alpha = 0.9_f64.powi(5);
        let [base, over] = [[250.0, 240.0, 230.0], [200.0, 60.0, 30.0]];
        [0, 1, 2].map(|i| base[i] * (1.0 - alpha) + over[i] * alpha)
    };
    let pixel = picture.get_pixel(200, 200).0;
    for (found, expected) in pixel.into_iter().zip(expected) {
        assert!((f64::from(found) - expected).abs() <= 5.0, "{pixel:?}, {expected}");
    }
    assert_eq!(picture.get_pixel(10, 10).0, [250, 240, 230, 255]);
}

#[test]
fn full_rectangles_overflow_the_tiles() {
    // 9,216 tiles each.
    let size = [1536, 1536];
    let picture = check(BumpBuffer::Tiles, &full_rectangles(230, size), size);
    assert!(picture.pixels().all(|p| p.0 == [200, 60, 30, 255]));
}

#[test]
fn small_rectangles_in_many_bins_overflow_the_bins() {
    let size = [1040, 1040];
    let mut scene = Scene::new();
    let around_a_corner = Rect::new(255.0, 255.0, 257.0, 257.0);
    for _ in 0..53_000 {
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(9, 90, 200), None, &around_a_corner);
    }
    let picture = check(BumpBuffer::Binning, &scene, size);
    assert_eq!(picture.get_pixel(256, 256).0, [9, 90, 200, 255]);
}

#[test]
fn lines_overflow_the_lines() {
    let picture = check(BumpBuffer::Lines, &zigzag((1 << 21) + 9), [64, 64]);
    assert_eq!(picture.get_pixel(20, 20).0, [0, 0, 0, 255]);
    assert_eq!(picture.get_pixel(2, 2).0, [250, 240, 230, 255]);
}

/// A buffer grows as far as the device allows, and what is beyond that is refused.
#[test]
fn what_no_buffer_can_hold_is_refused() {
    let size = [1920, 1080];
    let limit = gpu().device.limits().max_storage_buffer_binding_size;
    // 8,160 tiles of 256 pixels of 4 bytes a layer.
    let depth = usize::try_from(limit / (8160 * 256 * 4)).expect("it is small") + 6;
    if depth > 200 {
        return;
    }
    let mut grows = renderer(OnOverflow::Grow);
    let (_, result) = picture_by(&mut grows, &nested_layers(depth, size), size, AaConfig::Area);
    assert!(matches!(result, Err(Error::Overflow(o)) if o.0.buffer == BumpBuffer::BlendSpill), "{result:?}");
}

#[test]
fn bad_input_is_refused() {
    let mut renderer = renderer(OnOverflow::Refuse);
    let mut draw = |scene: &Scene, antialiasing| picture_by(&mut renderer, scene, [64, 64], antialiasing).1;

    let result = draw(&Scene::new(), AaConfig::Msaa8);
    assert!(matches!(result, Err(Error::Antialiasing(AaConfig::Msaa8))), "{result:?}");

    let mut open = Scene::new();
    open.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Rect::new(0.0, 0.0, 9.0, 9.0));
    let result = draw(&open, AaConfig::Area);
    assert!(matches!(result, Err(Error::OpenLayers(1))), "{result:?}");

    let mut image = checkered_image(8);
    image.data = Blob::new(std::sync::Arc::new([]));
    let mut empty = Scene::new();
    empty.draw_image(&image, Affine::IDENTITY);
    let result = draw(&empty, AaConfig::Area);
    assert!(matches!(result, Err(Error::EmptyImage { width: 8, height: 8, .. })), "{result:?}");

    let many = full_rectangles(262_145, [1, 1]);
    let result = draw(&many, AaConfig::Area);
    assert!(matches!(result, Err(Error::Info { need: 262_145, limit: 262_144 })), "{result:?}");

    let on_the_cpu = vello::RendererOptions { use_cpu: true, ..Default::default() };
    let result = Renderer::new(&gpu().device, on_the_cpu);
    assert!(matches!(result, Err(Error::CpuStages)), "{result:?}");

    draw(&Scene::new(), AaConfig::Area).expect("it draws again, and the empty scene");
}

/// A texture drawn as an image.
#[test]
fn registered_textures_are_drawn() {
    let mut renderer = renderer(OnOverflow::Refuse);
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
    let mut pixel = |renderer: &mut Renderer| {
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
