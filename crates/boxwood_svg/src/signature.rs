//! Hashes of what the nodes of usvg's tree paint.
//!
//! Ids do not count: usvg makes up some, and [`Elements`](crate::read::elements::Elements) numbers
//! the elements without one, so that an inserted element would change all after it.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use kurbo::Affine;
use usvg::filter::{Filter, Kind};
use usvg::{
    BaseGradient, ClipPath, Color, Fill, Group, Image, ImageKind, Mask, Node, Paint, Path, Pattern, Stroke,
    Transform,
};

use crate::guard::deadline::Deadline;

/// What a node paints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Two nodes with the same one paint the same in their own spaces.
    pub(crate) shape: u64,
    /// Two nodes with the same one paint the same at the same place.
    pub(crate) placed: u64,
}

impl Signature {
    /// The signature of a shape that has this place.
    fn at(shape: u64, scene_from_shape: Affine) -> Self {
        let placed = hashed(|hash| {
            shape.hash(hash);
            add_affine(hash, scene_from_shape);
        });
        Self { shape, placed }
    }
}

/// A hash of several transforms: that of those before, and another one. It is 0 without transforms.
pub(crate) fn with_transform(before: u64, transform: Transform) -> u64 {
    if transform.is_identity() {
        return before;
    }
    hashed(|hash| {
        before.hash(hash);
        add_transform(hash, transform);
    })
}

/// Computes signatures. After the deadline, they are wrong.
pub(crate) struct Signatures {
    deadline: Deadline,
    /// The signatures of what several nodes can refer to, by its address in the tree. Without
    /// them, patterns in patterns would take exponential time.
    known: HashMap<usize, u64>,
}

impl Signatures {
    pub(crate) fn new(deadline: Deadline) -> Self {
        Self { deadline, known: HashMap::new() }
    }

    /// The signature of a path at this place.
    pub(crate) fn of_path(&mut self, path: &Path, scene_from_path: Affine) -> Signature {
        Signature::at(hashed(|hash| self.add_path(hash, path)), scene_from_path)
    }

    /// The signature of an image at this place.
    pub(crate) fn of_image(&mut self, image: &Image, scene_from_image: Affine) -> Signature {
        Signature::at(hashed(|hash| self.add_image(hash, image)), scene_from_image)
    }

    /// The signature of the effects of a group at this place. With a filter, its contents count:
    /// what is in the filter has no other leaf.
    pub(crate) fn of_group(&mut self, group: &Group, scene_from_group: Affine) -> Signature {
        let effects = hashed(|hash| {
            self.add_effects(hash, group);
            if !group.filters().is_empty() {
                self.add_children(hash, group);
            }
        });
        let has_shape = group.clip_path().is_some() || group.mask().is_some() || !group.filters().is_empty();
        if has_shape {
            Signature::at(effects, scene_from_group)
        } else {
            // Effects without a shape are the same everywhere.
            Signature { shape: effects, placed: effects }
        }
    }

    fn add_group(&mut self, hash: &mut DefaultHasher, group: &Group) {
        add_transform(hash, group.transform());
        self.add_effects(hash, group);
        self.add_children(hash, group);
    }

    fn add_children(&mut self, hash: &mut DefaultHasher, group: &Group) {
        for node in group.children() {
            if self.deadline.has_passed() {
                return;
            }
            std::mem::discriminant(node).hash(hash);
            match node {
                Node::Group(inner) => self.add_group(hash, inner),
                Node::Path(path) => self.add_path(hash, path),
                Node::Image(image) => self.add_image(hash, image),
                Node::Text(text) => self.add_group(hash, text.flattened()),
            }
        }
        group.children().len().hash(hash);
    }

    fn add_effects(&mut self, hash: &mut DefaultHasher, group: &Group) {
        add_numbers(hash, &[group.opacity().get()]);
        (group.blend_mode() as u8, group.isolate()).hash(hash);
        let clip_path = group.clip_path().map(|clip_path| self.of_clip_path(clip_path));
        let mask = group.mask().map(|mask| self.of_mask(mask));
        let filters: Vec<_> = group.filters().iter().map(|filter| self.of_filter(filter)).collect();
        (clip_path, mask, filters).hash(hash);
    }

    fn of_clip_path(&mut self, clip_path: &ClipPath) -> u64 {
        self.known_or(clip_path, |this, hash| {
            add_transform(hash, clip_path.transform());
            clip_path.clip_path().map(|outer| this.of_clip_path(outer)).hash(hash);
            this.add_group(hash, clip_path.root());
        })
    }

    fn of_mask(&mut self, mask: &Mask) -> u64 {
        self.known_or(mask, |this, hash| {
            add_text(hash, &(mask.rect(), mask.kind()));
            mask.mask().map(|outer| this.of_mask(outer)).hash(hash);
            this.add_group(hash, mask.root());
        })
    }

    fn of_filter(&mut self, filter: &Arc<Filter>) -> u64 {
        self.known_or(&**filter, |this, hash| {
            add_text(hash, &filter.rect());
            for primitive in filter.primitives() {
                add_text(hash, &(primitive.rect(), primitive.color_interpolation(), primitive.result()));
                match primitive.kind() {
                    Kind::Image(image) => this.add_group(hash, image.root()),
                    // No other kind has an id.
                    kind => add_text(hash, kind),
                }
            }
        })
    }

