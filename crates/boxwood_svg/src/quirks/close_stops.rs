//! Vello 0.11 draws a gradient with 512 colours at equal distances, and a pixel gets the nearest of
//! them. Stops that are closer are lost, and sharp steps move.
//!
//! So resvg draws gradients that change visibly within half of such a distance.

use peniko::color::Srgb;
use peniko::{Brush, ColorStop, GradientKind};

use crate::geometry::max_scale;
use crate::quirks::gradients::PlacedBrush;

/// The number of distances between the colours of a gradient.
pub(crate) const DISTANCES: f64 = 511.0;

/// The largest error of a colour that is not visible.
const VISIBLE: f64 = 8.0 / 255.0;

/// The largest zoom, in device pixels per CSS px, at which no error is visible. Beyond it, a
/// gradient may have steps of a few pixels, in a picture in which it is at least 511 pixels long.
const MAX_ZOOM: f64 = 8.0;

/// Whether Vello's picture of a brush has visible errors. If the colours are less than a pixel
/// apart, steps move by less than half a pixel, which is not visible.
pub(crate) fn has_close_stops((brush, scene_from_brush): &PlacedBrush) -> bool {
    let Brush::Gradient(gradient) = brush else { return false };
    // An upper bound of the distance from the first to the last stop.
    let length = match gradient.kind {
        GradientKind::Linear(line) => line.start.distance(line.end),
        GradientKind::Radial(rings) => {
            f64::from(rings.start_radius.max(rings.end_radius))
                + rings.start_center.distance(rings.end_center)
        }
        GradientKind::Sweep(_) => return false,
    };
    let px_per_distance = length * scene_from_brush.map_or(1.0, max_scale) / DISTANCES;
    px_per_distance * MAX_ZOOM > 1.0 && largest_error(&gradient.stops) > VISIBLE
}

/// An upper bound of the error of a colour. Each of Vello's colours is exact in its place and drawn
/// up to half a distance to both sides, so it is wrong by at most the change within that half.
fn largest_error(stops: &[ColorStop]) -> f64 {
    let (mut largest, mut in_half) = (0.0_f64, 0.0);
    for pair in stops.windows(2) {
        let [start, end] = [&pair[0], &pair[1]].map(|stop| 2.0 * DISTANCES * f64::from(stop.offset));
        let change = change([&pair[0], &pair[1]]);
        if start == end && start % 2.0 == 1.0 {
            // A step between two colours of Vello is exact.
            in_half = 0.0;
        } else if start.floor() == end.floor() {
            in_half += change;
        } else {
            let per_half = change / (end - start);
            let n_whole = end.floor() - start.floor() - 1.0;
            let of_whole = if n_whole > 0.0 { per_half } else { 0.0 };
            largest = largest.max(in_half + per_half * (start.floor() + 1.0 - start)).max(of_whole);
            in_half = per_half * (end - end.floor());
        }
        largest = largest.max(in_half);
    }
    largest
}

/// An upper bound of the change of a premultiplied channel between two stops.
fn change(stops: [&ColorStop; 2]) -> f64 {
    let [a, b] = stops.map(|stop| stop.color.to_alpha_color::<Srgb>().components.map(f64::from));
    let of_colour = (0..3).map(|channel| (a[channel] - b[channel]).abs()).fold(0.0, f64::max);
    of_colour * a[3].max(b[3]) + (a[3] - b[3]).abs()
}

#[cfg(test)]
mod tests {
    use kurbo::Affine;
    use peniko::{Color, Gradient};
    use vello_encoding::{Encoding, Resolver};

    use super::*;

    fn stops(stops: &[(f32, u8)]) -> Vec<ColorStop> {
        let stop = |(offset, v): &(f32, u8)| ColorStop::from((*offset, Color::from_rgb8(*v, *v, *v)));
        stops.iter().map(stop).collect()
    }

    fn ramp(length: f64, of: &[(f32, u8)]) -> Gradient {
        Gradient::new_linear((0.0, 0.0), (length, 0.0)).with_stops(&stops(of)[..])
    }

    const LINE: [(f32, u8); 5] = [(0.0, 0), (0.5, 0), (0.501, 255), (0.503, 0), (1.0, 0)];

    #[test]
    fn vello_still_has_512_colours() {
        let mut encoding = Encoding::new();
        encoding.encode_brush(&ramp(10_000.0, &LINE), 1.0);
        let (mut resolver, mut packed) = (Resolver::new(), Vec::new());
        let (_, ramps, _) = resolver.resolve(&encoding, &mut packed);
        assert_eq!(ramps.width, 512);
        // At 10,000 px, the line is 30 px wide. It has one colour of Vello and a bit of the next.
        let n_visible = ramps.data.iter().filter(|colour| colour.to_le_bytes()[0] > 8).count();
        assert_eq!(n_visible, 1);
    }

    #[test]
    fn the_error_is_the_change_within_half_a_distance() {
        let half = 0.5 / 511.0;
        for (of, expected) in [
            (vec![(0.0, 0), (1.0, 255)], 1.0 / 1022.0),
            (LINE.to_vec(), 1.0 / 1.022),
            // A step at a place of Vello's, and one between two places.
            (vec![(0.0, 0), (0.4, 0), (0.4, 255), (1.0, 255)], 1.0),
            (vec![(0.0, 0), (0.5, 0), (0.5, 255), (1.0, 255)], 0.0),
            // Many small steps in the same half.
            ((0..=10).map(|i| (0.25 * half * i as f32 / 10.0, 25 * i)).collect(), 250.0 / 255.0),
            (vec![(0.0, 0), (4.0 * half, 51), (1.0, 51)], 0.05),
        ] {
            let found = largest_error(&stops(&of));
            assert!((found - expected).abs() < 1e-4, "{of:?}: {found}");
        }
    }

    #[test]
    fn only_long_gradients_with_close_stops_are_wrong() {
        let at = |length: f64, scale: f64, of: &[(f32, u8)]| {
            has_close_stops(&(Brush::Gradient(ramp(length, of)), Some(Affine::scale(scale))))
        };
        assert!(at(100.0, 1.0, &LINE));
        assert!(!at(60.0, 1.0, &LINE));
        assert!(at(60.0, 2.0, &LINE));
        assert!(!at(10_000.0, 1.0, &[(0.0, 0), (1.0, 255)]));
    }
}
