// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: is_key_before

// The bound that stage search looks for: the lower one, unless `upper` is defined.

fn is_key_before(key: u32, query: u32) -> bool {
#ifdef upper
    return key <= query;
#else
    return key < query;
#endif
}
