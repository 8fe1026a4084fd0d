//! The pictures and boxes of texts, compared with those of Chromium.

use crate::loaded::Loaded;

/// The largest difference in px. Chromium has whole heights and places of letters, and its ink is
/// known up to a quarter.
const TOLERANCE: f64 = 0.85;

/// Texts, each with its ink in Chromium 156, at four pixels per px.
#[rustfmt::skip]
const TEXTS: [(&str, [f64; 4]); 16] = [
    ("x='100' y='30' text-anchor='middle' letter-spacing='10'>ABC", [65.75, 15.5, 123.75, 30.25]),
    ("x='190' y='30' text-anchor='end' letter-spacing='10'>ABC", [121.5, 15.5, 179.5, 30.25]),
    ("x='100' y='30' text-anchor='middle' letter-spacing='-4'>ABCDEF", [74.75, 15.5, 129.0, 30.25]),
    ("x='100' y='30' text-anchor='middle' style='letter-spacing:50%'>ABC", [65.75, 15.5, 123.75, 30.25]),
    ("x='50 100 150' y='30' text-anchor='end' letter-spacing='10'>ABC", [27.25, 15.5, 139.5, 30.25]),
    ("x='220' y='100' text-anchor='middle' writing-mode='tb' letter-spacing='10'>ABC", [212.25, 65.75, 227.0, 123.75]),
    ("x='10' y='30' style='white-space:pre'>  a   b  ", [21.25, 14.75, 58.5, 30.25]),
    ("x='10' y='30' xml:space='preserve' style='white-space:nowrap'>  a   b  ", [10.75, 14.75, 37.75, 30.25]),
    ("x='10' y='30'>a<tspan> b</tspan>", [10.75, 14.75, 37.75, 30.25]),
    ("x='10' y='30'>a <tspan x='50'> b </tspan> c", [10.75, 14.75, 76.5, 30.25]),
    ("x='10' y='100' font-size='40'>E<tspan font-size='20' baseline-shift='sub'>2</tspan>", [13.75, 71.25, 42.75, 114.0]),
    ("x='10' y='100' font-size='40'>E<tspan font-size='60' baseline-shift='super'>2</tspan>", [13.75, 15.5, 63.5, 100.0]),
    ("x='10' y='60' style='transform-box:fill-box;transform-origin:center;transform:scaleY(-1)'>Flip", [11.75, 40.0, 42.0, 60.25]),
    ("x='110' y='60' style='transform-box:fill-box;transform-origin:right top;transform:rotate(90deg)'>Flip", [117.0, 7.75, 137.25, 38.0]),
    ("x='10' y='60' letter-spacing='4' style='transform-box:fill-box;transform:translate(50%,50%)'>Flip", [36.25, 58.25, 78.5, 78.5]),
    ("x='210' y='60' xml:space='preserve'>a<tspan style='white-space:pre'>b  </tspan> ", [210.75, 44.75, 232.5, 60.25]),
];

#[test]
fn the_ink_of_texts_is_that_of_browsers() {
    for (text, expected) in TEXTS {
        let d =
            Loaded::of(&format!("<g font-family='Noto Sans' font-size='20'><text id='t' {text}</text></g>"));
        let leaf = d.leaf("t");
        let of_boxes = [leaf.x0, leaf.y0, leaf.x1, leaf.y1].map(f64::from);
        for found in [of_boxes, d.ink_at_4()] {
            let is_same = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= TOLERANCE);
            assert!(is_same, "{found:?} {expected:?} {text}");
        }
    }
}

/// An address of a font with the letters of Noto Sans in twice the size.
fn large_font() -> String {
    let mut font = boxwood_assets::NOTO_SANS.to_vec();
    let mut records = font[12..].chunks_exact(16);
    let head = records.find(|record| record.starts_with(b"head")).expect("each font has it");
    let at = u32::from_be_bytes(head[8..12].try_into().expect("four bytes")) as usize;
    font[at + 18..at + 20].copy_from_slice(&500_u16.to_be_bytes());
    let escaped: String = font.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:font/ttf,{escaped}")
}

/// The ink of each text in Chromium 156, at four pixels per px.
#[test]
fn fonts_in_the_file_are_used_as_in_browsers() {
    let sheet = format!(
        "<style>@font-face {{ font-family: Large; src: local(Nonesuch), url({}) format('truetype') }}</style>",
        large_font()
    );
    let (large, usual) = ([13.75, 29.75, 73.5, 69.5], [11.75, 44.75, 42.0, 65.0]);
    for (families, expected) in [
        ("Large", large),
        ("'large', serif", large),
        ("Nonesuch, Large", large),
        ("Noto Sans, Large", usual),
        ("Other", usual),
    ] {
        let text =
            format!("<text id='t' x='10' y='60' font-size='20' font-family=\"{families}\">Flip</text>");
        let d = Loaded::of(&format!("{sheet}{text}"));
        assert!(d.drawing.warnings.is_empty(), "{:?}", d.drawing.warnings);
        let is_same = d.ink_at_4().iter().zip(expected).all(|(a, b)| (a - b).abs() <= TOLERANCE);
        assert!(is_same, "{:?} {families}", d.ink_at_4());
    }
}

#[test]
fn a_font_in_another_file_is_ignored_with_a_warning() {
    let d = Loaded::of("<style>\n@font-face { font-family: A; src: url(a.woff2) }</style>");
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert_eq!(warning.first, "3:1 (@font-face with a font in another file)");
}
