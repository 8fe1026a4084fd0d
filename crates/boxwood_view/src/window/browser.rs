//! The files of a window as the user sees them: opening, listing, recent files, thumbnails.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use boxwood_cli::{FolderError, may_be_drawing};
use boxwood_render::with_sources;
use boxwood_svg::Options;
use winit::event_loop::EventLoopProxy;

use super::files::Files;
use super::inputs::ViewInput;
use super::recent::Recent;
use super::thread::Report;
use super::thumbnails::Thumbnails;
use crate::panels::Panels;
use crate::state::{FileList, State, Topic};

/// The files of a window.
pub(crate) struct Browser {
    files: Files,
    recent: Recent,
    /// The thread for thumbnails, once the list has been seen.
    thumbnails: Option<Thumbnails>,
    /// When the files with thumbnails were last modified.
    modified: HashMap<String, Option<SystemTime>>,
    proxy: EventLoopProxy<Report>,
    options: Options,
}

impl Browser {
    /// Lists the files and folders that the user named. Returns the names of the files too.
    ///
    /// # Errors
    ///
    /// The reason why no file was found in each of the folders.
    pub(crate) fn open(
        roots: Vec<ViewInput>,
        proxy: EventLoopProxy<Report>,
        options: Options,
    ) -> Result<(Self, FileList), Vec<FolderError>> {
        let (files, names) = Files::open(roots, &proxy)?;
        let (recent, modified) = (Recent::read(), HashMap::new());
        Ok((Self { files, recent, thumbnails: None, modified, proxy, options }, names))
    }

    /// A notice, if changes of the folders will not be noticed.
    pub(crate) fn notice(&self) -> Option<String> {
        self.files.notice()
    }

    pub(crate) fn file(&self, index: usize) -> &ViewInput {
        self.files.get(index)
    }

    /// The recent files, the latest first.
    pub(crate) fn recent(&self) -> &[PathBuf] {
        self.recent.paths()
    }

    /// Shows other files instead of those in the list. Says which of the paths have no drawings.
    pub(crate) fn open_others(&mut self, paths: Vec<PathBuf>, state: &mut State) {
        state.end_message(Topic::Opening);
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for path in paths {
            match problem_of(&path) {
                Some(problem) => problems.push(problem),
                None => found.push(path),
            }
        }
        if !found.is_empty() {
            match Files::open(found.into_iter().map(ViewInput::Path).collect(), &self.proxy) {
                Ok((files, names)) => {
                    problems.extend(files.problems().iter().map(ToString::to_string));
                    files.notice().into_iter().for_each(|notice| state.notify(notice));
                    self.files = files;
                    state.show_files(names);
                }
                Err(empty) => problems.extend(empty.iter().map(ToString::to_string)),
            }
        }
        if !problems.is_empty() {
            state.put_message(Topic::Opening, problems.join("\n"));
        }
    }

    /// Takes a new list of the files in the same folders, some of which may have changed.
    pub(crate) fn relist(&mut self, list: Vec<ViewInput>, panels: &mut Panels, state: &mut State) {
        if let Some(names) = self.files.relist(list, state.files.current()) {
            state.files = names;
        }
        let modified = &self.modified;
        panels.files.forget(|path| modified.get(path).is_none_or(|known| *known != modified_at(path)));
    }

    /// Remembers that a file could be shown.
    pub(crate) fn add_recent(&mut self, state: &mut State) {
        if let Some(path) = self.files.get(state.files.current()).path() {
            self.recent.add(path);
            state.recent = self.recent.paths().to_vec();
        }
    }

    /// Starts drawing the thumbnails of these files instead of those before.
    pub(crate) fn draw_thumbnails(&mut self, indices: &[usize], state: &mut State) {
        if self.thumbnails.is_none() {
            match Thumbnails::start(&self.proxy, &self.options) {
                Ok(thumbnails) => self.thumbnails = Some(thumbnails),
                Err(error) => state.fail_command(with_sources(&error)),
            }
        }
        let file = |index: &usize| {
            let file = self.files.get(*index);
            (file.to_string(), file.clone())
        };
        let files: Vec<_> = indices.iter().map(file).collect();
        for (path, _) in &files {
            self.modified.insert(path.clone(), modified_at(path));
        }
        if let Some(thumbnails) = &self.thumbnails {
            thumbnails.want(files);
        }
    }
}

/// Why a path has no drawing, unless opening it shows that.
fn problem_of(path: &Path) -> Option<String> {
    let shown = path.display();
    if !path.exists() {
        return Some(format!("there is no file {shown}"));
    }
    match may_be_drawing(path) {
        Ok(true) => None,
        Ok(false) => Some(format!("{shown} is not a drawing: open an SVG or SVGZ file")),
        Err(error) => Some(format!("cannot read {shown}: {error}")),
    }
}

/// When a file was last modified. `None` for bytes, and for a file that is gone.
fn modified_at(path: &str) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|file| file.modified()).ok()
}
