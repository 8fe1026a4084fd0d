//! Families of boxes that are typical of drawings, or hard for algorithms on boxes.

use boxwood_cpu::Aabb;

use super::Random;

/// A generator of any number of boxes in paint order. They are canonical.
#[derive(Clone, Copy)]
pub struct BoxFamily {
    /// The property that its boxes have in common.
    pub name: &'static str,
    generate: fn(usize, &mut Random) -> Vec<Aabb>,
}

impl std::fmt::Debug for BoxFamily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl BoxFamily {
    /// A family. The generator makes at least as many boxes as it is asked for.
    pub fn new(name: &'static str, generate: fn(usize, &mut Random) -> Vec<Aabb>) -> Self {
        Self { name, generate }
    }

    /// The first `n` boxes, the same for the same seed.
    pub fn generate(&self, n: usize, seed: u64) -> Vec<Aabb> {
        let mut boxes = (self.generate)(n, &mut Random::new(seed));
        boxes.truncate(n);
        assert_eq!(boxes.len(), n, "the family `{}` has any number of boxes", self.name);
        boxes
    }
}

/// The side of the square that most boxes begin in.
pub(crate) const SIDE: f64 = 10_000.0;

/// The maximum side of a small box. Among 2^20 small boxes in the square, each overlaps about 17.
pub(crate) const SMALL: f64 = 40.0;

/// Every family of boxes.
pub fn box_families() -> Vec<BoxFamily> {
    let family = BoxFamily::new;
    vec![
        family("small boxes", |n, r| each(n, |_| small(r))),
        family("small boxes, sorted", |n, r| {
            let mut boxes = each(n, |_| small(r));
            boxes.sort_by(|a, b| a.x0.total_cmp(&b.x0));
            boxes
        }),
        family("small boxes, reversed", |n, r| {
            let mut boxes = each(n, |_| small(r));
            boxes.sort_by(|a, b| b.x0.total_cmp(&a.x0));
            boxes
        }),
        family("nested panels", nested_panels),
        family("windows", windows),
        family("drawing", |n, r| each(n, |_| of_any_size(r))),
        family("identical boxes", |n, _| vec![aabb(5.0, 5.0, 6.0, 7.0); n]),
        family("empty boxes", |n, _| vec![Aabb::EMPTY; n]),
        family("every ninth empty", |n, r| each(n, |i| if i % 9 == 4 { Aabb::EMPTY } else { small(r) })),
        family("the plane among small boxes", |n, r| {
            each(n, |i| if i % 500 == 77 { Aabb::PLANE } else { small(r) })
        }),
        family("each box inside the one before", |n, _| {
            each(n, |i| aabb(float(i), float(i), float(2 * n - i), float(2 * n - i)))
        }),
        family("staircase", |n, _| {
            each(n, |i| aabb(float(2 * i), float(2 * i), float(2 * i + 3), float(2 * i + 3)))
        }),
        family("touching tiles", |n, _| tiles(n, 1.0)),
        family("tiles with gaps", |n, _| tiles(n, 0.5)),
        family("equal x0", |n, r| {
            each(n, |_| {
                let (y, [width, height]) = (SIDE * r.unit(), small_size(r));
                aabb(5.0, y, 5.0 + width, y + height)
            })
        }),
        family("few centers", |n, r| {
            each(n, |_| {
                let [x, y] = [(); 2].map(|()| 100.0 * float(r.below(4)));
                let size = float(1 + r.below(64));
                aabb(x - size, y - size, x + size, y + size)
            })
        }),
        family("row", |n, r| {
            each(n, |_| {
                let (x, [width, _]) = (SIDE * r.unit(), small_size(r));
                aabb(x, 0.0, x + width, 1.0)
            })
        }),
        family("column of points", |n, _| each(n, |i| point_at(5.0, float(i)))),
        family("limits of f32", |n, r| each(n, |_| at_the_limits(r))),
    ]
}

pub(crate) fn each(n: usize, of: impl FnMut(usize) -> Aabb) -> Vec<Aabb> {
    (0..n).map(of).collect()
}

pub(crate) fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
    Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
}

pub(crate) fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("it is below 2^32"))
}

fn small_size(r: &mut Random) -> [f64; 2] {
    [(); 2].map(|()| SMALL * r.unit() + 1e-3)
}

pub(crate) fn small(r: &mut Random) -> Aabb {
    let [x, y] = [(); 2].map(|()| SIDE * r.unit());
    let [width, height] = small_size(r);
    aabb(x, y, x + width, y + height)
}

/// Half of the width is from 2 to 2048. Each doubling is equally likely.
fn of_any_size(r: &mut Random) -> Aabb {
    let [x, y] = [(); 2].map(|()| SIDE * r.unit());
    let half = (1.0 + r.unit()) * float(2 << r.below(10));
    aabb(x - half, y - 0.6 * half, x + half, y + 0.6 * half)
}

/// The smallest box with this corner, if its coordinates are integers below 2^24.
fn point_at(x: f64, y: f64) -> Aabb {
    // `Aabb::new` rounds outwards.
    aabb(x, y, x.next_up(), y.next_up())
}

pub(crate) fn tiles(n: usize, size: f64) -> Vec<Aabb> {
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
        let low = r.below(VALUES.len());
        let high = low + 1 + r.below(VALUES.len() - low);
        (VALUES[low], VALUES.get(high).copied().unwrap_or(MAX))
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
    let is_row = r.percent(50);
    for child in 0..n_children {
        let [begin, end_of] = [child, child + 1].map(|i| float(i) / float(n_children));
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
