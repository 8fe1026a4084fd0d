//! Resolves every shader, checks the contracts of shared files, validates the shader with naga
//! without optional capabilities, checks that it mixes operators as WGSL allows, and generates Rust
//! code with its source and reflection.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs, process};

use heck::ToShoutySnakeCase as _;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, StorageAccess, TypeInner};
use walkdir::WalkDir;

#[path = "src/contract.rs"]
mod contract;
#[path = "src/operators.rs"]
#[allow(unreachable_pub, reason = "the library exports these items")]
mod operators;
#[path = "src/permutations.rs"]
mod permutations;
#[path = "src/resolve.rs"]
mod resolve;

use contract::Contract;
use permutations::Permutation;
use resolve::Line;

/// The rooms, which are the folders of `wgsl`, each with the other rooms that it may import from.
const ROOMS: [(&str, &[&str]); 8] = [
    ("core", &[]),
    ("tree", &["core"]),
    ("scene", &["core"]),
    ("paths", &["core"]),
    ("spatial", &["core"]),
    ("papers", &["core", "tree", "scene", "spatial"]),
    ("vello", &["core", "paths", "scene"]),
    ("view", &["core"]),
];

fn main() {
    println!("cargo::rerun-if-changed=wgsl");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("wgsl");
    let sources: Vec<Source> = ROOMS.iter().flat_map(|(room, _)| sources_of(&folder, room)).collect();
    let shared =
        |name: &str| Some(sources.iter().find(|file| file.is_shared && file.name == name)?.text.clone());

    let mut table = Table::default();
    let mut violations = duplicates(&sources);
    let mut used = BTreeSet::new();
    let mut shaders = BTreeSet::new();
    for source in sources.iter().filter(|source| !source.is_shared) {
        let permutations = permutations::parse(&source.name, &source.text).unwrap_or_else(|e| fail(&e));
        violations.extend(permutations::duplicates(&source.name, &permutations, &mut shaders));
        for Permutation { name, defines } in permutations {
            let lines =
                resolve::resolve(&source.name, &source.text, &defines, &shared).unwrap_or_else(|e| fail(&e));
            let names: BTreeSet<&str> = lines.iter().map(|line| &*line.file).collect();
            let imports = sources.iter().filter(|file| file.is_shared && names.contains(&*file.name));
            let files: Vec<&Source> = std::iter::once(source).chain(imports).collect();
            violations.extend(violations_in(&files));
            used.extend(files.iter().map(|file| &*file.name));
            let resolved: String = lines.iter().flat_map(|line| [&*line.text, "\n"]).collect();
            let module = validated(name, &resolved, &lines);
            table.sizes(name, &module);
            if env::var_os(format!("CARGO_FEATURE_{}", source.room.to_uppercase())).is_some()
                || source.room == "core"
            {
                table.shader(source, name, &resolved, &module);
            }
        }
    }
    let unused = sources.iter().filter(|file| !used.contains(&*file.name) && file.is_shared);
    violations.extend(unused.map(|file| format!("{}.wgsl: no shader imports it", file.name)));
    if !violations.is_empty() {
        fail(&violations.into_iter().collect::<Vec<_>>().join("\n"));
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("shaders.rs");
    fs::write(&out, table.finish()).unwrap_or_else(|e| fail(&format!("{}: {e}", out.display())));
}

/// A file of WGSL.
struct Source {
    room: &'static str,
    /// The name of the file without its suffix, unique among the files of all rooms.
    name: String,
    /// Whether it is in the folder `shared` of its room, so that it is not a shader itself.
    is_shared: bool,
    text: String,
}

/// The files of a room, in the order of their names.
fn sources_of(folder: &Path, room: &'static str) -> Vec<Source> {
    let entries = WalkDir::new(folder.join(room)).sort_by_file_name().into_iter();
    entries
        .map(|entry| entry.unwrap_or_else(|e| fail(&e.to_string())).into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wgsl"))
        .map(|path| Source {
            room,
            name: path.file_stem().expect("it has a suffix").to_string_lossy().into_owned(),
            is_shared: path.components().any(|part| part.as_os_str() == "shared"),
            text: read(&path),
        })
        .collect()
}

/// The files that have the name of another file.
fn duplicates(sources: &[Source]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let duplicates = sources.iter().filter(|file| !names.insert(&file.name));
    duplicates.map(|file| format!("{}.wgsl: another file has the same name", file.name)).collect()
}

/// The violations of contracts, and of the boundaries between rooms, in the file of a shader and
/// its imports.
fn violations_in(files: &[&Source]) -> Vec<String> {
    let contracts: BTreeMap<&str, Contract<'_>> =
        files.iter().map(|file| (&*file.name, Contract::of(&file.text))).collect();
    let mut violations = contract::violations(&files[0].name, &contracts);
    for file in files {
        let (_, allowed) = ROOMS.iter().find(|(room, _)| *room == file.room).expect("it is a room");
        for import in files.iter().filter(|i| contracts[&*file.name].imports.contains(&*i.name)) {
            if import.room != file.room && !allowed.contains(&import.room) {
                violations.push(format!(
                    "{}.wgsl: room {} must not import `{}` of room {}",
                    file.name, file.room, import.name, import.room
                ));
            }
        }
    }
    violations
}

/// The module of a shader. `lines` are the positions of the resolved lines, for error messages.
fn validated(name: &str, resolved: &str, lines: &[Line]) -> naga::Module {
    let refuse = |line: Option<u32>, message: String| -> ! {
        let line = line.and_then(|line| lines.get(line as usize - 1));
        let position = line.map(|line| format!("{}.wgsl:{}: ", line.file, line.number));
        fail(&format!("{}in shader {name}: {message}", position.unwrap_or_default()))
    };
    let line = |location: naga::SourceLocation| location.line_number;
    let module = naga::front::wgsl::parse_str(resolved)
        .unwrap_or_else(|e| refuse(e.location(resolved).map(line), e.emit_to_string(resolved)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|e| refuse(e.location(resolved).map(line), e.emit_to_string(resolved)));
    operators::check_operators(resolved).unwrap_or_else(|e| refuse(Some(e.line), e.to_string()));
    module
}

/// The generated Rust code.
#[derive(Default)]
struct Table {
    /// The statics of each room.
    rooms: BTreeMap<&'static str, String>,
    /// A reference to each static, followed by a comma.
    all: String,
    /// The bytes of each struct, as the element of an array.
    sizes: BTreeMap<String, u32>,
}

impl Table {
    /// Adds the size of every struct that a module has an array of in a buffer.
    fn sizes(&mut self, shader: &str, module: &naga::Module) {
        for (_, variable) in module.global_variables.iter().filter(|(_, v)| v.binding.is_some()) {
            let TypeInner::Array { base, stride, .. } = module.types[variable.ty].inner else { continue };
            let (TypeInner::Struct { .. }, Some(name)) =
                (&module.types[base].inner, &module.types[base].name)
            else {
                continue;
            };
            if *self.sizes.entry(name.to_shouty_snake_case()).or_insert(stride) != stride {
                fail(&format!("{shader}.wgsl: another shader has a struct {name} of another size"));
            }
        }
    }

    /// Adds a shader.
    fn shader(&mut self, source: &Source, name: &str, resolved: &str, module: &naga::Module) {
        let (doc, shader) = (documentation(&source.text), shader(name, resolved, module));
        let name = name.to_shouty_snake_case();
        *self.rooms.entry(source.room).or_default() +=
            &format!("    {doc}\n    pub static {name}: Shader = {shader};\n");
        self.all += &format!("&{}::{name}, ", source.room);
    }

    fn finish(self) -> String {
        let module = |(room, statics): (&&str, &String)| {
            format!(
                "/// The shaders of the room `{room}`.\n\
                 #[allow(clippy::doc_markdown, reason = \"the text is that of the shaders\")]\n\
                 pub mod {room} {{\n    use crate::{{Binding, BindingKind, Shader}};\n\n{statics}}}\n\n"
            )
        };
        let size = |(name, size): (&String, &u32)| {
            format!("    /// `{name}`.\n    pub const {name}: usize = {size};\n")
        };
        format!(
            "{rooms}/// Every shader, room by room.\n\
             pub fn all() -> Vec<&'static Shader> {{\n    vec![{all}]\n}}\n\n\
             /// The bytes of each struct of the shaders, as the element of an array in a buffer.\n\
             pub mod sizes {{\n{sizes}}}\n",
            rooms = self.rooms.iter().map(module).collect::<String>(),
            all = self.all,
            sizes = self.sizes.iter().map(size).collect::<String>(),
        )
    }
}

/// The comment at the head of a shader, after the lines on its licence and its permutations, as the
/// documentation of its static.
fn documentation(source: &str) -> String {
    let is_before = |line: &&str| line.trim().is_empty() || line.starts_with("// shader:");
    let head = source.lines().skip(1).skip_while(is_before);
    let text: Vec<&str> = head.map_while(|line| line.strip_prefix("//")).map(str::trim).collect();
    format!("#[doc = {:?}]", text.join("\n"))
}

fn shader(name: &str, resolved: &str, module: &naga::Module) -> String {
    let compute = module.entry_points.iter().find(|e| e.stage == naga::ShaderStage::Compute);
    let workgroup_size = compute.map_or([0; 3], |e| e.workgroup_size);
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a valid module has layouts");
    let mut workgroup_memory = 0;
    let mut bindings = BTreeMap::new();
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
        let index = binding.binding;
        let variable_name = variable.name.as_deref().unwrap_or_default();
        let text =
            format!("Binding {{ index: {index}, name: {variable_name:?}, kind: BindingKind::{kind} }}, ");
        if bindings.insert(index, text).is_some() {
            fail(&format!("{name}.wgsl: two bindings have the index {index}"));
        }
    }
    let bindings: String = bindings.into_values().collect();
    format!(
        "Shader {{ name: {name:?}, source: {resolved:?}, workgroup_size: {workgroup_size:?}, \
         bindings: &[{bindings}], workgroup_memory: {workgroup_memory} }}"
    )
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())))
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', "\ncargo::error="));
    process::exit(1)
}
