//! Stage *layers* returns the layers and the batches of the specification.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Count, Items, Layers, SpatialError};
use boxwood_cpu::specification::spatial::{self as cpu, Rectangle, TileGrid};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Random, assert_all_caught, bounded_source, box_families, box_family, gpu, sampled,
};

use super::{buffer, read, record};

/// The number of items of a block.
const BLOCK: usize = 2048;

/// Around every border of words, spans, groups, and blocks.
const SIZES: [usize; 17] = [
    0,
    1,
    2,
    31,
    32,
    33,
    127,
    129,
    255,
    256,
    257,
    1000,
    BLOCK - 1,
    BLOCK,
    BLOCK + 1,
    2 * BLOCK,
    3 * BLOCK + 300,
];

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// What differs from the specification, if anything does.
fn difference(context: &Context, family: &str, boxes: &[Aabb], key_bits: Option<u32>) -> Option<String> {
    let n = boxes.len();
    let expected = boxwood_cpu::Layers::new().of(boxes).to_vec();
    let box_buffer = buffer(boxes);
    let mut random = Random::new(n as u64);
    // The upper bits do not count.
    let keys: Vec<u32> =
        (0..n).map(|_| small(random.below(1 << key_bits.unwrap_or(0).min(3))) | 0x8000_0000).collect();
    let key_buffer = buffer(&keys);
    let items = Items::new(&box_buffer, small(n));
    let layers = match key_bits {
        None => Layers::new(context, items, None),
        Some(key_bits) => Layers::with_batches(context, items, None, &key_buffer, key_bits),
    };
    let layers = layers.expect("the input is within the limits");
    // The second run is over the buffers that the first one leaves.
    for run in 0..2 {
        record(|pass| layers.record(pass));
        let found: Vec<u32> = read(layers.layers(), n);
        if let Some(item) = (0..n).find(|item| expected[*item] != found[*item]) {
            let [expected, found] = [expected[item], found[item]];
            return Some(format!(
                "{family}, n = {n}, run {run}, item {item}: {expected} expected, {found} found"
            ));
        }
    }
    let bits = key_bits?;
    let masked: Vec<u32> = keys.iter().map(|key| key & ((1 << bits) - 1)).collect();
    let (order, batches) = cpu::batches(&expected, &masked);
    let [order_buffer, starts, draw_keys] = [layers.draw_order(), layers.batch_starts(), layers.draw_keys()]
        .map(|buffer| buffer.expect("there are batch keys"));
    let Some(Count::Gpu { buffer: count, word }) = layers.n_batches() else { panic!("it is on the GPU") };
    let n_batches = read::<u32>(count, word as usize + 1)[word as usize] as usize;
    let first: Vec<u32> = batches.iter().map(|batch| batch.first).collect();
    let draw_key = |item: &u32| {
        let item = *item as usize;
        ((expected[item] - 1) << bits) | masked[item]
    };
    let is_right = n_batches == batches.len()
        && read::<u32>(starts, n_batches) == first
        && read::<u32>(draw_keys, n) == order.iter().map(draw_key).collect::<Vec<_>>()
        && read::<u32>(order_buffer, n) == order;
    (!is_right).then(|| format!("{family}, n = {n}, {bits} bits of a key: other batches"))
}

/// Boxes of any kind, and others that are special for this stage.
fn families(n: usize) -> Vec<(&'static str, Vec<Aabb>)> {
    let mut families: Vec<_> =
        box_families().iter().map(|family| (family.name, family.generate(n, 3))).collect();
    let square = |i: usize| {
        let x = f64::from(small(2 * i));
        Aabb::new(x, 0.0, x + 1.0, 1.0).expect("no NaN")
    };
    families.push(("each box of a block again", (0..n).map(|i| square(i % BLOCK)).collect()));
    let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
    families
        .push(("inverted boxes", (0..n).map(|i| if i % 2 == 0 { inverted } else { Aabb::PLANE }).collect()));
    families
}

fn first_difference(context: &Context, sizes: &[usize], key_bits: Option<u32>) -> Option<String> {
    let families = sizes.iter().flat_map(|n| families(*n));
    families.into_iter().find_map(|(name, boxes)| difference(context, name, &boxes, key_bits))
}

