// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: scene, vello_config
// provides: is_neutral_where_empty

// Which of Vello's layers change nothing where nothing is in them. Needs the bindings `vello_config` and `scene`.

#import vello_streams

// peniko's Compose modes, a bit each, that change the backdrop where the layer is empty: Clear, Copy, SrcIn, DestIn, SrcOut and
// DestAtop. A luminance mask, under which nothing is left where it is empty, has Clear in these bits.
const DESTRUCTIVE_COMPOSE = 0x4e3u;

fn is_neutral_where_empty(begin: DrawMonoid) -> bool {
    let blend = scene[vello_config.drawdata_base + begin.scene_offset];
    return ((DESTRUCTIVE_COMPOSE >> (blend & 0xfu)) & 1u) == 0u;
}
