//! Compiles and runs the examples in the READMEs of the libraries.

#[doc = include_str!("../../assets/README.md")]
mod boxwood_assets {}

#[doc = include_str!("../../crates/boxwood/README.md")]
mod boxwood {}

#[doc = include_str!("../../crates/boxwood_anyrender/README.md")]
mod boxwood_anyrender {}

#[doc = include_str!("../../crates/boxwood_cpu/README.md")]
mod boxwood_cpu {}

#[doc = include_str!("../../crates/boxwood_query/README.md")]
mod boxwood_query {}

#[doc = include_str!("../../crates/boxwood_render/README.md")]
mod boxwood_render {}

#[doc = include_str!("../../crates/boxwood_svg/README.md")]
mod boxwood_svg {}

#[doc = include_str!("../../crates/boxwood_vello/README.md")]
mod boxwood_vello {}

#[doc = include_str!("../../shaders/README.md")]
mod boxwood_shaders {}
/// Compiles the examples of the page.
#[doc = include_str!("../../docs/renderers.md")]
mod renderers {}

/// Compiles the example of the page.
#[doc = include_str!("../../docs/portability.md")]
mod portability {}