#[test]
fn the_layers_are_those_of_the_specification_at_every_border() {
    let context = Context::new(&gpu().device);
    let sizes: Vec<usize> = sampled(SIZES).collect();
    assert_eq!(first_difference(&context, &sizes, Some(0)), None);
    assert_eq!(first_difference(&context, &[0, 257, BLOCK + 1], None), None);
}

/// What differs if only items of the same scope are compared.
fn difference_in_scopes(context: &Context) -> Option<String> {
    [1, 33, 300, BLOCK + 300].into_iter().find_map(|n| {
        families(n).into_iter().find_map(|(family, boxes)| {
            let mut random = Random::new(n as u64);
            // Scopes alternate, and their numbers are large, too.
            let scopes: Vec<u32> = (0..n).map(|_| [0, 1, 7, u32::MAX][random.below(4)]).collect();
            let (box_buffer, scope_buffer) = (buffer(&boxes), buffer(&scopes));
            let layers = Layers::new(context, Items::new(&box_buffer, small(n)), Some(&scope_buffer));
            let layers = layers.expect("the input is within the limits");
            record(|pass| layers.record(pass));
            let is_right =
                read::<u32>(layers.layers(), n) == boxwood_cpu::Layers::new().in_scopes(&boxes, &scopes);
            (!is_right).then(|| format!("{family}, n = {n}, in scopes"))
        })
    })
}

#[test]
fn only_items_of_a_scope_are_compared() {
    let context = Context::new(&gpu().device);
    assert_eq!(difference_in_scopes(&context), None);
    // One scope is the same as none.
    let boxes = box_family("windows").expect("it exists").generate(500, 4);
    let (box_buffer, scopes) = (buffer(&boxes), buffer(&[3_u32; 500]));
    let layers = Layers::new(&context, Items::new(&box_buffer, 500), Some(&scopes));
    let layers = layers.expect("it is within the limits");
    record(|pass| layers.record(pass));
    assert_eq!(read::<u32>(layers.layers(), 500), cpu::layers(&boxes));
}

#[test]
fn batches_are_runs_of_a_layer_and_a_key() {
    let context = Context::new(&gpu().device);
    for family in ["windows", "nested panels", "small boxes", "staircase"] {
        for n in [0, 1, 2, 700, BLOCK, BLOCK + 100] {
            let boxes = box_family(family).expect("it exists").generate(n, 4);
            for bits in [0, 1, 2, 5, Layers::max_key_bits(small(n))] {
                assert_eq!(difference(&context, family, &boxes, Some(bits)), None);
            }
        }
    }
}

/// The picture is the law: each pixel has the number of the item that was drawn last.
#[test]
fn the_draw_order_gives_the_picture_of_the_paint_order() {
    let context = Context::new(&gpu().device);
    let pixels = TileGrid { width: 300, height: 300, lg_tile: 0 };
    let in_picture = |own: Aabb| {
        let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|v| (f64::from(v) / 35.0).round());
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    };
    for family in ["windows", "nested panels", "drawing", "the plane among small boxes"] {
        let generated = box_family(family).expect("it exists").generate(3000, 5);
        let boxes: Vec<Aabb> = generated.into_iter().map(in_picture).collect();
        let (box_buffer, keys) = (buffer(&boxes), buffer(&(0..3000).map(|i| i % 3).collect::<Vec<u32>>()));
        let layers = Layers::with_batches(&context, Items::new(&box_buffer, 3000), None, &keys, 2);
        let layers = layers.expect("the input is within the limits");
        record(|pass| layers.record(pass));
        let order: Vec<u32> = read(layers.draw_order().expect("there are batch keys"), 3000);
        let picture = |order: &mut dyn Iterator<Item = u32>| {
            let mut picture = vec![u32::MAX; 300 * 300];
            for item in order {
                let Rectangle { x0, y0, x1, y1 } = pixels.touched(boxes[item as usize]);
                (y0..y1).for_each(|y| picture[(300 * y + x0) as usize..(300 * y + x1) as usize].fill(item));
            }
            picture
        };
        assert!(picture(&mut order.into_iter()) == picture(&mut (0..3000)), "{family}");
    }
}

