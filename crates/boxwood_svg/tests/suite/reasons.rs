//! Why elements have no box.

use boxwood_svg::Unlisted;

use crate::loaded::Loaded;

/// The names of the elements that are not sources, with the words of the reasons.
fn unlisted(body: &str) -> Vec<(String, &'static str)> {
    let unlisted = Loaded::of(body).drawing.unlisted();
    unlisted.iter().map(|element| (element.name().to_owned(), element.reason.word())).collect()
}

#[test]
fn an_element_that_is_not_a_source_has_a_reason() {
    let found = unlisted(
        r##"<defs id="defs"><g id="defined"><rect id="in-defs" width="5" height="5"/></g></defs>
           <symbol id="symbol"><rect width="9" height="9"/></symbol><title id="title">A title</title>
           <use id="use" href="#symbol"/><use href="#defined"/><use id="lost" href="#none"/>
           <switch><rect id="picked" width="9" height="9"/><g id="passed"><rect width="9" height="9"/></g></switch>
           <rect id="gone" display="none" width="9" height="9"/><rect id="flat" width="9"/><path id="point" d="M9 9"/>
           <g id="around" style="display: none"><g><rect id="inside" width="9" height="9"/></g></g>
           <rect id="other" systemLanguage="fr" width="9" height="9"/><foreignObject id="foreign"/>
           <mask id="mask" width="-1"/><g id="masked" mask="url(#mask)"><rect id="within" width="9" height="9"/></g>"##,
    );
    let expected = [
        ("defs", "definition"),
        ("defined", "definition"),
        ("in-defs", "definition"),
        ("symbol", "definition"),
        ("/svg/symbol[1]/rect[1]", "definition"),
        ("title", "not-graphics"),
        ("lost", "broken-reference"),
        ("passed", "not-selected"),
        ("/svg/switch[1]/g[1]/rect[1]", "not-selected"),
        ("gone", "display-none"),
        ("around", "display-none"),
        ("/svg/g[1]/g[1]", "display-none"),
        ("inside", "display-none"),
        ("other", "not-selected"),
        ("foreign", "unsupported"),
        ("mask", "definition"),
        ("masked", "invalid-effect"),
        ("within", "invalid-effect"),
    ];
    assert_eq!(found, expected.map(|(name, word)| (name.to_owned(), word)));
}

#[test]
fn an_empty_shape_has_the_reason() {
    let found = unlisted(
        r##"<ellipse id="flat" rx="0" ry="9"/><ellipse rx="9" ry="0%"/><ellipse id="none"/>
           <path id="points" d="M1 2M3 4m5 6"/><path d="L9 9"/><rect width="0cqw" height="9"/>
           <rect width="9" height="9"><rect id="in-rect" width="9" height="9"/></rect><tspan id="lost">A</tspan>
           <g><rect width="9" height="9" visibility="hidden"/></g><use href="#unfilled"/>
           <use href="#both"/><g id="both"><path id="unfilled" d="M0 0H9V9" fill="none"/>
           <path d="M0 0H9V9" visibility="hidden"/></g>"##,
    );
    let expected = [
        ("points", "no-size"),
        ("/svg/path[2]", "no-size"),
        ("/svg/rect[1]", "no-size"),
        ("in-rect", "not-graphics"),
        ("lost", "not-graphics"),
    ];
    assert_eq!(found, expected.map(|(name, word)| (name.to_owned(), word)));
}

#[test]
fn what_would_be_drawn_is_told_from_what_is_no_graphics() {
    let d = Loaded::of(
        r##"<path/><use href="#none"/><foreignObject><svg><path d="M0 0H9"/></svg></foreignObject><polygon/>
           <text x="1"> </text><text><tspan/>A<a/></text><defs><path/></defs><title/><g display="none"><path/></g>
           <switch><g/><path/></switch><g mask="url(#m)"><title/><rect width="9" height="9"/></g><mask id="m" width="-1"/>"##,
    );
    let drawn = d.drawing.unlisted().into_iter().filter(Unlisted::would_be_drawn);
    let drawn: Vec<_> = drawn.map(|element| element.path).collect();
    let names = ["path[1]", "use[1]", "foreignObject[1]", "polygon[1]", "text[1]", "g[2]", "g[2]/rect[1]"];
    assert_eq!(drawn, names.map(|name| format!("/svg/{name}")));
}

#[test]
fn a_switch_has_a_group_whatever_rules_there_are() {
    let switch = |rule: &str| {
        let svg = format!(
            "<style>{rule} {{ fill: red }}</style><switch id='s'><rect width='9' height='9'/></switch>"
        );
        unlisted(&svg).into_iter().find(|(name, _)| name == "s").map(|(_, word)| word)
    };
    assert_eq!(["rect", "g", "svg > rect", "*", "rect:first-child"].map(switch), [None; 5]);
}

#[test]
fn the_reason_names_the_element_that_is_left_out() {
    let d = Loaded::of(
        r#"<style>.off { display: none } #on { display: inline }</style>
           <g class="off"><circle id="c" r="9"/></g><circle id="on" class="off" r="9"/>"#,
    );
    let found: Vec<_> =
        d.drawing.unlisted().iter().map(|u| (u.name().to_owned(), u.reason.to_string())).collect();
    assert_eq!(found[0], ("/svg/style[1]".to_owned(), "is never drawn".to_owned()));
    let on_group = "has `display: none`, set on /svg/g[1]".to_owned();
    assert_eq!(found[2..], [("c".to_owned(), on_group)], "the sheet shows `on`");
}

#[test]
fn a_source_that_paints_nothing_has_a_reason() {
    let d = Loaded::of(
        r#"<rect id="a" visibility="hidden" width="9" height="9"/><rect id="b" fill="none" width="9" height="9"/>
           <g id="c" opacity="0"><rect id="d" width="9" height="9"/></g><g id="e"/><image id="f" width="9" height="9"/>
           <rect id="painted" width="9" height="9"/><g id="around"><rect width="9" height="9"/></g>
           <filter id="away" filterUnits="userSpaceOnUse" width="9" height="9"><feOffset dx="99"/></filter>
           <g id="g"><rect id="h" width="9" height="9" filter="url(#away)"/></g>
           <g id="i" filter="url(#away)"><rect id="j" width="9" height="9"/></g>
           <g id="mixed"><path d="M0 0H9V9"/><path id="k" d="M0 0H9V9" fill="none"/></g>"#,
    );
    let unpainted = d.drawing.unpainted();
    let words = d.drawing.sources.iter().zip(&unpainted);
    let words: Vec<_> =
        words.filter_map(|(s, reason)| Some((s.name.as_str(), reason.as_ref()?.word()))).collect();
    let expected = [
        ("a", "hidden"),
        ("b", "no-paint"),
        ("c", "transparent"),
        ("d", "transparent"),
        ("e", "no-contents"),
        ("f", "not-loaded"),
        ("h", "empty-filter"),
        ("i", "empty-filter"),
        ("j", "empty-filter"),
        ("k", "no-paint"),
    ];
    assert_eq!(words, expected);
}

#[test]
fn many_uses_before_their_target_have_their_reasons() {
    let n = 10_000;
    let uses = r##"<use href="#t"/><use href="#none"/>"##.repeat(n);
    let d = Loaded::of(&format!(r#"{uses}<g id="t"/>"#));
    let unlisted = d.drawing.unlisted();
    let broken = unlisted.iter().filter(|element| element.reason.word() == "broken-reference");
    assert_eq!((broken.count(), unlisted.len()), (n, n));
}
