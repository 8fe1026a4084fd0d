//! The WGSL of Boxwood: resolved, validated, and reflected when this crate is built.
//!
//! Each module is a room, and its shaders are the files of the folder `wgsl/<room>`. A file is one
//! dispatch; files that several shaders share are in `wgsl/<room>/shared`. A file that is compiled
//! several times with different definitions lists its shaders at its head. The suffixes have these
//! meanings:
//!
//! - `_reduce` summarises each partition for the dispatches after it.
//! - `_finish` computes the results of a partition's entries from the summaries of the other
//!   partitions.
//! - `_chunked` is a variant for arrays that are larger than a storage binding.
//!
//! Each shader has the type of its bindings as a parameter: a struct with a field per binding, such
//! as [`core::SpineTop`] for [`core::SPINE_TOP`]. A program that fills the struct with its buffers
//! does not compile if one is missing or too many. Shaders of a file with the same bindings share
//! the struct.
//!
//! All shaders keep within WebGPU's default limits: 256 invocations, 16,384 bytes of workgroup
//! memory, 8 storage buffers, and no optional feature.
//!
//! This crate runs nothing. `boxwood` makes pipelines from it. A renderer with its own pipelines
//! can do the same, or copy the files: they are written in Vello's dialect, and are also available
//! under the Unlicense.
//!
//! Each room except `core` is a cargo feature.

#[cfg(test)]
mod contract;
#[cfg(feature = "live")]
mod live;
mod monoid;
mod operators;
#[cfg(test)]
mod permutations;
#[cfg(any(test, feature = "live"))]
mod resolve;

#[cfg(feature = "live")]
pub use live::LiveShader;
pub use monoid::around_monoid;
pub use operators::{MixedOperators, check_operators};

use std::marker::PhantomData;
use std::ops::Deref;

/// A shader, and what a pipeline with it must provide.
#[derive(Clone)]
pub struct Shader {
    /// The name of its file without the suffix, or of a permutation of that file.
    pub name: &'static str,
    /// Plain WGSL without directives. The entry point of a compute shader is `main`.
    pub source: &'static str,
    /// Invocations per workgroup in x, y, and z. Zeros for a shader that draws.
    pub workgroup_size: [u32; 3],
    /// The resources that it binds, all in group 0, by ascending index.
    pub bindings: &'static [Binding],
    /// Bytes of workgroup memory.
    pub workgroup_memory: u32,
}

/// The name alone: the source has hundreds of lines.
impl std::fmt::Debug for Shader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shader({})", self.name)
    }
}

/// A shader with the type of its bindings: `S` is the struct with a field for each of them.
#[derive(Clone, Debug)]
pub struct ShaderWith<S> {
    shader: Shader,
    slots: PhantomData<fn(S)>,
}

impl<S> ShaderWith<S> {
    const fn new(shader: Shader) -> Self {
        Self { shader, slots: PhantomData }
    }

    /// The shader without the type of its bindings, also in constants.
    pub const fn shader(&self) -> &Shader {
        &self.shader
    }
}

impl<S> Deref for ShaderWith<S> {
    type Target = Shader;

    fn deref(&self) -> &Shader {
        &self.shader
    }
}

/// One item for each binding of a shader, such as a buffer: a struct with a field per binding.
///
/// A program that binds a shader by this struct does not compile if a buffer is missing or too
/// many.
pub trait Slots {
    /// The type of the fields.
    type Item;
    /// The struct without items, which [`ShaderWith`] has as its parameter.
    type Shape: 'static;

    /// The items in the order of [`Shader::bindings`].
    fn into_items(self) -> Vec<Self::Item>;
}

/// The bindings of a single shader, whose file is compiled to one shader with them.
pub trait SlotsOfOne: Slots {
    /// The shader.
    const SHADER: &'static ShaderWith<Self::Shape>;
}

/// A resource that a shader binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its index in group 0.
    pub index: u32,
    /// The name of its variable.
    pub name: &'static str,
    /// The kind of resource.
    pub kind: BindingKind,
}

/// The kind of a resource that a shader binds.
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
