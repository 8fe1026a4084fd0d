//! Protection against drawings that take too much time, memory or stack.

pub(crate) mod arcs;
pub(crate) mod attributes;
pub(crate) mod clock;
pub(crate) mod deadline;
pub(crate) mod document;
#[cfg(feature = "text")]
pub(crate) mod fonts;
pub(crate) mod limits;
pub(crate) mod references;
pub(crate) mod thread;
