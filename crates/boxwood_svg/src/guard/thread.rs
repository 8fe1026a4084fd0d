//! Work that may need a large stack or panic.
//!
//! usvg, resvg and this crate recurse with the nesting of a drawing, and usvg and resvg panic on
//! some drawings.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Work;

#[cfg(target_family = "wasm")]
mod here;
#[cfg(not(target_family = "wasm"))]
mod workers;

#[cfg(target_family = "wasm")]
pub(crate) use here::run;
#[cfg(not(target_family = "wasm"))]
pub(crate) use workers::run;

/// The name of the threads in which drawings are loaded and drawn.
///
/// A panic in them becomes an error with the same message, so the panic hook of a program need not
/// print it.
pub const THREAD_NAME: &str = "boxwood_svg";

/// The name of the program that does the work, for messages.
fn program(kind: Work) -> &'static str {
    if kind == Work::Loading { "the loader" } else { "resvg" }
}

/// The result of `work`, or the message of its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message_of(&*payload))
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
