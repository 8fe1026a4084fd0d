//! Every barrier is in uniform control flow: either all invocations of a workgroup reach it, or
//! none.
//!
//! WGSL requires this, and browsers refuse a shader for which they cannot prove it. naga does not
//! check it. The analysis here is stricter than that of WGSL in one respect: a local variable is
//! uniform only if every value that it ever gets is.

use std::collections::{BTreeMap, BTreeSet};

use naga::{
    AddressSpace, Binding, Block, BuiltIn, Expression, Function, Handle, LocalVariable, Module, Span,
    Statement, StorageAccess, TypeInner,
};

/// The first barrier of a shader that may be in non-uniform control flow.
fn non_uniform_barrier(source: &str) -> Option<String> {
    let module = naga::front::wgsl::parse_str(source).expect("the source is valid");
    let compute = module.entry_points.iter().filter(|entry| entry.stage == naga::ShaderStage::Compute);
    compute.map(|entry| &entry.function).find_map(|main| {
        let is_uniform = |binding: &Option<Binding>| {
            let uniform = [BuiltIn::WorkGroupId, BuiltIn::NumWorkGroups];
            matches!(binding, Some(Binding::BuiltIn(builtin)) if uniform.contains(builtin))
        };
        // As in browsers, a structure is uniform if all its members are.
        let arguments = main.arguments.iter().map(|argument| match &module.types[argument.ty].inner {
            TypeInner::Struct { members, .. } => members.iter().all(|member| is_uniform(&member.binding)),
            _ => is_uniform(&argument.binding),
        });
        let arguments = arguments.collect();
        let span = Walk::of(&module, main, arguments, true).err()?;
        let line = span.location(source).line_number;
        let text = source.lines().nth(line as usize - 1).unwrap_or_default().trim();
        Some(format!("line {line}: `{text}` may be in non-uniform control flow"))
    })
}

/// A walk over the statements of a function.
struct Walk<'a> {
    module: &'a Module,
    function: &'a Function,
    /// Whether each argument is uniform.
    arguments: Vec<bool>,
    /// The local variables that may differ between invocations.
    varying: BTreeSet<Handle<LocalVariable>>,
    /// The results of calls that may differ between invocations.
    varying_calls: BTreeSet<Handle<Expression>>,
    /// Whether an invocation may have left the function, or the innermost loop, before the others.
    has_returned: bool,
    has_left_loop: bool,
    is_result_uniform: bool,
}

impl<'a> Walk<'a> {
    /// Whether the result of a function is uniform, given its arguments and the control flow of the
    /// call. The error is the first barrier in non-uniform control flow.
    fn of(
        module: &'a Module,
        function: &'a Function,
        arguments: Vec<bool>,
        is_uniform: bool,
    ) -> Result<bool, Span> {
        let mut walk = Self {
            module,
            function,
            arguments,
            varying: BTreeSet::new(),
            varying_calls: BTreeSet::new(),
            has_returned: false,
            has_left_loop: false,
            is_result_uniform: true,
        };
        // A value at the end of a loop can make one at its begin vary, so this repeats until no
        // more variables vary.
        loop {
            let n_varying = walk.varying.len() + walk.varying_calls.len();
            walk.has_returned = false;
            walk.block(&function.body, is_uniform)?;
            if walk.varying.len() + walk.varying_calls.len() == n_varying {
                return Ok(walk.is_result_uniform);
            }
        }
    }

