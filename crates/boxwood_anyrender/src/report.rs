//! The numbers of commands that are left out.

use std::fmt;

/// The numbers of commands that [`Frame::draw_into`](crate::Frame::draw_into) leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Report {
    /// The number of commands that paint.
    pub n_commands: usize,
    /// The number of those that are left out.
    pub n_omitted_commands: usize,
    /// The number of layers.
    pub n_layers: usize,
    /// The number of those that are left out.
    pub n_omitted_layers: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_commands, n_omitted_commands, n_layers, n_omitted_layers } = self;
        write!(
            f,
            "{n_omitted_commands} of {n_commands} commands and {n_omitted_layers} of {n_layers} layers are not drawn"
        )
    }
}
