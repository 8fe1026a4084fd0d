//! JSON, for several commands.

use std::io;

use serde::Serialize;

/// A value as JSON in one line.
pub(crate) fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}
