//! The suite: one binary, so that it is linked once.
//!
//! `tests/browser` compiles the part about the GPU for browsers, where the runner of
//! `boxwood_tests` stands for that of the standard library.

#![cfg_attr(target_arch = "wasm32", feature(custom_test_frameworks), test_runner(boxwood_tests::run_tests))]

mod paths;
mod scene;
mod spatial;
mod tree;

#[cfg(not(target_arch = "wasm32"))]
mod bench;
#[cfg(not(target_arch = "wasm32"))]
mod dependencies;
#[cfg(not(target_arch = "wasm32"))]
mod drawings;
#[cfg(not(target_arch = "wasm32"))]
mod golden;
#[cfg(not(target_arch = "wasm32"))]
mod labels;
#[cfg(not(target_arch = "wasm32"))]
mod layout;
#[cfg(not(target_arch = "wasm32"))]
mod operators;
#[cfg(not(target_arch = "wasm32"))]
mod read_back;
#[cfg(not(target_arch = "wasm32"))]
mod uniformity;
#[cfg(not(target_arch = "wasm32"))]
mod vello;
#[cfg(not(target_arch = "wasm32"))]
mod window;
#[cfg(not(target_arch = "wasm32"))]
mod window_files;
#[cfg(not(target_arch = "wasm32"))]
mod window_sizes;
#[cfg(not(target_arch = "wasm32"))]
mod window_tools;
