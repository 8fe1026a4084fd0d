//! Resolves every shader, checks the contracts of shared files, validates the shader with naga
//! without optional capabilities, checks that it mixes operators as WGSL allows, and generates Rust
//! code with its source and reflection.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs, process};

use heck::{ToShoutySnakeCase as _, ToUpperCamelCase as _};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, StorageAccess, TypeInner};
use walkdir::WalkDir;

#[path = "src/contract/mod.rs"]
mod contract;
#[path = "src/operators/mod.rs"]
#[allow(unreachable_pub, reason = "the library exports these items")]
mod operators;
#[path = "src/permutations/mod.rs"]
mod permutations;
#[path = "src/resolve/mod.rs"]
mod resolve;

use contract::Contract;
use permutations::Permutation;
use resolve::SourceLine;

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
fn validated(name: &str, resolved: &str, lines: &[SourceLine]) -> naga::Module {
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
    shaders: Vec<Reflected>,
    /// The bytes of each struct, as the element of an array.
    sizes: BTreeMap<String, u32>,
}

/// A shader of the table.
struct Reflected {
    room: &'static str,
    /// The name of its file.
    file: String,
    name: String,
    documentation: String,
    bindings: Vec<Binding>,
    /// The `Shader` in Rust.
    shader: String,
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
        let bindings = bindings(name, module);
        self.shaders.push(Reflected {
            room: source.room,
            file: source.name.clone(),
            name: name.to_owned(),
            documentation: documentation(&source.text),
            shader: shader(name, resolved, module, &bindings),
            bindings,
        });
    }

    /// The shaders of each file with the same bindings, which have one struct for them.
    fn groups(&self) -> Vec<Vec<&Reflected>> {
        let mut groups: Vec<Vec<&Reflected>> = Vec::new();
        for own in &self.shaders {
            let is_same =
                |group: &&mut Vec<&Reflected>| group[0].file == own.file && group[0].bindings == own.bindings;
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push(own),
                None => groups.push(vec![own]),
            }
        }
        groups
    }

    fn finish(self) -> String {
        let mut rooms: BTreeMap<&str, String> = BTreeMap::new();
        let mut names = BTreeSet::new();
        for group in self.groups() {
            let first = group[0];
            let room = rooms.entry(first.room).or_default();
            let name = Some(common_name(&group)).filter(|name| names.insert(name.clone()));
            let slots = name.unwrap_or_else(|| first.name.clone()).to_upper_camel_case();
            let shader = first.name.to_shouty_snake_case();
            *room += &slots_of(&slots, &shader, &first.bindings);
            if group.len() == 1 {
                *room += &format!(
                    "    impl<T> SlotsOfOne for {slots}<T> {{\n        \
                     const SHADER: &'static ShaderWith<{slots}> = &{shader};\n    }}\n"
                );
            }
            for Reflected { name, documentation, shader, .. } in group {
                *room += &format!(
                    "    {documentation}\n    pub static {}: ShaderWith<{slots}> = ShaderWith::new({shader});\n",
                    name.to_shouty_snake_case()
                );
            }
        }
        let module = |(room, items): (&&str, &String)| {
            let own = self.shaders.iter().filter(|own| own.room == *room);
            let all: String = own.map(|own| format!("&{}, ", own.name.to_shouty_snake_case())).collect();
            format!(
                "/// The shaders of the room `{room}`, and the structs of their bindings.\n\
                 #[allow(clippy::doc_markdown, reason = \"the text is that of the shaders\")]\n\
                 pub mod {room} {{\n    \
                 use crate::{{Binding, BindingKind, Shader, ShaderWith, Slots, SlotsOfOne}};\n\n{items}\n    \
                 /// Every shader of the room.\n    \
                 pub fn all() -> Vec<&'static Shader> {{\n        vec![{all}]\n    }}\n}}\n\n"
            )
        };
        let size = |(name, size): (&String, &u32)| {
            format!("    /// `{name}`.\n    pub const {name}: usize = {size};\n")
        };
        format!(
            "{rooms}/// Every shader, room by room.\n\
             pub fn all() -> Vec<&'static Shader> {{\n    [{all}].concat()\n}}\n\n\
             /// The bytes of each struct of the shaders, as the element of an array in a buffer.\n\
             pub mod sizes {{\n{sizes}}}\n",
            rooms = rooms.iter().map(module).collect::<String>(),
            all = rooms.keys().map(|room| format!("{room}::all(), ")).collect::<String>(),
            sizes = self.sizes.iter().map(size).collect::<String>(),
        )
    }
}

