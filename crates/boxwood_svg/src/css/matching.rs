//! Selectors of CSS, matched against the elements of a document.
//!
//! The crate `selectors` parses and matches. This file gives it the names and elements of XML, and
//! the pseudo-classes that can match in a drawing that nobody interacts with.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::rc::Rc;

use crate::dom::{Document, Node, SVG, XML};
use cssparser::{Parser, ToCss, serialize_identifier, serialize_string};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{
    AttrSelectorOperation, AttrSelectorOperator, CaseSensitivity, NamespaceConstraint, ParsedCaseSensitivity,
};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector};
use selectors::parser::{
    AnPlusB, AncestorHashes, Component, NonTSPseudoClass, NthSelectorData, NthType, ParseRelative,
    PseudoElement, Selector, SelectorImpl, SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement};

use crate::guard::deadline::Deadline;

/// The number of steps between elements after which the deadline is checked: about a millisecond.
const STEPS_PER_CHECK: u32 = 1 << 16;

/// A name with its hash.
#[derive(Clone, Debug, Eq)]
pub(crate) struct Name {
    text: Rc<str>,
    hash: u32,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.text == other.text
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::from("")
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self { text: text.into(), hash: hash(text) }
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        self.hash
    }
}

impl ToCss for Name {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.text, dest)
    }
}

/// FNV-1a. The Bloom filter of the crate `selectors` uses its lowest 24 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The value in an attribute selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AttributeValue(Rc<str>);

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for AttributeValue {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for AttributeValue {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_string(&self.0, dest)
    }
}

/// A pseudo-class that does not depend on the position of an element among its siblings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    /// `:link` and `:any-link`.
    Link,
    /// `:lang()`, with its language ranges.
    Language(Vec<Rc<str>>),
    /// `:dir()`: whether it is the direction of a document without directions, `ltr`.
    Direction(bool),
    /// One that matches every element of a drawing, such as `:read-only`.
    Always(Rc<str>),
    /// One that matches no element of a drawing that is only looked at, such as `:hover`.
    Never(Rc<str>),
}

impl NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        matches!(self, Self::Never(name) if matches!(&**name, "active" | "hover"))
    }

    fn is_user_action_state(&self) -> bool {
        self.is_active_or_hover() || matches!(self, Self::Never(name) if name.starts_with("focus"))
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        match self {
            Self::Link => dest.write_str(":any-link"),
            Self::Language(ranges) => write!(dest, ":lang({})", ranges.join(", ")),
            Self::Direction(is_ltr) => dest.write_str(if *is_ltr { ":dir(ltr)" } else { ":dir(rtl)" }),
            Self::Always(name) | Self::Never(name) => write!(dest, ":{name}"),
        }
    }
}

/// The pseudo-classes that match every element of a drawing.
const ALWAYS: [&str; 2] = ["defined", "read-only"];

/// The pseudo-classes that match no element of a drawing: those of user actions, links, media and
/// forms.
pub(crate) const NEVER: [&str; 37] = [
    "active",
    "autofill",
    "blank",
    "buffering",
    "checked",
    "current",
    "default",
    "disabled",
    "enabled",
    "focus",
    "focus-visible",
    "focus-within",
    "fullscreen",
    "future",
    "hover",
    "in-range",
    "indeterminate",
    "invalid",
    "local-link",
    "modal",
    "muted",
    "open",
    "optional",
    "out-of-range",
    "past",
    "paused",
    "picture-in-picture",
    "placeholder-shown",
    "playing",
    "popover-open",
    "read-write",
    "required",
    "target",
    "target-within",
    "user-invalid",
    "valid",
    "visited",
];

/// A pseudo-element. It never matches, because it is not an element of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pseudo(Rc<str>);

impl PseudoElement for Pseudo {}

impl ToCss for Pseudo {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        write!(dest, "::{}", self.0)
    }
}

/// The pseudo-elements that browsers know, besides those with a vendor prefix.
const PSEUDO_ELEMENTS: [&str; 12] = [
    "after",
    "backdrop",
    "before",
    "cue",
    "file-selector-button",
    "first-letter",
    "first-line",
    "grammar-error",
    "marker",
    "placeholder",
    "selection",
    "spelling-error",
];

/// The types of the parts of selectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selectors;

