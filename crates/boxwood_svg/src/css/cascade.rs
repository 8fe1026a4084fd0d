//! The declarations that apply to each element of a document.

use std::collections::HashMap;
use std::rc::Rc;

use crate::dom::{Document, Node, NodeId, SVG};
use svgtypes::{Length, ViewBox};

use super::font_faces::FontFace;
use super::grammar::Context;
use super::ignored::Ignored;
use super::matching::{Buckets, ElementTree, Matcher};
use super::media::{self, Viewport};
use super::properties::{
    self, Declared, DeclaredIn, Key, PROPERTIES, Property, PropertyId, Specified, Wide, by_name, specified,
};
use super::rules::{Block, Rules, Sheet};
use super::shorthands::expand;
use super::variables::{Substitution, Variables, has_reference};
use super::without_comments;
use crate::error::{Error, Work};
use crate::guard::deadline::Deadline;
use crate::warnings::Warnings;
use crate::xml::{GEOMETRY, user_units};

const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// The attributes with lengths, which may have white space around them.
const LENGTHS: [&str; 25] = [
    "cx",
    "cy",
    "dx",
    "dy",
    "fr",
    "fx",
    "fy",
    "height",
    "markerHeight",
    "markerWidth",
    "offset",
    "r",
    "refX",
    "refY",
    "rx",
    "ry",
    "startOffset",
    "textLength",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// What the style sheets of a document have besides the declarations.
pub(crate) struct Resolved {
    /// The numbers of the elements that ignored CSS applies to.
    pub(crate) uncertain: Vec<u32>,
    pub(crate) font_faces: Vec<FontFace>,
}

/// Resolves the cascade of CSS in a document: the declarations that apply to each element become
/// its attributes, and the `style` attributes are removed.
///
/// # Errors
///
/// If the deadline passes.
pub(crate) fn resolve(
    document: &mut Document,
    warnings: &Warnings,
    deadline: &Deadline,
) -> Result<Resolved, Error> {
    let ignored = Ignored::default();
    for (target, at) in document.instructions() {
        if target == "xml-stylesheet" {
            ignored.add_everywhere("an external style sheet", at);
        }
    }
    let viewport = viewport(document.root_element());
    let styles: Vec<_> = document.originals().filter(|node| is_style_sheet(*node)).collect();
    let sheets: Vec<_> =
        styles.iter().filter(|style| applies(**style, viewport)).map(|s| sheet(*s)).collect();
    let mut rules = Rules::default();
    for sheet in &sheets {
        rules.add(sheet, viewport, &ignored);
    }
    let font_faces = std::mem::take(&mut rules.font_faces);
    deadline.check(Work::Loading)?;

    let tree = ElementTree::new(document, deadline);
    let substitution = Substitution::new(&ignored);
    let mut cascade = Cascade::new(&tree, &rules, &substitution, &ignored);
    cascade.apply(deadline)?;
    let (mut uncertain, changes) = (cascade.uncertain, cascade.changes);
    if ignored.is_everywhere() {
        uncertain = document.originals().filter_map(Node::number).collect();
    }
    ignored.warn(document, warnings);
    for (id, change) in changes {
        match change {
            Change::Set(name, value) => document.set_attribute(id, name, &*value),
            Change::Declare(name, value) => document.declare(id, name, &*value),
            Change::Remove(name) => document.remove_attribute(id, name),
        }
    }
    Ok(Resolved { uncertain, font_faces })
}

/// Whether an element has a style sheet.
fn is_style_sheet(node: Node<'_>) -> bool {
    node.has_tag("style") && matches!(node.namespace(), None | Some(SVG | XHTML))
}

/// Whether a style sheet is CSS, and for the medium that the drawing is on.
fn applies(style: Node<'_>, viewport: Viewport) -> bool {
    let kind = style.attribute("type").unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
    is_css && style.attribute("media").is_none_or(|media| media::attribute_matches(media, viewport))
}

/// The text of a style sheet, with the positions of its parts.
fn sheet(style: Node<'_>) -> Sheet {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for child in style.children() {
        if let Some(part) = child.text() {
            parts.push((text.len(), child.start()));
            text.push_str(part);
        }
    }
    Sheet { text, parts }
}

