// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Counts, PackedCounts, STYLE_EVEN_ODD, STYLE_STROKE, TAG_F32, TAG_LINE, TAG_PATH
// provides: TAG_SEGMENT, TAG_STYLE, TAG_SUBPATH_END, TAG_TRANSFORM, counts_of_tag, data_of_tag
// provides: packed_counts_of_word, unpacked

// The bits of path tags and styles, as in vello_encoding, and the counts before a tag.

const TAG_SEGMENT = 3u;
const TAG_LINE = 1u;
const TAG_SUBPATH_END = 4u;
const TAG_F32 = 8u;
const TAG_PATH = 0x10u;
const TAG_TRANSFORM = 0x20u;
const TAG_STYLE = 0x40u;

const STYLE_STROKE = 0x80000000u;
const STYLE_EVEN_ODD = 0x40000000u;

// The numbers of transforms, styles, words of path data, and paths before a tag. A monoid under
// addition.
alias Counts = vec4<u32>;

// The counts of at most one partition, 16 bits each:
//
// | word | bits 0..16         | bits 16..32 |
// | x    | words of path data | paths       |
// | y    | transforms         | styles      |
//
// A tag has at most 8 words of path data, so no field of a partition of 1024 tags overflows.
alias PackedCounts = vec2<u32>;

// The counts of four tags. A segment takes its points except the first, which it shares with the
// segment before. The last segment of a subpath takes one point more. A point of i16 is one word,
// a point of f32 two.
fn packed_counts_of_word(tags: u32) -> PackedCounts {
    let n_points = (tags & 0x3030303u) + ((tags >> 2u) & 0x1010101u);
    let n_words = n_points + (n_points & (((tags >> 3u) & 0x1010101u) * 15u));
    // The product with a 1 in every byte has the sum of all bytes in the highest byte.
    let paths = ((tags >> 4u) & 0x1010101u) * 0x1010101u;
    let transforms = ((tags >> 5u) & 0x1010101u) * 0x1010101u;
    let styles = ((tags >> 6u) & 0x1010101u) * 0x1010101u;
    return PackedCounts(
        ((n_words * 0x1010101u) >> 24u) | ((paths >> 24u) << 16u),
        (transforms >> 24u) | ((styles >> 24u) << 16u),
    );
}

fn unpacked(counts: PackedCounts) -> Counts {
    return Counts(counts.y & 0xffffu, counts.y >> 16u, counts.x & 0xffffu, counts.x >> 16u);
}

fn data_of_tag(tag: u32) -> u32 {
    let n_points = (tag & TAG_SEGMENT) + ((tag >> 2u) & 1u);
    return n_points << ((tag >> 3u) & 1u);
}

fn counts_of_tag(tag: u32) -> Counts {
    return Counts((tag >> 5u) & 1u, (tag >> 6u) & 1u, data_of_tag(tag), (tag >> 4u) & 1u);
}
