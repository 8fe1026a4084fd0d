//! Stages *scan* and *expand*.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Expand, Items, Scan};
use boxwood_cpu::specification::spatial as cpu;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::Random;

/// Adds up the counts of `n` items, and expands items to at most `n` outputs.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    let mut random = Random::new(3);
    // An item has up to 15 outputs.
    let counts: Vec<u32> = (0..n).map(|_| random.word() >> 28).collect();
    scan(session, context, &counts)?;
    expand(session, context, "dense", &counts[..n.div_ceil(15) as usize])?;
    // One item of 16 has an output.
    let few: Vec<u32> = counts.iter().map(|count| count / 15).collect();
    expand(session, context, "sparse", &few)
}

fn scan(session: &mut Session<'_>, context: &Context, counts: &[u32]) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (seconds, expected) = time_on_cpu(session.options.n_runs(), || cpu::scan(counts));
    let measured = Measured { what: "scan", n: counts.len(), family: "random", ..Measured::default() };
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    let input = uploaded(session.gpu, counts);
    let Ok(scan) = Scan::new(context, Items::new(&input, count(counts.len()))) else { return Ok(()) };
    let seconds = session.timer.time(|pass| scan.record(pass))?;
    let is_right = read_items::<u32>(device, queue, scan.sums(), expected.len())? == expected;
    session.add(Measured { variant: "gpu", seconds, is_right, ..measured })
}

/// Expands these items. `n` of the row is the number of outputs.
fn expand(
    session: &mut Session<'_>,
    context: &Context,
    family: &str,
    counts: &[u32],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (seconds, expected) = time_on_cpu(session.options.n_runs(), || cpu::expand(counts, usize::MAX));
    let n = expected.owners.len();
    let measured = Measured { what: "expand", n, family, ..Measured::default() };
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    let input = uploaded(session.gpu, counts);
    let items = Items::new(&input, count(counts.len()));
    let Ok(expand) = Expand::new(context, items, count(n)) else { return Ok(()) };
    let seconds = session.timer.time(|pass| expand.record(pass))?;
    let is_right = read_items::<u32>(device, queue, expand.owners(), n)? == expected.owners
        && read_items::<u32>(device, queue, expand.ranks(), n)? == expected.ranks;
    session.add(Measured { variant: "gpu", seconds, is_right, ..measured })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("the sizes are u32")
}
