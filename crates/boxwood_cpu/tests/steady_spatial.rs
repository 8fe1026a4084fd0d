//! Layers, batches, damage, and occlusion allocate nothing after the first frame.

#[allow(dead_code, reason = "other programs use the rest")]
mod families;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use boxwood_cpu::{Aabb, Batches, Damage, Frame, Layers, Occlusion, Partners, TileGrid};

use families::{FAMILIES, Random, SIDE};

/// The allocator of the system, which counts.
struct Counting;

thread_local! {
    // Tests run in threads of their own, whose allocations do not count here.
    static N_ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: each function passes its arguments on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        // SAFETY: the caller upholds the requirements, which are the same.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations of a function in this thread.
fn n_allocations(f: impl FnOnce()) -> usize {
    let before = N_ALLOCATIONS.get();
    f();
    N_ALLOCATIONS.get() - before
}

/// Every workspace.
#[derive(Default)]
struct Workspaces {
    layers: Layers,
    batches: Batches,
    partners: Partners,
    damage: Damage,
    occlusion: Occlusion,
}

/// The input of a frame.
struct Input {
    boxes: Vec<Aabb>,
    inner_boxes: Vec<Aabb>,
    scopes: Vec<u32>,
    old_ids: Vec<u32>,
    new_ids: Vec<u32>,
}

impl Input {
    fn new(boxes: Vec<Aabb>, random: &mut Random) -> Self {
        let n = u32::try_from(boxes.len()).expect("it is small");
        let inner_boxes =
            boxes.iter().map(|own| if random.below(2) == 0 { *own } else { Aabb::EMPTY }).collect();
        let old_ids: Vec<u32> = (0..n).map(|i| i / 2 * 77).collect();
        let new_ids = old_ids.iter().map(|id| id + u32::from(random.below(9) == 0)).collect();
        let scopes = (0..n).map(|i| i - random.below(i % 50 + 1)).collect();
        Self { boxes, inner_boxes, scopes, old_ids, new_ids }
    }

    fn run(&self, workspaces: &mut Workspaces) {
        let Self { boxes, inner_boxes, scopes, old_ids, new_ids } = self;
        let Workspaces { layers, batches, partners, damage, occlusion } = workspaces;
        layers.in_scopes(boxes, scopes);
        let found = layers.of(boxes);
        batches.of(found, new_ids);
        let partners = partners.of(old_ids, new_ids);
        let grid = TileGrid { width: 10_000, height: 10_000, lg_tile: 7 };
        let frames = [old_ids, new_ids].map(|signatures| Frame { boxes, signatures });
        damage.between(frames, partners, grid, 16);
        occlusion.by_tiles(boxes, inner_boxes, grid);
        occlusion.by_boxes(boxes, inner_boxes, Some(scopes));
        occlusion.by_boxes(boxes, inner_boxes, None);
    }
}

#[test]
fn a_frame_like_one_before_allocates_nothing() {
    let mut random = Random::new(3);
    let mut inputs = Vec::new();
    for n in [3000, 10, 700] {
        for (_, generate) in FAMILIES {
            let mut boxes = generate(n, &mut random);
            boxes.truncate(n);
            inputs.push(Input::new(boxes, &mut random));
        }
    }
    let mut workspaces = Workspaces::default();
    let first = n_allocations(|| inputs.iter().for_each(|input| input.run(&mut workspaces)));
    assert!(first > 0, "the counter counts");
    for (i, input) in inputs.iter().enumerate() {
        assert_eq!(n_allocations(|| input.run(&mut workspaces)), 0, "frame {i}");
    }
    // Elements that move a little, such as in an animation, find memory too.
    for input in &mut inputs {
        input.boxes.iter_mut().filter(|own| f64::from(own.x1) < SIDE).for_each(|own| own.x1 += 1.0);
    }
    let moved = n_allocations(|| inputs.iter().for_each(|input| input.run(&mut workspaces)));
    assert_eq!(moved, 0);
}
