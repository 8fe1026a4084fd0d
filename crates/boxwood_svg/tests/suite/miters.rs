//! The boxes of miters that are cut, against pixels.

use crate::drawing::{Drawing, assert_within};

#[test]
fn cut_miters_have_the_box_of_their_ink() {
    for (path, limit) in [
        ("M50 150 L150 50 L250 150", 4.0),
        ("M50 150 L150 50 L250 150", 1.0),
        ("M50 200 L150 190 L50 180", 4.0),
        ("M60 60 L200 80 L90 100 Z", 2.5),
        ("M60 60 C 90 200 100 200 150 60 Q 150 60 150 60 L150 60 L165 190", 3.0),
        ("M60 100 H200 H120", 3.0),
        ("M100 60 Q 180 60 100 70 Z M150 150 l20 40 l20 -40 Z l-5 30", 1.5),
    ] {
        for transform in ["", "translate(30 -20) rotate(20) skewX(15)"] {
            let d = Drawing::of(&format!(
                r#"<path id="m" d="{path}" transform="{transform}" fill="none" stroke="red" stroke-width="18"
                    stroke-linejoin="miter-clip" stroke-miterlimit="{limit}"/>"#
            ));
            // A pixel that is mostly covered reaches beyond the ink by less than half of itself.
            let [x0, y0, x1, y1] = d.ink_at_4();
            let slack = 0.25;
            assert_within(d.leaf("m"), [x0 + slack, y0 + slack, x1 - slack, y1 - slack], 2.0 * slack);
        }
    }
}
