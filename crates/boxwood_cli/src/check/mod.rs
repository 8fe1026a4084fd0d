//! `boxwood check`: compares the GPU with the specification on the CPU.

mod difference;
mod minimise;

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use boxwood_cpu::{Boxes, Scene};
use boxwood_svg::Drawing;
use clap::{ArgGroup, Args};

use self::difference::{Difference, first_difference};
use self::minimise::{brackets, minimise, subsequence};
use crate::cells::printable;
use crate::device::{AdapterArg, Device};
use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::output::Stdout;
use crate::report::Report;

/// The maximum number of elements that are listed for a difference.
const MAX_LISTED: usize = 32;

const EXAMPLES: &str = "\
Examples:
  # Check every drawing in a folder
  boxwood check drawings/";

/// Compare the results of the GPU with those of the CPU, bit for bit
///
/// Prints `ok` or `DIFFERENT` for each file. A difference is followed by the first value that
/// differs, and by a small part of the drawing that still shows a difference. That part is written
/// as brackets: ( begins a clip or a group, ) ends it, and . is a leaf.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXAMPLES,
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    override_usage = "boxwood check [OPTIONS] <FILE>..."
)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    adapter: AdapterArg,
    #[command(flatten)]
    load: LoadArgs,
}

/// Compares every file.
pub(crate) fn check(args: &CheckArgs, report: &mut Report) -> Result<()> {
    let device = Device::open(&args.adapter)?;
    let options = args.load.options()?;
    let adapter = device.name.clone();
    let files = expand(&args.files.inputs()?);
    let device = Mutex::new(device);
    let work = move |input: Input, report: &mut Report| {
        let on_gpu = |scene: &Scene| device.lock().unwrap_or_else(PoisonError::into_inner).boxes(scene);
        let checked = input.load(&options).and_then(|drawing| {
            check_file(&input, &drawing, on_gpu).with_context(|| format!("cannot check {input}"))
        });
        report.ok(checked)
    };
    let mut out = Stdout::lock();
    let (mut n_ok, mut n_different, mut n_failed) = (0, 0, 0);
    args.files.jobs.run(files, report, work, |checked, report| {
        let Some(Checked { is_different, n_elements, text }) = checked else {
            n_failed += 1;
            return Ok(0);
        };
        if is_different {
            n_different += 1;
            report.answered_no();
        } else {
            n_ok += 1;
        }
        out.write_all(&text)?;
        out.flush()?;
        Ok(n_elements)
    })?;
    report.note(format_args!("{n_ok} ok, {n_different} different, {n_failed} not compared, on {adapter}"));
    Ok(())
}

/// The comparison of a file.
struct Checked {
    is_different: bool,
    n_elements: usize,
    /// The result, for standard output.
    text: Vec<u8>,
}

/// Compares a drawing, and describes the result.
fn check_file(
    input: &Input,
    drawing: &Drawing,
    on_gpu: impl Fn(&Scene) -> Result<Boxes> + Copy,
) -> Result<Checked> {
    let difference = compare(&drawing.elements, on_gpu)?;
    let (n_elements, n_entries) = (drawing.elements.len(), drawing.elements.n_entries());
    let mut text = Vec::new();
    let input = printable(&input.to_string());
    if let Some(difference) = &difference {
        writeln!(text, "DIFFERENT  {input}")?;
        describe(&mut text, drawing, difference, on_gpu)?;
    } else {
        writeln!(text, "ok         {input}: {n_elements} elements, {n_entries} begins and ends")?;
    }
    Ok(Checked { is_different: difference.is_some(), n_elements, text })
}

/// The first value in which the GPU differs from the specification.
fn compare(scene: &Scene, on_gpu: impl Fn(&Scene) -> Result<Boxes>) -> Result<Option<Difference>> {
    Ok(first_difference(&on_gpu(scene)?, &boxwood_cpu::specification::boxes(scene)))
}

