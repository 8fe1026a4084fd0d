//! Style sheets and `style` attributes: from text to rules with selectors and declarations.
//!
//! Conditions such as `@media` are static, so rules whose condition is false are left out here.
//! Nested rules become rules of their own, whose selectors contain those around them.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use selectors::SelectorList;
use selectors::parser::{AncestorHashes, ParseRelative, Selector};

use super::conditions::supports;
use super::font_faces::FontFace;
use super::ignored::Ignored;
use super::matching::{Name, Namespaces, Selectors, ancestor_hashes, parse_list};
use super::media::{self, Viewport};
use super::properties::{self, Declared, DeclaredIn, Target};
use super::values::{excess_blocks, excess_nesting};
use super::{without_comments, without_important};

/// The largest weight of the selectors of a nested rule.
///
/// The weight is an upper bound of the number of simple selectors once each `&` is replaced by the
/// selectors around the rule. It doubles with each `& &`, so 20 levels would have a million.
const MAX_WEIGHT: usize = 10_000;

/// The largest number of parts of the name of a layer, such as the two of `a.b`.
const MAX_LAYER_PARTS: usize = 16;

/// A style sheet of a document, without comments of XML.
pub(crate) struct Sheet {
    pub(crate) text: String,
    /// Where parts of the text start in it, and in the document.
    pub(crate) parts: Vec<(usize, usize)>,
}

impl Sheet {
    /// The position in the document of a position in the text.
    fn in_document(&self, at: usize) -> usize {
        let part = self.parts.iter().rev().find(|(start, _)| *start <= at);
        part.map_or(0, |(start, in_document)| in_document + (at - start))
    }
}

/// A declaration as it is written.
#[derive(Debug)]
pub(crate) struct Declaration<'t> {
    pub(crate) target: Target,
    /// The value without comments and `!important`.
    pub(crate) value: Cow<'t, str>,
    pub(crate) is_important: bool,
    /// Its position in the document.
    pub(crate) at: usize,
}

/// The declarations of a rule or of a `style` attribute.
pub(crate) struct Block<'t> {
    pub(crate) declarations: Vec<Declaration<'t>>,
    place: DeclaredIn,
    parsed: OnceCell<Vec<Declared>>,
    /// Whether something of it was reported as ignored.
    has_ignored: Cell<bool>,
}

impl<'t> Block<'t> {
    fn new(declarations: Vec<Declaration<'t>>, place: DeclaredIn) -> Self {
        Self { declarations, place, parsed: OnceCell::new(), has_ignored: Cell::new(false) }
    }

    /// The valid declarations, in order. They are parsed when they first apply to an element, so
    /// that nothing is reported as ignored that has no effect.
    pub(crate) fn parsed(&self, ignored: &Ignored) -> &[Declared] {
        self.parsed.get_or_init(|| {
            let (parsed, has_ignored) = properties::parse_all(&self.declarations, self.place, ignored);
            self.has_ignored.set(self.has_ignored.get() || has_ignored);
            parsed
        })
    }

    /// Whether something of it was reported as ignored.
    pub(crate) fn has_ignored(&self) -> bool {
        self.has_ignored.get()
    }

    /// The block of a `style` attribute of an element at this position.
    pub(crate) fn of_attribute(text: &'t str, at: usize, ignored: &Ignored) -> Self {
        let mut inline = Inline { at, declarations: Vec::new() };
        let mut input = Parser::new(text);
        RuleBodyParser::new(&mut input, &mut inline).for_each(drop);
        let block = Self::new(inline.declarations, DeclaredIn::StyleAttribute);
        if let Some(what) = excess_blocks(text) {
            ignored.add(what, at);
            block.has_ignored.set(true);
        }
        block
    }
}

/// A rule with one selector.
pub(crate) struct Rule {
    pub(crate) selector: Selector<Selectors>,
    pub(crate) hashes: AncestorHashes,
    /// The index of its declarations.
    pub(crate) block: usize,
    layer: LayerId,
}

/// The rules of all style sheets of a document, in order.
#[derive(Default)]
pub(crate) struct Rules<'t> {
    pub(crate) rules: Vec<Rule>,
    pub(crate) blocks: Vec<Block<'t>>,
    pub(crate) font_faces: Vec<FontFace>,
    layers: Layers,
}

impl<'t> Rules<'t> {
    /// Adds the rules of a style sheet.
    pub(crate) fn add(&mut self, sheet: &'t Sheet, viewport: Viewport, ignored: &'t Ignored) {
        if let Some(what) = excess_blocks(&sheet.text) {
            ignored.add_everywhere(what, sheet.in_document(0));
        }
        let namespaces = Namespaces::default();
        let mut state = State { rules: self, sheet, viewport, ignored, namespaces };
        let mut top = Body::new(&mut state, Scope::default());
        let mut input = Parser::new(&sheet.text);
        StyleSheetParser::new(&mut input, &mut top).for_each(drop);
    }

