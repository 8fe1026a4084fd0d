//! Any words and any layout as a packed scene.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::accuracy::{CONTAINMENT, FILL_TIGHTNESS, FILL_ULPS};
use boxwood_cpu::paths::twin::{path_boxes, rounded_boxes};
use boxwood_cpu::paths::{PathStreams, StreamLayout, StreamsError};

use crate::bytes::Bytes;

/// Checks [`PathStreams::new`] and the path boxes of `boxwood_cpu` on a packed scene.
///
/// If the first byte is odd, ten words of a layout follow, and then the words of the scene. If it
/// is even, four bytes with the numbers of paths, words of tags, transforms, and styles follow.
/// Then come the tags, the transforms, the styles, and the path data.
///
/// # Panics
///
/// If an invalid layout is accepted, if a valid one is refused, or if a box breaks a rule.
pub fn path_streams(bytes: &[u8]) {
    path_streams_by(path_boxes, bytes);
}

/// Checks another function for path boxes in the same way.
///
/// # Panics
///
/// For the reasons of [`path_streams`].
pub fn path_streams_by(path_boxes: fn(&PathStreams<'_>) -> Vec<Aabb>, bytes: &[u8]) {
    let Some((layout, words)) = layout_and_words(&mut Bytes(bytes)) else { return };
    let streams = match PathStreams::new(&words, layout) {
        Ok(streams) => streams,
        Err(error) => return check_refusal(&layout, words.len(), &error),
    };
    let boxes = path_boxes(&streams);
    assert_eq!(boxes.len(), layout.n_paths as usize, "there is one box per path");
    for path_box in &boxes {
        let is_plain = |v: f32| v.is_normal() || v.to_bits() == 0;
        assert!(
            [path_box.x0, path_box.y0, path_box.x1, path_box.y1].into_iter().all(is_plain),
            "{path_box:?}"
        );
        assert_eq!(path_box.canonical(), *path_box);
    }
    for (path, (fill, path_box)) in fills(&streams).iter().zip(&boxes).enumerate() {
        fill.check(path, *path_box);
    }
    let rounded = rounded_boxes(&streams);
    assert_eq!(rounded.len(), boxes.len());
    for (rounded, path_box) in rounded.iter().zip(&boxes).filter(|(_, path_box)| !path_box.is_empty()) {
        // Boxes in whole pixels saturate.
        let holds = |low: i32, edge: f32| low == i32::MIN || f64::from(low) <= f64::from(edge);
        assert!(
            holds(rounded.x0, path_box.x0) && holds(rounded.y0, path_box.y0),
            "{rounded:?} of {path_box:?}"
        );
        let holds = |high: i32, edge: f32| high == i32::MAX || f64::from(high) >= f64::from(edge);
        assert!(
            holds(rounded.x1, path_box.x1) && holds(rounded.y1, path_box.y1),
            "{rounded:?} of {path_box:?}"
        );
    }
}

fn layout_and_words(bytes: &mut Bytes<'_>) -> Option<(StreamLayout, Vec<u32>)> {
    if bytes.byte()? & 1 != 0 {
        let layout: [u32; 10] = bytes.words(10).try_into().ok()?;
        return Some((bytemuck::cast(layout), bytes.words(usize::MAX)));
    }
    let [n_paths, n_tag_words, n_transforms, n_styles] =
        [bytes.byte()?, bytes.byte()?, bytes.byte()?, bytes.byte()?];
    let tags = bytes.words(n_tag_words.into());
    let transforms = bytes.words(6 * usize::from(n_transforms));
    let styles = bytes.words(2 * usize::from(n_styles));
    let data = bytes.words(usize::MAX);
    let mut words = Vec::new();
    let mut base_of = |stream: &[u32]| {
        let base = u32::try_from(words.len()).expect("inputs are small");
        words.extend(stream);
        base
    };
    let (path_tag_base, path_data_base) = (base_of(&tags), base_of(&data));
    let draw_tag_base = base_of(&[]);
    let layout = StreamLayout {
        n_paths: n_paths.into(),
        path_tag_base,
        path_data_base,
        draw_tag_base,
        draw_data_base: draw_tag_base,
        transform_base: base_of(&transforms),
        style_base: base_of(&styles),
        ..StreamLayout::default()
    };
    Some((layout, words))
}

/// Checks that a refused layout is invalid.
fn check_refusal(layout: &StreamLayout, n_words: usize, error: &StreamsError) {
    let bases = [
        layout.path_tag_base,
        layout.path_data_base,
        layout.draw_tag_base,
        layout.draw_data_base,
        layout.transform_base,
        layout.style_base,
    ];
    let is_in_order = bases.is_sorted() && bases[5] as usize <= n_words;
    match error {
        StreamsError::Order { .. } => assert!(!is_in_order, "{layout:?} fits {n_words} words"),
        StreamsError::Paths { n_paths, n_tags } => {
            assert!(is_in_order && u64::from(*n_paths) > *n_tags, "{layout:?} does not have too many paths");
        }
    }
}

/// The constraints on the box of a filled path that do not depend on the shape of its curves.
#[derive(Clone)]
struct Fill {
    /// The ends of its segments in device space, each with the distance by which a box may miss it.
    ends: Vec<([f64; 2], f64)>,
    /// The box of its control points in device space, inflated by the tolerance for its box.
    hull: [[f64; 2]; 2],
    /// Whether there are no constraints.
    is_unconstrained: bool,
}

impl Fill {
    const NOTHING: Self = Self {
        ends: Vec::new(),
        hull: [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]],
        is_unconstrained: false,
    };

    fn check(&self, path: usize, path_box: Aabb) {
        // The box of a flat path is empty.
        if path_box == Aabb::PLANE || path_box.is_empty() || self.is_unconstrained {
            return;
        }
        let low = [path_box.x0, path_box.y0].map(f64::from);
        let high = [path_box.x1, path_box.y1].map(f64::from);
        for axis in 0..2 {
            for (end, error) in &self.ends {
                let is_inside = low[axis] <= end[axis] + error && high[axis] >= end[axis] - error;
                assert!(
                    is_inside,
                    "path {path}: {path_box:?} does not contain the end {end:?} (error {error})"
                );
            }
            let [hull_low, hull_high] = [self.hull[0][axis], self.hull[1][axis]];
            assert!(
                low[axis] >= hull_low && high[axis] <= hull_high,
                "path {path}: {path_box:?} is larger than the hull {:?}",
                self.hull
            );
        }
    }

    /// Adds a segment with these control points in the path's space.
    fn add(&mut self, points: &[[f64; 2]], transform: &[f64; 6]) {
        // A device may flush numbers of this magnitude to 0.
        let flushed = |v: f64, least: f64| if v.abs() < least { 0.0 } else { v };
        let points: Vec<_> = points.iter().map(|p| p.map(|v| flushed(v, 2.0_f64.powi(-102)))).collect();
        let transform = transform.map(|v| flushed(v, f32::MIN_POSITIVE.into()));
        let [a, b, c, d, e, f] = transform;
        let largest_of = |m: f64, v: &f64| m.max(v.abs());
        let largest = points.iter().flatten().fold(0.0, largest_of);
        // The largest term, as in the definition of `CONTAINMENT`.
        let term = (largest * transform[..4].iter().fold(0.0, largest_of)).max(e.abs()).max(f.abs());
        let error = CONTAINMENT * (1.0 + term);
        let placed: Vec<[f64; 2]> =
            points.iter().map(|[x, y]| [a * x + c * y + e, b * x + d * y + f]).collect();
        let far = placed.iter().flatten().fold(0.0, largest_of);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the `f32` determines the unit in the last place"
        )]
        let ulp = f64::from((far as f32).next_up()) - f64::from(far as f32);
        let tolerance = FILL_TIGHTNESS + FILL_ULPS * ulp + error;
        for end in [placed.first(), placed.last()].into_iter().flatten() {
            self.ends.push((*end, error));
        }
        for axis in 0..2 {
            for point in &placed {
                self.hull[0][axis] = self.hull[0][axis].min(point[axis] - tolerance);
                self.hull[1][axis] = self.hull[1][axis].max(point[axis] + tolerance);
            }
        }
    }
}

