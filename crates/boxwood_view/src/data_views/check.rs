//! The boxes that the adapter computes, compared with the specification, as `boxwood check` does.

use boxwood::native::Gpu;
use boxwood::{Context, Outputs, SceneBoxes};
use boxwood_cpu::{Boxes, Scene};
use boxwood_render::{RenderError, with_sources};
use boxwood_vello::checked;
use bytemuck::Pod;

use super::DataView;
use super::analysis::{Analysis, Entry, Mark, counted};
use crate::model::Model;

pub(super) fn analysis(gpu: Option<&Gpu>, model: &Model) -> Analysis {
    let view = DataView::Check;
    let Some(gpu) = gpu else {
        return Analysis::saying(view, "There is no adapter to compare with.".to_owned());
    };
    let adapter = gpu.adapter.get_info().name;
    // A device of its own, so that the picture does not wait.
    let opened = gpu.open_again().map_err(|error| with_sources(&error));
    let found =
        opened.and_then(|gpu| boxes_on(&gpu, &model.drawing.elements).map_err(|error| with_sources(&error)));
    match found {
        Ok(found) => compared(&found, model, &adapter),
        Err(error) => Analysis::saying(view, format!("{adapter} cannot compute the boxes: {error}")),
    }
}

/// The boxes of a scene, computed on a device.
fn boxes_on(Gpu { device, queue, .. }: &Gpu, scene: &Scene) -> Result<Boxes, RenderError> {
    checked(device, RenderError::Device, || {
        let mut buffers = SceneBoxes::new(&Context::new(device), Outputs::all());
        buffers.update(queue, scene)?;
        let label = Some("boxwood.check");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        Ok(buffers.read_back(queue)?)
    })
}

/// The elements whose values differ from those of the specification, and the fields in which they
/// do. Fields that other fields depend on come first.
pub(super) fn compared(found: &Boxes, model: &Model, adapter: &str) -> Analysis {
    let expected = model.boxes();
    let elements: Vec<usize> = (0..expected.ranks.len()).collect();
    let entries: Vec<usize> = expected.entries.iter().map(|entry| entry.element()).collect();
    let fields = [
        ("entries", differing(&found.entries, &expected.entries, &entries)),
        ("ranks", differing(&found.ranks, &expected.ranks, &elements)),
        ("links", differing(&found.links, &expected.links, &entries)),
        ("clip_boxes", differing(&found.clip_boxes, &expected.clip_boxes, &entries)),
        ("clipped_boxes", differing(&found.clipped_boxes, &expected.clipped_boxes, &elements)),
        ("group_boxes", differing(&found.group_boxes, &expected.group_boxes, &entries)),
    ];
    let n_different: usize = fields.iter().map(|(_, elements)| elements.len()).sum();
    let all = counted(elements.len(), "element", "elements");
    let sentence = match n_different {
        0 => format!("Equal, bit for bit: {all} on {adapter}."),
        n => format!("DIFFERENT: {} of {all} on {adapter}.", counted(n, "value", "values")),
    };
    let (mut marks, mut entries) = (Vec::new(), Vec::new());
    for (class, (field, elements)) in fields.iter().enumerate() {
        for &element in elements {
            let source = model.drawing.table[element].source;
            let bounds = model.facts(source).clipped_box;
            if !bounds.is_empty() {
                marks.push(Mark { bounds, class, source: Some(source) });
            }
            entries.push(Entry { source, text: format!("{field} of element {element}") });
        }
    }
    let class = |(field, elements): &(&str, Vec<usize>)| {
        format!("{field}: {}", counted(elements.len(), "value differs", "values differ"))
    };
    let classes = fields.iter().map(class).collect();
    Analysis { classes, marks, entries, ..Analysis::saying(DataView::Check, sentence) }
}

/// The elements whose values differ, or are missing. Values that the specification does not have
/// belong to the last element.
fn differing<T: Pod>(found: &[T], expected: &[T], elements: &[usize]) -> Vec<usize> {
    let bytes = bytemuck::bytes_of::<T>;
    let differs = |i: &usize| found.get(*i).map(bytes) != expected.get(*i).map(bytes);
    let element = |i: usize| elements.get(i).or(elements.last()).copied();
    (0..found.len().max(expected.len())).filter(differs).filter_map(element).collect()
}
