//! Labels of lines that end inside a plot, where they cover little.

/// From one line of text to the next, in pixels.
pub(super) const LINE_HEIGHT: i32 = 18;

/// Pixels that are looked at on the way from one point of a line to the next.
const STEPS: i32 = 24;

/// A place in the picture.
pub(super) type Pixel = (i32, i32);

/// The pixels along a line, near enough to each other that no label slips in between.
pub(super) fn dense(points: impl Iterator<Item = Pixel>) -> Vec<Pixel> {
    let points: Vec<Pixel> = points.collect();
    let between = |pair: &[Pixel]| {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        (0..=STEPS).map(move |i| (x0 + (x1 - x0) * i / STEPS, y0 + (y1 - y0) * i / STEPS))
    };
    points.windows(2).flat_map(between).collect()
}

/// Where a label inside the plot stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// Where its line ends.
    pub(super) end: Pixel,
    /// The middle of the side of its text that is nearer to that.
    pub(super) at: Pixel,
    /// Whether it is at the right of the end.
    pub(super) is_right: bool,
    width: i32,
}

impl Label {
    fn covers(&self, (x, y): Pixel) -> bool {
        let left = if self.is_right { self.at.0 } else { self.at.0 - self.width };
        (left - 3..left + self.width + 3).contains(&x) && (y - self.at.1).abs() <= LINE_HEIGHT / 2
    }

    pub(super) fn pixels(self) -> impl Iterator<Item = Pixel> {
        let towards = if self.is_right { 1 } else { -1 };
        (0..=self.width).step_by(4).map(move |dx| (self.at.0 + towards * dx, self.at.1))
    }
}

/// The place nearest to the end of its line where a label covers the fewest pixels that are taken.
pub(super) fn place(text: &str, end: Pixel, taken: &[Pixel]) -> Label {
    let width = 8 * i32::try_from(text.len()).unwrap_or(0);
    let distances = [10, 16, 24, 32, 44, 60, 80];
    let places = distances.into_iter().flat_map(|d| {
        let right = [(d, -d), (d, d), (d, 0)].map(|by| (by, true));
        let left = [(-d, -d), (-d, d)].map(|by| (by, false));
        right.into_iter().chain(left)
    });
    let labels =
        places.map(|((dx, dy), is_right)| Label { end, at: (end.0 + dx, end.1 + dy), is_right, width });
    let n_covered = |label: &Label| taken.iter().filter(|&&pixel| label.covers(pixel)).count();
    labels.min_by_key(n_covered).expect("there are places")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_keeps_off_the_lines() {
        let end = (100, 100);
        assert_eq!(place("free", end, &[]).at, (110, 90));
        let line = dense([(100, 90), (200, 90)].into_iter());
        let label = place("beside", end, &line);
        assert!(!line.iter().any(|&pixel| label.covers(pixel)), "{label:?}");
    }
}
