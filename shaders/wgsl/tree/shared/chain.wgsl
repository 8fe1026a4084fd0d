// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: chain_products
// provides: Chain, follow_chain

// Products along chains, by pointer jumping. Levien 2022, section 6.1, for any monoid.
//
// The importing file binds `chain_products`, with one product per item. Values can be too large for
// workgroup memory, so the products stay in storage. Each workgroup accesses only its own.

#import grid
#import monoid

// A product, and the next item of the chain, which is an earlier one, or -1.
struct Chain {
    product: Value,
    link: i32,
}

var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

// Follows the chain of item first + local as long as it stays in the workgroup, whose first item is
// `first`. Writes the product if the item exists. Each link is followed once, because the monoid
// need not be idempotent.
fn follow_chain(first: u32, local: u32, exists: bool, own: Chain) -> Chain {
    var chain = own;
    if exists {
        chain_products[first + local] = chain.product;
    }
    chain_links[local] = chain.link;
    // After round r, `chain` has gathered up to 2^r items, the outermost first.
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        storageBarrier();
        workgroupBarrier();
        if chain.link >= i32(first) {
            chain.product = combine(chain_products[chain.link], chain.product);
            chain.link = chain_links[u32(chain.link) - first];
        }
        storageBarrier();
        workgroupBarrier();
        if exists {
            chain_products[first + local] = chain.product;
        }
        chain_links[local] = chain.link;
    }
    return chain;
}
