//! The draw objects of an encoding, one by one.

use std::ops::Range;

use kurbo::{Affine, BezPath, Cap, Join, Point, Rect, Stroke};
use peniko::Fill;
use vello_encoding::{DrawTag, Encoding, Patch, PathSegmentType, PathTag, Style};

use super::EncodingError;

/// Finds the parts of each draw object in the streams of an encoding.
#[derive(Clone, Debug)]
pub struct EncodedObjects {
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
#[derive(Clone, Debug)]
pub struct EncodedPath {
    /// The path in its own space. All subpaths of a fill are closed.
    pub path: BezPath,
    /// The transform of the path.
    pub transform: Affine,
    /// The transform of the brush, from its own space to that of the scene.
    pub brush_transform: Affine,
    /// How the path is painted.
    pub style: PathStyle,
}

/// How a path is painted.
#[derive(Clone, Debug)]
pub enum PathStyle {
    /// The interior, by a fill rule.
    Fill(Fill),
    /// The outline. It has no dashes, since they are encoded as subpaths.
    Stroke(Stroke),
}

impl EncodedObjects {
    /// Reads the tags of an encoding once.
    ///
    /// # Errors
    ///
    /// [`EncodingError`] if a stream ends before the last draw object does, or if coordinates have
    /// 16 bits.
    pub fn new(encoding: &Encoding) -> Result<Self, EncodingError> {
        let mut starts = Vec::with_capacity(encoding.draw_tags.len() + 1);
        let mut at = Start::default();
        starts.push(at);
        let mut path_tags = encoding.path_tags.iter();
        let mut runs = glyph_runs(encoding).peekable();
        for (draw_object, draw_tag) in encoding.draw_tags.iter().enumerate() {
            // The paths of a run of glyphs are not in the streams.
            let is_run = runs.next_if_eq(&draw_object).is_some();
            let missing = |part| EncodingError::Incomplete { draw_object, part };
            if !is_run && *draw_tag != DrawTag::NOP {
                loop {
                    let tag = *path_tags.next().ok_or(missing("path"))?;
                    if tag.is_path_segment() && !tag.is_f32() {
                        return Err(EncodingError::Unknown { draw_object, part: "format of coordinates" });
                    }
                    at.pass(tag);
                    if tag == PathTag::PATH {
                        break;
                    }
                }
            }
            // The tag has the number of words in three bits.
            at.draw_data += (draw_tag.0 >> 2) as usize & 7;
            for (end, length, part) in [
                (at.path_data, encoding.path_data.len(), "coordinates"),
                (at.draw_data, encoding.draw_data.len(), "draw data"),
                (at.n_transforms, encoding.transforms.len(), "transform"),
                (at.n_styles, encoding.styles.len(), "style"),
            ] {
                if end > length {
                    return Err(missing(part));
                }
            }
            starts.push(at);
        }
        Ok(Self { starts })
    }

    /// The words of the brush or of the blend mode of a draw object.
    ///
    /// # Panics
    ///
    /// Panics if there is no such draw object, or if this is another encoding.
    pub fn draw_data<'e>(&self, index: usize, encoding: &'e Encoding) -> &'e [u32] {
        &encoding.draw_data[self.draw_data_range(index)]
    }

    /// The place of these words in the draw data.
    pub(super) fn draw_data_range(&self, index: usize) -> Range<usize> {
        self.starts[index].draw_data..self.starts[index + 1].draw_data
    }

    /// The path of a draw object. The path of an end, and that of a run of glyphs, is empty.
    ///
    /// # Panics
    ///
    /// Panics if there is no such draw object, or if this is another encoding.
    pub fn path(&self, index: usize, encoding: &Encoding) -> EncodedPath {
        let mut at = self.starts[index];
        let tags = &encoding.path_tags[at.path_tag..self.starts[index + 1].path_tag];
        // The transform of the brush comes after the segments.
        for tag in tags.iter().take_while(|tag| !tag.is_path_segment()) {
            at.pass(*tag);
        }
        let transform = |n: usize| {
            n.checked_sub(1).map_or(Affine::IDENTITY, |index| encoding.transforms[index].to_kurbo())
        };
        let style = at.n_styles.checked_sub(1).map_or_else(Style::default, |index| encoding.styles[index]);
        let is_stroke = style.flags_and_miter_limit & Style::FLAGS_STYLE_BIT != 0;
        let path = path(
            &tags[at.path_tag - self.starts[index].path_tag..],
            &encoding.path_data[at.path_data..],
            is_stroke,
        );
        EncodedPath {
            path,
            transform: transform(at.n_transforms),
            brush_transform: transform(self.starts[index + 1].n_transforms),
            style: if is_stroke { PathStyle::Stroke(stroke(style)) } else { PathStyle::Fill(rule(style)) },
        }
    }
}

/// The draw objects that are runs of glyphs.
fn glyph_runs(encoding: &Encoding) -> impl Iterator<Item = usize> {
    encoding.resources.patches.iter().filter_map(|patch| match patch {
        Patch::GlyphRun { index } => {
            Some(encoding.resources.glyph_runs.get(*index)?.stream_offsets.draw_tags)
        }
        _ => None,
    })
}

/// The path with these tags, whose coordinates start at the first word.
fn path(tags: &[PathTag], words: &[u32], is_stroke: bool) -> BezPath {
    let (mut path, mut is_open) = (BezPath::new(), false);
    let mut words = words.iter();
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
    path
}

