//! The benchmark: measures Boxwood's algorithms, and compares them with their specification.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use boxwood::native::Gpu;
use boxwood_bench::{
    Check, CheckOptions, Options, Row, check, is_on_all_cores, json_text, plot, read_csv, sweep, write_csv,
};
use boxwood_cli::{AdapterArg, Input, MessageArgs, OutputFile, Report, Stdout, run_program};
use clap::{Args, Parser, Subcommand};

const MEASURE_EXAMPLES: &str = "\
Examples:
  # See whether the benchmark works, in a few seconds
  boxwood_bench measure --quick

  # Measure the boxes of scenes with up to 2^20 elements, and plot the rates
  boxwood_bench measure --what boxes --max 20 --csv rates.csv --plot plots/

  # Measure the spatial stages and frames on a GPU, at every second size
  boxwood_bench measure --what spatial,frames --max 24 --step 2 --csv r.csv

  # Plot measurements again, with those of another program
  boxwood_bench measure --from rates.csv --from cub.csv --plot plots/";

const CHECK_EXAMPLES: &str = "\
Examples:
  # Check every algorithm, on a certain adapter
  boxwood_bench check --adapter llvmpipe

  # Check trees of one shape
  boxwood_bench check --family comb

  # Look for races in the parenthesis matching of large trees
  boxwood_bench check --what match --max 20 --repeat 10";

const TEXT_EXAMPLES: &str = "\
Examples:
  # Write the text of 64 MiB that `measure --what json` parses
  boxwood_bench text --family messages --bytes 67108864 messages.json";

/// Measure Boxwood's algorithms, and compare them with their specification, on generated inputs
#[derive(Debug, Parser)]
#[command(name = "boxwood_bench", version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    messages: MessageArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    Measure(MeasureArgs),
    Check(CheckArgs),
    Text(TextArgs),
}

fn main() -> ExitCode {
    run_program(
        || false,
        |cli: &Cli| &cli.messages,
        |cli, report| match &cli.command {
            Command::Measure(args) => measure(args, report),
            Command::Check(args) => check_algorithms(args, report),
            Command::Text(args) => write_text(args),
        },
    )
}

/// Measure the speed of the algorithms on this machine
///
/// Prints one line per measurement: what was measured, its size, the algorithm, the family of
/// inputs, the median time, the rate, the median time until the results are in the memory of the
/// CPU, and the rate as a percentage of the bound. The bound is the rate at which the device would
/// copy the memory that the task must at least move: 8 bytes per entry to match, 36.25 bytes per
/// entry for all boxes, and the streams and boxes of paths.
///
/// Times are timestamps of the device around one compute pass, or n/a if the device has none. Each
/// result is then compared with the specification. If one is wrong, the exit code is 1.
#[derive(Debug, Args)]
#[command(after_long_help = MEASURE_EXAMPLES)]
struct MeasureArgs {
    /// Measure nothing: plot the measurements in this CSV file. May be repeated
    #[arg(
        long,
        value_name = "FILE",
        requires = "plot",
        conflicts_with_all = ["csv", "what", "min", "max", "step", "family", "runs", "adapter", "quick"]
    )]
    from: Vec<PathBuf>,
    /// Write the measurements to this CSV file, which is updated after each one
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the rates and times as SVG files in this folder
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

/// Measures, or reads measurements, and plots them if requested.
fn measure(args: &MeasureArgs, report: &mut Report) -> Result<()> {
    // The outputs are checked first, because measuring takes minutes.
    let mut files: Vec<_> = args.from.iter().cloned().map(Input::Path).collect();
    let mut output = |path: &Path, extension| {
        let file = OutputFile::new(path, extension, &files)?;
        files.push(Input::Path(path.to_owned()));
        anyhow::Ok(file)
    };
    let csv = args.csv.as_deref().map(|path| output(path, "csv")).transpose()?;
    if let Some(folder) = &args.plot {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut rows = Vec::new();
    for path in &args.from {
        rows.extend(read_rows(path)?);
    }
    if args.from.is_empty() {
        rows = sweep(&args.options, &mut Stdout::lock(), &mut |rows| {
            let mut text = Vec::new();
            write_csv(&mut text, rows)?;
            csv.as_ref().map_or(Ok(()), |file| file.write(&text))
        })?;
        if rows.iter().any(|row| is_on_all_cores(&row.variant)) {
            report.note(format_args!("all cores: {} threads", rayon::current_num_threads()));
        }
    }
    if let Some(folder) = &args.plot {
        for (name, svg) in plot(&rows)? {
            output(&folder.join(name), "svg")?.write(svg.as_bytes())?;
        }
    }
    let n_wrong = rows.iter().filter(|row| row.check == Check::Wrong).count();
    if n_wrong > 0 {
        report.negative(format_args!("{n_wrong} of {} results are wrong", rows.len()));
    }
    Ok(())
}

/// Compare every algorithm with its specification, bit for bit
///
/// Every algorithm runs on generated trees that are difficult for such algorithms, with sizes around
/// powers of 2. Prints one line per algorithm and family of inputs, with the first value that
/// differs. `measure --what spatial` compares the stages that use boxes.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
struct CheckArgs {
    #[command(flatten)]
    adapter: AdapterArg,
    #[command(flatten)]
    options: CheckOptions,
}

/// Compares every algorithm with its specification.
fn check_algorithms(args: &CheckArgs, report: &mut Report) -> Result<()> {
    let gpu = Gpu::open(args.adapter.name.as_deref())?;
    let tally = check(&gpu, &args.options, &mut Stdout::lock())?;
    if tally.n_different > 0 {
        report.answered_no();
    }
    report.note(format_args!("{tally}, on {}", gpu.adapter.get_info().name));
    Ok(())
}

/// Write a generated JSON text to a file
///
/// The text is the one that `measure --what json` parses at this size, so that other programs can
/// parse the same text.
#[derive(Debug, Args)]
#[command(after_long_help = TEXT_EXAMPLES)]
struct TextArgs {
    /// The family of texts: "messages", "coordinates", "deep nest", "long strings", or "lines"
    #[arg(long, value_name = "NAME")]
    family: String,
    /// The size in bytes. The text ends with the last record that fits, and has at least one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    bytes: u32,
    /// The JSON file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Writes a generated text.
fn write_text(args: &TextArgs) -> Result<()> {
    let file = OutputFile::new(&args.file, "json", &[])?;
    file.write(&json_text(&args.family, args.bytes as usize)?)?;
    Ok(())
}

fn read_rows(path: &Path) -> Result<Vec<Row>> {
    let read = || anyhow::Ok(read_csv(&fs::read_to_string(path)?)?);
    read().with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed_and_so_are_its_examples() {
        Cli::command().debug_assert();
        for help in [MEASURE_EXAMPLES, CHECK_EXAMPLES, TEXT_EXAMPLES] {
            let examples = help.lines().map(str::trim).filter(|line| line.starts_with("boxwood_bench "));
            let mut n_examples = 0;
            for example in examples {
                assert!(Cli::try_parse_from(example.split_whitespace()).is_ok(), "{example}");
                n_examples += 1;
            }
            assert!(n_examples > 0, "{help}");
        }
    }
}
