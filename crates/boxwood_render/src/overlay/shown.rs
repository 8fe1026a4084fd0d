//! The boxes of some elements only.

use boxwood_cpu::{ElementKind, Entry, tag};
use wgpu::util::DeviceExt as _;

/// Draw tags and entries of the node stream in place of those of the stage, so that the overlay has
/// the boxes of some elements only. The others are no-ops and ends, which have no outline.
#[derive(Debug)]
pub(crate) struct ShownBoxes {
    pub(crate) draw_tags: wgpu::Buffer,
    pub(crate) entries: wgpu::Buffer,
}

impl ShownBoxes {
    /// The boxes of the elements with these draw tags for which `shown` has `true` or no entry.
    /// `n_before` is the number of elements before them in the boxes that are drawn.
    pub(crate) fn new(device: &wgpu::Device, tags: &[u32], shown: &[bool], n_before: usize) -> Self {
        let (draw_tags, entries) = words(tags, shown, n_before);
        let buffer = |words: &[u32]| {
            // wgpu refuses to bind an empty buffer.
            let contents: &[u8] = if words.is_empty() { &[0; 4] } else { bytemuck::cast_slice(words) };
            let (label, usage) = (Some("boxwood.overlay.shown"), wgpu::BufferUsages::VERTEX);
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label, contents, usage })
        };
        Self { draw_tags: buffer(&draw_tags), entries: buffer(bytemuck::cast_slice(&entries)) }
    }
}

fn words(tags: &[u32], shown: &[bool], n_before: usize) -> (Vec<u32>, Vec<Entry>) {
    let (mut draw_tags, mut entries) = (vec![tag::NOP; n_before], Vec::new());
    for (element, draw_tag) in tags.iter().enumerate() {
        let is_shown = shown.get(element).is_none_or(|is_shown| *is_shown);
        draw_tags.push(if is_shown { *draw_tag } else { tag::NOP });
        match ElementKind::of(*draw_tag) {
            ElementKind::Begin if is_shown => entries.push(Entry::begin(element)),
            ElementKind::Begin | ElementKind::End => entries.push(Entry::end(element)),
            ElementKind::Leaf | ElementKind::Nop => {}
        }
    }
    (draw_tags, entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_are_not_shown_are_no_ops_and_ends() {
        let tags = [tag::BEGIN, tag::LEAF, tag::BEGIN, tag::LEAF, tag::END, tag::END];
        let (all, entries) = words(&tags, &[], 0);
        assert_eq!(all, tags);
        assert_eq!(entries, [Entry::begin(0), Entry::begin(2), Entry::end(4), Entry::end(5)]);
        let (some, entries) = words(&tags, &[false, true, true, false], 1);
        assert_eq!(some, [tag::NOP, tag::NOP, tag::LEAF, tag::BEGIN, tag::NOP, tag::END, tag::END]);
        assert_eq!(entries, [Entry::end(0), Entry::begin(2), Entry::end(4), Entry::end(5)]);
    }
}
