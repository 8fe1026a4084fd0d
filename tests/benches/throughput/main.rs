//! The benchmark of the repository: the whole sweep, recorded in `tests/benches/record`.
//!
//! `cargo bench -p boxwood_tests -- --help` lists the options. `boxwood_bench measure` runs the
//! same sweep without a checkout.

use std::error::Error;
use std::io;
use std::path::Path;

use boxwood_bench::{Check, Options, sweep, write_csv};
use clap::Parser;

/// Measure every algorithm and record the results.
#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// An argument that `cargo bench` passes to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let rows = sweep(&cli.options, &mut io::stdout().lock(), &mut |_| Ok(()))?;
    let Some(first) = rows.first() else { return Ok(()) };
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/record");
    std::fs::create_dir_all(&record)?;
    let path = record.join(first.file_stem()).with_extension("csv");
    write_csv(&mut std::fs::File::create(path)?, &rows)?;
    let wrong: Vec<String> =
        rows.iter().filter(|row| row.check == Check::Wrong).map(ToString::to_string).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
