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
fn repeats_are_unrolled() {
    assert_eq!(
        resolved("#repeat i 2\na[$i];\n#endrepeat\n", &[]).as_deref(),
        Ok("{\na[0u];\n}\n{\na[1u];\n}\n")
    );
    assert_eq!(
        resolved("#repeat i 2 down\n#repeat j 1\na[$i + $j];\n#endrepeat\n#endrepeat\n", &[]).as_deref(),
        Ok("{\n{\na[1u + 0u];\n}\n}\n{\n{\na[0u + 0u];\n}\n}\n")
    );
    assert_eq!(
        resolved("#repeat i 1\n#ifdef A\na\n#endif\n#import one\n#endrepeat\n", &["A"]).as_deref(),
        Ok("// one\n{\na\n}\n")
    );
    let within = "#ifdef A\n#repeat i 2\na\n#endrepeat\n#endif\nend\n";
    assert_eq!(resolved(within, &[]).as_deref(), Ok("end\n"));
}

#[test]
fn what_cannot_be_followed_is_named_with_its_line() {
    for (source, expected) in [
        ("\n#import three\n", "test.wgsl:2: there is no shared/three.wgsl"),
        ("#endif\n", "test.wgsl:1: #endif without #ifdef"),
        ("#else\n", "test.wgsl:1: #else without #ifdef"),
        ("#ifdef A\nx\n", "test.wgsl:2: #ifdef without #endif"),
        ("\n#repeat i\n", "test.wgsl:2: #repeat takes a name, a count, and `down` or nothing"),
        ("#endrepeat\n", "test.wgsl:1: #endrepeat without #repeat"),
        ("#repeat i 2\na\n", "test.wgsl:2: #repeat without #endrepeat"),
        ("#define A\n", "test.wgsl:1: unknown directive `#define A`"),
    ] {
        let error = resolved(source, &[]).expect_err("the directive cannot be followed");
        assert_eq!(error.to_string(), expected);
    }
}
