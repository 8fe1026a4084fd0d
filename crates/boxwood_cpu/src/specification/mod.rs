//! The specification of the GPU stages and of the [`Engine`](crate::Engine): one obvious sequential
//! function per stage.
//!
//! Every variant on a GPU and on the CPU equals these functions bit for bit. They are written to be
//! read, not to be fast: [`boxes`] makes five passes and allocates each result. The engine has the
//! same results.
//!
//! The modules are the rooms of the project. `boxwood` (the GPU side) and `boxwood_shaders` (the
//! WGSL) have the same ones.
//!
//! | module | contents |
//! |---|---|
//! | [`tree`] | parenthesis matching, and scans over a tree of values of any monoid |
//! | [`scene`] | a scene in, its boxes out: compaction, clip boxes, clipped boxes, group boxes |
//! | [`spatial`] | what is done with boxes: selection, sorting, search, a tree, queries, layers, damage, occlusion |
//! | `papers` | algorithms as their papers describe them; needs the feature `papers` |

#[cfg(feature = "papers")]
pub mod papers;
pub mod scene;
pub mod spatial;
pub mod tree;

pub use scene::boxes;
