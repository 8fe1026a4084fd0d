//! The law of audits: no pixel changes without the elements that are not visible.

use boxwood_svg::{Deadline, Drawing, FindingKind, audit, load};
use kurbo::Affine;

use crate::loaded::{Loaded, options};

/// The pixels of a drawing as resvg draws it, at 100 %.
fn pixels(drawing: &Drawing) -> Vec<u8> {
    let [width, height] = [drawing.size.width, drawing.size.height].map(|side| side.ceil().max(1.0));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the drawings are small")]
    let size = [width as u32, height as u32];
    let mut image = vec![0; 4 * size[0] as usize * size[1] as usize];
    drawing.draw_tree(&mut image, size, Affine::IDENTITY, &Deadline::after(None)).expect("resvg draws it");
    image
}

/// Makes the elements at these lines and columns transparent.
fn without(text: &str, positions: &[(u32, u32)]) -> String {
    let lines = (1..).zip(text.split_inclusive('\n'));
    let line = |(number, line): (u32, &str)| {
        let mut line = line.to_owned();
        for &(_, column) in positions.iter().rev().filter(|(other, _)| *other == number) {
            let tag = column as usize;
            let end = tag + line[tag..].find([' ', '/', '>']).expect("a tag ends");
            line.insert_str(end, r#" style="opacity:0""#);
        }
        line
    };
    lines.map(line).collect()
}

/// Elements that are hidden in every way, near visible ones with edges on parts of pixels.
const HIDDEN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120">
<clipPath id="c"><rect x="10.3" y="10.3" width="60.4" height="60.4"/></clipPath>
<mask id="m"><circle cx="30" cy="30" r="20.5" fill="#fff"/></mask>
<rect x="20.2" y="20.2" width="9.5" height="9.5" fill="red"/>
<g stroke="#00f"><circle cx="25" cy="25" r="3.3"/><path d="M20 30.2H31"/></g>
<rect x="19.6" y="19.6" width="14.7" height="14.7" fill="#0a0"/>
<g clip-path="url(#c)">
<rect x="70.2" y="20" width="9" height="9" fill="red"/>
<rect x="71.1" y="40" width="9" height="9" fill="red"/>
<circle cx="90" cy="60" r="18.6" fill="red"/>
<rect x="40.5" y="40.5" width="50" height="50" fill="#777"/>
</g>
<g mask="url(#m)">
<rect x="51" y="20" width="9" height="9" fill="red"/>
<rect x="25" y="5" width="9" height="9" fill="red"/>
</g>
<path d="M120.4 5V60" stroke="red"/>
<path d="M122.4 5V60" stroke="red"/>
<text x="130" y="20">off</text>
<g opacity=".5">
<rect x="80" y="80" width="9" height="9" fill="red"/>
</g>
<rect x="79" y="79" width="20" height="20" fill="#055"/>
<use href="#star" x="200"/>
<path id="star" d="M90 10L99 30L80 20L99 20z" fill="#850"/>
</svg>"##;

#[test]
fn a_picture_does_not_change_without_the_elements_that_are_not_visible() {
    let load = |text: &str| load(text.as_bytes(), &options()).expect("it is a drawing");
    let texts = boxwood_assets::SAMPLES.iter().filter_map(|sample| str::from_utf8(sample.1).ok());
    let mut n_hidden = Vec::new();
    for text in [HIDDEN].into_iter().chain(texts) {
        let Loaded { drawing, .. } = Loaded::new(load(text));
        let unseen =
            [FindingKind::Empty, FindingKind::OffCanvas, FindingKind::ClippedAway, FindingKind::Covered];
        let found = audit(&drawing).into_iter().filter(|finding| unseen.contains(&finding.kind));
        let positions: Vec<_> = found.map(|finding| (finding.line, finding.column)).collect();
        n_hidden.push(positions.len());
        // A style attribute cannot be added to an element that has one.
        if !text.contains("style=") {
            assert!(pixels(&drawing) == pixels(&load(&without(text, &positions))), "{positions:?}");
        }
    }
    assert_eq!(n_hidden[0], 8);
    let all: Vec<_> = (1..).zip(HIDDEN.lines()).filter(|(_, line)| line.starts_with("<rect")).collect();
    let visible = all.iter().find(|(_, line)| line.contains("#0a0")).expect("there is one");
    let changed = load(&without(HIDDEN, &[(visible.0, 1)]));
    assert!(pixels(&load(HIDDEN)) != pixels(&changed), "the test notices a missing element");
}
