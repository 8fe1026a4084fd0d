// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Radix sort, 2 of 3 in each pass: replaces the counts of a digit by the number of items with that
// digit in the chunks before, and writes their total. A workgroup scans one digit, up to four
// chunks per invocation.

#import grid
#import sort_config
#import radix_tile

@group(0) @binding(3) var<storage, read_write> digit_counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> digit_totals: array<u32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let digit = workgroup_index(grid);
    if digit >= N_DIGITS {
        return;
    }
    let first = digit * config.n_chunks;
    var counts: array<u32, 4>;
    var own = 0u;
    #repeat i 4
    if 4u * local + $i < config.n_chunks {
        counts[$i] = digit_counts[first + 4u * local + $i];
        own += counts[$i];
    }
    #endrepeat
    let end = prefix_sum(local, own);
    var before = end - own;
    #repeat i 4
    if 4u * local + $i < config.n_chunks {
        digit_counts[first + 4u * local + $i] = before;
        before += counts[$i];
    }
    #endrepeat
    if local == WORKGROUP_SIZE - 1u {
        digit_totals[digit] = end;
    }
}
