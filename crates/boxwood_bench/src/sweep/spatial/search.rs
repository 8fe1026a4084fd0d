//! Stage *search*.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Bound, Items, Search, Searcher};
use boxwood_cpu::specification::spatial as cpu;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::Random;

/// The maximum number of queries, so that the number of keys decides the time of each.
const MAX_QUERIES: u32 = 1 << 20;

/// The number of queries for which a workgroup for each is meant.
const FEW_QUERIES: u32 = 16;

/// Searches random queries among `n` random keys.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let mut random = Random::new(4);
    let mut keys: Vec<u32> = (0..n).map(|_| random.word()).collect();
    keys.sort_unstable();
    let key_buffer = uploaded(session.gpu, &keys);
    for (family, n_queries) in [("many", n.min(MAX_QUERIES)), ("few", FEW_QUERIES)] {
        let queries: Vec<u32> = (0..n_queries).map(|_| random.word()).collect();
        let query_buffer = uploaded(session.gpu, &queries);
        let [key_items, query_items] =
            [(&key_buffer, n), (&query_buffer, n_queries)].map(|(buffer, n)| Items::new(buffer, n));
        let search = || cpu::search(&keys, &queries, Bound::Lower);
        let (seconds, expected) = time_on_cpu(session.options.n_runs(), search);
        let measured = Measured { what: "search", n: n as usize, family, ..Measured::default() };
        session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
        for (searcher, variant) in
            [(Searcher::Binary, "binary"), (Searcher::PAry, "p_ary"), (Searcher::Rearranged, "rearranged")]
        {
            let search = Search::with_searcher(context, key_items, query_items, Bound::Lower, searcher);
            let Ok(search) = search else { continue };
            if searcher == Searcher::Rearranged {
                let seconds = session.timer.time(|pass| search.record_rearrangement(pass))?;
                let specified = cpu::rearrange(&keys).concat();
                let is_right = match search.rearranged() {
                    Some(buffer) => read_items::<u32>(device, queue, buffer, specified.len())? == specified,
                    None => false,
                };
                session.add(Measured { variant: "rearrangement", seconds, is_right, ..measured })?;
            }
            let seconds = session.timer.time(|pass| search.record(pass))?;
            let found: Vec<u32> = read_items(device, queue, search.found(), expected.len())?;
            session.add(Measured { variant, seconds, is_right: found == expected, ..measured })?;
        }
    }
    Ok(())
}
