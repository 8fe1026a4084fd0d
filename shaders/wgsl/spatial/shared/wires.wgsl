// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE
// provides: MAX_WIRES, wire_keys, wire_places

// The wires of a sorting network in workgroup memory. Each has an item: a key, and its place in the
// input. Items with equal keys compare by their places, so that the sort is stable.

const MAX_WIRES = 8u * WORKGROUP_SIZE;

var<workgroup> wire_keys: array<u32, MAX_WIRES>;
var<workgroup> wire_places: array<u32, MAX_WIRES>;
