//! Faults that the unit tests of the crate must catch.

mod planted;

use std::path::Path;
use std::process::Command;

use planted::{Faulty, Planted, fault};

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

/// Runs the tests of a module.
fn run(program: &Path, module: &str) -> Command {
    let mut command = Command::new(program);
    command
        .arg(format!("{module}::tests"))
        // Modules of the specification have the same names. Four million elements take seconds, and
        // the smaller scenes catch the same faults.
        .args(["--skip", "specification::", "--skip", "four_million_elements"])
        // The same cases in each run, and only one failure of each test.
        .env("PROPTEST_RNG_SEED", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
    command
}

#[test]
fn the_tests_catch_each_fault() {
    let planted = Planted {
        name: "boxwood_cpu",
        // The unit tests include these files.
        included: &[
            "crates/boxwood_cpu/tests/families",
            "tests/inputs/src/boxes.rs",
            "tests/inputs/src/random.rs",
        ],
        arguments: &[
            "--lib",
            "--features",
            "kurbo,parallel",
            // Level 3 takes longer to compile than it saves. Other options than those of the
            // workspace would compile the dependencies again.
            "--config",
            "profile.dev.package.boxwood_cpu.opt-level=2",
        ],
        faults: FAULTS,
        run,
        found: " differ",
    };
    planted.assert_all_caught();
}
