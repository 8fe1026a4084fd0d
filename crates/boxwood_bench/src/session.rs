//! What the measurements of one sweep share.

use std::time::SystemTime;

use boxwood::native::Gpu;
use boxwood::testing::kind;

use crate::compare::Comparer;
use crate::error::BenchError;
use crate::options::{Options, What};
use crate::row::{Check, Row, Seconds};
use crate::timer::Timer;
use crate::{Family, families};

/// What one sweep shares.
pub(crate) struct Session<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) timer: Timer<'a>,
    pub(crate) comparer: Comparer<'a>,
    pub(crate) options: &'a Options,
    /// What the copy moves a second, reads and writes counted.
    pub(crate) copy_bytes_per_second: Option<f64>,
    adapter: wgpu::AdapterInfo,
    date: String,
    on_row: &'a mut dyn FnMut(&Row),
}

/// A measurement before it is put into its row.
pub(crate) struct Measured<'a> {
    pub(crate) what: &'a str,
    pub(crate) n: usize,
    pub(crate) family: &'a str,
    pub(crate) variant: &'a str,
    pub(crate) seconds: Option<Seconds>,
    /// How many bytes the bound moves for each of `n`; none where there is no bound.
    pub(crate) bytes_each: Option<f64>,
    pub(crate) is_right: bool,
}

impl<'a> Session<'a> {
    /// A sweep on `gpu` that has measured nothing yet.
    pub(crate) fn new(gpu: &'a Gpu, options: &'a Options, on_row: &'a mut dyn FnMut(&Row)) -> Self {
        Self {
            gpu,
            timer: Timer::new(gpu, options.n_runs()),
            comparer: Comparer::new(gpu),
            options,
            copy_bytes_per_second: None,
            adapter: gpu.adapter.get_info(),
            date: today(),
            on_row,
        }
    }
}

impl Session<'_> {
    pub(crate) fn add(&mut self, measured: &Measured<'_>) {
        let mut row = Row {
            what: measured.what.to_owned(),
            n: measured.n,
            family: measured.family.to_owned(),
            variant: measured.variant.to_owned(),
            seconds: measured.seconds,
            ratio_to_copy: None,
            check: Check::of(measured.is_right),
            adapter: self.adapter.name.clone(),
            device: kind(self.adapter.device_type).to_owned(),
            date: self.date.clone(),
        };
        let bound = measured.bytes_each.zip(self.copy_bytes_per_second).map(|(each, rate)| rate / each);
        row.ratio_to_copy = row.per_second().zip(bound).map(|(rate, bound)| rate / bound);
        (self.on_row)(&row);
    }

    /// What to run: sizes as logarithms to base 2, each with its families. These are the chosen ones, or the `main` ones where
    /// `what` is wanted, and all where that is due.
    pub(crate) fn inputs(&self, what: What, main: &[&str]) -> Result<Vec<(u32, Vec<Family>)>, BenchError> {
        let chosen = self.chosen_families()?;
        let all_at = if self.options.has(What::Families) { self.options.family_sizes() } else { Vec::new() };
        let mut sizes = self.options.sizes(self.options.max);
        sizes.extend(all_at.iter().filter(|_| self.options.quick));
        let at = |k: u32| {
            let is_due = |family: &Family| {
                all_at.contains(&k) || (self.options.has(what) && main.contains(&family.name))
            };
            if chosen.is_empty() { families().into_iter().filter(is_due).collect() } else { chosen.clone() }
        };
        Ok(sizes.into_iter().map(|k| (k, at(k))).collect())
    }

    /// The families that the options name.
    pub(crate) fn chosen_families(&self) -> Result<Vec<Family>, BenchError> {
        self.options.family.iter().map(|name| find_family(name)).collect()
    }
}

/// The family of this name.
pub(crate) fn find_family(name: &str) -> Result<Family, BenchError> {
    families().into_iter().find(|family| family.name == name).ok_or_else(|| BenchError::NoSuchFamily {
        name: name.to_owned(),
        known: families().iter().map(|f| format!("\"{}\"", f.name)).collect::<Vec<_>>().join(", "),
    })
}

/// The day of the world's clock, by the algorithm `civil_from_days` of Hinnant.
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