/// Prints a difference, and a small part of the scene that still has one.
fn describe(
    out: &mut impl Write,
    drawing: &Drawing,
    difference: &Difference,
    on_gpu: impl Fn(&Scene) -> Result<Boxes> + Copy,
) -> Result<()> {
    let name = |element: usize| {
        let info = &drawing.table[element];
        format!("{:?} of {}", info.role, printable(&drawing.sources[info.source as usize].name))
    };
    writeln!(out, "  {}", difference.text)?;
    if let Some(element) = difference.element {
        writeln!(out, "  element {element} is {}", name(element))?;
    }
    let kept = minimise(&drawing.elements, |part| matches!(compare(part, on_gpu), Ok(Some(_))));
    let smallest = subsequence(&drawing.elements, &kept);
    let brackets = brackets(&smallest);
    writeln!(out, "  smallest part that differs: {brackets}")?;
    for (index, bracket) in brackets.chars().enumerate().take(MAX_LISTED) {
        let bounds = smallest.boxes()[index];
        writeln!(out, "    {index}: {bracket}  {bounds}  {}", name(kept[index]))?;
    }
    if kept.len() > MAX_LISTED {
        writeln!(out, "    and {} more", kept.len() - MAX_LISTED)?;
    }
    if let Some(difference) = compare(&smallest, on_gpu)? {
        writeln!(out, "  in this part, {}", difference.text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;

    use super::*;

    /// The description of the difference between the specification and a `faulty` GPU.
    fn described(svg: &str, faulty: impl Fn(&Scene) -> Result<Boxes> + Copy) -> String {
        let drawing = boxwood_svg::load(svg.as_bytes(), &boxwood_svg::Options::default());
        let drawing = drawing.expect("the drawing is valid");
        let difference = compare(&drawing.elements, faulty).expect("it computes").expect("it is faulty");
        let mut out = Vec::new();
        describe(&mut out, &drawing, &difference, faulty).expect("a vector does not fail");
        String::from_utf8(out).expect("text is UTF-8")
    }

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <clipPath id="hole"><rect x="10" y="10" width="40" height="40"/></clipPath>
        <g id="outer" opacity="0.5"><rect width="9" height="9"/><rect width="8" height="8"/>
            <g id="inner" clip-path="url(#hole)"><rect id="a" width="30" height="30"/><path d="M0 0h99v9z"/></g>
        </g>
        <rect id="b" x="60" y="10" width="30" height="20"/></svg>"##;

    #[test]
    fn a_difference_is_described_with_its_svg_element_and_its_smallest_part() {
        let shrunk = described(DRAWING, |scene| {
            let mut boxes = boxwood_cpu::specification::boxes(scene);
            let deep = |link: &boxwood_cpu::EntryLink| link.parent >= 0;
            if let Some(index) = boxes.links.iter().position(deep) {
                boxes.group_boxes[index] = Aabb::EMPTY;
            }
            Ok(boxes)
        });
        insta::assert_snapshot!(shrunk, @"
        group_boxes[1] is empty on the GPU, (0, 0, 30, 30) by the specification
        element 1 is Blend of outer
        smallest part that differs: ((.
          0: (  (0, 0, 100, 80)  Clip of /svg
          1: (  the plane  Blend of outer
          2: .  (0, 0, 8, 8)  Fill of /svg/g[1]/rect[2]
        in this part, group_boxes[1] is empty on the GPU, (0, 0, 8, 8) by the specification
        ");
    }

    #[test]
    fn a_large_smallest_part_is_listed_only_in_part() {
        let described = described(
            &DRAWING.replace("<path", &format!("{}<path", "<path d='M0 0h1v1z'/>".repeat(40))),
            |scene| {
                let mut boxes = boxwood_cpu::specification::boxes(scene);
                if scene.len() > 36 {
                    boxes.ranks[0] = 9;
                }
                Ok(boxes)
            },
        );
        assert!(described.contains("\n    31: ") && !described.contains("\n    32: "), "{described}");
        assert!(described.contains("\n    and 5 more\n"), "{described}");
    }
}
