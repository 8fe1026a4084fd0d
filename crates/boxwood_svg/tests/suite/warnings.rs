//! Warnings, once a kind.

use crate::drawing::Drawing;

/// The first words of each warning, how often, and the first element.
fn warnings(body: &str) -> Vec<(String, usize, String)> {
    let d = Drawing::of(body);
    let first_words = |message: &str| message.split(' ').take(2).collect::<Vec<_>>().join(" ");
    d.scene.warnings.iter().map(|w| (first_words(&w.message), w.count, w.first.clone())).collect()
}

#[test]
fn a_plain_drawing_has_none() {
    assert_eq!(warnings(r#"<rect width="9" height="9"/><text y="9">t</text>"#), []);
}

#[test]
fn each_kind_is_counted_and_names_the_first() {
    let found = warnings(
        r#"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>
           <mask id="m"><rect width="99" height="99" fill="white"/></mask>
           <pattern id="p" patternUnits="userSpaceOnUse" width="5" height="5"><rect width="2" height="2"/></pattern>
           <g id="one" filter="url(#f)"><rect width="9" height="9"/></g>
           <g id="two" filter="url(#f)" mask="url(#m)"><rect id="three" width="9" height="9" fill="url(#p)"/></g>"#,
    );
    let expected = [("filters are", 2, "one"), ("masks are", 1, "two"), ("patterns are", 1, "three")];
    assert_eq!(found, expected.map(|(words, count, first)| (words.to_owned(), count, first.to_owned())));
}

#[test]
fn images_that_are_not_there_are_named() {
    let found = warnings(
        r#"<image width="9" height="9" href="no/such.png"/>
           <image width="9" height="9" href="http://example.com/a.png"/>
           <image id="broken" width="9" height="9" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"/>"#,
    );
    assert_eq!(found[0], ("an image".to_owned(), 2, "no/such.png".to_owned()));
    let d = Drawing::of(r#"<image width="9" height="9" href="no/such.png"/>"#);
    assert_eq!(d.scene.elements.len(), 2);
}

#[test]
fn an_image_with_broken_pixels_is_left_out() {
    // A PNG header that promises 1 x 1 pixels, and nothing after it.
    let found = warnings(
        r#"<image id="i" width="9" height="9"
            href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"/>"#,
    );
    assert_eq!(found, [("an image".to_owned(), 1, "i".to_owned())]);
}

#[test]
fn a_stroke_of_too_many_dashes_is_solid() {
    let body = r#"<path id="p" d="M0 50H4e7" stroke="red" stroke-width="2" stroke-dasharray="1"/>"#;
    assert_eq!(warnings(body), [("a stroke".to_owned(), 1, "p".to_owned())]);
    assert_eq!(Drawing::of(body).leaf("p").x1, 4e7);
}
