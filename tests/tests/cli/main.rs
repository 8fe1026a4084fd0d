//! The `boxwood` command from the outside: what it prints where, and how it exits.

mod bad_input;
mod check;
mod ids;
mod info;
mod object_boxes;
mod query;
mod render;
mod run;
mod view;
