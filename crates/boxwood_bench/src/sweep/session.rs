//! The state of a sweep.

use std::time::SystemTime;

use boxwood::native::Gpu;
use boxwood::testing::kind;

use super::options::{Options, What};
use crate::error::BenchError;
use crate::inputs::{Family, families, family};
use crate::measure::{Comparer, Timer};
use crate::record::{Row, Seconds};

/// The device, the options, and the receiver of the rows.
pub(super) struct Session<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) timer: Timer<'a>,
    pub(super) comparer: Comparer<'a>,
    pub(super) options: &'a Options,
    /// The bandwidth of the copy, with reads and writes counted.
    pub(super) copy_bytes_per_second: Option<f64>,
    adapter: wgpu::AdapterInfo,
    date: String,
    on_row: &'a mut dyn FnMut(&Row),
}

/// A measurement that is not a row yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Measured<'a> {
    pub(super) what: &'a str,
    pub(super) n: usize,
    pub(super) family: &'a str,
    pub(super) variant: &'a str,
    pub(super) seconds: Option<Seconds>,
    /// The bytes that the bound moves for each of `n`, or `None` if there is no bound.
    pub(super) bytes_each: Option<f64>,
    pub(super) is_right: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(gpu: &'a Gpu, options: &'a Options, on_row: &'a mut dyn FnMut(&Row)) -> Self {
        Self {
            gpu,
            timer: Timer::new(gpu, options.n_runs(), !options.quick),
            comparer: Comparer::new(gpu),
            options,
            copy_bytes_per_second: None,
            adapter: gpu.adapter.get_info(),
            date: today(),
            on_row,
        }
    }

    /// Hands a measurement to the receiver, as a row.
    pub(super) fn add(&mut self, measured: Measured<'_>) {
        let mut row = Row {
            what: measured.what.to_owned(),
            n: measured.n,
            family: measured.family.to_owned(),
            variant: measured.variant.to_owned(),
            seconds: measured.seconds,
            ratio_to_copy: None,
            is_right: measured.is_right,
            adapter: self.adapter.name.clone(),
            device: kind(self.adapter.device_type).to_owned(),
            date: self.date.clone(),
        };
        let bound = measured.bytes_each.zip(self.copy_bytes_per_second).map(|(each, rate)| rate / each);
        row.ratio_to_copy = row.per_second().zip(bound).map(|(rate, bound)| rate / bound);
        (self.on_row)(&row);
    }

    /// The sizes to run, as logarithms to base 2, each with its families.
    ///
    /// The families are the ones in the options. Without any, they are the `main` ones if `what` is
    /// selected, and all families at the sizes for these.
    pub(super) fn inputs(&self, what: What, main: &[&str]) -> Result<Vec<(u32, Vec<Family>)>, BenchError> {
        let chosen = self.chosen_families()?;
        let all_at = if self.options.has(What::Families) { self.options.family_sizes() } else { Vec::new() };
        let mut sizes = self.options.sizes(self.options.max);
        sizes.extend(all_at.iter().filter(|_| self.options.quick));
        let at = |k: u32| {
            let is_selected = |family: &Family| {
                all_at.contains(&k) || (self.options.has(what) && main.contains(&family.name))
            };
            if chosen.is_empty() {
                families().into_iter().filter(is_selected).collect()
            } else {
                chosen.clone()
            }
        };
        Ok(sizes.into_iter().map(|k| (k, at(k))).collect())
    }

    /// The families in the options.
    pub(super) fn chosen_families(&self) -> Result<Vec<Family>, BenchError> {
        self.options.family.iter().map(|name| family(name)).collect()
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
