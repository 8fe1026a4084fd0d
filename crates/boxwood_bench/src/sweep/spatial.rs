//! The spatial stages, by every algorithm.

use boxwood::native::Gpu;
use boxwood::spatial::{
    Method, Predicate, Select, SelectDescriptor, Sort, SortDescriptor, Sorter, SpatialError, SpatialPipelines,
};
use boxwood::{Aabb, read_items};
use boxwood_cpu::spatial as cpu;

use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::inputs::Random;
use crate::measure::{buffer, time_on_cpu};

/// The side of the square that the boxes are in.
const SIDE: usize = 4096;

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let pipelines = SpatialPipelines::new(&session.gpu.device);
    for k in session.options.sizes(session.options.max) {
        let n = 1_u32 << k;
        select(session, &pipelines, n)?;
        sort(session, &pipelines, n)?;
    }
    Ok(())
}

/// Selects half of the items: by a mask, and by a rectangle with the boxes.
fn select(session: &mut Session<'_>, pipelines: &SpatialPipelines, n: u32) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let mut random = Random::new(1);
    let words: Vec<u32> = (0..n.div_ceil(32)).map(|_| word(&mut random)).collect();
    let boxes: Vec<Aabb> = (0..n).map(|_| small_box(&mut random)).collect();
    let half = Aabb::new(0.0, 0.0, f64::from(f32::MAX), size(SIDE / 2)).expect("no NaN");
    let mask = uploaded(session.gpu, &words);
    let inputs = [
        ("mask", cpu::Predicate::Mask(&words), None),
        ("rectangle", cpu::Predicate::Overlapping(&boxes, half), Some(uploaded(session.gpu, &boxes))),
    ];
    for (family, specified, box_buffer) in inputs {
        let n_items = n as usize;
        let (seconds, expected) = time_on_cpu(session.options.n_runs(), || cpu::select(n_items, &specified));
        let measured = Measured { what: "select", n: n_items, family, ..Measured::default() };
        session.add(Measured { variant: "cpu", seconds, is_right: true, ..measured })?;
        for (method, variant) in [(Method::Scatter, "scatter"), (Method::Search, "search")] {
            let predicate = box_buffer.as_ref().map_or(Predicate::Mask(&mask), Predicate::Overlapping);
            let boxes = box_buffer.as_ref();
            let descriptor = SelectDescriptor { boxes, method, ..SelectDescriptor::new(predicate, n) };
            let Ok(select) = Select::new(device, pipelines, &descriptor) else { continue };
            select.set_region(queue, half);
            let seconds = session.timer.time(|pass| select.record(pass))?;
            let count: Vec<u32> = read_items(device, queue, select.draw_arguments(), 2)?;
            let is_right = count[1] as usize == expected.len()
                && read_items::<u32>(device, queue, select.selected(), expected.len())? == expected;
            session.add(Measured { variant, seconds, is_right, ..measured })?;
        }
    }
    Ok(())
}

/// Sorts random keys with their indices.
fn sort(session: &mut Session<'_>, pipelines: &SpatialPipelines, n: u32) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let mut random = Random::new(2);
    let keys: Vec<u32> = (0..n).map(|_| word(&mut random)).collect();
    let key_buffer = uploaded(session.gpu, &keys);
    let n_items = n as usize;
    for bits in [32, 24] {
        let (seconds, expected) = time_on_cpu(session.options.n_runs(), || cpu::sort(&keys, bits));
        let family = format!("{bits} bits");
        let measured = Measured { what: "sort", n: n_items, family: &family, ..Measured::default() };
        session.add(Measured { variant: "cpu", seconds, is_right: true, ..measured })?;
        for (sorter, variant) in
            [(Sorter::OddEvenMerge, "odd_even"), (Sorter::Bitonic, "bitonic"), (Sorter::Radix, "radix")]
        {
            let descriptor = SortDescriptor { sorter, bits, ..SortDescriptor::new(&key_buffer, n) };
            // An algorithm is skipped if it or the device cannot hold the input.
            let sort = match Sort::new(device, pipelines, &descriptor) {
                Err(SpatialError::TooLarge { .. }) => continue,
                sort => sort.expect("the input is within the limits"),
            };
            let seconds = session.timer.time(|pass| sort.record(pass))?;
            let found: Vec<u32> = read_items(device, queue, sort.sorted_values(), n_items)?;
            session.add(Measured { variant, seconds, is_right: found == expected, ..measured })?;
        }
    }
    Ok(())
}

fn uploaded<T: bytemuck::Pod>(gpu: &Gpu, items: &[T]) -> wgpu::Buffer {
    let uploaded = buffer(&gpu.device, size_of_val(items));
    gpu.queue.write_buffer(&uploaded, 0, bytemuck::cast_slice(items));
    uploaded
}

fn word(random: &mut Random) -> u32 {
    u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits")
}

/// A box with sides of 1 to 16 somewhere in the square.
fn small_box(random: &mut Random) -> Aabb {
    let [x, y] = [(); 2].map(|()| size(random.below(SIDE)));
    let [width, height] = [(); 2].map(|()| size(1 + random.below(16)));
    Aabb::new(x, y, x + width, y + height).expect("no NaN")
}

fn size(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("it is small"))
}