/// The words with which the names of all these shaders of a file begin, or the name of the file if
/// that is longer.
fn common_name(group: &[&Reflected]) -> String {
    let words = |own: &&Reflected| own.name.split('_').map(str::to_owned).collect::<Vec<_>>();
    let names: Vec<Vec<String>> = group.iter().map(words).collect();
    let is_common = |index: &usize| names.iter().all(|name| name.get(*index) == names[0].get(*index));
    let n_common = (0..names[0].len()).take_while(is_common).count();
    let common = names[0][..n_common].join("_");
    let file = &group[0].file;
    if common.len() < file.len() { file.clone() } else { common }
}

/// The comment at the head of a shader, after the lines on its licence and its permutations, as the
/// documentation of its static.
fn documentation(source: &str) -> String {
    let is_before = |line: &&str| line.trim().is_empty() || line.starts_with("// shader:");
    let head = source.lines().skip(1).skip_while(is_before);
    let text: Vec<&str> = head.map_while(|line| line.strip_prefix("//")).map(str::trim).collect();
    format!("#[doc = {:?}]", text.join("\n"))
}

/// A binding of a shader.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Binding {
    index: u32,
    name: String,
    /// The variant of `BindingKind`.
    kind: &'static str,
}

/// The bindings of a shader, by ascending index.
fn bindings(name: &str, module: &naga::Module) -> Vec<Binding> {
    let mut bindings = BTreeMap::new();
    for (_, variable) in module.global_variables.iter() {
        let kind = match variable.space {
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
        let own = Binding { index, name: variable.name.clone().unwrap_or_default(), kind };
        if bindings.insert(index, own).is_some() {
            fail(&format!("{name}.wgsl: two bindings have the index {index}"));
        }
    }
    bindings.into_values().collect()
}

/// The struct with a field for each binding of a shader.
fn slots_of(slots: &str, shader: &str, bindings: &[Binding]) -> String {
    let field = |Binding { name, kind, .. }: &Binding| {
        let doc = match *kind {
            "Uniform" => "A uniform buffer.",
            "StorageRead" => "A storage buffer that is read.",
            _ => "A storage buffer that is written.",
        };
        format!("        /// {doc}\n        pub {name}: T,\n")
    };
    let fields: String = bindings.iter().map(field).collect();
    let items: String = bindings.iter().map(|own| format!("self.{}, ", own.name)).collect();
    format!(
        "    /// The bindings of [`{shader}`].\n    \
         #[derive(Clone, Copy, Debug)]\n    pub struct {slots}<T = ()> {{\n{fields}    }}\n    \
         impl<T> Slots for {slots}<T> {{\n        type Item = T;\n        type Shape = {slots};\n        \
         fn into_items(self) -> Vec<T> {{\n            vec![{items}]\n        }}\n    }}\n"
    )
}

fn shader(name: &str, resolved: &str, module: &naga::Module, bindings: &[Binding]) -> String {
    let compute = module.entry_points.iter().find(|e| e.stage == naga::ShaderStage::Compute);
    let workgroup_size = compute.map_or([0; 3], |e| e.workgroup_size);
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a valid module has layouts");
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let in_workgroup = variables.filter(|variable| variable.space == AddressSpace::WorkGroup);
    let workgroup_memory: u32 = in_workgroup.map(|variable| layouter[variable.ty].size).sum();
    let binding = |Binding { index, name, kind }: &Binding| {
        format!("Binding {{ index: {index}, name: {name:?}, kind: BindingKind::{kind} }}, ")
    };
    let bindings: String = bindings.iter().map(binding).collect();
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
