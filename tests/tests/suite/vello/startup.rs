//! Compiling shaders: when, and on how many threads.

use std::num::NonZeroUsize;

use boxwood_tests::{deep_nest, new_renderer, page_of_clips, picture_by, pixels_apart};
use boxwood_vello::{ClipStage, Renderer, RendererOptions};
use vello::{AaConfig, AaSupport, Scene};

const SIZE: [u32; 2] = [256, 256];

fn options(clip_stage: ClipStage, num_init_threads: usize) -> RendererOptions {
    RendererOptions {
        antialiasing_support: AaSupport::area_only(),
        clip_stage,
        ..vello::RendererOptions {
            num_init_threads: NonZeroUsize::new(num_init_threads),
            ..Default::default()
        }
        .into()
    }
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    let [one, four] = [1, 4].map(|n_threads| {
        let options = options(ClipStage::Boxwood, n_threads);
        assert_eq!(options.num_init_threads, NonZeroUsize::new(n_threads));
        let (picture, result) = picture_by(&mut new_renderer(options), &deep_nest(), SIZE, AaConfig::Area);
        result.expect("it draws");
        picture
    });
    assert_eq!(pixels_apart(&one, &four), (0, 0));
}

/// The page has too many clips for the shaders that are compiled at first.
#[test]
fn no_frame_compiles_shaders_after_a_warm_up() {
    let n_compiled_by = |renderer: &mut Renderer, scene: &Scene| {
        let before = renderer.n_compiled();
        picture_by(renderer, scene, SIZE, AaConfig::Area).1.expect("it draws");
        renderer.n_compiled() - before
    };
    let mut cold = new_renderer(options(ClipStage::Boxwood, 2));
    assert_eq!(n_compiled_by(&mut cold, &deep_nest()), 0, "the clip stage is compiled at first");
    assert!(n_compiled_by(&mut cold, &page_of_clips()) > 0, "the other stages are not");
    let mut warm = new_renderer(options(ClipStage::Boxwood, 2));
    warm.warm_up(&boxwood_tests::gpu().device).expect("the device compiles them");
    assert_eq!(n_compiled_by(&mut warm, &page_of_clips()), 0);
}
