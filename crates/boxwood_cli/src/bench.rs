//! `boxwood bench`: how fast the algorithms are here.

use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use boxwood::thresholds::Thresholds;
use boxwood_bench::{Check, Row, plot, read_csv, sweep, update_thresholds};

use crate::args::BenchArgs;
use crate::output::Stdout;
use crate::report::Report;

/// Measures, or reads measurements, and plots them and takes thresholds from them if that is asked for.
pub(crate) fn bench(args: &BenchArgs, report: &mut Report) -> Result<()> {
    let rows = if let Some(path) = &args.from {
        if args.plot.is_none() && args.thresholds.is_none() {
            bail!("--from measures nothing: add --plot DIR or --thresholds FILE");
        }
        let text = fs::read_to_string(path).map_err(|error| at(path, error))?;
        read_csv(&text).map_err(|error| at(path, error))?
    } else {
        sweep(&args.options, &mut Stdout::lock(), args.csv.as_deref())?
    };
    if let Some(folder) = &args.plot {
        fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
        plot(&rows, folder)?;
    }
    if let Some(path) = &args.thresholds {
        write_thresholds(&rows, path, report).map_err(|error| at(path, error))?;
    }
    let n_wrong = rows.iter().filter(|row| row.check == Check::Wrong).count();
    if n_wrong > 0 {
        report.negative(format_args!("{n_wrong} of {} answers are wrong", rows.len()));
    }
    Ok(())
}

/// An error with the path that it is about.
fn at(path: &Path, error: impl Display) -> anyhow::Error {
    anyhow!("{error}: {}", path.display())
}

/// Puts what `rows` show into the table at `path`, which is made where there is none.
fn write_thresholds(rows: &[Row], path: &Path, report: &Report) -> Result<()> {
    let mut table = match fs::read_to_string(path) {
        Ok(text) => Thresholds::parse(&text)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Thresholds::default(),
        Err(error) => return Err(error.into()),
    };
    let replaced = update_thresholds(rows, &mut table);
    if replaced.is_empty() {
        bail!(
            "no row tells a threshold: measure match or boxes on all families, up to sizes that only some algorithms hold"
        );
    }
    fs::write(path, table.to_string())?;
    report.note(format_args!("{}: {}", path.display(), replaced.join(", ")));
    Ok(())
}
