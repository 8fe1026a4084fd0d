//! Families of boxes for tests and measurements. The generators are those of `boxwood_bench`, so
//! that their boxes are the same for the same seed.

use crate::Aabb;

/// The generator `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        u32::try_from(self.bits() % u64::from(n)).expect("it is below a u32")
    }

    /// A number from 0 up to but not including 1.
    pub(crate) fn unit(&mut self) -> f64 {
        // A number of 53 bits is exact.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The side of the square that most boxes begin in.
pub(crate) const SIDE: f64 = 10_000.0;

/// The maximum side of a small box. Among 2^20 small boxes in the square, each overlaps about 17.
const SMALL: f64 = 40.0;

/// A generator of any number of boxes in paint order.
pub(crate) type Family = fn(usize, &mut Random) -> Vec<Aabb>;

/// Every family, with its name.
pub(crate) const FAMILIES: [(&str, Family); 17] = [
    ("nested panels", nested_panels),
    ("windows", windows),
    ("drawing", |n, r| each(n, |_| of_any_size(r))),
    ("small boxes", |n, r| each(n, |_| small(r))),
    ("small boxes, sorted", |n, r| {
        let mut boxes = each(n, |_| small(r));
        boxes.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        boxes
    }),
    ("identical boxes", |n, _| vec![aabb(5.0, 5.0, 6.0, 7.0); n]),
    ("empty boxes", |n, _| vec![Aabb::EMPTY; n]),
    ("every ninth empty", |n, r| each(n, |i| if i % 9 == 4 { Aabb::EMPTY } else { small(r) })),
    ("the plane among small boxes", |n, r| each(n, |i| if i % 50 == 7 { Aabb::PLANE } else { small(r) })),
    ("each box inside the one before", |n, _| {
        each(n, |i| aabb(float(i), float(i), float(2 * n - i), float(2 * n - i)))
    }),
    ("each box around the one before", |n, _| {
        each(n, |i| aabb(-float(i), -float(i), float(i + 1), float(i + 1)))
    }),
    ("staircase", |n, _| each(n, |i| aabb(float(2 * i), float(2 * i), float(2 * i + 3), float(2 * i + 3)))),
    ("touching tiles", |n, _| tiles(n, 1.0)),
    ("overlapping tiles", |n, _| tiles(n, 1.5)),
    ("bars in both directions", |n, r| {
        each(n, |i| {
            let [a, b] = [SIDE * r.unit(), SMALL * r.unit() + 1e-3];
            if i % 2 == 0 { aabb(a, 0.0, a + b, SIDE) } else { aabb(0.0, a, SIDE, a + b) }
        })
    }),
    ("limits of f32", |n, r| each(n, |_| at_the_limits(r))),
    ("inverted boxes", |n, r| {
        let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
        each(n, |i| if i % 3 == 0 { inverted } else { small(r) })
    }),
];

/// The boxes of the family with this name.
pub(crate) fn family(name: &str, n: usize, seed: u64) -> Vec<Aabb> {
    let (_, generate) = FAMILIES.iter().find(|(known, _)| *known == name).expect("there is such a family");
    let mut boxes = generate(n, &mut Random::new(seed));
    boxes.truncate(n);
    boxes
}

fn each(n: usize, of: impl FnMut(usize) -> Aabb) -> Vec<Aabb> {
    (0..n).map(of).collect()
}

fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
    Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("it is below 2^32"))
}

fn small(r: &mut Random) -> Aabb {
    let [x, y] = [(); 2].map(|()| SIDE * r.unit());
    let [width, height] = [(); 2].map(|()| SMALL * r.unit() + 1e-3);
    aabb(x, y, x + width, y + height)
}

/// Half of the width is from 2 to 2048. Each doubling is equally likely.
fn of_any_size(r: &mut Random) -> Aabb {
    let [x, y] = [(); 2].map(|()| SIDE * r.unit());
    let half = (1.0 + r.unit()) * f64::from(2_u32 << r.below(10));
    aabb(x - half, y - 0.6 * half, x + half, y + 0.6 * half)
}

fn tiles(n: usize, size: f64) -> Vec<Aabb> {
    let per_row = n.isqrt().max(1);
    let tile = |i: usize| [float(i % per_row), float(i / per_row)];
    each(n, |i| {
        let [x, y] = tile(i);
        aabb(x, y, x + size, y + size)
    })
}

/// Boxes whose coordinates are small, the largest, or the smallest that there are.
fn at_the_limits(r: &mut Random) -> Aabb {
    const MAX: f64 = f32::MAX as f64;
    const VALUES: [f64; 8] = [-MAX, -MAX / 2.0, -1e30, -1.0, 0.0, 3.0, 1e30, MAX / 2.0];
    let mut range = || {
        let low = r.below(8);
        let high = low + 1 + r.below(8 - low);
        (VALUES[low as usize], VALUES.get(high as usize).copied().unwrap_or(MAX))
    };
    let ((x0, x1), (y0, y1)) = (range(), range());
    aabb(x0, y0, x1, y1)
}

/// Panels that are divided into panels, down to a label and an icon: the boxes of user interfaces.
/// Deeper panels are painted later, as in a scene tree.
fn nested_panels(n: usize, r: &mut Random) -> Vec<Aabb> {
    let mut boxes = Vec::with_capacity(n);
    while boxes.len() < n {
        panel(&mut boxes, [0.0, 0.0, SIDE, SIDE], 8, n, r);
    }
    boxes
}

/// Overlapping windows of about 200 nested panels.
fn windows(n: usize, r: &mut Random) -> Vec<Aabb> {
    let mut boxes = Vec::with_capacity(n);
    while boxes.len() < n {
        let [x, y] = [(); 2].map(|()| 0.8 * SIDE * r.unit());
        let end = n.min(boxes.len() + 200);
        panel(&mut boxes, [x, y, x + 0.2 * SIDE, y + 0.15 * SIDE], 3, end, r);
    }
    boxes
}

/// Adds a panel and its contents, as long as there are fewer than `end` boxes.
fn panel(boxes: &mut Vec<Aabb>, rect: [f64; 4], depth: u32, end: usize, r: &mut Random) {
    if boxes.len() >= end {
        return;
    }
    let [x0, y0, x1, y1] = rect;
    let (width, height) = (x1 - x0, y1 - y0);
    boxes.push(aabb(x0, y0, x1, y1));
    if width < 8.0 || height < 8.0 {
        return;
    }
    if depth == 0 {
        let bottom = y0 + f64::min(height - 1.0, 6.0);
        boxes.push(aabb(x0 + 1.0, y0 + 1.0, x0 + f64::min(width - 1.0, 6.0), bottom));
        if width > 12.0 {
            boxes.push(aabb(x0 + 7.0, y0 + 1.0, x1 - 1.0, bottom));
        }
        return;
    }
    let n_children = 2 + r.below(6);
    let is_row = r.below(100) < 50;
    for child in 0..n_children {
        let [begin, end_of] = [child, child + 1].map(|i| f64::from(i) / f64::from(n_children));
        let inner = if is_row {
            [x0 + width * begin + 1.0, y0 + 1.0, x0 + width * end_of - 1.0, y1 - 1.0]
        } else {
            [x0 + 1.0, y0 + height * begin + 1.0, x1 - 1.0, y0 + height * end_of - 1.0]
        };
        if inner[0] < inner[2] && inner[1] < inner[3] {
            panel(boxes, inner, depth - 1, end, r);
        }
    }
}
