//! Node streams that break algorithms of this kind, for any length.

use crate::Random;

/// A way to make scenes of any length: one byte an element, `(` a begin, `)` an end, `.` a leaf.
#[derive(Clone, Copy)]
pub struct Family {
    /// What the scenes are like.
    pub name: &'static str,
    generate: fn(usize, &mut Random) -> Vec<u8>,
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Family {
    /// A scene of `n` elements, the same for the same seed.
    pub fn generate(&self, n: usize, seed: u64) -> String {
        String::from_utf8(self.bytes(n, seed)).expect("elements are letters of ASCII")
    }

    /// The same as bytes, which is faster for long scenes.
    pub fn bytes(&self, n: usize, seed: u64) -> Vec<u8> {
        let mut stream = (self.generate)(n, &mut Random::new(seed));
        stream.truncate(n);
        assert_eq!(stream.len(), n, "the family `{}` makes scenes of any length", self.name);
        stream
    }
}

/// The size of the partitions that the stages work in, whose borders the families aim at.
const P: usize = boxwood::testing::WORKGROUP_SIZE as usize;

/// Every family.
pub fn families() -> Vec<Family> {
    let family = |name, generate| Family { name, generate };
    vec![
        family("random walk", |n, r| walk(n, r, 50)),
        family("random walk, falling", |n, r| walk(n, r, 49)),
        family("random walk, rising", |n, r| walk(n, r, 51)),
        family("random with leaves", |n, r| (0..n).map(|_| [b'(', b')', b'.'][r.below(3)]).collect()),
        family("like a user interface", user_interface),
        family("geometric depth", geometric),
        family("all begins", |n, _| vec![b'('; n]),
        family("all ends", |n, _| vec![b')'; n]),
        family("ends first", |n, _| runs(&[(n / 2, b')'), (n - n / 2, b'(')])),
        family("begins then ends", |n, _| runs(&[(n / 2, b'('), (n - n / 2, b')')])),
        family("deep with a leaf", |n, _| runs(&[(n / 2, b'('), (1, b'.'), (n / 2, b')')])),
        family("sawtooth, peak at the border", |n, _| cycle(n, &[(P / 2, b'('), (P / 2, b')')])),
        family("sawtooth, valley inside", |n, _| cycle(n, &[(P / 4, b'('), (P / 2, b')'), (P / 4, b'(')])),
        family("sawtooth, period P - 1", |n, _| cycle(n, &[(P / 2, b'('), (P / 2 - 1, b')')])),
        family("sawtooth, period P + 1", |n, _| cycle(n, &[(P / 2, b'('), (P / 2 + 1, b')')])),
        family("sawtooth, period 3 P - 1", |n, _| cycle(n, &[(3 * P / 2, b'('), (3 * P / 2 - 1, b')')])),
        family("sawtooth of one leaf each", |n, _| cycle(n, &[(P, b'('), (1, b'.'), (P, b')')])),
        family("ends then begins in each partition", |n, _| cycle(n, &[(P / 2, b')'), (P / 2, b'(')])),
        family("ends then begins, shifted by 1", |n, _| {
            joined(&[b"(", &cycle(n, &[(P / 2, b')'), (P / 2, b'(')])])
        }),
        family("backlink chain", backlink_chain),
        family("comb", |n, _| joined(&[b"(", &b"()".repeat(n / 2), b")"])),
        family("comb of leaves", |n, _| joined(&[b"(", &b"(.)".repeat(n / 3), b").."])),
        family("one node, many leaves", |n, _| {
            let n_leaves = n.saturating_sub(2);
            runs(&[(1, b'('), (n_leaves, b'.'), (1, b')')])
        }),
        family("one open node, many leaves", |n, _| runs(&[(1, b'('), (n, b'.')])),
        family("leaves alone", |n, _| vec![b'.'; n]),
        family("siblings of one leaf", |n, _| b"(.)".repeat(n / 3 + 1)),
        family("random walk, reflected", |n, r| bounded(n, r, usize::MAX)),
        family("bounded depth", |n, r| bounded(n, r, 16)),
    ]
}

fn walk(n: usize, r: &mut Random, percent_begins: usize) -> Vec<u8> {
    (0..n).map(|_| if r.percent(percent_begins) { b'(' } else { b')' }).collect()
}

/// The random walk of Levien 2022, section 11: it never ends what was not begun, and here turns at `deepest` too.
fn bounded(n: usize, r: &mut Random, deepest: usize) -> Vec<u8> {
    let (mut depth, mut bits) = (0, 0);
    (0..n)
        .map(|i| {
            if i % 64 == 0 {
                bits = r.bits();
            }
            let up = depth == 0 || (depth < deepest && bits >> (i % 64) & 1 == 1);
            if up {
                depth += 1;
                b'('
            } else {
                depth -= 1;
                b')'
            }
        })
        .collect()
}

/// Balanced, leaves half of it, begins rarer the deeper.
fn user_interface(n: usize, r: &mut Random) -> Vec<u8> {
    let mut depth = 0_usize;
    (0..n)
        .map(|_| {
            if r.percent(50) {
                b'.'
            } else if depth == 0 || r.percent(70_usize.saturating_sub(5 * depth).max(10)) {
                depth += 1;
                b'('
            } else {
                depth -= 1;
                b')'
            }
        })
        .collect()
}

/// Runs of begins and of ends of geometric length.
fn geometric(n: usize, r: &mut Random) -> Vec<u8> {
    let mut stream = Vec::with_capacity(n + P);
    while stream.len() < n {
        let mut length = 1;
        while r.percent(90) && length < P {
            length += 1;
        }
        let entry = [b'(', b')'][r.below(2)];
        stream.extend(std::iter::repeat_n(entry, length));
        stream.push(b'.');
    }
    stream
}

/// So many of each, one after the other.
fn runs(runs: &[(usize, u8)]) -> Vec<u8> {
    let mut stream = Vec::with_capacity(runs.iter().map(|run| run.0).sum());
    for &(length, entry) in runs {
        stream.resize(stream.len() + length, entry);
    }
    stream
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn cycle(n: usize, period: &[(usize, u8)]) -> Vec<u8> {
    let period = runs(period);
    period.repeat(n / period.len() + 1)
}

/// Every partition leaves exactly one node open, then ends close them: each finds its begin in another partition.
fn backlink_chain(n: usize, _: &mut Random) -> Vec<u8> {
    let partition = joined(&[&b"()".repeat(P / 2 - 1), b".("]);
    let n_ends = (n / P).min(n);
    let mut stream = partition.repeat(n / P + 1);
    stream.truncate(n - n_ends);
    stream.resize(n, b')');
    stream
}
