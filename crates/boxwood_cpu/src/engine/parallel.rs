//! The pass over a large scene, in chunks on all processor cores.
//!
//! A chunk of the scene pops some open nodes from the stack and pushes others: its slice. Slices
//! are the elements of the stack monoid (Levien 2022, section 4).
//!
//! 1. In parallel, each chunk finds its slice from the draw tags: the number of its ends without a
//!    begin, and its begins without an end.
//! 2. In order, the slices are applied to one stack. Each chunk gets a copy of the part of the stack
//!    that it can see: the nodes that it ends, and one more.
//! 3. In parallel, each chunk runs the pass of the sequential engine on its part of the stack.
//! 4. In order, the unions of the nodes that cross the borders of chunks are completed.
//!
//! Steps 2 and 4 take time for nodes that cross a border alone. In a scene that is only nested,
//! that is every node.

use alloc::vec::Vec;

use rayon::prelude::*;

use super::close::{Crossing, close};
use super::lanes;
use super::pass::{Open, Range, Stack};
use crate::boxes::Boxes;
use crate::scene::{Scene, tag};

/// The number of elements from which a scene is computed in parallel: eight chunks. With twice as
/// many, 16 cores of a virtual machine take a fifth of the time of one core (`engine_speed`,
/// tests/benches/record). Smaller scenes were not measured in parallel.
pub(super) const MIN_ELEMENTS: usize = 1 << 17;

/// The number of elements of a chunk. Its inputs and results, about 1 MB, fit the second-level
/// cache of a core, and 2²⁰ elements are 64 chunks, so that 16 cores finish at about the same time.
pub(super) const CHUNK_LENGTH: usize = 1 << 14;

/// The length of the chunks of a scene, or none if the scene is faster in one pass.
pub(super) fn chunk_length(n_elements: usize) -> Option<usize> {
    (n_elements >= MIN_ELEMENTS && rayon::current_num_threads() > 1).then_some(CHUNK_LENGTH)
}

/// The memory of the parallel pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    chunks: Vec<Chunk>,
    open: Vec<Open>,
    crossing: Vec<Crossing>,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    n_entries: usize,
    n_ends_of_earlier: usize,
    /// The begins that stay open, innermost first.
    begins: Vec<Begin>,
    stack: Stack,
}

#[derive(Clone, Copy, Debug)]
struct Begin {
    element: usize,
    /// The number of entries from this one to the end of the chunk.
    n_entries_from: usize,
}

impl Chunks {
    /// Computes the boxes of a scene. The results have the right lengths already.
    pub(super) fn pass(&mut self, scene: &Scene, boxes: &mut Boxes, chunk_length: usize) {
        let n_chunks = scene.len().div_ceil(chunk_length);
        if self.chunks.len() < n_chunks {
            self.chunks.resize_with(n_chunks, Chunk::default);
        }
        let chunks = &mut self.chunks[..n_chunks];
        let tags = scene.tags().par_chunks(chunk_length);
        chunks.par_iter_mut().zip(tags).enumerate().for_each(|(index, (chunk, tags))| {
            chunk.find_slice(index * chunk_length, tags);
        });
        distribute(chunks, &mut self.open, scene);
        finish(chunks, Range::whole(scene, boxes), chunk_length);
        close(chunks.iter().map(|chunk| &chunk.stack), &mut self.crossing, boxes);
    }
}

impl Chunk {
    /// Step 1: the slice of the chunk. From the back, a begin stays open if no end waits for one.
    fn find_slice(&mut self, first_element: usize, tags: &[u32]) {
        self.begins.clear();
        let (mut n_entries, mut n_ends) = (0, 0_usize);
        for (index, &tag) in tags.iter().enumerate().rev() {
            // Kinds are hard to predict, and few begins stay open: the only branch is that one.
            let (is_begin, is_end) = (usize::from(tag == tag::BEGIN), usize::from(tag == tag::END));
            n_entries += is_begin + is_end;
            if (is_begin == 1) & (n_ends == 0) {
                self.begins.push(Begin { element: first_element + index, n_entries_from: n_entries });
            }
            n_ends = (n_ends + is_end).saturating_sub(is_begin);
        }
        (self.n_entries, self.n_ends_of_earlier) = (n_entries, n_ends);
    }
}

/// Step 2: the stack at the start of each chunk.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the engine checks that an i32 can index all elements"
)]
fn distribute(chunks: &mut [Chunk], open: &mut Vec<Open>, scene: &Scene) {
    open.clear();
    open.push(Open::ROOT);
    let mut n_entries = 0;
    for chunk in chunks {
        n_entries += chunk.n_entries;
        // The root never ends. Ends beyond it are of no node.
        let lowest = open.len().saturating_sub(chunk.n_ends_of_earlier + 1);
        chunk.stack.open.clear();
        chunk.stack.open.extend_from_slice(&open[lowest..]);
        chunk.stack.ends_of_earlier.clear();
        open.truncate(lowest + 1);
        let mut clip = lanes::aabb(open[lowest].clip);
        for begin in chunk.begins.iter().rev() {
            clip = clip.intersect(scene.boxes()[begin.element]);
            let begin = (n_entries - begin.n_entries_from) as i32;
            open.push(Open { clip: lanes::of(clip), begin, ..Open::ROOT });
        }
    }
}

/// Step 3: the results of each chunk. The results are split in halves, which needs no memory for
/// a list of the parts.
fn finish(chunks: &mut [Chunk], range: Range<'_>, chunk_length: usize) {
    if chunks.len() <= 1 {
        if let Some(Chunk { stack, .. }) = chunks.first_mut() {
            range.pass(stack);
        }
        return;
    }
    let (left, right) = chunks.split_at_mut(chunks.len() / 2);
    let n_entries = left.iter().map(|chunk| chunk.n_entries).sum();
    let (left_range, right_range) = range.split_at(left.len() * chunk_length, n_entries);
    rayon::join(|| finish(left, left_range, chunk_length), || finish(right, right_range, chunk_length));
}
