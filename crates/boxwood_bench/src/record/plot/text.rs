//! Numbers as text.

/// A number rounded to two digits.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().expect("it was formatted as a number")
}

/// A size in binary units.
pub(super) fn count(n: f64) -> String {
    in_units(n.round(), &[(1_073_741_824.0, " Gi"), (1_048_576.0, " Mi"), (1024.0, " Ki")])
}

/// A number in decimal units.
pub(super) fn engineering(value: f64) -> String {
    in_units(value, &[(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")])
}

/// A number in the first of these units that is not larger than it.
fn in_units(value: f64, units: &[(f64, &str)]) -> String {
    let (size, unit) = units.iter().find(|(size, _)| value >= *size).unwrap_or(&(1.0, ""));
    format!("{}{unit}", value / size)
}

/// A time in the largest unit that is not longer.
pub(super) fn time(seconds: f64) -> String {
    let nanoseconds = (seconds * 1e9).round();
    let units = [(1e9, " s"), (1e6, " ms"), (1e3, " µs")];
    let (size, unit) = units.into_iter().find(|(size, _)| nanoseconds >= *size).unwrap_or((1.0, " ns"));
    format!("{}{unit}", nanoseconds / size)
}

/// A percentage.
pub(super) fn percent(value: f64) -> String {
    format!("{value} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits_and_units() {
        assert_eq!([4_723.0, 1_339.6, 198.0, 12.34, 3.16].map(rounded), [4_700.0, 1_300.0, 200.0, 12.0, 3.2]);
        assert_eq!([1.0, 1024.0, 67_108_864.0].map(count), ["1", "1 Ki", "64 Mi"]);
        assert_eq!([5.0, 1e8, 2e9].map(engineering), ["5", "100 M", "2 G"]);
        assert_eq!([0.0, 1e-7, 2.5e-5, 0.04, 3.0].map(time), ["0 ns", "100 ns", "25 µs", "40 ms", "3 s"]);
        assert_eq!(percent(20.0), "20 %");
    }
}
