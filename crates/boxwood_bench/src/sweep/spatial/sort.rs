//! Stage *sort*.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Items, Sort, Sorter, SpatialError};
use boxwood_cpu::specification::spatial as cpu;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::Random;

/// The numbers of bits of the keys.
pub(super) const BITS: [u32; 2] = [32, 24];

/// Sorts random keys with their indices.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let keys = keys(n);
    let key_buffer = uploaded(session.gpu, &keys);
    let n_items = n as usize;
    for bits in BITS {
        let (seconds, expected) = time_on_cpu(session.options.n_runs(), || cpu::sort(&keys, bits));
        let family = format!("{bits} bits");
        let measured = Measured { what: "sort", n: n_items, family: &family, ..Measured::default() };
        session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
        for (sorter, variant) in [
            (Sorter::OddEvenMerge, "odd_even"),
            (Sorter::Radix, "radix"),
            (Sorter::AdaptiveBitonic, "adaptive_bitonic"),
            (Sorter::BaseBitonic, "base_bitonic"),
            (Sorter::BaseOptimal, "base_optimal"),
        ] {
            // An algorithm is skipped if it or the device cannot hold the input.
            let sort = match Sort::with_sorter(context, Items::new(&key_buffer, n), None, bits, sorter) {
                Err(SpatialError::TooLarge { .. } | SpatialError::TooManyItems { .. }) => continue,
                sort => sort.expect("the input is within the limits"),
            };
            let seconds = session.timer.time(|pass| sort.record(pass))?;
            let found: Vec<u32> = read_items(device, queue, sort.sorted_values(), n_items)?;
            session.add(Measured { variant, seconds, is_right: found == expected, ..measured })?;
        }
    }
    Ok(())
}

/// Random keys.
pub(super) fn keys(n: u32) -> Vec<u32> {
    let mut random = Random::new(2);
    (0..n).map(|_| random.word()).collect()
}
