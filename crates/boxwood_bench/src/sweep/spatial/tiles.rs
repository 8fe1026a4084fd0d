//! The stages on tiles of a picture of 1920 x 1080 pixels: *damage* and *occlusion*.

use std::hint::black_box;

use boxwood::native::Gpu;
use boxwood::spatial::{
    Count, Covers, Damage, FrameBuffers, Index, Items, Occlusion, Order, Rectangle, SpatialError, TileGrid,
};
use boxwood::{Aabb, Context, read_items};
use boxwood_cpu::specification::spatial::{self as cpu, Frame};

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::ONE_CORE;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::box_family;

const FAMILIES: [&str; 3] = ["nested panels", "windows", "small boxes"];

/// The maximum number of elements that single boxes hide. The CPU walks a tree for each.
const MAX_BY_BOXES: u32 = 1 << 20;

/// The maximum number of elements for which the CPU is compared with the specification of single
/// boxes. It compares each two boxes: 2^31 pairs, which take seconds. Beyond it, only the device is
/// compared, with the CPU.
const MAX_COMPARED_BY_BOXES: u32 = 1 << 16;

/// The maximum number of rectangles of damage, which is the largest that the stage takes.
const MAX_RECTANGLES: u32 = 16;

pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    let grid = TileGrid::new(1920, 1080);
    for family in FAMILIES {
        // The family is in a square of side 10,000.
        let scaled = |own: Aabb| {
            let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|v| 0.192 * f64::from(v));
            Aabb::new(x0, y0, x1, y1).expect("no NaN")
        };
        let boxes: Vec<Aabb> = box_family(family)?.generate(n as usize, 1).into_iter().map(scaled).collect();
        // One element in a thousand changes, or all of them.
        for (period, changes) in [(1000, "few changes"), (1, "all changed")] {
            damage(session, context, grid, &boxes, period, &format!("{family}, {changes}"))?;
        }
        occlusion(session, context, grid, &boxes, family)?;
    }
    Ok(())
}

fn damage(
    session: &mut Session<'_>,
    context: &Context,
    grid: TileGrid,
    boxes: &[Aabb],
    period: u32,
    family: &str,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let partners: Vec<u32> = (0..).take(boxes.len()).collect();
    let signatures = [0, 1].map(|frame| -> Vec<u32> {
        partners.iter().map(|i| if i.is_multiple_of(period) { frame } else { 0 }).collect()
    });
    let [old, new] = signatures.each_ref().map(|signatures| uploaded(session.gpu, signatures));
    let box_buffer = uploaded(session.gpu, boxes);
    let frames = signatures.each_ref().map(|signatures| Frame { boxes, signatures });
    let max_rectangles = MAX_RECTANGLES as usize;
    let expected = cpu::damage(frames, &partners, grid, max_rectangles);
    let measured = Measured { what: "damage", n: boxes.len(), family, ..Measured::default() };
    let mut workspace = boxwood_cpu::Damage::new();
    let found = workspace.between(frames, &partners, grid, max_rectangles);
    let is_right = (found.changed, found.vanished) == (&*expected.changed, &*expected.vanished)
        && (found.tiles, found.rectangles) == (&*expected.tiles, &*expected.rectangles);
    let (seconds, ()) = time_on_cpu(session.options.n_runs(), || {
        black_box(workspace.between(black_box(frames), &partners, grid, max_rectangles));
    });
    session.add(Measured { variant: ONE_CORE, seconds, is_right, ..measured })?;
    let items = Items::new(&box_buffer, u32::try_from(boxes.len()).expect("it is a u32"));
    let frames = [&old, &new].map(|signatures| FrameBuffers { boxes: items, signatures });
    let partner_buffer = uploaded(session.gpu, &partners);
    for (variant, partners) in [("by_index", None), ("by_partners", Some(&partner_buffer))] {
        let damage = match Damage::new(context, frames, partners, grid, MAX_RECTANGLES) {
            Err(SpatialError::TooLarge { .. }) => continue,
            damage => damage.expect("the input is within the limits"),
        };
        let seconds = session.timer.time(|pass| damage.record(pass))?;
        let rectangles = damage.rectangles();
        let Count::Gpu { buffer: count, .. } = damage.n_rectangles() else { continue };
        // A program does not know the number of rectangles before it reads them.
        let results = [(count, 1), (rectangles, 4 * max_rectangles)];
        let with_read_back = session.timer.time_with_read_back(|pass| damage.record(pass), &results)?;
        let found: Vec<Rectangle> = read_items(device, queue, rectangles, expected.rectangles.len())?;
        let is_right = found == expected.rectangles
            && read_items::<u32>(device, queue, damage.tiles(), expected.tiles.len())? == expected.tiles;
        session.add(Measured { variant, seconds, with_read_back, is_right, ..measured })?;
    }
    Ok(())
}

