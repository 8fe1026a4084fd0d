//! Stage *damage* returns the elements, the tiles, and the rectangles of the specification.

pub(super) mod faults;

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Count, Damage, FrameBuffers, Items, SpatialError};
use boxwood_cpu::specification::spatial::{self as cpu, Frame, Rectangle, TileGrid};
use boxwood_tests::{Random, box_families, gpu, sampled};

use super::{buffer, read, record, rectangles_of_tiles};

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// The boxes and the signatures of a frame.
#[derive(Clone, Debug)]
struct Elements {
    boxes: Vec<Aabb>,
    signatures: Vec<u32>,
}

/// Two frames of a picture, and the tiles of it.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    grid: TileGrid,
    frames: [Elements; 2],
    max_rectangles: u32,
    /// If there are none, an element has the same index in both frames.
    partners: Option<Vec<u32>>,
}

impl Case {
    /// The damage of the first elements of each frame.
    fn expected(&self, n: [usize; 2]) -> cpu::Damage {
        let by_index: Vec<u32> = (0..).take(n[1]).collect();
        let partners = self.partners.as_ref().map_or(&*by_index, |partners| &partners[..n[1]]);
        let frame = |i: usize| {
            let Elements { boxes, signatures } = &self.frames[i];
            Frame { boxes: &boxes[..n[i]], signatures: &signatures[..n[i]] }
        };
        cpu::damage([frame(0), frame(1)], partners, self.grid, self.max_rectangles as usize)
    }

    /// The damage of all elements.
    fn expected_of_all(&self) -> cpu::Damage {
        self.expected(self.frames.each_ref().map(|frame| frame.boxes.len()))
    }

    /// What differs from the specification, if anything does.
    fn difference(&self, context: &Context) -> Option<String> {
        let Self { name, grid, frames, max_rectangles, partners } = self;
        let n = frames.each_ref().map(|frame| frame.boxes.len());
        let uploaded = frames.each_ref().map(|frame| (buffer(&frame.boxes), buffer(&frame.signatures)));
        let buffers = [0, 1].map(|i| {
            let (boxes, signatures) = &uploaded[i];
            FrameBuffers { boxes: Items::new(boxes, small(n[i])), signatures }
        });
        let partner_buffer = partners.as_ref().map(|partners| buffer(partners));
        let damage = Damage::new(context, buffers, partner_buffer.as_ref(), *grid, *max_rectangles);
        let damage = damage.expect("the input is within the limits");
        // The second run is over the buffers that the first one leaves.
        for n in [n, n.map(|n| n / 2)] {
            damage.set_count(&gpu().queue, small(n[1])).expect("it is within the capacity");
            if partners.is_some() {
                damage.set_old_count(&gpu().queue, small(n[0])).expect("it is within the capacity");
            }
            let expected = self.expected(n);
            record(|pass| damage.record(pass));
            let Count::Gpu { buffer: count, word: 0 } = damage.n_rectangles() else {
                panic!("it is on the GPU")
            };
            let n_rectangles = read::<u32>(count, 1)[0] as usize;
            let found = cpu::Damage {
                changed: read(damage.changed(), n[1].div_ceil(32)),
                vanished: match partners {
                    Some(_) => read(damage.vanished(), n[0].div_ceil(32)),
                    None => vec![0; n[0].div_ceil(32)],
                },
                tiles: read(damage.tiles(), expected.tiles.len()),
                rectangles: read(damage.rectangles(), n_rectangles.min(16)),
            };
            if found != expected || n_rectangles != expected.rectangles.len() {
                let (expected, found) = (expected.rectangles, found.rectangles);
                return Some(format!("{name}, n = {n:?}, {grid:?}, {expected:?} expected, {found:?} found"));
            }
        }
        None
    }
}

/// The pictures: without pixels, of a pixel, and with numbers of tiles around every border.
fn grids() -> Vec<TileGrid> {
    let sizes = [(0, 0), (1, 1), (16, 17), (500, 520), (1920, 1080), (2049, 300), (300, 4096), (4096, 4096)];
    let mut grids: Vec<TileGrid> =
        sizes.iter().map(|(width, height)| TileGrid::new(*width, *height)).collect();
    grids.push(TileGrid::new(2048, 40));
    grids.push(TileGrid { width: 511, height: 127, lg_tile: 1 });
    grids.push(TileGrid { width: 10_000, height: 9000, lg_tile: 6 });
    grids
}

