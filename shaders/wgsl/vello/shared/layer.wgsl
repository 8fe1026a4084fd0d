// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: scene, vello_config
// provides: is_neutral_where_empty

// The layers that change nothing where they are empty.

#import vello_streams

// peniko's compose modes that change the backdrop where the layer is empty, one bit each: Clear,
// Copy, SrcIn, DestIn, SrcOut, and DestAtop. A luminance mask removes the backdrop where it is
// empty. Its blend word has Clear in these bits.
const DESTRUCTIVE_COMPOSE = 0x4e3u;

fn is_neutral_where_empty(begin: DrawMonoid) -> bool {
    let blend = scene[vello_config.drawdata_base + begin.scene_offset];
    return ((DESTRUCTIVE_COMPOSE >> (blend & 0xfu)) & 1u) == 0u;
}
