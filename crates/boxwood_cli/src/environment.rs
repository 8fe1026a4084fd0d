//! The environment variables that graphics drivers read.

use std::env;
use std::path::Path;

/// A path that does not exist.
const NOWHERE: &str = "/nonexistent";

/// Keeps graphics drivers from printing to standard error. Call it before any thread starts.
///
/// Mesa's Vulkan layer `device_select` asks libwayland for the GPU of the compositor. libwayland
/// prints an error if `XDG_RUNTIME_DIR` is not an absolute path, as in a container or a cron job.
/// With a folder that does not exist, it finds no compositor either, but prints nothing.
pub(crate) fn silence_drivers() {
    const VARIABLE: &str = "XDG_RUNTIME_DIR";
    let is_valid = env::var_os(VARIABLE).is_some_and(|dir| Path::new(&dir).is_absolute());
    if !is_valid {
        // SAFETY: `main` calls this first, so no other thread reads the environment meanwhile.
        #[expect(unsafe_code, reason = "wgpu cannot leave out this layer")]
        unsafe {
            env::set_var(VARIABLE, NOWHERE);
        }
    }
}