/// The second frame has this share of the elements changed, in percent: moved, or only with another
/// signature.
fn edited(random: &mut Random, boxes: &[Aabb], percent: usize) -> [Elements; 2] {
    let signatures: Vec<u32> = boxes.iter().map(|_| small(random.below(9))).collect();
    let old = Elements { boxes: boxes.to_vec(), signatures };
    let mut new = old.clone();
    for i in 0..boxes.len() {
        if random.percent(percent) {
            let other = boxes[random.below(boxes.len())];
            match random.below(4) {
                0 => new.signatures[i] += 1,
                1 => new.boxes[i] = Aabb::EMPTY,
                _ => new.boxes[i] = other,
            }
        }
    }
    [old, new]
}

/// The elements of a frame in another order, without some of them, and with new ones in between.
/// With their partners, some of which do not exist.
fn reordered(random: &mut Random, elements: &Elements) -> (Elements, Vec<u32>) {
    let n = elements.boxes.len();
    let mut partners: Vec<u32> = (0..).take(n).collect();
    for _ in 0..n / 100 {
        partners.swap(random.below(n), random.below(n));
    }
    partners.retain(|_| !random.percent(1));
    for _ in 0..n / 70 {
        partners.insert(random.below(partners.len()), [cpu::NO_PARTNER, small(n)][random.below(2)]);
    }
    let element = |partner: &u32| match elements.boxes.get(*partner as usize) {
        Some(own) => (*own, elements.signatures[*partner as usize]),
        None => (elements.boxes[n / 2], 77),
    };
    let (boxes, signatures) = partners.iter().map(element).unzip();
    (Elements { boxes, signatures }, partners)
}

/// Boxes of every family in the picture, with few and many changes.
fn cases(sizes: &[usize], grids: &[TileGrid]) -> Vec<Case> {
    let mut cases = Vec::new();
    let random = &mut Random::new(8);
    for (i, family) in box_families().into_iter().enumerate() {
        for (k, n) in sizes.iter().enumerate() {
            let grid = grids[(i + k) % grids.len()];
            // Most families are in a square of side 10,000.
            let scale = f64::from(grid.width.max(grid.height).max(1)) / 10_000.0;
            let scaled = |own: Aabb| {
                let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|v| scale * f64::from(v));
                Aabb::new(x0, y0, x1, y1).expect("no NaN")
            };
            let boxes: Vec<Aabb> = family.generate(*n, 5).into_iter().map(scaled).collect();
            for (percent, max_rectangles) in [(0, 16), (1, 16), (1, 3), (100, 1)] {
                let frames = edited(random, &boxes, percent);
                let name = family.name.to_owned();
                let (new, partners) = reordered(random, &frames[1]);
                let frames_of_partners = [frames[0].clone(), new];
                cases.push(Case { name: name.clone(), grid, frames, max_rectangles, partners: None });
                let name = format!("{name}, reordered");
                let partners = Some(partners);
                cases.push(Case { name, grid, frames: frames_of_partners, max_rectangles, partners });
            }
        }
    }
    for grid in grids {
        let rectangles = rectangles_of_tiles(*grid, 12, random);
        for own in rectangles.into_iter().chain([Aabb::PLANE]) {
            let frame = |signature| Elements { boxes: vec![own], signatures: vec![signature] };
            let name = "rectangle of tiles".to_owned();
            cases.push(Case {
                name,
                grid: *grid,
                frames: [frame(0), frame(1)],
                max_rectangles: 16,
                partners: None,
            });
        }
    }
    cases
}

