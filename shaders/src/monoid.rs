//! Shaders over a monoid that the caller writes.

use crate::Shader;

/// What stands around the sample in `wgsl/shared/monoid.wgsl`.
const BEGIN: &str = "// monoid: begin\n";
const END: &str = "// monoid: end\n";

impl Shader {
    /// For a shader over a monoid: its source before the text of the monoid, and after it. The source as it is has the text of a
    /// sample there, which declares the type `Value` with the functions `identity` and `combine`. `None` for any other shader.
    pub fn around_monoid(&self) -> Option<(&'static str, &'static str)> {
        around_monoid(self.source)
    }
}

/// The same for another form of a shader's source.
pub fn around_monoid(source: &str) -> Option<(&str, &str)> {
    let begin = source.find(BEGIN)? + BEGIN.len();
    let end = begin + source[begin..].find(END)?;
    Some((&source[..begin], &source[end..]))
}

#[cfg(test)]
mod tests {
    use crate::{SHADERS, around_monoid};

    #[test]
    fn the_shaders_of_tree_scans_are_over_a_monoid() {
        for shader in SHADERS.all() {
            let is_over_one = shader.around_monoid().is_some();
            assert_eq!(is_over_one, shader.name.starts_with("tree_scan_"), "{}", shader.name);
        }
    }

    #[test]
    fn the_sample_is_cut_out() {
        let (before, after) =
            around_monoid("a\n// monoid: begin\nsample\n// monoid: end\nb\n").expect("there is one");
        assert_eq!((before, after), ("a\n// monoid: begin\n", "// monoid: end\nb\n"));
    }
}