impl SelectorImpl for Selectors {
    type ExtraMatchingData<'a> = ();
    type AttrValue = AttributeValue;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = Pseudo;
}

/// The namespaces that a style sheet declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Namespaces {
    pub(crate) default: Option<Name>,
    pub(crate) by_prefix: Vec<(Name, Name)>,
}

type ParseError = cssparser::ParseError<SelectorParseErrorKind>;

/// Parses a list of selectors up to the end of the input. `relative` says whether they may begin
/// with a combinator, as in a nested rule.
pub(crate) fn parse_list(
    namespaces: &Namespaces,
    input: &mut Parser<'_>,
    relative: ParseRelative,
) -> Result<SelectorList<Selectors>, ParseError> {
    SelectorList::parse(namespaces, input, relative)
}

fn unsupported() -> ParseError {
    ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

impl<'i> selectors::Parser<'i> for Namespaces {
    type Impl = Selectors;
    type Error = SelectorParseErrorKind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("matches") || name.eq_ignore_ascii_case("-webkit-any")
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, ParseError> {
        let name = name.to_ascii_lowercase();
        match &*name {
            "link" | "any-link" | "-webkit-any-link" => Ok(PseudoClass::Link),
            always if ALWAYS.contains(&always) => Ok(PseudoClass::Always(always.into())),
            never if NEVER.contains(&never) => Ok(PseudoClass::Never(never.into())),
            _ => Err(unsupported()),
        }
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        input: &mut Parser<'i>,
        _after_part: bool,
    ) -> Result<PseudoClass, ParseError> {
        if name.eq_ignore_ascii_case("lang") {
            let range = |input: &mut Parser<'i>| Ok(Rc::from(&**input.expect_ident_or_string()?));
            return Ok(PseudoClass::Language(input.parse_comma_separated(range)?));
        }
        if name.eq_ignore_ascii_case("dir") {
            return Ok(PseudoClass::Direction(input.expect_ident()?.eq_ignore_ascii_case("ltr")));
        }
        Err(unsupported())
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<Pseudo, ParseError> {
        let name = name.to_ascii_lowercase();
        let is_known = PSEUDO_ELEMENTS.contains(&&*name) || name.starts_with("-webkit-");
        if is_known { Ok(Pseudo(name.into())) } else { Err(unsupported()) }
    }

    fn default_namespace(&self) -> Option<Name> {
        self.default.clone()
    }

    fn namespace_for_prefix(&self, prefix: &Name) -> Option<Name> {
        // The last declaration of a prefix counts.
        self.by_prefix.iter().rev().find(|(known, _)| known == prefix).map(|(_, url)| url.clone())
    }
}

/// The elements of a document as selectors see them, in document order.
pub(crate) struct ElementTree<'d> {
    items: Vec<Item<'d>>,
    deadline: &'d Deadline,
    /// The steps between elements since the last check of the deadline.
    n_steps: Cell<u32>,
    /// Whether the deadline has passed. Then no element has relatives, so that matching ends.
    has_expired: Cell<bool>,
}

struct Item<'d> {
    node: Node<'d>,
    parent: Option<u32>,
    previous: Option<u32>,
    next: Option<u32>,
    first_child: Option<u32>,
    /// Its position among the children of its parent, starting at 1.
    position: i32,
    tag: Name,
    namespace: Name,
    id: Option<Name>,
    classes: Vec<Name>,
}

