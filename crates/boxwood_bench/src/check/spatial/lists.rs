//! The stages on lists of items and of keys.

use boxwood::papers::stream_reduction::{
    Concatenation, Method as Reduction, Selected, StreamReduction, StreamReductionError, StreamSearch,
};
use boxwood::read_texels;
use boxwood::spatial::{
    Bound, Count, Expand, Items, Predicate, Scan, Search, Searcher, Select, Sort, Sorter,
};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial as cpu;

use super::{Device, Input, Words, count};
use crate::error::BenchError;

/// The region whose boxes are selected: the left part of the square that most families are in.
const REGION: Aabb = Aabb { x0: -1.0, y0: -1.0, x1: 4000.0, y1: 9000.0 };

/// The numbers of bits of keys that are sorted by.
const KEY_BITS: [u32; 2] = [32, 12];

/// The length of a block of a stream reduction.
const BLOCK_LENGTH: u32 = 64;

/// The names of the selected items by each predicate.
const SELECTED: [&str; 5] = ["by mask", "overlapping", "not empty", "in range", "run starts"];

/// The range of keys that are selected: from the first key to the middle one.
fn range(input: &Input) -> [u32; 2] {
    let key = |place: usize| input.keys.get(place).copied().unwrap_or(0);
    let [first, middle] = [key(0), key(input.keys.len() / 2)];
    [first.min(middle), first.max(middle)]
}

fn predicates(input: &Input) -> [cpu::Predicate<'_>; 5] {
    [
        cpu::Predicate::Mask(&input.mask),
        cpu::Predicate::Overlapping(&input.boxes, REGION),
        cpu::Predicate::NotEmpty(&input.boxes),
        cpu::Predicate::InRange(&input.keys, range(input)),
        cpu::Predicate::RunStarts(&input.keys),
    ]
}

pub(super) fn select_specified(input: &Input) -> Vec<Words> {
    let selected = |(name, predicate): (&'static str, cpu::Predicate<'_>)| {
        let items = cpu::select(input.boxes.len(), &predicate);
        let boxes: Vec<Aabb> = items.iter().map(|item| input.boxes[*item as usize]).collect();
        [Words::new(name, &items), Words::new("selected boxes", &boxes)]
    };
    SELECTED.into_iter().zip(predicates(input)).flat_map(selected).collect()
}

pub(super) fn select(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.boxes);
    let (mask, keys) = (device.upload(&input.mask), device.upload(&input.keys));
    let predicates = [
        (Predicate::Mask, &mask),
        (Predicate::Overlapping, &boxes),
        (Predicate::NotEmpty, &boxes),
        (Predicate::InRange, &keys),
        (Predicate::RunStarts, &keys),
    ];
    let mut results = Vec::new();
    for (name, (predicate, items)) in SELECTED.into_iter().zip(predicates) {
        let items = Items::new(items, count(input.boxes.len()));
        let select = Select::with_boxes(&device.context, predicate, items, &boxes)?;
        select.set_region(&device.gpu.queue, REGION);
        select.set_range(&device.gpu.queue, range(input));
        device.run(|pass| select.record(pass));
        // The number of instances of the draw.
        let n_selected = device.read::<u32>(select.draw_arguments(), 2)?[1] as usize;
        let n_selected = n_selected.min(input.boxes.len());
        results.push(Words::new(name, &device.read::<u32>(select.selected(), n_selected)?));
        let boxes = select.selected_boxes().expect("they were asked for");
        results.push(Words::new("selected boxes", &device.read::<Aabb>(boxes, n_selected)?));
    }
    Ok(results)
}

pub(super) fn scan_specified(input: &Input) -> Vec<Words> {
    vec![Words::new("sums", &cpu::scan(&input.counts))]
}

pub(super) fn scan(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (counts, n) = (device.upload(&input.counts), input.counts.len());
    let scan = Scan::new(&device.context, Items::new(&counts, count(n)))?;
    device.run(|pass| scan.record(pass));
    Ok(vec![Words::new("sums", &device.read::<u32>(scan.sums(), n + 1)?)])
}

/// There is room for all outputs but a few.
fn output_capacity(input: &Input) -> usize {
    let needed: u32 = input.counts.iter().sum();
    needed.saturating_sub(3) as usize
}

pub(super) fn expand_specified(input: &Input) -> Vec<Words> {
    let cpu::Expanded { owners, ranks, needed } = cpu::expand(&input.counts, output_capacity(input));
    vec![Words::new("owners", &owners), Words::new("ranks", &ranks), Words::new("needed", &[needed])]
}

pub(super) fn expand(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (counts, n_outputs) = (device.upload(&input.counts), output_capacity(input));
    let n = count(input.counts.len());
    let expand = Expand::new(&device.context, Items::new(&counts, n), count(n_outputs))?;
    device.run(|pass| expand.record(pass));
    Ok(vec![
        Words::new("owners", &device.read::<u32>(expand.owners(), n_outputs)?),
        Words::new("ranks", &device.read::<u32>(expand.ranks(), n_outputs)?),
        Words::new("needed", &device.read::<u32>(expand.needed(), 1)?),
    ])
}

