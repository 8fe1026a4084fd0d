//! Numbers from bytes.

/// The bytes that are left of an input.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    /// The next word, its lowest byte first.
    pub(crate) fn word(&mut self) -> Option<u32> {
        self.take(4).map(|taken| u32::from_le_bytes([taken[0], taken[1], taken[2], taken[3]]))
    }

    /// The next bytes, all of them or none.
    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    /// Words, up to `n` of them, as long as there are some.
    pub(crate) fn words(&mut self, n: usize) -> Vec<u32> {
        std::iter::from_fn(|| self.word()).take(n).collect()
    }
}
