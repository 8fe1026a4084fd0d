//! A frame in memory that the scene and the engine have already allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use boxwood_cpu::{Engine, Scene};

/// The allocator of the system. It counts the allocations of each thread.
struct Counting;

thread_local! {
    static N_ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator that counts is an implementation of an unsafe trait")]
// SAFETY: All calls go to the allocator of the system with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        // SAFETY: The caller keeps the rules of this function, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: The caller keeps the rules of this function, which are the same.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        // SAFETY: The caller keeps the rules of this function, which are the same.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A frame of 10,000 elements: 2,000 nodes of three leaves, half of them nested ten deep.
fn build(scene: &mut Scene, frame: u16) {
    const N_NODES: usize = 2_000;
    const DEPTH: usize = 10;
    scene.clear();
    let at = f32::from(frame);
    for node in 0..N_NODES {
        let is_nested = node < N_NODES / 2;
        scene.begin_clip([at, 0.0, at + 100.0, 100.0]);
        for _ in 0..3 {
            scene.leaf([at + 50.0, 50.0, at + 150.0, 70.0]);
        }
        if !is_nested {
            scene.end();
        } else if node % DEPTH == DEPTH - 1 {
            (0..DEPTH).for_each(|_| {
                scene.end();
            });
        }
    }
    assert_eq!(scene.len(), 10_000);
}

#[test]
fn a_frame_in_steady_state_allocates_nothing() {
    let (mut scene, mut engine) = (Scene::new(), Engine::new());
    let before_all = N_ALLOCATIONS.get();
    for frame in 0..5 {
        let before = N_ALLOCATIONS.get();
        build(&mut scene, frame);
        let boxes = engine.boxes(&scene).expect("every element has a box");
        assert_eq!(boxes.clipped_boxes[1].x1, f32::from(frame) + 100.0, "the boxes are those of this frame");
        if frame > 0 {
            assert_eq!(N_ALLOCATIONS.get() - before, 0, "allocations of frame {frame}");
        }
    }
    assert!(N_ALLOCATIONS.get() > before_all, "the first frame allocates, so allocations are counted");
}
