//! The tree of a JSON text, against `serde_json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boxwood_fuzz::json_text(bytes));
