//! `boxwood completions`: the completion of commands in a shell.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::output::Stdout;

const EXAMPLES: &str = "\
Examples:
  # Complete in the current shell, which is Bash
  source <(boxwood completions bash)

  # Complete in every session
  boxwood completions bash > ~/.local/share/bash-completion/completions/boxwood
  boxwood completions fish > ~/.config/fish/completions/boxwood.fish

  # The same for zsh, in a folder that is in $fpath
  boxwood completions zsh > ~/.zfunc/_boxwood";

/// Print a script that completes commands and options in a shell
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for a shell.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<()> {
    // The generator panics if its output fails, as it does if a reader closes it.
    let mut script = Vec::new();
    generate(args.shell, &mut command, "boxwood", &mut script);
    let mut out = Stdout::lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
