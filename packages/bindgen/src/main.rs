//! Writes the JavaScript of a WebAssembly module.
//!
//!     boxwood_bindgen MODULE.wasm FOLDER
//!
//! This is `wasm-bindgen --target web`. As a member of the workspace, it has the version of the library wasm-bindgen
//! that the module was compiled with, and it needs no installation.

use std::env::args_os;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<_> = args_os().skip(1).collect();
    let [module, folder] = &arguments[..] else { bail!("usage: boxwood_bindgen MODULE.wasm FOLDER") };
    let mut bindgen = Bindgen::new();
    // The names of functions are for the report of the sizes. wasm-opt removes them later.
    bindgen.input_path(module).web(true)?.typescript(false).keep_debug(true);
    let generated = bindgen.generate(folder);
    generated.with_context(|| format!("cannot write the JavaScript of {}", module.display()))
}
