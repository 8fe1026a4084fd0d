//! The times of a picture on the GPU as a file for the trace viewer of Chrome.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use wgpu_profiler::GpuTimerQueryResult;
use wgpu_profiler::chrometrace::write_chrometrace;

/// Writes the times into a new file in a folder, whose name begins with that of the drawing.
/// Returns its path.
pub(crate) fn save(folder: &Path, name: &str, times: &[GpuTimerQueryResult]) -> io::Result<PathBuf> {
    let mut number = 1_u32;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{name}{suffix}.trace.json"));
        // An existing file is kept.
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => {
                write_chrometrace(&path, times)?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::performance::tests::query;

    #[test]
    fn a_trace_is_saved_in_a_new_file() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let times = [query("frame", 0.002, vec![query("fine", 0.001, Vec::new())])];
        let [first, second] =
            [0, 1].map(|_| save(folder.path(), "a.svg", &times).expect("it can be written"));
        assert_eq!(first, folder.path().join("a.svg.trace.json"));
        assert_eq!(second, folder.path().join("a.svg-2.trace.json"));
        let text = std::fs::read_to_string(first).expect("it is there");
        for part in [r#""traceEvents""#, r#""name":"frame""#, r#""dur":1000,"#, r#""name":"fine""#] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