    /// The position of the layer of each rule in the order of layers. Of normal declarations, those
    /// in the last layer take precedence.
    pub(crate) fn layer_ranks(&self) -> Vec<usize> {
        let ranks = self.layers.ranks();
        self.rules.iter().map(|rule| ranks[rule.layer]).collect()
    }
}

type LayerId = usize;

/// The cascade layers. The first one stands for the rules outside of all layers.
struct Layers {
    by_name: HashMap<(LayerId, Rc<str>), LayerId>,
    /// The layers inside of each layer, in order.
    children: Vec<Vec<LayerId>>,
}

impl Default for Layers {
    fn default() -> Self {
        Self { by_name: HashMap::new(), children: vec![Vec::new()] }
    }
}

impl Layers {
    fn anonymous(&mut self, around: LayerId) -> LayerId {
        let id = self.children.len();
        self.children.push(Vec::new());
        self.children[around].push(id);
        id
    }

    fn named(&mut self, around: LayerId, name: &[Rc<str>]) -> LayerId {
        name.iter().fold(around, |around, part| {
            let key = (around, Rc::clone(part));
            if let Some(known) = self.by_name.get(&key) {
                return *known;
            }
            let id = self.anonymous(around);
            self.by_name.insert(key, id);
            id
        })
    }

    /// The rank of each layer: those inside of a layer come before its own rules.
    fn ranks(&self) -> Vec<usize> {
        let mut ranks = vec![0; self.children.len()];
        let (mut next, mut open) = (0, vec![(0, 0)]);
        while let Some((layer, n_done)) = open.pop() {
            if let Some(child) = self.children[layer].get(n_done) {
                open.extend([(layer, n_done + 1), (*child, 0)]);
            } else {
                ranks[layer] = next;
                next += 1;
            }
        }
        ranks
    }
}

/// What rules are inside of.
#[derive(Clone, Default)]
struct Scope {
    /// The selectors of the rule around, with its own parents in them, and their weight.
    parent: Option<(SelectorList<Selectors>, usize)>,
    layer: LayerId,
}

/// A style sheet that is parsed.
struct State<'a, 't> {
    rules: &'a mut Rules<'t>,
    sheet: &'t Sheet,
    viewport: Viewport,
    ignored: &'t Ignored,
    namespaces: Namespaces,
}

impl State<'_, '_> {
    fn ignore(&self, what: impl Into<String>, at: usize) {
        // A rule that is not read may apply to any element.
        self.ignored.add_everywhere(what, self.sheet.in_document(at));
    }
}

/// The inside of a style sheet, a rule, or a conditional rule.
struct Body<'b, 'a, 't> {
    state: &'b mut State<'a, 't>,
    scope: Scope,
    /// The declarations since the last nested rule.
    pending: Vec<Declaration<'t>>,
}

impl<'b, 'a, 't> Body<'b, 'a, 't> {
    fn new(state: &'b mut State<'a, 't>, scope: Scope) -> Self {
        Self { state, scope, pending: Vec::new() }
    }

    /// Parses the inside of a block.
    fn parse(mut self, input: &mut Parser<'t>) {
        RuleBodyParser::new(input, &mut self).for_each(drop);
        self.flush();
    }

    /// Makes a rule of the declarations so far. Declarations after a nested rule come after it in
    /// the cascade.
    fn flush(&mut self) {
        let declarations = std::mem::take(&mut self.pending);
        let Some((selectors, _)) = self.scope.parent.as_ref().filter(|_| !declarations.is_empty()) else {
            return;
        };
        let rules = &mut *self.state.rules;
        let (block, layer) = (rules.blocks.len(), self.scope.layer);
        rules.blocks.push(Block::new(declarations, DeclaredIn::Sheet));
        for selector in selectors.slice().iter().filter(|selector| !selector.has_pseudo_element()) {
            let hashes = ancestor_hashes(selector);
            rules.rules.push(Rule { selector: selector.clone(), hashes, block, layer });
        }
    }
}

/// An error whose cause has been reported, or that browsers have as well.
type Result<T> = std::result::Result<T, ParseError<()>>;

const fn invalid<T>() -> Result<T> {
    Err(ParseError { kind: cssparser::ParseErrorKind::Custom(()) })
}

