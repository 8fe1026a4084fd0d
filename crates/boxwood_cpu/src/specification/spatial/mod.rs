//! What is done with boxes: selection, sorting, and search.
//!
//! | stage on the GPU | function |
//! |---|---|
//! | *scan* | [`scan()`] |
//! | *expand* | [`expand()`] |
//! | *select* | [`select()`], [`mask`] |
//! | *sort* | [`sort()`], [`Network`], [`co_rank`] |
//! | *search* | [`search()`], [`Bound`], [`rearrange`] |
//! | *index* | [`Index`], [`curve_keys`] |
//! | *lbvh* | [`Lbvh`], [`split_list`] |
//! | *query* | [`find_all`], [`top_most`], [`nearest`] |
//! | *reorder* | [`reorder()`], [`query_keys`], [`reorder_by_runs`], [`packets`] |
//! | *layers* | [`layers()`], [`layers_in_scopes`], [`batches`] |
//! | *damage* | [`damage()`], [`partners`], [`rectangles`] |
//! | *occlusion* | [`visible`], [`visible_by_boxes`] |
//! | *pairs* | [`pairs()`], [`Sweep`], [`StripSweep`], [`tree_pairs`] |
//!
//! [`pick()`] has no stage on the GPU: it finds what is at a place through the scene itself.

mod damage;
mod expand;
mod index;
mod layers;
mod lbvh;
mod occlusion;
mod pairs;
mod pairs_strips;
mod pick;
mod query;
mod reorder;
mod scan;
mod search;
mod select;
mod sort;
mod tiles;

pub use damage::{Damage, Frame, NO_PARTNER, damage, partners, rectangles};
pub use expand::{Expanded, expand};
pub use index::{CHILDREN, Index, IndexNode, Order, curve_keys, key_bits, union_of};
#[cfg(feature = "papers")]
pub(super) use index::{GridAxis, plain};
pub use layers::{Batch, batches, layers, layers_in_scopes};
pub use lbvh::{LEAF, Lbvh, LbvhNode, NO_ROPE, split_list};
pub use occlusion::{visible, visible_by_boxes};
pub use pairs::{Axis, Sweep, coordinate_key, pairs, tree_pairs};
pub use pairs_strips::{StripEntry, StripSweep};
pub use pick::{Place, pick};
pub use query::{Nearest, Query, find_all, nearest, squared_distance, top_most};
pub use reorder::{PACKET_LENGTH, packets, query_keys, reorder, reorder_by_runs};
pub use scan::scan;
pub use search::{Bound, rearrange, search};
pub use select::{Predicate, mask, select};
pub use sort::{Network, co_rank, sort};
pub use tiles::{Rectangle, TileGrid};
