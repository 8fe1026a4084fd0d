// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: element_of

// The element of a begin, clamped to the scene. If the caller announces more begins and ends than
// the tags have, the rest of the node stream may contain anything. An empty scene has room for one
// element.
fn element_of(begin: i32) -> u32 {
    return min(u32(begin), max(config.n_elements, 1u) - 1u);
}
