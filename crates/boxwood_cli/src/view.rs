//! `boxwood view`: a window.

use std::io::Write;

use anyhow::Result;
use boxwood::{Gpu, GpuError};
use boxwood_view::{WindowOptions, run};
use tempfile::NamedTempFile;

use crate::args::ViewArgs;
use crate::input::{Input, expand, read_stdin};
use crate::report::Report;

/// Shows the files in a window until it is closed.
pub(crate) fn view(args: &ViewArgs, report: &mut Report) -> Result<()> {
    // A window reads its files again and again, which standard input does not allow: it becomes a file as well.
    let mut from_stdin: Option<NamedTempFile> = None;
    let mut files = Vec::new();
    for input in expand(&args.inputs, report) {
        match input {
            // A file may break while it is shown, but it must be there at first.
            Input::Path(path) if !path.exists() => {
                report.error_in("there is no such file", Input::Path(path));
            }
            Input::Path(path) => files.push(path),
            Input::Stdin => {
                let mut file = tempfile::Builder::new().prefix("stdin-").suffix(".svg").tempfile()?;
                file.write_all(&read_stdin()?)?;
                files.push(file.path().to_owned());
                from_stdin = Some(file);
            }
        }
    }
    if files.is_empty() {
        // Why has been reported.
        return Ok(());
    }
    if Gpu::adapters().is_empty() {
        // A window without an adapter would fail later, and say less.
        return Err(GpuError::NoAdapter.into());
    }
    let options = WindowOptions {
        adapter: args.adapter.adapter.clone(),
        overlay: args.overlay,
        background: args.background,
        load: args.fonts.options(),
    };
    run(&files, options)?;
    drop(from_stdin);
    Ok(())
}
