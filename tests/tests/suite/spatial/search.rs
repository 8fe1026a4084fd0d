//! Every searcher finds what the specification finds.

use boxwood::Context;
use boxwood::spatial::{Bound, Count, Items, Search, Searcher, SpatialError};
use boxwood_cpu::specification::spatial as cpu;
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Random, assert_all_caught, bounded_source, changed_source, gpu, sampled};

use super::{buffer, read, record};

/// Numbers of keys around every border of rounds, of nodes, and of levels.
const SIZES: [usize; 24] = [
    0,
    1,
    2,
    15,
    16,
    17,
    255,
    256,
    257,
    271,
    272,
    273,
    513,
    16 * 17 * 17 - 1,
    16 * 17 * 17,
    16 * 17 * 17 + 1,
    256 * 256 - 1,
    256 * 256,
    256 * 256 + 1,
    257 * 257 - 1,
    257 * 257,
    257 * 257 + 1,
    16 * 17 * 17 * 17 + 1,
    1_000_000,
];

/// The number of queries. A workgroup has 2048, 256, or one.
const N_QUERIES: usize = 2048 + 256 + 1;

/// Each searcher, and the number of keys and queries that there is more room for. With room for
/// many, the binary search sorts its queries.
const SEARCHERS: [(Searcher, usize); 4] =
    [(Searcher::Binary, 70), (Searcher::Binary, 1 << 19), (Searcher::PAry, 70), (Searcher::Rearranged, 70)];

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn word(random: &mut Random) -> u32 {
    u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits")
}

/// Keys in order, of every kind that is special for some searcher.
fn families(n: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(n as u64);
    let mut words: Vec<u32> = (0..n).map(|_| word(&mut random)).collect();
    words.sort_unstable();
    let mut few: Vec<u32> = words.iter().map(|word| word % 7).collect();
    few.sort_unstable();
    vec![
        (0..n).map(|i| 3 * count(i) + 1).collect(),
        words,
        few,
        vec![5; n],
        // The largest keys equal those that are missing.
        (0..n).map(|i| if i < n / 2 { count(i) } else { u32::MAX }).collect(),
    ]
}

/// Queries at, below, and above the keys at the borders of everything, and at random ones.
fn queries_for(keys: &[u32]) -> Vec<u32> {
    let mut random = Random::new(4);
    let mut queries = vec![0, 1, u32::MAX - 1, u32::MAX];
    for place in [0, 15, 16, 255, 256, 257, 271, 272].into_iter().chain([keys.len().saturating_sub(1)]) {
        let key = keys.get(place).copied().unwrap_or_default();
        queries.extend([key.saturating_sub(1), key, key.saturating_add(1)]);
    }
    while queries.len() < N_QUERIES {
        let key = if keys.is_empty() { 7 } else { keys[random.below(keys.len())] };
        queries.push(key.wrapping_add(count(random.below(3))).wrapping_sub(1));
    }
    queries
}

/// What differs from the specification, if anything does.
fn difference(
    context: &Context,
    (searcher, room): (Searcher, usize),
    bound: Bound,
    keys: &[u32],
    queries: &[u32],
) -> Option<String> {
    let with_room = |items: &[u32], other| {
        let mut items = items.to_owned();
        items.resize(items.len() + room, other);
        items
    };
    let (key_buffer, query_buffer) = (buffer(&with_room(keys, 0)), buffer(&with_room(queries, 1)));
    let [key_items, query_items] = [(&key_buffer, keys.len()), (&query_buffer, queries.len())]
        .map(|(buffer, n)| Items { buffer, count: Count::Host(count(n)), capacity: count(n + room) });
    let search = Search::with_searcher(context, key_items, query_items, bound, searcher);
    let search = search.expect("the input is within the limits");
    record(|pass| search.record_rearrangement(pass));
    record(|pass| search.record(pass));
    // The other places stay as they are.
    let expected = with_room(&cpu::search(keys, queries, bound), 0);
    let found: Vec<u32> = read(search.found(), expected.len());
    let query = (0..expected.len()).find(|query| expected[*query] != found[*query])?;
    let [expected, found] = [expected[query], found[query]];
    let n = keys.len();
    Some(format!(
        "{searcher:?}, room for {room}, {bound:?}, {n} keys, query {query}: {expected} expected, {found} found"
    ))
}

