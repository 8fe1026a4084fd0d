// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Which of Vello's layers change nothing where nothing is in them. Needs the bindings `vello_config` and `scene`.

#import vello

// peniko's Compose modes, a bit each, that change the backdrop where the layer is empty: Clear, Copy, SrcIn, DestIn, SrcOut and DestAtop.
const DESTRUCTIVE_COMPOSE = 0x4e3u;

// The blend word of a layer that is a mask by its luminance: where it is empty, all is masked.
const LUMINANCE_MASK = 0x10000u;

fn is_neutral_where_empty(begin: DrawMonoid) -> bool {
    let blend = scene[vello_config.drawdata_base + begin.scene_offset];
    let compose = blend & 0xffu;
    return (blend & LUMINANCE_MASK) == 0u && compose < 32u && ((DESTRUCTIVE_COMPOSE >> (compose & 31u)) & 1u) == 0u;
}