impl<'d> ElementTree<'d> {
    pub(crate) fn new(document: &'d Document, deadline: &'d Deadline) -> Self {
        let mut items: Vec<Item<'d>> = Vec::new();
        // The elements around the current one, each with its last child so far. All relatives are
        // indices, so that a step to a sibling does not pass text and comments.
        let mut open: Vec<(u32, Option<u32>)> = Vec::new();
        for (index, node) in (0..).zip(document.elements()) {
            let around = node.parent_element();
            while open.last().is_some_and(|(open, _)| Some(items[*open as usize].node) != around) {
                open.pop();
            }
            let parent = open.last().map(|(parent, _)| *parent);
            // Selectors do not see what a `use` draws among its children.
            let siblings = open.last_mut().filter(|_| !node.is_drawn_by_use());
            let is_child = siblings.is_some();
            let previous = siblings.and_then(|(_, last)| last.replace(index));
            match (previous, parent.filter(|_| is_child)) {
                (Some(previous), _) => items[previous as usize].next = Some(index),
                (None, Some(parent)) => items[parent as usize].first_child = Some(index),
                (None, None) => {}
            }
            let attribute = |name| node.attribute(name);
            items.push(Item {
                node,
                parent,
                previous,
                next: None,
                first_child: None,
                position: previous.map_or(0, |previous| items[previous as usize].position) + 1,
                tag: Name::from(node.tag()),
                // usvg draws elements without a namespace.
                namespace: Name::from(node.namespace().unwrap_or(SVG)),
                id: attribute("id").map(Name::from),
                classes: attribute("class")
                    .map_or_else(Vec::new, |text| text.split_ascii_whitespace().map(Name::from).collect()),
            });
            open.push((index, None));
        }
        Self { items, deadline, n_steps: Cell::new(0), has_expired: Cell::new(false) }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn node(&self, index: u32) -> Node<'d> {
        self.items[index as usize].node
    }

    pub(crate) fn parent(&self, index: u32) -> Option<u32> {
        self.items[index as usize].parent
    }

    /// Whether the deadline has passed during a match, whose result is then worthless.
    pub(crate) fn has_expired(&self) -> bool {
        self.has_expired.get()
    }

    /// Counts a step to another element. Returns it unless the deadline has passed.
    fn step(&self, to: Option<u32>) -> Option<ElementRef<'_>> {
        self.n_steps.set(self.n_steps.get() + 1);
        if self.n_steps.get() >= STEPS_PER_CHECK {
            self.n_steps.set(0);
            self.has_expired.set(self.deadline.has_passed());
        }
        let index = to.filter(|_| !self.has_expired())?;
        Some(ElementRef { tree: self, index })
    }
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(crate) struct ElementRef<'a> {
    tree: &'a ElementTree<'a>,
    index: u32,
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.item().node.fmt(f)
    }
}

impl<'a> ElementRef<'a> {
    fn item(&self) -> &'a Item<'a> {
        &self.tree.items[self.index as usize]
    }

    /// The language of the element, by the innermost attribute.
    fn language(&self) -> &'a str {
        let own = |node: Node<'a>| node.attribute_in(Some(XML), "lang").or_else(|| node.attribute("lang"));
        self.item().node.ancestors().find_map(own).unwrap_or_default()
    }
}

impl Element for ElementRef<'_> {
    type Impl = Selectors;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.item())
    }

    /// What a `use` draws is a tree of its own for selectors (SVG 2, section 5.5.1).
    fn parent_element(&self) -> Option<Self> {
        self.tree.step(self.item().parent.filter(|_| !self.item().node.is_drawn_by_use()))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.tree.step(self.item().previous)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.tree.step(self.item().next)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.tree.step(self.item().first_child)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        false
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.item().tag == *name
    }

    fn has_namespace(&self, namespace: &Name) -> bool {
        self.item().namespace == *namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.item().tag == other.item().tag && self.item().namespace == other.item().namespace
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&AttributeValue>,
    ) -> bool {
        self.item().node.attributes().any(|attribute| {
            let is_in_namespace = match namespace {
                NamespaceConstraint::Any => true,
                NamespaceConstraint::Specific(url) => attribute.namespace.unwrap_or("") == url.as_ref(),
            };
            is_in_namespace && attribute.name == name.as_ref() && operation.eval_str(attribute.value)
        })
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        _context: &mut MatchingContext<'_, Selectors>,
    ) -> bool {
        match class {
            PseudoClass::Link => self.is_link(),
            PseudoClass::Language(ranges) => {
                let language = self.language();
                ranges.iter().any(|range| is_in_range(language, range))
            }
            PseudoClass::Direction(is_ltr) => *is_ltr,
            PseudoClass::Always(_) => true,
            PseudoClass::Never(_) => false,
        }
    }

    fn match_pseudo_element(&self, _: &Pseudo, _context: &mut MatchingContext<'_, Selectors>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.item().tag.as_ref() == "a" && self.item().node.href().is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.item().id.as_ref().is_some_and(|own| case.eq(own.text.as_bytes(), id.text.as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        self.item().classes.iter().any(|own| case.eq(own.text.as_bytes(), name.text.as_bytes()))
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        // Selectors 3, as in browsers: white space is contents, but comments are not.
        let has_contents =
            |node: Node<'_>| node.is_element() || node.text().is_some_and(|text| !text.is_empty());
        !self.item().node.children().any(|child| has_contents(child) && !child.is_drawn_by_use())
    }

    fn is_root(&self) -> bool {
        self.item().parent.is_none()
    }

    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        self.hashes().for_each(|hash| filter.insert_hash(hash));
        true
    }
}

