// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// The box of a segment that is filled.
fn fill_box(unscaled: Segment, map: Map) -> vec4<f32> {
    let segment = scaled_segment(map, unscaled);
    let p0 = place(map, segment.p0);
    let p3 = place(map, segment.p3);
    var is_inexact = p0.is_inexact | p3.is_inexact;
    var p1 = p0.point;
    var p2 = p3.point;
    if segment.n > 2u {
        let second = place(map, segment.p1);
        p1 = second.point;
        p2 = p1;
        is_inexact |= second.is_inexact;
        if segment.n > 3u {
            let third = place(map, segment.p2);
            p2 = third.point;
            is_inexact |= third.is_inexact;
        }
    }
    let x = extent(vec4(p0.point.x, p1.x, p2.x, p3.point.x), segment.n, is_inexact.x);
    let y = extent(vec4(p0.point.y, p1.y, p2.y, p3.point.y), segment.n, is_inexact.y);
    return vec4(x.x, y.x, x.y, y.y);
}