pub(super) fn sort_specified(input: &Input) -> Vec<Words> {
    let sorted = |bits| {
        let values = cpu::sort(&input.keys, bits);
        let keys: Vec<u32> = values.iter().map(|item| input.keys[*item as usize]).collect();
        [Words::new("sorted keys", &keys), Words::new("sorted values", &values)]
    };
    KEY_BITS.into_iter().flat_map(sorted).collect()
}

pub(super) fn sort(device: &Device<'_>, input: &Input, algorithm: usize) -> Result<Vec<Words>, BenchError> {
    let sorters = [
        Sorter::OddEvenMerge,
        Sorter::Radix,
        Sorter::AdaptiveBitonic,
        Sorter::BaseBitonic,
        Sorter::BaseOptimal,
    ];
    let (keys, n) = (device.upload(&input.keys), input.keys.len());
    let mut results = Vec::new();
    for bits in KEY_BITS {
        let (items, sorter) = (Items::new(&keys, count(n)), sorters[algorithm]);
        let sort = Sort::with_sorter(&device.context, items, None, bits, sorter)?;
        device.run(|pass| sort.record(pass));
        results.push(Words::new("sorted keys", &device.read::<u32>(sort.sorted_keys(), n)?));
        results.push(Words::new("sorted values", &device.read::<u32>(sort.sorted_values(), n)?));
    }
    Ok(results)
}

/// Keys in order, and keys to search: those at some places, their neighbours, and the extremes.
fn keys_and_queries(input: &Input) -> (Vec<u32>, Vec<u32>) {
    let mut keys = input.keys.clone();
    keys.sort_unstable();
    let some = keys.iter().step_by(1 + keys.len() / 300);
    let around = some.flat_map(|key| [key.saturating_sub(1), *key, key.saturating_add(1)]);
    let queries = [0, u32::MAX].into_iter().chain(around).collect();
    (keys, queries)
}

const FOUND: [&str; 2] = ["lower bounds", "upper bounds"];

pub(super) fn search_specified(input: &Input) -> Vec<Words> {
    let (keys, queries) = keys_and_queries(input);
    let found = |(name, bound)| Words::new(name, &cpu::search(&keys, &queries, bound));
    FOUND.into_iter().zip(Bound::ALL).map(found).collect()
}

pub(super) fn search(device: &Device<'_>, input: &Input, algorithm: usize) -> Result<Vec<Words>, BenchError> {
    let (keys, queries) = keys_and_queries(input);
    let (key_buffer, query_buffer) = (device.upload(&keys), device.upload(&queries));
    let [key_items, query_items] = [(&key_buffer, keys.len()), (&query_buffer, queries.len())]
        .map(|(buffer, n)| Items::new(buffer, count(n)));
    let searcher = Searcher::ALL[algorithm];
    let mut results = Vec::new();
    for (name, bound) in FOUND.into_iter().zip(Bound::ALL) {
        let search = Search::with_searcher(&device.context, key_items, query_items, bound, searcher)?;
        device.run(|pass| {
            search.record_rearrangement(pass);
            search.record(pass);
        });
        results.push(Words::new(name, &device.read::<u32>(search.found(), queries.len())?));
    }
    Ok(results)
}

pub(super) fn reduction_specified(input: &Input) -> Vec<Words> {
    vec![Words::new("selected", &cpu::select(input.boxes.len(), &cpu::Predicate::Mask(&input.mask)))]
}

pub(super) fn reduction(
    device: &Device<'_>,
    input: &Input,
    algorithm: usize,
) -> Result<Vec<Words>, BenchError> {
    let blocks =
        |search, concatenation| Reduction::Blocks { block_length: BLOCK_LENGTH, search, concatenation };
    let methods = [
        blocks(StreamSearch::Halving, Concatenation::Scatter),
        blocks(StreamSearch::Halving, Concatenation::Lines),
        blocks(StreamSearch::Contracting, Concatenation::Scatter),
        blocks(StreamSearch::Contracting, Concatenation::Lines),
        Reduction::Horn,
    ];
    let (mask, n) = (device.upload(&input.mask), input.boxes.len());
    let (gpu, method) = (device.gpu, methods[algorithm]);
    let reduction = StreamReduction::new(&device.reductions, &mask, count(n), method);
    let reduction = reduction.map_err(|error| match error {
        StreamReductionError::TooLarge(error) => BenchError::Spatial(error),
        StreamReductionError::BlockLength(length) => unreachable!("{length} is a power of two"),
    })?;
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    reduction.record(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    let Count::Gpu { buffer, word } = reduction.n_selected() else { unreachable!("a shader counts them") };
    let word = word as usize;
    let n_selected = (device.read::<u32>(buffer, word + 1)?[word] as usize).min(n);
    let selected: Vec<u32> = match reduction.selected() {
        Selected::Buffer(selected) => device.read(selected, n_selected)?,
        Selected::Texture(texture) => {
            let texels = read_texels(&gpu.device, &gpu.queue, texture)?;
            texels.chunks_exact(4).map(bytemuck::pod_read_unaligned).take(n_selected).collect()
        }
    };
    Ok(vec![Words::new("selected", &selected)])
}
