//! Mutants: shaders with one small change each, made from naga's intermediate representation.
//!
//! A planted fault of [`crate::Fault`] names a text of its shader, so that it has to follow each
//! rewording of that text. A mutant is found by its kind and its place in the order of evaluation,
//! so that it survives new names of locals and a new formatting.

use std::collections::{BTreeMap, BTreeSet};

use boxwood_shaders::Shader;
use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{BinaryOperator, Block, Expression, Function, Handle, Literal, MathFunction, Module, Statement};

use crate::device::is_reference_adapter;
use crate::faults::{LOOP_LIMIT_FUNCTION, bounded_source, shader_named};
use crate::sample::{is_part, is_tried_of};

/// A mutant that no input reveals: its id, and the reason why that is right. An id that begins with
/// `*` stands for this mutant of every shader, for functions that several shaders share.
pub type Survivor = (&'static str, &'static str);

/// A shader with one change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// `shader / function / kind / ordinal`. The ordinal counts the places of this kind in the
    /// function, starting at 1.
    pub id: String,
    /// The text that naga reports as the place of the change.
    pub place: String,
    /// The whole WGSL, which binds the same resources. All its loops are bounded.
    pub source: String,
}

/// The mutants of one test.
#[derive(Clone, Copy, Debug)]
pub struct Mutants<'a> {
    /// The names of the shaders to change.
    pub shaders: &'a [&'a str],
    /// The maximum number of mutants per shader.
    pub per_shader: usize,
    /// The mutants that survive, with reasons.
    pub accepted: &'a [Survivor],
}

impl Mutants<'_> {
    /// Compiles the shaders once per mutant, and asserts that exactly the accepted mutants survive.
    /// On other adapters than lavapipe, a mutant with a data race may survive or be caught.
    ///
    /// `compile` and `is_caught` are those of [`crate::assert_all_caught`].
    ///
    /// # Panics
    ///
    /// If a mutant is not caught and not accepted, or if an accepted mutant is caught or is not
    /// among the mutants.
    pub fn assert_all_caught<T>(
        &self,
        compile: impl Fn(&dyn Fn(&Shader) -> String) -> T,
        is_caught: impl Fn(&T, &str) -> bool,
    ) {
        let mut unused: BTreeSet<_> = self.accepted.iter().map(|survivor| survivor.0).collect();
        let mut problems = Vec::new();
        for &name in self.shaders {
            let all = mutants(shader_named(name), self.per_shader);
            let n_mutants = all.len();
            for (_, mutant) in
                all.into_iter().enumerate().filter(|(number, _)| is_tried_of(*number, n_mutants))
            {
                let broken = compile(&|shader| {
                    if shader.name == name { mutant.source.clone() } else { bounded_source(shader) }
                });
                let is_caught = is_caught(&broken, name);
                let in_any_shader = mutant.id.replacen(name, "*", 1);
                let accepted = self.accepted.iter().find(|(id, _)| *id == mutant.id || *id == in_any_shader);
                if let Some((id, _)) = accepted {
                    unused.remove(id);
                }
                if has_race(&mutant.id) && !is_reference_adapter() {
                    continue;
                }
                match (is_caught, accepted) {
                    (false, None) => problems.push(format!("survives: {}: `{}`", mutant.id, mutant.place)),
                    (true, Some(_)) => problems.push(format!("accepted, but caught: {}", mutant.id)),
                    (true, None) | (false, Some(_)) => {}
                }
            }
        }
        if is_part() {
            unused.clear();
        }
        problems.extend(unused.iter().map(|id| format!("accepted, but not among the mutants: {id}")));
        assert!(problems.is_empty(), "mutants:\n{}", problems.join("\n"));
    }
}

/// Whether a mutant has a data race. Its result depends on the order in which an adapter runs the
/// invocations of a workgroup: lavapipe always runs them in the same one.
fn has_race(id: &str) -> bool {
    let removes_barrier = id.contains(" / barrier removed / ");
    // Both use the same half of the memory in each round.
    let reads_what_is_written = [" / prefix_sum / store removed / 4", " / prefix_sum / ^ to | / 1"];
    removes_barrier || reads_what_is_written.iter().any(|end| id.ends_with(end))
}

