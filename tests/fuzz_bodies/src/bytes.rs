//! Reading numbers from an input.

/// The remaining bytes of an input.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    /// The next word, in little-endian order.
    pub(crate) fn word(&mut self) -> Option<u32> {
        self.take(4).map(|taken| u32::from_le_bytes([taken[0], taken[1], taken[2], taken[3]]))
    }

    /// The next `n` bytes, or `None` if there are fewer.
    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next words, at most `n`.
    pub(crate) fn words(&mut self, n: usize) -> Vec<u32> {
        std::iter::from_fn(|| self.word()).take(n).collect()
    }
}
