//! Requests of the panels to the window.

use std::path::PathBuf;

use super::Sheet;
use crate::export::{Export, Target};

/// Something that only the window can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The current file must be loaded.
    Load,
    /// The load or the picture that the user waits for must be cancelled.
    CancelWork,
    /// These files and folders must be shown instead of those in the list.
    Open(Vec<PathBuf>),
    /// The drawing must be exported. Without a path, the new file is next to the drawing.
    Export(Export, Target, Option<PathBuf>),
    /// Suggest a path for an export where no file exists.
    SuggestPath(Export),
    /// The dialog of the desktop for saving an export must be shown, with this path at first.
    BrowseToSave(Export, PathBuf),
    /// The dialog of the desktop must be shown for a sheet: for opening files, or for comparing.
    Browse(Sheet),
    /// The drawing must be compared with the file at this place of the list.
    CompareWithListed(usize),
    /// The drawing must be compared with this file.
    CompareWith(PathBuf),
    /// The thumbnails of these files must be drawn, instead of those that were requested before.
    Thumbnails(Vec<usize>),
    /// An editor must show the current file at this line and column.
    OpenInEditor([u32; 2]),
    /// The times of the last picture on the GPU must be saved.
    SaveTrace,
    /// The times of all pictures so far must be forgotten.
    ClearTimes,
    /// The window closes.
    Quit,
}

impl Request {
    /// Whether the user runs something that may fail, which ends the error of the last such action.
    pub(super) fn is_action(&self) -> bool {
        matches!(
            self,
            Self::Export(..)
                | Self::BrowseToSave(..)
                | Self::Browse(_)
                | Self::CompareWithListed(_)
                | Self::CompareWith(_)
                | Self::OpenInEditor(_)
                | Self::SaveTrace
        )
    }
}
