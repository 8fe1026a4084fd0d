//! Captures of a picture by RenderDoc.

use std::fs;

/// The reason why no picture can be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// RenderDoc is not in the process.
    #[error(
        "cannot capture a picture: RenderDoc is not attached: start this program in RenderDoc, or by `renderdoccmd \
         capture boxwood-view …`"
    )]
    NotAttached,
    /// wgpu looks for RenderDoc only with debug assertions.
    #[error(
        "cannot capture a picture: this program is built without debug assertions: build it by `cargo build`, \
         without --release"
    )]
    Release,
}

/// Checks whether pictures can be captured.
///
/// Only Linux lists the libraries of a process in a file. Elsewhere, wgpu logs a warning if
/// RenderDoc is not attached.
pub(crate) fn check() -> Result<(), CaptureError> {
    check_libraries(fs::read_to_string("/proc/self/maps").ok().as_deref(), cfg!(debug_assertions))
}

fn check_libraries(maps: Option<&str>, has_assertions: bool) -> Result<(), CaptureError> {
    if maps.is_some_and(|maps| !maps.contains("librenderdoc.so")) {
        return Err(CaptureError::NotAttached);
    }
    if has_assertions { Ok(()) } else { Err(CaptureError::Release) }
}

/// Does some work, and captures what it submits to the device.
#[expect(unsafe_code, reason = "wgpu cannot know what a debugger does to the process")]
pub(crate) fn capture<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> T {
    // SAFETY: the user has attached the debugger, and asks for the capture. Without a debugger,
    // wgpu does nothing.
    unsafe { device.start_graphics_debugger_capture() };
    let result = work();
    // The capture contains only what the device has executed, so this waits. A lost device
    // executes nothing more.
    _ = device.poll(wgpu::PollType::wait_indefinitely());
    // SAFETY: as above.
    unsafe { device.stop_graphics_debugger_capture() };
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_how_to_attach_the_debugger_or_how_to_build() {
        let without = "7f00-7f01 r-xp 00000000 08:01 42 /usr/lib/libvulkan.so.1\n";
        let with = format!("{without}7f02-7f03 r-xp 00000000 08:01 43 /usr/lib/librenderdoc.so\n");
        assert_eq!(check_libraries(Some(&with), true), Ok(()));
        assert_eq!(check_libraries(None, true), Ok(()), "a system without such a file");
        let error = |maps, has_assertions| {
            check_libraries(maps, has_assertions).expect_err("it cannot capture").to_string()
        };
        assert!(error(Some(without), true).contains("`renderdoccmd capture boxwood-view …`"));
        assert!(error(Some(&with), false).contains("without --release"));
    }

    #[test]
    fn without_a_debugger_the_work_is_done() {
        let gpu = boxwood::native::Gpu::open(None).expect("tests need an adapter");
        assert_eq!(capture(&gpu.device, || 3), 3);
    }
}
