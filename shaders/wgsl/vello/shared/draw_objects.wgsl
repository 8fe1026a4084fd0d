// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: vello_config, scene, draw_monoids, is_neutral_where_empty

// The draw objects of a frame in Vello's buffers.

#import vello_streams

@group(0) @binding(0) var<uniform> vello_config: VelloConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> draw_monoids: array<DrawMonoid>;

// peniko's compose modes that change the backdrop where the layer is empty, one bit each: Clear,
// Copy, SrcIn, DestIn, SrcOut, and DestAtop. A luminance mask removes the backdrop where it is
// empty. Its blend word has Clear in these bits.
const DESTRUCTIVE_COMPOSE = 0x4e3u;

// Whether the layer of a begin changes nothing where it is empty.
fn is_neutral_where_empty(begin: DrawMonoid) -> bool {
    let blend = scene[vello_config.drawdata_base + begin.scene_offset];
    return ((DESTRUCTIVE_COMPOSE >> (blend & 0xfu)) & 1u) == 0u;
}
