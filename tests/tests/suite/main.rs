//! The suite: one binary, so that it is linked once.

mod bench;
mod dependencies;
mod drawings;
mod golden;
mod labels;
mod layout;
mod operators;
mod paths;
mod read_back;
mod scene;
mod spatial;
mod tree;
mod uniformity;
mod vello;
mod window;
mod window_files;
mod window_sizes;
mod window_tools;