/// The declaration with a name and the value that the input has. `None` if nobody needs it.
fn declaration<'t>(name: &str, input: &mut Parser<'t>, at: usize) -> Result<Option<Declaration<'t>>> {
    input.skip_whitespace();
    let start = input.position();
    let (mut has_error, mut has_block) = (false, false);
    while let Ok(token) = input.next_including_whitespace_and_comments() {
        has_error |= token.is_parse_error();
        has_block |= matches!(token, Token::CurlyBracketBlock);
    }
    let is_custom = name.starts_with("--");
    if has_error || has_block && !is_custom {
        return invalid();
    }
    let (value, is_important) = match without_comments(input.slice_from(start)) {
        Cow::Borrowed(text) => {
            let (value, is_important) = without_important(text);
            (Cow::Borrowed(value), is_important)
        }
        Cow::Owned(text) => {
            let (value, is_important) = without_important(&text);
            (Cow::Owned(value.to_owned()), is_important)
        }
    };
    let target = properties::target(name);
    Ok(target.map(|target| Declaration { target, value, is_important, at }))
}

impl<'t> DeclarationParser<'t> for Body<'_, '_, 't> {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'t>, input: &mut Parser<'t>, start: &ParserState) -> Result<()> {
        let at = self.state.sheet.in_document(start.position().byte_index());
        self.pending.extend(declaration(&name, input, at)?);
        Ok(())
    }
}

impl<'t> QualifiedRuleParser<'t> for Body<'_, '_, 't> {
    type Prelude = Scope;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'t>) -> Result<Scope> {
        let start = input.position();
        let around = self.scope.parent.as_ref();
        let relative = if around.is_some() { ParseRelative::ForNesting } else { ParseRelative::No };
        let parsed = parse_list(&self.state.namespaces, input, relative);
        let is_whole = input.is_exhausted();
        while input.next().is_ok() {}
        let text = input.slice_from(start).trim();
        let Some(selectors) = parsed.ok().filter(|_| is_whole) else {
            self.state.ignore(format!("selector `{}`", shortened(text)), start.byte_index());
            return invalid();
        };
        let n_parents = text.matches('&').count() + selectors.len();
        let weight = text.len() / 2 + 1 + around.map_or(0, |(_, weight)| n_parents.saturating_mul(*weight));
        if around.is_some() && weight > MAX_WEIGHT {
            self.state.ignore(format!("nested selector `{}`", shortened(text)), start.byte_index());
            return invalid();
        }
        let selectors = match around {
            Some((parent, _)) => selectors.replace_parent_selector(parent),
            // Outside of a rule, `&` is the scoping root.
            None => selectors.replace_parent_selector(&SelectorList::scope()),
        };
        Ok(Scope { parent: Some((selectors, weight)), layer: self.scope.layer })
    }

    fn parse_block(&mut self, scope: Scope, _start: &ParserState, input: &mut Parser<'t>) -> Result<()> {
        self.flush();
        Body::new(self.state, scope).parse(input);
        Ok(())
    }
}

/// The part of an at-rule before its block.
enum Prelude {
    /// A condition, and whether it is true.
    Condition(bool),
    /// The names of layers, each of several parts.
    Layers(Vec<Vec<Rc<str>>>),
    Namespace(Option<Name>, Name),
    FontFace,
}

/// The at-rules that change nothing in a drawing that is not animated and has one page.
const SILENT: [&str; 9] = [
    "-webkit-keyframes",
    "-moz-keyframes",
    "charset",
    "counter-style",
    "keyframes",
    "page",
    "position-try",
    "starting-style",
    "view-transition",
];

