//! `boxwood view`: a window.

use anyhow::Result;
use boxwood::native::{Gpu, GpuError};
use boxwood_view::{ViewInput, WindowOptions, run};

use crate::args::ViewArgs;
use crate::input::{Input, expand, read_stdin};
use crate::report::Report;

/// Shows the files in a window until it is closed.
pub(crate) fn view(args: &ViewArgs, report: &mut Report) -> Result<()> {
    let load = args.load.options()?;
    let mut inputs = Vec::new();
    for input in expand(&args.inputs, report) {
        match input {
            // A file may break while it is shown, but it must be there at first.
            Input::Path(path) if !path.exists() => {
                report.error_in("there is no such file", Input::Path(path));
            }
            Input::Path(path) => inputs.push(ViewInput::Path(path)),
            Input::Stdin => {
                inputs.push(ViewInput::Bytes { name: "stdin".to_owned(), bytes: read_stdin()?.into() });
            }
        }
    }
    if inputs.is_empty() {
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
        boxes: args.boxes,
        background: args.background,
        load,
    };
    Ok(run(inputs, options)?)
}
