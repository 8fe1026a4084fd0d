//! Synthetic scenes, boxes, and texts of any size, the same on every machine.

mod boxes;
mod brackets;
mod families;
mod json;
mod random;
mod scene;

pub use self::boxes::{BoxFamily, box_families};
pub use self::brackets::{BracketFamily, bracket_families, random_brackets, random_syntax};
pub use self::families::{Family, extremes, families, family, selected_families};
pub use self::json::{JsonFamily, json_families, json_family, mutated, random_json};
pub use self::random::Random;
pub use self::scene::{bits, node_stream, scene};

/// No family has a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no family is called \"{name}\"; there are: {known}")]
pub struct NoSuchFamily {
    /// The name.
    pub name: String,
    /// The names of all families.
    pub known: String,
}

impl NoSuchFamily {
    /// The error for a name that is not one of the `known` names.
    pub fn new(name: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        let known: Vec<String> = known.into_iter().map(|known| format!("\"{known}\"")).collect();
        Self { name: name.to_owned(), known: known.join(", ") }
    }
}

/// The family of boxes with this name.
///
/// # Errors
///
/// [`NoSuchFamily`], with the names of all families of boxes.
pub fn box_family(name: &str) -> Result<BoxFamily, NoSuchFamily> {
    let found = box_families().into_iter().find(|family| family.name == name);
    found.ok_or_else(|| NoSuchFamily::new(name, box_families().iter().map(|family| family.name)))
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;

    use super::*;

    fn generate(name: &str, n: usize) -> Vec<Aabb> {
        box_family(name).expect("there is such a family").generate(n, 1)
    }

    /// The pairs of boxes that overlap.
    fn pairs(name: &str, n: usize) -> Vec<(usize, usize)> {
        let boxes = generate(name, n);
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|&(i, j)| boxes[i].overlaps(boxes[j])).collect()
    }

    #[test]
    fn families_have_any_number_of_canonical_boxes() {
        for family in box_families() {
            for n in [0, 1, 2, 33, 1000] {
                for aabb in family.generate(n, 7) {
                    assert_eq!(aabb, aabb.canonical(), "{family:?}");
                }
            }
        }
    }

    #[test]
    fn families_are_what_they_are_called() {
        let next: Vec<(usize, usize)> = (0..99).map(|i| (i, i + 1)).collect();
        assert_eq!(pairs("staircase", 100), next);
        for name in ["touching tiles", "tiles with gaps", "empty boxes", "column of points"] {
            assert_eq!(pairs(name, 100), [], "{name}");
            assert_eq!(name == "empty boxes", generate(name, 1)[0].is_empty(), "{name}");
        }
        for name in ["each box inside the one before", "identical boxes"] {
            assert_eq!(pairs(name, 100).len(), 100 * 99 / 2, "{name}");
        }
        let largest = generate("limits of f32", 1000);
        assert!(largest.iter().any(|aabb| (aabb.x0, aabb.x1) == (-f32::MAX, f32::MAX)));
        assert!(largest.iter().any(|aabb| (aabb.y0, aabb.y1) == (-1.0, f32::MAX / 2.0)));
        assert!(box_family("other").is_err());
    }
}
