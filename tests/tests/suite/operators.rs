//! The WGSL in the examples mixes operators only as the grammar of WGSL allows. The build script
//! checks the shaders of Boxwood, and `TreeScan::new` those around a caller's monoid.

use std::fs;
use std::path::Path;

use boxwood_shaders::check_operators;

/// A text that only a shader or a monoid in an example contains.
const MARKS: [&str; 2] = ["@fragment", "fn combine(a: Value, b: Value)"];

#[test]
fn examples_mix_operators_as_wgsl_allows() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let mut n_texts = 0;
    for file in fs::read_dir(folder).expect("the repository has the folder") {
        let path = file.expect("its files can be listed").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let program = fs::read_to_string(&path).expect("it is a text");
        // No WGSL contains a quotation mark.
        for text in program.split('"').filter(|text| MARKS.iter().any(|mark| text.contains(mark))) {
            let name = path.display();
            naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            check_operators(text).unwrap_or_else(|e| panic!("{name}, line {} of the WGSL: {e}", e.line));
            n_texts += 1;
        }
    }
    assert!(n_texts >= 3, "only {n_texts} texts are found, but three examples have one");
}
