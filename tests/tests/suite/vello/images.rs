//! Images of scenes, in the atlas and as textures.

use boxwood_tests::{
    Painters, checkered_image, gpu, new_renderer, params, picture_by, picture_view, pixels_apart,
    vello_scenes,
};
use boxwood_vello::{Error, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Blob, Color, Fill, Gradient};
use vello::{AaConfig, AaSupport, Scene};

fn renderer() -> Renderer {
    new_renderer(RendererOptions { antialiasing_support: AaSupport::area_only(), ..Default::default() })
}

/// Vello frees the atlas in a frame without late-bound resources, but takes the images in it for
/// uploaded in the next frame, and loses them.
#[test]
fn an_image_is_drawn_after_frames_without_one() {
    let size = [64, 64];
    let mut with_image = Scene::new();
    with_image.draw_image(&checkered_image(40), Affine::scale(1.5));
    let square = Rect::new(8.0, 8.0, 50.0, 50.0);
    let mut plain = Scene::new();
    plain.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(9, 99, 200), None, &square);
    let ramp = Gradient::new_linear((0.0, 0.0), (64.0, 0.0)).with_stops([Color::WHITE, Color::BLACK]);
    let mut gradient = Scene::new();
    gradient.fill(Fill::NonZero, Affine::IDENTITY, &ramp, None, &square);

    let scenes = [&with_image, &plain, &gradient];
    // Vello draws the image first, before it can lose it.
    let mut painters = Painters::default();
    let expected = scenes.map(|scene| painters.by_vello(scene, size, AaConfig::Area));
    let mut renderer = renderer();
    for (frame, index) in [0, 1, 0, 2, 0, 1, 1, 0].into_iter().enumerate() {
        let (picture, result) = picture_by(&mut renderer, scenes[index], size, AaConfig::Area);
        result.expect("it draws");
        assert_eq!(pixels_apart(&picture, &expected[index]), (0, 0), "frame {frame}");
    }
}

/// The images of a refused scene may never have been uploaded.
#[test]
fn images_of_a_refused_scene_are_drawn_later() {
    let scenes = vello_scenes();
    let (_, scene) = scenes.iter().find(|(name, _)| *name == "images").expect("it is in the list");
    let expected = Painters::default().by_vello(scene, [64, 64], AaConfig::Area);
    let mut no_data = checkered_image(8);
    no_data.data = Blob::new(std::sync::Arc::new([]));
    let mut unregistered = Scene::new();
    unregistered.draw_image(&no_data, Affine::IDENTITY);
    unregistered.append(scene, None);
    let too_large = params([8192, 4112], AaConfig::Area);
    for (scene_refused, params) in [(scene, too_large), (&unregistered, params([64, 64], AaConfig::Area))] {
        let mut renderer = renderer();
        let view = picture_view([64, 64]);
        let result = renderer.render_to_texture(&gpu().device, &gpu().queue, scene_refused, &view, &params);
        result.expect_err("it is refused");
        let (picture, result) = picture_by(&mut renderer, scene, [64, 64], AaConfig::Area);
        result.expect("it draws");
        assert_eq!(pixels_apart(&picture, &expected), (0, 0));
    }
}

/// A texture of 16 x 16 pixels.
fn texture(format: wgpu::TextureFormat, usage: wgpu::TextureUsages) -> wgpu::Texture {
    gpu().device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

#[test]
fn a_texture_that_cannot_be_copied_is_refused_by_name() {
    use wgpu::{TextureFormat, TextureUsages};

    let mut renderer = renderer();
    for (format, usage, is_drawn) in [
        (TextureFormat::Bgra8Unorm, TextureUsages::COPY_SRC, false),
        (TextureFormat::Rgba16Float, TextureUsages::COPY_SRC, false),
        (TextureFormat::Rgba8Unorm, TextureUsages::TEXTURE_BINDING, false),
        (TextureFormat::Rgba8Unorm, TextureUsages::COPY_SRC, true),
        (TextureFormat::Rgba8UnormSrgb, TextureUsages::COPY_SRC, true),
    ] {
        let image = renderer.register_texture(texture(format, usage));
        let mut scene = Scene::new();
        scene.draw_image(&image, Affine::scale(4.0));
        match picture_by(&mut renderer, &scene, [64, 64], AaConfig::Area).1 {
            Ok(()) => assert!(is_drawn, "{format:?} {usage:?}"),
            Err(error @ Error::Texture { .. }) => {
                assert!(!is_drawn, "{error}");
                let names = [format!("image {}", image.data.id()), format!("{format:?}")];
                assert!(names.iter().all(|name| error.to_string().contains(name)), "{error}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn registered_textures_are_drawn() {
    let mut renderer = renderer();
    let texture = texture(wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureUsages::COPY_SRC);
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
    assert!(matches!(pixel(&mut renderer), Err(Error::Image { found: 0, .. })));
}
