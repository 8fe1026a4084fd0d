//! From bytes to the text of a drawing.

use std::borrow::Cow;
use std::io::Read;

use crate::error::{Error, Quantity};
use crate::guard::limits::MAX_BYTES;

/// The first bytes of files in other formats, and the names of the formats.
const OTHER_FORMATS: [(&[u8], &str); 8] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a WebP image or other RIFF file"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x7fELF", "a program"),
];

/// Reads a drawing to its end, for [`load`](crate::load()).
///
/// # Errors
///
/// - [`Error::Reader`] if the reader fails.
/// - [`Error::Limit`] if it has too many bytes.
pub fn read(reader: impl Read) -> Result<Vec<u8>, Error> {
    read_at_most(reader, MAX_BYTES, Quantity::Bytes)
}

/// Reads a quantity of bytes to their end.
pub(crate) fn read_at_most(reader: impl Read, limit: u64, quantity: Quantity) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(Error::Reader)?;
    quantity.check(bytes.len() as f64, limit as f64)?;
    Ok(bytes)
}

/// The bytes, decompressed if they are SVGZ.
pub(crate) fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    match read_at_most(decoder, MAX_BYTES, Quantity::DecompressedBytes) {
        Err(Error::Reader(source)) => Err(Error::Gzip(source)),
        decompressed => decompressed.map(Cow::Owned),
    }
}

/// The text in the bytes of a drawing.
pub(crate) fn text(bytes: &[u8]) -> Result<String, Error> {
    let bytes = decompressed(bytes)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::Empty);
    }
    if let Some((_, format)) = OTHER_FORMATS.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        return Err(Error::OtherFormat { format });
    }
    String::from_utf8(bytes.into_owned())
        .map_err(|error| Error::NotUtf8 { offset: error.utf8_error().valid_up_to() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_up_to_the_limit_is_read() {
        let read = |length: u64| read_at_most(std::io::repeat(b' ').take(length), 1000, Quantity::Bytes);
        assert_eq!(read(1000).map(|bytes| bytes.len()).ok(), Some(1000));
        for length in [1001, u64::MAX] {
            let error = read(length).expect_err("it is too long");
            assert_eq!(error.to_string(), "the drawing has 1001 or more bytes, the limit is 1000: split it");
        }
    }
}
