//! The command `boxwood`, as a library.
//!
//! [`boxwood()`] is the program. The other items are those that it shares with its siblings, the
//! window `boxwood-view` and the benchmark `boxwood_bench`: arguments, inputs, outputs, and
//! messages.

mod audit;
mod batches;
mod cells;
mod check;
mod command;
mod completions;
mod crop;
mod device;
mod diff;
mod editor;
#[cfg(unix)]
mod environment;
mod explain;
mod folder;
mod info;
mod input;
mod jobs;
mod json;
mod man;
mod numbers;
mod output;
mod outputs;
mod program;
mod query;
mod render;
mod report;
mod view;
mod wanted;
mod watch;
mod watch_files;

pub use command::boxwood;
pub use device::AdapterArg;
pub use editor::{EditorCommand, EditorError};
pub use folder::{FolderError, drawings_beside, drawings_in, may_be_drawing};
pub use input::{Input, LoadArgs, read_stdin};
pub use output::{OutputFile, Stdout};
pub use program::{MessageArgs, run_program};
pub use query::BoxFormat;
pub use report::Report;
pub use view::{VIEW_EXAMPLES, ViewArgs};
pub use watch_files::{Watch, is_svg_name};
