//! Shaders over a monoid that the caller writes.

/// The markers around the sample in `wgsl/tree/shared/monoid.wgsl`.
const BEGIN: &str = "// monoid: begin\n";
const END: &str = "// monoid: end\n";

/// For a shader over a monoid: its source before and after the text of the monoid. `None` for any
/// other shader.
///
/// The source contains a sample there, which declares the type `Value` and the functions `identity`
/// and `combine`.
pub fn around_monoid(source: &str) -> Option<(&str, &str)> {
    let begin = source.find(BEGIN)? + BEGIN.len();
    let end = begin + source[begin..].find(END)?;
    Some((&source[..begin], &source[end..]))
}

#[cfg(test)]
mod tests {
    use crate::around_monoid;

    #[test]
    fn exactly_the_shaders_of_tree_scans_are_over_a_monoid() {
        for shader in crate::all() {
            let is_tree_scan = ["scan_up_", "scan_down_"].iter().any(|scan| shader.name.starts_with(scan));
            assert_eq!(around_monoid(shader.source).is_some(), is_tree_scan, "{}", shader.name);
        }
    }

    #[test]
    fn the_sample_is_cut_out() {
        let (before, after) =
            around_monoid("a\n// monoid: begin\nsample\n// monoid: end\nb\n").expect("there is a sample");
        assert_eq!((before, after), ("a\n// monoid: begin\n", "// monoid: end\nb\n"));
    }
}
