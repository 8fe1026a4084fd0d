//! Shared by the tests that cross Boxwood's crates: scenes, drawings, devices, planted faults, and
//! comparisons. The tests themselves are the modules of `tests/suite`.
//!
//! What needs neither files nor threads is also compiled for browsers, where `tests/browser` runs
//! it.

#![cfg_attr(target_arch = "wasm32", feature(test))]

mod compare;
mod device;
mod faults;
mod mutants;
mod paths;
mod sample;
mod scenes;
mod twins;

#[cfg(not(target_arch = "wasm32"))]
mod drawings;
#[cfg(not(target_arch = "wasm32"))]
pub mod ground_truth;
#[cfg(not(target_arch = "wasm32"))]
mod picture_difference;
#[cfg(not(target_arch = "wasm32"))]
mod program;
#[cfg(doctest)]
mod readmes;
#[cfg(not(target_arch = "wasm32"))]
mod vello;

pub use boxwood_inputs::{
    BoxFamily, BracketFamily, Family, JsonFamily, Random, box_families, box_family, bracket_families,
    families, json_families, mutated, random_brackets, random_json, random_syntax,
};
pub use compare::{assert_same, first_difference};
pub use device::{
    Gpu, algorithms_for, context, gpu, gpu_boxes, gpu_boxes_after, gpu_boxes_on, gpu_boxes_with,
    gpu_clipped_boxes_after, gpu_with_limits, is_reference_adapter, read_back, read_items, read_texels,
    read_words,
};
#[cfg(target_arch = "wasm32")]
pub use device::{n_tests, run_test, run_tests, test_name};
#[cfg(not(target_arch = "wasm32"))]
pub use drawings::{
    Corpus, Exceptions, chain, drawings_below, exception, in_parallel, own_drawings, own_options, repository,
};
pub use faults::{Fault, assert_all_caught, bounded_source, changed_source};
pub use mutants::{Mutant, Mutants, Survivor, mutants};
pub use paths::{
    Numbers, Packed, gpu_path_boxes, gpu_path_boxes_after, path_boxes_difference,
    path_boxes_difference_in_rows, random_encoding, random_streams,
};
#[cfg(not(target_arch = "wasm32"))]
pub use picture_difference::{
    EncodingRenderer, PictureDifference, PictureTable, Tolerance, picture_difference,
};
#[cfg(not(target_arch = "wasm32"))]
pub use program::{benchmark, cargo, program, program_with_window};
pub use sample::{is_tried, sampled};
pub use scenes::{OUTERMOST_CLIP_BOX, Shapes, family, nest_clipped_outermost, row_with_far_leaves, scene_of};
pub use twins::{Affine, Affine3, Matrix, Twin};
#[cfg(not(target_arch = "wasm32"))]
pub use vello::{
    COMPOSE_MODES, LIMIT_SIZE, MAX_RUNS, Painters, SCENE_SIDE, checkered_image, deep_nest, new_renderer,
    page_of_clips, params, picture_by, picture_on, picture_tightened, picture_view, pixels_apart,
    premultiplied_apart, record_vello_pass, vello_buffers, vello_scenes,
};
