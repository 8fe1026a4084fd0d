//! Fonts that a program gives.

use boxwood_svg::{Drawing, ElementInfo, FontSet, Fonts, NoBox, Options, Role, WarningKind, load};

#[test]
fn a_text_without_a_font_has_no_box_and_clips_nothing() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>
        <clipPath id='c'><text y='30'>A</text></clipPath><mask id='m'><text y='30'>A</text></mask>
        <text id='t' y='30'>A<tspan id='s'>B</tspan></text><text id='space' y='30'> </text>
        <rect id='r' width='9' height='9' clip-path='url(#c)' mask='url(#m)'/></svg>";
    let loaded = |fonts| {
        let options = Options { fonts, ..Options::default() };
        load(svg.as_bytes(), &options).expect("the drawing is valid")
    };
    let drawing = loaded(Fonts::Given(FontSet::default()));
    let reason = |id: &str| drawing.unlisted().into_iter().find(|element| element.id == id).map(|e| e.reason);
    assert_eq!([reason("t"), reason("s")], [Some(NoBox::NoFont), Some(NoBox::NoFont)]);
    assert_eq!(reason("space"), Some(NoBox::NoContents));
    let [warning] = &drawing.warnings[..] else { panic!("{:?}", drawing.warnings) };
    assert_eq!((warning.kind, warning.count), (WarningKind::NoFont, 3));
    let clipped = |drawing: &Drawing| {
        let source = drawing.sources.iter().position(|source| source.name == "r").expect("it is there");
        let of_rect = |info: &ElementInfo| info.source as usize == source && info.role == Role::Fill;
        drawing.boxes().clipped_boxes[drawing.table.iter().position(of_rect).expect("it is painted")]
    };
    assert_eq!(clipped(&drawing).to_string(), "(0, 0, 9, 9)");

    let font = FontSet::new([boxwood_assets::NOTO_SANS.to_vec()]).expect("it is a font");
    let with_font = loaded(Fonts::Given(font));
    assert!(with_font.warnings.is_empty() && with_font.sources.iter().any(|source| source.name == "t"));
    assert!(clipped(&with_font).is_empty(), "the letters are elsewhere");
    assert_eq!(with_font.boxes(), loaded(Fonts::Bundled).boxes());
    let error = FontSet::new([vec![0; 9]]).expect_err("it is not a font").to_string();
    assert_eq!(error, "font 1 cannot be read: give it as TrueType, OpenType, or WOFF");
}