#[test]
fn the_number_of_items_can_change_and_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let boxes = box_family("windows").expect("it exists").generate(5000, 6);
    let (box_buffer, count) = (buffer(&boxes), buffer(&[9, 4100_u32, 1 << 30]));
    let keys = buffer(&vec![0_u32; 5000]);
    let new = |count| {
        let items = Items { buffer: &box_buffer, count, capacity: 5000 };
        Layers::with_batches(&context, items, None, &keys, 0).expect("it is within the limits")
    };
    let is_right = |layers: &Layers, n: usize| {
        record(|pass| layers.record(pass));
        let expected = boxwood_cpu::Layers::new().of(&boxes[..n]).to_vec();
        assert_eq!(read::<u32>(layers.layers(), n), expected);
        let order = layers.draw_order().expect("there are batch keys");
        assert_eq!(read::<u32>(order, n), cpu::batches(&expected, &vec![0; n]).0);
    };
    let layers = new(Count::Host(5000));
    for n in [5000, 2047, 300, 0, 4097] {
        layers.set_count(&gpu().queue, n).expect("it is within the capacity");
        is_right(&layers, n as usize);
    }
    let error = SpatialError::AboveCapacity { n: 5001, capacity: 5000 };
    assert_eq!(layers.set_count(&gpu().queue, 5001), Err(error));
    for (word, n) in [(1, 4100), (2, 5000)] {
        is_right(&new(Count::Gpu { buffer: &count, word }), n);
    }
}

#[test]
fn boxes_that_are_none_have_some_layer_and_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
    let boxes = [Aabb::PLANE, nan, inverted, Aabb::PLANE, nan];
    let box_buffer = buffer(&boxes);
    let layers = Layers::new(&context, Items::new(&box_buffer, 5), None).expect("it is within the limits");
    record(|pass| layers.record(pass));
    let found: Vec<u32> = read(layers.layers(), 5);
    assert_eq!([found[0], found[2]], [1, 1]);
    assert!(found.iter().all(|layer| (1..=5).contains(layer)), "{found:?}");
}

#[test]
fn too_many_items_and_bits_are_refused() {
    let context = Context::new(&gpu().device);
    let (boxes, keys) = (buffer(&[Aabb::PLANE; 9]), buffer(&[0_u32; 8]));
    let error =
        |boxes, n, scopes| Layers::new(&context, Items::new(boxes, n), scopes).expect_err("it is too large");
    let error_of_keys = |n, key_bits| {
        let layers = Layers::with_batches(&context, Items::new(&boxes, n), None, &keys, key_bits);
        layers.expect_err("it is too large")
    };
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    let out_of_range = |name, value, limit| SpatialError::OutOfRange { name, value, limit };
    assert_eq!(error(&boxes, 10, None), too_large("boxes", 10, 9));
    assert_eq!(error(&boxes, 9, Some(&keys)), too_large("scopes", 9, 8));
    assert_eq!(error_of_keys(9, 0), too_large("keys", 9, 8));
    assert_eq!(error_of_keys(8, 30), out_of_range("key_bits", 30, 29));
    let many = buffer(&vec![Aabb::EMPTY; (1 << 20) + 1]);
    let too_many = SpatialError::TooManyItems { need: (1 << 20) + 1, limit: 1 << 20 };
    assert_eq!(error(&many, (1 << 20) + 1, None), too_many);
}

/// Invocations read each other's layers while these are found. The order must not matter.
#[test]
#[ignore = "takes minutes on software Vulkan"]
fn a_thousand_runs_find_the_same_layers() {
    let context = Context::new(&gpu().device);
    for (family, n) in [("windows", 2048), ("windows", 5000), ("identical boxes", 300)] {
        let boxes = box_family(family).expect("it exists").generate(n, 7);
        let (box_buffer, expected) = (buffer(&boxes), boxwood_cpu::Layers::new().of(&boxes).to_vec());
        let layers = Layers::new(&context, Items::new(&box_buffer, small(n)), None);
        let layers = layers.expect("the input is within the limits");
        for run in 0..1000 {
            record(|pass| layers.record(pass));
            assert!(read::<u32>(layers.layers(), n) == expected, "{family}, run {run}");
        }
    }
}