/// At most `limit` mutants of a shader, always the same ones. They are spread over the kinds of
/// changes first, and then over the functions.
///
/// # Panics
///
/// If the shader is not valid.
pub fn mutants(shader: &Shader, limit: usize) -> Vec<Mutant> {
    let source = bounded_source(shader);
    let module = parsed(&source);
    let changes = in_spread_order(shader.name, changes_of(&module, &source));
    // Some changes are errors of the validator, such as a shift by the number of bits.
    let mutant = |(id, change): (String, Change)| {
        let source = change.applied_to(&module)?;
        Some(Mutant { id, place: change.place, source })
    };
    changes.into_iter().filter_map(mutant).take(limit).collect()
}

fn parsed(source: &str) -> Module {
    let module = naga::front::wgsl::parse_str(source);
    let mut module = module.unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    // Removes what is not used, such as the literals that the parser has folded into constants.
    compact(&mut module, KeepUnused::No);
    module
}

/// A function of a module, or its only entry point.
type Site = Option<Handle<Function>>;

fn function_at(module: &Module, place: Site) -> &Function {
    place.map_or(&module.entry_points[0].function, |handle| &module.functions[handle])
}

fn function_at_mut(module: &mut Module, place: Site) -> &mut Function {
    match place {
        Some(handle) => module.functions.get_mut(handle),
        None => &mut module.entry_points[0].function,
    }
}

/// A change of a module.
struct Change {
    function: Site,
    function_name: String,
    kind: &'static str,
    /// Counts the places of this kind in the function, starting at 1.
    ordinal: usize,
    place: String,
    edit: Edit,
}

enum Edit {
    Replace(Handle<Expression>, Expression),
    /// Removes a statement, which is found by its position in the order of the text.
    Remove(usize),
}

impl Change {
    /// The source of the module with this change, unless it is not valid then.
    fn applied_to(&self, module: &Module) -> Option<String> {
        let mut module = module.clone();
        let function = function_at_mut(&mut module, self.function);
        match &self.edit {
            Edit::Replace(handle, expression) => *function.expressions.get_mut(*handle) = expression.clone(),
            Edit::Remove(position) => remove_statement(&mut function.body, &mut position.clone()),
        }
        let flags = naga::back::wgsl::WriterFlags::empty();
        let source = naga::back::wgsl::write_string(&module, &validated(&module)?, flags);
        let source = source.unwrap_or_else(|e| panic!("{}: {e}", self.kind));
        validated(&naga::front::wgsl::parse_str(&source).ok()?).map(|_| source)
    }
}

fn validated(module: &Module) -> Option<ModuleInfo> {
    Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module).ok()
}

/// All changes of all functions that the entry point uses.
fn changes_of(module: &Module, source: &str) -> Vec<Change> {
    let functions = module.functions.iter().map(|(handle, _)| Some(handle));
    let mut changes = Vec::new();
    for place in functions.chain([None]) {
        let function = function_at(module, place);
        let name = place.map_or("main", |_| function.name.as_deref().unwrap_or("unnamed"));
        if name == LOOP_LIMIT_FUNCTION {
            continue;
        }
        let mut edits = edits_of_expressions(function);
        edits.extend(edits_of_statements(&function.body, &mut 0));
        let mut n_of_kind = BTreeMap::new();
        for (kind, edit, span) in edits {
            let ordinal = n_of_kind.entry(kind).or_insert(0);
            *ordinal += 1;
            changes.push(Change {
                function: place,
                function_name: name.to_owned(),
                kind,
                ordinal: *ordinal,
                place: span.to_range().map_or_else(String::new, |range| source[range].to_owned()),
                edit,
            });
        }
    }
    changes
}

fn edits_of_expressions(function: &Function) -> Vec<(&'static str, Edit, naga::Span)> {
    let of_one = |(handle, expression): (_, &Expression)| {
        let span = function.expressions.get_span(handle);
        replacements(expression).into_iter().map(move |(kind, new)| (kind, Edit::Replace(handle, new), span))
    };
    function.expressions.iter().flat_map(of_one).collect()
}

