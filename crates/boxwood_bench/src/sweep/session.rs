//! The state of a sweep.

use std::io::{self, Write};
use std::time::SystemTime;

use boxwood::native::Gpu;
use boxwood::native::kind;

use super::families::Families;
use super::options::{Options, What};
use crate::error::BenchError;
use crate::measure::Timer;
use crate::record::{Check, Row, Seconds, float};
use boxwood_inputs::Family;

/// The device, the options, and the rows with their outputs.
pub(super) struct Session<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) timer: Timer<'a>,
    pub(super) options: &'a Options,
    /// The families in the options.
    pub(super) families: Families,
    /// The bandwidth of the copy, with reads and writes counted.
    pub(super) copy_bytes_per_second: Option<f64>,
    adapter: wgpu::AdapterInfo,
    date: String,
    pub(super) rows: Vec<Row>,
    out: &'a mut dyn Write,
    save: &'a mut dyn FnMut(&[Row]) -> io::Result<()>,
}

/// A measurement that is not a row yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Measured<'a> {
    pub(super) what: &'a str,
    pub(super) n: usize,
    pub(super) family: &'a str,
    pub(super) variant: &'a str,
    pub(super) seconds: Option<Seconds>,
    /// The time with the read-back of the results, from [`Timer::time_with_read_back`].
    pub(super) with_read_back: Option<f64>,
    /// The bytes that the bound moves for each of `n`, or `None` if there is no bound.
    pub(super) bytes_each: Option<f64>,
    pub(super) is_right: bool,
    /// Whether nothing was compared, because the specification would take too long.
    pub(super) is_unchecked: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        gpu: &'a Gpu,
        options: &'a Options,
        families: Families,
        out: &'a mut dyn Write,
        save: &'a mut dyn FnMut(&[Row]) -> io::Result<()>,
    ) -> Result<Self, BenchError> {
        Ok(Self {
            gpu,
            timer: Timer::new(gpu, options.n_runs(), !options.quick)?,
            options,
            families,
            copy_bytes_per_second: None,
            adapter: gpu.adapter.get_info(),
            date: today(),
            rows: Vec::new(),
            out,
            save,
        })
    }

    /// Adds a measurement as a row, prints it, and saves all rows.
    pub(super) fn add(&mut self, measured: Measured<'_>) -> Result<(), BenchError> {
        let Measured {
            what,
            n,
            family,
            variant,
            seconds,
            with_read_back,
            bytes_each,
            is_right,
            is_unchecked,
        } = measured;
        let per_s = seconds.map(|seconds| float(n) / seconds.median);
        let bound = bytes_each.zip(self.copy_bytes_per_second).map(|(each, rate)| rate / each);
        let row = Row {
            what: what.to_owned(),
            n,
            family: family.to_owned(),
            variant: variant.to_owned(),
            median_s: seconds.map(|seconds| seconds.median),
            min_s: seconds.map(|seconds| seconds.min),
            max_s: seconds.map(|seconds| seconds.max),
            with_read_back_s: with_read_back,
            per_s,
            ratio_to_copy: per_s.zip(bound).map(|(rate, bound)| rate / bound),
            runs: seconds.map_or(0, |seconds| seconds.runs),
            check: match (is_unchecked, is_right) {
                (true, _) => Check::Unknown,
                (false, true) => Check::Checked,
                (false, false) => Check::Wrong,
            },
            adapter: self.adapter.name.clone(),
            device: kind(self.adapter.device_type).to_owned(),
            date: self.date.clone(),
        };
        let printed = writeln!(self.out, "{row}").and_then(|()| self.out.flush());
        self.rows.push(row);
        printed.and_then(|()| (self.save)(&self.rows)).map_err(BenchError::Output)
    }

    /// The sizes to run, as logarithms to base 2, each with its families.
    ///
    /// The families are the ones in the options. Without any, they are the `main` ones if `what` is
    /// selected, and all families at the sizes for these.
    pub(super) fn inputs(&self, what: What, main: &[&str]) -> Vec<(u32, Vec<Family>)> {
        let options = self.options;
        let with_all = options.family_sizes();
        let mut sizes = options.sizes(options.max);
        if options.quick {
            sizes.extend(with_all);
        }
        let at = |k: u32| {
            let is_selected = |family: &&Family| {
                let is_main = options.has(what) && main.contains(&family.name);
                !options.family.is_empty() || is_main || with_all.contains(&k)
            };
            (k, self.families.scenes.iter().filter(is_selected).copied().collect())
        };
        sizes.into_iter().map(at).collect()
    }

    /// Whether a family is measured in full: on the CPU too, and by stage.
    pub(super) fn is_main(&self, main: &[&str], family: &Family) -> bool {
        main.contains(&family.name) || !self.options.family.is_empty()
    }
}

/// The date in UTC, by the algorithm `civil_from_days` of Hinnant,
/// <https://howardhinnant.github.io/date_algorithms.html>.
fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let days = since_1970.as_secs() / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
