//! Passes the versions of the crates that determine the output to `boxwood info`.

use std::path::Path;
use std::{env, fs};

const CRATES: [&str; 5] = ["wgpu", "vello", "vello_encoding", "usvg", "kurbo"];

fn main() {
    let folder = env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let mut locks = Path::new(&folder).ancestors().map(|folder| folder.join("Cargo.lock"));
    let lock = locks.find(|lock| lock.is_file()).unwrap_or_default();
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(lock).unwrap_or_default();
    let version = |name| {
        let (_, entry) = text.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
        Some(format!("{name} {}", entry.split('"').next()?))
    };
    let versions: Vec<_> = CRATES.into_iter().filter_map(version).collect();
    println!("cargo::rustc-env=BOXWOOD_VERSIONS={}", versions.join(", "));
}