impl ElementRef<'_> {
    /// The hashes that a selector may require of an element.
    fn hashes(&self) -> impl Iterator<Item = u32> {
        let Item { tag, namespace, id, classes, .. } = self.item();
        [tag, namespace].into_iter().chain(id).chain(classes).map(|name| name.hash & 0x00ff_ffff)
    }
}

/// Whether a language is in a range, by "extended filtering" of RFC 4647 (section 3.3.2).
fn is_in_range(language: &str, range: &str) -> bool {
    if language.is_empty() || range.is_empty() {
        return language == range;
    }
    let (mut subtags, mut wanted) = (language.split('-'), range.split('-'));
    let is_same = |subtag: &str, wanted: &str| wanted == "*" || subtag.eq_ignore_ascii_case(wanted);
    if !subtags.next().zip(wanted.next()).is_some_and(|(subtag, wanted)| is_same(subtag, wanted)) {
        return false;
    }
    // Other subtags may be before one that is wanted, except one of a single letter, which starts
    // an extension.
    wanted.filter(|wanted| *wanted != "*").all(|wanted| {
        subtags
            .by_ref()
            .take_while(|subtag| is_same(subtag, wanted) || subtag.len() > 1)
            .any(|subtag| is_same(subtag, wanted))
    })
}

/// Matches selectors against the elements of a tree, which are entered in document order.
pub(crate) struct Matcher<'a> {
    tree: &'a ElementTree<'a>,
    caches: SelectorCaches,
    /// A summary of the elements around the current one.
    filter: BloomFilter,
    /// The elements around the current one, from the root.
    around: Vec<u32>,
    current: Option<u32>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(tree: &'a ElementTree<'a>) -> Self {
        let (caches, filter) = (SelectorCaches::default(), BloomFilter::new());
        Self { tree, caches, filter, around: Vec::new(), current: None }
    }

    /// Goes on to an element, the next one in document order.
    pub(crate) fn enter(&mut self, index: u32) {
        let tree = self.tree;
        let element = |index| ElementRef { tree, index };
        let parent = tree.parent(index);
        // The filter counts each name, so it follows the walk: the first child adds its parent, and
        // any other element removes those that it is not inside of.
        match self.current {
            Some(current) if parent == Some(current) => {
                element(current).add_element_unique_hashes(&mut self.filter);
                self.around.push(current);
            }
            _ => {
                while self.around.last().copied() != parent {
                    let Some(left) = self.around.pop() else { break };
                    element(left).hashes().for_each(|hash| self.filter.remove_hash(hash));
                }
            }
        }
        self.current = Some(index);
    }

    /// Calls a function with a test for whether a selector with these hashes matches the current
    /// element.
    pub(crate) fn with_current(
        &mut self,
        use_test: impl FnOnce(&mut dyn FnMut(&Selector<Selectors>, &AncestorHashes) -> bool),
    ) {
        let Some(index) = self.current else { return };
        let element = ElementRef { tree: self.tree, index };
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            Some(&self.filter),
            &mut self.caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        use_test(&mut |selector, hashes| matches_selector(selector, 0, Some(hashes), element, &mut context));
    }
}

/// The hashes of the elements that a selector requires around the one that it matches.
pub(crate) fn ancestor_hashes(selector: &Selector<Selectors>) -> AncestorHashes {
    AncestorHashes::new(selector, QuirksMode::NoQuirks)
}

/// A set of selectors by a name that they require of the element that they match, so that few of
/// them have to be tried for each element.
#[derive(Default)]
pub(crate) struct Buckets {
    by_id: NameMap,
    by_class: NameMap,
    by_attribute: NameMap,
    by_position: HashMap<PositionKey, Vec<u32>>,
    /// The different steps in `by_position`.
    steps: Vec<i32>,
    by_tag: NameMap,
    others: Vec<u32>,
}

