// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LINKS_PER_ROUND

// The number of links that a round of pointer jumping from group to group covers: an item's own
// link, and those of the seven items that it visits.
const LINKS_PER_ROUND = 8u;
