//! The stages on overlapping boxes and on tiles of a picture.

use boxwood::spatial::{
    Axis, Count, Covers, Damage, FrameBuffers, Index, Items, Layers, Occlusion, Order, Pairs, Rectangle,
    Source, SpatialError, Strips,
};
use boxwood_cpu::specification::spatial::{self as cpu, Frame, StripSweep, Sweep, key_bits};

use super::{Device, Input, Words, count};
use crate::error::BenchError;

/// The strips of a sweep: their axis, and the logarithm of their number.
const STRIPS: (Axis, u32) = (Axis::X, 3);

/// The number of bits of the keys of batches.
const BATCH_KEY_BITS: u32 = 2;

/// The maximum number of damaged rectangles.
const MAX_RECTANGLES: u32 = 16;

fn pairs(found: &[[u32; 2]]) -> Vec<Words> {
    vec![Words::new("pairs", found)]
}

pub(super) fn pairs_of_sweep_specified(input: &Input) -> Vec<Words> {
    pairs(&Sweep::best(&input.boxes).pairs(&input.boxes))
}

pub(super) fn pairs_of_strips_specified(input: &Input) -> Vec<Words> {
    let (axis, lg_strips) = STRIPS;
    pairs(&StripSweep::new(&input.boxes, axis, lg_strips).pairs(&input.boxes))
}

pub(super) fn pairs_of_tree_specified(input: &Input) -> Vec<Words> {
    let index = cpu::Index::new(&input.boxes, Order::Hilbert, key_bits(input.boxes.len()));
    pairs(&cpu::tree_pairs(&input.boxes, &index))
}

/// Room for a pair of each two boxes.
fn output_capacity(input: &Input) -> u32 {
    let n = input.boxes.len();
    count(n * n.saturating_sub(1) / 2)
}

/// The pairs that a stage with room for [`output_capacity`] finds.
fn found_pairs(
    device: &Device<'_>,
    input: &Input,
    stage: Result<Pairs, SpatialError>,
) -> Result<Vec<Words>, BenchError> {
    let stage = stage?;
    device.run(|pass| stage.record(pass));
    let n_pairs = device.read::<u32>(stage.needed(), 1)?[0].min(output_capacity(input));
    Ok(pairs(&device.read::<[u32; 2]>(stage.pairs(), n_pairs as usize)?))
}

fn items_of<'a>(boxes: &'a wgpu::Buffer, input: &Input) -> Items<'a> {
    Items::new(boxes, count(input.boxes.len()))
}

pub(super) fn pairs_of_sweep(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.boxes);
    let source = Source::Boxes(items_of(&boxes, input));
    found_pairs(device, input, Pairs::new(&device.context, source, output_capacity(input)))
}

pub(super) fn pairs_of_strips(
    device: &Device<'_>,
    input: &Input,
    _: usize,
) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.boxes);
    let (axis, lg_strips) = STRIPS;
    // A box is in each strip at most once.
    let entry_capacity = count(input.boxes.len()) << lg_strips;
    let strips = Strips { axis, lg_strips, entry_capacity };
    let items = items_of(&boxes, input);
    found_pairs(device, input, Pairs::with_strips(&device.context, items, strips, output_capacity(input)))
}

pub(super) fn pairs_of_tree(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.boxes);
    let index = Index::new(&device.context, items_of(&boxes, input), Order::Hilbert)?;
    device.run(|pass| index.record(pass));
    let source = Source::Index(&index);
    found_pairs(device, input, Pairs::new(&device.context, source, output_capacity(input)))
}

/// The keys of batches.
fn batch_keys(input: &Input) -> Vec<u32> {
    input.counts.iter().map(|count| count % (1 << BATCH_KEY_BITS)).collect()
}

pub(super) fn layers_specified(input: &Input) -> Vec<Words> {
    let layers = cpu::layers(&input.boxes);
    let (order, batches) = cpu::batches(&layers, &batch_keys(input));
    let starts: Vec<u32> = batches.iter().map(|batch| batch.first).collect();
    vec![
        Words::new("layers", &layers),
        Words::new("draw order", &order),
        Words::new("starts of batches", &starts),
    ]
}

pub(super) fn layers(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (boxes, keys) = (device.upload(&input.boxes), device.upload(&batch_keys(input)));
    let n = input.boxes.len();
    let items = items_of(&boxes, input);
    let stage = Layers::with_batches(&device.context, items, None, &keys, BATCH_KEY_BITS)?;
    device.run(|pass| stage.record(pass));
    let (Some(order), Some(starts), Some(Count::Gpu { buffer, word })) =
        (stage.draw_order(), stage.batch_starts(), stage.n_batches())
    else {
        unreachable!("there are keys of batches")
    };
    let n_batches = device.read::<u32>(buffer, word as usize + 1)?[word as usize] as usize;
    Ok(vec![
        Words::new("layers", &device.read::<u32>(stage.layers(), n)?),
        Words::new("draw order", &device.read::<u32>(order, n)?),
        Words::new("starts of batches", &device.read::<u32>(starts, n_batches.min(n))?),
    ])
}