/// Masks of tiles in which each tile is damaged by an element of its own: random ones, stripes, and
/// a checkerboard.
fn masks() -> Vec<Case> {
    let random = &mut Random::new(9);
    let mut cases = Vec::new();
    for grid in grids().into_iter().filter(|grid| grid.width > 100) {
        let [n_columns, n_rows] = grid.n_tiles();
        let side = f64::from(1_u32 << grid.lg_tile);
        let mut mask = |name: &str, is_set: &mut dyn FnMut(u32, u32) -> bool| {
            let tiles = Rectangle { x0: 0, y0: 0, x1: n_columns, y1: n_rows };
            let boxes: Vec<Aabb> = tiles
                .positions()
                .filter(|[x, y]| is_set(*x, *y))
                .map(|tile| tile.map(|position| side * f64::from(position)))
                .map(|[x, y]| Aabb::new(x + 0.5, y + 0.5, x + side - 0.5, y + side - 0.5).expect("no NaN"))
                .collect();
            let frame =
                |signature| Elements { boxes: boxes.clone(), signatures: vec![signature; boxes.len()] };
            for max_rectangles in [1, 5, 16] {
                cases.push(Case {
                    name: name.to_owned(),
                    grid,
                    frames: [frame(0), frame(1)],
                    max_rectangles,
                    partners: None,
                });
            }
        };
        mask("one in thousand", &mut |_, _| random.below(1000) == 0);
        mask("half", &mut |_, _| random.below(2) == 0);
        mask("checkerboard", &mut |x, y| (x + y) % 2 == 0);
        mask("seven columns", &mut |x, _| x % (n_columns / 7).max(2) == 1);
        mask("eight rows", &mut |_, y| y % (n_rows / 8).max(2) == 1);
        mask("all but a few", &mut |x, y| [x, y] != [40, 6] && [x, y] != [n_columns - 1, n_rows - 1]);
        mask("runs over words", &mut |x, y| (30..100).contains(&x) && x != 61 + y / 5 && y % 11 > 2);
    }
    cases
}

fn first_difference(context: &Context, cases: &[Case]) -> Option<String> {
    cases.iter().find_map(|case| case.difference(context))
}

#[test]
fn the_damage_is_that_of_the_specification() {
    let context = Context::new(&gpu().device);
    let sizes = [0, 1, 31, 33, 255, 256, 257, 1025];
    let cases: Vec<Case> = sampled(cases(&sizes, &grids())).collect();
    assert_eq!(first_difference(&context, &cases), None);
}

#[test]
fn rectangles_are_those_of_the_specification_for_any_mask() {
    let context = Context::new(&gpu().device);
    assert_eq!(first_difference(&context, &masks()), None);
}

/// The picture is the law: pixels that differ are in the rectangles, which are disjoint.
#[test]
fn every_pixel_that_differs_is_in_a_rectangle() {
    let context = Context::new(&gpu().device);
    let grid = TileGrid { width: 300, height: 260, lg_tile: 4 };
    let pixels = TileGrid { lg_tile: 0, ..grid };
    let picture = |elements: &Elements| {
        let mut picture = vec![u32::MAX; 300 * 260];
        for (own, signature) in elements.boxes.iter().zip(&elements.signatures) {
            pixels.touched(*own).positions().for_each(|[x, y]| picture[(300 * y + x) as usize] = *signature);
        }
        picture
    };
    for case in sampled(cases(&[300], &[grid])) {
        assert_eq!(case.difference(&context), None);
        let mut n_rectangles = vec![0; 300 * 260];
        for [x, y] in case.expected_of_all().rectangles.iter().flat_map(|rectangle| rectangle.positions()) {
            n_rectangles[(300 * y + x) as usize] += 1;
        }
        let [old, new] = case.frames.each_ref().map(picture);
        for (i, n) in n_rectangles.into_iter().enumerate() {
            assert!(n == 1 || n == 0 && old[i] == new[i], "{}: pixel {i}", case.name);
        }
    }
}

