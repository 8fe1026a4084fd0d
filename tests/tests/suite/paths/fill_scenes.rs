//! Scenes of fills, each of which shows one kind of fault.

use boxwood_tests::{Packed, Random, context, path_boxes_difference_in_rows};

use super::parity::{IDENTITY, P};

/// Paths of cubic curves. Each curve has its own transform, and the last is the largest.
pub(crate) fn changing_transforms() -> Packed {
    let (mut tags, mut data, mut transforms) = (vec![0x40], Vec::new(), Vec::new());
    let mut random = Random::new(1);
    for _ in 0..20 {
        for i in 0..100_u16 {
            tags.extend([0x20, 0xf]);
            transforms.push([1.0 + f32::from(i), 0.5, -0.25, 1.0 + f32::from(i), 3.0, 7.0]);
            data.extend((0..8).map(|_| f32::from(u16::try_from(random.below(1000)).expect("it is small"))));
        }
        tags.push(0x10);
    }
    Packed::of_streams(&tags, &data.into_iter().map(f32::to_bits).collect::<Vec<_>>(), &transforms, &[[0, 0]])
}

/// Lines to points that are near 0 in device space, and are rounded to 0.
pub(crate) fn vanishing() -> Packed {
    let (mut tags, mut data, mut transforms) = (vec![0x40], Vec::new(), Vec::new());
    for i in 1..200_u16 {
        let (scale, near) = (f32::from(i) / 7.0, f32::from(i) * 1e-7 / 3.0);
        tags.extend([0x20, 9, 0x10]);
        transforms.push([scale, 0.0, 0.0, scale, -(scale * near), -(scale * near)]);
        data.extend([near, near, 1.0, 1.0].map(f32::to_bits));
    }
    Packed::of_streams(&tags, &data, &transforms, &[[0, 0]])
}

/// Tags of segments that also set a transform or a style, for the segments after them.
pub(crate) fn segments_that_set() -> Packed {
    let mut tags = vec![0x20, 0x40];
    for _ in 0..50 {
        tags.extend([9, 0x29, 9, 9, 0x49, 9, 0x49, 9, 0x10]);
    }
    let mut random = Random::new(2);
    let mut number = || f32::from(u16::try_from(random.below(1000)).expect("it is small"));
    let transforms: Vec<[f32; 6]> = (0..51).map(|_| std::array::from_fn(|_| number())).collect();
    let styles: Vec<[u32; 2]> =
        (0..101).map(|i| [if i % 2 == 0 { 0 } else { 1 << 31 }, 2.0_f32.to_bits()]).collect();
    let data: Vec<u32> = (0..2 * (50 * 8 + 1)).map(|_| number().to_bits()).collect();
    Packed::of_streams(&tags, &data, &transforms, &styles)
}

/// A path of cubic curves, each farther than the one before.
pub(crate) fn growing_curves() -> Packed {
    let mut tags = vec![0x20, 0x40];
    tags.extend([11].repeat(P - 24));
    tags.push(0x10);
    let data = (0..3 * (P - 24) + 1)
        .flat_map(|i| [i, i + i % 3])
        .map(|v| f32::from(u16::try_from(v).expect("it is small")));
    Packed::of_streams(&tags, &data.map(f32::to_bits).collect::<Vec<_>>(), &[IDENTITY], &[[0, 0]])
}

/// A path of one line in every tenth partition.
pub(crate) fn sparse_paths(n_partitions: usize) -> Packed {
    let mut tags = vec![0; n_partitions * P];
    tags[..2].copy_from_slice(&[0x20, 0x40]);
    let mut data = Vec::new();
    for part in (0..n_partitions).step_by(10) {
        tags[part * P + 5..][..2].copy_from_slice(&[9 | 4, 0x10]);
        let at = f32::from(u16::try_from(part).expect("there are few"));
        data.extend([at, 1.0, at + 2.0, 3.0].map(f32::to_bits));
    }
    Packed::of_streams(&tags, &data, &[IDENTITY], &[[0, 0]])
}

#[test]
fn fills_in_special_scenes_agree() {
    for row_tags in [None, Some(256)] {
        for (name, scene) in [
            ("changing transforms", changing_transforms()),
            ("vanishing", vanishing()),
            ("segments that set", segments_that_set()),
            ("growing curves", growing_curves()),
            ("sparse paths", sparse_paths(50)),
        ] {
            assert_eq!(path_boxes_difference_in_rows(context(), &scene, true, row_tags), None, "{name}");
        }
    }
}
