//! Which elements of two drawings are compared with each other.

use crate::run::Folder;

/// The changes between two drawings with these elements: the kind and the name of each.
#[track_caller]
fn changes(old: &str, new: &str) -> Vec<String> {
    let svg = |body: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'>{DEFS}{body}</svg>")
    };
    let folder = Folder::new().with("old.svg", svg(old)).with("new.svg", svg(new));
    let run = folder.run(&["diff", "old.svg", "new.svg", "--format", "csv"]);
    assert_eq!(run.stderr, "");
    let changes: Vec<_> = run.columns(&["change", "name"]);
    let changes: Vec<_> = changes.into_iter().filter(|change| !change.starts_with("damage")).collect();
    assert_eq!(run.code, i32::from(!changes.is_empty()), "{changes:?}");
    changes
}

const DEFS: &str = "<defs><rect id='tile' width='10' height='10'/>
    <clipPath id='all'><rect width='200' height='200'/></clipPath>
    <clipPath id='half'><rect width='15' height='200'/></clipPath>
    <filter id='same'><feOffset/></filter></defs>";

#[test]
fn a_group_that_moves_is_listed_before_its_contents() {
    let shapes = "<rect width='9' height='9'/><g><circle cx='30' cy='30' r='9'/></g>";
    let contents = ["moved,/svg/g[1]/rect[1]", "moved,/svg/g[1]/g[1]/circle[1]"];
    for (old, new, name) in [
        ("<g id='a'", "<g id='a' transform='translate(20)'", "a"),
        ("<g transform='scale(2)'", "<g transform='translate(20)'", "/svg/g[1]"),
        ("<g opacity='.5'", "<g opacity='.5' style='transform:translate(20px)'", "/svg/g[1]"),
    ] {
        let found = changes(&format!("{old}>{shapes}</g>"), &format!("{new}>{shapes}</g>"));
        let expected: Vec<_> =
            std::iter::once(format!("moved,{name}")).chain(contents.map(str::to_owned)).collect();
        assert_eq!(found, expected, "{old} -> {new}");
    }
    let one = "<use href='#tile' x='50'/>";
    assert_eq!(
        changes(one, "<use href='#tile' x='60'/>"),
        ["moved,/svg/use[1]", "moved,/svg/use[1] → /svg/defs[1]/rect[1]"]
    );
    let inner = |x: u32| format!("<svg x='{x}' width='99' height='99'>{shapes}</svg>");
    assert_eq!(changes(&inner(0), &inner(50))[0], "moved,/svg/svg[1]");
}

