//! The native module of the Python package `boxwood`, which `python/boxwood` wraps.
//!
//! As in the module for WebAssembly, a question comes as a list of words (see
//! [`boxwood_query::question`]), and an answer is JSON. A batch of drawings is answered by tables of
//! Arrow.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 cannot borrow a list of strings")]

mod batch;
mod drawing;
mod errors;
mod settings;
mod signals;
mod source;
mod table;

/// Exported as `boxwood._boxwood`.
#[pyo3::pymodule(name = "_boxwood")]
mod module {
    #[pymodule_export]
    use crate::batch::Batches;
    #[pymodule_export]
    use crate::drawing::{LoadedDrawing, load, png};
    #[pymodule_export]
    use crate::errors::LoadError;
    #[pymodule_export]
    use crate::settings::Settings;
    #[pymodule_export]
    use crate::table::Table;
}
