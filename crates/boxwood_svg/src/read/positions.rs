//! Lines and columns.

/// The lines and columns of positions in a text, in any order.
pub(crate) struct Positions<'t> {
    text: &'t str,
    /// Where each line starts.
    lines: Vec<usize>,
    /// The number of characters before each block of [`Positions::BLOCK`] bytes.
    characters: Vec<usize>,
}

impl<'t> Positions<'t> {
    /// The bytes of a block. Characters are counted from its start, because a line can be long.
    const BLOCK: usize = 64;

    pub(crate) fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let mut characters = vec![0];
        let mut before = 0;
        for block in text.as_bytes().chunks(Self::BLOCK) {
            before += n_starts(block);
            characters.push(before);
        }
        Self { text, lines: std::iter::once(0).chain(ends).collect(), characters }
    }

    /// The line and the column of a position.
    pub(crate) fn of(&self, at: usize) -> [u32; 2] {
        let line = self.lines.partition_point(|start| *start <= at);
        let column = self.characters_before(at) - self.characters_before(self.lines[line - 1]) + 1;
        [line, column].map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    fn characters_before(&self, at: usize) -> usize {
        let block = at / Self::BLOCK;
        self.characters[block] + n_starts(&self.text.as_bytes()[block * Self::BLOCK..at])
    }
}

/// The number of characters that start in some bytes of UTF-8.
fn n_starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}
