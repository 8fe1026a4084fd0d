//! Tree scans give what the sequential scans give, bit for bit, for monoids that are exact but not commutative.

use boxwood::testing::Stage;
use boxwood::tree::{Monoid, SCAN_STAGES, TreeScan, TreeScanBuffers, TreeScanError};
use boxwood::{LimitsError, Node};
use boxwood_shaders::Shader;
use boxwood_tests::{Affine, Affine3, Fault, Matrix, Random, Twin, assert_all_caught, families, gpu};

const W: usize = boxwood::testing::WORKGROUP_SIZE as usize;

fn scan<M: Twin>() -> TreeScan {
    TreeScan::new(&gpu().device, &Monoid { wgsl: M::WGSL, stride: size_of::<M>() }).expect("it is a monoid")
}

/// The begins and ends of a stream, and a value for each.
fn input<M: Twin>(stream: &str) -> (Vec<Node>, Vec<M>) {
    let entries = stream.chars().filter(|c| matches!(c, '(' | ')')).enumerate();
    let nodes: Vec<Node> =
        entries.map(|(i, c)| if c == '(' { Node::begin(i) } else { Node::end(i) }).collect();
    let random = &mut Random::new(nodes.len() as u64);
    let values = nodes.iter().map(|_| M::random(random)).collect();
    (nodes, values)
}

/// What the sequential scans give, down and up.
fn expected<M: Twin>(nodes: &[Node], values: &[M]) -> (Vec<M>, Vec<M>) {
    (boxwood_cpu::tree::scan_down(nodes, values), boxwood_cpu::tree::scan_up(nodes, values))
}

fn run<M: Twin>(buffers: &TreeScanBuffers) -> (Vec<M>, Vec<M>) {
    let gpu = gpu();
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    buffers.record(&mut pass);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    let read = |buffer| {
        boxwood::read_items(&gpu.device, &gpu.queue, buffer, buffers.n() as usize)
            .expect("the device answers")
    };
    (read(buffers.down()), read(buffers.up()))
}

fn buffers<M: Twin>(scan: &TreeScan, nodes: &[Node], values: &[M]) -> TreeScanBuffers {
    let gpu = gpu();
    let mut buffers = TreeScanBuffers::new(&gpu.device, scan, nodes.len()).expect("it is within the limits");
    buffers.upload(&gpu.queue, nodes, values).expect("it is within the capacity");
    buffers
}

/// The first entry that differs from what is expected.
fn difference<M: Twin>(
    scan: &TreeScan,
    nodes: &[Node],
    values: &[M],
    expected: &(Vec<M>, Vec<M>),
) -> Option<String> {
    let (down, up) = run::<M>(&buffers(scan, nodes, values));
    let differ = |name: &str, expected: &[M], found: &[M]| {
        assert_eq!(expected.len(), found.len());
        let index = expected.iter().zip(found).position(|(a, b)| a != b)?;
        let (expected, found) = (expected[index], found[index]);
        Some(format!("n = {}, {name}[{index}]: {expected:?} expected, {found:?} found", nodes.len()))
    };
    differ("down", &expected.0, &down).or_else(|| differ("up", &expected.1, &up))
}

#[track_caller]
fn check<M: Twin>(scan: &TreeScan, name: &str, stream: &str) {
    let (nodes, values) = input::<M>(stream);
    if let Some(difference) = difference(scan, &nodes, &values, &expected(&nodes, &values)) {
        panic!("{name}: {difference}");
    }
}

