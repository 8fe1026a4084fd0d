//! Scenes that are written as a stream of characters, and a few that are built for one purpose.

use boxwood::{Aabb, Scene, tag};

use crate::{Family, Random};

/// The family with this name.
///
/// # Panics
///
/// If there is none.
pub fn family(name: &str) -> Family {
    boxwood_inputs::family(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The kind of boxes that the elements of a scene get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Shapes so large that their intersections are rarely empty, at any depth.
    Large,
    /// Shapes and leaves of any place and size, so that most clips leave nothing.
    Any,
    /// As `Any`, with some that are empty, inverted, without area, or the whole plane.
    Odd,
}

/// The scene that `stream` describes, one character per element: `(` is a begin, `)` an end, `.` a
/// leaf, and `_` a no-operation.
///
/// # Panics
///
/// If `stream` contains another character.
pub fn scene_of(stream: &str, shapes: Shapes, seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let (tags, boxes) = stream
        .chars()
        .map(|c| match c {
            '(' => (tag::BEGIN, shape_box(shapes, &mut random)),
            ')' => (tag::END, any_box(&mut random)),
            '.' => (tag::LEAF, leaf_box(shapes, &mut random)),
            '_' => (tag::NOP, any_box(&mut random)),
            _ => panic!("`{c}` is not an element"),
        })
        .unzip();
    Scene::from_streams(tags, boxes).expect("no coordinate is NaN")
}

/// The box of every clip, leaf, and group of [`nest_clipped_outermost`].
pub const OUTERMOST_CLIP_BOX: Aabb = Aabb { x0: 1.0, y0: 2.0, x1: 3.0, y1: 4.0 };

/// A nest of `depth` nodes around one leaf. Only the outermost node clips, to
/// [`OUTERMOST_CLIP_BOX`].
pub fn nest_clipped_outermost(depth: usize) -> Scene {
    let mut boxes = vec![Aabb::PLANE; 2 * depth + 1];
    boxes[0] = OUTERMOST_CLIP_BOX;
    let mut tags = vec![tag::BEGIN; depth];
    tags.push(tag::LEAF);
    tags.resize(2 * depth + 1, tag::END);
    Scene::from_streams(tags, boxes).expect("no coordinate is NaN")
}

/// A node around a row of nodes with one leaf each. The row is long enough for 8 groups of 256
/// partitions.
///
/// Four leaves extend farther than the others, each towards another side. They are in the middle of
/// four of the inner groups, so the group box of the row is wrong if a union omits one of these
/// groups.
pub fn row_with_far_leaves() -> Scene {
    let n: usize = 8 * 256 * 1024 / 3;
    let sixteenth = n / 16;
    let mut tags = vec![tag::BEGIN];
    let mut boxes = vec![Aabb::PLANE];
    for i in 0..n {
        let mut leaf = Aabb { x0: -1.0, y0: -1.0, x1: 1.0, y1: 1.0 };
        if i == 5 * sixteenth {
            leaf.x0 = -10.0;
        } else if i == 7 * sixteenth {
            leaf.y0 = -10.0;
        } else if i == 9 * sixteenth {
            leaf.x1 = 10.0;
        } else if i == 11 * sixteenth {
            leaf.y1 = 10.0;
        }
        tags.extend([tag::BEGIN, tag::LEAF, tag::END]);
        boxes.extend([Aabb::PLANE, leaf, Aabb::EMPTY]);
    }
    tags.push(tag::END);
    boxes.push(Aabb::EMPTY);
    Scene::from_streams(tags, boxes).expect("no coordinate is NaN")
}

fn shape_box(shapes: Shapes, random: &mut Random) -> Aabb {
    match shapes {
        Shapes::Large => {
            let b = any_box(random);
            Aabb { x0: b.x0 - 3000.0, y0: b.y0 - 3000.0, x1: b.x1 + 3000.0, y1: b.y1 + 3000.0 }
        }
        Shapes::Any => any_box(random),
        Shapes::Odd => odd_box(random),
    }
}

fn leaf_box(shapes: Shapes, random: &mut Random) -> Aabb {
    if shapes == Shapes::Odd { odd_box(random) } else { any_box(random) }
}

/// A box with area and corners from -1000 to 1000. The corners lie on a grid of quarters that is
/// offset by 1/8, so none is 0.0, whose sign could hide a fault.
fn any_box(random: &mut Random) -> Aabb {
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let mut edges = || {
        let (a, b) = (random.below(7999), random.below(7999));
        let (low, high) = if a < b { (a, b) } else { (b, a + 1) };
        ((low as f32) * 0.25 - 1000.125, (high as f32) * 0.25 - 1000.125)
    };
    let ((x0, x1), (y0, y1)) = (edges(), edges());
    Aabb { x0, y0, x1, y1 }
}

fn odd_box(random: &mut Random) -> Aabb {
    let b = any_box(random);
    match random.below(12) {
        0 => Aabb::EMPTY,
        1 | 2 => Aabb::PLANE,
        3 => Aabb { x0: b.x1, x1: b.x0, ..b },
        4 => Aabb { y1: b.y0, ..b },
        5 => Aabb { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 },
        6 => Aabb { x0: -f32::MAX, x1: -1e30, y0: 1e30, y1: f32::MAX },
        _ => b,
    }
}
