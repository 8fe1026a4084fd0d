//! Bytes, as many as are taken.

use std::io::Read;

use crate::Error;

/// The most bytes of a drawing, as they are and decompressed.
pub const MAX_BYTES: u64 = 512 << 20;

/// Reads a drawing to its end, for [`load`](crate::load).
///
/// # Errors
///
/// A source that fails, and one that has more than [`MAX_BYTES`].
pub fn read(source: impl Read) -> Result<Vec<u8>, Error> {
    read_at_most(source, MAX_BYTES)
}

/// Reads a source to its end, unless it has more bytes than `limit`.
pub(crate) fn read_at_most(source: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes).map_err(|source| Error::Source { source })?;
    if bytes.len() as u64 > limit { Err(Error::TooLarge { limit }) } else { Ok(bytes) }
}

/// Whether some bytes are compressed as SVGZ is.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

pub(crate) fn decompress(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    read_at_most(flate2::read::MultiGzDecoder::new(bytes), MAX_BYTES).map_err(|error| match error {
        Error::Source { source } => Error::Gzip { source },
        Error::TooLarge { limit } => Error::GzipTooLarge { limit },
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_may_be_as_long_as_the_limit_and_no_longer() {
        let read = |length: u64| read_at_most(std::io::repeat(b' ').take(length), 1000);
        assert_eq!(read(1000).map(|bytes| bytes.len()).ok(), Some(1000));
        for length in [1001, u64::MAX] {
            let error = read(length).expect_err("it is too long");
            assert_eq!(error.to_string(), "there are more than 1000 bytes, the limit");
        }
    }
}
