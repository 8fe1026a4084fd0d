//! The boxes of miters that are cut, against pixels.

use boxwood_svg::Patience;
use kurbo::{Affine, Rect};

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
            let [x0, y0, x1, y1] = ink_at_4(&d);
            let slack = 0.25;
            assert_within(d.leaf("m"), [x0 + slack, y0 + slack, x1 - slack, y1 - slack], 2.0 * slack);
        }
    }
}

/// The box of the pixels that are mostly covered, in a picture of the viewport with four pixels a unit.
fn ink_at_4(d: &Drawing) -> [f64; 4] {
    const SIDE: u16 = 1_200;
    let mut image = vec![0; 4 * usize::from(SIDE) * usize::from(SIDE)];
    let drawn = d.scene.draw_tree(&mut image, [SIDE.into(); 2], Affine::scale(4.0), &Patience::default());
    drawn.expect("it is little to draw");
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y].map(f64::from))).zip(image.chunks(4));
    let inked =
        pixels.filter(|(_, pixel)| pixel[3] > 127).map(|([x, y], _)| Rect::new(x, y, x + 1.0, y + 1.0));
    let ink = inked.reduce(|a, b| a.union(b)).expect("there is ink");
    [ink.x0, ink.y0, ink.x1, ink.y1].map(|edge| edge / 4.0)
}
