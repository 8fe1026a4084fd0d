//! Stage *occlusion* keeps the elements that the specification keeps.

pub(super) mod boxes;

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Count, Covers, Damage, FrameBuffers, Items, Layers, Occlusion, SpatialError};
use boxwood_cpu::specification::spatial::{self as cpu, Order, TileGrid};
use boxwood_tests::{
    Fault, Gpu, Random, assert_all_caught, bounded_source, box_families, box_family, gpu, gpu_with_limits,
    sampled,
};

use super::{buffer, read, record, rectangles_of_tiles};

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// The elements of a picture, and the tiles of it.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    grid: TileGrid,
    boxes: Vec<Aabb>,
    inner_boxes: Vec<Aabb>,
}

impl Case {
    /// The visible ones of the first `n` elements.
    fn expected(&self, n: usize) -> Vec<u32> {
        cpu::visible(&self.boxes[..n], &self.inner_boxes[..n], self.grid)
    }

    /// What differs from the specification, if anything does.
    fn difference(&self, context: &Context) -> Option<String> {
        let Self { name, grid, boxes, inner_boxes } = self;
        let n = boxes.len();
        let inner_boxes = buffer(inner_boxes);
        let covers = Covers::Tiles { inner_boxes: Items::new(&inner_boxes, small(n)), grid: *grid };
        let occlusion = Occlusion::new(context, &buffer(boxes), covers);
        let occlusion = occlusion.expect("the input is within the limits");
        // The second run is over the buffers that the first one leaves.
        for n in [n, n / 2] {
            occlusion.set_count(&gpu().queue, small(n)).expect("it is within the capacity");
            record(|pass| occlusion.record(pass));
            let found: Vec<u32> = read(occlusion.visible(), n.div_ceil(32));
            if let Some(word) =
                found.iter().zip(self.expected(n)).position(|(found, expected)| *found != expected)
            {
                return Some(format!("{name}, n = {n}, {grid:?}, another word {word}"));
            }
        }
        None
    }
}

/// The pictures: without pixels, of a pixel, and with numbers of tiles around every border.
fn grids() -> Vec<TileGrid> {
    let sizes = [(0, 0), (1, 1), (16, 17), (500, 520), (1920, 1080), (4096, 300), (300, 4096), (4096, 4096)];
    let mut grids: Vec<TileGrid> =
        sizes.iter().map(|(width, height)| TileGrid::new(*width, *height)).collect();
    grids.push(TileGrid { width: 511, height: 127, lg_tile: 1 });
    grids
}

const MOST_TILES: u32 = TileGrid::MAX_TILES * TileGrid::MAX_TILES;

fn n_tiles(grid: TileGrid) -> u32 {
    let [n_columns, n_rows] = grid.n_tiles();
    n_columns * n_rows
}

/// Boxes of every family in the picture, of which this share, in percent, is opaque.
fn cases(sizes: &[usize], grids: &[TileGrid]) -> Vec<Case> {
    let mut cases = Vec::new();
    let random = &mut Random::new(8);
    // The picture with the most tiles takes long on a software adapter. It has the last case alone.
    let for_families: Vec<_> = grids.iter().filter(|grid| n_tiles(**grid) < MOST_TILES).collect();
    for (i, family) in box_families().into_iter().enumerate() {
        for (k, n) in sizes.iter().enumerate() {
            let grid = *for_families[(i + k) % for_families.len()];
            // Most families are in a square of side 10,000.
            let scale = f64::from(grid.width.max(grid.height).max(1)) / 10_000.0;
            let scaled = |own: Aabb| {
                let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|v| scale * f64::from(v));
                Aabb::new(x0, y0, x1, y1).expect("no NaN")
            };
            let boxes: Vec<Aabb> = family.generate(*n, 5).into_iter().map(scaled).collect();
            for percent in [3, 100] {
                let inner = |own: &Aabb| if random.percent(percent) { *own } else { Aabb::EMPTY };
                let inner_boxes = boxes.iter().map(inner).collect();
                cases.push(Case { name: family.name.to_owned(), grid, boxes: boxes.clone(), inner_boxes });
            }
        }
    }
    // Every third element is opaque.
    cases.extend(grids.iter().map(|grid| {
        let mut boxes = rectangles_of_tiles(*grid, 600, random);
        boxes[30] = Aabb::PLANE;
        let inner = |(i, own): (usize, &Aabb)| if i.is_multiple_of(3) { *own } else { Aabb::EMPTY };
        let inner_boxes = boxes.iter().enumerate().map(inner).collect();
        Case { name: "rectangles of tiles".to_owned(), grid: *grid, boxes, inner_boxes }
    }));
    cases
}