#[test]
fn the_number_of_elements_can_change_and_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let grid = TileGrid::new(1000, 1000);
    let boxes = buffer(&(0..100_u8).map(|i| tile_box(f64::from(i))).collect::<Vec<_>>());
    let [old, new] = [buffer(&[0_u32; 100]), buffer(&[1_u32; 100])];
    let stage = |count| {
        let boxes = Items { buffer: &boxes, count, capacity: 100 };
        let frames = [&old, &new].map(|signatures| FrameBuffers { boxes, signatures });
        Damage::new(&context, frames, None, grid, 16).expect("it is within the limits")
    };
    let check = |damage: &Damage, n: u32| {
        record(|pass| damage.record(pass));
        let Count::Gpu { buffer: count, word: 0 } = damage.n_rectangles() else { panic!("it is on the GPU") };
        assert_eq!(read::<u32>(count, 1), [u32::from(n > 0)]);
        if n > 0 {
            let found: Vec<Rectangle> = read(damage.rectangles(), 1);
            assert_eq!(found, [Rectangle { x0: 0, y0: 0, x1: (16 * n.div_ceil(2)).min(1000), y1: 16 }]);
        }
    };
    let damage = stage(Count::Host(100));
    for n in [100, 33, 0, 64] {
        damage.set_count(&gpu().queue, n).expect("it is within the capacity");
        check(&damage, n);
    }
    let error = SpatialError::AboveCapacity { n: 101, capacity: 100 };
    assert_eq!(damage.set_count(&gpu().queue, 101), Err(error));
    let count = buffer(&[5_u32, 77, 4000]);
    for (word, n) in [(1, 77), (2, 100)] {
        let damage = stage(Count::Gpu { buffer: &count, word });
        check(&damage, n);
        assert_eq!(damage.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

/// Two of these boxes share a tile of 16 pixels.
fn tile_box(i: f64) -> Aabb {
    Aabb::new(8.0 * i + 1.0, 1.0, 8.0 * i + 7.0, 7.0).expect("no NaN")
}

#[test]
fn boxes_that_are_none_damage_something_but_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let inverted = Aabb { x0: 90.0, y0: 90.0, x1: 1.0, y1: 1.0 };
    let boxes = buffer(&[nan, inverted, tile_box(0.0)]);
    let [old, new] = [buffer(&[0_u32; 3]), buffer(&[1_u32; 3])];
    let frames = [&old, &new].map(|signatures| FrameBuffers { boxes: Items::new(&boxes, 3), signatures });
    let damage = Damage::new(&context, frames, None, TileGrid::new(100, 100), 16);
    let damage = damage.expect("it is within the limits");
    record(|pass| damage.record(pass));
    assert_eq!(read::<u32>(damage.tiles(), 7)[0] & 1, 1);
    assert_eq!(read::<u32>(damage.changed(), 1), [0b111]);
}

#[test]
fn pictures_and_frames_that_are_too_large_are_refused() {
    let context = Context::new(&gpu().device);
    let (boxes, signatures) = (buffer(&[Aabb::PLANE; 9]), buffer(&[0_u32; 9]));
    let frame = |n| FrameBuffers { boxes: Items::new(&boxes, n), signatures: &signatures };
    let few_words = buffer(&[0_u32; 8]);
    let few = FrameBuffers { signatures: &few_words, ..frame(9) };
    let grid = TileGrid::new(100, 100);
    let error = |frames, partners, grid, max_rectangles| {
        let damage = Damage::new(&context, frames, partners, grid, max_rectangles);
        damage.expect_err("it is refused")
    };
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    let out_of_range = |name, value, limit| SpatialError::OutOfRange { name, value, limit };
    assert_eq!(error([frame(10); 2], None, grid, 16), too_large("boxes", 10, 9));
    assert_eq!(error([frame(9), few], None, grid, 16), too_large("signatures", 9, 8));
    assert_eq!(error([frame(9); 2], None, grid, 17), out_of_range("max_rectangles", 17, 16));
    assert_eq!(error([frame(4), frame(9)], Some(&few_words), grid, 16), too_large("partners", 9, 8));
    let with_grid = |grid| error([frame(9); 2], None, grid, 16);
    assert_eq!(with_grid(TileGrid { lg_tile: 3, ..TileGrid::new(4096, 1) }), out_of_range("tiles", 512, 256));
    assert_eq!(with_grid(TileGrid::new(1, (1 << 24) + 1)), out_of_range("pixels", (1 << 24) + 1, 1 << 24));
    assert_eq!(with_grid(TileGrid { lg_tile: 40, ..grid }), out_of_range("lg_tile", 40, 24));
}

#[test]
fn frames_without_partners_have_the_same_number_of_elements() {
    let context = Context::new(&gpu().device);
    let (boxes, signatures) = (buffer(&[Aabb::PLANE; 9]), buffer(&[0_u32; 9]));
    let stage = |counts: [(Count<'_>, u32); 2], partners: Option<&wgpu::Buffer>| {
        let frames = counts.map(|(count, capacity)| FrameBuffers {
            boxes: Items { buffer: &boxes, count, capacity },
            signatures: &signatures,
        });
        Damage::new(&context, frames, partners, TileGrid::new(100, 100), 16)
    };
    let [few, many] = [4, 9].map(Count::Host);
    let [first, second] = [0, 1].map(|word| Count::Gpu { buffer: &signatures, word });
    for counts in [[(few, 9), (many, 9)], [(few, 4), (few, 9)], [(first, 9), (second, 9)]] {
        assert_eq!(stage(counts, None).expect_err("they differ"), SpatialError::NoPartners);
        stage(counts, Some(&signatures)).expect("there are partners");
    }
    stage([(first, 9); 2], None).expect("they are the same");
    let same = stage([(few, 9); 2], None).expect("they are the same");
    assert_eq!(same.set_old_count(&gpu().queue, 1), Err(SpatialError::NoPartners));
}
