// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: box_from_sided, sided_from_box

// Boxes that no intersection empties. Vello keeps the numbers of an inverted intersection, Boxwood makes one empty box of all. So
// the numbers travel as others: lower ones as negative numbers, upper ones as positive, in the same order. Minimum and maximum
// commute with any map that keeps the order, and each intersection has area.

// Which f32 it is, counted from 0: n numbers above it, or -n below. Whole numbers only, up to 2^31 and down to -2^31, which are
// fewer than 2^28 to each side.
fn ordinal_from_whole(value: f32) -> i32 {
    let magnitude = i32(bitcast<u32>(abs(value)));
    // 0x3f800000 is 1.0, the least whole number above 0.
    let ordinal = max(magnitude - 0x3f7fffff, 0);
    if value < 0.0 {
        return -ordinal;
    }
    return ordinal;
}

fn whole_from_ordinal(ordinal: i32) -> f32 {
    if ordinal == 0 {
        return 0.0;
    }
    let magnitude = bitcast<f32>(u32(abs(ordinal) + 0x3f7fffff));
    if ordinal < 0 {
        return -magnitude;
    }
    return magnitude;
}

// The bits of a number to which any ordinal can be added, and the result is neither subnormal nor infinite.
const MIDDLE = 0x30000000;

fn sided_from_box(box: vec4<f32>) -> vec4<f32> {
    return vec4(
        -bitcast<f32>(MIDDLE - ordinal_from_whole(box.x)),
        -bitcast<f32>(MIDDLE - ordinal_from_whole(box.y)),
        bitcast<f32>(MIDDLE + ordinal_from_whole(box.z)),
        bitcast<f32>(MIDDLE + ordinal_from_whole(box.w)),
    );
}

fn box_from_sided(sided: vec4<f32>) -> vec4<f32> {
    return vec4(
        whole_from_ordinal(MIDDLE - bitcast<i32>(-sided.x)),
        whole_from_ordinal(MIDDLE - bitcast<i32>(-sided.y)),
        whole_from_ordinal(bitcast<i32>(sided.z) - MIDDLE),
        whole_from_ordinal(bitcast<i32>(sided.w) - MIDDLE),
    );
}
