//! The paths of an encoding, one by one.

use kurbo::{Affine, BezPath, Cap, Join, Point, Stroke};
use peniko::Fill;
use vello_encoding::{DrawTag, Encoding, PathSegmentType, PathTag, Style};

/// Finds the path of each draw object in the streams of an encoding.
#[derive(Debug)]
pub(super) struct EncodedPaths {
    /// One per draw object, and one for the end of the streams.
    starts: Vec<Start>,
}

/// The positions in the streams at which a draw object starts.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    path_tag: usize,
    path_data: usize,
    draw_data: usize,
    /// The number of transforms and styles before. The last one applies until there is another.
    n_transforms: usize,
    n_styles: usize,
}

impl Start {
    fn pass(&mut self, tag: PathTag) {
        self.path_tag += 1;
        self.n_transforms += usize::from(tag == PathTag::TRANSFORM);
        self.n_styles += usize::from(tag == PathTag::STYLE);
        if tag.is_path_segment() {
            // The point that a subpath starts at has no tag.
            let n_points = usize::from(tag.path_segment_type().0) + usize::from(tag.is_subpath_end());
            self.path_data += 2 * n_points;
        }
    }
}

/// The path of a draw object.
#[derive(Debug)]
pub(super) struct EncodedPath {
    pub(super) path: BezPath,
    pub(super) scene_from_path: Affine,
    /// How the path is painted.
    pub(super) style: PathStyle,
}

/// How a path is painted.
#[derive(Debug)]
pub(super) enum PathStyle {
    Fill(Fill),
    Stroke(Stroke),
}

impl EncodedPaths {
    pub(super) fn new(encoding: &Encoding) -> Self {
        let mut starts = Vec::with_capacity(encoding.draw_tags.len() + 1);
        let mut at = Start::default();
        starts.push(at);
        let mut draw_tags = encoding.draw_tags.iter();
        for tag in &encoding.path_tags {
            at.pass(*tag);
            if *tag == PathTag::PATH {
                at.draw_data += draw_tags.next().map_or(0, |tag| n_draw_words(*tag));
                starts.push(at);
            }
        }
        Self { starts }
    }

    /// The words of the brush or of the blend mode of a draw object.
    pub(super) fn draw_data<'e>(&self, index: usize, encoding: &'e Encoding) -> &'e [u32] {
        &encoding.draw_data[self.starts[index].draw_data..self.starts[index + 1].draw_data]
    }

    /// The path of a draw object. The path of an end is empty.
    pub(super) fn get(&self, index: usize, encoding: &Encoding) -> EncodedPath {
        let mut at = self.starts[index];
        let tags = &encoding.path_tags[at.path_tag..self.starts[index + 1].path_tag];
        // The transform of the brush comes after the segments.
        for tag in tags.iter().take_while(|tag| !tag.is_path_segment()) {
            at.pass(*tag);
        }
        let transform = at.n_transforms.checked_sub(1).map(|index| encoding.transforms[index].to_kurbo());
        let style = at.n_styles.checked_sub(1).map_or_else(Style::default, |index| encoding.styles[index]);
        let is_stroke = style.flags_and_miter_limit & Style::FLAGS_STYLE_BIT != 0;
        let (mut path, mut is_open) = (BezPath::new(), false);
        let mut words = encoding.path_data[at.path_data..].iter();
        let mut point = || {
            let [x, y] = [(); 2].map(|()| words.next().map_or(0.0, |word| f32::from_bits(*word)));
            Point::new(x.into(), y.into())
        };
        for tag in tags.iter().filter(|tag| tag.is_path_segment()) {
            if !is_open {
                path.move_to(point());
            }
            is_open = !tag.is_subpath_end();
            let kind = tag.path_segment_type();
            // The last segment of a stroked subpath is a marker: a line if the subpath is closed.
            let is_marker = is_stroke && !is_open;
            if is_marker {
                (0..kind.0).for_each(|_| _ = point());
            } else if kind == PathSegmentType::LINE_TO {
                path.line_to(point());
            } else if kind == PathSegmentType::QUAD_TO {
                path.quad_to(point(), point());
            } else {
                path.curve_to(point(), point(), point());
            }
            if !is_open && (!is_stroke || kind == PathSegmentType::LINE_TO) {
                path.close_path();
            }
        }
        let style = if is_stroke { PathStyle::Stroke(stroke(style)) } else { PathStyle::Fill(rule(style)) };
        EncodedPath { path, scene_from_path: transform.unwrap_or_default(), style }
    }
}

