//! Fonts that a program gives.

use boxwood_svg::{Drawing, ElementInfo, FontSet, Fonts, NoBox, Options, Role, WarningKind, audit, load};

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

#[test]
fn the_ink_of_what_draws_a_missing_text_is_not_known() {
    let image = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 \
        height=%229%22%3E%3Crect width=%222%22 height=%222%22/%3E%3Ctext y=%229%22%3EA%3C/text%3E%3C/svg%3E";
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
        <defs><g id='g'><text y='9'>A</text></g><symbol id='s'><use href='#g'/></symbol>
        <g id='unused'><text>A</text></g><marker id='m' overflow='visible'><text>A</text></marker>
        <clipPath id='c'><text>A</text></clipPath></defs>
        <use id='u' href='#g'/><g id='around'><use href='#s'/></g>
        <g marker-end='url(#m)'><path id='p' d='M1 1h9'/></g>
        <rect id='clipped' width='9' height='9' clip-path='url(#c)'/><rect id='r' width='9' height='9'/>
        <g id='hidden' display='none'><text>A</text></g>
        <image id='i' width='9' height='9' href='{image}'/></svg>"
    );
    let unknown = |fonts| {
        let drawing = load(svg.as_bytes(), &Options { fonts, ..Options::default() }).expect("it is valid");
        let unknown = drawing.unknown_ink();
        let of = |id: &str| {
            drawing.named(id).iter().zip(&unknown).any(|(is_named, kind)| *is_named && kind.is_some())
        };
        ["u", "g", "around", "p", "clipped", "i", "r", "hidden", "unused"].map(of)
    };
    let expected = [true, true, true, true, true, true, false, false, false];
    assert_eq!(unknown(Fonts::Given(FontSet::default())), expected);
    assert_eq!(unknown(Fonts::Bundled), [false; 9]);
}

#[test]
fn nothing_with_a_missing_text_is_called_invisible() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
        <defs><g id='g'><text y='9'>A</text></g></defs><g id='a'><use id='u' href='#g'/></g><g id='b'><use href='#g'/></g>
        <g id='empty'/></svg>";
    let options = Options { fonts: Fonts::Given(FontSet::default()), ..Options::default() };
    let findings = audit(&load(svg.as_bytes(), &options).expect("it is valid"));
    let names: Vec<_> = findings.iter().map(|finding| &*finding.name).collect();
    assert_eq!(names, ["empty"]);
}
