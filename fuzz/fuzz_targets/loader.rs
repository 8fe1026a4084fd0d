//! The loader: any bytes, any options.

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: boxwood_fuzz::pass_over_dependencies(),
    |bytes: &[u8]| {
        boxwood_fuzz::loader(bytes);
    }
);
