//! Compiling shaders: when, and on how many threads.

use std::num::NonZeroUsize;

use boxwood_tests::{deep_nest, new_renderer, picture_by, pixels_apart};
use boxwood_vello::{ClipStage, RendererOptions};
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

/// A nest that is too deep for Vello's clip stage.
#[test]
fn no_frame_compiles_shaders_after_a_warm_up() {
    let mut automatic = new_renderer(options(ClipStage::Auto, 2));
    picture_by(&mut automatic, &Scene::new(), SIZE, AaConfig::Area).1.expect("it draws");
    assert_eq!(automatic.n_compiled(), 0, "Vello's clip stage is enough");
    automatic.warm_up(&boxwood_tests::gpu().device).expect("the device compiles them");
    let certain = new_renderer(options(ClipStage::Boxwood, 2));
    for mut renderer in [automatic, certain] {
        let before = renderer.n_compiled();
        assert!(before > 0, "some shaders are compiled before the first frame that needs them");
        picture_by(&mut renderer, &deep_nest(), SIZE, AaConfig::Area).1.expect("it draws");
        assert_eq!(renderer.n_compiled(), before);
    }
}
