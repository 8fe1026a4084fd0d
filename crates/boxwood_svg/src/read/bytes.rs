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
    if let Some(rest) = bytes.strip_prefix(UTF_8_MARK) {
        return utf_8(rest, UTF_8_MARK.len());
    }
    for (mark, name, unit) in UTF_16 {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            return utf_16(rest, unit)
                .map(Cow::Owned)
                .ok_or_else(|| Error::Encoding { name: name.to_owned() });
        }
    }
    let start = &bytes[..bytes.len().min(DECLARATION_LENGTH)];
    match declared_name(&String::from_utf8_lossy(start)) {
        Some(name) => in_encoding(bytes, name),
        None => utf_8(bytes, 0),
    }
}

/// The byte order mark of UTF-8.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The unit of UTF-16 in two bytes.
type Unit = fn([u8; 2]) -> u16;

/// The byte order marks of UTF-16, with the names of the encodings and their units.
const UTF_16: [([u8; 2], &str, Unit); 2] =
    [([0xff, 0xfe], "UTF-16LE", u16::from_le_bytes), ([0xfe, 0xff], "UTF-16BE", u16::from_be_bytes)];

/// The text in UTF-8, after a mark of this length.
fn utf_8(bytes: &[u8], mark: usize) -> Result<Cow<'_, str>, Error> {
    let text = str::from_utf8(bytes).map(Cow::Borrowed);
    text.map_err(|error| Error::NotUtf8 { offset: mark + error.valid_up_to() })
}

/// The text in UTF-16. `None` if it is not.
fn utf_16(bytes: &[u8], unit: Unit) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    rest.is_empty().then(|| String::from_utf16(&units).ok())?
}

/// The text in an encoding that an XML declaration names.
#[cfg(feature = "encodings")]
fn in_encoding<'b>(bytes: &'b [u8], name: &str) -> Result<Cow<'b, str>, Error> {
    if is_utf_8(name) {
        return utf_8(bytes, 0);
    }
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes());
    let encoding = encoding.ok_or_else(|| Error::Encoding { name: name.to_owned() })?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.ok_or_else(|| Error::Encoding { name: encoding.name().to_owned() })
}

/// The text in an encoding that an XML declaration names, if that is UTF-8.
#[cfg(not(feature = "encodings"))]
fn in_encoding<'b>(bytes: &'b [u8], name: &str) -> Result<Cow<'b, str>, Error> {
    if is_utf_8(name) { utf_8(bytes, 0) } else { Err(Error::Encoding { name: name.to_owned() }) }
}

/// Whether the name of an encoding stands for UTF-8. A declaration is in ASCII, so that a text that
/// declares UTF-16 is not in UTF-16.
fn is_utf_8(name: &str) -> bool {
    // The labels of the three encodings in the Encoding Standard, section 4.2.
    let labels = [
        "unicode-1-1-utf-8",
        "unicode11utf8",
        "unicode20utf8",
        "utf-8",
        "utf8",
        "x-unicode20utf8",
        "unicodefffe",
        "utf-16be",
        "csunicode",
        "iso-10646-ucs-2",
        "ucs-2",
        "unicode",
        "unicodefeff",
        "utf-16",
        "utf-16le",
    ];
    labels.iter().any(|label| name.trim().eq_ignore_ascii_case(label))
}

/// The name of the encoding that a drawing declares, if [`load`](crate::load()) needs the feature
/// `encodings` for it. The drawing must not be compressed.
///
/// A program without this feature can decode the drawing by other means, such as by the
/// `TextDecoder` of a browser.
pub fn other_encoding(bytes: &[u8]) -> Option<String> {
    let is_marked = [UTF_8_MARK, &UTF_16[0].0, &UTF_16[1].0].iter().any(|mark| bytes.starts_with(mark));
    let start = &bytes[..bytes.len().min(DECLARATION_LENGTH)];
    let name = declared_name(&String::from_utf8_lossy(start)).map(str::to_owned)?;
    (!is_marked && !is_utf_8(&name)).then_some(name)
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
    fn other_encodings_have_their_names() {
        let declared = |label: &str| format!("<?xml version='1.0' encoding='{label}'?><svg/>").into_bytes();
        assert_eq!(other_encoding(&declared("Shift_JIS")).as_deref(), Some("Shift_JIS"));
        for label in ["UTF-8", "utf-16", "unicode"] {
            assert_eq!(other_encoding(&declared(label)), None, "{label}");
        }
        let marked = [UTF_8_MARK, &declared("Shift_JIS")].concat();
        assert_eq!(other_encoding(&marked), None, "the mark takes precedence");
        assert_eq!(other_encoding(b"<svg/>"), None);
    }

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
