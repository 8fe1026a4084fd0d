//! The scene stage against its specification: every algorithm, every border, and planted faults.

// The limits of a browser are WebGPU's defaults or higher, so its chunks are long.
#[cfg(not(target_arch = "wasm32"))]
mod chunks;
mod clipped;
mod faults;
mod frames;
mod memory_safety;
mod parity;
mod property;
