//! Tree scans return what the sequential scans return, bit for bit, for monoids that are exact but
//! not commutative.

use boxwood::tree::{Monoid, TreeScan, TreeScanBuffers, TreeScanError};
use boxwood::{Entry, LimitsError};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Affine, Affine3, Fault, Matrix, Random, Twin, assert_all_caught, bounded_source, context, families, gpu,
    is_tried, sampled,
};

use super::family;

const W: usize = boxwood::WORKGROUP_SIZE as usize;

fn scan<M: Twin>() -> TreeScan {
    TreeScan::new(context(), &Monoid { wgsl: M::WGSL, stride: size_of::<M>() }).expect("the twin is a monoid")
}

/// The begins and ends of a stream, and a value for each.
fn input<M: Twin>(stream: &str) -> (Vec<Entry>, Vec<M>) {
    let entries = stream.chars().filter(|c| matches!(c, '(' | ')')).enumerate();
    let entries: Vec<Entry> =
        entries.map(|(i, c)| if c == '(' { Entry::begin(i) } else { Entry::end(i) }).collect();
    let random = &mut Random::new(entries.len() as u64);
    let values = entries.iter().map(|_| M::random(random)).collect();
    (entries, values)
}

/// The results of the sequential scans, down and up.
fn expected<M: Twin>(entries: &[Entry], values: &[M]) -> (Vec<M>, Vec<M>) {
    (
        boxwood_cpu::specification::tree::scan_down(entries, values),
        boxwood_cpu::specification::tree::scan_up(entries, values),
    )
}

fn run<M: Twin>(buffers: &TreeScanBuffers) -> (Vec<M>, Vec<M>) {
    let gpu = gpu();
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu.queue.submit([encoder.finish()]);
    let read = |buffer| boxwood_tests::read_items(&gpu.device, &gpu.queue, buffer, buffers.n() as usize);
    (read(buffers.down()), read(buffers.up()))
}

fn buffers<M: Twin>(scan: &TreeScan, entries: &[Entry], values: &[M]) -> TreeScanBuffers {
    let gpu = gpu();
    let mut buffers = TreeScanBuffers::new(scan, entries.len()).expect("the input is within the limits");
    buffers.upload(&gpu.queue, entries, values).expect("the input is within the capacity");
    buffers
}

/// The first entry that differs from the expected results.
fn difference<M: Twin>(
    scan: &TreeScan,
    entries: &[Entry],
    values: &[M],
    expected: &(Vec<M>, Vec<M>),
) -> Option<String> {
    let (down, up) = run::<M>(&buffers(scan, entries, values));
    let differ = |name: &str, expected: &[M], found: &[M]| {
        assert_eq!(expected.len(), found.len());
        let index = expected.iter().zip(found).position(|(a, b)| a != b)?;
        let (expected, found) = (expected[index], found[index]);
        Some(format!("n = {}, {name}[{index}]: {expected:?} expected, {found:?} found", entries.len()))
    };
    differ("down", &expected.0, &down).or_else(|| differ("up", &expected.1, &up))
}

#[track_caller]
fn check<M: Twin>(scan: &TreeScan, name: &str, stream: &str) {
    let (entries, values) = input::<M>(stream);
    if let Some(difference) = difference(scan, &entries, &values, &expected(&entries, &values)) {
        panic!("{name}: {difference}");
    }
}

/// Checks every family at these sizes.
fn check_families<M: Twin>(sizes: &[usize]) {
    let scan = scan::<M>();
    for (index, family) in families().into_iter().enumerate() {
        for (_, &n) in (index..).zip(sizes).filter(|(number, _)| is_tried(*number)) {
            check::<M>(&scan, family.name, &family.generate(n, n as u64));
        }
    }
}

fn check_laws<M: Twin>() {
    let random = &mut Random::new(7);
    let mut is_commutative = true;
    for _ in 0..1000 {
        let [x, y, z] = std::array::from_fn(|_| M::random(random));
        assert_eq!(x.combine(y).combine(z), x.combine(y.combine(z)));
        assert_eq!((x.combine(M::identity()), M::identity().combine(x)), (x, x));
        is_commutative &= x.combine(y) == y.combine(x);
    }
    assert!(!is_commutative, "no test would notice a wrong order of the factors");
}

#[test]
fn the_test_monoids_are_monoids_and_do_not_commute() {
    check_laws::<Affine>();
    check_laws::<Matrix>();
    check_laws::<Affine3>();
}

