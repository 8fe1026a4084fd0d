//! The `boxwood` command as its users see it: its output, messages, files and exit codes.

mod adapters;
mod audit;
mod bad_input;
mod batches;
mod check;
mod crop;
mod diff;
mod errors;
mod explain;
mod help;
mod ids;
mod info;
mod many_files;
mod object_boxes;
mod outputs;
mod place;
mod precise;
mod query;
mod render;
mod run;
mod schema;
mod svg_output;
mod text_parts;
mod units;
mod view;
