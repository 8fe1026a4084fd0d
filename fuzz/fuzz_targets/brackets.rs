//! Bracket streams: any draw tags, any bits of boxes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::brackets(bytes));
