//! `boxwood bench`: how fast the algorithms are here.

use std::io;

use anyhow::{Context, Result};
use boxwood_bench::{Check, plot, read_csv, sweep};

use crate::args::BenchArgs;
use crate::report::Report;

/// Measures, or reads measurements, and plots them if that is asked for.
pub(crate) fn bench(args: &BenchArgs, report: &mut Report) -> Result<()> {
    let rows = if let Some(path) = &args.from {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        read_csv(&text).with_context(|| path.display().to_string())?
    } else {
        sweep(&args.options, &mut io::stdout().lock(), args.csv.as_deref())?
    };
    if let Some(folder) = &args.plot {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        plot(&rows, folder)?;
    }
    let n_wrong = rows.iter().filter(|row| row.check == Check::Wrong).count();
    if n_wrong > 0 {
        report.negative(format_args!("{n_wrong} of {} answers are wrong", rows.len()));
    }
    Ok(())
}
