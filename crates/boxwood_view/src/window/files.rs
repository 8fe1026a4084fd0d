//! The files of a window, and the folders that they are in.

use std::io;
use std::path::{Path, PathBuf};

use boxwood_cli::{FolderError, Watch, drawings_beside, drawings_in};
use winit::event_loop::EventLoopProxy;

use super::inputs::ViewInput;
use super::thread::{Report, reporter};
use crate::state::{FileList, FileName};

/// The files that a window shows.
///
/// A folder stands for the drawings in it and in its folders. A single file comes with the drawings
/// next to it. A new drawing in one of these folders is found.
pub(crate) struct Files {
    list: Vec<ViewInput>,
    /// The named folders without drawings, and the folders that cannot be listed.
    problems: Vec<FolderError>,
    /// The watch of the folders, or the reason why there is none.
    watch: io::Result<Option<Watch>>,
}

impl Files {
    /// Lists files, and watches their folders. Returns the list of their names too.
    ///
    /// `roots` are the files and folders that the user named.
    ///
    /// # Errors
    ///
    /// The reason why no file was found in each of the folders.
    pub(crate) fn open(
        roots: Vec<ViewInput>,
        proxy: &EventLoopProxy<Report>,
    ) -> Result<(Self, FileList), Vec<FolderError>> {
        let first = match &roots[..] {
            [file] if !is_folder(file) => Some(file.clone()),
            _ => None,
        };
        let (list, problems) = expand(&roots);
        if list.is_empty() {
            return Err(problems);
        }
        let current = first.and_then(|first| list.iter().position(|file| *file == first)).unwrap_or(0);
        let names = FileList::new(names(&list), current);
        let folders = folders(&roots);
        let report = reporter(proxy);
        let changed = move || report(Report::Listed(expand(&roots).0));
        let watch = (!folders.is_empty()).then(|| Watch::of_folders(&folders, changed)).transpose();
        Ok((Self { list, problems, watch }, names))
    }

    /// Takes a new list of the same folders. Returns the list of names, whose current file stays
    /// `current`, or `None` if nothing has changed.
    pub(crate) fn relist(&mut self, mut list: Vec<ViewInput>, current: usize) -> Option<FileList> {
        let current = &self.list[current];
        let index = list.iter().position(|file| file == current).unwrap_or_else(|| {
            // A file that is gone stays for as long as it is shown.
            let index = list.partition_point(|file| file.to_string() < current.to_string());
            list.insert(index, current.clone());
            index
        });
        (list != self.list).then(|| {
            self.list = list;
            FileList::new(names(&self.list), index)
        })
    }

    pub(crate) fn get(&self, index: usize) -> &ViewInput {
        &self.list[index]
    }

    /// The named folders without drawings, and the folders that cannot be listed.
    pub(crate) fn problems(&self) -> &[FolderError] {
        &self.problems
    }

    /// A notice, if changes of the folders will not be noticed.
    pub(crate) fn notice(&self) -> Option<String> {
        let error = self.watch.as_ref().err()?;
        Some(format!("new files in the folder will not be noticed: {error}"))
    }
}

fn is_folder(input: &ViewInput) -> bool {
    input.path().is_some_and(Path::is_dir)
}

