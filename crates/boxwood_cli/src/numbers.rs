//! Numbers on the command line.

use std::time::Duration;

/// Parses a zoom factor.
pub(crate) fn zoom(text: &str) -> Result<f64, &'static str> {
    let zoom = text.parse().ok().filter(|zoom: &f64| zoom.is_finite() && *zoom > 0.0);
    zoom.ok_or("it must be a positive number")
}

/// Parses a width in pixels.
pub(crate) fn width(text: &str) -> Result<u32, &'static str> {
    text.parse()
        .ok()
        .filter(|&width| width > 0)
        .ok_or("it must be a positive whole number of pixels, less than 2^32")
}

/// Parses a time limit.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or("it must be a positive number of seconds, less than 2^64")
}
