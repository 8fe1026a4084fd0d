//! Faults that the tests of the crate must catch.
//!
//! A copy of the crate gets all faults. The environment variable `BOXWOOD_FAULT` turns one of them
//! on. So the crate is compiled once, and its own source has no code for this.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Faults in a file, and the modules whose tests must each catch all of them.
struct Faulty {
    /// The file in the folder `src`.
    file: &'static str,
    tests: &'static [&'static str],
    faults: &'static [Fault],
}

struct Fault {
    name: &'static str,
    /// The text before the correct one, if that occurs more than once.
    before: &'static str,
    /// An expression or statement of the source. With the text before it, it occurs once.
    correct: &'static str,
    faulty: &'static str,
}

/// A fault in a text that occurs once in its file.
const fn fault(name: &'static str, correct: &'static str, faulty: &'static str) -> Fault {
    Fault { name, before: "", correct, faulty }
}

impl Fault {
    /// The fault in a text that occurs more than once, but only once after this one.
    const fn after(self, before: &'static str) -> Self {
        Self { before, ..self }
    }
}

const FAULTS: &[Faulty] = &[
    Faulty {
        file: "engine/pass.rs",
        tests: &["engine"],
        faults: &[
            fault(
                "an end forgets the union of the node around it",
                "group = lanes::union(vector(&outer.group), group);",
                "let _ = vector(&outer.group);",
            ),
            fault("a clip leaks to the next sibling", "clip = vector(&outer.clip);", "let _ = outer.clip;"),
            fault(
                "the begin of a node lacks its end",
                "links[begin_in_range].partner = (first_rank + rank) as i32;",
                "",
            ),
        ],
    },
    Faulty {
        file: "engine/parallel.rs",
        tests: &["engine"],
        faults: &[
            fault(
                "the slice of a chunk has an end too many",
                "(self.n_entries, self.n_ends_of_earlier) = (n_entries, n_ends);",
                "(self.n_entries, self.n_ends_of_earlier) = (n_entries, n_ends + 1);",
            ),
            fault(
                "the slice of a chunk lacks its innermost begin",
                "n_ends = (n_ends + is_end).saturating_sub(is_begin);",
                "if n_ends == 0 && self.begins.len() == 1 { self.begins.clear(); } \
                 n_ends = (n_ends + is_end).saturating_sub(is_begin);",
            ),
            fault(
                "the nodes of a chunk are not clipped by those around them",
                "clip.intersect(scene.boxes()[begin.element])",
                "scene.boxes()[begin.element]",
            ),
        ],
    },
    Faulty {
        file: "engine/close.rs",
        tests: &["engine"],
        faults: &[fault(
            "the leaves of a chunk are not in the nodes around it",
            "lowest.group_box = lowest.group_box.union(inner);",
            "let _ = (lowest, inner);",
        )],
    },
    Faulty {
        file: "engine/lanes.rs",
        tests: &["engine"],
        faults: &[fault(
            "an empty intersection keeps its edges",
            "is_empty.select(f32x4::load_array(simd, EMPTY), raw)",
            "{ let _ = is_empty; raw }",
        )],
    },
    Faulty {
        file: "layers.rs",
        tests: &["layers"],
        faults: &[
            fault(
                "the container of the item before stays, even if it does not contain the item",
                "outer.x0 <= own.x0 && outer.y0 <= own.y0 && own.x1 <= outer.x1 && own.y1 <= outer.y1",
                "true",
            ),
            fault("items of all scopes are compared", "scope(*a) == scope(*b)", "true"),
            fault("batches ignore keys", "last.layer == layer && last.key == key", "last.layer == layer"),
        ],
    },
    Faulty {
        file: "adaptive_tree.rs",
        tests: &["layers", "occlusion"],
        faults: &[fault(
            "the items before the change of trees are not in the second tree",
            "self.in_space.insert(self.places.of(i), &own, key);",
            "let _ = (i, own, key);",
        )],
    },
    Faulty {
        file: "tree.rs",
        tests: &["layers", "occlusion"],
        faults: &[
            fault("a full node is not carried into the level above", "place % LANES != LANES - 1", "true"),
            fault(
                "the node above has the key of its last child instead of the largest",
                "node.summary()",
                "(node.summary().0, node.key[LANES - 1])",
            ),
            fault(
                "a child that has a box already is not extended by another one",
                "self.set(lane, &union, key.max(self.key[lane]));",
                "if old.is_empty() { self.set(lane, &union, key.max(self.key[lane])); }",
            ),
            fault(
                "the nodes of a tree stay for the next picture",
                "self.nodes.clear();",
                "if self.nodes.len() != n_nodes { self.nodes.clear(); }",
            ),
        ],
    },
    Faulty {
        file: "tree.rs",
        tests: &["layers"],
        faults: &[
            fault("boxes that touch overlap", "own", "Aabb { x1: own.x1.next_up(), ..own }")
                .after(".overlapping(&"),
            fault(
                "a search for the largest key stops one level too early",
                "0..self.starts.len()",
                "0..self.starts.len() - 1",
            )
            .after("for level in "),
            fault(
                "a search for the largest key visits only the first child",
                "best = self.largest_below(level - 1, LANES * node + lane_of(last), own, best);",
                "return self.largest_below(level - 1, LANES * node + lane_of(last), own, best);",
            ),
            fault(
                "a search for the largest key ends at its first node",
                "place << (LG_LANES * (level + 1)) <= first",
                "true",
            ),
        ],
    },
    Faulty {
        file: "tree.rs",
        tests: &["occlusion"],
        faults: &[
            fault(
                "a search for a container stops one level too early",
                "(0..self.starts.len())",
                "(0..self.starts.len() - 1)",
            ),
            fault("a search for a container visits only the first child", "place.is_some()", "true"),
        ],
    },
    Faulty {
        file: "radix.rs",
        tests: &["radix"],
        faults: &[fault(
            "a digit is skipped that differs",
            "counts[digit(self.pairs[0], at)] as usize == self.pairs.len()",
            "at == 1",
        )],
    },
    Faulty {
        file: "occlusion.rs",
        tests: &["occlusion"],
        faults: &[
            fault(
                "an element hides itself",
                "hidden_by.is_none() && !own.is_empty()",
                "hidden_by.is_none() && !own.is_empty() && !inner_boxes[i].contains(*own)",
            ),
            fault(
                "the tiles that an inner box touches are covered",
                "in_tiles.covered(inner)",
                "in_tiles.touched(inner)",
            ),
            fault(
                "the last result is tried for elements outside of its scope",
                "scope_start(*j) <= i && inner_boxes[*j].contains(*own)",
                "inner_boxes[*j].contains(*own)",
            ),
            fault(
                "an inner box that is inside of another is left out, even if its scope is larger",
                "scope_start(j) <= scope_start(i) && inner_boxes[j].contains(inner_boxes[i])",
                "inner_boxes[j].contains(inner_boxes[i])",
            ),
        ],
    },
    Faulty {
        file: "tiles.rs",
        tests: &["damage", "occlusion"],
        faults: &[
            fault("the bits of the frame before stay", "words.clear();", ""),
            fault("a range of bits lacks its inner words", "first + 1..last", "first + 1..first + 1"),
        ],
    },
    Faulty {
        file: "tiles.rs",
        tests: &["tiles"],
        faults: &[fault(
            "a box beyond the picture touches its last tile",
            "x0 < width && y0 < height && x1 > 0.0 && y1 > 0.0",
            "x1 > 0.0 && y1 > 0.0",
        )],
    },
    Faulty {
        file: "damage.rs",
        tests: &["damage"],
        faults: &[
            fault("elements that changed their order are not changed", "is_same &= partner >= largest;", ""),
            fault("the box of the partner is not damaged", "!is_same_box", "false"),
            fault("elements that vanished are not damaged", "rest != 0", "false"),
            fault(
                "runs are continued if they begin in the same column",
                "found[*i].x0 == x0 && found[*i].x1 == x1",
                "found[*i].x0 == x0",
            ),
            fault(
                "a coarser row lacks the odd columns",
                "(word | (word >> 1)) & 0x5555_5555",
                "word & 0x5555_5555",
            ),
            fault(
                "a coarser row lacks the odd rows",
                "column(2 * y, word) | column(2 * y + 1, word)",
                "column(2 * y, word)",
            ),
            fault(
                "the second element with a number has the first partner",
                "old.next_if(|(other, _)| *other == id)",
                "old.peek().copied().filter(|(other, _)| *other == id)",
            ),
        ],
    },
    Faulty {
        file: "pick.rs",
        tests: &["pick"],
        faults: &[
            fault("the elements of the pick before stay", "self.found.clear();", "")
                .after("is_hit: impl FnMut(usize, Place) -> bool,\n    ) -> &[usize] {\n        "),
            fault("the test is not asked about leaves", "is_hit(element, place)", "true"),
            fault("leaves are not clipped", "boxes.clipped_boxes[element]", "scene.boxes()[element]"),
            fault("what is inside of a refused node is found", "is_hit(begin, place)", "true")
                .after("[partner].element();\n                if !(place.is_in(boxes.group_boxes[node]) && "),
            fault("what is inside of a refused node without an end is found", "is_hit(begin, place)", "true")
                .after("[node].element();\n        if !(place.is_in(boxes.group_boxes[node]) && "),
            fault("no node is at the place", "boxes.group_boxes[node]", "crate::Aabb::EMPTY")
                .after("[partner].element();\n                if !(place.is_in("),
            fault(
                "a jump goes to the first node",
                "boxes.entries[partner].element()",
                "boxes.entries[0].element()",
            ),
            fault(
                "no end has a begin",
                "usize::try_from(boxes.links[node].partner)",
                "usize::try_from(-1_i32)",
            ),
            fault("a Nop is found", "{}", "visit(element)?").after("ElementKind::Nop => "),
            fault(
                "every node has a leaf that is found inside of it",
                "usize::try_from(partner).map_or(true, |end| boxes.ranks[leaf] as usize <= end)",
                "true",
            ),
        ],
    },
];

