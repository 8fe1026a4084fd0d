//! Path boxes, on any words with any layout.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::path_streams(bytes));
