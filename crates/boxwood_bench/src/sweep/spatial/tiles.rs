//! The stages on tiles of a picture of 1920 x 1080 pixels: *damage* and *occlusion*.

use boxwood::native::Gpu;
use boxwood::spatial::{
    Count, Covers, Damage, DamageDescriptor, FrameBuffers, Index, IndexDescriptor, Occlusion,
    OcclusionDescriptor, Order, Partners, Rectangle, SpatialError, TileGrid,
};
use boxwood::{Aabb, Context, read_items};
use boxwood_cpu::specification::spatial::{self as cpu, Frame};

use crate::error::BenchError;
use crate::inputs::box_family;
use crate::measure::{time_on_cpu, uploaded};
use crate::sweep::session::{Measured, Session};

const FAMILIES: [&str; 3] = ["nested panels", "windows", "small boxes"];

/// The maximum number of elements that single boxes hide. The specification walks a tree for each.
const MAX_BY_BOXES: u32 = 1 << 20;

/// The maximum number of rectangles of damage, which is that of the stage unless it is told
/// another.
const MAX_RECTANGLES: usize = 16;

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
    let (seconds, expected) =
        time_on_cpu(session.options.n_runs(), || cpu::damage(grid, frames, &partners, MAX_RECTANGLES));
    let measured = Measured { what: "damage", n: boxes.len(), family, ..Measured::default() };
    session.add(Measured { variant: "cpu", seconds, is_right: true, ..measured })?;
    let frames = [&old, &new].map(|signatures| FrameBuffers { boxes: &box_buffer, signatures });
    let n = u32::try_from(boxes.len()).expect("it is a u32");
    let by_index = DamageDescriptor::new(frames, n, grid);
    let partner_buffer = uploaded(session.gpu, &partners);
    let partners = Partners { partners: &partner_buffer, old_count: Count::Host(n), old_capacity: n };
    let by_partners = DamageDescriptor { partners: Some(partners), ..by_index };
    for (variant, descriptor) in [("by_index", by_index), ("by_partners", by_partners)] {
        let damage = match Damage::new(context, &descriptor) {
            Err(SpatialError::TooLarge { .. }) => continue,
            damage => damage.expect("the input is within the limits"),
        };
        let seconds = session.timer.time(|pass| damage.record(pass))?;
        let rectangles = damage.rectangles();
        let Count::Gpu { buffer: count, .. } = damage.n_rectangles() else { continue };
        // A program does not know the number of rectangles before it reads them.
        let results = [(count, 1), (rectangles, 4 * MAX_RECTANGLES)];
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
    let (seconds, expected) =
        time_on_cpu(session.options.n_runs(), || cpu::visible(grid, boxes, &inner_boxes));
    let measured = Measured { what: "occlusion", n: boxes.len(), family, ..Measured::default() };
    session.add(Measured { variant: "cpu", seconds, is_right: true, ..measured })?;
    let n = u32::try_from(boxes.len()).expect("it is a u32");
    let inner_buffer = uploaded(session.gpu, &inner_boxes);
    let (box_buffer, count) = (uploaded(session.gpu, boxes), Count::Host(n));
    let by_tiles = Covers::Tiles { inner_boxes: &inner_buffer, count, capacity: n, grid };
    let index = Index::new(context, &IndexDescriptor::new(&inner_buffer, n));
    let by_boxes = index.as_ref().ok().filter(|_| n <= MAX_BY_BOXES).map(|index| {
        let tree = cpu::Index::new(&inner_boxes, Order::Hilbert, cpu::key_bits(inner_boxes.len()));
        let expected = cpu::visible_by_tree(boxes, &tree, None);
        ("boxes", Covers::Boxes { inner_boxes: index, scope_starts: None }, expected)
    });
    for (variant, covers, expected) in [Some(("tiles", by_tiles, expected)), by_boxes].into_iter().flatten() {
        let occlusion = match Occlusion::new(context, &OcclusionDescriptor { boxes: &box_buffer, covers }) {
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