/// The fills of a packed scene, found by the documentation of `vello_encoding` alone.
fn fills(streams: &PathStreams<'_>) -> Vec<Fill> {
    let mut fills = vec![Fill::NOTHING; streams.layout().n_paths as usize];
    let (mut path, mut data_at, mut n_transforms, mut n_styles) = (0, 0, 0_usize, 0_usize);
    for tag in streams.path_tag_words().iter().flat_map(|word| word.to_le_bytes()) {
        let (kind, is_end, is_f32) = (usize::from(tag & 3), tag & 4 != 0, tag & 8 != 0);
        let words_per_point = if is_f32 { 2 } else { 1 };
        if kind != 0
            && let Some(fill) = fills.get_mut(path)
        {
            let words = streams.path_data().get(data_at..data_at + words_per_point * (kind + 1));
            let transform =
                n_transforms.checked_sub(1).and_then(|n| streams.transforms().get(6 * n..6 * n + 6));
            let style = n_styles.checked_sub(1).and_then(|n| streams.styles().get(2 * n..2 * n + 2));
            if let (Some(words), Some(transform), Some([flags, _])) = (words, transform, style) {
                let points = points_of(words, is_f32);
                let transform: [f64; 6] = std::array::from_fn(|i| f32::from_bits(transform[i]).into());
                let is_finite = points.iter().flatten().chain(&transform).all(|v| v.is_finite());
                if is_finite && flags >> 31 == 0 {
                    fill.add(&points, &transform);
                }
                // A path can contain a stroke too, although no encoder writes that.
                fill.is_unconstrained |= is_finite && flags >> 31 != 0;
            }
        }
        data_at += words_per_point * (kind + usize::from(is_end));
        n_transforms += usize::from(tag & 0x20 != 0);
        n_styles += usize::from(tag & 0x40 != 0);
        path += usize::from(tag & 0x10 != 0);
    }
    fills
}

fn points_of(words: &[u32], is_f32: bool) -> Vec<[f64; 2]> {
    if is_f32 {
        return words.chunks_exact(2).map(|p| [p[0], p[1]].map(|v| f32::from_bits(v).into())).collect();
    }
    #[expect(clippy::cast_possible_truncation, reason = "a word has two numbers of 16 bits")]
    let halves = |word: &u32| [*word as i16, (*word >> 16) as i16].map(f64::from);
    words.iter().map(halves).collect()
}