/// The size of a drawing in px, by the attributes of its root.
fn viewport(root: Node<'_>) -> Viewport {
    let view_box: Option<ViewBox> = root.attribute("viewBox").and_then(|text| text.parse().ok());
    let [vw, vh] = view_box.map_or([100.0, 100.0], |view_box| [view_box.w, view_box.h]);
    let [width, height] = ["width", "height"].map(|name| {
        let length: Length = root.attribute(name)?.trim().parse().ok()?;
        Some(length.number * user_units(length.unit)?).filter(|size| *size > 0.0)
    });
    match (width, height) {
        (Some(width), Some(height)) => [width, height],
        (Some(width), None) => [width, width * vh / vw],
        (None, Some(height)) => [height * vw / vh, height],
        (None, None) => [vw, vh],
    }
}

/// The layer of a declaration: whether it is in a `style` attribute, and the rank of its layer
/// among the style sheets. `revert-layer` ignores all declarations of its layer.
type Layer = (bool, usize);

/// What the children of an element need of it.
#[derive(Clone)]
struct Computed {
    /// The properties that its children do not inherit by themselves, `None` for the initial value.
    own: Rc<[(PropertyId, Option<Rc<str>>)]>,
    color: Rc<str>,
    variables: Option<Rc<Variables>>,
}

/// A presentation attribute, compared with what usvg reads.
#[derive(Clone)]
enum Attribute {
    /// usvg reads it as it is.
    Usual,
    Text(Rc<str>),
    /// It is invalid, or its value is that of an element without it.
    Absent,
    /// It has a function that is not supported.
    Unsupported,
    /// It depends on the element.
    Deferred,
}

