//! Sorts: by lampshade, and by the standard library on one CPU core.

use boxwood::native::Gpu;
use boxwood::read_items;
use lampshade::KeyValueSorter;

use super::super::sort::{BITS, keys};
use crate::error::BenchError;
use crate::measure::{Timer, begin_pass, buffer, time_on_cpu, uploaded};
use crate::record::Seconds;
use crate::sweep::session::{Measured, Session};

/// A sorter of lampshade on a device.
pub(super) struct Lampshade<'a> {
    variant: &'static str,
    gpu: &'a Gpu,
    /// The timer of the device, or `None` for the session's device.
    timer: Option<Timer<'a>>,
    sorter: KeyValueSorter,
}

/// Sorted pairs, with the times of sorting them.
struct Sorted {
    seconds: Option<Seconds>,
    pairs: Vec<[u32; 2]>,
}

impl<'a> Lampshade<'a> {
    pub(super) fn new(variant: &'static str, gpu: &'a Gpu, timer: Option<Timer<'a>>) -> Self {
        let sorter = KeyValueSorter::new_for_adapter(&gpu.device, &gpu.queue, &gpu.adapter.get_info());
        Self { variant, gpu, timer, sorter }
    }

    /// Sorts pairs of a key and a value. `None` if lampshade cannot hold them.
    fn sort(
        &mut self,
        timer: &Timer<'_>,
        pairs: &[[u32; 2]],
        bits: u32,
    ) -> Result<Option<Sorted>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let (input, output) = (uploaded(self.gpu, pairs), buffer(device, size_of_val(pairs)));
        let n = u32::try_from(pairs.len()).expect("the sizes are u32");
        let (timer, sorter) = (self.timer.as_ref().unwrap_or(timer), &mut self.sorter);
        let mut is_recorded = true;
        let seconds = timer.time_run(&mut |encoder, writes| {
            // The sorter begins passes of its own, so empty passes around them have the timestamps.
            let [begin, end] = around(writes);
            drop(begin_pass(encoder, begin));
            is_recorded &= sorter.record_sort_with_key_bits(encoder, &input, &output, n, bits).is_ok();
            drop(begin_pass(encoder, end));
        })?;
        if !is_recorded {
            return Ok(None);
        }
        Ok(Some(Sorted { seconds, pairs: read_items(device, queue, &output, pairs.len())? }))
    }
}

/// The timestamps at the begin of a pass and at the end of a later one.
fn around(
    writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
) -> [Option<wgpu::ComputePassTimestampWrites<'_>>; 2] {
    let Some(both) = writes else { return [None, None] };
    let begin = wgpu::ComputePassTimestampWrites { end_of_pass_write_index: None, ..both.clone() };
    [Some(begin), Some(wgpu::ComputePassTimestampWrites { beginning_of_pass_write_index: None, ..both })]
}

/// Sorts the keys that stage *sort* sorts, with their indices.
pub(super) fn measure(
    session: &mut Session<'_>,
    sorters: &mut [Lampshade<'_>],
    n: u32,
) -> Result<(), BenchError> {
    let keys = keys(n);
    for bits in BITS {
        let mask = u32::MAX >> (u32::BITS - bits);
        let pairs = || (0..).zip(&keys).map(|(index, key)| [key & mask, index]).collect::<Vec<[u32; 2]>>();
        let family = format!("{bits} bits");
        let measured = Measured { what: "sort", n: keys.len(), family: &family, ..Measured::default() };
        let (seconds, sorted) = time_on_cpu(session.options.n_runs(), || {
            let mut pairs = pairs();
            pairs.sort_unstable_by_key(|pair| pair[0]);
            pairs
        });
        let is_right = sorted.is_sorted_by_key(|pair| pair[0]) && contains_all(&keys, mask, &sorted);
        session.add(Measured { variant: "cpu, sort_unstable_by_key", seconds, is_right, ..measured })?;
        for sorter in &mut *sorters {
            let Some(Sorted { seconds, pairs }) = sorter.sort(&session.timer, &pairs(), bits)? else {
                continue;
            };
            // The sort is stable if the values of equal keys ascend.
            let is_right = pairs.is_sorted() && contains_all(&keys, mask, &pairs);
            session.add(Measured { variant: sorter.variant, seconds, is_right, ..measured })?;
        }
    }
    Ok(())
}

/// Whether the pairs are the keys with their indices, in any order.
fn contains_all(keys: &[u32], mask: u32, pairs: &[[u32; 2]]) -> bool {
    let mut is_missing = vec![true; keys.len()];
    let is_new = |[key, index]: &[u32; 2]| {
        let place = *index as usize;
        keys.get(place).is_some_and(|own| own & mask == *key && std::mem::take(&mut is_missing[place]))
    };
    pairs.len() == keys.len() && pairs.iter().all(is_new)
}
