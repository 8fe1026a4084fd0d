//! Scenes with more draw info than Vello's buffer has room for.

use boxwood_tests::{
    Painters, checkered_image, gpu_with_limits, new_renderer, picture_by, picture_on, pixels_apart,
};
use boxwood_vello::{BumpBuffer, Error, OnOverflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Gradient};
use vello::{AaConfig, AaSupport, Scene};
use vello_encoding::{DrawTag, Encoding};

/// The words of Vello's buffer of draw info, which also contains the bins.
const VELLO_WORDS: usize = 1 << 18;

const SIZE: [u32; 2] = [256, 256];

/// The words of draw info of a radial gradient.
const GRADIENT_WORDS: usize = 10;

fn renderer(on_overflow: OnOverflow, initial_items: &[(BumpBuffer, u32)]) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        initial_items: initial_items.to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    })
}

/// Cells of 4 x 4 pixels, each with an opaque gradient and every seventh with a clip: `n_outside`
/// cells outside of the picture, then `n` cells that fill it row by row, repeatedly. An image is
/// last.
fn cells(n_outside: usize, n: usize) -> Scene {
    const ALL: usize = 64 * 64;
    let mut scene = Scene::new();
    for index in 0..n_outside + n {
        let place = u32::try_from(index.saturating_sub(n_outside) % ALL).expect("it is small");
        let (mut x, y) = (f64::from(place % 64) * 4.0, f64::from(place / 64) * 4.0);
        if index < n_outside {
            x += 1000.0;
        }
        let cell = Rect::new(x, y, x + 4.0, y + 4.0);
        let shade = u8::try_from(index.saturating_sub(n_outside) * 37 % 256).expect("it is below 256");
        let ramp = Gradient::new_radial(cell.center(), 3.0)
            .with_stops([Color::from_rgb8(shade, 90, 250 - shade / 2), Color::from_rgb8(90, shade, 30)]);
        let is_clipped = index % 7 == 0;
        if is_clipped {
            scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &cell.inflate(0.5, 0.5));
        }
        scene.fill(Fill::NonZero, Affine::IDENTITY, &ramp, None, &cell);
        if is_clipped {
            scene.pop_layer();
        }
    }
    scene.draw_image(&checkered_image(48), Affine::translate((170.0, 150.0)));
    scene
}

#[test]
fn scenes_with_more_draw_info_than_vello_has_room_for_are_drawn() {
    let few = cells(0, 4096);
    let expected = Painters::default().by_vello(&few, SIZE, AaConfig::Area);
    let n_outside = VELLO_WORDS / GRADIENT_WORDS;
    let many = cells(n_outside, 4096);
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let mut grows = renderer(OnOverflow::Grow, &[(BumpBuffer::Binning, 100)]);
    for renderer in [&mut refuses, &mut grows] {
        for scene in [&many, &few, &many] {
            let (picture, result) = picture_by(renderer, scene, SIZE, AaConfig::Area);
            result.expect("the buffers are large enough");
            assert_eq!(pixels_apart(&picture, &expected), (0, 0));
        }
    }
    let bins = refuses.usage().expect("the renderer reads the counters").of(BumpBuffer::Binning);
    assert!(bins.need > 4096 && bins.size as usize >= n_outside + 4096, "{bins:?}");
}

/// The draw info leaves 10,849 words of Vello's buffer for the bins of 11,571 visible draw objects.
#[test]
fn every_visible_draw_object_has_room_in_a_bin() {
    let scene = cells(16_000, 9_000);
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let (_, result) = picture_by(&mut refuses, &scene, SIZE, AaConfig::Area);
    result.expect("the buffers are large enough");
    let needed =
        refuses.usage().expect("the renderer reads the counters").of(BumpBuffer::Binning).need as usize;
    let info: u32 = scene.encoding().draw_tags.iter().map(|tag| tag.info_size()).sum();
    assert!(info as usize + needed > VELLO_WORDS, "{info} and {needed} words fit in Vello's buffer");
}

/// On a device whose buffers hold few words, so that the scenes that exceed them are small.
#[test]
fn scenes_beyond_the_largest_buffer_are_refused_with_numbers() {
    const LIMIT: u32 = 1 << 20;
    let max_storage_buffer_binding_size = 4 * u64::from(LIMIT);
    let gpu = gpu_with_limits(wgpu::Limits { max_storage_buffer_binding_size, ..wgpu::Limits::default() });
    let options = RendererOptions {
        antialiasing_support: AaSupport::area_only(),
        on_overflow: OnOverflow::Grow,
        ..Default::default()
    };
    let mut renderer = Renderer::new(&gpu.device, options).expect("the device runs it");
    let mut error_of = |encoding: Encoding| {
        let (_, result) = picture_on(&gpu, &mut renderer, &encoding.into(), SIZE, AaConfig::Area);
        result.expect_err("it exceeds the limit")
    };
    // A blurred rectangle has 11 words of info, and is in at least one bin.
    let n = LIMIT as usize / 12 + 1;
    let error = error_of(Encoding { draw_tags: vec![DrawTag::BLUR_RECT; n], ..Encoding::new() });
    let Error::Scene { need, limit, .. } = error else { panic!("{error}") };
    assert_eq!((need, limit), (12 * n as u64, LIMIT.into()));
    let message = error.to_string();
    assert!(message.contains(&need.to_string()) && message.contains("draw info"), "{message}");

    let n = LIMIT as usize + 1;
    let error = error_of(Encoding { path_data: vec![0; n], ..Encoding::new() });
    let Error::Scene { need, limit, .. } = error else { panic!("{error}") };
    assert_eq!((need, limit), (n as u64, LIMIT.into()));
    assert!(error.to_string().contains(&need.to_string()), "{error}");
}
