//! From bytes to the text of a drawing.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

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

/// The first bytes of a gzip stream.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a drawing to its end, for [`load`](crate::load()). SVGZ is decompressed meanwhile, so that
/// an endless stream reaches the limit soon.
///
/// # Errors
///
/// - [`Error::Reader`] if the reader fails.
/// - [`Error::Gzip`] if it begins as SVGZ and cannot be decompressed.
/// - [`Error::Limit`] if it has too many bytes.
pub fn read(reader: impl Read) -> Result<Vec<u8>, Error> {
    read_within(reader, MAX_BYTES)
}

/// The same with another limit.
fn read_within(mut reader: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let start = read_at_most(reader.by_ref().take(2), 2, Quantity::Bytes)?;
    let whole = start.as_slice().chain(reader);
    if start == GZIP { decompress(whole, limit) } else { read_at_most(whole, limit, Quantity::Bytes) }
}

/// The bytes that are allocated for a file of unknown size.
const FIRST_READ: usize = 1 << 16;

/// Reads a quantity of bytes to their end.
pub(crate) fn read_at_most(reader: impl Read, limit: u64, quantity: Quantity) -> Result<Vec<u8>, Error> {
    // Most drawings are read at once.
    let mut bytes = Vec::with_capacity(FIRST_READ);
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(Error::Reader)?;
    quantity.check(bytes.len() as f64, limit as f64)?;
    Ok(bytes)
}

/// The bytes that the declaration of an encoding is looked for in. A longer declaration is unusual.
const DECLARATION_LENGTH: usize = 1024;

/// The bytes, decompressed if they are SVGZ.
pub(crate) fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if bytes.starts_with(&GZIP) {
        decompress(bytes, MAX_BYTES).map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(bytes))
    }
}

fn decompress(reader: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    // A stream of empty parts would be endless without having contents.
    let decoder = flate2::read::MultiGzDecoder::new(reader.take(limit));
    match read_at_most(decoder, limit, Quantity::DecompressedBytes) {
        Err(Error::Reader(source)) => Err(Error::Gzip(source)),
        decompressed => decompressed,
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
    decoded(&bytes).map(Cow::into_owned)
}

/// The text in the bytes of a document, without a byte order mark.
///
/// A byte order mark decides its encoding, then the XML declaration. Without both, it is UTF-8.
///
/// # Errors
///
/// - [`Error::NotUtf8`] if it should be UTF-8 and is not.
/// - [`Error::Encoding`] if it is not in its encoding, or if that has an unknown name.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    let marked = Encoding::for_bom(bytes);
    let (encoding, bytes) = match marked {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (declared(bytes)?, bytes),
    };
    if encoding == UTF_8 {
        let mark = marked.map_or(0, |(_, length)| length);
        let text = str::from_utf8(bytes).map(Cow::Borrowed);
        return text.map_err(|error| Error::NotUtf8 { offset: mark + error.valid_up_to() });
    }
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.ok_or_else(|| Error::Encoding { name: encoding.name().to_owned() })
}

/// The encoding that an XML declaration names.
fn declared(bytes: &[u8]) -> Result<&'static Encoding, Error> {
    let start = &bytes[..bytes.len().min(DECLARATION_LENGTH)];
    let Some(name) = declared_name(&String::from_utf8_lossy(start)).map(str::to_owned) else {
        return Ok(UTF_8);
    };
    match Encoding::for_label(name.as_bytes()) {
        // The declaration itself is in ASCII, so this is not true.
        Some(wide) if wide == UTF_16LE || wide == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(Error::Encoding { name }),
    }
}

fn declared_name(text: &str) -> Option<&str> {
    let (declaration, _) = text.strip_prefix("<?xml")?.split_once("?>")?;
    let (_, rest) = declaration.split_once("encoding")?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_or_a_declaration_decides_the_encoding() {
        let utf_16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(bytes).collect()
        };
        let text = "<?xml version='1.0' encoding='UTF-16'?><a>é𝄞</a>";
        let marked = format!("\u{feff}{text}");
        for bytes in
            [utf_16(&marked, u16::to_le_bytes), utf_16(&marked, u16::to_be_bytes), marked.clone().into()]
        {
            assert_eq!(decoded(&bytes).ok().as_deref(), Some(text));
        }
        for (label, bytes) in [
            ("ISO-8859-1", &b"\xe9"[..]),
            ("koi8-r", b"\xc3"),
            ("Shift_JIS", b"\x82\xa0"),
            ("utf-8", "é".as_bytes()),
        ] {
            let declaration = format!("<?xml version=\"1.0\" encoding = \"{label}\"?>");
            let expected = declaration.clone()
                + match label {
                    "koi8-r" => "ц",
                    "Shift_JIS" => "あ",
                    _ => "é",
                };
            let bytes = [declaration.as_bytes(), bytes].concat();
            assert_eq!(decoded(&bytes).ok(), Some(expected.into()), "{label}");
        }
    }

    #[test]
    fn text_in_another_encoding_is_refused() {
        for (bytes, message) in [
            (
                &b"<a>\xff"[..],
                "the text is not UTF-8 (first invalid byte at offset 3): save the file as UTF-8",
            ),
            (
                b"\xef\xbb\xbf<a>\xff",
                "the text is not UTF-8 (first invalid byte at offset 6): save the file as UTF-8",
            ),
            (b"\xff\xfe\x00\xd8<\x00", "the text is not in the encoding UTF-16LE: save the file as UTF-8"),
            (
                b"<?xml version='1.0' encoding='none'?>",
                "the text is not in the encoding none: save the file as UTF-8",
            ),
        ] {
            assert_eq!(decoded(bytes).expect_err("it has another encoding").to_string(), message);
        }
    }

    /// The same bytes again and again.
    struct Endless<'b>(&'b [u8], usize);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in &mut *buffer {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }

    fn gzipped(text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        flate2::read::GzEncoder::new(text, flate2::Compression::fast())
            .read_to_end(&mut bytes)
            .expect("memory can be read");
        bytes
    }

    #[test]
    fn a_compressed_drawing_is_read_decompressed() {
        let read = read_within(gzipped(b"<svg/>").as_slice(), 1000);
        assert_eq!(read.ok().as_deref(), Some(&b"<svg/>"[..]));
        assert!(matches!(read_within(&gzipped(b"<svg/>")[..9], 1000), Err(Error::Gzip(_))));
    }

    #[test]
    fn an_endless_compressed_drawing_is_refused() {
        let spaces = gzipped(&[b' '; 100_000]);
        let message = read_within(Endless(&spaces, 0), 1_000_000).expect_err("it is endless").to_string();
        assert!(message.contains("once it is decompressed, the limit is 1000000"), "{message}");
        let empty = gzipped(b"");
        assert!(read_within(Endless(&empty, 0), 1_000_000).is_ok_and(|bytes| bytes.is_empty()));
    }

    #[test]
    fn input_up_to_the_limit_is_read() {
        let read = |length: u64| read_at_most(std::io::repeat(b' ').take(length), 1000, Quantity::Bytes);
        assert_eq!(read(1000).map(|bytes| bytes.len()).ok(), Some(1000));
        for length in [1001, u64::MAX] {
            let error = read(length).expect_err("it is too long");
            assert_eq!(error.to_string(), "the drawing has at least 1001 bytes, the limit is 1000: split it");
        }
    }
}
