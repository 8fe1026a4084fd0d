//! The first draw objects of a drawing.

use boxwood_cpu::ElementKind;
use vello_encoding::{DrawMonoid, Encoding, Monoid, Patch, PathMonoid, PathTag, Style};

/// The first draw objects of an encoding, with an end for each layer that they leave open.
pub(super) fn first_objects(encoding: &Encoding, n_objects: usize) -> Encoding {
    let draw_tags = &encoding.draw_tags[..n_objects.min(encoding.draw_tags.len())];
    let draw = sum::<DrawMonoid>(draw_tags.iter().copied());
    let path_tags = first_paths(&encoding.path_tags, draw.path_ix);
    let path = sum::<PathMonoid>(path_tags.iter().map(|tag| tag.0.into()));
    let n_draw_data = draw.scene_offset as usize;
    let mut resources = encoding.resources.clone();
    // The other resources are found by their indices.
    resources.patches.retain(|patch| match patch {
        Patch::Ramp { draw_data_offset, .. } | Patch::Image { draw_data_offset, .. } => {
            *draw_data_offset < n_draw_data
        }
        Patch::GlyphRun { index } => {
            encoding.resources.glyph_runs[*index].stream_offsets.draw_tags < draw_tags.len()
        }
    });
    let mut first = Encoding {
        path_tags: path_tags.to_vec(),
        path_data: encoding.path_data[..path.pathseg_offset as usize].to_vec(),
        draw_tags: draw_tags.to_vec(),
        draw_data: encoding.draw_data[..n_draw_data].to_vec(),
        transforms: encoding.transforms[..path.trans_ix as usize].to_vec(),
        styles: encoding.styles[..path.style_ix as usize / WORDS_PER_STYLE].to_vec(),
        resources,
        n_paths: path.path_ix,
        n_path_segments: path.pathseg_ix,
        n_clips: draw.clip_ix,
        n_open_clips: 0,
        flags: Encoding::FORCE_NEXT_TRANSFORM | Encoding::FORCE_NEXT_STYLE,
    };
    let tags: Vec<u32> = draw_tags.iter().map(|tag| tag.0).collect();
    // `encode_end_clip` encodes nothing unless a layer is open.
    for n_left in (1..=n_open(&tags)).rev() {
        first.n_open_clips = u32::try_from(n_left).unwrap_or(u32::MAX);
        first.encode_end_clip();
    }
    first
}

/// The number of layers that draw objects with these tags leave open.
pub(super) fn n_open(tags: &[u32]) -> usize {
    tags.iter().fold(0, |n_open, tag| match ElementKind::of(*tag) {
        ElementKind::Begin => n_open + 1,
        ElementKind::End => usize::saturating_sub(n_open, 1),
        ElementKind::Leaf | ElementKind::Nop => n_open,
    })
}

/// The tags of the first paths. A path ends at its marker: what follows belongs to the next one.
fn first_paths(tags: &[PathTag], n_paths: u32) -> &[PathTag] {
    let ends = tags.iter().enumerate().filter(|(_, tag)| tag.0 & PathTag::PATH.0 != 0);
    let last = (n_paths as usize).checked_sub(1).and_then(|last| ends.map(|(at, _)| at).nth(last));
    last.map_or(&[], |last| &tags[..=last])
}

fn sum<M: Monoid>(values: impl Iterator<Item = M::SourceValue>) -> M {
    values.fold(M::default(), |sum, value| sum.combine(&M::new(value)))
}

/// [`PathMonoid`] counts styles by their words.
const WORDS_PER_STYLE: usize = size_of::<Style>() / size_of::<u32>();

#[cfg(test)]
mod tests {
    use boxwood_svg::{Fonts, Options};

    use super::*;

    /// All streams of an encoding, with the offsets of its patches.
    fn streams(encoding: &Encoding) -> impl PartialEq + std::fmt::Debug + use<> {
        let offset = |patch: &Patch| match patch {
            Patch::Ramp { draw_data_offset, .. } | Patch::Image { draw_data_offset, .. } => *draw_data_offset,
            Patch::GlyphRun { index } => *index,
        };
        let patches: Vec<_> = encoding.resources.patches.iter().map(offset).collect();
        let tags: Vec<_> = encoding.path_tags.iter().map(|tag| tag.0).collect();
        let draw_tags: Vec<_> = encoding.draw_tags.iter().map(|tag| tag.0).collect();
        let transforms: Vec<_> = encoding.transforms.iter().map(|t| (t.matrix, t.translation)).collect();
        let styles: Vec<u8> = bytemuck::cast_slice(&encoding.styles).to_vec();
        let counts = [encoding.n_paths, encoding.n_path_segments, encoding.n_clips, encoding.n_open_clips];
        let data = (encoding.path_data.clone(), encoding.draw_data.clone());
        ((tags, draw_tags, data), (transforms, styles, patches), counts)
    }

    #[test]
    fn the_first_objects_are_those_of_the_drawing_without_the_others() {
        let shapes = [
            r##"<rect width="9" height="9" fill="red"/>"##,
            r##"<path d="M1 2C9 4 5 6 7 8Q9 10 1 12L1 2zM20 20h5" fill="url(#g)" transform="rotate(9)"/>"##,
            r##"<path d="M1 2C9 4 5 6 7 8" fill="none" stroke="blue" stroke-width="3"/>"##,
            r##"<rect x="5" width="9" height="9" fill="url(#p)"/>"##,
            r##"<circle cx="5" cy="9" r="3" fill-rule="evenodd" fill="url(#g)"/>"##,
        ];
        let defs = r##"<linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient>
            <pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="2"/></pattern>
            <clipPath id="c"><circle r="9"/></clipPath>"##;
        let load = |n_shapes: usize| {
            let contents = shapes[..n_shapes].concat();
            let svg = format!(
                r##"<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">{defs}
                <g clip-path="url(#c)"><g style="mix-blend-mode:multiply" clip-path="url(#c)">{contents}</g></g></svg>"##
            );
            let options = Options { fonts: Fonts::Bundled, ..Options::default() };
            boxwood_svg::load(svg.as_bytes(), &options).expect("it is correct").encoding
        };
        let whole = load(shapes.len());
        for n_shapes in 1..=shapes.len() {
            // Three layers begin, and each shape is one leaf.
            let first = first_objects(&whole, 3 + n_shapes);
            assert_eq!(streams(&first), streams(&load(n_shapes)), "{n_shapes} shapes");
        }
        for n_objects in [whole.draw_tags.len(), usize::MAX] {
            assert_eq!(streams(&first_objects(&whole, n_objects)), streams(&whole));
        }
        assert!(first_objects(&whole, 0).is_empty());
        assert_eq!(first_objects(&whole, 2).draw_tags.len(), 4, "both layers end");
    }
}
