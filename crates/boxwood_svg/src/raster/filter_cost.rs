//! The cost of filters in resvg.

use usvg::Group;
use usvg::filter::{Filter, Kind, Primitive};

use crate::geometry::{affine, rect};
use crate::guard::limits::FILTER_CANVASES;

/// A number of steps, of about a nanosecond each on one core, as a polynomial in the pixels per
/// unit.
///
/// The number of a filter's pixels grows with the square of that. Some primitives look at a
/// neighbourhood of each pixel, whose number of pixels grows as well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    /// The coefficient of the second power.
    squared: f64,
    /// The coefficient of the fourth power.
    fourth: f64,
}

impl Steps {
    pub(crate) fn and(self, other: Self) -> Self {
        Self { squared: self.squared + other.squared, fourth: self.fourth + other.fourth }
    }

    /// The steps at this many times the pixels per unit.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let area = scale * scale;
        Self { squared: self.squared * area, fourth: self.fourth * (area * area) }
    }

    /// The steps for this many times the pixels.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { squared: self.squared * factor, fourth: self.fourth * factor }
    }

    /// The number of steps at one pixel per unit.
    pub(crate) fn count(self) -> f64 {
        self.squared + self.fourth
    }
}

/// The steps of the filters of a group, in the group's user space, for a drawing whose picture at
/// 100 % has this many pixels.
pub(crate) fn steps_of_filters(group: &Group, picture: f64) -> Steps {
    let pixels_per_unit = affine(group.abs_transform()).determinant().abs();
    let of_filter = |filter: &Filter| {
        let region = rect(filter.rect());
        let seen = (FILTER_CANVASES * picture / pixels_per_unit).min(region.area());
        let of_primitive =
            |primitive| steps_per_area(primitive, [region.width(), region.height()]).times(seen);
        filter.primitives().iter().map(of_primitive).fold(Steps::default(), Steps::and)
    };
    group.filters().iter().map(|filter| of_filter(filter)).fold(Steps::default(), Steps::and)
}

/// An estimate of the steps that resvg 0.49 takes for a primitive per unit of area, in a region of
/// this width and height.
fn steps_per_area(primitive: &Primitive, region: [f64; 2]) -> Steps {
    let squared = match primitive.kind() {
        Kind::Morphology(morphology) => {
            let radii = [morphology.radius_x(), morphology.radius_y()];
            return steps_per_neighbourhood(radii.map(|radius| f64::from(radius.get())), region);
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
    Steps { squared, fourth: 0.0 }
}

/// One step for each pixel of a neighbourhood with these radii, for each pixel of a unit of area.
///
/// At s pixels per unit, the neighbourhood is 2 r s + 1 pixels wide, and at most as wide as the
/// region. The product of width and height has a linear term, which `s ≤ (s² + 1) / 2` splits
/// between the other two.
fn steps_per_neighbourhood(radii: [f64; 2], region: [f64; 2]) -> Steps {
    let [(a, b), (c, d)] = [0, 1].map(|axis| {
        let diameter = 2.0 * radii[axis];
        if diameter + 1.0 < region[axis] { (diameter, 1.0) } else { (region[axis], 0.0) }
    });
    let linear = 0.5 * (a * d + b * c);
    Steps { squared: b * d + linear, fourth: a * c + linear }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_for_a_neighbourhood_is_an_upper_bound() {
        for (radii, region) in
            [([3.0, 7.0], [90.0, 90.0]), ([0.5, 200.0], [90.0, 90.0]), ([1e9, 1e9], [20.0, 30.0])]
        {
            for scale in [0.1, 1.0, 4.0] {
                let axis = |i: usize| (2.0 * radii[i] * scale + 1.0_f64).min(region[i] * scale);
                let (exact, area) = (axis(0) * axis(1), scale * scale);
                let Steps { squared, fourth } = steps_per_neighbourhood(radii, region);
                let found = squared + fourth * area;
                assert!(found >= exact * 0.999, "{radii:?} at {scale}: {found} of {exact}");
                assert!(scale < 1.0 || found <= 2.0 * exact, "{radii:?} at {scale}: {found} of {exact}");
            }
        }
    }

    #[test]
    fn steps_scale_with_their_powers() {
        let steps = Steps { squared: 3.0, fourth: 5.0 }.times(10.0);
        assert_eq!(steps.count(), 80.0);
        assert_eq!(steps.scaled(2.0).count(), 30.0 * 4.0 + 50.0 * 16.0);
        assert_eq!(steps.and(steps).count(), 160.0);
    }
}
