//! Reading the shaders of the window again when their files change.

use std::path::Path;

use boxwood_cli::Watch;

use super::thread::Report;
use crate::live_shaders::LiveShaders;

/// The shaders of the window in a folder such as `shaders/wgsl`.
pub(crate) struct ShaderFolder {
    /// Watches the folder until it is dropped.
    _watch: Option<Watch>,
}

impl ShaderFolder {
    /// Reports the shaders in a folder, now and when they change. Returns a notice too if changes
    /// will not be noticed.
    pub(crate) fn open(
        folder: &Path,
        report: impl Fn(Report) + Clone + Send + 'static,
    ) -> (Self, Option<String>) {
        let read = {
            let folder = folder.to_owned();
            move || report(Report::Shaders(LiveShaders::read(&folder)))
        };
        // Watching starts before reading, so that no change is missed.
        let watch = Watch::of_shaders(folder, read.clone());
        read();
        let notice =
            watch.as_ref().err().map(|error| format!("changes of the shaders will not be noticed: {error}"));
        (Self { _watch: watch.ok() }, notice)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_change_while_the_shaders_are_first_read_is_reported() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("meshes.wgsl");
        let (sender, reports) = mpsc::channel();
        let report = move |_| {
            if !path.exists() {
                fs::write(&path, "").expect("there is room for a file");
            }
            // The receiver is gone when the test is over.
            _ = sender.send(());
        };
        let _shaders = ShaderFolder::open(folder.path(), report);
        for reason in ["the first read", "the change"] {
            assert_eq!(reports.recv_timeout(Duration::from_secs(10)), Ok(()), "{reason}");
        }
    }
}