fn first_difference(context: &Context, searchers: &[(Searcher, usize)], sizes: &[usize]) -> Option<String> {
    sizes.iter().find_map(|n| {
        families(*n).iter().enumerate().find_map(|(family, keys)| {
            let queries = queries_for(keys);
            searchers.iter().find_map(|searcher| {
                let found = Bound::ALL
                    .into_iter()
                    .find_map(|bound| difference(context, *searcher, bound, keys, &queries))?;
                Some(format!("family {family}: {found}"))
            })
        })
    })
}

#[test]
fn every_searcher_finds_what_the_specification_finds() {
    let context = Context::new(&gpu().device);
    let sizes: Vec<usize> = sampled(SIZES).collect();
    assert_eq!(first_difference(&context, &SEARCHERS, &sizes), None);
}

#[test]
fn any_number_of_queries_can_be_searched() {
    let context = Context::new(&gpu().device);
    let keys: Vec<u32> = (0..1000).map(|i| 2 * i).collect();
    for n in sampled([0, 1, 63, 64, 65, 192, 255, 256, 257, 1000, 2047, 2048, 2049]) {
        let queries: Vec<u32> = (0..n).map(|i| i * 7 % 2003).collect();
        for searcher in SEARCHERS {
            assert_eq!(difference(&context, searcher, Bound::Lower, &keys, &queries), None);
        }
    }
}

/// The levels of the rearranged keys, if they differ from the specification.
fn layout_difference(context: &Context, keys: &[u32]) -> Option<String> {
    let (input, query) = (buffer(keys), buffer(&[0_u32]));
    let [keys_of, queries] =
        [(&input, count(keys.len())), (&query, 1)].map(|(buffer, n)| Items::new(buffer, n));
    let search = Search::with_rearrangement(context, keys_of, queries, Bound::Lower);
    let search = search.expect("the input is within the limits");
    record(|pass| search.record_rearrangement(pass));
    let expected = cpu::rearrange(keys).concat();
    let found: Vec<u32> = read(search.rearranged().expect("they were asked for"), expected.len());
    let place = (0..expected.len()).find(|place| expected[*place] != found[*place])?;
    Some(format!("{} keys, place {place}: {} expected, {} found", keys.len(), expected[place], found[place]))
}

#[test]
fn the_rearranged_keys_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    for n in SIZES {
        for keys in families(n) {
            assert_eq!(layout_difference(&context, &keys), None);
        }
    }
}

/// Changes of the shaders so that each access to keys is checked: a text, and its replacement.
const CHECKED: &[(&str, &str)] = &[
    ("@compute", "var<private> has_left: bool;\n@compute"),
    // The binary search.
    ("keys[low + half - 1u]", "key_at(low + half - 1u)"),
    ("keys[low]", "key_at(low)"),
    ("low += 1u;\n    }\n    return low;", "low += 1u; } return select(low, 0xffffffffu, has_left);"),
    ("keys[part.first + part.length / 2u - 1u]", "key_at(part.first + part.length / 2u - 1u)"),
    // The search by a workgroup.
    ("keys[place]", "key_at(place)"),
    (
        "found[index] = place;",
        "found[index] = place; } storageBarrier(); if has_left { found[index] = 0xffffffffu;",
    ),
    // The search of rearranged keys.
    ("rearranged[4u * (own.x + nodes[0u]) + quarter]", "quarter_of(own, nodes[0u], quarter)"),
    ("rearranged[4u * (own.x + nodes[1u]) + quarter]", "quarter_of(own, nodes[1u], quarter)"),
    ("rearranged[4u * (own.x + nodes[2u]) + quarter]", "quarter_of(own, nodes[2u], quarter)"),
    ("rearranged[4u * (own.x + nodes[3u]) + quarter]", "quarter_of(own, nodes[3u], quarter)"),
    ("found[index] = min(", "found[index] = u32(has_left) * 0xffffffffu + min("),
];

/// The source of a searcher that marks the queries whose search leaves the keys, after `change`.
/// Its loops are bounded, because a search that leaves the keys may not end.
fn checked_source(shader: &Shader, change: (&str, &str)) -> String {
    let changed = changed_source(shader, &[change]);
    let access = if shader.name.starts_with("search_rearranged") {
        "fn quarter_of(own: vec4<u32>, node: u32, quarter: u32) -> vec4<u32> {
            has_left = has_left || node >= own.y;
            return rearranged[4u * (own.x + node) + quarter];
        }"
    } else if ["search_binary", "search_sorted", "search_p_ary"]
        .iter()
        .any(|name| shader.name.starts_with(name))
    {
        "fn key_at(place: u32) -> u32 {
            has_left = has_left || place >= n_keys();
            return keys[place];
        }"
    } else {
        return changed;
    };
    CHECKED.iter().fold(changed, |source, (from, to)| source.replace(from, to)) + access
}

