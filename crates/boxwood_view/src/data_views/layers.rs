//! Layers and batches: the draws that can be made at once, as `boxwood batches` finds them.

use std::cmp::Reverse;

use boxwood_cpu::{Batches, Layers};
use boxwood_svg::{ItemKind, items};

use super::DataView;
use super::analysis::{Analysis, Entry, Mark, counted};
use crate::model::Model;

pub(super) fn analysis(model: &Model) -> Analysis {
    let items = items(&model.drawing);
    let bounds: Vec<_> = items.iter().map(|item| item.bounds).collect();
    let mut layers = Layers::new();
    let layers = layers.of(&bounds);
    let keys: Vec<_> = items.iter().map(|item| item.kind as u32).collect();
    let mut batches = Batches::new();
    let (order, batches) = batches.of(layers, &keys);
    let mut batches = batches.to_vec();
    let n_layers = layers.iter().copied().max().unwrap_or(0) as usize;
    let mut in_layer = vec![[0_usize; 2]; n_layers + 1];
    layers.iter().for_each(|layer| in_layer[*layer as usize][0] += 1);
    batches.iter().for_each(|batch| in_layer[batch.layer as usize][1] += 1);
    let class = |(layer, [items, batches]): (usize, &[usize; 2])| {
        let (items, batches) = (counted(*items, "item", "items"), counted(*batches, "batch", "batches"));
        format!("layer {layer}: {items} in {batches}")
    };
    let sentence = format!(
        "{} in {} and {}.",
        counted(items.len(), "item", "items"),
        counted(n_layers, "layer", "layers"),
        counted(batches.len(), "batch", "batches")
    );
    // Later layers are drawn over earlier ones.
    let mark = |item: &u32| {
        let (item, layer) = (&items[*item as usize], layers[*item as usize]);
        Mark { bounds: item.bounds, class: layer as usize - 1, source: Some(item.source) }
    };
    let marks = order.iter().map(mark).collect();
    batches.sort_by_key(|batch| Reverse(batch.n_items));
    let entries = batches.iter().map(|batch| {
        let kind = ItemKind::ALL[batch.key as usize].word();
        let n_items = counted(batch.n_items as usize, "item", "items");
        let source = items[order[batch.first as usize] as usize].source;
        Entry { source, text: format!("starts a batch of {n_items}: {kind}, layer {}", batch.layer) }
    });
    let entries = entries.collect();
    let classes = in_layer.iter().enumerate().skip(1).map(class).collect();
    Analysis { classes, marks, entries, ..Analysis::saying(DataView::Layers, sentence) }
}
