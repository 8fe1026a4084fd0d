//! The WGSL of every stage of Boxwood: resolved, validated and reflected when this crate is built.
//!
//! One stage a file in `wgsl/`, named by its verb, with what stages share in `wgsl/shared/`. A stage in several
//! dispatches has one file a dispatch: `_reduce` sums up each partition, `_leaf` finishes each entry. A file may make several
//! shaders, which `wgsl/permutations` then lists. All run within WebGPU's default limits: 256 invocations, 16,384 bytes of
//! workgroup memory, 8 storage buffers, no feature.
//!
//! This crate runs nothing. `boxwood` makes pipelines of [`SHADERS`]; a renderer with a pipeline of its own can do
//! the same, or paste the files: they are in Vello's dialect, and also under the Unlicense.

mod monoid;
#[cfg(test)]
mod permutations;
#[cfg(test)]
mod permutations_tests;
#[cfg(test)]
mod resolve;
#[cfg(test)]
mod resolve_tests;

pub use monoid::around_monoid;

/// A shader, and what a pipeline with it must provide.
#[derive(Clone, Debug)]
pub struct Shader {
    /// The name of its file in `wgsl/` without the suffix, or of the permutation of one.
    pub name: &'static str,
    /// Plain WGSL, imports resolved. The entry point of a compute shader is `main`.
    pub source: &'static str,
    /// Invocations of a workgroup in x, y and z; zeros for a shader that draws.
    pub workgroup_size: [u32; 3],
    /// What it binds, all in group 0, by ascending index.
    pub bindings: &'static [Binding],
    /// Bytes of workgroup memory.
    pub workgroup_memory: u32,
}

/// A resource that a shader binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its index in group 0.
    pub index: u32,
    /// The name of its variable.
    pub name: &'static str,
    /// How it is bound.
    pub kind: BindingKind,
}

/// How a resource is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindingKind {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer that the shader only reads.
    StorageRead,
    /// A storage buffer that the shader writes.
    StorageReadWrite,
}

include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