impl<'t> AtRuleParser<'t> for Body<'_, '_, 't> {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'t>, input: &mut Parser<'t>) -> Result<Prelude> {
        let (name, start) = (name.to_ascii_lowercase(), input.position());
        if matches!(&*name, "media" | "supports") {
            let before = input.state();
            while input.next().is_ok() {}
            if let Some(what) = excess_nesting(input.slice_from(start)) {
                self.state.ignore(format!("{what} in @{name}"), start.byte_index());
                return invalid();
            }
            input.reset(&before);
        }
        match &*name {
            "media" => Ok(Prelude::Condition(media::matches(input, self.state.viewport))),
            "supports" => Ok(Prelude::Condition(supports(input, &self.state.namespaces)?)),
            "layer" => Ok(Prelude::Layers(layer_names(input)?)),
            "namespace" => namespace(input),
            "font-face" => Ok(Prelude::FontFace),
            silent if SILENT.contains(&silent) => invalid(),
            _ => {
                // The rule starts before its name and the at sign.
                self.state.ignore(format!("@{name}"), start.byte_index().saturating_sub(name.len() + 1));
                invalid()
            }
        }
    }

    fn rule_without_block(&mut self, prelude: Prelude, _start: &ParserState) -> std::result::Result<(), ()> {
        match prelude {
            Prelude::Condition(_) | Prelude::FontFace => return Err(()),
            Prelude::Layers(names) => {
                for name in names {
                    self.state.rules.layers.named(self.scope.layer, &name);
                }
            }
            Prelude::Namespace(Some(prefix), url) => self.state.namespaces.by_prefix.push((prefix, url)),
            Prelude::Namespace(None, url) => self.state.namespaces.default = Some(url),
        }
        Ok(())
    }

    fn parse_block(&mut self, prelude: Prelude, start: &ParserState, input: &mut Parser<'t>) -> Result<()> {
        let mut scope = self.scope.clone();
        match prelude {
            Prelude::Condition(true) => {}
            Prelude::Condition(false) | Prelude::Namespace(..) => return invalid(),
            Prelude::FontFace => {
                let at = self.state.sheet.in_document(start.position().byte_index());
                self.state.rules.font_faces.push(FontFace::parse(input, at));
                return Ok(());
            }
            Prelude::Layers(names) => {
                let layers = &mut self.state.rules.layers;
                scope.layer = match &names[..] {
                    [] => layers.anonymous(scope.layer),
                    [only] => layers.named(scope.layer, only),
                    _ => return invalid(),
                };
            }
        }
        self.flush();
        Body::new(self.state, scope).parse(input);
        Ok(())
    }
}

impl<'t> RuleBodyItemParser<'t, (), ()> for Body<'_, '_, 't> {
    fn parse_declarations(&self) -> bool {
        self.scope.parent.is_some()
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// The names of layers, separated by commas. Empty for an anonymous one.
fn layer_names(input: &mut Parser<'_>) -> Result<Vec<Vec<Rc<str>>>> {
    if input.is_exhausted() {
        return Ok(Vec::new());
    }
    input.parse_comma_separated(|input| {
        let mut parts = vec![Rc::from(&**input.expect_ident()?)];
        while input.try_parse(|input| input.expect_delim('.')).is_ok() {
            parts.push(Rc::from(&**input.expect_ident()?));
        }
        if parts.len() > MAX_LAYER_PARTS { invalid() } else { Ok(parts) }
    })
}

fn namespace(input: &mut Parser<'_>) -> Result<Prelude> {
    let prefix = input.try_parse(|input| input.expect_ident().map(|prefix| Name::from(&**prefix))).ok();
    Ok(Prelude::Namespace(prefix, Name::from(&*input.expect_url_or_string()?)))
}

/// The start of a text, for a message.
fn shortened(text: &str) -> Cow<'_, str> {
    /// The largest number of characters.
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A `style` attribute, which has declarations only.
struct Inline<'t> {
    at: usize,
    declarations: Vec<Declaration<'t>>,
}

impl<'t> DeclarationParser<'t> for Inline<'t> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'t>,
        input: &mut Parser<'t>,
        _start: &ParserState,
    ) -> Result<()> {
        self.declarations.extend(declaration(&name, input, self.at)?);
        Ok(())
    }
}

