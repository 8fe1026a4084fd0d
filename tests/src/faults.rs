//! Planted faults: the suite breaks each shader on purpose and must notice each time.

use boxwood_shaders::Shader;

use crate::sample::is_tried_of;

/// A fault: the name of a shader, a text in it, and the text that replaces each occurrence.
pub type Fault = (&'static str, &'static str, &'static str);

/// The maximum number of rounds of all loops of an invocation. It exceeds the number of rounds of a
/// shader without faults in any test.
const MAX_LOOP_ROUNDS: u32 = 1 << 16;

/// The name of the function that limits the rounds of the loops.
pub(crate) const LOOP_LIMIT_FUNCTION: &str = "test_is_loop_endless";

/// Compiles the shaders once per fault, and asserts that each fault is caught.
///
/// `compile` gets a function that returns the source of each shader, and returns the compiled
/// shaders. `is_caught` gets these and the name of the broken shader.
///
/// # Panics
///
/// If a shader does not contain the text of its fault, or if a fault is not caught.
pub fn assert_all_caught<T>(
    faults: &[Fault],
    compile: impl Fn(&dyn Fn(&Shader) -> String) -> T,
    is_caught: impl Fn(&T, &str) -> bool,
) {
    let has_text = |fault: &&Fault| own_text(shader_named(fault.0)).1.contains(fault.1);
    let outdated: Vec<_> = faults.iter().filter(|fault| !has_text(fault)).collect();
    assert!(outdated.is_empty(), "faults whose text is not in their shader: {outdated:#?}");
    let mut survivors = Vec::new();
    for (_, &(name, from, to)) in
        faults.iter().enumerate().filter(|(number, _)| is_tried_of(*number, faults.len()))
    {
        let broken = compile(&|shader| {
            if shader.name == name { changed_source(shader, &[(from, to)]) } else { bounded_source(shader) }
        });
        if !is_caught(&broken, name) {
            survivors.push(format!("{name}: `{from}` as `{to}`"));
        }
    }
    assert!(survivors.is_empty(), "faults that no input reveals:\n{}", survivors.join("\n"));
}

/// The shader with a name.
pub(crate) fn shader_named(name: &str) -> &'static Shader {
    let shader = boxwood_shaders::all().into_iter().find(|shader| shader.name == name);
    shader.unwrap_or_else(|| panic!("there is no shader {name}"))
}

/// The source of a shader with a limit on the rounds of all loops. A fault can make loops endless,
/// in its own shader and in those that use its results, which would block a GPU forever.
pub fn bounded_source(shader: &Shader) -> String {
    changed_source(shader, &[])
}

/// The same with these texts replaced by others, wherever they occur.
pub fn changed_source(shader: &Shader, changes: &[(&str, &str)]) -> String {
    let (kept, text) = own_text(shader);
    let changed = changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    kept.to_owned() + &with_bounded_loops(&changed)
}

/// The source of a shader in two parts. The first part ends with the sample monoid, if the shader
/// has one, and is not broken. The second part is the shader's own text.
fn own_text(shader: &Shader) -> (&str, &str) {
    let after = boxwood_shaders::around_monoid(shader.source).map_or(shader.source, |(_, after)| after);
    shader.source.split_at(shader.source.len() - after.len())
}

/// The text with a limit on the rounds of all loops.
fn with_bounded_loops(text: &str) -> String {
    let mut bounded = String::new();
    for line in text.lines() {
        bounded.push_str(line);
        if ["loop ", "while ", "for "].iter().any(|keyword| line.trim_start().starts_with(keyword)) {
            assert!(line.ends_with('{'), "the body of a loop starts in another line: {line}");
            bounded.push_str(&format!(" if {LOOP_LIMIT_FUNCTION}() {{ break; }}"));
        }
        bounded.push('\n');
    }
    bounded
        + &format!(
            "var<private> test_n_loop_rounds: u32;
            fn {LOOP_LIMIT_FUNCTION}() -> bool {{
                test_n_loop_rounds += 1u;
                return test_n_loop_rounds > {MAX_LOOP_ROUNDS}u;
            }}"
        )
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    #[test]
    fn every_shader_is_valid_with_bounded_loops() {
        for shader in boxwood_shaders::all() {
            let source = bounded_source(shader);
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(&source)));
            let result = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
            assert!(result.is_ok(), "{}: {result:?}", shader.name);
        }
    }

    #[test]
    fn each_kind_of_loop_is_bounded() {
        let text = "for (var i = 0u; i < n; i++) {\n    while i < n {\nloop {\n} // while loop\n";
        let bounded = with_bounded_loops(text);
        assert_eq!(bounded.matches("{ if test_is_loop_endless() { break; }\n").count(), 3, "{bounded}");
    }
}
