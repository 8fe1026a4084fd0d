//! Numbers with a fixed number of decimals.

/// Numbers from this size are written with an exponent, to keep columns narrow.
const LARGE: f64 = 1e9;

/// Writes a number with this many decimals. Never writes `-0`.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    let is_zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_zero { text.trim_start_matches('-').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_minus_zero() {
        assert_eq!(fixed(-0.000_4, 3), "0.000");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.5, 1), "-0.5");
    }
}
