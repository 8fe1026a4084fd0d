//! Stage *paths* against its twin on the CPU: scenes of every kind, layouts, limits, memory safety,
//! and planted faults.

mod element_boxes;
mod faults;
mod fill_scenes;
mod layout;
mod limits;
mod memory_safety;
mod near_ties;
mod parity;
mod stroke_faults;
mod stroke_scenes;