/// Whether a search among keys out of order leaves the keys, or finds more than their number.
fn leaves_the_keys((searcher, room): (Searcher, usize), change: (&str, &str)) -> bool {
    let context = Context::new(&gpu().device).with_changes(|shader| checked_source(shader, change));
    let mut random = Random::new(5);
    [1, 2, 17, 257, 300, 5000, 66_000].into_iter().any(|n| {
        let mut keys: Vec<u32> = (0..n).map(|_| word(&mut random)).collect();
        let queries: Vec<u32> = (0..500).map(|_| word(&mut random)).chain([0, u32::MAX]).collect();
        keys.resize(keys.len() + room, 0);
        let (input, query_buffer) = (buffer(&keys), buffer(&[&*queries, &vec![0; room]].concat()));
        Bound::ALL.into_iter().any(|bound| {
            let [key_items, query_items] = [(&input, n), (&query_buffer, count(queries.len()))]
                .map(|(buffer, n)| Items { buffer, count: Count::Host(n), capacity: n + count(room) });
            let search = Search::with_searcher(&context, key_items, query_items, bound, searcher);
            let search = search.expect("the input is within the limits");
            record(|pass| search.record_rearrangement(pass));
            record(|pass| search.record(pass));
            let found: Vec<u32> = read(search.found(), queries.len());
            found.iter().any(|place| *place > n)
        })
    })
}