fn first_difference(context: &Context, cases: &[Case]) -> Option<String> {
    cases.iter().find_map(|case| case.difference(context))
}

#[test]
fn the_visible_elements_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    let sizes = [0, 1, 33, 255, 257, 700];
    let cases: Vec<Case> = sampled(cases(&sizes, &grids())).collect();
    assert_eq!(first_difference(&context, &cases), None);
}

/// The picture is the law: an element is visible if a pixel has its number.
#[test]
fn hiding_the_occluded_elements_changes_no_pixel() {
    let context = Context::new(&gpu().device);
    let mut n_hidden = [0, 0];
    for case in cases(&[300], &[PICTURE]) {
        assert_eq!(case.difference(&context), None);
        let all = picture(&case, &vec![u32::MAX; case.boxes.len().div_ceil(32)]);
        let inner_boxes = case.inner_boxes.iter().copied().map(whole_pixels_inside).collect();
        let case = Case { inner_boxes, ..case };
        let by_boxes = boxes::Case { order: Order::Hilbert, case, scope_starts: None };
        assert_eq!(by_boxes.difference(&context), None);
        let n = by_boxes.case.boxes.len();
        for (k, visible) in [by_boxes.case.expected(n), by_boxes.expected(n)].into_iter().enumerate() {
            assert!(all == picture(&by_boxes.case, &visible), "{}", by_boxes.case.name);
            n_hidden[k] += n_hidden_in_picture(&by_boxes.case, &visible);
        }
    }
    assert!(n_hidden.iter().all(|n| *n > 500), "only {n_hidden:?} elements are hidden");
}

/// The whole pixels inside a box. Below the others at its edges, something can be seen.
fn whole_pixels_inside(own: Aabb) -> Aabb {
    let [x0, y0] = [own.x0, own.y0].map(|edge| f64::from(edge).ceil());
    let [x1, y1] = [own.x1, own.y1].map(|edge| f64::from(edge).floor());
    Aabb::new(x0, y0, x1, y1).expect("no NaN")
}

/// The picture that is painted pixel by pixel.
const PICTURE: TileGrid = TileGrid { width: 300, height: 260, lg_tile: 4 };
const PIXELS: TileGrid = TileGrid { lg_tile: 0, ..PICTURE };

fn is_visible(mask: &[u32], i: usize) -> bool {
    (mask[i / 32] >> (i % 32)) & 1 == 1
}

/// The visible elements of each pixel. Those that are not opaque are painted over what is below
/// them.
fn picture(case: &Case, visible: &[u32]) -> Vec<Vec<usize>> {
    let mut picture = vec![Vec::new(); (PIXELS.width * PIXELS.height) as usize];
    for i in (0..case.boxes.len()).filter(|i| is_visible(visible, *i)) {
        let inner = PIXELS.covered(case.inner_boxes[i]);
        for [x, y] in PIXELS.touched(case.boxes[i]).positions() {
            let pixel: &mut Vec<usize> = &mut picture[(PIXELS.width * y + x) as usize];
            if inner.contains([x, y]) {
                pixel.clear();
            }
            pixel.push(i);
        }
    }
    picture
}

