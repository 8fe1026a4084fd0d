//! Tests of the shader dialect.

use std::collections::BTreeSet;

use super::{SourceLine, resolve};

fn lines(source: &str, defines: &[&str]) -> Result<Vec<SourceLine>, String> {
    let shared = |name: &str| match name {
        "one" => Some("// one\n".to_owned()),
        "two" => Some("#import one\n// two\n".to_owned()),
        _ => None,
    };
    let defines: BTreeSet<&str> = defines.iter().copied().collect();
    resolve("test", source, &defines, &shared)
}

/// The resolved text, with a space between two lines.
fn resolved(source: &str, defines: &[&str]) -> String {
    let lines = lines(source, defines).expect("the directives are valid");
    lines.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_file_is_imported_once() {
    assert_eq!(resolved("#import two\n#import one\nfn f() {}\n", &[]), "// one // two fn f() {}");
}

#[test]
fn conditions_nest() {
    let source = "#ifdef A\na\n#ifndef B\nnot b\n#else\nb\n#endif\n#endif\nend\n";
    assert_eq!(resolved(source, &[]), "end");
    assert_eq!(resolved(source, &["A"]), "a not b end");
    assert_eq!(resolved(source, &["A", "B"]), "a b end");
    assert_eq!(resolved(source, &["B"]), "end");
}

#[test]
fn repeats_are_unrolled() {
    assert_eq!(resolved("#repeat i 2\na[$i];\n#endrepeat\n", &[]), "{ a[0u]; } { a[1u]; }");
    assert_eq!(
        resolved("#repeat i 2 down\n#repeat j 1\na[$i + $j];\n#endrepeat\n#endrepeat\n", &[]),
        "{ { a[1u + 0u]; } } { { a[0u + 0u]; } }"
    );
    assert_eq!(resolved("#repeat i 1\n#ifdef A\na\n#endif\nb\n#endrepeat\n", &[]), "{ b }");
    let in_condition = "#ifdef A\n#repeat i 2\na\n#endrepeat\n#endif\nend\n";
    assert_eq!(resolved(in_condition, &[]), "end");
}

#[test]
fn lines_keep_their_positions() {
    let lines = lines("a\n#import two\n#repeat i 1\nb\n#endrepeat\n", &[]).expect("the directives are valid");
    let positions: Vec<_> =
        lines.iter().map(|line| format!("{}:{} {}", line.file, line.number, line.text)).collect();
    assert_eq!(positions, ["test:1 a", "one:1 // one", "two:2 // two", "test:5 {", "test:4 b", "test:5 }"]);
}

#[test]
fn errors_name_the_line_and_the_remedy() {
    for (source, expected) in [
        ("\n#import three\n", "test.wgsl:2: no room has a file shared/three.wgsl"),
        ("#endif\n", "test.wgsl:1: `#endif` has no `#ifdef` before it"),
        ("#else\n", "test.wgsl:1: `#else` has no `#ifdef` before it"),
        ("#ifdef A\nx\n", "test.wgsl: an `#ifdef` has no `#endif`"),
        ("\n#repeat i\n", "test.wgsl:2: write `#repeat NAME COUNT` or `#repeat NAME COUNT down`"),
        ("#endrepeat\n", "test.wgsl:1: `#endrepeat` has no `#repeat` before it"),
        ("#repeat i 2\na\n", "test.wgsl: a `#repeat` has no `#endrepeat`"),
        ("#define A\n", "test.wgsl:1: `#define A` is not a directive"),
    ] {
        let error = lines(source, &[]).expect_err("the directive is not valid");
        assert_eq!(error, expected);
    }
}