#[test]
fn scans_of_matrices_are_right_at_every_border() {
    check_families::<Matrix>(&[
        0,
        1,
        2,
        3,
        W - 1,
        W,
        W + 1,
        2 * W + 1,
        5 * W + 7,
        W * W - 1,
        W * W,
        W * W + 1,
    ]);
}

#[test]
fn scans_of_affine_maps_are_right_at_every_border() {
    check_families::<Affine>(&[1, W - 1, W, W + 1, 3 * W, 1000, 3 * W * W - 5]);
}

#[test]
fn scans_of_values_larger_than_a_vector_are_right() {
    check_families::<Affine3>(&[1, W, W + 1, 5 * W + 7, W * W + 1]);
}

#[test]
fn scans_are_right_at_every_depth() {
    let scan = scan::<Matrix>();
    for depth in [1, W - 1, W, W + 1, 1000, W * W, W * W + 1, 500_000] {
        check::<Matrix>(&scan, "nest", &("(".repeat(depth) + &")".repeat(depth)));
    }
    check::<Matrix>(&scan, "left open", &"(".repeat(W * W + 1));
    check::<Matrix>(&scan, "no begins at first", &(")".repeat(W * W + 1) + "()"));
    check::<Matrix>(
        &scan,
        "a nest with a child and a grandchild at each level",
        &("((())".repeat(70_000) + &")".repeat(70_000)),
    );
}

#[test]
fn scans_of_a_million_entries_are_right() {
    let scan = scan::<Affine>();
    for name in ["random walk", "random walk, rising", "sawtooth, period P + 1", "comb", "backlink chain"] {
        check::<Affine>(&scan, name, &family(name).generate(1_000_000, 4));
    }
}

/// A race would give different results in some run.
#[test]
fn a_hundred_runs_agree() {
    let scan = scan::<Affine3>();
    let (entries, values) = input::<Affine3>(&families()[0].generate(20_000, 11));
    let buffers = buffers(&scan, &entries, &values);
    let expected = expected(&entries, &values);
    for round in sampled(0..100) {
        assert!(run::<Affine3>(&buffers) == expected, "round {round}");
    }
}

/// Buffers may be larger than their input. The results do not depend on earlier inputs.
#[test]
fn buffers_can_be_used_for_several_inputs() {
    let scan = scan::<Affine>();
    let queue = &gpu().queue;
    let mut buffers = TreeScanBuffers::new(&scan, 2000).expect("the capacity is within the limits");
    for stream in ["(())".repeat(500), String::new(), "(()".repeat(200), "))(".repeat(300)] {
        let (entries, values) = input::<Affine>(&stream);
        buffers.upload(queue, &entries, &values).expect("the input is within the capacity");
        assert_eq!(run::<Affine>(&buffers), expected(&entries, &values));
    }
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let (device, queue) = (&gpu().device, &gpu().queue);
    let scan = scan::<Affine>();
    let mut buffers = TreeScanBuffers::new(&scan, 2000).expect("the capacity is within the limits");
    let (entries, values) = input::<Affine>(&"(".repeat(2001));
    let error = buffers.upload(queue, &entries, &values).expect_err("the input exceeds the capacity");
    assert_eq!(error, TreeScanError::Limits(LimitsError::Entries { need: 2001, limit: 2000 }));
    let error = buffers.upload(queue, &entries[..9], &values[..8]).expect_err("a value is missing");
    assert_eq!(error, TreeScanError::Values { n_entries: 9, n_bytes: 64, stride: 8 });
    let limit = device.limits().max_storage_buffer_binding_size / 8 + 1;
    let too_many = usize::try_from(limit).expect("the limit of a device fits in a usize");
    assert!(TreeScanBuffers::new(&scan, too_many).is_err());
}

/// A monoid with a type in place of its identity.
const IDENTITY_TYPE: &str = "
    alias Value = f32;
    alias identity = f32;
    fn combine(a: Value, b: Value) -> Value { return a + b; }";

/// A monoid whose values cannot be in a buffer.
const BOOLEAN: &str = "
    alias Value = bool;
    fn identity() -> Value { return false; }
    fn combine(a: Value, b: Value) -> Value { return a != b; }";

/// A monoid whose values cannot be returned from a function.
const ATOMIC: &str = "
    struct Value { n: array<atomic<u32>, 2> }
    fn identity() -> Value { return Value(); }
    fn combine(a: Value, b: Value) -> Value { return a; }";