#[test]
#[ignore = "takes minutes on software Vulkan"]
fn the_layers_of_many_items_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    for family in ["nested panels", "windows", "drawing", "small boxes", "staircase"] {
        let boxes = box_family(family).expect("it exists").generate(40_000, 8);
        assert_eq!(difference(&context, family, &boxes, Some(3)), None);
    }
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("layers_overlap", "|| is_empty(own)", ""),
    ("layers_overlap_scopes", "own_scope == span_scopes[place]", "true"),
    ("layers_overlap_scopes", "scopes[min(source, n - 1u)]", "scopes[min(local, n - 1u)]"),
    ("layers_overlap_scopes", "own_scope = scopes[min(item, n - 1u)]", "own_scope = scopes[local]"),
    ("layers_overlap_earlier_scopes", "own_scope == span_scopes[place]", "true"),
    ("layers_overlap_earlier_scopes", "own_scope = scopes[min(item, n - 1u)]", "own_scope = scopes[local]"),
    ("layers_overlap", "vec4(a.xy, b.xy) < vec4(b.zw, a.zw)", "vec4(a.xy, b.xy) <= vec4(b.zw, a.zw)"),
    ("layers_overlap", "vec4(a.xy, b.xy) < vec4(b.zw, a.zw)", "vec4(a.xy, b.x, a.y) < vec4(b.zw, a.zw)"),
    ("layers_overlap", "index >= SPANS_PER_GROUP * 3u", "index > SPANS_PER_GROUP * 3u"),
    ("layers_overlap", "octet < 32u", "octet < 24u"),
    ("layers_overlap", "min(n_of_word, vec4(31u))) - 1u", "min(n_of_word, vec4(31u)))"),
    ("layers_overlap", "n_of_word == vec4(32u)", "n_of_word == vec4(31u)"),
    ("layers_overlap_earlier", "index / GROUPS_PER_BLOCK", "index / GROUPS_PER_BLOCK + 1u"),
    ("layers_overlap_earlier", "(span - config.first / SPAN_LENGTH)", "span"),
    ("layers_overlap_earlier", "octet < SPAN_LENGTH", "octet < SPAN_LENGTH - 8u"),
    ("layers_overlap_earlier", "most > atomicLoad(&largest[place])", "most < atomicLoad(&largest[place])"),
    ("layers_overlap_earlier", "layers[min(source, n - 1u)]", "layers[local]"),
    ("layers_resolve", "largest[place] = 0u", "largest[place] = 1u"),
    ("layers_resolve", "rest &= rest - 1u", "rest &= rest - 2u"),
    ("layers_resolve", "13u < SPANS_PER_GROUP * group", "14u < SPANS_PER_GROUP * group"),
    ("layers_resolve", "pending[4u + 3u] = high[3u]", "pending[4u + 3u] = high[2u]"),
    ("layers_resolve", "is_stopped = layer == 0u", "is_stopped = false"),
    ("layers_resolve", "round < WORKGROUP_SIZE", "round < 8u"),
    ("layers_resolve", "n_settled_groups = group + 1u", "n_settled_groups = group + 2u"),
    ("layers_resolve", "layers[config.first + place]", "layers[place]"),
    ("layers_resolve_keys", " & ((1u << config.key_bits) - 1u)", ""),
    ("layers_resolve_keys", "(most << config.key_bits)", "(most + 1u << config.key_bits)"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let context = Context::new(&gpu().device);
    // An invocation then looks only once between barriers. Otherwise a device that runs the
    // invocations one after the other settles all of them in one round.
    let looking_once = |source: &dyn Fn(&Shader) -> String| {
        context.with_changes(|shader| source(shader).replace("LOOKS_PER_ROUND = 4u", "LOOKS_PER_ROUND = 1u"))
    };
    let sizes = [300, BLOCK + 300];
    assert_eq!(first_difference(&looking_once(&bounded_source), &sizes, None), None);
    assert_all_caught(FAULTS, looking_once, |broken, shader| {
        if shader.ends_with("scopes") {
            return difference_in_scopes(broken).is_some();
        }
        first_difference(broken, &sizes, shader.ends_with("keys").then_some(0)).is_some()
    });
}
