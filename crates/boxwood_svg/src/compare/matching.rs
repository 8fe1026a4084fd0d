//! Which elements of two drawings belong together, and which of them have the same contents.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use boxwood_cpu::ElementKind;

use crate::drawing::Drawing;
use crate::table::{Source, Within};

/// The elements of a new drawing and their partners in an old one.
#[derive(Debug)]
pub(super) struct Matching {
    /// The partner of each source of the new drawing.
    pub(super) sources: Vec<Option<u32>>,
    /// The partner of each element of the new scene. Ends and the contents of masks have none.
    pub(super) partners: Vec<Option<usize>>,
    /// Whether each element of the new scene has the same contents as its partner, in the same
    /// nodes.
    pub(super) is_same: Vec<bool>,
    /// Whether each element of the old scene is a partner.
    is_partner: Vec<bool>,
}

impl Matching {
    pub(super) fn new(drawings: [&Drawing; 2]) -> Self {
        let sources = match_sources(drawings);
        let [old, new] = drawings;
        // The elements of the old scene by their source and role. Those of a pair of sources are
        // partners in their order.
        let mut candidates: HashMap<_, VecDeque<usize>> = HashMap::new();
        for element in compared(old) {
            let info = old.table[element];
            candidates.entry((info.source, info.role)).or_default().push_back(element);
        }
        let mut partners = vec![None; new.table.len()];
        let mut is_partner = vec![false; old.table.len()];
        for element in compared(new) {
            let info = new.table[element];
            let source = sources[info.source as usize];
            let partner = source.and_then(|source| candidates.get_mut(&(source, info.role))?.pop_front());
            partners[element] = partner;
            partner.into_iter().for_each(|partner| is_partner[partner] = true);
        }
        let is_same = same_contents(drawings, &partners);
        Self { sources, partners, is_same, is_partner }
    }

    /// Whether each source of the old drawing and of the new one has elements of its own that have
    /// no partner with the same contents.
    pub(super) fn changed_contents(&self, drawings: [&Drawing; 2]) -> [Vec<bool>; 2] {
        let [mut old, mut new] = drawings.map(|drawing| vec![false; drawing.sources.len()]);
        for element in compared(drawings[0]) {
            old[drawings[0].table[element].source as usize] |= !self.is_partner[element];
        }
        for element in compared(drawings[1]) {
            new[drawings[1].table[element].source as usize] |= !self.is_same[element];
        }
        [old, new]
    }
}

/// The elements of a scene that are compared: leaves and begins outside of masks. A mask is a part
/// of the signature of its node.
fn compared(drawing: &Drawing) -> impl Iterator<Item = usize> {
    let is_compared = |element: &usize| {
        drawing.elements.kind(*element) != ElementKind::End && drawing.table[*element].within != Within::Mask
    };
    (0..drawing.table.len()).filter(is_compared)
}

/// Whether each element of the new scene has the signature of its partner, and is in the partner of
/// its partner's node, which is the same in turn.
fn same_contents([old, new]: [&Drawing; 2], partners: &[Option<usize>]) -> Vec<bool> {
    // The innermost node around each element, by its begin.
    let [around_old, around_new] = [old, new].map(nodes_around);
    // A node that is not the same as its partner makes everything in it different.
    let mut is_same = vec![false; new.table.len()];
    for element in compared(new) {
        let Some(partner) = partners[element] else { continue };
        let is_root = element == 0 && partner == 0;
        // The viewport of the drawing is a box, which clips the boxes of everything.
        let has_same_signature = is_root || old.signatures[partner] == new.signatures[element];
        let in_same_node = match (around_old[partner], around_new[element]) {
            (Some(old), Some(new)) => is_same[new] && partners[new] == Some(old),
            (None, None) => true,
            _ => false,
        };
        is_same[element] = has_same_signature && in_same_node;
    }
    is_same
}

/// The begin of the innermost node around each element. That around a begin is not its own.
fn nodes_around(drawing: &Drawing) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let around = |element: usize| {
        if drawing.elements.kind(element) == ElementKind::End {
            open.pop();
        }
        let innermost = open.last().copied();
        if drawing.elements.kind(element) == ElementKind::Begin {
            open.push(element);
        }
        innermost
    };
    (0..drawing.table.len()).map(around).collect()
}

/// The partner in the old drawing of each source of the new one.
fn match_sources(drawings: [&Drawing; 2]) -> Vec<Option<u32>> {
    let contents = drawings.map(contents_of_sources);
    let sources = drawings.map(|drawing| &drawing.sources[..]);
    let [n_old, n_new] = sources.map(<[Source]>::len);
    let mut pairs = Pairs { of_new: vec![None; n_new], is_taken: vec![false; n_old] };
    // The roots belong together, whatever their ids are.
    pairs.add(|_, index| (index == 0).then_some(()));
    pairs.add(|side, index| {
        Some(&sources[side][index]).filter(|source| source.has_id).map(|source| &source.name)
    });
    pairs.add(|side, index| Some((&sources[side][index].tag, contents[side][index]?)));
    pairs.add(|side, index| {
        Some(&sources[side][index]).filter(|source| !source.has_id).map(|source| &source.path)
    });
    pairs.of_new
}

/// Pairs of sources that belong together.
struct Pairs {
    of_new: Vec<Option<u32>>,
    /// Whether each source of the old drawing is in a pair.
    is_taken: Vec<bool>,
}

impl Pairs {
    /// Pairs sources that have no partner yet and the same key, in their order. `key` gets 0 for
    /// the old drawing or 1 for the new one, and the index of a source.
    fn add<K: Eq + Hash>(&mut self, key: impl Fn(usize, usize) -> Option<K>) {
        let mut free: HashMap<K, VecDeque<u32>> = HashMap::new();
        for (index, number) in (0..self.is_taken.len()).zip(0..) {
            if let Some(key) = key(0, index).filter(|_| !self.is_taken[index]) {
                free.entry(key).or_default().push_back(number);
            }
        }
        for index in 0..self.of_new.len() {
            if self.of_new[index].is_none()
                && let Some(key) = key(1, index)
                && let Some(partner) = free.get_mut(&key).and_then(VecDeque::pop_front)
            {
                self.of_new[index] = Some(partner);
                self.is_taken[partner as usize] = true;
            }
        }
    }
}

/// A hash of the elements of each source. `None` for a source without elements, such as a group
/// without effects.
fn contents_of_sources(drawing: &Drawing) -> Vec<Option<u64>> {
    let mut contents: Vec<Option<DefaultHasher>> = vec![None; drawing.sources.len()];
    for element in compared(drawing) {
        let info = drawing.table[element];
        let hash = contents[info.source as usize].get_or_insert_default();
        (info.role, drawing.signatures[element]).hash(hash);
    }
    contents.into_iter().map(|hash| Some(hash?.finish())).collect()
}