    /// Walks the statements of a block. `is_uniform` is the control flow at its begin.
    fn block(&mut self, block: &'a Block, is_uniform: bool) -> Result<(), Span> {
        for (statement, span) in block.span_iter() {
            let is_uniform = is_uniform && !self.has_returned && !self.has_left_loop;
            match statement {
                Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::WorkGroupUniformLoad { .. }
                    if !is_uniform =>
                {
                    return Err(*span);
                }
                Statement::Block(inner) => self.block(inner, is_uniform)?,
                Statement::If { condition, accept, reject } => {
                    let is_uniform = is_uniform && self.is_uniform(*condition);
                    self.block(accept, is_uniform)?;
                    self.block(reject, is_uniform)?;
                }
                Statement::Switch { selector, cases } => {
                    let is_uniform = is_uniform && self.is_uniform(*selector);
                    cases.iter().try_for_each(|case| self.block(&case.body, is_uniform))?;
                }
                Statement::Loop { body, continuing, break_if } => {
                    let outer = std::mem::take(&mut self.has_left_loop);
                    self.block(body, is_uniform)?;
                    self.block(continuing, is_uniform)?;
                    if self.has_left_loop || break_if.is_some_and(|condition| !self.is_uniform(condition)) {
                        // From the second iteration on, not all invocations are in the loop.
                        self.block(body, false)?;
                        self.block(continuing, false)?;
                    }
                    self.has_left_loop = outer;
                }
                Statement::Break | Statement::Continue => self.has_left_loop |= !is_uniform,
                Statement::Return { value } => {
                    self.has_returned |= !is_uniform;
                    self.is_result_uniform &= is_uniform && value.is_none_or(|value| self.is_uniform(value));
                }
                Statement::Store { pointer, value }
                    if !(is_uniform && self.is_uniform(*value) && self.is_uniform(*pointer)) =>
                {
                    self.varying.extend(self.local_variable(*pointer));
                }
                Statement::Call { function, arguments, result } => {
                    let uniform = arguments.iter().map(|&argument| self.is_uniform(argument)).collect();
                    let function = &self.module.functions[*function];
                    let is_result_uniform = Self::of(self.module, function, uniform, is_uniform)?;
                    if !is_result_uniform {
                        self.varying_calls.extend(result);
                    }
                    // The function may write any value through a pointer.
                    let pointers = arguments.iter().filter_map(|&argument| self.local_variable(argument));
                    self.varying.extend(pointers.collect::<Vec<_>>());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The local variable that an expression points into.
    fn local_variable(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.local_variable(base)
            }
            _ => None,
        }
    }

    /// Whether what a pointer points to is uniform, apart from the indices in the pointer.
    fn is_memory_uniform(&self, pointer: Handle<Expression>) -> bool {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => !self.varying.contains(&variable),
            Expression::GlobalVariable(variable) => match self.module.global_variables[variable].space {
                AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                space => space == AddressSpace::Uniform,
            },
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                self.is_memory_uniform(base)
            }
            _ => false,
        }
    }

    /// Whether a value is the same for all invocations. A pointer counts as the values of its
    /// indices.
    fn is_uniform(&self, expression: Handle<Expression>) -> bool {
        let all = |parts: &[Handle<Expression>]| parts.iter().all(|&part| self.is_uniform(part));
        match &self.function.expressions[expression] {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::ArrayLength(_)
            | Expression::WorkGroupUniformLoadResult { .. } => true,
            Expression::FunctionArgument(index) => self.arguments[*index as usize],
            Expression::CallResult(_) => !self.varying_calls.contains(&expression),
            Expression::Load { pointer } => self.is_uniform(*pointer) && self.is_memory_uniform(*pointer),
            Expression::Compose { components, .. } => all(components),
            Expression::Access { base, index } => all(&[*base, *index]),
            Expression::AccessIndex { base: part, .. }
            | Expression::Splat { value: part, .. }
            | Expression::Swizzle { vector: part, .. }
            | Expression::Unary { expr: part, .. }
            | Expression::Relational { argument: part, .. }
            | Expression::As { expr: part, .. } => self.is_uniform(*part),
            Expression::Binary { left, right, .. } => all(&[*left, *right]),
            Expression::Select { condition, accept, reject } => all(&[*condition, *accept, *reject]),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                let others: Vec<_> = [*arg1, *arg2, *arg3].into_iter().flatten().collect();
                self.is_uniform(*arg) && all(&others)
            }
            _ => false,
        }
    }
}

