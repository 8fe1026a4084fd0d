//! What Vello's own clip stage is wrong for, drawn right: golden images, which Vello itself is far from.

use boxwood_tests::{LIMIT_SIZE, deep_nest, page_of_clips, pictures_by_all, pixels_apart};
use vello::{AaConfig, Scene};

use crate::golden::{difference_from_blessed, is_reference_adapter};

fn check(name: &str, scene: &Scene, wrong_pixels: usize) {
    let [stock, _, found] = pictures_by_all(scene, LIMIT_SIZE, AaConfig::Area);
    if is_reference_adapter() {
        assert_eq!(difference_from_blessed(name, &found), None);
        // What Vello draws then is not defined.
        let (n, most) = pixels_apart(&stock, &found);
        assert!(n >= wrong_pixels && most > 100, "{name}: Vello is right but for {n} pixels");
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
