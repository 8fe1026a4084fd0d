//! Planted faults: the suite breaks each shader on purpose and must notice each time.

use boxwood_shaders::Shader;

/// A fault: the name of a shader, a text in it, and the text that replaces each occurrence.
pub type Fault = (&'static str, &'static str, &'static str);

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
    let has_text = |fault: &&Fault| {
        let shader = boxwood_shaders::all().into_iter().find(|shader| shader.name == fault.0);
        own_text(shader.unwrap_or_else(|| panic!("there is no shader {}", fault.0))).1.contains(fault.1)
    };
    let outdated: Vec<_> = faults.iter().filter(|fault| !has_text(fault)).collect();
    assert!(outdated.is_empty(), "faults whose text is not in their shader: {outdated:#?}");
    let mut survivors = Vec::new();
    for &(name, from, to) in faults {
        let broken = compile(&|shader| {
            if shader.name != name {
                return shader.source.to_owned();
            }
            let (kept, text) = own_text(shader);
            kept.to_owned() + &text.replace(from, to)
        });
        if !is_caught(&broken, name) {
            survivors.push(format!("{name}: `{from}` as `{to}`"));
        }
    }
    assert!(survivors.is_empty(), "faults that no input reveals:\n{}", survivors.join("\n"));
}

/// The source of a shader in two parts. The first part ends with the sample monoid, if the shader
/// has one, and is not broken. The second part is the shader's own text.
fn own_text(shader: &Shader) -> (&str, &str) {
    let after = shader.around_monoid().map_or(shader.source, |(_, after)| after);
    shader.source.split_at(shader.source.len() - after.len())
}
