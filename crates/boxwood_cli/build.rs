//! Notes the versions of the crates that decide what Boxwood draws, for `boxwood info`.

use std::path::Path;
use std::{env, fs};

const CRATES: [&str; 6] = ["wgpu", "vello", "vello_encoding", "usvg", "kurbo", "winit"];

fn main() {
    let folder = env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let lock = Path::new(&folder).ancestors().map(|f| f.join("Cargo.lock")).find(|path| path.is_file());
    let mut versions = Vec::new();
    if let Some(path) = lock {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path).unwrap_or_default();
        versions = CRATES
            .iter()
            .filter_map(|name| {
                let (_, entry) = text.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
                Some(format!("{name} {}", entry.split('"').next()?))
            })
            .collect();
    }
    println!("cargo::rustc-env=BOXWOOD_VERSIONS={}", versions.join(", "));
}
