//! The limits of a picture.

use crate::error::{MAX_PIXELS, RenderError};

/// The sides of a picture as integers. Refuses sides that are not from 1 to `limit`, and a picture
/// of more than [`MAX_PIXELS`].
pub(crate) fn check_size(width: f64, height: f64, limit: u32) -> Result<[u32; 2], RenderError> {
    let range = 1.0..=f64::from(limit);
    if !range.contains(&width) || !range.contains(&height) || width * height > MAX_PIXELS.into() {
        return Err(RenderError::Size { width, height, limit });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to limit")]
    Ok([width, height].map(|side| side as u32))
}

/// Refuses a number that is not positive and finite.
pub(crate) fn check_positive(name: &'static str, value: f64) -> Result<f64, RenderError> {
    let is_positive = value.is_finite() && value > 0.0;
    is_positive.then_some(value).ok_or(RenderError::NotPositive { name, value })
}
