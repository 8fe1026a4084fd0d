//! Resolves every stage's WGSL, validates it with naga against WebGPU's baseline, and writes a table of what it needs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, process};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, StorageAccess};

#[path = "src/permutations.rs"]
mod permutations;
#[path = "src/resolve.rs"]
mod resolve;

use permutations::Permutation;

fn main() {
    println!("cargo::rerun-if-changed=wgsl");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("wgsl");
    let shared =
        |name: &str| fs::read_to_string(folder.join("shared").join(name).with_extension("wgsl")).ok();
    let mut files: Vec<String> = fs::read_dir(&folder)
        .unwrap_or_else(|e| fail(&format!("{e}: {}", folder.display())))
        .filter_map(|entry| entry.expect("the folder can be listed").file_name().into_string().ok())
        .filter_map(|file| file.strip_suffix(".wgsl").map(str::to_owned))
        .collect();
    files.sort();
    let list = folder.join("permutations");
    let list = fs::read_to_string(&list).unwrap_or_else(|e| fail(&format!("{e}: {}", list.display())));
    let mut permutations = permutations::parse(&list).unwrap_or_else(|e| fail(&e));

    let mut names: Vec<&str> = Vec::new();
    let mut fields = String::new();
    let mut values = String::new();
    for file in &files {
        let source =
            fs::read_to_string(folder.join(file).with_extension("wgsl")).expect("it was just listed");
        let alone = || vec![Permutation { name: file, defines: BTreeSet::new() }];
        for Permutation { name, defines } in permutations.remove(file.as_str()).unwrap_or_else(alone) {
            let resolved =
                resolve::resolve(file, &source, &defines, &shared).unwrap_or_else(|e| fail(&e.to_string()));
            let module = naga::front::wgsl::parse_str(&resolved).unwrap_or_else(|e| {
                fail(&e.emit_to_string_with_path(&resolved, &format!("resolved {name}.wgsl")))
            });
            Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap_or_else(
                |e| fail(&e.emit_to_string_with_path(&resolved, &format!("resolved {name}.wgsl"))),
            );
            let doc = documentation(&source);
            writeln!(fields, "    {doc}\n    pub {name}: Shader,").expect("a String takes it");
            writeln!(values, "    {name}: {},", shader(name, &resolved, &module)).expect("a String takes it");
            names.push(name);
        }
    }
    if let Some(file) = permutations.keys().next() {
        fail(&format!("permutations: there is no {file}.wgsl"));
    }
    let all: String = names.iter().map(|name| format!("&self.{name}, ")).collect();
    let table = format!(
        "/// One shader a field, named as its file in `wgsl/` or as the permutation of one.\n\
         #[allow(clippy::doc_markdown, reason = \"the text is that of the shaders\")]\n\
         #[derive(Clone, Debug)]\npub struct Shaders {{\n{fields}}}\n\n\
         impl Shaders {{\n    /// All of them, in the order of their files.\n    \
         pub fn all(&self) -> [&Shader; {count}] {{\n        [{all}]\n    }}\n}}\n\n\
         /// The shaders of this version of Boxwood.\npub static SHADERS: Shaders = Shaders {{\n{values}}};\n",
        count = names.len(),
    );
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("shaders.rs");
    fs::write(&out, table).unwrap_or_else(|e| fail(&format!("{e}: {}", out.display())));
}

/// The comment at the head of a shader, after its licence line, as the documentation of its field.
fn documentation(source: &str) -> String {
    let head = source.lines().skip(1).skip_while(|line| line.trim().is_empty());
    let text: Vec<&str> = head.map_while(|line| line.strip_prefix("//")).map(str::trim).collect();
    format!("#[doc = {:?}]", text.join(" "))
}

fn shader(name: &str, resolved: &str, module: &naga::Module) -> String {
    let compute = module.entry_points.iter().find(|e| e.stage == naga::ShaderStage::Compute);
    let workgroup_size = compute.map_or([0; 3], |e| e.workgroup_size);
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a valid module has layouts");
    let mut workgroup_memory = 0;
    let mut bindings = Vec::new();
    for (_, variable) in module.global_variables.iter() {
        let kind = match variable.space {
            AddressSpace::WorkGroup => {
                workgroup_memory += layouter[variable.ty].size;
                continue;
            }
            AddressSpace::Uniform => "Uniform",
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => "StorageReadWrite",
            AddressSpace::Storage { .. } => "StorageRead",
            _ => continue,
        };
        let Some(binding) = &variable.binding else {
            continue;
        };
        if binding.group != 0 {
            fail(&format!("{name}.wgsl: a binding outside group 0"));
        }
        let variable_name = variable.name.clone().unwrap_or_default();
        bindings.push((
            binding.binding,
            format!(
                "Binding {{ index: {}, name: {variable_name:?}, kind: BindingKind::{kind} }}",
                binding.binding
            ),
        ));
    }
    bindings.sort();
    let bindings: String = bindings.into_iter().map(|(_, text)| text + ", ").collect();
    format!(
        "Shader {{ name: {name:?}, source: {resolved:?}, workgroup_size: {workgroup_size:?}, \
         bindings: &[{bindings}], workgroup_memory: {workgroup_memory} }}"
    )
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', "\ncargo::error="));
    process::exit(1)
}
