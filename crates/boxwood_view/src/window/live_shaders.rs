//! Reading the shaders of the window again when their files change.

use std::path::Path;

use winit::event_loop::EventLoopProxy;

use super::thread::{Report, reporter};
use crate::gpu::LiveShaders;
use crate::watch::Watch;

/// The shaders of the window in a folder such as `shaders/wgsl`.
pub(crate) struct ShaderFolder {
    /// Watches the folder until it is dropped.
    _watch: Option<Watch>,
    /// Whether the window shows an error of a shader.
    pub(crate) has_error: bool,
}

impl ShaderFolder {
    /// Reports the shaders in a folder, now and when they change. Returns a notice too if changes
    /// will not be noticed.
    pub(crate) fn open(folder: &Path, proxy: &EventLoopProxy<Report>) -> (Self, Option<String>) {
        let report = reporter(proxy);
        let read = {
            let folder = folder.to_owned();
            move || report(Report::Shaders(LiveShaders::read(&folder)))
        };
        read();
        let watch = Watch::of_shaders(folder, read);
        let notice =
            watch.as_ref().err().map(|error| format!("changes of the shaders will not be noticed: {error}"));
        (Self { _watch: watch.ok(), has_error: false }, notice)
    }
}