/// The elements that an `:nth-child()` can match: the hash of their name, if it is known, the step,
/// and the remainder of their positions. The step is 0 for a single position.
type PositionKey = (Option<u32>, i32, i32);

type NameMap = HashMap<u32, Vec<u32>>;

impl Buckets {
    /// Adds a selector under its number.
    pub(crate) fn insert(&mut self, selector: &Selector<Selectors>, number: u32) {
        let bucket = match required_name(selector) {
            Some(Required::Id(name)) => self.by_id.entry(name).or_default(),
            Some(Required::Class(name)) => self.by_class.entry(name).or_default(),
            Some(Required::Attribute(hash)) => self.by_attribute.entry(hash).or_default(),
            Some(Required::Position(step, remainder)) => {
                if !self.steps.contains(&step) {
                    self.steps.push(step);
                }
                self.by_position.entry((required_tag(selector), step, remainder)).or_default()
            }
            Some(Required::Tag(name)) => self.by_tag.entry(name).or_default(),
            None => &mut self.others,
        };
        bucket.push(number);
    }

    /// The numbers of the selectors that may match an element.
    pub(crate) fn candidates(&self, tree: &ElementTree<'_>, index: u32) -> impl Iterator<Item = u32> {
        let Item { node, tag, id, classes, position, .. } = &tree.items[index as usize];
        let of_id = id.iter().filter_map(|id| self.by_id.get(&id.hash));
        // A class that is written twice counts once.
        let is_first = |(at, class): &(usize, &Name)| !classes[..*at].contains(class);
        let classes = classes.iter().enumerate().filter(is_first);
        let of_classes = classes.filter_map(|(_, class)| self.by_class.get(&class.hash));
        let attributes = node.attributes().filter(|_| !self.by_attribute.is_empty());
        let attributes = attributes.filter(|attribute| attribute.namespace.is_none());
        let of_attributes = attributes.filter_map(|attribute| {
            self.by_attribute.get(&attribute_hash(hash(attribute.name), attribute.value))
        });
        // There are few different steps, so one lookup per step is cheaper than a test per
        // selector.
        let of_position = self.steps.iter().flat_map(move |step| {
            let remainder = if *step == 0 { *position } else { position.rem_euclid(*step) };
            [Some(tag.hash), None]
                .into_iter()
                .filter_map(move |tag| self.by_position.get(&(tag, *step, remainder)))
        });
        let of_tag = self.by_tag.get(&tag.hash);
        let by_name = of_id.chain(of_classes).chain(of_attributes).chain(of_tag);
        by_name.chain(of_position).chain([&self.others]).flatten().copied()
    }
}

/// The hash of an attribute, given that of its name.
fn attribute_hash(name: u32, value: &str) -> u32 {
    name.rotate_left(1) ^ hash(value)
}

/// The hash of a name that an element must have to match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Required {
    Tag(u32),
    /// A position among the children of the parent, by a step and the remainder.
    Position(i32, i32),
    /// An attribute with a value.
    Attribute(u32),
    Class(u32),
    Id(u32),
}

/// The name that an element must have to match a selector, the rarest kind of name if there are
/// several.
fn required_name(selector: &Selector<Selectors>) -> Option<Required> {
    let required = |component: &Component<Selectors>| match component {
        Component::ID(name) => Some(Required::Id(name.hash)),
        Component::Class(name) => Some(Required::Class(name.hash)),
        Component::LocalName(local) => Some(Required::Tag(local.name.hash)),
        Component::AttributeInNoNamespace {
            local_name,
            operator: AttrSelectorOperator::Equal,
            value,
            case_sensitivity: ParsedCaseSensitivity::CaseSensitive,
        } => Some(Required::Attribute(attribute_hash(local_name.hash, value.as_ref()))),
        Component::Nth(NthSelectorData { ty: NthType::Child, an_plus_b, .. }) => position(*an_plus_b),
        // Of several selectors in a list, none is required.
        Component::Is(list) | Component::Where(list) => match list.slice() {
            [only] => required_name(only),
            _ => None,
        },
        _ => None,
    };
    selector.iter().filter_map(required).max()
}

/// The hash of the name of the elements that a selector matches, if it says so.
fn required_tag(selector: &Selector<Selectors>) -> Option<u32> {
    selector.iter().find_map(|component| match component {
        Component::LocalName(local) => Some(local.name.hash),
        _ => None,
    })
}

