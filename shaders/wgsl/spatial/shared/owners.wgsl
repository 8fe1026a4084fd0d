// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE, sums
// provides: OUTPUTS_PER_PARTITION, owner_of, prepare_owners

// The owners of the outputs of a partition: of n items with several outputs each, the owner of an
// output is the last one whose sum of counts before it, `sums[owner]`, is at most the output.
//
// All invocations search for the owner of the first output. Each further owner marks its first
// output, and the prefix sum of the marks is the number of owners to advance. This counts items
// without outputs too. If there are thousands of them, each output searches for its owner instead.

const OUTPUTS_PER_INVOCATION = 8u;
const OUTPUTS_PER_PARTITION = OUTPUTS_PER_INVOCATION * WORKGROUP_SIZE;

// The items that mark outputs: four rounds of four items per invocation.
const MARKING_ITEMS_PER_ROUND = 4u * WORKGROUP_SIZE;
const MAX_MARKING_ITEMS = 4u * MARKING_ITEMS_PER_ROUND;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum
#import p_ary_search
#import swizzle

// The marks, then the owners.
var<workgroup> output_marks: array<atomic<u32>, OUTPUTS_PER_PARTITION>;

var<private> first_output: u32;
var<private> first_owner: u32;
var<private> n_owners: u32;
var<private> has_marks: bool;

fn is_before(item: u32) -> bool {
    return sums[item] <= first_output;
}

fn mark_outputs(local: u32) {
    let end = min(first_owner + MAX_MARKING_ITEMS, n_owners);
    for (var item = first_owner + 1u + local; item < end; item += MARKING_ITEMS_PER_ROUND) {
        // Loads without conditions are in flight at the same time. `sums[n_owners]` is the total.
        var outputs: array<u32, 4>;
        #repeat i 4
        outputs[$i] = sums[min(item + $i * WORKGROUP_SIZE, n_owners)] - first_output;
        #endrepeat
        #repeat i 4
        if item + $i * WORKGROUP_SIZE < end && outputs[$i] < OUTPUTS_PER_PARTITION {
            atomicAdd(&output_marks[swizzled(outputs[$i])], 1u);
        }
        #endrepeat
        if outputs[3] >= OUTPUTS_PER_PARTITION {
            break;
        }
    }
}

// Finds the owners of the partition that begins with `output`, which must have an owner. Ends with
// a barrier.
fn prepare_owners(local: u32, output: u32, n: u32) {
    first_output = output;
    n_owners = n;
    #repeat i 8
    atomicStore(&output_marks[$i * WORKGROUP_SIZE + local], 0u);
    #endrepeat
    first_owner = p_ary_search(local, n) - 1u;
    let beyond = first_owner + MAX_MARKING_ITEMS;
    has_marks = beyond >= n || sums[min(beyond, n)] - output >= OUTPUTS_PER_PARTITION;
    if has_marks {
        mark_outputs(local);
    }
    workgroupBarrier();
    let first = OUTPUTS_PER_INVOCATION * local;
    var own = 0u;
    #repeat i 8
    own += atomicLoad(&output_marks[swizzled(first + $i)]);
    #endrepeat
    var owner = first_owner + prefix_sum(local, own) - own;
    #repeat i 8
    let at = swizzled(first + $i);
    owner += atomicLoad(&output_marks[at]);
    atomicStore(&output_marks[at], owner);
    #endrepeat
    workgroupBarrier();
}

// The owner of an output of the partition.
fn owner_of(output: u32) -> u32 {
    if has_marks {
        return atomicLoad(&output_marks[swizzled(output - first_output)]);
    }
    // The first item whose sum exceeds the output.
    var low = first_owner + 1u;
    var high = n_owners;
    while low < high {
        let middle = low + (high - low) / 2u;
        if sums[middle] <= output {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low - 1u;
}
