//! Shaders from files, for a program that reads them again while it runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::resolve::{SourceLine, resolve};

/// A shader without definitions, resolved from its file.
#[derive(Clone, Debug)]
pub struct LiveShader {
    lines: Vec<SourceLine>,
}

impl LiveShader {
    /// Reads the shader `<folder>/<room>/<name>.wgsl`, and the files that it imports from the rooms
    /// in the folder.
    ///
    /// # Errors
    ///
    /// A text with the file, and with the line of a wrong directive.
    pub fn read(folder: &Path, room: &str, name: &str) -> Result<Self, String> {
        let read = |path: &Path| {
            fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let rooms =
            fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        let rooms: Vec<_> = rooms.flatten().map(|room| room.path()).collect();
        let shared = |name: &str| {
            let path = |room: &Path| room.join("shared").join(format!("{name}.wgsl"));
            rooms.iter().find_map(|room| fs::read_to_string(path(room)).ok())
        };
        let source = read(&folder.join(room).join(format!("{name}.wgsl")))?;
        Ok(Self { lines: resolve(name, &source, &BTreeSet::new(), &shared)? })
    }

    /// Plain WGSL.
    pub fn source(&self) -> String {
        self.lines.iter().flat_map(|line| [&*line.text, "\n"]).collect()
    }

    /// The file and the line that a line of the source comes from, such as `entry.wgsl:12`. The
    /// first line is 1.
    pub fn place(&self, line: u32) -> Option<String> {
        let line = self.lines.get((line as usize).checked_sub(1)?)?;
        Some(format!("{}.wgsl:{}", line.file, line.number))
    }
}