/// A module of the copy. Outside of tests, the crate has no standard library and no fault.
const SWITCH: &str = r#"
    #[cfg(test)]
    static FAULT: std::sync::LazyLock<alloc::string::String> =
        std::sync::LazyLock::new(|| std::env::var("BOXWOOD_FAULT").unwrap_or_default());
    #[cfg(test)]
    pub(crate) fn is_planted(name: &str) -> bool { *FAULT == name }
    #[cfg(not(test))]
    pub(crate) fn is_planted(_: &str) -> bool { false }
"#;

const OWN_MANIFEST: &str = "crates/boxwood_cpu/Cargo.toml";

/// The files outside of `src` that the unit tests include.
const INCLUDED: [&str; 3] = [
    "crates/boxwood_cpu/tests/families",
    "crates/boxwood_bench/src/inputs/boxes.rs",
    "crates/boxwood_bench/src/inputs/random.rs",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate is in a repository")
}

/// Copies what the crate needs to be compiled into an empty workspace with nothing else.
fn copy_crate(to: &Path) {
    let from = repository();
    let _ = fs::remove_dir_all(to);
    let manifest = read(&from.join("Cargo.toml"));
    let (start, rest) = manifest.split_once("members = [").expect("the workspace has members");
    let (_, rest) = rest.split_once(']').expect("the list of members ends");
    write(&to.join("Cargo.toml"), &format!("{start}members = [\"crates/boxwood_cpu\"]{rest}"));
    let own_manifest = read(&from.join(OWN_MANIFEST));
    // The crate is its own dependency in tests, to have all features. The copy then compiles once.
    let lines = own_manifest.lines().filter(|line| !line.starts_with("boxwood_cpu = "));
    write(&to.join(OWN_MANIFEST), &lines.collect::<Vec<_>>().join("\n"));
    for file in ["Cargo.lock", "crates/boxwood_cpu/src"].into_iter().chain(INCLUDED) {
        copy(&from.join(file), &to.join(file));
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
    fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in from.read_dir().expect("the folder can be listed") {
            let entry = entry.expect("the entry can be read");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        write(to, &read(from));
    }
}

/// The range of a fault in the source of its file, and the text that takes its place. The fault is
/// off unless the variable has its name.
fn edit(fault: &Fault, source: &str) -> (Range<usize>, String) {
    let Fault { name, before, correct, faulty } = fault;
    let text = [*before, *correct].concat();
    let places: Vec<usize> = source.match_indices(&text).map(|(place, _)| place).collect();
    let [place] = places[..] else { panic!("{} places instead of one for \"{name}\": {text}", places.len()) };
    let condition = format!("if crate::planted::is_planted({name:?})");
    // Parentheses, because a call can follow an expression. A statement must not have them.
    let either = if correct.ends_with([';', '}']) {
        format!("{condition} {{ {faulty} }} else {{ {correct} }}")
    } else {
        format!("({condition} {{ {faulty} }} else {{ {correct} }})")
    };
    (place + before.len()..place + text.len(), either)
}

/// Adds all faults to the copy.
fn plant_all(src: &Path) {
    let files: BTreeSet<&str> = FAULTS.iter().map(|faulty| faulty.file).collect();
    for file in files {
        let path = src.join(file);
        let mut source = read(&path);
        let faults = FAULTS.iter().filter(|faulty| faulty.file == file).flat_map(|faulty| faulty.faults);
        let mut edits: Vec<_> = faults.map(|fault| edit(fault, &source)).collect();
        edits.sort_by_key(|(range, _)| range.start);
        assert!(edits.is_sorted_by(|(a, _), (b, _)| a.end <= b.start), "faults in {file} overlap");
        // From the back, so that the places of the others stay.
        for (range, either) in edits.into_iter().rev() {
            source.replace_range(range, &either);
        }
        write(&path, &source);
    }
    write(&src.join("planted.rs"), SWITCH);
    let root = src.join("lib.rs");
    write(&root, &format!("#![allow(unused)]\n{}\nmod planted;\n", read(&root)));
}

/// Compiles the unit tests of the copy. Returns the program.
fn build(workspace: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--no-run", "--offline", "--message-format=json-render-diagnostics"])
        .args(["-p", "boxwood_cpu", "--lib", "--features", "kurbo,parallel"])
        // Level 3 takes longer to compile than it saves. Other options than those of the workspace
        // would compile the dependencies again.
        .args(["--config", "profile.dev.package.boxwood_cpu.opt-level=2"])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the copy does not compile: {errors}");
    let messages = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = messages.rsplit_once(r#""executable":""#).expect("the tests are a program");
    rest.split('"').next().expect("the path ends").into()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// Runs the tests of a module, with a fault or without one.
fn run_tests(program: &Path, module: &str, fault: &str) -> Output {
    Command::new(program)
        .arg(format!("{module}::tests"))
        // Modules of the specification have the same names. Four million elements take seconds, and
        // the smaller scenes catch the same faults.
        .args(["--skip", "specification::", "--skip", "four_million_elements"])
        .env("BOXWOOD_FAULT", fault)
        // The same cases in each run, and only one failure of each test.
        .env("PROPTEST_RNG_SEED", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
        .output()
        .expect("the tests can be started")
}

#[test]
fn the_tests_catch_each_fault() {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted_faults");
    copy_crate(&workspace);
    plant_all(&workspace.join("crates/boxwood_cpu/src"));
    let program = build(&workspace);

    let modules: BTreeSet<&str> = FAULTS.iter().flat_map(|faulty| faulty.tests).copied().collect();
    for module in modules {
        let output = run_tests(&program, module, "");
        assert!(output.status.success(), "without a fault: {}", text(&output));
        assert!(!text(&output).contains("running 0 tests"), "{module} has tests");
    }
    let mut missed = Vec::new();
    for Faulty { tests, faults, .. } in FAULTS {
        for (module, fault) in tests.iter().flat_map(|module| faults.iter().map(move |fault| (module, fault)))
        {
            let output = run_tests(&program, module, fault.name);
            // A panic of the code is not enough: a test must find another result.
            if output.status.success() || !text(&output).contains(" differ") {
                missed.push((module, fault.name));
            }
        }
    }
    assert!(missed.is_empty(), "the tests miss these faults: {missed:#?}");
}
