//! Options for loading.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::Error;
use crate::fonts::FontSet;
use crate::guard::deadline::CancelToken;
use crate::guard::limits::TIME_LIMIT;

/// How a drawing is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The fonts for text.
    pub fonts: Fonts,
    /// Folders with more fonts, which are searched with their subfolders.
    pub font_dirs: Vec<PathBuf>,
    /// The folder that the addresses of images are relative to.
    ///
    /// If it is `None`, [`load_file`](crate::load_file) uses the folder of the file, and
    /// [`load`](crate::load()) leaves out images in other files, with a warning.
    pub resources_dir: Option<PathBuf>,
    /// Whether the drawing, and each SVG image in it, is clipped to its viewport, as in a browser.
    /// Otherwise element 0 is a node around everything that does not clip.
    pub clip_to_viewport: bool,
    /// The id of an element that is removed from the text first, if it is directly inside of the
    /// root. [`Drawing::text_with`](crate::Drawing::text_with) then replaces it.
    pub removed_id: Option<String>,
    /// The elements that are drawn alone. `None` for all.
    pub only: Option<Only>,
    /// The time limit for loading. A minute by default, `None` for no limit.
    pub time_limit: Option<Duration>,
    /// Cancels the load. [`load`](crate::load()) then returns within milliseconds, and its thread
    /// ends after the current step. The longest steps are those of usvg, which parses the drawing.
    pub cancel: Option<CancelToken>,
    /// Whether the drawing can be [compared](crate::compare()), which takes more time to load.
    pub comparable: bool,
}

/// Elements that are drawn alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    /// The elements: each name is an id, a path such as `/svg/g[1]`, or else a
    /// [selector](crate::Selector). An element is drawn with everything in it, and also where a
    /// `use` draws it.
    pub names: Vec<String>,
    /// Whether the clip paths and masks around the elements, and the viewports of inner `svg`
    /// elements, clip them. The viewport of the drawing always does.
    pub clips: bool,
}

impl Options {
    /// Checks that the font folders exist. [`load`](crate::load()) does this first.
    ///
    /// # Errors
    ///
    /// [`Error::FontDir`] if a font folder cannot be listed.
    pub fn check(&self) -> Result<(), Error> {
        self.font_dirs.iter().try_for_each(|dir| match dir.read_dir() {
            Ok(_) => Ok(()),
            Err(source) => Err(Error::FontDir { dir: dir.clone(), source }),
        })
    }
}

/// The fonts for text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fonts {
    /// The fonts of the system. The bundled Noto Sans replaces every font that is missing, so that
    /// no text disappears.
    #[cfg(feature = "system-fonts")]
    System,
    /// The bundled Noto Sans only, so that the text is the same on every machine.
    #[cfg(feature = "system-fonts")]
    Bundled,
    /// These fonts only. The first one replaces every font that is missing. Without one, a text has
    /// no box, and [`Options::font_dirs`] does not count.
    Given(FontSet),
}

impl Default for Fonts {
    /// The fonts of the system, or none without the feature `system-fonts`.
    #[cfg(feature = "system-fonts")]
    fn default() -> Self {
        Self::System
    }

    /// No fonts, because those of the system need the feature `system-fonts`.
    #[cfg(not(feature = "system-fonts"))]
    fn default() -> Self {
        Self::Given(FontSet::default())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fonts: Fonts::default(),
            font_dirs: Vec::new(),
            resources_dir: None,
            clip_to_viewport: true,
            removed_id: None,
            only: None,
            time_limit: Some(TIME_LIMIT),
            cancel: None,
            comparable: false,
        }
    }
}
