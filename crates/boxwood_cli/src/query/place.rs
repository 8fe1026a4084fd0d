//! `--at`, `--precise`, and `--within`: what is at a place.

use boxwood_query::{Place, PlaceError, place_at, place_within};
use clap::Args;

/// A place in the scene.
#[derive(Clone, Debug, Args)]
pub(super) struct PlaceArgs {
    /// Print what is at this point, the top-most first
    ///
    /// Prints each element with a leaf whose clipped box contains the point, and each group whose
    /// group box does, with the clips around it. A group comes after everything inside of it. A
    /// point on the right or bottom edge of a box is outside. Coordinates are in --unit. If nothing
    /// is there, the exit code is 1.
    ///
    /// The rows have the kinds `clipped` and `group`. So this cannot be combined with --kind,
    /// --include or --query-all, nor with --within.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = point,
        conflicts_with_all = ["kind", "include", "query_all", "within"])]
    at: Option<Place>,
    /// Print only what is painted at the point of --at
    ///
    /// A box is larger than the paint inside of it. This tests outlines, strokes, clip paths and
    /// masks, and lists a group only if something inside of it is painted there. The result of a
    /// filter counts everywhere in its box, and so do the transparent parts of gradients, patterns
    /// and images. What is transparent everywhere has no box, and is not listed.
    ///
    /// This cannot be combined with --within.
    // clap drops the requirement if an option that conflicts with --at is there.
    #[arg(long, requires = "at", conflicts_with = "within")]
    precise: bool,
    /// Print what overlaps this rectangle
    ///
    /// This is like --at. A box that only touches the rectangle does not overlap it. A box is
    /// larger than the paint inside of it, so an element may be listed that paints nothing there.
    ///
    /// This cannot be combined with --kind, --include, --query-all or --at.
    #[arg(long, value_name = "X,Y,W,H", allow_hyphen_values = true, value_parser = area,
        conflicts_with_all = ["kind", "include", "query_all"])]
    within: Option<Place>,
}

impl PlaceArgs {
    pub(super) fn place(&self) -> Option<Place> {
        self.at.or(self.within)
    }

    /// Whether only what is painted at the point is there. clap drops the requirement of --at if an
    /// option that conflicts with it is there.
    pub(super) fn is_precise(&self) -> bool {
        self.precise && self.at.is_some()
    }

    /// The answer if nothing is there.
    pub(super) fn nothing(&self) -> &'static str {
        if self.precise { "nothing is painted there" } else { "nothing is there" }
    }
}

/// The numbers in a list that is separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let number = |text: &str| text.trim().parse().ok();
    let numbers: Option<Vec<_>> = text.split(',').map(number).collect();
    numbers?.try_into().ok()
}

fn point(text: &str) -> Result<Place, PlaceError> {
    place_at(numbers(text).ok_or(PlaceError::Point)?)
}

fn area(text: &str) -> Result<Place, PlaceError> {
    place_within(numbers(text).ok_or(PlaceError::Area)?)
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;

    use super::*;

    #[test]
    fn places_are_finite_numbers() {
        assert_eq!(point("-1.5, 2"), Ok(Place::Point([-1.5, 2.0])));
        assert_eq!(area("1,2,3,4"), Ok(Place::Area(Aabb { x0: 1.0, y0: 2.0, x1: 4.0, y1: 6.0 })));
        for text in ["", "1", "1,2,3", "1,x", "nan,1", "1,inf", "1e300,1", "1 2"] {
            assert!(point(text).is_err(), "{text}");
        }
        for text in ["1,2", "1,2,0,4", "1,2,3,-4", "1,2,3,1e999"] {
            assert!(area(text).is_err(), "{text}");
        }
    }
}
