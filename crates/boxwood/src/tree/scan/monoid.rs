//! The caller's monoid: its checks, and its place in the shaders.

use std::ops::Range;

use boxwood_shaders::{Shader, around_monoid, check_operators};
use naga::valid::{Capabilities, ModuleInfo, ShaderStages, ValidationFlags, Validator};
use naga::{Module, Span};

use super::error::TreeScanError;
use super::stages::ScanPlan;

/// A monoid as WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Monoid<'a> {
    /// The text, which must declare:
    ///
    /// - `Value`, a struct or an alias, of a type that a storage buffer can hold, without atomics;
    /// - `fn identity() -> Value`;
    /// - `fn combine(a: Value, b: Value) -> Value`, which is associative and has `identity()` as
    ///   identity on both sides. It need be neither commutative nor idempotent. `a` comes first, on
    ///   the path from the root or in the node stream.
    ///
    /// It may declare other types, constants, and functions, but no variables, overrides, or entry
    /// points, and it may use no extension, barrier, or derivative. A name that a shader of the
    /// scan also declares or calls is an error. A prefix avoids that. Operators
    /// without a precedence in WGSL, such as `*` and `^`, need parentheses. naga accepts them
    /// without, but browsers do not.
    pub wgsl: &'a str,
    /// The stride of a WGSL array of `Value`, in bytes. At most [`MAX_STRIDE`].
    pub stride: usize,
}

/// The maximum stride of a value, in bytes. Each invocation holds several values in registers.
pub const MAX_STRIDE: usize = 256;

impl Monoid<'_> {
    /// Checks the declarations of the text, and the stride.
    pub(super) fn check(&self) -> Result<(), TreeScanError> {
        // The text is validated by itself first, so that an error has its line.
        let (alone, info) = valid(self.wgsl, 1..u32::MAX)?;
        let declarations = |found: &str| TreeScanError::Declarations { found: found.to_owned() };
        if !alone.entry_points.is_empty() || !alone.global_variables.is_empty() || !alone.overrides.is_empty()
        {
            return Err(declarations("declares a variable, an override or an entry point"));
        }
        // Not all invocations of a workgroup may reach the barrier.
        if alone.functions.iter().any(|(function, _)| info[function].available_stages != ShaderStages::all())
        {
            return Err(declarations("uses a barrier or a derivative"));
        }
        // A function of the caller would replace a built-in function of the same name.
        let mut names = alone.functions.iter().filter_map(|(_, f)| f.name.as_deref());
        if let Some(name) = names.find(|&name| is_called_by_the_scan(name)) {
            return Err(TreeScanError::Name { name: name.to_owned() });
        }
        let mut unused_name = "monoid_probe".to_owned();
        while self.wgsl.contains(&unused_name) {
            unused_name.push('_');
        }
        // Each of these is valid only if the text declares what it uses.
        let probe = |use_of_text: String, missing: &str| {
            valid(&format!("{}\n{use_of_text}", self.wgsl), 1..u32::MAX).map_err(|_| declarations(missing))
        };
        probe(format!("alias {unused_name} = Value;"), "does not declare the type `Value`")?;
        let (module, _) = probe(
            format!("@group(0) @binding(0) var<storage, read_write> {unused_name}: array<Value>;"),
            "declares a `Value` that a storage buffer cannot hold",
        )?;
        for (name, parameters, call) in
            [("identity", "", "identity()"), ("combine", "a: Value, b: Value", "combine(a, b)")]
        {
            let missing = format!("does not declare `fn {name}({parameters}) -> Value`");
            // A call is also valid if the name is that of a type, whose value it constructs.
            if !alone.functions.iter().any(|(_, function)| function.name.as_deref() == Some(name)) {
                return Err(declarations(&missing));
            }
            probe(format!("fn {unused_name}({parameters}) -> Value {{ return {call}; }}"), &missing)?;
        }
        let variable = module.global_variables.iter().next().expect("the probe declares one").1;
        let naga::TypeInner::Array { stride, .. } = module.types[variable.ty].inner else {
            unreachable!("the probe is an array");
        };
        if stride as usize != self.stride {
            return Err(TreeScanError::Stride { wgsl: stride as usize, given: self.stride });
        }
        if self.stride > MAX_STRIDE {
            return Err(TreeScanError::Size { stride: self.stride, limit: MAX_STRIDE });
        }
        Ok(())
    }

    /// The source of a shader with the monoid in place of the sample. Any other source is returned
    /// unchanged.
    pub(super) fn put_into(&self, source: &str) -> String {
        match around_monoid(source) {
            Some((before, after)) => format!("{before}{}\n{after}", self.wgsl),
            None => source.to_owned(),
        }
    }

    /// Checks that the monoid and a shader of the scan are valid together.
    pub(super) fn check_in(&self, shader: &Shader) -> Result<(), TreeScanError> {
        let count = |text: &str| u32::try_from(text.lines().count()).unwrap_or(u32::MAX / 2);
        let begin = 1 + around_monoid(shader.source).map_or(0, |(before, _)| count(before));
        valid(&self.put_into(shader.source), begin..begin + count(self.wgsl)).map(|_| ())
    }
}

/// Whether the text of a shader of the scan calls a function of this name.
fn is_called_by_the_scan(name: &str) -> bool {
    if ["identity", "combine"].contains(&name) {
        return false;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let calls = |text: &str| {
        let mut uses = text.match_indices(name);
        uses.any(|(at, _)| text[at + name.len()..].starts_with('(') && !text[..at].ends_with(is_part))
    };
    ScanPlan::shaders()
        .filter_map(|shader| around_monoid(shader.source))
        .any(|(before, after)| calls(before) || calls(after))
}

/// Parses and validates a source whose lines `lines`, starting at 1, are the monoid.
fn valid(source: &str, lines: Range<u32>) -> Result<(Module, ModuleInfo), TreeScanError> {
    let error_in = |line: u32, message: String| TreeScanError::Wgsl { line: line - lines.start + 1, message };
    let error = |spans: &mut dyn Iterator<Item = Span>, message: String| {
        // If there are several spans, as for a name that is declared twice, this is the one in the
        // monoid.
        let mut at = spans.map(|span| span.location(source).line_number);
        error_in(at.find(|line| lines.contains(line)).unwrap_or(lines.start), message)
    };
    let module = naga::front::wgsl::parse_str(source)
        .map_err(|e| error(&mut e.labels().map(|(span, _)| span), e.message().to_owned()))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|e| error(&mut e.spans().map(|(span, _)| *span), chain(e.as_inner())))?;
    // Around the monoid, the build script of the shaders has checked the operators.
    check_operators(source).map_err(|e| error_in(e.line, e.to_string()))?;
    Ok((module, info))
}

/// An error and its sources, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let sources = std::iter::successors(Some(error), |e| e.source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
