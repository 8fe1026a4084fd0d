//! `boxwood man`: the manual page.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::output::Stdout;

const EXAMPLES: &str = "\
Examples:
  # Read the manual page
  boxwood man | man -l -

  # Install it
  boxwood man > /usr/local/share/man/man1/boxwood.1";

/// Print the manual page
///
/// The page contains the help of every command. It is in the format of `man`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ManArgs {}

/// Prints the manual page.
pub(crate) fn man(ManArgs {}: &ManArgs, command: Command) -> Result<()> {
    let mut out = Stdout::lock();
    out.write_all(&page(command)?)?;
    Ok(out.flush()?)
}

/// The page of a command, with a section for each of its subcommands.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend(body(&command, "SH")?);
    let mut commands = Roff::new();
    commands.control("SH", ["COMMANDS"]);
    for subcommand in command.get_subcommands() {
        let about = subcommand.get_about().unwrap_or_default().to_string();
        commands.control("TP", []).text([bold(subcommand.get_name())]).text([roman(about)]);
    }
    commands.to_writer(&mut page)?;
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_bin_name().unwrap_or_else(|| subcommand.get_name());
        let mut heading = Roff::new();
        heading.control("SH", [name.to_uppercase().as_str()]);
        heading.to_writer(&mut page)?;
        page.extend(body(subcommand, "SS")?);
    }
    Ok(page)
}

/// The sections of a command after its name, with this macro for their headings.
fn body(command: &Command, heading: &str) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut body = Vec::new();
    man.render_synopsis_section(&mut body)?;
    man.render_description_section(&mut body)?;
    man.render_options_section(&mut body)?;
    let mut after = Roff::new();
    for line in command.get_after_long_help().unwrap_or_default().to_string().lines() {
        match line.strip_suffix(':') {
            // The lines of examples and tables are not filled.
            Some(title) => {
                _ = after.control("fi", []).control("SH", [title.to_uppercase().as_str()]).control("nf", []);
            }
            None => _ = after.text([roman(line)]),
        }
    }
    after.control("fi", []);
    after.to_writer(&mut body)?;
    let body = String::from_utf8(body).map_err(io::Error::other)?;
    Ok(body.replace(".SH ", &format!(".{heading} ")).into_bytes())
}
