use std::process::Command;

use usvg::{FontResolver, Node, Options, Tree};

use super::*;

/// The families of the texts of a drawing, each with its weight.
fn families(library: &Arc<Library>, texts: &[(&str, u16)]) -> Vec<(String, u16)> {
    let [select, fallback] = [Arc::clone(library), Arc::clone(library)];
    let font_resolver = FontResolver {
        select_font: Box::new(move |font, used| select.select(font, used)),
        select_fallback: Box::new(move |c, tried, used| fallback.select_fallback(c, tried, used)),
    };
    let options = Options { font_resolver, ..Options::default() };
    let body = texts.iter().map(|(family, weight)| {
        format!("<text y='9' font-family=\"{family}\" font-weight='{weight}'>a</text>")
    });
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{}</svg>",
        body.collect::<String>()
    );
    let tree = Tree::from_str(&svg, &options).expect("the drawing is valid");
    let nodes = tree.root().children().iter();
    nodes
        .map(|node| {
            let Node::Text(text) = node else { panic!("only texts") };
            let font = text.layouted()[0].positioned_glyphs[0].font;
            let face = tree.fontdb().face(font).expect("the font is used");
            (face.families[0].0.clone(), face.weight.0)
        })
        .collect()
}

/// A library of the bundled font under other names, each in a file of its own.
fn renamed(names: &[&str], aliases: Vec<Alias>) -> Arc<Library> {
    let mut library = Library::installed(false, &[]);
    for name in names {
        let face = library.faces.faces().next().expect("the bundled face").clone();
        let families = vec![((*name).to_owned(), face.families[0].1)];
        let Source::Binary(data) = &face.source else { panic!("it is not in a file") };
        let source = Source::SharedFile(PathBuf::from(name), Arc::clone(data));
        library.faces.push_face_info(FaceInfo { families, source, ..face });
    }
    library.by_priority = by_priority(&library.faces, &aliases);
    library.aliases = aliases;
    Arc::new(library)
}

fn alias(alias: &str, prefer: &[&str], accept: &[&str]) -> Alias {
    let owned = |families: &[&str]| families.iter().map(|family| (*family).to_owned()).collect();
    Alias { alias: alias.to_owned(), default: Vec::new(), prefer: owned(prefer), accept: owned(accept) }
}

#[test]
fn families_are_those_of_chromium() {
    let aliases = vec![
        alias("Arial", &[], &["Liberation Sans"]),
        alias("Georgia", &[], &["Liberation Serif"]),
        alias("Times New Roman", &[], &["Liberation Serif"]),
        alias("Preferred", &["Liberation Serif"], &[]),
        alias("sans-serif", &["Sans"], &[]),
        alias("monospace", &["Mono"], &[]),
    ];
    let library = renamed(&["Liberation Sans", "Liberation Serif", "Sans", "Mono"], aliases.clone());
    for (family, expected) in [
        ("Arial", "Liberation Sans"),
        ("Helvetica", "Liberation Sans"),
        ("liberation sans", "Liberation Sans"),
        ("Missing, arial, Mono", "Liberation Sans"),
        // fontconfig's answer has other metrics.
        ("Georgia, Mono", "Mono"),
        ("Preferred, Mono", "Liberation Serif"),
        ("Missing", "Liberation Serif"),
        ("Missing, monospace", "Mono"),
        ("MonoSpace", "Mono"),
        ("system-ui", "Sans"),
        // The bundled font is not installed.
        ("Noto Sans, Mono", "Mono"),
    ] {
        assert_eq!(families(&library, &[(family, 400)])[0].0, expected, "{family}");
    }
    assert_eq!(families(&renamed(&["Mono"], Vec::new()), &[("noto sans", 400)])[0].0, "Noto Sans");
    let without_times = renamed(&["Sans", "Mono"], aliases);
    assert_eq!(families(&without_times, &[("Missing", 400)])[0].0, "Sans");
    let without_fonts = Arc::new(Library::installed(false, &[]));
    for family in ["Arial", "serif", "monospace", "Missing", "sans", "system-ui"] {
        assert_eq!(families(&without_fonts, &[(family, 400)])[0].0, "Noto Sans", "{family}");
    }
}

#[test]
fn generic_families_are_those_of_fontconfig() {
    let library = Arc::new(Library::installed(true, &[]));
    for name in ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "sans"] {
        let answer = Command::new("fc-match").args(["-f", "%{family[0]}", name]).output();
        let answer = answer.ok().and_then(|output| String::from_utf8(output.stdout).ok());
        let Some(expected) = answer.filter(|family| !family.is_empty()) else { return };
        assert_eq!(families(&library, &[(name, 400)])[0].0, expected, "{name}");
    }
}

#[test]
fn a_part_of_a_family_is_a_family() {
    let library = Arc::new(Library::installed(true, &[]));
    let condensed = library.faces_of("DejaVu Sans Condensed");
    let of_family = library.faces_of("dejavu sans");
    if of_family.iter().all(|face| face.stretch == Stretch::Normal) {
        return; // The system does not have these fonts.
    }
    assert!(!condensed.is_empty() && condensed.len() < of_family.len());
    assert!(condensed.iter().all(|face| face.stretch < Stretch::Normal));
    assert!(library.faces_of("DejaVu SansX").is_empty());
}

#[test]
fn drawings_share_the_contents_of_a_font_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a.ttf");
    fs::write(&path, boxwood_assets::NOTO_SANS).expect("the file is written");
    let library = Library::installed(false, &[dir.path().to_owned()]);
    let id = library.faces.faces().find(|face| super::path(face) == Some(&path)).expect("it is there").id;
    let mut drawings = [Arc::new(Database::new()), Arc::new(Database::new())];
    let sources = drawings.each_mut().map(|used| {
        let placed = library.place(id, used).expect("the file is there");
        assert_eq!(library.place(id, used), Some(placed));
        assert_eq!(used.len(), 1);
        let Some((Source::SharedFile(_, data), 0)) = used.face_source(placed) else { panic!("loaded") };
        data
    });
    assert!(Arc::ptr_eq(&sources[0], &sources[1]));
    let library = Library::installed(false, &[dir.path().to_owned()]);
    fs::remove_file(&path).expect("the file is removed");
    assert!(library.place(id, &mut drawings[0].clone()).is_some());
    assert_eq!(library.place(id, &mut Arc::new(Database::new())), None, "the file is gone");
}

#[test]
fn given_fonts_are_chosen_by_name_and_the_first_replaces_the_others() {
    let given = Arc::new(Library::given([boxwood_assets::NOTO_SANS.to_vec()]).expect("it is a font"));
    for family in ["Noto Sans", "Arial", "serif", "monospace", "Missing", "sans"] {
        assert_eq!(families(&given, &[(family, 400)])[0].0, "Noto Sans", "{family}");
    }
    let none = Library::given([]).expect("no font is wrong");
    assert_eq!(Library::given([boxwood_assets::NOTO_SANS.to_vec(), vec![0; 9]]).err(), Some(1));
    assert!(none.is_empty() && !given.is_empty());
    let options = Options::default();
    let fonts = Arc::new(none);
    let font_resolver = FontResolver {
        select_font: Box::new(move |font, used| fonts.select(font, used)),
        select_fallback: FontResolver::default_fallback_selector(),
    };
    let options = Options { font_resolver, ..options };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text y='9'>a</text></svg>";
    let tree = Tree::from_str(svg, &options).expect("the drawing is valid");
    assert!(!tree.root().has_children(), "a text without a font is left out");
}