    fn of_pattern(&mut self, pattern: &Arc<Pattern>) -> u64 {
        self.known_or(&**pattern, |this, hash| {
            add_transform(hash, pattern.transform());
            add_text(hash, &pattern.rect());
            this.add_group(hash, pattern.root());
        })
    }

    /// The signature of what this refers to, which is computed once.
    fn known_or<T>(&mut self, shared: &T, add: impl FnOnce(&mut Self, &mut DefaultHasher)) -> u64 {
        let address = std::ptr::from_ref(shared).addr();
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        let signature = hashed(|hash| add(self, hash));
        self.known.insert(address, signature);
        signature
    }

    fn add_path(&mut self, hash: &mut DefaultHasher, path: &Path) {
        (path.is_visible(), path.paint_order() as u8, path.rendering_mode() as u8).hash(hash);
        for verb in path.data().verbs() {
            (*verb as u8).hash(hash);
        }
        path.data().points().len().hash(hash);
        path.data().points().iter().for_each(|point| add_numbers(hash, &[point.x, point.y]));
        path.fill().is_some().hash(hash);
        if let Some(fill) = path.fill() {
            self.add_fill(hash, fill);
        }
        path.stroke().is_some().hash(hash);
        if let Some(stroke) = path.stroke() {
            self.add_stroke(hash, stroke);
        }
    }

    fn add_fill(&mut self, hash: &mut DefaultHasher, fill: &Fill) {
        self.add_paint(hash, fill.paint());
        add_numbers(hash, &[fill.opacity().get()]);
        (fill.rule() as u8).hash(hash);
    }

    fn add_stroke(&mut self, hash: &mut DefaultHasher, stroke: &Stroke) {
        self.add_paint(hash, stroke.paint());
        let numbers = [stroke.dashoffset(), stroke.miterlimit().get(), stroke.width().get()];
        add_numbers(hash, &numbers);
        add_numbers(hash, &[stroke.opacity().get()]);
        add_text(hash, &(stroke.linecap(), stroke.linejoin()));
        stroke.dasharray().map(<[f32]>::len).hash(hash);
        add_numbers(hash, stroke.dasharray().unwrap_or_default());
    }

    fn add_paint(&mut self, hash: &mut DefaultHasher, paint: &Paint) {
        std::mem::discriminant(paint).hash(hash);
        match paint {
            Paint::Color(color) => add_color(hash, *color),
            Paint::LinearGradient(gradient) => {
                add_numbers(hash, &[gradient.x1(), gradient.y1(), gradient.x2(), gradient.y2()]);
                add_gradient(hash, gradient);
            }
            Paint::RadialGradient(gradient) => {
                add_numbers(hash, &[gradient.cx(), gradient.cy(), gradient.r().get()]);
                add_numbers(hash, &[gradient.fx(), gradient.fy(), gradient.fr().get()]);
                add_gradient(hash, gradient);
            }
            Paint::Pattern(pattern) => self.of_pattern(pattern).hash(hash),
        }
    }

    fn add_image(&mut self, hash: &mut DefaultHasher, image: &Image) {
        (image.is_visible(), image.rendering_mode() as u8).hash(hash);
        add_numbers(hash, &[image.size().width(), image.size().height()]);
        std::mem::discriminant(image.kind()).hash(hash);
        match image.kind() {
            ImageKind::JPEG(bytes)
            | ImageKind::PNG(bytes)
            | ImageKind::GIF(bytes)
            | ImageKind::WEBP(bytes) => {
                let of_bytes = self.known_or(&**bytes, |_, hash| bytes.hash(hash));
                of_bytes.hash(hash);
            }
            ImageKind::SVG(tree) => {
                add_numbers(hash, &[tree.size().width(), tree.size().height()]);
                self.add_group(hash, tree.root());
            }
        }
    }
}

fn hashed(add: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hash = DefaultHasher::new();
    add(&mut hash);
    hash.finish()
}

/// Adds a value by its text. For rare things: paths have many numbers.
fn add_text(hash: &mut DefaultHasher, value: &impl Debug) {
    format!("{value:?}").hash(hash);
}

fn add_numbers(hash: &mut DefaultHasher, numbers: &[f32]) {
    // Zero has two representations, which paint the same.
    numbers.iter().for_each(|number| (number + 0.0).to_bits().hash(hash));
}

fn add_affine(hash: &mut DefaultHasher, affine: Affine) {
    affine.as_coeffs().iter().for_each(|number| (number + 0.0).to_bits().hash(hash));
}

fn add_transform(hash: &mut DefaultHasher, Transform { sx, kx, ky, sy, tx, ty }: Transform) {
    add_numbers(hash, &[sx, kx, ky, sy, tx, ty]);
}

fn add_color(hash: &mut DefaultHasher, Color { red, green, blue }: Color) {
    [red, green, blue].hash(hash);
}

fn add_gradient(hash: &mut DefaultHasher, gradient: &BaseGradient) {
    add_transform(hash, gradient.transform());
    (gradient.spread_method() as u8, gradient.stops().len()).hash(hash);
    for stop in gradient.stops() {
        add_numbers(hash, &[stop.offset().get(), stop.opacity().get()]);
        add_color(hash, stop.color());
    }
}
