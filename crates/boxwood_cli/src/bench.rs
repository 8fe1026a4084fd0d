//! `boxwood bench`: how fast the algorithms are here.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use boxwood::testing::Thresholds;
use boxwood_bench::{Check, Row, plot, read_csv, sweep, update_thresholds};

use crate::args::BenchArgs;
use crate::output::Stdout;
use crate::report::Report;

/// The most bytes of a table of thresholds: far more than any has.
const MAX_TABLE: u64 = 1 << 20;

/// Measures, or reads measurements, and plots them and takes thresholds from them if that is asked for.
pub(crate) fn bench(args: &BenchArgs, report: &mut Report) -> Result<()> {
    // What the results are to go into is looked at first: to measure takes minutes.
    let table = args.thresholds.as_deref().map(|path| read_table(path).map_err(|error| at(path, error)));
    let table = table.transpose()?;
    if let Some(folder) = &args.plot {
        fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
    }
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
        plot(&rows, folder)?;
    }
    if let Some((path, table)) = args.thresholds.as_deref().zip(table) {
        write_thresholds(&rows, table, path, report).map_err(|error| at(path, error))?;
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

/// The table at `path`, an empty one where there is none.
fn read_table(path: &Path) -> Result<Thresholds> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Thresholds::default()),
        Err(error) => return Err(error.into()),
    };
    let mut text = String::new();
    if file.take(MAX_TABLE + 1).read_to_string(&mut text)? as u64 > MAX_TABLE {
        bail!("there are more than {MAX_TABLE} bytes, which no table of thresholds has");
    }
    Ok(Thresholds::parse(&text)?)
}

/// Puts what `rows` show into the table and writes it to `path`.
fn write_thresholds(rows: &[Row], mut table: Thresholds, path: &Path, report: &Report) -> Result<()> {
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
