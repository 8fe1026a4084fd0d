//! Colours as text.

/// A colour as CSS has it, such as `#ff8800`.
pub fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
