//! Breaking shaders on purpose: a suite that lets it pass has not looked.

use boxwood_shaders::Shader;

/// A fault: in this shader, this text becomes that text, wherever it stands.
pub type Fault = (&'static str, &'static str, &'static str);

/// Compiles all shaders with each of the faults in turn and sees each caught.
///
/// `compile` gets the source of each shader from the function that it is handed. `is_caught` gets what that has made and the name of
/// the broken shader.
///
/// # Panics
///
/// If the text of a fault is no longer in its shader, or a fault is not caught.
pub fn assert_all_caught<T>(
    faults: &[Fault],
    compile: impl Fn(&dyn Fn(&Shader) -> String) -> T,
    is_caught: impl Fn(&T, &str) -> bool,
) {
    let is_there = |fault: &&Fault| {
        let shader = boxwood_shaders::all().into_iter().find(|shader| shader.name == fault.0);
        own_text(shader.unwrap_or_else(|| panic!("there is no shader {}", fault.0))).1.contains(fault.1)
    };
    let gone: Vec<_> = faults.iter().filter(|fault| !is_there(fault)).collect();
    assert!(gone.is_empty(), "faults in what shaders no longer have: {gone:#?}");
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
    assert!(survivors.is_empty(), "faults that no input shows:\n{}", survivors.join("\n"));
}

/// A shader in two: what ends with the sample of a monoid, if it is over one, in which there is nothing to break, and the rest.
fn own_text(shader: &Shader) -> (&str, &str) {
    let after = shader.around_monoid().map_or(shader.source, |(_, after)| after);
    shader.source.split_at(shader.source.len() - after.len())
}