#[test]
fn a_group_is_not_listed_if_only_something_inside_of_it_moves() {
    let group = |rect: &str, circle: &str| {
        format!(
            "<g id='outer'><g id='inner'><rect width='9' height='9'{rect}/></g><circle r='9'{circle}/></g>"
        )
    };
    let found = changes(&group("", ""), &group(" transform='translate(20)'", ""));
    assert_eq!(found, ["moved,/svg/g[1]/g[1]/rect[1]"]);
    let found = changes(&group("", ""), &group(" x='20'", " cx='9'"));
    assert_eq!(found, ["moved,/svg/g[1]/g[1]/rect[1]", "moved,/svg/g[1]/circle[1]"]);
    // usvg leaves out a group without contents.
    let one = |contents: &str| format!("<svg id='s' x='9' width='50' height='50'>{contents}</svg>");
    assert_eq!(changes(&one("<circle id='c' r='9'/>"), &one("")), ["vanished,c"]);
    // The transform is at another element, and nothing moves.
    let found = changes(
        "<g id='a' transform='translate(5 5)'><rect id='b' width='9' height='9'/></g>",
        "<g id='a'><rect id='b' width='9' height='9' transform='translate(5 5)'/></g>",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn another_view_moves_the_root() {
    let folder = ["0 0 100 100", "0 0 50 50"].iter().zip(["old.svg", "new.svg"]).fold(
        Folder::new(),
        |folder, (view, name)| {
            let shapes = "<rect width='9' height='9'/><circle r='9'/>";
            folder.with(
                name,
                format!(
                    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{view}' width='100'>{shapes}</svg>"
                ),
            )
        },
    );
    let run = folder.run(&["diff", "old.svg", "new.svg", "--format", "csv"]);
    let found = run.columns(&["change", "name"]);
    assert_eq!(found[..3], ["moved,/svg", "moved,/svg/rect[1]", "moved,/svg/circle[1]"]);
}

#[test]
fn a_group_that_gains_or_loses_an_effect_is_repainted() {
    let group = |attributes: &str, id: &str| {
        format!("<g {attributes}{id}><rect width='9' height='9'/><circle cx='20' cy='20' r='9'/></g>")
    };
    for id in ["", " id='a'"] {
        let name = if id.is_empty() { "/svg/g[1]" } else { "a" };
        for effect in [
            "opacity='.5'",
            "style='mix-blend-mode:multiply'",
            "style='isolation:isolate'",
            "clip-path='url(#all)'",
        ] {
            let expected =
                [name, "/svg/g[1]/rect[1]", "/svg/g[1]/circle[1]"].map(|name| format!("repainted,{name}"));
            assert_eq!(changes(&group("", id), &group(effect, id)), expected, "+ {effect}");
            assert_eq!(changes(&group(effect, id), &group("", id)), expected, "- {effect}");
        }
        // The clip path cuts the circle, and with it the group.
        let clipped = group("clip-path='url(#half)'", id);
        let expected = [
            format!("moved,{name}"),
            "repainted,/svg/g[1]/rect[1]".to_owned(),
            "moved,/svg/g[1]/circle[1]".to_owned(),
        ];
        assert_eq!(changes(&group("", id), &clipped), expected);
        assert_eq!(changes(&clipped, &group("", id)), expected);
    }
    let filtered = changes(&group("", ""), &group("filter='url(#same)'", ""));
    assert!(
        filtered.iter().all(|change| !change.contains("vanished") && !change.contains("appeared")),
        "{filtered:?}"
    );
}

#[test]
fn elements_without_an_id_keep_their_partners_in_a_new_group() {
    let shapes =
        "<rect width='9' height='9'/><rect y='50' width='9' height='9'/><path d='M9 9h9v9z' stroke='red'/>";
    let same = "<rect width='9' height='9'/>";
    let names =
        |shapes: &[&str]| shapes.iter().map(|shape| format!("moved,/svg/g[1]/{shape}")).collect::<Vec<_>>();
    let in_group = |shapes: &str| format!("<g transform='translate(20 5)'>{shapes}</g>");
    assert_eq!(changes(shapes, &in_group(shapes)), names(&["rect[1]", "rect[2]", "path[1]"]));
    let back = changes(&in_group(shapes), shapes);
    assert_eq!(back, ["moved,/svg/rect[1]", "moved,/svg/rect[2]", "moved,/svg/path[1]"]);
    // Elements with the same contents are compared in their order.
    let [two, three] = [2, 3].map(|n| same.repeat(n));
    assert_eq!(changes(&two, &in_group(&two)), names(&["rect[1]", "rect[2]"]));
    // If their numbers differ, it is not known which one has moved.
    let found = changes(&three, &in_group(&two));
    assert_eq!(found.iter().filter(|change| change.starts_with("moved")).count(), 0, "{found:?}");
    // An element at the same place is a better partner than one with the same contents.
    let near = format!("{same}{}", in_group(same));
    assert_eq!(changes(same, &near), ["appeared,/svg/g[1]/rect[1]"]);
}

#[test]
fn an_inserted_group_does_not_change_the_groups_after_it() {
    let groups = "<g transform='translate(50)'><rect width='9' height='9'/></g>
        <g transform='translate(90)' opacity='.5'><circle r='9'/></g>";
    let inserted = format!("<g transform='scale(2)'><path d='M40 40h9v9z'/></g>{groups}");
    assert_eq!(changes(groups, &inserted), ["appeared,/svg/g[1]/path[1]"]);
    assert_eq!(changes(&inserted, groups), ["vanished,/svg/g[1]/path[1]"]);
}
