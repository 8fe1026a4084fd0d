// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: box_from_sided, sided_from_box

// Boxes whose intersections are never empty.
//
// Vello keeps the coordinates of an inverted intersection, and Boxwood's stages replace it by the
// empty box. So the coordinates pass through the stages in another form: lower ones as negative
// numbers and upper ones as positive numbers, in the same order. Minimum and maximum commute with
// every monotonic map, and each intersection of such boxes has area.

// The position of a whole number among the f32 numbers that are 0 or have a magnitude of at least
// 1: n if it is the nth above 0, -n if it is the nth below. Up to 2^31 there are fewer than 2^28 on
// either side.
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

// The bits of an f32 to which any ordinal can be added without reaching a subnormal or infinite
// number.
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