/// The files that the user named, those in folders, and those next to a single file; and the errors
/// about folders.
fn expand(roots: &[ViewInput]) -> (Vec<ViewInput>, Vec<FolderError>) {
    if let [ViewInput::Path(file)] = roots
        && !file.is_dir()
    {
        let files = drawings_beside(file).unwrap_or_else(|_| vec![file.clone()]);
        return (files.into_iter().map(ViewInput::Path).collect(), Vec::new());
    }
    let (mut list, mut problems) = (Vec::new(), Vec::new());
    for root in roots {
        match root {
            ViewInput::Path(folder) if folder.is_dir() => {
                for file in drawings_in(folder) {
                    match file {
                        Ok(file) => list.push(ViewInput::Path(file)),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            file => list.push(file.clone()),
        }
    }
    (list, problems)
}

/// The folders whose drawings are in the list, with whether the drawings in their folders are.
fn folders(roots: &[ViewInput]) -> Vec<(PathBuf, bool)> {
    if let [ViewInput::Path(file)] = roots
        && !file.is_dir()
    {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        return vec![(folder.unwrap_or(Path::new(".")).to_owned(), false)];
    }
    let paths = roots.iter().filter_map(ViewInput::path).filter(|path| path.is_dir());
    paths.map(|folder| (folder.to_owned(), true)).collect()
}

/// The names for the list.
fn names(list: &[ViewInput]) -> Vec<FileName> {
    let folders = list.iter().filter_map(|file| file.path()?.parent());
    let shared = folders.map(Path::to_owned).reduce(|a, b| shared_folder(&a, &b)).unwrap_or_default();
    let name = |file: &ViewInput| {
        let folder = file.path().and_then(Path::parent);
        let inside = folder.map(|folder| folder.strip_prefix(&shared).unwrap_or(folder));
        let folder = inside.unwrap_or(Path::new("")).display().to_string();
        FileName { name: file.name(), folder, path: file.to_string() }
    };
    list.iter().map(name).collect()
}

/// The innermost folder that has two folders, which may be one of them.
fn shared_folder(a: &Path, b: &Path) -> PathBuf {
    let shared = a.components().zip(b.components()).take_while(|(a, b)| a == b);
    shared.map(|(component, _)| component).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_single_file_comes_with_its_folder_and_folders_with_their_drawings() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("deep"))?;
        for name in ["a.svg", "b.svg", "deep/c.svg", "notes.txt"] {
            fs::write(folder.path().join(name), "")?;
        }
        let input = |name: &str| ViewInput::Path(folder.path().join(name));
        let names =
            |roots: &[ViewInput]| -> Vec<String> { expand(roots).0.iter().map(ViewInput::name).collect() };
        assert_eq!(names(&[input("b.svg")]), ["a.svg", "b.svg"]);
        assert_eq!(names(&[input("")]), ["a.svg", "b.svg", "c.svg"]);
        assert_eq!(names(&[input("b.svg"), input("deep")]), ["b.svg", "c.svg"]);
        fs::create_dir(folder.path().join("empty"))?;
        let (list, problems) = expand(&[input("empty"), input("deep")]);
        assert_eq!(list, [input("deep/c.svg")]);
        assert!(
            matches!(&problems[..], [FolderError::NoDrawings(named)] if named.ends_with("empty")),
            "{problems:?}"
        );
        let named = super::names(&[input("a.svg"), input("deep/c.svg")]);
        assert_eq!(named.iter().map(|name| &*name.folder).collect::<Vec<_>>(), ["", "deep"]);
        let named = super::names(&[input("deep/c.svg"), ViewInput::Path("/other/d.svg".into())]);
        assert_eq!(named[1].folder, "other");
        assert_eq!(folders(&[input("b.svg")]), [(folder.path().to_owned(), false)]);
        assert_eq!(folders(&[input("b.svg"), input("deep")]), [(folder.path().join("deep"), true)]);
        Ok(())
    }

    #[test]
    fn a_file_that_is_gone_stays_while_it_is_shown() {
        let input = |name: &str| ViewInput::Path(name.into());
        let list = |names: &[&str]| names.iter().map(|name| input(name)).collect::<Vec<_>>();
        let mut files =
            Files { list: list(&["a.svg", "b.svg", "d.svg"]), problems: Vec::new(), watch: Ok(None) };
        assert!(files.relist(list(&["a.svg", "b.svg", "d.svg"]), 1).is_none(), "nothing has changed");
        let names = files.relist(list(&["a.svg", "c.svg", "d.svg"]), 1).expect("the list has changed");
        assert_eq!((names.current(), names.current_name()), (1, "b.svg"));
        let names = files.relist(list(&["c.svg", "d.svg"]), 2).expect("the list has changed");
        assert_eq!((names.current(), names.current_name()), (0, "c.svg"));
    }
}
