//! Scenes with more draw info than Vello's buffer for it has words.

use boxwood_tests::{
    Painters, checkered_image, gpu, new_renderer, params, picture_by, picture_view, pixels_apart,
};
use boxwood_vello::{BumpBuffer, Error, OnOverflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Gradient};
use vello::{AaConfig, AaSupport, Scene};
use vello_encoding::{DrawTag, Encoding};

/// The words of Vello's buffer, which has the bins behind the info.
const VELLO_WORDS: usize = 1 << 18;

const SIZE: [u32; 2] = [256, 256];

/// The words of a radial gradient.
const GRADIENT_WORDS: usize = 10;

fn renderer(on_overflow: OnOverflow, initial_items: &[(BumpBuffer, u32)]) -> Renderer {
    new_renderer(RendererOptions {
        on_overflow,
        initial_items: initial_items.to_vec(),
        antialiasing_support: AaSupport::area_only(),
        ..Default::default()
    })
}

/// Cells of 4 x 4 pixels, each with an opaque gradient, some with a clip: so many that are beside the picture, and so many that fill it
/// row by row, again and again. Then an image.
fn cells(n_beside: usize, n: usize) -> Scene {
    const ALL: usize = 64 * 64;
    let mut scene = Scene::new();
    for index in 0..n_beside + n {
        let place = u32::try_from(index.saturating_sub(n_beside) % ALL).expect("it is small");
        let (mut x, y) = (f64::from(place % 64) * 4.0, f64::from(place / 64) * 4.0);
        if index < n_beside {
            x += 1000.0;
        }
        let cell = Rect::new(x, y, x + 4.0, y + 4.0);
        let shade = u8::try_from(index.saturating_sub(n_beside) * 37 % 256).expect("it is below 256");
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
    let n_beside = VELLO_WORDS / GRADIENT_WORDS;
    let many = cells(n_beside, 4096);
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let mut grows = renderer(OnOverflow::Grow, &[(BumpBuffer::Binning, 100)]);
    for renderer in [&mut refuses, &mut grows] {
        for scene in [&many, &few, &many] {
            let (picture, result) = picture_by(renderer, scene, SIZE, AaConfig::Area);
            result.expect("the buffers are as large as the scene needs");
            assert_eq!(pixels_apart(&picture, &expected), (0, 0));
        }
    }
    let bins = refuses.usage().expect("it looked").of(BumpBuffer::Binning);
    assert!(bins.need > 4096 && bins.size as usize >= n_beside + 4096, "{bins:?}");
}

/// Info leaves less for the bins behind it in Vello's buffer: here 10,849 words, for 11,571 draw objects that show.
#[test]
fn there_is_room_for_a_bin_a_draw_object_behind_the_info() {
    let scene = cells(16_000, 9_000);
    let mut refuses = renderer(OnOverflow::Refuse, &[]);
    let (_, result) = picture_by(&mut refuses, &scene, SIZE, AaConfig::Area);
    result.expect("the buffers are as large as the scene needs");
    let needed = refuses.usage().expect("it looked").of(BumpBuffer::Binning).need as usize;
    let info: u32 = scene.encoding().draw_tags.iter().map(|tag| tag.info_size()).sum();
    assert!(info as usize + needed > VELLO_WORDS, "{info} and {needed} words fit Vello's buffer");
}

#[test]
fn what_no_buffer_can_hold_is_refused_with_numbers() {
    let limits = gpu().device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 4;
    let limit = limit.min(u32::MAX.into());
    // A blurred rectangle has 11 words of info, and may be in a bin.
    let n = usize::try_from(limit / 12 + 1).expect("it is small");
    if n > 50_000_000 {
        return;
    }
    let scene: Scene = Encoding { draw_tags: vec![DrawTag::BLUR_RECT; n], ..Encoding::new() }.into();
    let mut refuses = renderer(OnOverflow::Grow, &[]);
    let (view, params) = (picture_view(SIZE), params(SIZE, AaConfig::Area));
    let result = refuses.render_to_texture(&gpu().device, &gpu().queue, &scene, &view, &params);
    let Err(error @ Error::Info { need, limit: found }) = result else { panic!("{result:?}") };
    assert_eq!((need, found), (12 * n as u64, limit));
    assert!(error.to_string().contains(&need.to_string()), "{error}");
    let n = usize::try_from(limit + 1).expect("it is small");
    if n > 50_000_000 {
        return;
    }
    let scene: Scene = Encoding { path_data: vec![0; n], ..Encoding::new() }.into();
    let result = refuses.render_to_texture(&gpu().device, &gpu().queue, &scene, &view, &params);
    let Err(error @ Error::Scene { need, limit: found }) = result else { panic!("{result:?}") };
    assert_eq!((need, found), (limit + 1, limit));
    assert!(error.to_string().contains(&need.to_string()), "{error}");
}
