//! The items of an input, and their number.

use super::check::{MAX_ITEMS, check_items};
use super::error::SpatialError;
use crate::core::context::Context;
use crate::core::limits::max_binding_size;
use crate::core::plan::{Plan, Slot};

/// A list of items in a buffer of the caller.
///
/// The results of one stage can be the items of the next, without waiting for their number. The
/// next one then counts items from the first of them: below, box `i` of the tree is box
/// `kept.selected()[i]` of all.
///
/// ```no_run
/// use boxwood::spatial::{Index, Items, Order, Predicate, Select};
/// # use boxwood::{Context, wgpu};
///
/// # fn example(context: &Context, boxes: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>) -> Result<(), Box<dyn std::error::Error>> {
/// // The boxes with area, and a tree over them alone.
/// let kept = Select::with_boxes(context, Predicate::NotEmpty, Items::new(boxes, 10_000), boxes)?;
/// let kept_boxes = kept.selected_boxes().expect("they are asked for");
/// let items = Items { buffer: kept_boxes, count: kept.n_selected(), capacity: 10_000 };
/// let index = Index::new(context, items, Order::default())?;
///
/// kept.record(pass);
/// index.record(pass);
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// A stage that takes items refuses these:
///
/// - [`SpatialError::TooLarge`] if the buffer has no room for `capacity` items, or for one item if
///   the capacity is 0.
/// - [`SpatialError::TooManyItems`] if the algorithm has no numbers for so many items.
/// - [`SpatialError::AboveCapacity`] if the host's count exceeds the capacity.
/// - [`SpatialError::CountOutside`] if the buffer of the count has no such word.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    /// The items. The buffer needs the usage `STORAGE`, and is not changed.
    pub buffer: &'a wgpu::Buffer,
    /// The number of items.
    pub count: Count<'a>,
    /// The maximum number of items, for which a stage allocates its buffers.
    pub capacity: u32,
}

impl<'a> Items<'a> {
    /// The first `n` items of a buffer. The capacity is `n` too.
    pub fn new(buffer: &'a wgpu::Buffer, n: u32) -> Self {
        Self { buffer, count: Count::Host(n), capacity: n }
    }

    /// Adds the items and their number to a plan.
    pub(crate) fn add_to<Item>(
        self,
        context: &Context,
        plan: &mut Plan<u32>,
        name: &'static str,
    ) -> Result<Counted, SpatialError> {
        let items = plan.given::<Item>(name, self.buffer, self.capacity);
        Ok(Counted { items, count: self.count.add_to(context, plan, self.capacity)? })
    }
}

/// The number of items of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count<'a> {
    /// The host knows it.
    Host(u32),
    /// It is a word of a buffer, which an earlier dispatch writes. The buffer needs the usage
    /// `STORAGE`. Items beyond the capacity do not count.
    Gpu {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// The index of the word.
        word: u32,
    },
}

impl Count<'_> {
    /// Adds the number to a plan.
    pub(super) fn add_to(
        self,
        context: &Context,
        plan: &mut Plan<u32>,
        capacity: u32,
    ) -> Result<CountSlot, SpatialError> {
        check_items(capacity, MAX_ITEMS)?;
        match self {
            Count::Host(n) => {
                check_count(n, capacity)?;
                Ok(CountSlot { buffer: plan.filled("count", &[n]), word: 0, capacity, is_own: true })
            }
            Count::Gpu { buffer, word } => {
                let bound = buffer.size().min(max_binding_size(&context.device().limits()));
                let n_words = bound / size_of::<u32>() as u64;
                if u64::from(word) >= n_words {
                    return Err(SpatialError::CountOutside { word, n_words });
                }
                let buffer = plan.given::<u32>("count", buffer, n_words);
                Ok(CountSlot { buffer, word, capacity, is_own: false })
            }
        }
    }
}

/// Items of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) items: Slot,
    pub(crate) count: CountSlot,
}

/// The number of items of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountSlot {
    /// The buffer that the shaders read the number from.
    pub(crate) buffer: Slot,
    pub(crate) word: u32,
    /// The maximum number.
    pub(crate) capacity: u32,
    /// Whether the host sets it.
    is_own: bool,
}

impl CountSlot {
    /// A number that a dispatch of the plan writes.
    pub(super) fn written(buffer: Slot, word: u32, capacity: u32) -> Self {
        Self { buffer, word, capacity, is_own: false }
    }

    /// Items with this count and capacity.
    pub(crate) fn of(self, items: Slot) -> Counted {
        Counted { items, count: self }
    }
}

/// Checks a number that the host sets.
pub(super) fn check_set(count: CountSlot, n: u32) -> Result<(), SpatialError> {
    if !count.is_own {
        return Err(SpatialError::CountOfCaller);
    }
    check_count(n, count.capacity)
}

fn check_count(n: u32, capacity: u32) -> Result<(), SpatialError> {
    if n > capacity { Err(SpatialError::AboveCapacity { n, capacity }) } else { Ok(()) }
}
