//! The scene stage against its specification: every algorithm, every border, and planted faults.

mod chunks;
mod clipped;
mod faults;
mod frames;
mod memory_safety;
mod parity;
mod property;
