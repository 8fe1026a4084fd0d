//! A frame like an earlier one allocates nothing: the scene, the engine, and all workspaces keep
//! their memory.

mod counting;
#[allow(dead_code, unreachable_pub, reason = "other programs use the rest")]
mod families;

use boxwood_cpu::{
    Aabb, Batches, Damage, Engine, Frame, Layers, Occlusion, Partners, Picker, Place, Scene, TileGrid,
};

use counting::n_allocations;
use families::{Random, SIDE, families};

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
fn a_frame_of_the_engine_allocates_nothing() {
    let (mut scene, mut engine, mut picker) = (Scene::new(), Engine::new(), Picker::new());
    for frame in 0..5 {
        let n = n_allocations(|| {
            build(&mut scene, frame);
            let boxes = engine.boxes(&scene).expect("every element has a box");
            let x1 = boxes.clipped_boxes[1].x1;
            assert_eq!(x1, f32::from(frame) + 100.0, "the boxes are those of this frame");
            picker.pick(&scene, boxes, Place::Area(Aabb::PLANE));
        });
        assert_eq!(n == 0, frame > 0, "only the first frame allocates: frame {frame}, {n} allocations");
    }
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
        let ids = (0_u32..).take(boxes.len());
        let inner_boxes =
            boxes.iter().map(|own| if random.below(2) == 0 { *own } else { Aabb::EMPTY }).collect();
        let old_ids: Vec<u32> = ids.clone().map(|i| i / 2 * 77).collect();
        let new_ids = old_ids.iter().map(|id| id + u32::from(random.below(9) == 0)).collect();
        let scopes = ids.map(|i| i - u32::from(random.percent(50)) * (i % 50)).collect();
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
fn a_frame_of_the_workspaces_allocates_nothing() {
    let mut random = Random::new(3);
    let mut inputs = Vec::new();
    for n in [3000, 10, 700] {
        for family in families() {
            inputs.push(Input::new(family.generate(n, random.bits()), &mut random));
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