/// Every family at sizes around the borders of partitions, and of groups of partitions.
fn check_families<M: Twin>(sizes: &[usize]) {
    let scan = scan::<M>();
    for family in families() {
        for &n in sizes {
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
    assert!(!is_commutative, "the order of the factors would not show");
}

#[test]
fn the_monoids_keep_the_laws_and_do_not_commute() {
    check_laws::<Affine>();
    check_laws::<Matrix>();
    check_laws::<Affine3>();
}

#[test]
fn matrices() {
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
fn affine_maps() {
    check_families::<Affine>(&[1, W - 1, W, W + 1, 3 * W, 1000, 3 * W * W - 5]);
}

#[test]
fn values_larger_than_a_vector() {
    check_families::<Affine3>(&[1, W, W + 1, 5 * W + 7, W * W + 1]);
}

#[test]
fn depths() {
    let scan = scan::<Matrix>();
    for depth in [1, W - 1, W, W + 1, 1000, W * W, W * W + 1, 500_000] {
        check::<Matrix>(&scan, "nest", &("(".repeat(depth) + &")".repeat(depth)));
    }
    check::<Matrix>(&scan, "left open", &"(".repeat(W * W + 1));
    check::<Matrix>(&scan, "no begin", &(")".repeat(W * W + 1) + "()"));
    check::<Matrix>(&scan, "each a child and a grandchild", &("((())".repeat(70_000) + &")".repeat(70_000)));
}

#[test]
fn a_million_entries() {
    let scan = scan::<Affine>();
    for name in ["random walk", "random walk, rising", "sawtooth, period P + 1", "comb", "backlink chain"] {
        let family = families().into_iter().find(|f| f.name == name).expect("there is one");
        check::<Affine>(&scan, name, &family.generate(1_000_000, 4));
    }
}

/// The same input gives the same bits each time: a race would not.
#[test]
fn repeated_runs_agree() {
    let scan = scan::<Affine3>();
    let (nodes, values) = input::<Affine3>(&families()[0].generate(20_000, 11));
    let buffers = buffers(&scan, &nodes, &values);
    let expected = expected(&nodes, &values);
    for round in 0..100 {
        assert!(run::<Affine3>(&buffers) == expected, "round {round}");
    }
}

/// Buffers may be larger than their input, and take one after the other.
#[test]
fn buffers_take_one_input_after_the_other() {
    let scan = scan::<Affine>();
    let queue = &gpu().queue;
    let mut buffers = TreeScanBuffers::new(&gpu().device, &scan, 2000).expect("it is within the limits");
    for stream in ["(())".repeat(500), String::new(), "(()".repeat(200), "))(".repeat(300)] {
        let (nodes, values) = input::<Affine>(&stream);
        buffers.upload(queue, &nodes, &values).expect("it is within the capacity");
        assert_eq!(run::<Affine>(&buffers), expected(&nodes, &values));
    }
    let (nodes, values) = input::<Affine>(&"(".repeat(2001));
    let error = buffers.upload(queue, &nodes, &values).expect_err("it is above the capacity");
    assert_eq!(error, TreeScanError::Limits(LimitsError::Nodes { need: 2001, limit: 2000 }));
    let error = buffers.upload(queue, &nodes[..9], &values[..8]).expect_err("a value is missing");
    assert_eq!(error, TreeScanError::Values { n_nodes: 9, n_bytes: 64, stride: 8 });
    let limit = gpu().device.limits().max_storage_buffer_binding_size / 8 + 1;
    let too_many = usize::try_from(limit).expect("a machine with a device has such numbers");
    assert!(TreeScanBuffers::new(&gpu().device, &scan, too_many).is_err());
}

/// A monoid, but not one for a buffer.
const BOOLEAN: &str = "
    alias Value = bool;
    fn identity() -> Value { return false; }
    fn combine(a: Value, b: Value) -> Value { return a != b; }";

/// A monoid whose values are too large.
const LARGE: &str = "
    alias Value = array<u32, 65>;
    fn identity() -> Value { return Value(); }
    fn combine(a: Value, b: Value) -> Value { return a; }";

#[test]
fn what_is_wrong_with_a_monoid_is_said_with_its_line() {
    let error = |wgsl: &str, stride| {
        TreeScan::new(&gpu().device, &Monoid { wgsl, stride }).expect_err("it is not a monoid").to_string()
    };
    let with = |text: &str| Affine::WGSL.to_owned() + "\n" + text;
    for (wgsl, stride, expected) in [
        (with("fn f( { }"), 8, "line 7 of the monoid's WGSL: expected"),
        (with("fn f() -> u32 { return g(); }"), 8, "line 7 of the monoid's WGSL: no definition in scope"),
        (with("fn f() -> u32 {\n return 1i; }"), 8, "of the monoid's WGSL: "),
        (with("const WORKGROUP_SIZE = 1u;"), 8, "line 7 of the monoid's WGSL: redefinition"),
        (with("var<private> x: u32;"), 8, "declares a variable"),
        (with("override x: u32;"), 8, "declares a variable, an override"),
        (
            with("fn min(a: u32, b: u32) -> u32 { return 7u; }"),
            8,
            "declares `min`, which the scan calls as a built-in",
        ),
        (LARGE.to_owned(), 260, "`Value` takes 260 bytes, but the maximum is 256"),
        (Affine::WGSL.to_owned(), 16, "stride of 8 bytes in WGSL, but the given stride is 16"),
        (Affine::WGSL.replace("Value", "Pair"), 8, "does not declare the type `Value`"),
        (Affine::WGSL.replace("combine", "times"), 8, "does not declare `fn combine"),
        (Affine::WGSL.replace("identity", "one"), 8, "does not declare `fn identity"),
        (BOOLEAN.to_owned(), 4, "storage buffer cannot hold"),
        (String::new(), 4, "does not declare the type `Value`"),
    ] {
        let found = error(&wgsl, stride);
        assert!(found.contains(expected), "`{found}` does not have `{expected}`");
    }
}

/// A fault in a shader: this text becomes that text.
const MUTATIONS: &[Fault] = &[
    ("scan_down_reduce", "combine(slice_products[begins[local - stride]], product)", "product"),
    (
        "scan_down_reduce",
        "combine(slice_products[begins[local - stride]], product)",
        "combine(product, slice_products[begins[local - stride]])",
    ),
    ("scan_down_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("scan_down_entry", "partition_depths[part].lowest - 1", "partition_depths[part].start - 1"),
    ("scan_down_entry", "combine(entry_products[link], product)", "combine(product, entry_products[link])"),
    ("scan_down_entry", "link = chain_links[link - first];", ""),
    ("scan_down_entry", "round < LG_WORKGROUP_SIZE", "round < LG_WORKGROUP_SIZE - 2u"),
    ("scan_down_entry_jump", "combine(products_before[link], product)", "product"),
    (
        "scan_down_entry_jump",
        "combine(products_before[link], product)",
        "combine(product, products_before[link])",
    ),
    ("scan_down_entry_jump", "link = links_before[link];", ""),
    ("scan_down_entry_jump", "link = links_before[link];", "link = -1;"),
    ("scan_down_finish", "combine(down[link], product)", "combine(product, down[link])"),
    ("scan_down_finish", "link = chain_links[link - first];", ""),
    ("scan_down_finish", "round < LG_WORKGROUP_SIZE", "round < LG_WORKGROUP_SIZE - 2u"),
    ("scan_down_finish", "u32(link) / WORKGROUP_SIZE", "part"),
    ("scan_down_finish", "combine(outside, product)", "combine(product, outside)"),
    ("scan_down_finish", "return identity();", "return values[index % config.n_nodes];"),
    ("scan_up_reduce", "combine(product, suffix", "combine(identity(), suffix"),
    ("scan_up_reduce", "min((part + 1u) * WORKGROUP_SIZE, config.n_nodes)", "config.n_nodes"),
    ("scan_up_reduce", "return identity();", "return values[index % config.n_nodes];"),
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
    ("scan_up_finish", "left = combine(left, node_of", "left = combine(identity(), node_of"),
    ("scan_up_finish", "left = combine(left, product_tree[l])", "left = combine(product_tree[l], left)"),
    (
        "scan_up_finish",
        "combine(node_of_entries(part, h), right)",
        "combine(right, node_of_entries(part, h))",
    ),
    ("scan_up_finish", "combine(product_tree[h], right)", "combine(right, product_tree[h])"),
    ("scan_up_finish", "product_of_partitions(part + 1u, ", "product_of_partitions(part, "),
    ("scan_up_finish", "product_of_partitions(source + 1u, part)", "product_of_partitions(source, part)"),
    ("scan_up_finish", "product_of_entries(part, 0u, local)", "identity()"),
    ("scan_up_finish", "begin % WORKGROUP_SIZE, local)", "begin % WORKGROUP_SIZE + 1u, local)"),
    ("scan_up_finish", "up[begin] = product", ""),
];

#[test]
fn every_fault_is_caught() {
    for name in SCAN_STAGES.into_iter().flat_map(Stage::dispatches).map(|d| d.shader.name) {
        let is_own = name.starts_with("tree_scan_");
        assert!(!is_own || MUTATIONS.iter().any(|m| m.0 == name), "{name} is never broken");
    }
    let mut inputs: Vec<_> = families().iter().map(|f| input::<Affine>(&f.generate(5 * W + 7, 1))).collect();
    // More than one group of partitions, for what only such inputs have.
    inputs.push(input("(".repeat(200_000).as_str()));
    inputs.push(input(&families()[0].generate(400_000, 1)));
    inputs.push(input(&families()[15].generate(400_000, 1)));
    let expected: Vec<_> = inputs.iter().map(|(nodes, values)| expected(nodes, values)).collect();
    let is_caught = |scan: &TreeScan| {
        let mut inputs = inputs.iter().zip(&expected);
        inputs.any(|((nodes, values), expected)| difference(scan, nodes, values, expected).is_some())
    };
    // A fault can send other shaders astray: wgpu checks what all of them do.
    let monoid = Monoid { wgsl: Affine::WGSL, stride: size_of::<Affine>() };
    let checked = TreeScan::with_sources(&gpu().device, &monoid, |shader| shader.source.to_owned());
    let checked = checked.expect("it is a monoid");
    assert!(!is_caught(&checked), "the shaders as they are have no fault");
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(MUTATIONS, compile, |broken, _| is_caught(broken));
}