impl AtRuleParser<'_> for Inline<'_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for Inline<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl<'t> RuleBodyItemParser<'t, (), ()> for Inline<'t> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{resolved, style};

    #[test]
    fn rules_are_nested() {
        for (rules, expected) in [
            ("g { rect { r: 1px } }", "r:1px"),
            ("g { & > rect { r: 1px } }", "r:1px"),
            ("g { > rect { r: 1px } + rect { r: 2px } }", "r:1px"),
            ("rect { &.c { r: 1px } r: 2px }", "r:1px"),
            ("#a { .x & { r: 1px } r: 2px }", "r:2px"),
            ("rect { r: 1px; @media screen { r: 2px } }", "r:2px"),
            ("rect { @media screen { &.c { r: 2px } } }", "r:2px"),
            ("rect { @layer l { r: 2px } }", "r:2px"),
            // A declaration after a nested rule comes after it.
            ("rect { .c& { r: 1px } }", "r:1px"),
            (".c { & { r: 1px } r: 2px }", "r:2px"),
            ("& { fill: red } rect { r: 1px }", "r:1px"),
            ("rect { a:hover { r: 1px } r: 2px }", "r:2px"),
        ] {
            let body = format!("<style><![CDATA[{rules}]]></style><g><rect/><rect id='a' class='c'/></g>");
            assert_eq!(style(&body), expected, "{rules}");
        }
    }

    #[test]
    fn layers_have_an_order() {
        for (rules, expected) in [
            ("@layer { #a { r: 1px } } rect { r: 2px }", "r:2px"),
            ("@layer b, a; @layer a { rect { r: 1px } } @layer b { #a { r: 2px } }", "r:1px"),
            ("@layer a { @layer x { #a { r: 1px } } rect { r: 2px } }", "r:2px"),
            ("@layer a.x { rect { r: 1px } } @layer a { @layer x { rect { r: 2px } } }", "r:2px"),
            ("@layer a { rect { r: 1px !important } } rect { r: 2px !important }", "r:1px"),
            ("@layer a { rect { r: 1px } } @layer b { rect { r: revert-layer } }", "r:1px"),
        ] {
            assert_eq!(style(&format!("<style>{rules}</style><rect id='a'/>")), expected, "{rules}");
        }
    }

    #[test]
    fn errors_end_where_css_says() {
        for (rules, expected) in [
            ("rect { r: 1px; foo; fill: red }", "fill:red;r:1px"),
            ("rect { r: 1px; fill: rgb(1; 2) ; x: 3px }", "r:1px;x:3px"),
            ("a { ] } rect { r: 1px }", "r:1px"),
            ("@foo { rect { r: 2px } } @bar x; rect { r: 1px }", "r:1px"),
            ("<!-- rect { r: 1px } -->", "r:1px"),
            ("rect { r: 1px !ie; x: 1px ! important }", "x:1px"),
            ("rect { r: 1px", "r:1px"),
            ("rect { /* ; */ r/**/:/**/ 1px /* } */ }", "r:1px"),
            ("{ r: 2px } rect { r: 1px }", "r:1px"),
            ("rect {} } rect { r: 1px }", ""),
        ] {
            let body = format!("<style><![CDATA[{rules}]]></style><rect id='a'/>");
            assert_eq!(style(&body), expected, "{rules}");
        }
    }

    #[test]
    fn what_is_ignored_is_reported_once_with_its_position_and_number() {
        let text = "<?xml-stylesheet href='a.css'?><svg>
<style>@import 'x'; rect { text-transform: uppercase; cursor: pointer;
    clip-path: shape(from 0 0) } :foo {} a:bar { r: 1px }
    @keyframes k { from { r: 1px } }</style>
<rect/><rect clip-path='shape(from 1px 0)'/><path style='text-transform: none'/></svg>";
        let (ignored, _) = resolved(text);
        assert_eq!(
            ignored,
            [
                "1 x 1:1 (an external style sheet)",
                "1 x 2:8 (@import)",
                "1 x 3:34 (selector `:foo`)",
                "1 x 3:42 (selector `a:bar`)",
                "1 x 2:28 (property `text-transform`)",
                "2 x 3:5 (`shape()` in `clip-path`)",
            ]
        );
    }

    #[test]
    fn nested_selectors_have_a_limit() {
        let rules = "g { ".to_owned() + &"& & { ".repeat(30) + "r: 1px";
        let (ignored, _) = resolved(&format!("<svg><style><![CDATA[{rules}]]></style><g/></svg>"));
        assert_eq!(ignored, ["1 x 1:68 (nested selector `& &`)"]);
    }

    #[test]
    fn deep_nesting_is_reported() {
        let deep = |around: &str, inner: &str| format!("{around}{}{inner}{}", "(".repeat(40), ")".repeat(40));
        for (rule, expected) in [
            (format!("rect {{ stroke-width: {} }}", deep("calc", "1px")), "in `stroke-width`"),
            (format!("rect {{ x: {} }}", deep("calc", "1px")), "in `x`"),
            (format!("@supports {} {{ rect {{ r: 1px }} }}", deep("", "fill: red")), "in @supports"),
            (format!("@media {} {{ rect {{ r: 1px }} }}", deep("", "width > 1px")), "in @media"),
        ] {
            let (ignored, _) = resolved(&format!("<svg><style><![CDATA[{rule}]]></style><rect/></svg>"));
            let [only] = &ignored[..] else { panic!("{ignored:?}") };
            assert!(only.contains(&format!("(more than 32 nested parentheses {expected})")), "{only}");
        }
        let nested = |start: &str, end: &str| start.repeat(80) + "1px" + &end.repeat(80);
        for contents in [
            format!("<style>{}</style>", nested("@supports (r: 1px) {", "}")),
            format!("<g style='r: {}'/>", nested("var(--x, ", ")")),
        ] {
            let (ignored, _) = resolved(&format!("<svg>{contents}</svg>"));
            assert!(ignored.iter().any(|what| what.contains("(more than 75 nested blocks)")), "{ignored:?}");
        }
    }
}
