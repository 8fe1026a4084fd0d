//! The brackets of a source text: the GPU finds the pairs, and the first one that is wrong.
//!
//!     cargo run --release -p boxwood_examples --bin brackets -- [--syntax c|json|scheme|xml] [file]
//!
//! The default is C and languages like it: three kinds of brackets, strings, characters, and
//! comments. Without a file, the example generates a text. It compares the pairs with those that a
//! sequential function finds.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use boxwood::native::Gpu;
use boxwood::tree::{BracketError, BracketRole, BracketSyntax, Brackets, TextCapacity, TextReport};
use boxwood::wgpu::{self, util::DeviceExt as _};
use boxwood::{Context, EntryLink, read_items};
use boxwood_cpu::specification::tree::brackets;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut syntax, mut path) = (BracketSyntax::c(), None);
    while let Some(argument) = arguments.next() {
        if argument == "--syntax" {
            syntax = match arguments.next().as_deref() {
                Some("c") => BracketSyntax::c(),
                Some("json") => BracketSyntax::json(),
                Some("scheme") => BracketSyntax::scheme(),
                Some("xml") => BracketSyntax::xml(),
                other => bail!("the syntax is c, json, scheme, or xml, not {}", other.unwrap_or("missing")),
            };
        } else if argument.starts_with("--") || path.is_some() {
            bail!("unknown argument {argument}: the usage is [--syntax c|json|scheme|xml] [FILE]");
        } else {
            path = Some(argument);
        }
    }
    let (name, text) = match path {
        Some(path) => {
            let text = std::fs::read(&path).with_context(|| path.clone())?;
            (path, text)
        }
        None => ("generated".to_owned(), source(200).into_bytes()),
    };
    let begin = Instant::now();
    let result = pairs_on_gpu(&text, &syntax)?;
    let seconds = begin.elapsed();

    let expected = brackets(&text, &syntax);
    let pairs = match (result, expected) {
        (Ok(pairs), Ok(expected)) => {
            ensure!(pairs.len() == expected.len(), "{} brackets, not {}", expected.len(), pairs.len());
            for (own, other) in pairs.iter().zip(expected) {
                let other = Bracket { role: other.role, position: other.position, link: other.link };
                ensure!(*own == other, "the sequential function finds {other:?}, not {own:?}");
            }
            pairs
        }
        (Err(own), Err(other)) if own == other => {
            let (line, column) = place(&text, own.offset);
            bail!("{name}:{line}:{column}: {}", own.reason)
        }
        (own, other) => bail!("{:?}, but the sequential function finds {:?}", own.err(), other.err()),
    };
    println!("{} bytes, {} brackets, in {seconds:?} with upload and read-back", text.len(), pairs.len());
    if let Some((bracket, depth)) = deepest(&pairs) {
        let (line, column) = place(&text, bracket.position);
        println!("{name}:{line}:{column}: the deepest bracket, inside of {depth} others");
    }
    println!("the pairs equal those of a sequential function");
    Ok(())
}

/// A bracket of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bracket {
    role: BracketRole,
    position: u32,
    link: EntryLink,
}

/// Finds the brackets of a text on the GPU.
fn pairs_on_gpu(text: &[u8], syntax: &BracketSyntax) -> anyhow::Result<Result<Vec<Bracket>, BracketError>> {
    let gpu = Gpu::open(None)?;
    let Gpu { device, queue, .. } = &gpu;
    let context = Context::new(device);
    let mut padded = text.to_vec();
    padded.resize(text.len().next_multiple_of(16).max(16), 0);
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("text"),
        contents: &padded,
        usage: wgpu::BufferUsages::STORAGE,
    });
    let n_bytes = u32::try_from(text.len())?;
    // A first guess. The report has the number of brackets that the text has.
    let mut n_rows = n_bytes / 8 + 1;
    loop {
        let mut stage = Brackets::new(&context, &buffer, TextCapacity { n_bytes, n_rows }, syntax)?;
        stage.set_length(queue, n_bytes)?;
        gpu.run(|encoder| stage.record(&mut encoder.begin_compute_pass(&Default::default())))?;
        let report: TextReport = read_items(device, queue, stage.report(), 1)?[0];
        if report.n_rows > n_rows {
            n_rows = report.n_rows;
            continue;
        }
        let n = match report.n_brackets() {
            Ok(n) => n as usize,
            Err(boxwood::tree::TextReportError::Invalid(error)) => return Ok(Err(error)),
            Err(error) => return Err(error.into()),
        };
        let roles: Vec<u32> = read_items(device, queue, stage.roles(), n)?;
        let positions: Vec<u32> = read_items(device, queue, stage.positions(), n)?;
        let links: Vec<EntryLink> = read_items(device, queue, stage.links(), n)?;
        let items = roles.into_iter().zip(positions).zip(links);
        let bracket = |((role, position), link)| {
            let role = BracketRole::of_number(role).context("the number is that of a role")?;
            Ok(Bracket { role, position, link })
        };
        return Ok(Ok(items.map(bracket).collect::<anyhow::Result<_>>()?));
    }
}

/// The first of the brackets inside of the most others, and the number of those.
fn deepest(brackets: &[Bracket]) -> Option<(Bracket, usize)> {
    let mut depths = Vec::with_capacity(brackets.len());
    for bracket in brackets {
        let parent = usize::try_from(bracket.link.parent);
        depths.push(parent.map_or(0, |parent| depths[parent] + 1));
    }
    let depth = *depths.iter().max()?;
    let index = depths.iter().position(|other| *other == depth)?;
    Some((brackets[index], depth))
}

/// The line and the column of a byte, both from 1. The column counts bytes.
fn place(text: &[u8], offset: u32) -> (usize, usize) {
    let before = &text[..offset as usize];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    (1 + before.iter().filter(|byte| **byte == b'\n').count(), 1 + before.len() - line_start)
}

/// A text in C with this many functions. Brackets in strings, characters, and comments count for
/// nothing.
fn source(n_functions: usize) -> String {
    let deep = [&"f(a[".repeat(60), "')'", &"])".repeat(60)].concat();
    let function = format!(
        "/* Not a bracket: ( */\nint f(int a[]) {{\n    g(\"\\\"[\", '{{'); // nor these: )]}}\n    return {deep};\n}}\n"
    );
    function.repeat(n_functions)
}
