//! When the painter starts a picture of a view that changes.

use std::time::{Duration, Instant};

use boxwood_render::Frame;

/// A picture that takes at most this long, two refreshes of a screen, follows the view at once.
const SMOOTH: Duration = Duration::from_millis(33);

/// Slower pictures start when the view has rested for this long. Otherwise the parts of them that
/// cannot be cancelled would delay the moves of the last picture.
const REST: Duration = Duration::from_millis(100);

/// The pace of pictures.
#[derive(Debug, Default)]
pub(crate) struct Pacing {
    /// The view that was seen last, and the time when it became what it is.
    seen: Option<(Frame, Instant)>,
    /// How long the last picture of the drawing took.
    took: Duration,
}

impl Pacing {
    /// There is another drawing, whose first picture starts at once.
    pub(crate) fn restart(&mut self) {
        self.took = Duration::ZERO;
    }

    /// A picture ended after this time, or was cancelled.
    pub(crate) fn end(&mut self, took: Duration, is_cancelled: bool) {
        self.took = if is_cancelled { self.took.max(took) } else { took };
    }

    /// The time at which a picture of this view may start, which may have passed.
    pub(crate) fn start_of(&mut self, frame: &Frame, now: Instant) -> Instant {
        let since = match &self.seen {
            Some((seen, since)) if seen == frame => *since,
            _ => {
                self.seen = Some((frame.clone(), now));
                now
            }
        };
        if self.took > SMOOTH { since + REST } else { since }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::state;

    #[test]
    fn slow_pictures_wait_until_the_view_rests() {
        let mut state = state(1);
        let mut pacing = Pacing::default();
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(pacing.start_of(&state.frame(), at(0)), at(0), "the first picture");
        pacing.end(Duration::from_millis(500), false);
        state.view.pan(kurbo::Vec2::new(1.0, 0.0));
        assert_eq!(pacing.start_of(&state.frame(), at(10)), at(110));
        assert_eq!(pacing.start_of(&state.frame(), at(60)), at(110), "it rests");
        state.view.pan(kurbo::Vec2::new(1.0, 0.0));
        assert_eq!(pacing.start_of(&state.frame(), at(90)), at(190), "it has moved again");
        pacing.end(Duration::from_millis(5), true);
        state.view.pan(kurbo::Vec2::new(1.0, 0.0));
        assert_eq!(pacing.start_of(&state.frame(), at(200)), at(300), "a cancelled picture is not fast");
        pacing.end(Duration::from_millis(5), false);
        state.view.pan(kurbo::Vec2::new(1.0, 0.0));
        assert_eq!(pacing.start_of(&state.frame(), at(400)), at(400));
    }
}