/// The number of elements within the picture that are hidden.
fn n_hidden_in_picture(case: &Case, visible: &[u32]) -> usize {
    let is_hidden = |i: &usize| !is_visible(visible, *i) && !PIXELS.touched(case.boxes[*i]).is_empty();
    (0..case.boxes.len()).filter(is_hidden).count()
}

#[test]
fn the_number_of_elements_can_change_and_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let grid = TileGrid::new(800, 600);
    let boxes = box_family("windows").expect("it exists").generate(600, 4);
    let expected = |n: usize| cpu::visible(&boxes[..n], &boxes[..n], grid);
    let (box_buffer, count) = (buffer(&boxes), buffer(&[3_u32, 301, 5000]));
    let new = |count| {
        let inner_boxes = Items { buffer: &box_buffer, count, capacity: 600 };
        let occlusion = Occlusion::new(&context, &box_buffer, Covers::Tiles { inner_boxes, grid });
        occlusion.expect("it is within the limits")
    };
    let found = |occlusion: &Occlusion, n: usize| {
        record(|pass| occlusion.record(pass));
        read::<u32>(occlusion.visible(), n.div_ceil(32))
    };
    let occlusion = new(Count::Host(600));
    for n in [600, 257, 0, 31] {
        occlusion.set_count(&gpu().queue, n).expect("it is within the capacity");
        assert_eq!(found(&occlusion, n as usize), expected(n as usize));
    }
    let error = SpatialError::AboveCapacity { n: 601, capacity: 600 };
    assert_eq!(occlusion.set_count(&gpu().queue, 601), Err(error));
    for (word, n) in [(1, 301), (2, 600)] {
        assert_eq!(found(&new(Count::Gpu { buffer: &count, word }), n), expected(n));
    }
}

#[test]
fn boxes_that_are_none_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let inverted = Aabb { x0: 90.0, y0: 90.0, x1: 1.0, y1: 1.0 };
    let small = Aabb { x0: 1.0, y0: 1.0, x1: 9.0, y1: 9.0 };
    let (boxes, inner_boxes) = (buffer(&[inverted, nan, small]), buffer(&[nan, inverted, Aabb::EMPTY]));
    let covers = Covers::Tiles { inner_boxes: Items::new(&inner_boxes, 3), grid: TileGrid::new(100, 100) };
    let occlusion = Occlusion::new(&context, &boxes, covers).expect("it is within the limits");
    record(|pass| occlusion.record(pass));
    assert_eq!(read::<u32>(occlusion.visible(), 1)[0] & 0b101, 0b100);
}