/// The number of words of the brush or of the blend mode of a draw object. The tag has it in three
/// bits.
fn n_draw_words(tag: DrawTag) -> usize {
    (tag.0 >> 2) as usize & 7
}

fn rule(style: Style) -> Fill {
    if style.flags_and_miter_limit & Style::FLAGS_FILL_BIT == 0 { Fill::NonZero } else { Fill::EvenOdd }
}

fn stroke(style: Style) -> Stroke {
    let flags = style.flags_and_miter_limit;
    let cap = match flags & Style::FLAGS_END_CAP_MASK {
        Style::FLAGS_END_CAP_BITS_SQUARE => Cap::Square,
        Style::FLAGS_END_CAP_BITS_ROUND => Cap::Round,
        _ => Cap::Butt,
    };
    let join = match flags & Style::FLAGS_JOIN_MASK {
        Style::FLAGS_JOIN_BITS_MITER => Join::Miter,
        Style::FLAGS_JOIN_BITS_ROUND => Join::Round,
        _ => Join::Bevel,
    };
    let limit = half(flags & Style::MITER_LIMIT_MASK);
    Stroke::new(style.line_width.into()).with_caps(cap).with_join(join).with_miter_limit(limit)
}

/// The value of a positive 16-bit float that is not infinite: 5 bits of an exponent, 10 of a
/// mantissa.
fn half(bits: u32) -> f64 {
    let (exponent, mantissa) = (bits >> 10, f64::from(bits & 0x3FF));
    // Below the smallest exponent there is no leading one.
    let leading = if exponent == 0 { 0.0 } else { 1024.0 };
    (leading + mantissa) * f64::from(exponent.max(1)).exp2() * 2.0_f64.powi(-25)
}

#[cfg(test)]
mod tests {
    use kurbo::Shape;
    use peniko::Color;
    use vello_encoding::Transform;

    use super::*;

    #[test]
    fn paths_are_decoded_as_they_were_encoded() {
        let (mut encoding, turned) = (Encoding::new(), Affine::rotate(1.0));
        let fill = BezPath::from_svg("M1 2L5 2Q9 9 5 5ZM20 20C30 20 30 30 20 30Z").expect("a path");
        let lines = BezPath::from_svg("M0 0L9 0L9 9ZM20 0C30 0 30 9 20 9M40 0L50 0").expect("a path");
        let style = Stroke::new(3.0).with_caps(Cap::Square).with_join(Join::Round).with_miter_limit(2.5);
        encoding.encode_transform(Transform::from_kurbo(&turned));
        encoding.encode_fill_style(Fill::EvenOdd);
        encoding.encode_shape(&fill, true);
        // The transform of a brush.
        assert!(encoding.encode_transform(Transform::IDENTITY));
        encoding.swap_last_path_tags();
        encoding.encode_color(Color::BLACK);
        encoding.encode_transform(Transform::IDENTITY);
        assert!(encoding.encode_stroke_style(&style));
        encoding.encode_shape(&lines, false);
        encoding.encode_color(Color::WHITE);
        let paths = EncodedPaths::new(&encoding);
        let [first, second] = [0, 1].map(|index| paths.get(index, &encoding));
        assert!(matches!(first.style, PathStyle::Fill(Fill::EvenOdd)));
        let apart: f64 = first
            .scene_from_path
            .as_coeffs()
            .into_iter()
            .zip(turned.as_coeffs())
            .map(|(a, b)| (a - b).abs())
            .sum();
        assert!(apart < 1e-6, "{:?}", first.scene_from_path);
        assert_eq!((first.path.area(), first.path.bounding_box()), (fill.area(), fill.bounding_box()));
        let PathStyle::Stroke(found) = second.style else { panic!("the second path is a stroke") };
        assert_eq!(
            (found.width, found.start_cap, found.join, found.miter_limit),
            (style.width, style.start_cap, style.join, style.miter_limit)
        );
        // Vello closes a subpath by a line.
        let expected = BezPath::from_svg("M0 0L9 0L9 9L0 0ZM20 0C30 0 30 9 20 9M40 0L50 0").expect("a path");
        assert_eq!((second.path, second.scene_from_path), (expected, Affine::IDENTITY));
        assert_eq!(paths.draw_data(1, &encoding), [u32::MAX]);
    }

    #[test]
    fn halves_have_the_values_of_ieee_754() {
        for (bits, value) in
            [(0x3C00, 1.0), (0x4400, 4.0), (0x7BFF, 65_504.0), (1, 2.0_f64.powi(-24)), (0x4100, 2.5)]
        {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
    }
}
