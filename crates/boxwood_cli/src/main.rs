//! The program `boxwood`.

use std::process::ExitCode;

fn main() -> ExitCode {
    boxwood_cli::boxwood()
}