/// The step and the remainder of the positions of `:nth-child()`. `None` if every position may
/// match.
fn position(AnPlusB(step, offset): AnPlusB) -> Option<Required> {
    match step.checked_abs()? {
        0 => Some(Required::Position(0, offset)),
        1 => None,
        step => Some(Required::Position(step, offset.rem_euclid(step))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::style;

    /// Whether a selector matches the element with the id `a`.
    fn matches(selector: &str, body: &str) -> bool {
        style(&format!("<style>{selector} {{ opacity: .5 }}</style>{body}")) == "opacity:.5"
    }

    const BODY: &str = "<g class='p q' xml:lang='de-AT'><title/><rect id='b'/><!-- x -->\n
        <rect id='a' class='c d' width='5' data-x='Foo bar' x:href='#b'><desc/></rect><path/></g>";

    #[test]
    fn selectors_match() {
        for selector in [
            "*",
            "rect",
            "#a",
            ".c.d",
            "g > rect",
            "svg rect",
            "rect + rect",
            "title ~ rect",
            "[width]",
            "[width='5']",
            "[data-x^=Foo]",
            "[data-x$=bar]",
            "[data-x*='o b']",
            "[data-x~=bar]",
            "[data-x='foo BAR' i]",
            "[*|href]",
            ":not(path)",
            ":not(.x, .y)",
            ":is(.x, #a)",
            ":is(::foo, #a)",
            ":where(g.p) > #a",
            "rect:has(+ path)",
            ":has(> desc)",
            ":nth-child(3)",
            ":nth-child(2n + 1)",
            ":nth-last-child(2)",
            ":nth-of-type(even)",
            ":last-of-type",
            ":nth-child(2 of rect)",
            "svg > :only-of-type > #a",
            ":root rect",
            ":lang(de)",
            ":read-only",
            ":not(:hover)",
            "#b:empty + #a",
            ".p:not(.r) .c",
        ] {
            assert!(matches(selector, BODY), "{selector}");
        }
    }

    #[test]
    fn selectors_do_not_match() {
        for selector in [
            "RECT",
            "g + rect",
            ".C",
            "[width='50']",
            "[href]",
            ":first-child",
            ":last-child",
            ":only-child",
            ":nth-child(2)",
            ":empty",
            ":root",
            ":link",
            ":hover",
            ":focus-visible",
            "rect::before",
            "rect::-webkit-x",
            ":lang(d)",
            ":dir(rtl)",
            ":foo",
            "#a, :foo",
            ":not(rect)",
            ":not(:foo)",
            "#a >",
            "|rect",
        ] {
            assert!(!matches(selector, BODY), "{selector}");
        }
    }

    #[test]
    fn languages_are_filtered() {
        for (language, range, expected) in [
            ("de-Latn-DE", "de-DE", true),
            ("de-AT", "*-AT", true),
            ("de-x-DE", "de-DE", false),
            ("DE", "de", true),
            ("deu", "de", false),
            ("", "", true),
            ("de", "", false),
            ("", "*", false),
        ] {
            assert_eq!(super::is_in_range(language, range), expected, "{language} {range}");
        }
    }

    #[test]
    fn links_have_an_address() {
        assert!(matches(":link", "<a id='a' href='#b'/>"));
        assert!(matches("a:any-link", "<a id='a' x:href='#b'/>"));
        assert!(!matches(":any-link", "<a id='a'/>"));
    }

    #[test]
    fn namespaces_are_declared() {
        let sheet = |rules: &str| style(&format!("<style>{rules}</style><rect id='a' x:href='#b'/>"));
        for (rules, expected) in [
            ("@namespace 'http://www.w3.org/2000/svg'; rect { r: 1px }", "r:1px"),
            ("@namespace url(http://www.w3.org/1999/xhtml); rect { r: 1px }", ""),
            ("@namespace s 'http://www.w3.org/2000/svg'; s|rect { r: 1px }", "r:1px"),
            ("@namespace l url(http://www.w3.org/1999/xlink); [l|href] { r: 1px }", "r:1px"),
            ("t|rect { r: 1px }", ""),
        ] {
            assert_eq!(sheet(rules), expected, "{rules}");
        }
    }
}
