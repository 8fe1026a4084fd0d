// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher one_workgroup: a single workgroup takes stretch after stretch of the input, with the stack before each in storage. For
// inputs so short that the time is that of a dispatch. Each invocation has 4 to 32 entries in a row, as few as do.

#import begin_bits
#import config
#import prefix_sum
#import quad

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
// The stack before a stretch: the begin at each level from `lowest_before` on.
@group(0) @binding(2) var<storage, read_write> slices: array<u32>;
@group(0) @binding(3) var<storage, read_write> matches: array<vec4<i32>>;

// The tree of the least depths of the invocations' entries.
var<workgroup> pool: array<vec4<i32>, 85>;
const DEPTHS_AT = 0u;

#import depth_pool

// A place on the stack: the top of the begins `open` of an invocation, bit i for its entry i; where there are none, a level of the
// stack before the stretch.
struct Cursor {
    open: u32,
    at: i32,
}

// The begins that each invocation leaves open, and where the stack goes on below them.
var<workgroup> opens: array<u32, WORKGROUP_SIZE>;
var<workgroup> links: array<Cursor, WORKGROUP_SIZE>;

struct Stretch {
    // Its first entry, and how many an invocation has.
    first: u32,
    length: u32,
    // The depth before it, and the least before that. Depths count from the start of the input: ends without a begin make them
    // negative, and no begin is lower than the least.
    depth_before: i32,
    lowest_before: i32,
}

fn top_of(open: u32) -> u32 {
    return 1u << firstLeadingBit(open);
}

fn begin_at(stretch: Stretch, cursor: Cursor) -> i32 {
    if cursor.open != 0u {
        return i32(stretch.first + stretch.length * u32(cursor.at) + firstLeadingBit(cursor.open));
    }
    if cursor.at < stretch.lowest_before {
        return -1;
    }
    return i32(slices[cursor.at - stretch.lowest_before]);
}

fn below(cursor: Cursor) -> Cursor {
    if cursor.open == 0u {
        return Cursor(0u, cursor.at - 1);
    }
    let open = cursor.open ^ top_of(cursor.open);
    if open == 0u {
        return links[cursor.at];
    }
    return Cursor(open, cursor.at);
}

// Puts into `prefix_sums` the least depth of the invocations from each one on, of what each has. Ends in a barrier.
fn scan_least(local: u32, own: i32) {
    var least = own;
    var half = 0u;
    prefix_sums[local] = u32(least);
    workgroupBarrier();
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        let at = half + min(vec3(local) + vec3(1u, 2u, 3u) * length, vec3(WORKGROUP_SIZE - 1u));
        least = min(min(least, i32(prefix_sums[at.x])), min(i32(prefix_sums[at.y]), i32(prefix_sums[at.z])));
        half ^= WORKGROUP_SIZE;
        prefix_sums[half + local] = u32(least);
        workgroupBarrier();
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    // A power of two, so that no invocation needs two words.
    var length = QUAD_LENGTH;
    while length < 32u && length * WORKGROUP_SIZE < config.n_nodes {
        length *= 2u;
    }
    var depth_before = 0;
    var lowest_before = 0;
    for (var stretch_first = 0u; stretch_first < config.n_nodes; stretch_first += length * WORKGROUP_SIZE) {
        let stretch = Stretch(stretch_first, length, depth_before, lowest_before);
        let first = stretch.first + length * local;
        var word = 0u;
        var n_entries = 0u;
        if first < config.n_nodes {
            word = begin_bits[first / 32u] >> (first % 32u);
            n_entries = min(length, config.n_nodes - first);
        }

        // The stack that the invocation's entries leave, and the tree of their depths.
        var open = 0u;
        var n_ends = 0;
        for (var i = 0u; i < n_entries; i++) {
            if is_begin_bit(word, i) {
                open |= 1u << i;
            } else if open != 0u {
                open ^= top_of(open);
            } else {
                n_ends += 1;
            }
        }
        let change = i32(countOneBits(open)) - n_ends;
        let depth_after = depth_before + i32(prefix_sum(local, u32(change)));
        let lowest = depth_after - i32(countOneBits(open));
        opens[local] = open;
        build_depths(local, lowest);

        // Where the stack goes on below: at the last invocation before that leaves the next level open.
        var link = Cursor(0u, lowest - 1);
        let source = last_below(local, lowest);
        if source >= 0 {
            link = Cursor(opens[source], source);
            let n_kept = u32(lowest - pool[u32(source) / 4u][u32(source) % 4u]);
            while countOneBits(link.open) > n_kept {
                link.open ^= top_of(link.open);
            }
        }
        links[local] = link;
        workgroupBarrier();

        // The walk. What the invocation has pushed is in `stack`, below that is the cursor.
        var cursor = Cursor(0u, depth_before - 1);
        if local > 0u {
            cursor = Cursor(opens[local - 1u], i32(local) - 1);
            if cursor.open == 0u {
                cursor = links[local - 1u];
            }
        }
        var outer = begin_at(stretch, cursor);
        var stack = 0u;
        for (var quad = 0u; quad < n_entries; quad += QUAD_LENGTH) {
            var found = vec4(outer);
            #repeat i 4
            if stack != 0u {
                found[$i] = i32(first + firstLeadingBit(stack));
            } else {
                found[$i] = outer;
            }
            if is_begin_bit(word, quad + $i) {
                stack |= 1u << (quad + $i);
            } else if stack != 0u {
                stack ^= top_of(stack);
            } else {
                cursor = below(cursor);
                outer = begin_at(stretch, cursor);
            }
            #endrepeat
            matches[(first + quad) / QUAD_LENGTH] = found;
        }

        // What the stretch leaves open, for the next. All have read the stack before it by the first barrier, and the depths after it
        // by the last.
        if stretch_first + length * WORKGROUP_SIZE < config.n_nodes {
            depth_before += i32(prefix_sums[WORKGROUP_SIZE - 1u]);
            storageBarrier();
            workgroupBarrier();
            scan_least(local, lowest);
            lowest_before = min(lowest_before, i32(prefix_sums[0]));
            var level = lowest;
            var least_after = 0x7fffffff;
            if local + 1u < WORKGROUP_SIZE {
                least_after = i32(prefix_sums[local + 1u]);
            }
            while open != 0u && level < least_after {
                slices[level - lowest_before] = first + firstTrailingBit(open);
                open &= open - 1u;
                level += 1;
            }
            storageBarrier();
            workgroupBarrier();
        }
    }
}
