//! The parentheses matching problem, by every algorithm.

use boxwood::native::Gpu;
use boxwood::tree::{MatchBuffers, Matcher, Matchers};

use crate::ceiling::COPY_BYTES;
use crate::error::BenchError;
use crate::input::{begins, bits};
use crate::options::What;
use crate::session::{Measured, Session};
use crate::timer::time_on_cpu;

/// What is measured at every size, the sequential algorithm too.
const MAIN: [&str; 2] = ["random walk, reflected", "bounded depth"];

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let matchers = Matchers::new(device);
    for (k, families) in session.inputs(What::Match, &MAIN)? {
        let n = 1 << k;
        // What the algorithm or the device does not hold is not measured.
        let mut able: Vec<(Matcher, MatchBuffers)> = Matcher::ALL
            .iter()
            .copied()
            .filter_map(|matcher| Some((matcher, MatchBuffers::new(device, &matchers, matcher, n).ok()?)))
            .collect();
        for family in families {
            let Some(begins) = begins(&family, n) else { continue };
            let bits = bits(&begins);
            let is_main = MAIN.contains(&family.name) || !session.options.family.is_empty();
            let n_cpu_runs = if is_main { session.options.n_runs() } else { 0 };
            let (seconds, expected) =
                time_on_cpu(n_cpu_runs, || boxwood_cpu::tree::match_parentheses(&begins));
            let mut measured = Measured {
                what: "match",
                n,
                family: family.name,
                variant: "cpu",
                seconds,
                bytes_each: None,
                is_right: true,
            };
            if is_main {
                session.add(&measured);
            }
            measured.bytes_each = Some(COPY_BYTES);
            // One after the other without a pause, so that a GPU warms up once; what they gave stays in their buffers.
            for (_, buffers) in &mut able {
                buffers.upload(queue, &bits, n)?;
            }
            let times = able.iter().map(|(_, buffers)| session.timer.time(|pass| buffers.record(pass)));
            let times: Vec<_> = times.collect::<Result<_, _>>()?;
            for ((matcher, buffers), seconds) in able.iter().zip(times) {
                measured.variant = matcher.name();
                measured.seconds = seconds;
                let difference = session.comparer.difference("matches", &expected, buffers.matches())?;
                measured.is_right = difference.is_none();
                session.add(&measured);
            }
        }
    }
    Ok(())
}
