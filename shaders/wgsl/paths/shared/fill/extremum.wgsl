// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: around, extent_of_interior

// The extents of the interiors of curves, in integers, with the bits of boxwood_cpu::paths::twin
// (docs/strokes.md, section 6).

#import arithmetic
#import thresholds

// The neighbours of a coordinate. For an exact coordinate, the coordinate itself.
struct Around {
    below: vec2<f32>,
    above: vec2<f32>,
}

// The neighbours are the next floats, except near 0, where they are MIN_COORDINATE away.
fn around(v: vec2<f32>, is_inexact: vec2<bool>) -> Around {
    let bits = bitcast<vec2<i32>>(v);
    // One unit in the last place upwards: away from 0, or towards 0 for negative numbers.
    let step = select(vec2(0), (bits >> vec2(31u)) | vec2(1), is_inexact);
    let least = select(vec2(0.0), vec2(MIN_COORDINATE), is_inexact);
    let is_tiny = abs(v) <= vec2(MIN_COORDINATE);
    return Around(
        select(bitcast<vec2<f32>>(bits - step), v - least, is_tiny),
        select(bitcast<vec2<f32>>(bits + step), v + least, is_tiny),
    );
}

// An upper bound of the extent of the interior of a curve with n = 3 or 4 control values in an
// outward direction, if it exceeds the extents of the ends. The last control value is in w. `hull`
// bounds the inner control values.
fn extent_of_interior(p: vec4<f32>, n: u32, hull: f32) -> f32 {
    let size = abs(p);
    let k = exponent_of(max(max(max(size.x, size.y), max(size.z, size.w)), MIN_COORDINATE));
    let q = vec4<i32>(p * power_of_two(EXTREMUM_BITS - 1 - k));
    // 2^-9 pixels, or half of the part that the result drops.
    let tolerance = 1i << u32(clamp(EXTREMUM_BITS - 10 - k, DROPPED_BITS - 1, EXTREMUM_BITS - 1));
    var top: i32;
    if n == 3u {
        top = maximum_of_quadratic(q.xyw, tolerance);
    } else {
        top = maximum_of_cubic(q, tolerance);
    }
    let kept = (top + (EXTREMUM_SLACK + (1 << u32(DROPPED_BITS)) - 1)) >> u32(DROPPED_BITS);
    return min(f32(kept) * power_of_two(k + DROPPED_BITS + 1 - EXTREMUM_BITS), hull);
}

// The largest control value of the part of a quadratic curve around its maximum.
fn maximum_of_quadratic(values: vec3<i32>, tolerance: i32) -> i32 {
    var p = values;
    var n_halvings = 0u;
    while n_halvings < MAX_HALVINGS && p.y > max(p.x, p.z) + tolerance {
        let sides = (p.xy + p.yz) >> vec2(1u);
        let middle = (sides.x + sides.y) >> 1u;
        p = select(vec3(p.x, sides.x, middle), vec3(middle, sides.y, p.z), sides.y > sides.x);
        n_halvings += 1u;
    }
    return max(max(p.x, p.y), p.z);
}

// The largest control value of the part of a cubic curve around its only local maximum. Without a
// local maximum, the largest control value of any part.
fn maximum_of_cubic(values: vec4<i32>, tolerance: i32) -> i32 {
    var p = values;
    var n_halvings = 0u;
    while n_halvings < MAX_HALVINGS && max(p.y, p.z) > max(p.x, p.w) + tolerance {
        let once = (p.xyz + p.yzw) >> vec3(1u);
        let twice = (once.xy + once.yz) >> vec2(1u);
        let middle = (twice.x + twice.y) >> 1u;
        // If the curve rises in the middle, the maximum is in the second half: either the local
        // maximum is there, or the curve rises to its end.
        p = select(vec4(p.x, once.x, twice.x, middle), vec4(middle, twice.y, once.z, p.w), twice.y > twice.x);
        n_halvings += 1u;
    }
    return max(max(p.x, p.y), max(p.z, p.w));
}
