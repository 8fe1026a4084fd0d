//! Tests of the contracts of shared files.

use std::collections::BTreeMap;

use super::{Contract, violations};

const SHADER: &str = "#import sum\nconst N = 4u;\n@group(0) @binding(0) var<storage> data: array<u32>;\n\
    fn main() {\n    let x = total(N) + data[0];\n}\n";
const SUM: &str = "// requires: N\n// provides: total\nfn total(n: u32) -> u32 {\n    return n + N;\n}\n";

fn check(shader: &str, sum: &str) -> Vec<String> {
    let files = BTreeMap::from([("test", Contract::of(shader)), ("sum", Contract::of(sum))]);
    violations("test", &files)
}

#[test]
fn a_kept_contract_has_no_violations() {
    assert_eq!(check(SHADER, SUM), Vec::<String>::new());
    assert!(Contract::of(SHADER).declares.iter().eq(["N", "data", "main"].iter()));
}

#[test]
fn violations_name_the_file_and_the_remedy() {
    let found = |shader: &str, sum: &str| check(shader, sum).join("; ");
    assert_eq!(
        found(SHADER, &SUM.replace("// provides: total\n", "")),
        "sum.wgsl, in test: has no `// provides:` with the names that other files use; \
        test.wgsl, in test: imports `sum`, but uses nothing of it"
    );
    assert_eq!(
        found(SHADER, &SUM.replace("provides: total", "provides: total, mean")),
        "sum.wgsl, in test: provides `mean`, but does not declare it"
    );
    assert_eq!(
        found(SHADER, &SUM.replace("requires: N", "requires: N, M")),
        "sum.wgsl, in test: requires `M`, but does not use it"
    );
    assert_eq!(
        found(SHADER, &SUM.replace("+ N", "+ M").replace("requires: N", "requires: M")),
        "sum.wgsl, in test: requires `M`, which no file of the shader declares"
    );
    assert_eq!(
        found(SHADER, &(SUM.to_owned() + "const N = 5u;\n")),
        "sum.wgsl, in test: requires `N`, but declares it itself"
    );
    assert_eq!(
        found(&SHADER.replace("total(N)", "N"), SUM),
        "test.wgsl, in test: imports `sum`, but uses nothing of it"
    );
    assert_eq!(
        found(&SHADER.replace("#import sum\n", ""), SUM),
        "test.wgsl, in test: uses `total`: import `sum`, or require `total`"
    );
}
