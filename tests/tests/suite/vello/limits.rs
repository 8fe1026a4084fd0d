//! Scenes beyond the limits of Vello's clip stage: compared with golden images. Vello itself draws
//! them wrong.

use boxwood_tests::{LIMIT_SIZE, Painters, deep_nest, is_reference_adapter, page_of_clips, pixels_apart};
use boxwood_vello::{ClipStage, OnOverflow};
use vello::{AaConfig, Scene};

use crate::golden::difference_from_blessed;

fn check(name: &str, scene: &Scene, wrong_pixels: usize) {
    let mut painters = Painters::default();
    let found = painters
        .by_boxwood(scene, LIMIT_SIZE, AaConfig::Area, ClipStage::Boxwood, OnOverflow::Refuse)
        .expect("it draws");
    if is_reference_adapter() {
        assert_eq!(difference_from_blessed(name, &found), None);
        // Vello's picture is undefined, so only a large difference is expected.
        let stock = painters.by_vello(scene, LIMIT_SIZE, AaConfig::Area);
        let (n, most) = pixels_apart(&stock, &found);
        assert!(n >= wrong_pixels && most > 100, "{name}: Vello is wrong in only {n} pixels");
    }
}

#[test]
fn a_page_that_clips_33_000_clips() {
    check("vello_page_of_clips", &page_of_clips(), 100);
}

#[test]
fn a_nest_deeper_than_256() {
    check("vello_deep_nest", &deep_nest(), 1000);
}
