//! Tests of the shader dialect.

use std::collections::BTreeSet;

use crate::resolve::{ResolveError, resolve};

fn resolved(source: &str, defines: &[&str]) -> Result<String, ResolveError> {
    let shared = |name: &str| match name {
        "one" => Some("// one\n".to_owned()),
        "two" => Some("#import one\n// two\n".to_owned()),
        _ => None,
    };
    let defines: BTreeSet<&str> = defines.iter().copied().collect();
    resolve("test", source, &defines, &shared)
}

#[test]
fn an_import_stands_once() {
    assert_eq!(
        resolved("#import two\n#import one\nfn f() {}\n", &[]).as_deref(),
        Ok("// one\n// two\nfn f() {}\n")
    );
}

#[test]
fn conditions_nest() {
    let source = "#ifdef A\na\n#ifndef B\nnot b\n#else\nb\n#endif\n#endif\nend\n";
    assert_eq!(resolved(source, &[]).as_deref(), Ok("end\n"));
    assert_eq!(resolved(source, &["A"]).as_deref(), Ok("a\nnot b\nend\n"));
    assert_eq!(resolved(source, &["A", "B"]).as_deref(), Ok("a\nb\nend\n"));
    assert_eq!(resolved(source, &["B"]).as_deref(), Ok("end\n"));
}

#[test]
fn what_cannot_be_followed_is_named_with_its_line() {
    for (source, expected) in [
        ("\n#import three\n", "test.wgsl:2: there is no shared/three.wgsl"),
        ("#endif\n", "test.wgsl:1: #endif without #ifdef"),
        ("#else\n", "test.wgsl:1: #else without #ifdef"),
        ("#ifdef A\nx\n", "test.wgsl:2: #ifdef without #endif"),
        ("#define A\n", "test.wgsl:1: unknown directive `#define A`"),
    ] {
        let error = resolved(source, &[]).expect_err("the directive cannot be followed");
        assert_eq!(error.to_string(), expected);
    }
}
