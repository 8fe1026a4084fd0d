//! The part of their inputs and planted faults that long tests run.

use std::sync::OnceLock;

use crate::device::environment_variable;

/// Selects the numbers `n` with `n % divisor == remainder`.
struct Sample {
    remainder: usize,
    divisor: usize,
}

/// Whether a long test runs an input with this number: each one, or those with the remainder K
/// modulo N if the environment variable `BOXWOOD_SAMPLE` is `K/N`. A test must number its inputs so
/// that each value of a parameter has numbers with several remainders.
///
/// # Panics
///
/// If `BOXWOOD_SAMPLE` has another form, or if K is not below N.
pub fn is_tried(number: usize) -> bool {
    let Sample { remainder, divisor } = sample();
    number % divisor == *remainder
}

/// The inputs that a long test runs, as [`is_tried`], but at least one of them.
pub fn sampled<T>(inputs: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let inputs: Vec<T> = inputs.into_iter().collect();
    let count = inputs.len();
    let tried = inputs.into_iter().enumerate().filter(move |(number, _)| is_tried_of(*number, count));
    tried.map(|(_, input)| input)
}

/// Whether a long test runs the one with this number of so many inputs or faults. At least one of
/// them is run.
pub(crate) fn is_tried_of(number: usize, count: usize) -> bool {
    let Sample { remainder, divisor } = sample();
    let divisor = (*divisor).min(count);
    number % divisor == remainder % divisor
}

/// Whether long tests run a part only.
pub(crate) fn is_part() -> bool {
    sample().divisor > 1
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let text = environment_variable("BOXWOOD_SAMPLE").unwrap_or_else(|| "0/1".to_owned());
        let (remainder, divisor) = text.split_once('/').expect("BOXWOOD_SAMPLE has the form K/N");
        let number = |text: &str| text.parse().expect("BOXWOOD_SAMPLE has two numbers");
        let (remainder, divisor) = (number(remainder), number(divisor));
        assert!(remainder < divisor, "BOXWOOD_SAMPLE={text}: the first number is below the second one");
        Sample { remainder, divisor }
    })
}
