//! Random numbers that are the same on every machine.

/// The generator `SplitMix64` (Steele, Lea, Flood 2014). It is small, and good enough for scenes.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        u32::try_from(self.bits() >> 32).expect("the upper half has 32 bits")
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % n as u64).expect("it is below a usize")
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f64 {
        // A number of 53 bits is exact.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether an event with a probability of `chance` percent happens.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}
