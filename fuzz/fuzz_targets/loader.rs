//! The loader, on any bytes with any options.

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: boxwood_fuzz::ignore_panics_of_dependencies(),
    |bytes: &[u8]| {
        boxwood_fuzz::loader(bytes);
    }
);
