//! Packed streams of paths: any words, any layout.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::path_streams(bytes));
