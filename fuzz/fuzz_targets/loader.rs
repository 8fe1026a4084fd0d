//! The loader: any bytes, any options.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    boxwood_fuzz::loader(bytes);
});
