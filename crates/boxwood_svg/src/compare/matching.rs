//! Which elements of two drawings belong together, and which of them have the same contents.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use boxwood_cpu::ElementKind;

use super::pair::Pair;
use crate::drawing::Drawing;
use crate::signature::Signature;
use crate::table::{Source, Within};

/// The elements of a new drawing and their partners in an old one.
#[derive(Debug)]
pub(super) struct Matching {
    /// The partner of each source of the new drawing.
    pub(super) sources: Vec<Option<usize>>,
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
            candidates.entry((info.source as usize, info.role)).or_default().push_back(element);
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

    /// The sources of the new drawing with their partners, and then those of the old one without a
    /// partner.
    pub(super) fn pairs(&self, n_old: usize) -> Vec<Pair> {
        let mut is_partner = vec![false; n_old];
        self.sources.iter().flatten().for_each(|partner| is_partner[*partner] = true);
        let of_new = self.sources.iter().enumerate().map(|(source, partner)| Pair([*partner, Some(source)]));
        let left = is_partner.into_iter().enumerate().filter(|(_, is_partner)| !is_partner);
        of_new.chain(left.map(|(source, _)| Pair([Some(source), None]))).collect()
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
        let has_same_signature = is_root || old.signatures[partner].placed == new.signatures[element].placed;
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
fn match_sources(drawings: [&Drawing; 2]) -> Vec<Option<usize>> {
    let contents = drawings.map(contents_of_sources);
    let sources = drawings.map(|drawing| &drawing.sources[..]);
    let [n_old, n_new] = sources.map(<[Source]>::len);
    let mut pairs = Pairs { of_new: vec![None; n_new], is_taken: vec![false; n_old] };
    let with_id = |side: usize, index: usize| Some(&sources[side][index]).filter(|source| source.has_id);
    let without_id = |side: usize, index: usize| Some(&sources[side][index]).filter(|source| !source.has_id);
    // The roots belong together, whatever their ids are.
    pairs.add(|_, index| (index == 0).then_some(()));
    pairs.add(|side, index| Some(&with_id(side, index)?.name));
    pairs.add(|side, index| Some((&sources[side][index].tag, contents[side][index]?.placed)));
    pairs.add_unambiguous(|side, index| Some((&without_id(side, index)?.tag, contents[side][index]?.shape)));
    pairs.add_groups(sources);
    pairs.add(|side, index| Some(&without_id(side, index)?.path));
    pairs.of_new
}

/// Pairs of sources that belong together, by their indices.
struct Pairs {
    of_new: Vec<Option<usize>>,
    /// Whether each source of the old drawing is in a pair.
    is_taken: Vec<bool>,
}

impl Pairs {
    /// Pairs sources with the same key, in their order.
    fn add<K: Eq + Hash>(&mut self, key: impl Fn(usize, usize) -> Option<K>) {
        self.free(key).into_values().for_each(|sources| self.pair_all(sources));
    }

    /// Pairs sources with the same key, in their order, if both drawings have as many of them.
    fn add_unambiguous<K: Eq + Hash>(&mut self, key: impl Fn(usize, usize) -> Option<K>) {
        let free = self.free(key).into_values().filter(|[old, new]| old.len() == new.len());
        free.for_each(|sources| self.pair_all(sources));
    }

    /// Pairs the groups around pairs, the innermost first.
    fn add_groups(&mut self, [old, new]: [&[Source]; 2]) {
        // Sources are after the groups around them.
        for index in (0..new.len()).rev() {
            let outer_old = self.of_new[index].and_then(|partner| old[partner].parent);
            if let [Some(outer_old), Some(outer_new)] =
                [outer_old, new[index].parent].map(|parent| parent.map(|parent| parent as usize))
                && !self.is_taken[outer_old]
                && self.of_new[outer_new].is_none()
                && old[outer_old].tag == new[outer_new].tag
            {
                self.pair(outer_old, outer_new);
            }
        }
    }

    /// The sources of both drawings that have no partner yet, by their keys. `key` gets 0 for the
    /// old drawing or 1 for the new one, and the index of a source.
    fn free<K: Eq + Hash>(&self, key: impl Fn(usize, usize) -> Option<K>) -> HashMap<K, [Vec<usize>; 2]> {
        let has_partner = [self.is_taken.clone(), self.of_new.iter().map(Option::is_some).collect()];
        let mut free: HashMap<K, [Vec<usize>; 2]> = HashMap::new();
        for (side, has_partner) in has_partner.iter().enumerate() {
            for (index, _) in has_partner.iter().enumerate().filter(|(_, has_partner)| !**has_partner) {
                if let Some(key) = key(side, index) {
                    free.entry(key).or_default()[side].push(index);
                }
            }
        }
        free
    }

    fn pair_all(&mut self, [old, new]: [Vec<usize>; 2]) {
        old.into_iter().zip(new).for_each(|(old, new)| self.pair(old, new));
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.of_new[new] = Some(old);
        self.is_taken[old] = true;
    }
}

/// The signature of the elements of each source. `None` for a source without elements, such as a
/// group without effects.
fn contents_of_sources(drawing: &Drawing) -> Vec<Option<Signature>> {
    let mut contents: Vec<Option<[DefaultHasher; 2]>> = vec![None; drawing.sources.len()];
    for element in compared(drawing) {
        let (info, signature) = (drawing.table[element], drawing.signatures[element]);
        let hashes = contents[info.source as usize].get_or_insert_default();
        for (hash, own) in hashes.iter_mut().zip([signature.shape, signature.placed]) {
            (info.role, own).hash(hash);
        }
    }
    let signature = |hashes: Option<[DefaultHasher; 2]>| {
        let [shape, placed] = hashes?.map(|hash| hash.finish());
        Some(Signature { shape, placed })
    };
    contents.into_iter().map(signature).collect()
}