#[test]
fn every_barrier_is_in_uniform_control_flow() {
    let failures: BTreeMap<&str, String> = boxwood_shaders::all()
        .into_iter()
        .filter_map(|shader| Some((shader.name, non_uniform_barrier(shader.source)?)))
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A shader with this body of `main`.
fn shader(main: &str) -> String {
    format!(
        "@group(0) @binding(0) var<uniform> n: u32;
        @group(0) @binding(1) var<storage> input: array<u32>;
        @group(0) @binding(2) var<storage, read_write> output: array<u32>;
        var<workgroup> shared_n: u32;
        struct Pair {{ uniform_part: u32, own_part: u32 }}
        fn pair(local: u32) -> Pair {{ return Pair(workgroupUniformLoad(&shared_n), local); }}
        fn barrier_if(condition: bool) {{ if condition {{ workgroupBarrier(); }} }}
        fn add_one(value: ptr<function, u32>) {{ *value += 1u; }}
        struct Grid {{ @builtin(workgroup_id) workgroup: vec3<u32> }}
        struct Mixed {{ @builtin(num_workgroups) size: vec3<u32>, @builtin(local_invocation_id) own: vec3<u32> }}
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) local: u32, grid: Grid, mixed: Mixed) {{
            {main}
        }}"
    )
}

#[test]
fn barriers_in_uniform_control_flow_are_accepted() {
    for main in [
        "for (var i = 0u; i < n; i++) { workgroupBarrier(); }",
        "for (var i = 0u; i < input[grid.workgroup.x]; i++) { storageBarrier(); }",
        "let m = workgroupUniformLoad(&shared_n); for (var i = 0u; i < m; i++) { workgroupBarrier(); }",
        "if grid.workgroup.x >= n { return; } workgroupBarrier(); if local >= n { return; }",
        "loop { if local > 3u { output[local] = 1u; } workgroupBarrier(); if n > 2u { break; } }",
        "barrier_if(n > 3u);",
        "for (var i = local; i < n; i++) { output[i] = i; } workgroupBarrier();",
    ] {
        assert_eq!(non_uniform_barrier(&shader(main)), None, "{main}");
    }
}

#[test]
fn barriers_in_non_uniform_control_flow_are_found() {
    for main in [
        "for (var i = 0u; i < local; i++) { workgroupBarrier(); }",
        "for (var i = 0u; i < shared_n; i++) { workgroupBarrier(); }",
        "for (var i = 0u; i < output[0]; i++) { workgroupBarrier(); }",
        "for (var i = 0u; i < input[local]; i++) { workgroupBarrier(); }",
        "let p = pair(local); for (var i = 0u; i < p.uniform_part; i++) { workgroupBarrier(); }",
        "if local >= n { return; } workgroupBarrier();",
        "if local >= n { return; } let m = workgroupUniformLoad(&shared_n); output[0] = m;",
        "loop { workgroupBarrier(); if local > 2u { break; } }",
        "barrier_if(local > 3u);",
        "if mixed.size.x > 3u { workgroupBarrier(); }",
        "var m = n; if local > 2u { m = 3u; } for (var i = 0u; i < m; i++) { storageBarrier(); }",
        "var m = n; loop { if m > 2u { workgroupBarrier(); } m = local; if n > 3u { break; } }",
        "var m = n; add_one(&m); if m > 2u { workgroupBarrier(); }",
    ] {
        assert!(non_uniform_barrier(&shader(main)).is_some(), "{main}");
    }
}

#[test]
fn a_planted_fault_in_a_shader_is_found() {
    let source = boxwood_shaders::tree::MATCHER_HIERARCHICAL_REDUCE.source;
    let uniform = "workgroupUniformLoad(&group_sums[GROUP_RESULTS])";
    assert!(source.contains(uniform));
    let found = non_uniform_barrier(&source.replace(uniform, "group_sums[GROUP_RESULTS]"));
    assert!(found.is_some_and(|message| message.contains("`workgroupBarrier();`")));
}
