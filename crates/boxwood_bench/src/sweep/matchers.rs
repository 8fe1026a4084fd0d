//! Parenthesis matching, by every algorithm.

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::tree::{MatchBuffers, Matcher};

use super::options::What;
use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::time_on_cpu;
use crate::record::{COPY_BYTES, MAIN_FAMILY, SPECIFICATION};
use boxwood_inputs::{bits, node_stream};

/// The families that are measured at every size, and on the CPU.
const MAIN: [&str; 2] = [MAIN_FAMILY, "bounded depth"];

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let matchers = Context::new(device);
    for (k, families) in session.inputs(What::Match, &MAIN) {
        let n = 1 << k;
        // An algorithm is skipped if it or the device cannot hold the input.
        let with_buffers =
            |&matcher: &Matcher| Some((matcher, MatchBuffers::new(&matchers, matcher, n).ok()?));
        let mut able: Vec<_> = Matcher::ALL.iter().filter_map(with_buffers).collect();
        for family in families {
            let entries = node_stream(&family, n, 1);
            if entries.len() < n {
                continue;
            }
            let bits = bits(&entries);
            let is_main = session.is_main(&MAIN, &family);
            let n_cpu_runs = if is_main { session.options.n_runs() } else { 0 };
            let (seconds, expected) =
                time_on_cpu(n_cpu_runs, || boxwood_cpu::specification::tree::match_parentheses(&entries));
            let measured = Measured { what: "match", n, family: family.name, ..Measured::default() };
            if is_main {
                session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
            }
            // The algorithms run one after the other without pauses, so that a GPU warms up only
            // once. The results stay in their buffers.
            for (_, buffers) in &mut able {
                buffers.upload(queue, &bits, n)?;
            }
            let times = able.iter().map(|(_, buffers)| session.timer.time(|pass| buffers.record(pass)));
            let times: Vec<_> = times.collect::<Result<_, _>>()?;
            for ((matcher, buffers), seconds) in able.iter().zip(times) {
                let found: Vec<i32> = boxwood::read_items(device, queue, buffers.matches(), n)?;
                session.add(Measured {
                    variant: matcher.name(),
                    seconds,
                    bytes_each: Some(COPY_BYTES),
                    is_right: found == expected,
                    ..measured
                })?;
            }
        }
    }
    Ok(())
}
