//! The picture is the law: drawing a picture in layers, drawing only what is damaged, and leaving
//! out what is hidden change no pixel of a drawing. The stages get the boxes of its leaves, and the
//! picture is flat.

use boxwood::Context;
use std::fmt;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use boxwood::Aabb;
use boxwood::spatial::{Covers, Damage, FrameBuffers, Index, Items, Layers, Occlusion, Order, TileGrid};
use boxwood_cpu::specification::spatial::{self as cpu, Frame};
use boxwood_svg::Options;
use boxwood_tests::{Corpus, Random, chain, exception, gpu, own_drawings, own_options};

use super::REFUSED;
use super::flat::Flat;
use crate::spatial::{buffer, read, record};

/// The maximum number of items of a drawing whose layers are found. The time grows with its square.
const MAX_ITEMS: usize = 1 << 13;

/// The number of bits of the key of an item.
const KEY_BITS: u32 = 2;

/// The maximum number of rectangles of damage.
const MAX_RECTANGLES: u32 = 16;

/// What was tested.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    drawings: usize,
    leaves: usize,
    groups: u32,
    layers: u32,
    batches: usize,
    /// Pixels that differ between two frames.
    changed: usize,
    /// Pixels in the rectangles of damage.
    damaged: u32,
    /// Leaves in the picture that are hidden by tiles, and by boxes.
    hidden: [usize; 2],
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.drawings += other.drawings;
        self.leaves += other.leaves;
        self.groups += other.groups;
        self.layers += other.layers;
        self.batches += other.batches;
        self.changed += other.changed;
        self.damaged += other.damaged;
        self.hidden = [0, 1].map(|algorithm| self.hidden[algorithm] + other.hidden[algorithm]);
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { drawings, leaves, groups, layers, batches, changed, damaged, hidden } = self;
        let [by_tiles, by_boxes] = hidden;
        writeln!(f, "{drawings} drawings with {leaves} leaves and {groups} groups")?;
        writeln!(f, "{layers} layers with {batches} batches")?;
        writeln!(f, "{changed} pixels that change, {damaged} pixels in rectangles")?;
        write!(f, "{by_tiles} leaves are hidden by tiles, {by_boxes} by boxes")
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn n_apart(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// The items in the order of their layers and batch keys have the picture of the paint order, in
/// each scope.
fn check_layers(context: &Context, flat: &Flat, counts: &mut Counts) -> Result<(), String> {
    let n = flat.items.len();
    if n > MAX_ITEMS {
        return Ok(());
    }
    let boxes: Vec<Aabb> = flat.items.iter().map(|item| item.bounds).collect();
    let scopes: Vec<u32> = flat.items.iter().map(|item| item.scope).collect();
    let keys: Vec<u32> = flat.items.iter().map(|item| item.key).collect();
    let [scope_buffer, key_buffer] = [&scopes, &keys].map(|words| buffer(words));
    let box_buffer = buffer(&boxes);
    let items = Items::new(&box_buffer, small(n));
    let stage = Layers::with_batches(context, items, Some(&scope_buffer), &key_buffer, KEY_BITS);
    let stage = stage.map_err(|error| chain(&error))?;
    record(|pass| stage.record(pass));
    let mut workspace = boxwood_cpu::Layers::new();
    let layers = workspace.in_scopes(&boxes, &scopes);
    let (order, batches) = cpu::batches(layers, &keys);
    let found = read::<u32>(stage.draw_order().expect("there are batch keys"), n);
    if read::<u32>(stage.layers(), n) != layers || found != order {
        return Err("the layers are not those of the specification".to_owned());
    }
    for scope in 0..flat.n_scopes {
        let painted = flat.picture_of_items(scope, 0..n);
        let in_layers = flat.picture_of_items(scope, found.iter().map(|item| *item as usize));
        match n_apart(&painted, &in_layers) {
            0 => {}
            n_pixels => return Err(format!("{n_pixels} pixels of scope {scope} differ in layers")),
        }
    }
    counts.layers += layers.iter().copied().max().unwrap_or(0);
    counts.batches += batches.len();
    Ok(())
}

/// The elements of a frame.
#[derive(Clone, Debug)]
struct Elements {
    boxes: Vec<Aabb>,
    signatures: Vec<u32>,
}

impl Elements {
    fn picture(&self, flat: &Flat) -> Vec<u64> {
        let size = flat.width as usize;
        let mut picture = vec![0; size * flat.height as usize];
        for (own, signature) in self.boxes.iter().zip(&self.signatures) {
            for [x, y] in flat.pixels().touched(*own).positions() {
                let pixel: &mut u64 = &mut picture[size * y as usize + x as usize];
                *pixel = pixel.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(*signature);
            }
        }
        picture
    }

    /// Some elements with another signature, at another place, or without a box.
    fn edited(&self, random: &mut Random, percent: usize) -> Self {
        let mut new = self.clone();
        for i in 0..self.boxes.len() {
            if random.percent(percent) {
                match random.below(3) {
                    0 => new.signatures[i] += 1,
                    1 => new.boxes[i] = Aabb::EMPTY,
                    _ => new.boxes[i] = self.boxes[random.below(self.boxes.len())],
                }
            }
        }
        new
    }

    /// The same in another order, without some elements, and with their partners.
    fn reordered(&self, random: &mut Random) -> (Self, Vec<u32>) {
        let mut partners: Vec<u32> = (0..).take(self.boxes.len()).collect();
        partners.retain(|_| !random.percent(3));
        let n = partners.len();
        for _ in 0..n / 50 {
            partners.swap(random.below(n), random.below(n));
        }
        let element = |partner: &u32| (self.boxes[*partner as usize], self.signatures[*partner as usize]);
        let (boxes, signatures) = partners.iter().map(element).unzip();
        (Self { boxes, signatures }, partners)
    }
}

/// Each pixel that differs after a random edit is in a damaged tile and in exactly one rectangle.
fn check_damage(context: &Context, flat: &Flat, counts: &mut Counts) -> Result<(), String> {
    let random = &mut Random::new(flat.leaves.len() as u64);
    let signatures = flat.leaves.iter().map(|_| small(random.below(99))).collect();
    let old = Elements { boxes: flat.leaves.clone(), signatures };
    for (percent, is_reordered) in [(0, false), (2, false), (2, true), (30, false)] {
        let edited = old.edited(random, percent);
        let by_index = (0..).take(old.boxes.len()).collect();
        let (new, partners) = if is_reordered { edited.reordered(random) } else { (edited, by_index) };
        let damage = damage(context, flat, [&old, &new], &partners)?;
        let mut n_rectangles = vec![0_u32; (flat.width * flat.height) as usize];
        for [x, y] in damage.rectangles.iter().flat_map(|rectangle| rectangle.positions()) {
            n_rectangles[(flat.width * y + x) as usize] += 1;
        }
        if n_rectangles.iter().any(|n| *n > 1) {
            return Err("two rectangles of damage overlap".to_owned());
        }
        if percent == 0 && !damage.rectangles.is_empty() {
            return Err("nothing has changed, but something is damaged".to_owned());
        }
        let grid = grid(flat);
        let pictures = [&old, &new].map(|elements| elements.picture(flat));
        let mut pixels = pictures[0].iter().zip(&pictures[1]).zip(0..);
        let is_missed = |((old, new), i): ((&u64, &u64), u32)| {
            let [x, y] = [i % flat.width, i / flat.width];
            let [column, row] = [x, y].map(|position| position >> grid.lg_tile);
            let word = damage.tiles[(row * grid.words_per_row() + column / 32) as usize];
            old != new && (n_rectangles[i as usize] == 0 || (word >> (column % 32)) & 1 == 0)
        };
        if pixels.any(is_missed) {
            return Err(format!("a pixel that changes is not damaged, {percent} % changed"));
        }
        counts.changed += n_apart(&pictures[0], &pictures[1]);
        counts.damaged += n_rectangles.iter().sum::<u32>();
    }
    Ok(())
}

/// Tiles of 4 pixels, so that a picture has many.
fn grid(flat: &Flat) -> TileGrid {
    TileGrid { lg_tile: 2, ..flat.pixels() }
}

/// The damage by the stage, which is that of the specification.
fn damage(
    context: &Context,
    flat: &Flat,
    frames: [&Elements; 2],
    partners: &[u32],
) -> Result<cpu::Damage, String> {
    let uploaded =
        frames.map(|frame| (buffer(&frame.boxes), buffer(&frame.signatures), small(frame.boxes.len())));
    let buffers = uploaded
        .each_ref()
        .map(|(boxes, signatures, n)| FrameBuffers { boxes: Items::new(boxes, *n), signatures });
    let stage = Damage::new(context, buffers, Some(&buffer(partners)), grid(flat), MAX_RECTANGLES);
    let stage = stage.map_err(|error| chain(&error))?;
    record(|pass| stage.record(pass));
    let frames = frames.map(|Elements { boxes, signatures }| Frame { boxes, signatures });
    let expected = cpu::damage(frames, partners, grid(flat), MAX_RECTANGLES as usize);
    let is_right = read::<u32>(stage.tiles(), expected.tiles.len()) == expected.tiles
        && read::<cpu::Rectangle>(stage.rectangles(), expected.rectangles.len()) == expected.rectangles;
    if is_right { Ok(expected) } else { Err("the damage is not that of the specification".to_owned()) }
}

/// The whole pixels inside a box. Below the others at its edges, something can be seen.
fn whole_pixels_inside(own: Aabb) -> Aabb {
    let [x0, y0] = [own.x0, own.y0].map(|edge| f64::from(edge).ceil());
    let [x1, y1] = [own.x1, own.y1].map(|edge| f64::from(edge).floor());
    Aabb::new(x0, y0, x1, y1).expect("no NaN")
}

/// The picture without what is hidden is that with it, by both algorithms. This share of the leaves
/// is opaque.
fn check_occlusion(
    context: &Context,
    flat: &Flat,
    percent: usize,
    counts: &mut Counts,
) -> Result<(), String> {
    let random = &mut Random::new(flat.leaves.len() as u64);
    let n = flat.leaves.len();
    let inner = |own: &Aabb| if random.percent(percent) { whole_pixels_inside(*own) } else { Aabb::EMPTY };
    let inner_boxes: Vec<Aabb> = flat.leaves.iter().map(inner).collect();
    // Tiles know no groups.
    let scopes = flat.items.iter().filter(|item| item.key > 0).map(|item| item.scope);
    let of_picture = |(own, scope): (&Aabb, u32)| if scope == 0 { *own } else { Aabb::EMPTY };
    let inner_of_picture: Vec<Aabb> = inner_boxes.iter().zip(scopes).map(of_picture).collect();

    let boxes = buffer(&flat.leaves);
    let [inner_buffer, inner_of_picture_buffer] =
        [&inner_boxes, &inner_of_picture].map(|boxes| buffer(boxes));
    let starts = buffer(&flat.scope_starts);
    let index = Index::new(context, Items::new(&inner_buffer, small(n)), Order::Hilbert);
    let index = index.map_err(|error| chain(&error))?;
    let grid = grid(flat);
    let by_tiles = Covers::Tiles { inner_boxes: Items::new(&inner_of_picture_buffer, small(n)), grid };
    let by_boxes = Covers::Boxes { inner_boxes: &index, scope_starts: Some(&starts) };
    let expected = [
        cpu::visible(&flat.leaves, &inner_of_picture, grid),
        cpu::visible_by_boxes(&flat.leaves, &inner_boxes, Some(&flat.scope_starts)),
    ];
    for (algorithm, covers) in [by_tiles, by_boxes].into_iter().enumerate() {
        let stage = Occlusion::new(context, &boxes, covers).map_err(|error| chain(&error))?;
        record(|pass| {
            index.record(pass);
            stage.record(pass);
        });
        let visible: Vec<u32> = read(stage.visible(), n.div_ceil(32));
        if visible != expected[algorithm] {
            return Err(format!("algorithm {algorithm} hides other leaves than the specification"));
        }
        let is_visible = |leaf: usize| (visible[leaf / 32] >> (leaf % 32)) & 1 == 1;
        let inner = [&inner_of_picture, &inner_boxes][algorithm];
        match n_apart(&flat.picture(inner, |_| true), &flat.picture(inner, is_visible)) {
            0 => {}
            n_pixels => return Err(format!("{n_pixels} pixels differ without hidden leaves ({algorithm})")),
        }
        let is_in_picture = |leaf: &usize| !flat.pixels().touched(flat.leaves[*leaf]).is_empty();
        counts.hidden[algorithm] += (0..n).filter(is_in_picture).filter(|leaf| !is_visible(*leaf)).count();
    }
    Ok(())
}

fn check(context: &Context, path: &Path, options: &Options) -> Result<Counts, String> {
    let drawing = boxwood_svg::load_file(path, options).map_err(|error| chain(&error))?;
    let flat = Flat::new(&drawing);
    let mut counts =
        Counts { drawings: 1, leaves: flat.leaves.len(), groups: flat.n_scopes - 1, ..Counts::default() };
    check_layers(context, &flat, &mut counts)?;
    check_damage(context, &flat, &mut counts)?;
    for percent in [30, 100] {
        check_occlusion(context, &flat, percent, &mut counts)?;
    }
    Ok(counts)
}

#[expect(clippy::print_stdout, reason = "the counts are to be read")]
fn check_all(paths: &[PathBuf], options: &Options) -> Counts {
    let context = Context::new(&gpu().device);
    let (mut all, mut faults) = (Counts::default(), Vec::new());
    for path in paths {
        match check(&context, path, options) {
            Ok(counts) => all += counts,
            Err(_) if exception(REFUSED, path).is_some() => {}
            Err(fault) => faults.push(format!("{}: {fault}", path.display())),
        }
    }
    println!("{all}");
    assert!(faults.is_empty(), "{} of {} drawings:\n{}", faults.len(), paths.len(), faults.join("\n"));
    all
}

#[test]
fn stages_change_no_pixel_of_own_drawings() {
    let Counts { layers, batches, changed, hidden, .. } = check_all(&own_drawings(), &own_options());
    assert!((layers as usize) < batches, "{layers} layers have {batches} batches");
    assert!(
        changed > 1000 && hidden.iter().all(|n| *n > 4),
        "{changed} pixels change, {hidden:?} are hidden"
    );
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn stages_change_no_pixel_of_drawings_of_the_corpus() {
    let corpus = Corpus::from_env();
    check_all(&corpus.some_drawings(), &corpus.options());
}
