//! The suite: one binary, so that it is linked once and its tests share one device.

mod corpus;
mod dependencies;
mod golden;
mod layout;
mod mutation;
mod parity;
mod property;
mod window;
