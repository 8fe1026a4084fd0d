//! Node streams that break algorithms of this kind, for any length.

use crate::Random;

/// A way to make scenes of any length: one character an element, `(` a begin, `)` an end, `.` a leaf.
#[derive(Clone, Copy)]
pub struct Family {
    /// What the scenes are like.
    pub name: &'static str,
    generate: fn(usize, &mut Random) -> String,
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Family {
    /// A scene of `n` elements, the same for the same seed.
    pub fn generate(&self, n: usize, seed: u64) -> String {
        let mut stream = (self.generate)(n, &mut Random::new(seed));
        stream.truncate(n);
        assert_eq!(stream.len(), n, "the family `{}` makes scenes of any length", self.name);
        stream
    }
}

/// The size of the partitions that the stages work in, whose borders the families aim at.
const P: usize = boxwood::WORKGROUP_SIZE as usize;

/// Every family.
pub fn families() -> Vec<Family> {
    let family = |name, generate| Family { name, generate };
    vec![
        family("random walk", |n, r| walk(n, r, 50)),
        family("random walk, falling", |n, r| walk(n, r, 49)),
        family("random walk, rising", |n, r| walk(n, r, 51)),
        family("random with leaves", |n, r| (0..n).map(|_| ['(', ')', '.'][r.below(3)]).collect()),
        family("like a user interface", user_interface),
        family("geometric depth", geometric),
        family("all begins", |n, _| "(".repeat(n)),
        family("all ends", |n, _| ")".repeat(n)),
        family("ends first", |n, _| ")".repeat(n / 2) + &"(".repeat(n - n / 2)),
        family("begins then ends", |n, _| "(".repeat(n / 2) + &")".repeat(n - n / 2)),
        family("deep with a leaf", |n, _| "(".repeat(n / 2) + "." + &")".repeat(n / 2)),
        family("sawtooth, peak at the border", |n, _| cycle(n, &[(P / 2, '('), (P / 2, ')')])),
        family("sawtooth, valley inside", |n, _| cycle(n, &[(P / 4, '('), (P / 2, ')'), (P / 4, '(')])),
        family("sawtooth, period P - 1", |n, _| cycle(n, &[(P / 2, '('), (P / 2 - 1, ')')])),
        family("sawtooth, period P + 1", |n, _| cycle(n, &[(P / 2, '('), (P / 2 + 1, ')')])),
        family("sawtooth, period 3 P - 1", |n, _| cycle(n, &[(3 * P / 2, '('), (3 * P / 2 - 1, ')')])),
        family("sawtooth of one leaf each", |n, _| cycle(n, &[(P, '('), (1, '.'), (P, ')')])),
        family("ends then begins in each partition", |n, _| cycle(n, &[(P / 2, ')'), (P / 2, '(')])),
        family("ends then begins, shifted by 1", |n, _| {
            "(".to_owned() + &cycle(n, &[(P / 2, ')'), (P / 2, '(')])
        }),
        family("backlink chain", backlink_chain),
        family("comb", |n, _| "(".to_owned() + &"()".repeat(n / 2) + ")"),
        family("comb of leaves", |n, _| "(".to_owned() + &"(.)".repeat(n / 3) + ").."),
        family("one node, many leaves", |n, _| {
            if n < 2 { "(".repeat(n) } else { format!("({})", ".".repeat(n - 2)) }
        }),
        family("one open node, many leaves", |n, _| "(".to_owned() + &".".repeat(n)),
        family("leaves alone", |n, _| ".".repeat(n)),
        family("siblings of one leaf", |n, _| "(.)".repeat(n / 3 + 1)),
        family("random walk, reflected", |n, r| bounded(n, r, usize::MAX)),
        family("bounded depth", |n, r| bounded(n, r, 16)),
    ]
}

fn walk(n: usize, r: &mut Random, percent_begins: usize) -> String {
    (0..n).map(|_| if r.percent(percent_begins) { '(' } else { ')' }).collect()
}

/// The random walk of Levien 2022, section 11: it never ends what was not begun, and here turns at `deepest` too.
fn bounded(n: usize, r: &mut Random, deepest: usize) -> String {
    let (mut depth, mut bits) = (0, 0);
    (0..n)
        .map(|i| {
            if i % 64 == 0 {
                bits = r.bits();
            }
            let up = depth == 0 || (depth < deepest && bits >> (i % 64) & 1 == 1);
            if up {
                depth += 1;
                '('
            } else {
                depth -= 1;
                ')'
            }
        })
        .collect()
}

/// Balanced, leaves half of it, begins rarer the deeper.
fn user_interface(n: usize, r: &mut Random) -> String {
    let mut depth = 0_usize;
    (0..n)
        .map(|_| {
            if r.percent(50) {
                '.'
            } else if depth == 0 || r.percent(70_usize.saturating_sub(5 * depth).max(10)) {
                depth += 1;
                '('
            } else {
                depth -= 1;
                ')'
            }
        })
        .collect()
}

/// Runs of begins and of ends of geometric length.
fn geometric(n: usize, r: &mut Random) -> String {
    let mut stream = String::with_capacity(n + P);
    while stream.len() < n {
        let mut length = 1;
        while r.percent(90) && length < P {
            length += 1;
        }
        let entry = ["(", ")"][r.below(2)];
        stream.push_str(&entry.repeat(length));
        stream.push('.');
    }
    stream
}

fn cycle(n: usize, runs: &[(usize, char)]) -> String {
    let period: String =
        runs.iter().flat_map(|&(length, entry)| std::iter::repeat_n(entry, length)).collect();
    period.repeat(n / period.len() + 1)
}

/// Every partition leaves exactly one node open, then ends close them: each finds its begin in another partition.
fn backlink_chain(n: usize, _: &mut Random) -> String {
    let partition = "()".repeat(P / 2 - 1) + ".(";
    let n_ends = (n / P).min(n);
    let mut stream = partition.repeat(n / P + 1);
    stream.truncate(n - n_ends);
    stream + &")".repeat(n_ends)
}
