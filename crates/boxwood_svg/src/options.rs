//! How to load.

use std::path::PathBuf;
use std::time::Duration;

use crate::Error;
use crate::patience::TIME_LIMIT;

/// How a drawing is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which fonts text may use.
    pub fonts: Fonts,
    /// Folders with more fonts, searched with all they hold.
    pub font_dirs: Vec<PathBuf>,
    /// The folder that the addresses of images are relative to. [`load_file`](crate::load_file) takes the folder of
    /// the file where this is `None`; [`load`](crate::load) then leaves images in other files out, with a warning.
    pub resources_dir: Option<PathBuf>,
    /// Whether what is outside of a viewport is clipped away, as a browser does: of the document's, and of that of a drawing
    /// which is an image in it. Where it is not, element 0 is a node around everything that clips nothing.
    pub clip_to_viewport: bool,
    /// How long loading may take.
    pub time_limit: Option<Duration>,
}

impl Options {
    /// Whether what they name is there. [`load`](crate::load) asks before it begins.
    ///
    /// # Errors
    ///
    /// A folder of fonts that cannot be listed.
    pub fn check(&self) -> Result<(), Error> {
        self.font_dirs.iter().try_for_each(|dir| match dir.read_dir() {
            Ok(_) => Ok(()),
            Err(source) => Err(Error::FontDir { dir: dir.clone(), source }),
        })
    }
}

/// Which fonts text may use. Noto Sans is always among them, and stands in for every font that is not there, so that
/// text never vanishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fonts {
    /// The fonts of the system and the bundled Noto Sans.
    #[default]
    System,
    /// The bundled Noto Sans alone: the same text on every machine.
    Bundled,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fonts: Fonts::System,
            font_dirs: Vec::new(),
            resources_dir: None,
            clip_to_viewport: true,
            time_limit: Some(TIME_LIMIT),
        }
    }
}