#[test]
fn buffers_without_room_are_refused() {
    let context = Context::new(&gpu().device);
    let (boxes, inner_boxes) = (buffer(&[Aabb::PLANE; 9]), buffer(&[Aabb::PLANE; 8]));
    let error_of = |boxes, inner_boxes, n, grid| {
        let covers = Covers::Tiles { inner_boxes: Items::new(inner_boxes, n), grid };
        Occlusion::new(&context, boxes, covers).expect_err("it is too large")
    };
    let error = |n, grid| error_of(&boxes, &inner_boxes, n, grid);
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    let out_of_range = |name, value, limit| SpatialError::OutOfRange { name, value, limit };
    let grid = TileGrid::new(100, 100);
    assert_eq!(error_of(&inner_boxes, &boxes, 9, grid), too_large("boxes", 9, 8));
    assert_eq!(error(9, grid), too_large("inner_boxes", 9, 8));
    assert_eq!(error(8, TileGrid { lg_tile: 3, ..TileGrid::new(1, 4096) }), out_of_range("tiles", 512, 256));
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("occlusion_cover", "element + 1u", "element"),
    ("occlusion_cover", "if is_other.x", "if false"),
    ("occlusion_cover", "if is_other.y", "if false"),
    ("occlusion_cover", "if all(is_other)", "if false"),
    ("occlusion_cover", "pixels(ceil(own.xy))", "pixels(floor(own.xy))"),
    ("occlusion_cover", "(low + last)", "low"),
    (
        "occlusion_cover",
        "vec2(config.n_columns, config.n_rows), is_end",
        "vec2(config.n_columns, config.n_rows), vec2(false)",
    ),
    ("occlusion_push_columns", "index % config.n_rows", "index / config.n_row_levels"),
    ("occlusion_push_columns", "let width = 1u << 6u", "let width = 2u << 6u"),
    ("occlusion_push_columns", "max(wider, left)", "left"),
    (
        "occlusion_push_columns",
        "select(0u, levels[3u], 3u == 0u)",
        "select(levels[3u], levels[3u], 3u == 0u)",
    ),
    ("occlusion_push_rows", "covers[at] = 0u", "covers[at] = levels[0u]"),
    ("occlusion_push_rows", "let height = 1u << 6u", "let height = 2u << 6u"),
    ("occlusion_push_rows", "max(taller, above)", "above"),
    ("occlusion_push_rows", "local + (1u << 2u)", "local + (2u << 2u)"),
    ("occlusion_least", "local + (1u << 6u)", "local + (2u << 6u)"),
    ("occlusion_least", "7u + 1u < config.n_column_levels", "8u + 1u < config.n_column_levels"),
    ("occlusion_least", "own = min(own, ", "own = max(own, "),
    ("occlusion_test", "<= element + 1u", "<= element"),
    ("occlusion_test", "tiles.zw - (vec2(1u) << level)", "tiles.xy"),
    ("occlusion_test", "min(upper, lower)", "upper"),
    ("occlusion_test", "visible[word] =", "visible[local] ="),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let mut cases = cases(&[300], &grids()[3..]);
    // Small pictures show most faults.
    cases.sort_by_key(|case| n_tiles(case.grid));
    assert_eq!(first_difference(&unbroken, &cases), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| first_difference(broken, &cases).is_some(),
    );
}

/// The shaders do not check their indices, so a stage must not bind a part of its own buffers.
#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the limits of a browser are WebGPU's defaults or higher")]
fn working_memory_beyond_a_binding_is_refused() {
    let max_storage_buffer_binding_size = 1 << 18;
    let limits = wgpu::Limits { max_storage_buffer_binding_size, ..gpu().device.limits() };
    let narrow = gpu_with_limits(limits);
    let context = Context::new(&narrow.device);
    let own = narrow.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16 * 600,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let items = Items::new(&own, 600);
    let is_refused = |result: Option<SpatialError>, name: &str| {
        let limit = max_storage_buffer_binding_size / 4;
        let is_too_large = matches!(result, Some(SpatialError::TooLarge { buffer, limit: found, .. })
            if buffer == name && found == limit);
        assert!(is_too_large, "{name}: {result:?}");
    };
    let grid = TileGrid::new(4096, 4096);
    let tiles = Occlusion::new(&context, &own, Covers::Tiles { inner_boxes: items, grid });
    is_refused(tiles.err(), "covers");
    let frames = [FrameBuffers { boxes: items, signatures: &own }; 2];
    is_refused(Damage::new(&context, frames, None, grid, 16).err(), "touched");
    is_refused(Layers::new(&context, items, None).err(), "overlaps");
    let small = TileGrid::new(64, 64);
    assert!(Occlusion::new(&context, &own, Covers::Tiles { inner_boxes: items, grid: small }).is_ok());
    // Even without items, a shader binds one of them.
    let error =
        Occlusion::new(&context, &own, Covers::Tiles { inner_boxes: Items::new(&word(&narrow), 0), grid });
    assert!(matches!(error, Err(SpatialError::TooLarge { need: 1, .. })), "{error:?}");
}

/// A buffer of one word.
fn word(gpu: &Gpu) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE;
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4,
        usage,
        mapped_at_creation: false,
    })
}
