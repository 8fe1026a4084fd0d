//! The stages, on any draw tags with any boxes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::draw_tags(bytes));
