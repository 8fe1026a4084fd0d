//! Random numbers that are the same on every machine.

/// The generator `SplitMix64` (Steele, Lea, Flood 2014): small, seeded, good enough to make scenes.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// What the state grows by with each number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The sequence with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence from where it is after `n` numbers, at once.
    #[must_use]
    pub fn skip(&self, n: usize) -> Self {
        Self(self.0.wrapping_add(STEP.wrapping_mul(n as u64)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % n as u64).expect("it is below a usize")
    }

    /// Whether an event of so many percent happens.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_skip_numbers_is_to_draw_them() {
        let mut drawn = Random::new(7);
        for _ in 0..5 {
            drawn.bits();
        }
        assert_eq!(drawn.bits(), Random::new(7).skip(5).bits());
    }
}