#[test]
fn a_search_of_keys_out_of_order_stays_within_the_keys() {
    for searcher in SEARCHERS {
        assert!(!leaves_the_keys(searcher, ("", "")), "{searcher:?}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "browsers clamp the indices of arrays")]
fn a_search_of_keys_out_of_order_leaves_the_keys_without_its_limits() {
    let [binary, sorted, p_ary, rearranged] = SEARCHERS;
    assert!(leaves_the_keys(binary, ("length -= half", "length -= half / 2u")));
    assert!(leaves_the_keys(sorted, ("part.length - half", "part.length - half / 2u")));
    assert!(leaves_the_keys(p_ary, ("tested < n && ", "")));
    assert!(leaves_the_keys(rearranged, (", own.w)", ", 0xffffffffu)")));
}

#[test]
fn the_numbers_of_keys_and_of_queries_can_change() {
    let context = Context::new(&gpu().device);
    let keys: Vec<u32> = (0..5000).collect();
    let (input, queries) = (buffer(&keys), buffer(&[4999_u32, 300, 20, u32::MAX]));
    let counts = buffer(&[0_u32, 2000, 3]);
    for searcher in Searcher::ALL {
        let new = |key_count, count| {
            let keys = Items { buffer: &input, count: key_count, capacity: 5000 };
            let queries = Items { buffer: &queries, count, capacity: 4 };
            let search = Search::with_searcher(&context, keys, queries, Bound::Lower, searcher);
            search.expect("the input is within the limits")
        };
        let search = new(Count::Host(5000), Count::Host(4));
        for n in [5000, 1000, 20, 0] {
            search.set_key_count(&gpu().queue, n).expect("it is within the capacity");
            record(|pass| search.record_rearrangement(pass));
            record(|pass| search.record(pass));
            assert_eq!(
                read::<u32>(search.found(), 4),
                [4999.min(n), 300.min(n), 20.min(n), n],
                "{searcher:?}"
            );
        }
        let error = SpatialError::AboveCapacity { n: 5, capacity: 4 };
        assert_eq!(search.set_count(&gpu().queue, 5), Err(error));
        let on_gpu = |word| Count::Gpu { buffer: &counts, word };
        let search = new(on_gpu(1), on_gpu(2));
        record(|pass| search.record_rearrangement(pass));
        record(|pass| search.record(pass));
        assert_eq!(read::<u32>(search.found(), 4), [2000, 300, 20, 0], "{searcher:?}");
        assert_eq!(search.set_key_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

#[test]
fn a_buffer_without_room_is_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[0_u32; 4]);
    let error = |n_keys, n| {
        let [keys, queries] = [n_keys, n].map(|n| Items::new(&input, n));
        Search::new(&context, keys, queries, Bound::Lower).expect_err("it is too large")
    };
    assert_eq!(error(5, 4), SpatialError::TooLarge { buffer: "keys", need: 5, limit: 4 });
    assert_eq!(error(4, 5), SpatialError::TooLarge { buffer: "queries", need: 5, limit: 4 });
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("search_binary", "key < query", "key <= query"),
    ("search_binary", "low + half - 1u", "low + half - 2u"),
    ("search_binary", "length > 1u", "length > 2u"),
    ("search_binary", "length == 1u &&", "false &&"),
    ("search_binary", "length -= half", "length = half"),
    ("search_binary", "if index >= n_items()", "if index >= config.capacity"),
    ("search_binary_upper", "key <= query", "key < query"),
    (
        "search_binary_upper",
        "min(key_counts[config.key_count_word], config.key_capacity)",
        "config.key_capacity",
    ),
    ("search_sorted", "key < query", "key <= query"),
    ("search_sorted", "2u * part.node + u32(is_second)", "2u * part.node"),
    ("search_sorted", "select(0u, half, is_second)", "0u"),
    ("search_sorted", "(bit - 1u)) & 1u", "bit) & 1u"),
    ("search_sorted", "part.length / 2u - 1u]", "part.length / 2u - 2u]"),
    ("search_sorted", "node > 0u && part.length > 1u", "node > 1u && part.length > 1u"),
    ("search_sorted", "prefix_sums[parts[5u]] - 1u", "prefix_sums[parts[5u]]"),
    ("search_sorted", "pool[places[6u]] = 6u * WORKGROUP_SIZE", "pool[places[6u]] = 5u * WORKGROUP_SIZE"),
    ("search_sorted", "queries[min(first + 0u", "queries[min(0u"),
    ("search_sorted", "queries[min(first + 7u", "queries[min(first + 6u"),
    ("search_sorted", "if index < n_queries", "if index < config.capacity"),
    ("search_sorted", "index = first + pool", "index = pool"),
    ("search_sorted", "part.first, part.length)", "part.first, part.length - 1u)"),
    ("search_sorted_upper", "key <= query", "key < query"),
    ("search_p_ary", "low + local * step)", "low + local * step + 1u)"),
    ("search_p_ary", "tested + 1u", "tested"),
    ("search_p_ary", "tested < n && is_before", "is_before"),
    ("search_p_ary", "local == WORKGROUP_SIZE - 1u", "false"),
    ("search_p_ary", "(length - 1u) / WORKGROUP_SIZE) {", "length / WORKGROUP_SIZE / 2u) {"),
    ("search_p_ary_upper", "key <= query", "key < query"),
    ("search_layout", ">= config.levels[next].x", "> config.levels[next].x"),
    ("search_layout", "17u * node + 1u", "17u * node"),
    ("search_layout", "* own.z < n", "* own.z <= n"),
    ("search_layout", "node >= own.y", "node >= own.y - 1u"),
    ("search_layout", "NO_KEY = 0xffffffffu", "NO_KEY = 0u"),
    ("search_rearranged", "packed_counts[at + 3u]", "0u"),
    ("search_rearranged", "& 0xffu", "& 0xfu"),
    ("search_rearranged", "select(17u, 16u, ", "select(17u, 17u, "),
    ("search_rearranged", "nodes[2u] = min(", "nodes[2u] = max("),
    ("search_rearranged", "nodes[3])[quarter]", "nodes[3])[3u - quarter]"),
    ("search_rearranged_upper", "key <= query", "key < query"),
    ("search_rearranged_upper", "[quarter], n_keys())", "[quarter], config.key_capacity)"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let sizes = [0, 2, 17, 256, 4700, 65_536, 66_050];
    assert_eq!(first_difference(&unbroken, &SEARCHERS, &sizes), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, shader| {
            let searcher = match shader {
                "search_binary" | "search_binary_upper" => SEARCHERS[0],
                "search_sorted" | "search_sorted_upper" => SEARCHERS[1],
                "search_p_ary" | "search_p_ary_upper" => SEARCHERS[2],
                _ => SEARCHERS[3],
            };
            first_difference(broken, &[searcher], &sizes).is_some()
                || shader == "search_layout"
                    && sizes.iter().any(|n| layout_difference(broken, &families(*n)[0]).is_some())
        },
    );
}
