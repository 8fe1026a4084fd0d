//! The segments of paths, with their tangents, and the corners between them.

use kurbo::{CubicBez, PathEl, PathSeg, Point, Vec2};

/// A segment of a path, with its unit tangents at both ends.
pub(crate) struct Segment {
    pub(crate) start: Point,
    pub(crate) end: Point,
    /// The tangent at the start.
    pub(crate) leaving: Vec2,
    /// The tangent at the end.
    pub(crate) arriving: Vec2,
    /// `None` for a line.
    pub(crate) curve: Option<CubicBez>,
}

impl Segment {
    /// `None` if the segment has no length, and thus no direction.
    pub(crate) fn new(segment: PathSeg) -> Option<Self> {
        let is_line = matches!(segment, PathSeg::Line(_));
        let curve = segment.to_cubic();
        let [leaving, arriving] = tangents(&curve)?;
        Some(Self { start: curve.p0, end: curve.p3, leaving, arriving, curve: (!is_line).then_some(curve) })
    }
}

/// The unit tangents of a curve at its start and at its end.
pub(crate) fn tangents(curve: &CubicBez) -> Option<[Vec2; 2]> {
    let CubicBez { p0, p1, p2, p3 } = *curve;
    let direction = |from: Point, to: Point| (from != to).then(|| (to - from).normalize());
    let leaving = [p1, p2, p3].into_iter().find_map(|p| direction(p0, p))?;
    let arriving = [p2, p1, p0].into_iter().find_map(|p| direction(p, p3))?;
    Some([leaving, arriving])
}

/// The segments of a subpath that have a direction.
pub(crate) fn segments(subpath: &[PathEl]) -> Vec<Segment> {
    kurbo::segments(subpath.iter().copied()).filter_map(Segment::new).collect()
}

/// A vertex of a path between two segments, with the unit tangents there.
pub(crate) struct Corner {
    pub(crate) vertex: Point,
    pub(crate) incoming: Vec2,
    pub(crate) outgoing: Vec2,
}

/// The corners of a subpath, including the one where a closed subpath ends.
pub(crate) fn corners(segments: &[Segment], is_closed: bool) -> impl Iterator<Item = Corner> {
    let closing = segments.last().zip(segments.first()).filter(|_| is_closed);
    let pairs = segments.iter().zip(segments.iter().skip(1)).chain(closing);
    pairs.map(|(from, to)| Corner { vertex: from.end, incoming: from.arriving, outgoing: to.leaving })
}
