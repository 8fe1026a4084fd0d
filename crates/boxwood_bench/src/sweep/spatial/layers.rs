//! Stage *layers*.

use std::hint::black_box;

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Items, Layers, SpatialError};
use boxwood_cpu::specification::spatial as cpu;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::ONE_CORE;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::box_family;

/// The maximum number of items. The time grows with its square.
const MAX_ITEMS: u32 = 1 << 18;

/// The maximum number of items whose layers on the CPU are compared with the specification. It
/// compares each two boxes: 2^31 pairs, which take seconds. Beyond it, only the device is compared,
/// with the CPU.
const MAX_COMPARED_ITEMS: u32 = 1 << 16;

/// The layers of boxes of several kinds, and their batches by two bits of a key.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    if n > MAX_ITEMS {
        return Ok(());
    }
    let Gpu { device, queue, .. } = session.gpu;
    let n_items = n as usize;
    let keys: Vec<u32> = (0..n).map(|i| i % 4).collect();
    let key_buffer = uploaded(session.gpu, &keys);
    for family in ["nested panels", "windows", "small boxes", "drawing", "identical boxes"] {
        let boxes = box_family(family)?.generate(n_items, 1);
        let box_buffer = uploaded(session.gpu, &boxes);
        let measured = Measured { what: "layers", n: n_items, family, ..Measured::default() };
        let mut workspace = boxwood_cpu::Layers::new();
        let expected = workspace.of(&boxes).to_vec();
        let is_unchecked = n > MAX_COMPARED_ITEMS;
        let is_right = is_unchecked || expected == cpu::layers(&boxes);
        let (seconds, ()) = time_on_cpu(session.options.n_runs(), || {
            black_box(workspace.of(black_box(&boxes)));
        });
        session.add(Measured { variant: ONE_CORE, seconds, is_right, is_unchecked, ..measured })?;
        let items = Items::new(&box_buffer, n);
        for (variant, batch_keys) in [("layers", None), ("batches", Some(&key_buffer))] {
            let layers = match batch_keys {
                None => Layers::new(context, items, None),
                Some(keys) => Layers::with_batches(context, items, None, keys, 2),
            };
            let layers = match layers {
                Err(SpatialError::TooLarge { .. } | SpatialError::TooManyItems { .. }) => continue,
                layers => layers.expect("the input is within the limits"),
            };
            let seconds = session.timer.time(|pass| layers.record(pass))?;
            let result = layers.draw_order().unwrap_or(layers.layers());
            let with_read_back =
                session.timer.time_with_read_back(|pass| layers.record(pass), &[(result, n_items)])?;
            let mut is_right = read_items::<u32>(device, queue, layers.layers(), n_items)? == expected;
            if let Some(order) = layers.draw_order() {
                let (expected, _) = cpu::batches(&expected, &keys);
                is_right &= read_items::<u32>(device, queue, order, n_items)? == expected;
            }
            session.add(Measured { variant, seconds, with_read_back, is_right, ..measured })?;
        }
    }
    Ok(())
}
