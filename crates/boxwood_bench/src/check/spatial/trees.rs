//! The tree over boxes, the binary tree over its leaves, and queries.

use boxwood::spatial::{Condition, Index, Items, Lbvh, Order, Queries, Question, Reorder, Source};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, Query, key_bits};

use super::{Device, Input, Words, count};
use crate::error::BenchError;
use crate::measure::{IndexNodes, LbvhNodes};

/// The bounds of queries that are reordered.
const BOUNDS: Aabb = Aabb { x0: 0.0, y0: 0.0, x1: 10_000.0, y1: 10_000.0 };

fn index_specified(input: &Input, order: Order) -> Vec<Words> {
    let mut index = cpu::Index::new(&input.boxes, order, key_bits(input.boxes.len()));
    let mut results = Vec::new();
    if order != Order::Paint {
        results.push(Words::new("bounds", &[cpu::union_of(&input.boxes)]));
        results.push(Words::new("permutation", &index.permutation));
    }
    results.extend(words(&IndexNodes::specified(&index), BUILT));
    index.refit(&input.frames[1].boxes);
    results.extend(words(&IndexNodes::specified(&index), REFITTED));
    results
}

fn words(nodes: &IndexNodes, names: [&'static str; 2]) -> [Words; 2] {
    [Words::new(names[0], &nodes.boxes), Words::new(names[1], &nodes.spans)]
}

const BUILT: [&str; 2] = ["boxes of nodes", "spans of nodes"];
const REFITTED: [&str; 2] = ["refitted boxes", "refitted spans"];

/// An index, recorded.
fn built(device: &Device<'_>, boxes: &wgpu::Buffer, n: usize, order: Order) -> Result<Index, BenchError> {
    let index = Index::new(&device.context, Items::new(boxes, count(n)), order)?;
    device.run(|pass| index.record(pass));
    Ok(index)
}

fn index(device: &Device<'_>, input: &Input, order: Order) -> Result<Vec<Words>, BenchError> {
    let (boxes, n) = (device.upload(&input.boxes), input.boxes.len());
    let index = built(device, &boxes, n, order)?;
    let mut results = Vec::new();
    if let (Some(bounds), Some(permutation)) = (index.bounds(), index.permutation()) {
        results.push(Words::new("bounds", &device.read::<Aabb>(bounds, 1)?));
        results.push(Words::new("permutation", &device.read::<u32>(permutation, n)?));
    }
    results.extend(words(&IndexNodes::read(device.gpu, &index, n)?, BUILT));
    device.gpu.queue.write_buffer(&boxes, 0, bytemuck::cast_slice(&input.frames[1].boxes));
    device.run(|pass| index.record_refit(pass));
    results.extend(words(&IndexNodes::read(device.gpu, &index, n)?, REFITTED));
    Ok(results)
}

pub(super) fn paint_specified(input: &Input) -> Vec<Words> {
    index_specified(input, Order::Paint)
}

pub(super) fn paint(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    index(device, input, Order::Paint)
}

pub(super) fn morton_specified(input: &Input) -> Vec<Words> {
    index_specified(input, Order::Morton)
}

pub(super) fn morton(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    index(device, input, Order::Morton)
}

pub(super) fn hilbert_specified(input: &Input) -> Vec<Words> {
    index_specified(input, Order::Hilbert)
}

pub(super) fn hilbert(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    index(device, input, Order::Hilbert)
}

pub(super) fn lbvh_specified(input: &Input) -> Vec<Words> {
    let permutation = cpu::Index::new(&input.boxes, Order::Hilbert, key_bits(input.boxes.len())).permutation;
    lbvh_words(&LbvhNodes::specified(&input.boxes, Order::Hilbert, &permutation))
}

pub(super) fn lbvh(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (boxes, n) = (device.upload(&input.boxes), input.boxes.len());
    let index = built(device, &boxes, n, Order::Hilbert)?;
    let lbvh = Lbvh::new(&device.context, &index)?;
    device.run(|pass| lbvh.record(pass));
    Ok(lbvh_words(&LbvhNodes::read(device.gpu, &lbvh, n)?))
}

fn lbvh_words(nodes: &LbvhNodes) -> Vec<Words> {
    vec![
        Words::new("links", &nodes.links),
        Words::new("boxes", &nodes.boxes),
        Words::new("ropes of leaves", &nodes.leaf_ropes),
    ]
}

/// Every question, with a name for its answers. There is room for all boxes that a query can find.
fn questions(input: &Input) -> [(&'static str, Question); 10] {
    let output_capacity = count(input.queries.len() * input.boxes.len());
    let all = |condition| Question::All { condition, output_capacity };
    [
        ("top-most at points", Question::TopMost(Condition::At)),
        ("top-most overlapping", Question::TopMost(Condition::Overlapping)),
        ("top-most within", Question::TopMost(Condition::Within)),
        ("any at points", Question::Any(Condition::At)),
        ("any overlapping", Question::Any(Condition::Overlapping)),
        ("any within", Question::Any(Condition::Within)),
        ("all at points", all(Condition::At)),
        ("all overlapping", all(Condition::Overlapping)),
        ("all within", all(Condition::Within)),
        ("nearest", Question::Nearest),
    ]
}

fn query_of(condition: Condition, query: Aabb) -> Query {
    match condition {
        Condition::At => Query::At([query.x0, query.y0]),
        Condition::Overlapping => Query::Overlapping(query),
        Condition::Within => Query::Within(query),
    }
}

/// The answers as the stage writes them. Lists have the order of `permutation`.
fn answers(input: &Input, permutation: &[u32], question: Question) -> Vec<u32> {
    let Input { boxes, queries, .. } = input;
    let top_most = |condition: Condition, query: &Aabb| cpu::top_most(boxes, query_of(condition, *query));
    match question {
        Question::TopMost(condition) => {
            queries.iter().map(|query| top_most(condition, query).unwrap_or(u32::MAX)).collect()
        }
        Question::Any(condition) => {
            let bit = |query: &Aabb| u32::from(top_most(condition, query).is_some());
            let word = |queries: &[Aabb]| queries.iter().rev().fold(0, |word, query| word << 1 | bit(query));
            queries.chunks(32).map(word).collect()
        }
        Question::All { condition, .. } => {
            let all = |query: &Aabb| {
                let found = cpu::find_all(boxes, query_of(condition, *query));
                let is_found = |item: &u32| found.binary_search(item).is_ok();
                permutation.iter().copied().filter(is_found).collect::<Vec<_>>()
            };
            queries.iter().flat_map(all).collect()
        }
        Question::Nearest => {
            let nearest = |query: &Aabb| {
                let found = cpu::nearest(boxes, [query.x0, query.y0], query.x1);
                found.map_or([u32::MAX, 0], |found| [found.item, found.squared_distance.to_bits()])
            };
            queries.iter().flat_map(nearest).collect()
        }
    }
}

fn answers_in_order(input: &Input, permutation: &[u32]) -> Vec<Words> {
    let answer = |(name, question)| Words::new(name, &answers(input, permutation, question));
    questions(input).into_iter().map(answer).collect()
}

pub(super) fn query_tree_specified(input: &Input) -> Vec<Words> {
    let index = cpu::Index::new(&input.boxes, Order::Hilbert, key_bits(input.boxes.len()));
    answers_in_order(input, &index.permutation)
}

pub(super) fn query_boxes_specified(input: &Input) -> Vec<Words> {
    let paint_order: Vec<u32> = (0..count(input.boxes.len())).collect();
    answers_in_order(input, &paint_order)
}

fn query(device: &Device<'_>, input: &Input, source: Source<'_>) -> Result<Vec<Words>, BenchError> {
    let (queries, n) = (device.upload(&input.queries), input.queries.len());
    let mut results = Vec::new();
    for (name, question) in questions(input) {
        let stage = Queries::new(&device.context, source, Items::new(&queries, count(n)), question)?;
        device.run(|pass| stage.record(pass));
        let n_words = match (question, stage.needed()) {
            (Question::All { output_capacity, .. }, Some(needed)) => {
                device.read::<u32>(needed, 1)?[0].min(output_capacity) as usize
            }
            (Question::Any(_), _) => n.div_ceil(32),
            (Question::Nearest, _) => 2 * n,
            _ => n,
        };
        results.push(Words::new(name, &device.read::<u32>(stage.found(), n_words)?));
    }
    Ok(results)
}

pub(super) fn query_tree(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let boxes = device.upload(&input.boxes);
    let index = built(device, &boxes, input.boxes.len(), Order::Hilbert)?;
    query(device, input, Source::Index(&index))
}

pub(super) fn query_boxes(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (boxes, n) = (device.upload(&input.boxes), count(input.boxes.len()));
    query(device, input, Source::Boxes(Items::new(&boxes, n)))
}

/// The boxes are reordered as rectangles. Their first corners are reordered as points.
const REORDERED: [(&str, bool); 2] = [("order of rectangles", false), ("order of points", true)];

pub(super) fn reorder_specified(input: &Input) -> Vec<Words> {
    let ordered = |(name, is_point)| {
        let order = cpu::reorder(&cpu::query_keys(&input.boxes, is_point, BOUNDS));
        let boxes: Vec<Aabb> = order.iter().map(|item| input.boxes[*item as usize]).collect();
        [Words::new(name, &order), Words::new("reordered", &boxes)]
    };
    REORDERED.into_iter().flat_map(ordered).collect()
}

pub(super) fn reorder(device: &Device<'_>, input: &Input, _: usize) -> Result<Vec<Words>, BenchError> {
    let (queries, bounds) = (device.upload(&input.boxes), device.upload(&[BOUNDS]));
    let n = input.boxes.len();
    let mut results = Vec::new();
    for (name, is_point) in REORDERED {
        let reorder = if is_point { Reorder::points } else { Reorder::rectangles };
        let stage = reorder(&device.context, Items::new(&queries, count(n)), &bounds)?;
        device.run(|pass| stage.record(pass));
        results.push(Words::new(name, &device.read::<u32>(stage.permutation(), n)?));
        results.push(Words::new("reordered", &device.read::<Aabb>(stage.reordered(), n)?));
    }
    Ok(results)
}