fn damage_words(damage: &cpu::Damage) -> Vec<Words> {
    vec![
        Words::new("changed", &damage.changed),
        Words::new("vanished", &damage.vanished),
        Words::new("tiles", &damage.tiles),
        Words::new("rectangles", &damage.rectangles),
    ]
}

fn damage_specified(input: &Input, partners: &[u32]) -> Vec<Words> {
    let frames = input.frames.each_ref().map(|frame| {
        let (boxes, signatures) = (&*frame.boxes, &*frame.signatures);
        Frame { boxes, signatures }
    });
    damage_words(&cpu::damage(frames, partners, input.grid, MAX_RECTANGLES as usize))
}

pub(super) fn damage_by_index_specified(input: &Input) -> Vec<Words> {
    let by_index: Vec<u32> = (0..count(input.boxes.len())).collect();
    damage_specified(input, &by_index)
}

pub(super) fn damage_by_partners_specified(input: &Input) -> Vec<Words> {
    damage_specified(input, &input.partners)
}

fn damage(device: &Device<'_>, input: &Input, has_partners: bool) -> Result<Vec<Words>, BenchError> {
    let uploaded =
        input.frames.each_ref().map(|frame| (device.upload(&frame.boxes), device.upload(&frame.signatures)));
    let frames = uploaded
        .each_ref()
        .map(|(boxes, signatures)| FrameBuffers { boxes: items_of(boxes, input), signatures });
    let (partners, n) = (device.upload(&input.partners), input.boxes.len());
    let partners = has_partners.then_some(&partners);
    let stage = Damage::new(&device.context, frames, partners, input.grid, MAX_RECTANGLES)?;
    device.run(|pass| stage.record(pass));
    let Count::Gpu { buffer, word } = stage.n_rectangles() else { unreachable!("a shader counts them") };
    let n_rectangles = device.read::<u32>(buffer, word as usize + 1)?[word as usize].min(MAX_RECTANGLES);
    let n_tile_words = input.grid.words_per_row() * input.grid.n_tiles()[1];
    let n_words = n.div_ceil(32);
    Ok(damage_words(&cpu::Damage {
        changed: device.read(stage.changed(), n_words)?,
        // Without partners, no element vanishes.
        vanished: if has_partners { device.read(stage.vanished(), n_words)? } else { vec![0; n_words] },
        tiles: device.read(stage.tiles(), n_tile_words as usize)?,
        rectangles: device.read::<Rectangle>(stage.rectangles(), n_rectangles as usize)?,
    }))
}

pub(super) fn damage_by_index(
    device: &Device<'_>,
    input: &Input,
    _: usize,
) -> Result<Vec<Words>, BenchError> {
    damage(device, input, false)
}

pub(super) fn damage_by_partners(
    device: &Device<'_>,
    input: &Input,
    _: usize,
) -> Result<Vec<Words>, BenchError> {
    damage(device, input, true)
}

pub(super) fn occlusion_by_tiles_specified(input: &Input) -> Vec<Words> {
    vec![Words::new("visible", &cpu::visible(&input.frames[0].boxes, &input.inner_boxes, input.grid))]
}

pub(super) fn occlusion_by_boxes_specified(input: &Input) -> Vec<Words> {
    let boxes = &input.frames[0].boxes;
    let visible = cpu::visible_by_boxes(boxes, &input.inner_boxes, Some(&input.scope_starts));
    vec![Words::new("visible", &visible)]
}

pub(super) fn occlusion_by_tiles(
    device: &Device<'_>,
    input: &Input,
    _: usize,
) -> Result<Vec<Words>, BenchError> {
    let inner_boxes = device.upload(&input.inner_boxes);
    let inner_boxes = items_of(&inner_boxes, input);
    occlusion(device, input, Covers::Tiles { inner_boxes, grid: input.grid })
}

pub(super) fn occlusion_by_boxes(
    device: &Device<'_>,
    input: &Input,
    _: usize,
) -> Result<Vec<Words>, BenchError> {
    let inner_boxes = device.upload(&input.inner_boxes);
    let index = Index::new(&device.context, items_of(&inner_boxes, input), Order::Hilbert)?;
    device.run(|pass| index.record(pass));
    let starts = device.upload(&input.scope_starts);
    occlusion(device, input, Covers::Boxes { inner_boxes: &index, scope_starts: Some(&starts) })
}

fn occlusion(device: &Device<'_>, input: &Input, covers: Covers<'_>) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.frames[0].boxes);
    let stage = Occlusion::new(&device.context, &boxes, covers)?;
    device.run(|pass| stage.record(pass));
    let n_words = input.boxes.len().div_ceil(32);
    Ok(vec![Words::new("visible", &device.read::<u32>(stage.visible(), n_words)?)])
}