/// The names of the changes of an expression, and the expressions that replace it.
fn replacements(expression: &Expression) -> Vec<(&'static str, Expression)> {
    match *expression {
        Expression::Binary { op, left, right } => {
            let change = other_operator(op).map(|(kind, op)| (kind, Expression::Binary { op, left, right }));
            change.into_iter().collect()
        }
        Expression::Math { fun, arg, arg1, arg2, arg3 } => {
            let (kind, fun) = match fun {
                MathFunction::Min => ("min to max", MathFunction::Max),
                MathFunction::Max => ("max to min", MathFunction::Min),
                _ => return Vec::new(),
            };
            vec![(kind, Expression::Math { fun, arg, arg1, arg2, arg3 })]
        }
        Expression::Select { condition, accept, reject } => {
            vec![("select swapped", Expression::Select { condition, accept: reject, reject: accept })]
        }
        Expression::Literal(literal) => other_literals(literal),
        _ => Vec::new(),
    }
}

fn other_operator(op: BinaryOperator) -> Option<(&'static str, BinaryOperator)> {
    use BinaryOperator as B;
    Some(match op {
        B::Less => ("< to <=", B::LessEqual),
        B::LessEqual => ("<= to <", B::Less),
        B::Greater => ("> to >=", B::GreaterEqual),
        B::GreaterEqual => (">= to >", B::Greater),
        B::Equal => ("== to !=", B::NotEqual),
        B::NotEqual => ("!= to ==", B::Equal),
        B::Add => ("+ to -", B::Subtract),
        B::Subtract => ("- to +", B::Add),
        B::Multiply => ("* to +", B::Add),
        B::Divide => ("/ to *", B::Multiply),
        B::Modulo => ("% to /", B::Divide),
        B::And => ("& to |", B::InclusiveOr),
        B::InclusiveOr => ("| to &", B::And),
        B::ExclusiveOr => ("^ to |", B::InclusiveOr),
        B::ShiftLeft => ("<< to >>", B::ShiftRight),
        B::ShiftRight => (">> to <<", B::ShiftLeft),
        B::LogicalAnd => ("&& to ||", B::LogicalOr),
        B::LogicalOr => ("|| to &&", B::LogicalAnd),
    })
}

/// An integer plus one, and zero if these differ from each other and from the integer.
fn other_literals(literal: Literal) -> Vec<(&'static str, Expression)> {
    let (next, zero) = match literal {
        Literal::U32(n) => (Literal::U32(n.wrapping_add(1)), (n > 1).then_some(Literal::U32(0))),
        Literal::I32(n) => (Literal::I32(n.wrapping_add(1)), (n > 1).then_some(Literal::I32(0))),
        Literal::Bool(value) => return vec![("boolean negated", Expression::Literal(Literal::Bool(!value)))],
        _ => return Vec::new(),
    };
    let zero = zero.map(|zero| ("n to 0", Expression::Literal(zero)));
    [("n to n + 1", Expression::Literal(next))].into_iter().chain(zero).collect()
}

/// The removals of statements of a block, whose first statement has this position.
fn edits_of_statements(block: &Block, position: &mut usize) -> Vec<(&'static str, Edit, naga::Span)> {
    let mut edits = Vec::new();
    for (statement, span) in block.span_iter() {
        let kind = match statement {
            Statement::ControlBarrier(_) => Some("barrier removed"),
            Statement::Store { .. } => Some("store removed"),
            Statement::Atomic { result: None, .. } => Some("atomic removed"),
            _ => None,
        };
        edits.extend(kind.map(|kind| (kind, Edit::Remove(*position), *span)));
        *position += 1;
        let first_inside = edits.len();
        for inner in blocks_of(statement) {
            edits.extend(edits_of_statements(inner, position));
        }
        if let Statement::Loop { continuing, .. } = statement {
            // Without its increment, a loop is endless. That takes long, and only shows the limit
            // on its rounds.
            let n_increments = edits_of_statements(continuing, &mut 0).len();
            edits.truncate(first_inside.max(edits.len() - n_increments));
        }
    }
    edits
}

/// Removes the statement at a position, which counts down to it.
fn remove_statement(block: &mut Block, position: &mut usize) {
    for index in 0..block.len() {
        if *position == 0 {
            block.cull(index..=index);
            *position = usize::MAX;
            return;
        }
        *position -= 1;
        for inner in blocks_of_mut(&mut block[index]) {
            remove_statement(inner, position);
            if *position == usize::MAX {
                return;
            }
        }
    }
}

