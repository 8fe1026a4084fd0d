// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: box_from_sided, sided_from_box

// Boxes whose intersections are never empty.
//
// Vello keeps the coordinates of an inverted intersection, and Boxwood's stages replace it by the
// empty box. So the coordinates pass through the stages in another form: lower ones as negative
// numbers and upper ones as positive numbers, in the same order. Minimum and maximum commute with
// every monotonic map, and each intersection of such boxes has area.

// The position of a whole number among the f32 numbers that are 0 or have a magnitude of at least
// 1, its ordinal, is n if it is the nth above 0, and -n if it is the nth below. Up to 2^31 there
// are fewer than 2^28 on either side.

// The bits of an f32 to which any ordinal can be added without reaching a subnormal or infinite
// number.
const MIDDLE = 0x30000000;
// The signs of the numbers that stand for lower and upper coordinates.
const SIDES = vec4<i32>(-1, -1, 1, 1);

fn sided_from_box(box: vec4<f32>) -> vec4<f32> {
    let magnitudes = vec4<i32>(bitcast<vec4<u32>>(abs(box)));
    // 0x3f800000 is 1.0, the least whole number above 0.
    let above_zero = max(magnitudes - 0x3f7fffff, vec4(0));
    let ordinals = select(above_zero, -above_zero, box < vec4(0.0));
    return vec4<f32>(SIDES) * bitcast<vec4<f32>>(MIDDLE + SIDES * ordinals);
}

fn box_from_sided(sided: vec4<f32>) -> vec4<f32> {
    let ordinals = SIDES * (bitcast<vec4<i32>>(vec4<f32>(SIDES) * sided) - MIDDLE);
    let magnitudes = bitcast<vec4<f32>>(vec4<u32>(abs(ordinals) + 0x3f7fffff));
    let whole = select(magnitudes, -magnitudes, ordinals < vec4(0));
    return select(whole, vec4(0.0), ordinals == vec4(0));
}
