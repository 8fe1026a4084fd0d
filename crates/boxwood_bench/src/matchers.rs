//! The parentheses matching problem, by every algorithm.

use boxwood::matcher::{MatchBuffers, Matcher, Matchers};
use boxwood::{Gpu, read_items};

use crate::ceiling::COPY_BYTES;
use crate::checks::same;
use crate::error::BenchError;
use crate::input::{begins, bits};
use crate::run::{Measured, Session};
use crate::timer::time_on_cpu;

/// What is measured at every size, the sequential algorithm too.
const MAIN: [&str; 2] = ["random walk, reflected", "bounded depth"];

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let matchers = Matchers::new(device);
    let all_at = session.options.family_sizes(session.options.max);
    let mut sizes = session.options.sizes(session.options.max);
    sizes.extend(all_at.iter().filter(|_| session.options.quick));
    for k in sizes {
        let n = 1 << k;
        // What the algorithm or the device does not hold is not measured.
        let mut able: Vec<(Matcher, MatchBuffers)> = Matcher::ALL
            .into_iter()
            .filter_map(|matcher| Some((matcher, MatchBuffers::new(device, &matchers, matcher, n).ok()?)))
            .collect();
        for family in session.families_at(k, &MAIN, &all_at)? {
            let Some(begins) = begins(&family, n) else { continue };
            let bits = bits(&begins);
            let is_main = MAIN.contains(&family.name) || !session.options.family.is_empty();
            let n_cpu_runs = if is_main { session.options.n_runs() } else { 0 };
            let (seconds, expected) = time_on_cpu(n_cpu_runs, || boxwood_cpu::match_parentheses(&begins));
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
            for (matcher, buffers) in &mut able {
                buffers.upload(queue, &bits, n)?;
                measured.variant = matcher.name();
                measured.seconds = session.timer.time(|pass| matchers.record(pass, buffers))?;
                let matches: Vec<i32> = read_items(device, queue, buffers.matches(), n)?;
                measured.is_right = same(&expected, &matches);
                session.add(&measured);
            }
        }
    }
    Ok(())
}