fn blocks_of(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

fn blocks_of_mut(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// The changes with their ids, so that each beginning of the list is spread over the kinds, and the
/// changes of a kind over the functions. Otherwise, a hash of the id decides, so that a change of
/// one function does not select other mutants of the other functions.
fn in_spread_order(shader: &str, changes: Vec<Change>) -> Vec<(String, Change)> {
    let with_id = |change: Change| {
        let Change { function_name, kind, ordinal, .. } = &change;
        let id = format!("{shader} / {function_name} / {kind} / {ordinal}");
        (hash(&id), id, change)
    };
    let mut changes: Vec<_> = changes.into_iter().map(with_id).collect();
    changes.sort_by_key(|(hash, _, _)| *hash);
    let mut n_in_function = BTreeMap::new();
    let mut with_rank: Vec<_> = changes
        .into_iter()
        .map(|(_, id, change)| {
            let n = n_in_function.entry((change.kind, change.function_name.clone())).or_insert(0_usize);
            *n += 1;
            (*n, id, change)
        })
        .collect();
    // Sorting is stable, so that the hashes still decide among equals.
    with_rank.sort_by_key(|(rank, _, _)| *rank);
    let mut n_of_kind = BTreeMap::new();
    let mut in_rounds: Vec<_> = with_rank
        .into_iter()
        .map(|(_, id, change)| {
            let round = n_of_kind.entry(change.kind).or_insert(0_usize);
            *round += 1;
            (*round, id, change)
        })
        .collect();
    in_rounds.sort_by_key(|(round, _, _)| *round);
    in_rounds.into_iter().map(|(_, id, change)| (id, change)).collect()
}

/// The hash FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        var<workgroup> shared_words: array<u32, 4>;
        @group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(local_invocation_index) local: u32) {
            for (var i = 0u; i < 3u; i++) {
                shared_words[local] = words[i];
                workgroupBarrier();
            }
            words[local] = select(1u, shared_words[0], local == 2u);
        }";

    fn changes(source: &str) -> Vec<(String, Change)> {
        in_spread_order("sample", changes_of(&parsed(source), source))
    }

    fn source_of(id: &str) -> String {
        let (_, change) = changes(SOURCE).into_iter().find(|(found, _)| found == id).expect("it exists");
        change.applied_to(&parsed(SOURCE)).expect("it is valid")
    }

    #[test]
    fn each_kind_changes_the_source() {
        assert!(source_of("sample / main / < to <= / 1").contains("<= 3u"));
        assert!(!source_of("sample / main / barrier removed / 1").contains("workgroupBarrier"));
        assert!(source_of("sample / main / == to != / 1").contains("!= 2u"));
        assert!(source_of("sample / main / + to - / 1").contains("- 1u"));
    }

    #[test]
    fn increments_of_loops_are_not_removed() {
        let removed = |change: &Change| change.kind == "store removed";
        let places: BTreeSet<_> =
            changes(SOURCE).into_iter().filter(|(_, c)| removed(c)).map(|(_, c)| c.place).collect();
        assert!(places.iter().all(|place| !place.contains("i++")), "{places:?}");
        assert!(places.iter().any(|place| place.starts_with("words[local]")), "{places:?}");
    }

    #[test]
    fn ids_survive_new_names_and_formatting() {
        let renamed = ["local:", "[local]", "local =="]
            .into_iter()
            .fold(SOURCE.to_owned(), |source, name| source.replace(name, &name.replace("local", "lane")))
            .replace("{\n", "{ // a comment\n\n");
        let ids = |source: &str| changes(source).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(ids(SOURCE), ids(&renamed));
    }

    #[test]
    fn ids_are_unique_and_mutants_differ_from_their_shader() {
        let shader = shader_named("scan_apply");
        let mutants = mutants(shader, 40);
        assert_eq!(mutants.iter().map(|mutant| &mutant.id).collect::<BTreeSet<_>>().len(), 40);
        assert_eq!(mutants.iter().map(|mutant| &mutant.source).collect::<BTreeSet<_>>().len(), 40);
    }
}