fn occlusion(
    session: &mut Session<'_>,
    context: &Context,
    grid: TileGrid,
    boxes: &[Aabb],
    family: &str,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    // Every second element is opaque.
    let inner = |(i, own): (usize, &Aabb)| if i.is_multiple_of(2) { *own } else { Aabb::EMPTY };
    let inner_boxes: Vec<Aabb> = boxes.iter().enumerate().map(inner).collect();
    let expected = cpu::visible(boxes, &inner_boxes, grid);
    let measured = Measured { what: "occlusion", n: boxes.len(), family, ..Measured::default() };
    let mut workspace = boxwood_cpu::Occlusion::new();
    let is_right = workspace.by_tiles(boxes, &inner_boxes, grid) == expected;
    let (seconds, ()) = time_on_cpu(session.options.n_runs(), || {
        black_box(workspace.by_tiles(black_box(boxes), &inner_boxes, grid));
    });
    session.add(Measured { variant: ONE_CORE, seconds, is_right, ..measured })?;
    let n = u32::try_from(boxes.len()).expect("it is a u32");
    let inner_buffer = uploaded(session.gpu, &inner_boxes);
    let box_buffer = uploaded(session.gpu, boxes);
    let items = Items::new(&inner_buffer, n);
    let by_tiles = Covers::Tiles { inner_boxes: items, grid };
    let index = Index::new(context, items, Order::default());
    let mut by_boxes = None;
    if let Some(index) = index.as_ref().ok().filter(|_| n <= MAX_BY_BOXES) {
        let expected = workspace.by_boxes(boxes, &inner_boxes, None).to_vec();
        let is_unchecked = n > MAX_COMPARED_BY_BOXES;
        let is_right = is_unchecked || expected == cpu::visible_by_boxes(boxes, &inner_boxes, None);
        let (seconds, ()) = time_on_cpu(session.options.n_runs(), || {
            black_box(workspace.by_boxes(black_box(boxes), &inner_boxes, None));
        });
        session.add(Measured { variant: "cpu, boxes", seconds, is_right, is_unchecked, ..measured })?;
        by_boxes = Some(("boxes", Covers::Boxes { inner_boxes: index, scope_starts: None }, expected));
    }
    for (variant, covers, expected) in [Some(("tiles", by_tiles, expected)), by_boxes].into_iter().flatten() {
        let occlusion = match Occlusion::new(context, &box_buffer, covers) {
            Err(SpatialError::TooLarge { .. } | SpatialError::TooManyRounds { .. }) => continue,
            occlusion => occlusion.expect("the input is within the limits"),
        };
        // The time of boxes includes that of making the tree.
        let record = |pass: &mut wgpu::ComputePass<'_>| {
            if let Covers::Boxes { inner_boxes, .. } = covers {
                inner_boxes.record(pass);
            }
            occlusion.record(pass);
        };
        let seconds = session.timer.time(record)?;
        let results = [(occlusion.visible(), expected.len())];
        let with_read_back = session.timer.time_with_read_back(record, &results)?;
        let is_right = read_items::<u32>(device, queue, occlusion.visible(), expected.len())? == expected;
        session.add(Measured { variant, seconds, with_read_back, is_right, ..measured })?;
    }
    Ok(())
}
