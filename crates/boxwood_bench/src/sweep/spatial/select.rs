//! Stage *select*.

use boxwood::native::Gpu;
use boxwood::spatial::{Items, Predicate, Select};
use boxwood::{Aabb, Context, read_items};
use boxwood_cpu::specification::spatial as cpu;

use crate::error::BenchError;
use crate::measure::{time_on_cpu, uploaded};
use crate::record::SPECIFICATION;
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::Random;

/// The side of the square that the boxes are in.
const SIDE: usize = 4096;

/// Selects half of the items: by a mask, and by a rectangle with the boxes.
pub(super) fn measure(session: &mut Session<'_>, context: &Context, n: u32) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let mut random = Random::new(1);
    let words: Vec<u32> = (0..n.div_ceil(32)).map(|_| random.word()).collect();
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
        session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
        let input = box_buffer.as_ref().unwrap_or(&mask);
        let items = Items::new(input, n);
        let select = match &box_buffer {
            Some(boxes) => Select::with_boxes(context, Predicate::Overlapping, items, boxes),
            None => Select::new(context, Predicate::Mask, items),
        };
        let Ok(select) = select else { continue };
        select.set_region(queue, half);
        let seconds = session.timer.time(|pass| select.record(pass))?;
        let results = [(select.draw_arguments(), 2), (select.selected(), expected.len())];
        let with_read_back = session.timer.time_with_read_back(|pass| select.record(pass), &results)?;
        let count: Vec<u32> = read_items(device, queue, select.draw_arguments(), 2)?;
        let is_right = count[1] as usize == expected.len()
            && read_items::<u32>(device, queue, select.selected(), expected.len())? == expected;
        session.add(Measured { variant: "scatter", seconds, with_read_back, is_right, ..measured })?;
    }
    Ok(())
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
