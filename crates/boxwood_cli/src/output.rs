//! Standard output, whose errors say that it is that.

use std::io::{self, StdoutLock, Write};

/// Standard output.
pub(crate) struct Stdout(StdoutLock<'static>);

impl Stdout {
    /// Standard output, for as long as this lives.
    pub(crate) fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

/// The error with the name of what it is about. Its kind stays: a write that is interrupted is tried again, and a reader
/// that has left is no error.
fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write: {error}: standard output"))
}
