//! Families of scenes that are hard for algorithms on trees.

use super::Random;
use crate::NoSuchFamily;

/// A generator of scenes of any length. A scene has one byte per element: `(` is a begin, `)` an
/// end, and `.` a leaf.
#[derive(Clone, Copy)]
pub struct Family {
    /// The property that its scenes have in common.
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
        let mut stream = (self.generate)(n, &mut Random::new(seed));
        stream.truncate(n);
        assert_eq!(stream.len(), n, "the family `{}` has scenes of any length", self.name);
        String::from_utf8(stream).expect("elements are ASCII characters")
    }
}

/// The length of the small partitions, of which the long ones are multiples. Many families have
/// their extremes at the borders.
const P: usize = boxwood::WORKGROUP_SIZE as usize;

/// The families with these names, or every family if there are no names.
///
/// # Errors
///
/// [`NoSuchFamily`], with the names of all families.
pub fn selected_families(names: &[String]) -> Result<Vec<Family>, NoSuchFamily> {
    if names.is_empty() { Ok(families()) } else { names.iter().map(|name| family(name)).collect() }
}

/// Extreme inputs, each with its number of elements.
pub fn extremes() -> [(Family, usize); 3] {
    let extreme = |name, n, generate| (Family { name, generate }, n);
    [
        extreme("2^24 begins", 1 << 24, |n, _| vec![b'('; n]),
        extreme("2^23 begins, then as many ends", 1 << 24, |n, _| runs(&[(n / 2, b'('), (n / 2, b')')])),
        extreme("3 begins, 10 million leaves, 3 ends", 10_000_006, |n, _| {
            runs(&[(3, b'('), (n - 6, b'.'), (3, b')')])
        }),
    ]
}

/// The family with this name.
///
/// # Errors
///
/// [`NoSuchFamily`], with the names of all families.
pub fn family(name: &str) -> Result<Family, NoSuchFamily> {
    let found = families().into_iter().find(|family| family.name == name);
    found.ok_or_else(|| NoSuchFamily::new(name, families().iter().map(|family| family.name)))
}

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
            [b"(", &*cycle(n, &[(P / 2, b')'), (P / 2, b'(')])].concat()
        }),
        family("backlink chain", backlink_chain),
        family("comb", |n, _| [b"(", &*b"()".repeat(n / 2), b")"].concat()),
        family("comb of leaves", |n, _| [&b"("[..], &b"(.)".repeat(n / 3), b").."].concat()),
        family("one node, many leaves", |n, _| {
            let n_leaves = n.saturating_sub(2);
            runs(&[(1, b'('), (n_leaves, b'.'), (1, b')')])
        }),
        family("one open node, many leaves", |n, _| runs(&[(1, b'('), (n, b'.')])),
        family("leaves alone", |n, _| vec![b'.'; n]),
        family("siblings of one leaf", |n, _| b"(.)".repeat(n / 3 + 1)),
        family("random walk, reflected", |n, r| reflected(n, r, usize::MAX)),
        family("bounded depth", |n, r| reflected(n, r, 16)),
    ]
}

fn walk(n: usize, r: &mut Random, percent_begins: usize) -> Vec<u8> {
    (0..n).map(|_| if r.percent(percent_begins) { b'(' } else { b')' }).collect()
}

/// The random walk of Levien 2022, section 11. It is reflected at depth 0, and here also at
/// `max_depth`.
fn reflected(n: usize, r: &mut Random, max_depth: usize) -> Vec<u8> {
    let mut bits = 0;
    by_depth(n, |i, depth| {
        if i % 64 == 0 {
            bits = r.bits();
        }
        let is_begin = depth == 0 || (depth < max_depth && bits >> (i % 64) & 1 == 1);
        if is_begin { b'(' } else { b')' }
    })
}

/// Half of the elements are leaves. The deeper a node is, the fewer children it has.
fn user_interface(n: usize, r: &mut Random) -> Vec<u8> {
    by_depth(n, |_, depth| {
        if r.percent(50) {
            b'.'
        } else if depth == 0 || r.percent(70_usize.saturating_sub(5 * depth).max(10)) {
            b'('
        } else {
            b')'
        }
    })
}

/// A scene whose elements depend on their index and their depth. There is no end at depth 0.
fn by_depth(n: usize, mut element: impl FnMut(usize, usize) -> u8) -> Vec<u8> {
    let mut depth = 0;
    let next = |i| {
        let element = element(i, depth);
        match element {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        element
    };
    (0..n).map(next).collect()
}

/// Runs of begins and of ends whose lengths have a geometric distribution.
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

/// Runs of elements, each with a length.
fn runs(runs: &[(usize, u8)]) -> Vec<u8> {
    let mut stream = Vec::with_capacity(runs.iter().map(|run| run.0).sum());
    for &(length, entry) in runs {
        stream.resize(stream.len() + length, entry);
    }
    stream
}

/// At least `n` elements of a period that is repeated.
fn cycle(n: usize, period: &[(usize, u8)]) -> Vec<u8> {
    let period = runs(period);
    period.repeat(n / period.len() + 1)
}

/// Every partition leaves one node open, and then ends close them all, so that each end has its
/// begin in another partition.
fn backlink_chain(n: usize, _: &mut Random) -> Vec<u8> {
    let partition = [&*b"()".repeat(P / 2 - 1), b".("].concat();
    let n_ends = (n / P).min(n);
    let mut stream = partition.repeat(n / P + 1);
    stream.truncate(n - n_ends);
    stream.resize(n, b')');
    stream
}
