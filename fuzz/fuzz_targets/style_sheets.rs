//! The cascade of CSS, on any tokens.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::style_sheets(bytes));
