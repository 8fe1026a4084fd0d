// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage damage, the last dispatch: the mask of the damaged tiles, and a few disjoint rectangles
// that cover them, in one workgroup. Invocation y has row y of the tiles.
//
// A run of ones in a row, and equal runs in the rows below it, are a rectangle. While there are too
// many rectangles, the tiles are replaced by tiles of twice the side.

#import grid
#import tiles
#import tile_rows

const N_SUMMED = WORKGROUP_SIZE;
// First and last rows of rectangles.
alias Summed = vec2<u32>;
#import prefix_sum

// All 0 afterwards, as before the stage.
@group(0) @binding(2) var<storage, read_write> touched: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> tiles: array<u32>;
// In pixels. The ends are exclusive.
@group(0) @binding(4) var<storage, read_write> rectangles: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> n_rectangles: array<u32>;

const MAX_RECTANGLES = 16u;

// The first and the last row of each rectangle, each in the order of the rows, with the first
// column of the run and the column after its last.
var<workgroup> first_runs: array<vec3<u32>, MAX_RECTANGLES>;
var<workgroup> last_runs: array<vec3<u32>, MAX_RECTANGLES>;

// 256 bits.
struct Row {
    low: vec4<u32>,
    high: vec4<u32>,
}

fn any_of(a: Row, b: Row) -> Row {
    return Row(a.low | b.low, a.high | b.high);
}

// The row with each bit at the column 2^lg_distance to the right.
fn moved_right(row: Row, lg_distance: u32) -> Row {
    if lg_distance == 7u {
        return Row(vec4(0u), row.low);
    }
    if lg_distance == 6u {
        return Row(vec4(0u, 0u, row.low.xy), vec4(row.low.zw, row.high.xy));
    }
    let low_before = vec4(0u, row.low.xyz);
    let high_before = vec4(row.low.w, row.high.xyz);
    if lg_distance == 5u {
        return Row(low_before, high_before);
    }
    let left = vec4(1u << lg_distance);
    let right = vec4(32u) - left;
    return Row((row.low << left) | (low_before >> right), (row.high << left) | (high_before >> right));
}

// Row y of level (0, j). Each bit of level (i, j) is spread over its 2^i columns.
fn row_of_level(j: u32, y: u32) -> Row {
    let vectors_per_row = select(1u, 2u, config.n_columns > 128u);
    var levels: array<Row, MAX_LEVELS>;
    // Loads before the first use are in flight at the same time.
    #repeat i 9
    levels[$i] = Row(vec4(0u), vec4(0u));
    if $i < config.n_column_levels && y < config.n_rows {
        let at = level_row(vec2($i, j), y) * vectors_per_row;
        levels[$i].low = touched[at];
        touched[at] = vec4(0u);
        if vectors_per_row == 2u {
            levels[$i].high = touched[at + 1u];
            touched[at + 1u] = vec4(0u);
        }
    }
    #endrepeat
    #repeat i 8 down
    let wider = levels[$i + 1u];
    levels[$i] = any_of(levels[$i], any_of(wider, moved_right(wider, $i)));
    #endrepeat
    return levels[0u];
}

// Puts the rows of all levels into the workgroup memory. Ends with a barrier.
fn push_down(y: u32) {
    var row = Row(vec4(0u), vec4(0u));
    for (var level = config.n_row_levels; level > 0u; level--) {
        let j = level - 1u;
        // An entry of level (0, j + 1) stands for two of level (0, j): at its own row, and `height`
        // rows below it.
        let height = 1u << j;
        var above = Row(vec4(0u), vec4(0u));
        #repeat word 4
        above.low[$word] = row_word(i32(y) - i32(height), i32($word));
        above.high[$word] = row_word(i32(y) - i32(height), i32(4u + $word));
        #endrepeat
        row = any_of(row_of_level(j, y), any_of(row, above));
        workgroupBarrier();
        #repeat word 4
        rows[$word * WORKGROUP_SIZE + y] = row.low[$word];
        rows[(4u + $word) * WORKGROUP_SIZE + y] = row.high[$word];
        #endrepeat
        workgroupBarrier();
    }
}

// The marked ones, and the ones at higher bits of the same run.
fn filled_upwards(ones: u32, marked: u32) -> u32 {
    var filled = marked;
    // Bit i is 1 if the ones at and below it connect it to the bits of the earlier rounds.
    var connected = ones;
    for (var distance = 1u; distance < 32u; distance *= 2u) {
        filled |= connected & (filled << distance);
        connected &= connected << distance;
    }
    return filled;
}

// The number of runs of a row that are not runs of another row.
fn n_runs(y: i32, other: i32) -> u32 {
    var n = 0u;
    // 1 if the run that crosses into this word has a marked bit, so that it is counted at its end.
    var is_open = 0u;
    for (var word = 0; word < i32(WORDS_PER_ROW); word++) {
        let ones = row_word(y, word);
        let marked = ones_near_differences(y, other, word) | (ones & is_open);
        let filled = filled_upwards(ones, marked);
        let run_ends = ones & ~((ones >> 1u) | (row_word(y, word + 1) << 31u));
        n += countOneBits(filled & run_ends);
        is_open = filled >> 31u;
    }
    return n;
}

// The rectangle with this number, in pixels.
fn rectangle(number: u32, n: u32, lg_tile: u32) -> vec4<u32> {
    let run = first_runs[number];
    // The first end below it.
    var end = 0u;
    for (var i = n; i > 0u; i--) {
        let last = last_runs[i - 1u];
        if all(last.xy == run.xy) && last.z >= run.z {
            end = last.z + 1u;
        }
    }
    let pixels = vec4(run.x, run.z, run.y, end) << vec4(lg_tile);
    return min(pixels, vec2(config.width, config.height).xyxy);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    #repeat word 8
    rows[$word * WORKGROUP_SIZE + local] = 0u;
    #endrepeat
    workgroupBarrier();
    push_down(local);
    let words_per_row = (config.n_columns + 31u) / 32u;
    #repeat word 8
    if $word < words_per_row && local < config.n_rows {
        tiles[local * words_per_row + $word] = rows[$word * WORKGROUP_SIZE + local];
    }
    #endrepeat
    let y = i32(local);
    for (var level = 0u; level < MAX_LEVELS; level++) {
        let own = vec2(n_runs(y, y - 1), n_runs(y, y + 1));
        let before = prefix_sum(local, own) - own;
        // As many rectangles end as start.
        let n = workgroupUniformLoad(&prefix_sums[WORKGROUP_SIZE - 1u]).x;
        if n <= config.max_rectangles {
            var run = vec2(0u);
            for (var i = 0u; i < own.x; i++) {
                run = next_run(y, y - 1, run.y);
                first_runs[before.x + i] = vec3(run, local);
            }
            run = vec2(0u);
            for (var i = 0u; i < own.y; i++) {
                run = next_run(y, y + 1, run.y);
                last_runs[before.y + i] = vec3(run, local);
            }
            workgroupBarrier();
            if local < n {
                rectangles[local] = rectangle(local, n, config.lg_tile + level);
            }
            if local == 0u {
                n_rectangles[0] = n;
            }
            break;
        }
        var coarser: array<u32, WORDS_PER_ROW>;
        #repeat word 8
        coarser[$word] = coarser_word(y, i32($word));
        #endrepeat
        workgroupBarrier();
        #repeat word 8
        rows[$word * WORKGROUP_SIZE + local] = coarser[$word];
        #endrepeat
        workgroupBarrier();
    }
}
