//! What the filters of a group cost, as resvg does them.

use usvg::Group;
use usvg::filter::{Filter, Kind, Primitive};

use crate::path::{affine, rect};

/// resvg lets a filter see as much as two pictures on each side of its own: 25 pictures.
pub(crate) const SEEN_PICTURES: f64 = 25.0;

/// Steps, of about a nanosecond each on one core, as a polynomial in the pixels a unit: a filter has pixels by the square of that, and
/// some look at as many again for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    /// The coefficient of the second power.
    squared: f64,
    /// That of the fourth.
    fourth: f64,
}

impl Steps {
    pub(crate) fn and(self, other: Self) -> Self {
        Self { squared: self.squared + other.squared, fourth: self.fourth + other.fourth }
    }

    /// The same, so many times the pixels a unit.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let area = scale * scale;
        Self { squared: self.squared * area, fourth: self.fourth * (area * area) }
    }

    /// The same, on so many times the pixels.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { squared: self.squared * factor, fourth: self.fourth * factor }
    }

    /// At one pixel a unit.
    pub(crate) fn count(self) -> f64 {
        self.squared + self.fourth
    }
}

/// The steps of the filters of a group in its user space, in a drawing whose picture at 100 % has so many pixels.
pub(crate) fn steps_of_filters(group: &Group, picture: f64) -> Steps {
    let pixels_of_unit = affine(group.abs_transform()).determinant().abs();
    let of_filter = |filter: &Filter| {
        let region = rect(filter.rect());
        let seen = (SEEN_PICTURES * picture / pixels_of_unit).min(region.area());
        let of_primitive = |primitive| steps_a_pixel(primitive, [region.width(), region.height()]).on(seen);
        filter.primitives().iter().map(of_primitive).fold(Steps::default(), Steps::and)
    };
    group.filters().iter().map(|filter| of_filter(filter)).fold(Steps::default(), Steps::and)
}

/// The steps for a pixel: so many, and so many times the pixels of a unit.
struct StepsAPixel {
    constant: f64,
    squared: f64,
}

impl StepsAPixel {
    fn on(self, area: f64) -> Steps {
        Steps { squared: self.constant * area, fourth: self.squared * area }
    }
}

/// What resvg 0.49 takes about for a pixel of each primitive, by what it does there, in a region of this width and height.
fn steps_a_pixel(primitive: &Primitive, region: [f64; 2]) -> StepsAPixel {
    let constant = match primitive.kind() {
        Kind::Morphology(morphology) => {
            let radii = [morphology.radius_x(), morphology.radius_y()];
            return of_window(radii.map(|radius| f64::from(radius.get())), region);
        }
        Kind::ConvolveMatrix(convolve) => {
            let matrix = convolve.matrix();
            10.0 + 4.0 * f64::from(matrix.columns()) * f64::from(matrix.rows())
        }
        Kind::Turbulence(turbulence) => 10.0 + 100.0 * f64::from(turbulence.num_octaves()),
        Kind::GaussianBlur(_) | Kind::DropShadow(_) => 100.0,
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 50.0,
        Kind::Merge(merge) => 10.0 * merge.inputs().len() as f64,
        Kind::Blend(_)
        | Kind::ColorMatrix(_)
        | Kind::ComponentTransfer(_)
        | Kind::Composite(_)
        | Kind::DisplacementMap(_)
        | Kind::Flood(_)
        | Kind::Image(_)
        | Kind::Offset(_)
        | Kind::Tile(_) => 10.0,
    };
    StepsAPixel { constant, squared: 0.0 }
}

/// A step for each pixel of the window around a pixel, which is `2 r s + 1` wide at `s` pixels a unit, and at most as wide as the
/// region. Of the product, which has all powers of `s` up to the second, `s ≤ (s² + 1) / 2` keeps two.
fn of_window(radii: [f64; 2], region: [f64; 2]) -> StepsAPixel {
    let [(a, b), (c, d)] = [0, 1].map(|axis| {
        let diameter = 2.0 * radii[axis];
        if diameter + 1.0 < region[axis] { (diameter, 1.0) } else { (region[axis], 0.0) }
    });
    let linear = 0.5 * (a * d + b * c);
    StepsAPixel { constant: b * d + linear, squared: a * c + linear }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_at_most_the_pixels_that_are_counted() {
        for (radii, region) in
            [([3.0, 7.0], [90.0, 90.0]), ([0.5, 200.0], [90.0, 90.0]), ([1e9, 1e9], [20.0, 30.0])]
        {
            for scale in [0.1, 1.0, 4.0] {
                let axis = |i: usize| (2.0 * radii[i] * scale + 1.0_f64).min(region[i] * scale);
                let (exact, area) = (axis(0) * axis(1), scale * scale);
                let StepsAPixel { constant, squared } = of_window(radii, region);
                let counted = constant + squared * area;
                assert!(counted >= exact * 0.999, "{radii:?} at {scale}: {counted} of {exact}");
                assert!(scale < 1.0 || counted <= 2.0 * exact, "{radii:?} at {scale}: {counted} of {exact}");
            }
        }
    }

    #[test]
    fn steps_scale_with_their_powers() {
        let steps = StepsAPixel { constant: 3.0, squared: 5.0 }.on(10.0);
        assert_eq!(steps.count(), 80.0);
        assert_eq!(steps.scaled(2.0).count(), 30.0 * 4.0 + 50.0 * 16.0);
        assert_eq!(steps.and(steps).count(), 160.0);
    }
}