/// The rectangle that a path is, if its sides are parallel to the axes. An encoding has no
/// rectangles, but renderers and boxes are exact for them.
pub(super) fn as_rect(path: &BezPath) -> Option<Rect> {
    use kurbo::PathEl::{ClosePath, LineTo, MoveTo};
    let (a, b, c, d) = match path.elements() {
        [MoveTo(a), LineTo(b), LineTo(c), LineTo(d), LineTo(end), ClosePath] if end == a => (a, b, c, d),
        [MoveTo(a), LineTo(b), LineTo(c), LineTo(d), ClosePath] => (a, b, c, d),
        _ => return None,
    };
    let is_along_x_first = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
    let is_along_y_first = a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y;
    (is_along_x_first || is_along_y_first).then(|| Rect::new(a.x, a.y, c.x, c.y))
}

fn rule(style: Style) -> Fill {
    if style.flags_and_miter_limit & Style::FLAGS_FILL_BIT == 0 { Fill::NonZero } else { Fill::EvenOdd }
}

fn stroke(style: Style) -> Stroke {
    let flags = style.flags_and_miter_limit;
    let start_cap = match flags & Style::FLAGS_START_CAP_MASK {
        Style::FLAGS_START_CAP_BITS_SQUARE => Cap::Square,
        Style::FLAGS_START_CAP_BITS_ROUND => Cap::Round,
        _ => Cap::Butt,
    };
    let end_cap = match flags & Style::FLAGS_END_CAP_MASK {
        Style::FLAGS_END_CAP_BITS_SQUARE => Cap::Square,
        Style::FLAGS_END_CAP_BITS_ROUND => Cap::Round,
        _ => Cap::Butt,
    };
    let join = match flags & Style::FLAGS_JOIN_MASK {
        Style::FLAGS_JOIN_BITS_MITER => Join::Miter,
        Style::FLAGS_JOIN_BITS_ROUND => Join::Round,
        _ => Join::Bevel,
    };
    // Its sign does not count, because renderers compare squares.
    let limit = half(flags & Style::MITER_LIMIT_MASK & !HALF_SIGN);
    Stroke::new(style.line_width.into())
        .with_start_cap(start_cap)
        .with_end_cap(end_cap)
        .with_join(join)
        .with_miter_limit(limit)
}

/// The sign of a 16-bit float.
const HALF_SIGN: u32 = 1 << 15;

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
        let objects = EncodedObjects::new(&encoding).expect("it is complete");
        let [first, second] = [0, 1].map(|index| objects.path(index, &encoding));
        assert!(matches!(first.style, PathStyle::Fill(Fill::EvenOdd)));
        assert_eq!(first.brush_transform, Affine::IDENTITY);
        let apart: f64 =
            first.transform.as_coeffs().into_iter().zip(turned.as_coeffs()).map(|(a, b)| (a - b).abs()).sum();
        assert!(apart < 1e-6, "{:?}", first.transform);
        assert_eq!((first.path.area(), first.path.bounding_box()), (fill.area(), fill.bounding_box()));
        let PathStyle::Stroke(found) = second.style else { panic!("the second path is a stroke") };
        assert_eq!(
            (found.width, found.start_cap, found.join, found.miter_limit),
            (style.width, style.start_cap, style.join, style.miter_limit)
        );
        // Vello closes a subpath by a line.
        let expected = BezPath::from_svg("M0 0L9 0L9 9L0 0ZM20 0C30 0 30 9 20 9M40 0L50 0").expect("a path");
        assert_eq!((second.path, second.transform), (expected, Affine::IDENTITY));
        assert_eq!(objects.draw_data(1, &encoding), [u32::MAX]);
    }

    #[test]
    fn streams_that_are_too_short_are_refused() {
        let mut encoding = Encoding::new();
        encoding.encode_transform(Transform::IDENTITY);
        encoding.encode_fill_style(Fill::NonZero);
        encoding.encode_shape(&Rect::new(0.0, 0.0, 1.0, 1.0), true);
        encoding.encode_color(Color::BLACK);
        assert!(EncodedObjects::new(&encoding).is_ok());
        let error = |edit: fn(&mut Encoding)| {
            let mut encoding = encoding.clone();
            edit(&mut encoding);
            EncodedObjects::new(&encoding).expect_err("a stream is too short")
        };
        let missing = |part| EncodingError::Incomplete { draw_object: 0, part };
        assert_eq!(error(|encoding| encoding.path_tags.clear()), missing("path"));
        assert_eq!(error(|encoding| encoding.path_data.truncate(9)), missing("coordinates"));
        assert_eq!(error(|encoding| encoding.draw_data.clear()), missing("draw data"));
        assert_eq!(error(|encoding| encoding.transforms.clear()), missing("transform"));
        assert_eq!(error(|encoding| encoding.styles.clear()), missing("style"));
        let part = "format of coordinates";
        let found = error(|encoding| encoding.path_tags[2] = PathTag::LINE_TO_I16);
        assert_eq!(found, EncodingError::Unknown { draw_object: 0, part });
    }

    #[test]
    fn rectangles_are_recognized() {
        let is_rect = |path: &str| as_rect(&BezPath::from_svg(path).expect("a path"));
        assert_eq!(is_rect("M1 2H5V9H1Z"), Some(Rect::new(1.0, 2.0, 5.0, 9.0)));
        assert_eq!(is_rect("M1 2V9H5V2H1Z"), Some(Rect::new(1.0, 2.0, 5.0, 9.0)));
        for other in ["M1 2H5V9H1", "M1 2H5V9H2Z", "M1 2H5V9L1 8Z", "M1 2H5V9H1V3Z"] {
            assert_eq!(is_rect(other), None, "{other}");
        }
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
