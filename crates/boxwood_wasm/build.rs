//! Options of the linker.

/// The stack of the module, in bytes. The loader takes up to 8 KiB for each level of nested elements. JavaScript engines
/// have about 1 MB for the part of the stack that is not in the memory of a module, which ends sooner then.
const STACK_SIZE: u32 = 8 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        return;
    }
    // The host creates the memory, so that it can limit its size.
    for argument in ["--import-memory".to_owned(), format!("-zstack-size={STACK_SIZE}")] {
        println!("cargo::rustc-link-arg-cdylib={argument}");
    }
}