/// A monoid whose values are too large.
const LARGE: &str = "
    alias Value = array<u32, 65>;
    fn identity() -> Value { return Value(); }
    fn combine(a: Value, b: Value) -> Value { return a; }";

#[test]
fn invalid_monoids_are_refused_with_the_reason() {
    let error = |wgsl: &str, stride| {
        TreeScan::new(context(), &Monoid { wgsl, stride }).expect_err("the monoid is invalid").to_string()
    };
    let with = |text: &str| Affine::WGSL.to_owned() + "\n" + text;
    for (wgsl, stride, expected) in [
        (with("fn f( { }"), 8, "line 7 of the monoid's WGSL: expected"),
        (with("fn f() -> u32 { return g(); }"), 8, "line 7 of the monoid's WGSL: no definition in scope"),
        (with("fn f() -> u32 {\n return 1i; }"), 8, "of the monoid's WGSL: "),
        (
            with("fn f(a: u32) -> u32 {\n return a * 3u ^ a; }"),
            8,
            "line 8 of the monoid's WGSL: `*` and `^` need parentheses around one of them",
        ),
        // The variables of the scan are out of reach, so no text can read workgroup memory before
        // the scan writes it.
        (
            with("fn f() -> i32 { return chain_links[0]; }"),
            8,
            "line 7 of the monoid's WGSL: no definition in scope for identifier: `chain_links`",
        ),
        (with("const WORKGROUP_SIZE = 1u;"), 8, "line 7 of the monoid's WGSL: redefinition"),
        (with("var<private> x: u32;"), 8, "declares a variable"),
        (with("fn f() { workgroupBarrier(); }"), 8, "uses a barrier"),
        (with("override x: u32;"), 8, "declares a variable, an override"),
        (
            with("fn min(a: u32, b: u32) -> u32 { return 7u; }"),
            8,
            "declares `min`, a function that the scan itself calls",
        ),
        (LARGE.to_owned(), 260, "`Value` takes 260 bytes, but the maximum is 256"),
        (Affine::WGSL.to_owned(), 16, "stride of 8 bytes in WGSL, but the given stride is 16"),
        (Affine::WGSL.replace("Value", "Pair"), 8, "does not declare the type `Value`"),
        (Affine::WGSL.replace("combine", "times"), 8, "does not declare `fn combine"),
        (Affine::WGSL.replace("identity", "one"), 8, "does not declare `fn identity"),
        // A call of a type constructs a value.
        (IDENTITY_TYPE.to_owned(), 4, "does not declare `fn identity"),
        (with("alias monoid_probe = u32;"), 16, "stride of 8 bytes in WGSL, but the given stride is 16"),
        (BOOLEAN.to_owned(), 4, "storage buffer cannot hold"),
        (ATOMIC.to_owned(), 8, "of the monoid's WGSL: "),
        (String::new(), 4, "does not declare the type `Value`"),
    ] {
        let found = error(&wgsl, stride);
        assert!(found.contains(expected), "`{found}` does not contain `{expected}`");
    }
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    ("scan_down_reduce", "combine(slice_products[begins[local - stride]], product)", "product"),
    (
        "scan_down_reduce",
        "combine(slice_products[begins[local - stride]], product)",
        "combine(product, slice_products[begins[local - stride]])",
    ),
    ("scan_down_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("scan_down_enclosing", "partition_depths[part].lowest - 1", "partition_depths[part].start - 1"),
    (
        "scan_down_enclosing",
        "combine(chain_products[chain.link], chain.product)",
        "combine(chain.product, chain_products[chain.link])",
    ),
    ("scan_down_enclosing", "chain.link = chain_links[u32(chain.link) - first];", ""),
    ("scan_down_enclosing", "round < LG_WORKGROUP_SIZE", "round < 1u"),
    ("scan_down_enclosing_jump", "combine(products_before[link], product)", "product"),
    (
        "scan_down_enclosing_jump",
        "combine(products_before[link], product)",
        "combine(product, products_before[link])",
    ),
    ("scan_down_enclosing_jump", "link = links_before[link];", ""),
    ("scan_down_enclosing_jump", "link = links_before[link];", "link = -1;"),
    (
        "scan_down_finish",
        "combine(chain_products[chain.link], chain.product)",
        "combine(chain.product, chain_products[chain.link])",
    ),
    ("scan_down_finish", "chain.link = chain_links[u32(chain.link) - first];", ""),
    ("scan_down_finish", "round < LG_WORKGROUP_SIZE", "round < 1u"),
    ("scan_down_finish", "u32(chain.link) / WORKGROUP_SIZE", "part"),
    ("scan_down_finish", "combine(outside, chain.product)", "combine(chain.product, outside)"),
    ("scan_down_finish", "return identity();", "return values[index % config.n_entries];"),
    ("scan_up_reduce", "combine(product, suffix", "combine(identity(), suffix"),
    ("scan_up_reduce", "min((part + 1u) * WORKGROUP_SIZE, config.n_entries)", "config.n_entries"),
    ("scan_up_reduce", "return identity();", "return values[index % config.n_entries];"),
    ("scan_up_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("scan_up_tree", "combine(product_tree[2u * node],", "combine(identity(),"),
    (
        "scan_up_tree",
        "product_tree[2u * node], product_tree[2u * node + 1u]",
        "product_tree[2u * node + 1u], product_tree[2u * node]",
    ),
    ("scan_up_tree", "/ WORKGROUP_SIZE + group", "/ WORKGROUP_SIZE"),
    ("scan_up_tree_top", "combine(product_tree[2u * node],", "combine(identity(),"),
    (
        "scan_up_tree_top",
        "product_tree[2u * node], product_tree[2u * node + 1u]",
        "product_tree[2u * node + 1u], product_tree[2u * node]",
    ),
    (
        "scan_up_finish",
        "left = combine(left, node_of(tree, l));",
        "if tree == PARTITIONS { left = combine(left, node_of(tree, l)); } else { left = node_of(tree, l); }",
    ),
    (
        "scan_up_finish",
        "left = combine(left, node_of(tree, l));",
        "if tree == PARTITIONS { left = combine(node_of(tree, l), left); } else { left = combine(left, node_of(tree, l)); }",
    ),
    (
        "scan_up_finish",
        "right = combine(node_of(tree, h), right);",
        "if tree == PARTITIONS { right = combine(node_of(tree, h), right); } else { right = combine(right, node_of(tree, h)); }",
    ),
    (
        "scan_up_finish",
        "right = combine(node_of(tree, h), right);",
        "if tree == PARTITIONS { right = combine(right, node_of(tree, h)); } else { right = combine(node_of(tree, h), right); }",
    ),
    ("scan_up_finish", "product_of(PARTITIONS, part + 1u, ", "product_of(PARTITIONS, part, "),
    ("scan_up_finish", "product_of(PARTITIONS, source + 1u, part)", "product_of(PARTITIONS, source, part)"),
    ("scan_up_finish", "product_of(part, 0u, local)", "identity()"),
    ("scan_up_finish", "begin % WORKGROUP_SIZE, local)", "begin % WORKGROUP_SIZE + 1u, local)"),
    ("scan_up_finish", "up[begin] = product", ""),
];

#[test]
fn every_scan_shader_has_a_planted_fault() {
    let stages = boxwood::testing::scan_stages(8, 1);
    let shaders = stages.dispatches().map(|dispatch| dispatch.shader.name);
    for name in shaders.filter(|name| name.starts_with("scan_")) {
        assert!(FAULTS.iter().any(|m| m.0 == name), "{name} has no fault");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_planted_fault_is_caught() {
    let mut inputs: Vec<_> = families().iter().map(|f| input::<Affine>(&f.generate(5 * W + 7, 1))).collect();
    // Some code runs only with more than one group of partitions.
    inputs.push(input(&"(".repeat(200_000)));
    inputs.push(input(&family("random walk").generate(400_000, 1)));
    inputs.push(input(&family("sawtooth, period 3 P - 1").generate(400_000, 1)));
    let expected: Vec<_> = inputs.iter().map(|(entries, values)| expected(entries, values)).collect();
    let is_caught = |scan: &TreeScan| {
        let mut inputs = inputs.iter().zip(&expected);
        inputs.any(|((entries, values), expected)| difference(scan, entries, values, expected).is_some())
    };
    // A fault can make other shaders access memory out of bounds, so all run with wgpu's checks.
    let monoid = Monoid { wgsl: Affine::WGSL, stride: size_of::<Affine>() };
    let unchecked = TreeScan::new(context(), &monoid).expect("the twin is a monoid");
    let checked = unchecked.with_changes(bounded_source);
    assert!(!is_caught(&checked), "without a fault, the results are right");
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, _| is_caught(broken));
}
