//! WOFF files, whose tables are compressed by zlib. Those of WOFF 2 need Brotli and are not read.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// The start of a file of WOFF 1.0.
pub(crate) const SIGNATURE: &[u8] = b"wOFF";
/// The start of a file of WOFF 2.0.
pub(crate) const SIGNATURE_2: &[u8] = b"wOF2";

/// The sizes of the header and of an entry of the directory (WOFF 1.0, sections 3 and 4).
const HEADER: usize = 44;
const ENTRY: usize = 20;

/// The font in a file of WOFF 1.0. `None` if the file is invalid, or if the font has more bytes
/// than this.
pub(crate) fn decoded(woff: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let flavor = woff.get(4..8).filter(|_| woff.starts_with(SIGNATURE))?;
    let n_tables = u16_at(woff, 12)?;
    let directory = woff.get(HEADER..HEADER + usize::from(n_tables) * ENTRY)?;
    // The header and the directory of OpenType have 12 bytes and 16 for each table.
    let mut tables = vec![0; 12 + 16 * usize::from(n_tables)];
    tables[..4].copy_from_slice(flavor);
    tables[4..6].copy_from_slice(&n_tables.to_be_bytes());
    let largest_power = n_tables.checked_ilog2()?;
    let search_range = 16 << largest_power;
    tables[6..8].copy_from_slice(&u16::try_from(search_range).ok()?.to_be_bytes());
    tables[8..10].copy_from_slice(&u16::try_from(largest_power).ok()?.to_be_bytes());
    let range_shift = u16::try_from(16 * u32::from(n_tables) - search_range).ok()?;
    tables[10..12].copy_from_slice(&range_shift.to_be_bytes());
    for (i, entry) in directory.chunks_exact(ENTRY).enumerate() {
        let [offset, compressed, length] = [4, 8, 12].map(|at| u32_at(entry, at));
        let (offset, compressed, length) = (offset? as usize, compressed? as usize, length? as usize);
        let start = tables.len();
        if start.checked_add(length)? > max_bytes {
            return None;
        }
        let table = woff.get(offset..offset.checked_add(compressed)?)?;
        if compressed < length {
            ZlibDecoder::new(table).take(length as u64).read_to_end(&mut tables).ok()?;
        } else {
            tables.extend_from_slice(table);
        }
        if tables.len() != start + length {
            return None;
        }
        tables.resize(tables.len().next_multiple_of(4), 0);
        let record = &mut tables[12 + 16 * i..][..16];
        record[..4].copy_from_slice(&entry[..4]);
        record[4..8].copy_from_slice(&entry[16..20]);
        record[8..12].copy_from_slice(&u32::try_from(start).ok()?.to_be_bytes());
        record[12..].copy_from_slice(&entry[12..16]);
    }
    Some(tables)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A file of WOFF 1.0 with a font.
#[cfg(test)]
pub(crate) fn encoded(font: &[u8]) -> Vec<u8> {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    let n_tables = u16_at(font, 4).expect("it has a header");
    let start = HEADER + ENTRY * usize::from(n_tables);
    let (mut directory, mut tables) = (Vec::new(), Vec::new());
    for record in font[12..][..16 * usize::from(n_tables)].chunks_exact(16) {
        let [offset, length] = [8, 12].map(|at| u32_at(record, at).expect("it is in the record") as usize);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&font[offset..offset + length]).expect("there is room");
        let compressed = encoder.finish().expect("there is room");
        let table = if compressed.len() < length { &*compressed } else { &font[offset..offset + length] };
        directory.extend_from_slice(&record[..4]);
        for number in [start + tables.len(), table.len(), length] {
            directory.extend_from_slice(&u32::try_from(number).expect("it is small").to_be_bytes());
        }
        directory.extend_from_slice(&record[4..8]);
        tables.extend_from_slice(table);
        tables.resize(tables.len().next_multiple_of(4), 0);
    }
    let mut woff = vec![0; HEADER];
    woff[..4].copy_from_slice(SIGNATURE);
    woff[4..8].copy_from_slice(&font[..4]);
    woff[12..14].copy_from_slice(&n_tables.to_be_bytes());
    [woff, directory, tables].concat()
}

#[cfg(test)]
mod tests {
    use ttf_parser::Face;

    use super::*;

    #[test]
    fn a_font_is_decoded() {
        let font = boxwood_assets::NOTO_SANS;
        let woff = encoded(font);
        assert!(woff.len() < font.len());
        let decoded = decoded(&woff, 2 * font.len()).expect("it is valid");
        let advance = |font: &[u8]| {
            let face = Face::parse(font, 0).expect("it is a font");
            face.glyph_hor_advance(face.glyph_index('A').expect("it has the letter"))
        };
        assert_eq!(advance(&decoded), advance(font));
    }

    #[test]
    fn invalid_and_large_files_are_refused() {
        let font = boxwood_assets::NOTO_SANS;
        let woff = encoded(font);
        assert_eq!(decoded(&woff, font.len() / 2), None);
        for length in [0, 4, 30, HEADER, 100, woff.len() / 2] {
            assert_eq!(decoded(&woff[..length], usize::MAX), None, "{length}");
        }
        for at in HEADER..HEADER + 3 * ENTRY {
            let mut broken = woff.clone();
            broken[at] ^= 0xff;
            let _ = decoded(&broken, 2 * font.len());
        }
        let mut none = woff;
        none[12..14].fill(0);
        assert_eq!(decoded(&none, usize::MAX), None);
    }
}