struct Cascade<'a, 't> {
    tree: &'a ElementTree<'a>,
    rules: &'a Rules<'t>,
    /// For each rule, the rank of its layer.
    ranks: Vec<usize>,
    buckets: Buckets,
    ignored: &'a Ignored,
    substitution: &'a Substitution<'a>,
    computed: Vec<Computed>,
    /// The `style` attributes so far, by their texts.
    style_attributes: HashMap<&'a str, Rc<Block<'a>>>,
    /// The presentation attributes so far, by property and text.
    attributes: HashMap<(PropertyId, &'a str), Attribute>,
    color: PropertyId,
    /// The numbers of the elements that ignored CSS applies to.
    uncertain: Vec<u32>,
    changes: Vec<(NodeId, Change)>,
}

/// A change of an element.
enum Change {
    /// Sets an attribute.
    Set(&'static str, Rc<str>),
    /// Declares a property that has no attribute.
    Declare(&'static str, Rc<str>),
    /// Removes an attribute.
    Remove(&'static str),
}

impl<'a, 't> Cascade<'a, 't> {
    fn new(
        tree: &'a ElementTree<'a>,
        rules: &'a Rules<'t>,
        substitution: &'a Substitution<'a>,
        ignored: &'a Ignored,
    ) -> Self {
        let mut buckets = Buckets::default();
        for (number, rule) in (0..).zip(&rules.rules) {
            buckets.insert(&rule.selector, number);
        }
        Self {
            tree,
            rules,
            ranks: rules.layer_ranks(),
            buckets,
            ignored,
            substitution,
            computed: Vec::with_capacity(tree.len()),
            style_attributes: HashMap::new(),
            attributes: HashMap::new(),
            color: by_name("color").expect("it is in the table"),
            uncertain: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Lists the changes of all elements.
    fn apply(&mut self, deadline: &Deadline) -> Result<(), Error> {
        let mut matcher = Matcher::new(self.tree);
        // Parents come first, because their children inherit what is computed for them.
        for index in 0..u32::try_from(self.tree.len()).unwrap_or(u32::MAX) {
            if index % 256 == 0 || self.tree.has_expired() {
                deadline.check(Work::Loading)?;
            }
            matcher.enter(index);
            let matched = self.matched(index, &mut matcher);
            self.element(index, &matched);
        }
        deadline.check(Work::Loading)
    }

    /// The rules that match an element, the last one taking precedence, each with the rank of its
    /// layer.
    fn matched(&self, index: u32, matcher: &mut Matcher<'_>) -> Vec<(usize, usize)> {
        let mut matched = Vec::new();
        matcher.with_current(|matches| {
            for number in self.buckets.candidates(self.tree, index) {
                let rule = &self.rules.rules[number as usize];
                if matches(&rule.selector, &rule.hashes) {
                    matched.push((self.ranks[number as usize], rule.selector.specificity(), number));
                }
            }
        });
        // The order of the cascade: by layer, by specificity, and by position in the style sheets.
        matched.sort_unstable();
        matched.into_iter().map(|(rank, _, number)| (rank, self.rules.rules[number as usize].block)).collect()
    }

    /// The declarations of an element, the one with the highest precedence first.
    fn candidates<'s>(
        &self,
        matched: &[(usize, usize)],
        style: Option<&'s Block<'_>>,
    ) -> Vec<(&'s Declared, Layer)>
    where
        'a: 's,
    {
        let mut blocks: Vec<(&'s Block<'_>, Layer)> = Vec::new();
        let rules: &'a Rules<'t> = self.rules;
        blocks.extend(matched.iter().map(|(rank, block)| (&rules.blocks[*block], (false, *rank))));
        blocks.extend(style.map(|style| (style, (true, 0))));
        let of = |is_important: bool| {
            let all = blocks.iter().flat_map(move |(block, layer)| {
                let declared = block.parsed(self.ignored).iter();
                declared.filter(move |d| d.is_important == is_important).map(move |d| (d, *layer))
            });
            all.collect::<Vec<_>>()
        };
        // Important declarations take precedence over all others, so they are last until the end,
        // where the order is reversed.
        let (mut important, mut normal) = (of(true), of(false));
        // CSS Cascade 5, section 6.1: of important declarations, those in earlier layers win. The
        // sort keeps the order within a layer.
        important.sort_by_key(|(_, (is_style, rank))| (*is_style, std::cmp::Reverse(*rank)));
        normal.append(&mut important);
        normal.reverse();
        normal
    }

    /// Lists the changes of an element after those of its parent.
    fn element(&mut self, index: u32, matched: &[(usize, usize)]) {
        let node = self.tree.node(index);
        let parent = self.tree.parent(index).map(|parent| self.computed[parent as usize].clone());
        let is_svg = node.is_svg();
        let attribute = node.attribute("style").filter(|_| is_svg);
        let at = node.start();
        // Drawing programs write the same `style` attribute on thousands of elements, so each text
        // is parsed once.
        let style = attribute.map(|text| {
            let block = self.style_attributes.entry(text);
            Rc::clone(block.or_insert_with(|| Rc::new(Block::of_attribute(text, at, self.ignored))))
        });
        let Winners { longhands, customs } = winners(&self.candidates(matched, style.as_deref()));
        let mut blocks = matched.iter().map(|(_, block)| &self.rules.blocks[*block]);
        if blocks.any(Block::has_ignored) || style.as_deref().is_some_and(Block::has_ignored) {
            self.uncertain.extend(node.number());
        }
        let inherited = parent.as_ref().and_then(|parent| parent.variables.as_ref());
        let variables = self.substitution.variables(&customs, inherited, at);
        let parent_color =
            parent.as_ref().map_or_else(|| Rc::from("black"), |parent| Rc::clone(&parent.color));
        let mut element = Element {
            parent: parent.as_ref(),
            variables: variables.as_deref(),
            color: Rc::clone(&parent_color),
            substitution: self.substitution,
            at,
        };
        // Other properties may refer to the colour.
        element.color = self.own_color(node, &longhands, &element).unwrap_or(parent_color);
        let values: Values = longhands.iter().map(|winner| (winner.id, element.value(winner))).collect();

        // usvg inherits the other properties by itself.
        let mut own: Values =
            values.iter().filter(|(id, _)| !PROPERTIES[*id].is_inherited).cloned().collect();
        if is_svg {
            let changes = values.iter().filter_map(|(id, value)| change(node, *id, value.clone()));
            self.changes.extend(changes.map(|change| (node.id(), change)));
            if attribute.is_some() {
                self.changes.push((node.id(), Change::Remove("style")));
            }
            own.extend(self.normalize(index, &values, &element));
        }
        let color = element.color;
        self.computed.push(Computed { own: own.into(), color, variables });
    }

    /// The colour that an element sets. `None` if it inherits it.
    fn own_color(&self, node: Node<'_>, longhands: &[Winner], element: &Element<'_>) -> Option<Rc<str>> {
        if let Some(by_css) = longhands.iter().find(|winner| winner.id == self.color) {
            return element.value(by_css);
        }
        let text = node.attribute("color")?.trim();
        let (value, place) = (Specified::Deferred(text.into(), None), DeclaredIn::PresentationAttribute);
        element.value(&Winner { id: self.color, value, place })
    }

    /// Lists the changes of the presentation attributes that usvg would read differently. Returns
    /// those of properties that are not inherited.
    fn normalize(&mut self, index: u32, values: &Values, element: &Element<'_>) -> Values {
        let (mut own, node) = (Vec::new(), self.tree.node(index));
        for attribute in node.attributes().filter(|attribute| attribute.namespace.is_none()) {
            let (name, text) = (attribute.name, attribute.value);
            if let Some(name) = LENGTHS.iter().find(|length| **length == name)
                && text.trim().len() < text.len()
            {
                self.changes.push((node.id(), Change::Set(name, text.trim().into())));
                continue;
            }
            let Some(id) = by_name(name).filter(|id| PROPERTIES[*id].has_attribute) else { continue };
            // A declaration takes precedence over the attribute.
            if values.iter().any(|(known, _)| *known == id) {
                continue;
            }
            let known = self.attributes.entry((id, text));
            let found = known.or_insert_with(|| usual_attribute(id, text)).clone();
            let value = match found {
                Attribute::Usual => Some(Rc::from(text)),
                Attribute::Text(text) => Some(text),
                Attribute::Absent => None,
                Attribute::Unsupported => {
                    // A copy has the attributes of its original.
                    if !node.is_copy() {
                        properties::report(id, text, element.at, self.ignored);
                    }
                    self.uncertain.extend(node.number());
                    None
                }
                Attribute::Deferred => {
                    let value = Specified::Deferred(text.trim().into(), None);
                    element.value(&Winner { id, value, place: DeclaredIn::PresentationAttribute })
                }
            };
            if value.as_deref() != Some(text) {
                let change = change(node, id, value.clone());
                self.changes.extend(change.map(|change| (node.id(), change)));
            }
            if !PROPERTIES[id].is_inherited {
                own.push((id, value));
            }
        }
        own
    }
}

/// The values of properties, as usvg reads them. A property whose value is `None` is left out.
type Values = Vec<(PropertyId, Option<Rc<str>>)>;

/// A declaration that takes precedence.
struct Winner {
    id: PropertyId,
    value: Specified,
    place: DeclaredIn,
}

/// The declarations of an element that take precedence.
struct Winners {
    longhands: Vec<Winner>,
    customs: HashMap<Rc<str>, Specified>,
}

/// Chooses among declarations, the one with the highest precedence first.
fn winners(candidates: &[(&Declared, Layer)]) -> Winners {
    let mut found = Winners { longhands: Vec::new(), customs: HashMap::new() };
    let mut is_set = [false; PROPERTIES.len()];
    let mut reverted: HashMap<PropertyId, Layer> = HashMap::new();
    for (Declared { key, value, place, .. }, layer) in candidates {
        match key {
            Key::Custom(name) => _ = found.customs.entry(Rc::clone(name)).or_insert_with(|| value.clone()),
            Key::Longhand(id) if is_set[*id] || reverted.get(id) == Some(layer) => {}
            Key::Longhand(id) if *value == Specified::Wide(Wide::RevertLayer) => {
                reverted.insert(*id, *layer);
            }
            Key::Longhand(id) => {
                is_set[*id] = true;
                found.longhands.push(Winner { id: *id, value: value.clone(), place: *place });
            }
            Key::All => {
                // CSS Cascade 4, section 3.1: `all` has no effect on `direction` and variables.
                let is_open = |id: &PropertyId| {
                    !is_set[*id] && reverted.get(id) != Some(layer) && PROPERTIES[*id].name != "direction"
                };
                let open: Vec<_> = (0..PROPERTIES.len()).filter(is_open).collect();
                if *value == Specified::Wide(Wide::RevertLayer) {
                    reverted.extend(open.into_iter().map(|id| (id, *layer)));
                    continue;
                }
                for id in open {
                    is_set[id] = true;
                    found.longhands.push(Winner { id, value: value.clone(), place: *place });
                }
            }
        }
    }
    found.longhands.sort_by_key(|winner| winner.id);
    found
}

/// What values of an element depend on.
struct Element<'e> {
    parent: Option<&'e Computed>,
    variables: Option<&'e Variables>,
    color: Rc<str>,
    substitution: &'e Substitution<'e>,
    at: usize,
}

impl Element<'_> {
    /// The value of a declaration. `None` if the property is to be left out.
    fn value(&self, Winner { id, value, place }: &Winner) -> Option<Rc<str>> {
        match value {
            Specified::Text(text) => Some(Rc::clone(text)).filter(|text| !text.is_empty()),
            Specified::Wide(wide) => self.wide(*id, *wide),
            Specified::Deferred(text, shorthand) => {
                let replaced = if has_reference(text) {
                    self.substitution.value(text, self.variables, self.at)
                } else {
                    Some(text.to_string())
                };
                let Some(replaced) = replaced else { return self.wide(*id, Wide::Unset) };
                let text = without_comments(&replaced);
                let text = text.trim();
                let context = Context::of_element(*place, &self.color);
                // A variable may have a keyword that every property has as its whole value.
                let written = match shorthand {
                    _ if Wide::parse(text).is_some() => Some(text.to_owned()),
                    None => properties::parse(*id, text, &context),
                    Some(shorthand) => expand(*shorthand, text, &context)
                        .and_then(|parts| Some(parts.into_iter().find(|(part, _)| part == id)?.1)),
                };
                match written.as_deref().map(specified) {
                    Some(Specified::Text(text)) => Some(text).filter(|text| !text.is_empty()),
                    Some(Specified::Wide(wide)) => self.wide(*id, wide),
                    // CSS Variables, section 3.1: a value that is invalid only now is `unset`.
                    Some(Specified::Deferred(..)) | None => self.wide(*id, Wide::Unset),
                }
            }
        }
    }

    /// The value of a keyword that every property has.
    fn wide(&self, id: PropertyId, wide: Wide) -> Option<Rc<str>> {
        let property = &PROPERTIES[id];
        let initial = || Some(Rc::from(property.initial)).filter(|text: &Rc<str>| !text.is_empty());
        match wide {
            // Without a declaration, the property is inherited.
            Wide::Inherit | Wide::Unset if property.is_inherited => None,
            Wide::Inherit => {
                let own = self.parent.and_then(|parent| parent.own.iter().find(|(known, _)| *known == id));
                own.map_or_else(initial, |(_, value)| value.clone())
            }
            Wide::Initial | Wide::Unset => initial(),
            // There are no declarations of the user or the browser here.
            Wide::Revert | Wide::RevertLayer => None,
        }
    }
}

/// How usvg reads a presentation attribute, compared with CSS.
fn usual_attribute(id: PropertyId, text: &str) -> Attribute {
    let trimmed = without_comments(text);
    let trimmed = trimmed.trim();
    if has_reference(trimmed) {
        return Attribute::Deferred;
    }
    if let Some(wide) = Wide::parse(trimmed) {
        return match wide {
            Wide::Inherit if text == "inherit" => Attribute::Usual,
            Wide::Inherit => Attribute::Text("inherit".into()),
            Wide::Initial if PROPERTIES[id].is_inherited => Attribute::Text(PROPERTIES[id].initial.into()),
            _ => Attribute::Absent,
        };
    }
    let context = Context::new(DeclaredIn::PresentationAttribute);
    let written = properties::parse(id, trimmed, &context);
    match written {
        _ if context.lacks_color() => Attribute::Deferred,
        Some(written) if written == text => Attribute::Usual,
        Some(written) => match specified(&written) {
            Specified::Text(text) if !text.is_empty() => Attribute::Text(text),
            _ => Attribute::Absent,
        },
        None if properties::unsupported_part(PROPERTIES[id].name, trimmed).is_some() => {
            Attribute::Unsupported
        }
        None => Attribute::Absent,
    }
}

/// The change that gives a value to a property of an element, or leaves the property out.
fn change(node: Node<'_>, id: PropertyId, value: Option<Rc<str>>) -> Option<Change> {
    let Property { name, has_attribute, .. } = &PROPERTIES[id];
    // Attributes with the names of other properties, such as `rotate`, mean something else.
    let is_of_element =
        || *name == "transform" || GEOMETRY.iter().any(|(of, tags)| of == name && tags.contains(&node.tag()));
    match value {
        Some(value) if *has_attribute => Some(Change::Set(name, value)),
        Some(value) => Some(Change::Declare(name, value)),
        None => (*has_attribute || is_of_element()).then_some(Change::Remove(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{attribute, resolved, style};

    #[test]
    fn declarations_take_precedence_in_the_order_of_the_cascade() {
        for (rules, style_attribute, expected) in [
            ("rect { r: 1px } #a { r: 2px } .c { r: 3px }", "", "r:2px"),
            (".c { r: 1px } .d { r: 2px }", "", "r:2px"),
            ("#a { r: 1px }", "r: 2px", "r:2px"),
            ("* { r: 1px !important }", "r: 2px", "r:1px"),
            ("* { r: 1px !important }", "r: 2px !important", "r:2px"),
            (".c { r: 1px !important } #a { r: 2px } rect { r: 3px !important }", "", "r:1px"),
            ("#a { r: 1px; r: foo }", "", "r:1px"),
            (":is(#x, .c) { r: 1px } .c.d { r: 2px }", "", "r:1px"),
            (":where(#a) { r: 1px } rect { r: 2px }", "", "r:2px"),
            ("#a { all: initial; r: 5px }", "", "FIRST"),
        ] {
            let body = format!("<style>{rules}</style><rect id='a' class='c d' style='{style_attribute}'/>");
            if expected == "FIRST" {
                let found = style(&body);
                assert!(
                    found.contains("fill:black") && found.contains("r:5px") && !found.contains("direction")
                );
            } else {
                assert_eq!(style(&body), expected, "{rules}");
            }
        }
    }

    #[test]
    fn keywords_of_every_property_are_resolved() {
        for (declaration, style_attribute, fill, opacity) in [
            ("fill: inherit", "", None, Some(".2")),
            ("fill: initial", "fill:black", Some("black"), Some(".2")),
            ("fill: unset", "", None, Some(".2")),
            ("fill: revert", "", None, Some(".2")),
            ("opacity: INHERIT", "opacity:.5", Some("red"), Some(".5")),
            ("opacity: unset", "opacity:1", Some("red"), Some("1")),
            ("opacity: revert", "", Some("red"), None),
            ("clip-path: inherit", "clip-path:url(#c)", Some("red"), Some(".2")),
            ("x: inherit", "x:3px", Some("red"), Some(".2")),
            ("fill: foo", "", Some("red"), Some(".2")),
        ] {
            let body = format!(
                "<style>#a {{ {declaration} }} .p {{ x: 3px; clip-path: url('#c') }}</style>
                 <g class='p' opacity='.5'><rect id='a' fill='red' opacity='.2'/></g>"
            );
            assert_eq!(style(&body), style_attribute, "{declaration}");
            assert_eq!(attribute(&body, "fill").as_deref(), fill, "{declaration}");
            assert_eq!(attribute(&body, "opacity").as_deref(), opacity, "{declaration}");
        }
        // On a text, x is not the property.
        let body = "<style>#a { x: initial; rotate: initial }</style><text id='a' x='5' rotate='9'/>";
        assert_eq!([attribute(body, "x"), attribute(body, "rotate")], ["5", "9"].map(|v| Some(v.to_owned())));
        assert_eq!(attribute("<style>#a { x: initial }</style><rect id='a' x='5'/>", "x"), None);
        let body = "<style>#a { transform: revert }</style><g id='a' transform='scale(3)'/>";
        assert_eq!(attribute(body, "transform"), None);
    }

    #[test]
    fn presentation_attributes_are_normalised() {
        for (name, value, expected) in [
            ("fill", " RED ", Some("red")),
            ("fill", "oklch(0.6279 0.2577 29.23)", Some("#ff0000")),
            ("fill", "foo", None),
            ("fill", "", None),
            ("fill", "var(--x, blue)", Some("blue")),
            ("fill", "url('#f')", Some("url(#f)")),
            ("fill", "currentcolor", Some("currentColor")),
            ("display", "NONE", Some("none")),
            ("x", " 50 ", Some("50")),
            ("font-size", "12", Some("12")),
            ("stroke-width", "-1", None),
            ("fill", "inherit", Some("inherit")),
            ("opacity", "unset", None),
            ("transform", "rotate(5)", Some("rotate(5)")),
            ("mix-blend-mode", "foo", Some("foo")),
        ] {
            let found = attribute(&format!("<rect id='a' {name}=\"{value}\"/>"), name);
            assert_eq!(found.as_deref(), expected, "{name}={value}");
        }
    }

    #[test]
    fn style_attributes_become_attributes() {
        let text =
            "<svg><style type='text/x'>rect { r: 1px }</style><rect fill='#F00' stroke='red' opacity='.5'
            style='fill:none; stroke-width:2px;-x-y:\"a\"'/><g style=''/></svg>";
        let (ignored, styled) = resolved(text);
        assert!(ignored.is_empty());
        let expected =
            "\"><rect fill=\"none\" stroke=\"red\" opacity=\".5\" stroke-width=\"2px\"/><g/></svg>";
        assert!(styled.to_xml().ends_with(expected), "{}", styled.to_xml());
    }

    #[test]
    fn style_sheets_are_those_of_the_medium() {
        for (attributes, expected) in [
            ("", "r:1px"),
            ("type=''", "r:1px"),
            ("type='TEXT/CSS; charset=utf-8'", "r:1px"),
            ("type='text/less'", ""),
            ("media='print'", ""),
            ("media='screen and (min-width: 200px)'", "r:1px"),
        ] {
            let body = format!("<style {attributes}>rect {{ r: 1px }}</style><rect id='a'/>");
            assert_eq!(style(&body), expected, "{attributes}");
        }
        let parts = "<style>rect { <!-- a -->r: <![CDATA[1px]]>&#59; x: 2px }</style><rect id='a'/>";
        assert_eq!(style(parts), "r:1px;x:2px");
    }

    #[test]
    fn each_element_from_an_entity_has_its_own_values() {
        let text =
            "<!DOCTYPE svg [<!ENTITY e \"<rect/>\">]><svg><style>rect + rect { r: 1px }</style>&e;&e;</svg>";
        let (_, styled) = resolved(text);
        let values: Vec<_> = styled.elements().skip(2).map(|node| node.declared("r")).collect();
        assert_eq!(values, [None, Some("1px")]);
    }
}
