//! `--watch`: a command runs again when its inputs change.

use std::sync::mpsc;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::input::Input;
use crate::program::is_broken_pipe;
use crate::report::Report;
use crate::watch_files::Watch;

/// Whether a command runs again.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct WatchArg {
    /// Run again whenever a file changes, until Ctrl+C
    ///
    /// A new drawing in one of the folders is a change too. Images and fonts are not watched.
    #[arg(long, hide_short_help = true)]
    watch: bool,
}

impl WatchArg {
    /// Runs a command, and again after each change if that is requested.
    ///
    /// # Errors
    ///
    /// The errors of the command, if it runs once. Otherwise, the inputs cannot be watched, or
    /// standard output is closed.
    pub(crate) fn run(
        self,
        inputs: &[Input],
        report: &mut Report,
        mut command: impl FnMut(&mut Report) -> Result<()>,
    ) -> Result<()> {
        if !self.watch {
            return command(report);
        }
        let path = |input: &Input| match input {
            Input::Path(path) | Input::NoFiles { folder: path, .. } => Ok(path.clone()),
            Input::Stdin => bail!("--watch is for files: standard input cannot be read again"),
        };
        let paths: Vec<_> = inputs.iter().map(path).collect::<Result<_>>()?;
        let (sender, changes) = mpsc::channel();
        // Watching starts before reading, so that no change is missed.
        let _watch = Watch::new(&paths, move || _ = sender.send(())).context("cannot watch the files")?;
        loop {
            let mut once = Report::new(report.is_quiet());
            match command(&mut once) {
                Err(error) if is_broken_pipe(&error) => {
                    report.append(once);
                    return Err(error);
                }
                Err(error) => once.error(error),
                Ok(()) => {}
            }
            once.note("waiting for changes (Ctrl+C ends the command)");
            changes.recv().context("the files are no longer watched")?;
            while changes.try_recv().is_ok() {}
        }
    }
}
