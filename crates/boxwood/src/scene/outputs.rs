//! The results that a caller asks for.

bitflags::bitflags! {
    /// The results of [`SceneBoxes`](crate::SceneBoxes) that a caller needs.
    ///
    /// The clipped boxes are always computed. Alone, they take fewer dispatches, and about half of
    /// the time of all results for 2^24 elements on an NVIDIA H200. The other results are computed
    /// together, so asking for one of them costs as much as asking for all.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Outputs: u8 {
        /// The clipped box of each element. This is what a renderer needs for culling.
        const CLIPPED = 1;
        /// The clip box at each entry of the node stream.
        const CLIPS = 2;
        /// The group box at each entry of the node stream.
        const GROUPS = 4;
        /// The tree: the entries of the node stream, the rank of each element, and the parent and
        /// the partner of each entry.
        const LINKS = 8;
    }
}

impl Outputs {
    /// The results besides the clipped boxes.
    pub(super) const OF_ENTRIES: Self = Self::CLIPS.union(Self::GROUPS).union(Self::LINKS);
}
