//! The last values of something that is measured again and again.

use std::collections::VecDeque;

/// The number of values that are kept: at 60 pictures per second, two seconds.
const CAPACITY: usize = 120;

/// The last values of something that is measured again and again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series(VecDeque<f64>);

impl Series {
    pub(crate) fn add(&mut self, value: f64) {
        if self.0.len() == CAPACITY {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The values, the oldest first.
    pub(crate) fn values(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn min(&self) -> Option<f64> {
        self.0.iter().copied().reduce(f64::min)
    }

    pub(crate) fn max(&self) -> Option<f64> {
        self.0.iter().copied().reduce(f64::max)
    }

    /// The middle value, or the mean of the two in the middle.
    pub(crate) fn median(&self) -> Option<f64> {
        let mut sorted: Vec<f64> = self.0.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let upper = sorted.get(sorted.len() / 2)?;
        let lower = sorted[(sorted.len() - 1) / 2];
        Some(lower.midpoint(*upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_the_statistics_of_its_last_values() {
        let mut series = Series::default();
        assert_eq!((series.min(), series.median(), series.max()), (None, None, None));
        for value in [5.0, 1.0, 4.0] {
            series.add(value);
        }
        assert_eq!((series.min(), series.median(), series.max()), (Some(1.0), Some(4.0), Some(5.0)));
        series.add(2.0);
        assert_eq!(series.median(), Some(3.0));
        (0..CAPACITY).for_each(|_| series.add(9.0));
        assert_eq!((series.len(), series.min()), (CAPACITY, Some(9.0)));
    }
}
