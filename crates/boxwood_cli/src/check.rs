//! `boxwood check`: the GPU against the oracle.

use std::io::Write;

use anyhow::Result;
use boxwood_cpu::{Boxes, Scene};
use boxwood_svg::{Drawing, Role};

use crate::args::CheckArgs;
use crate::backend::Device;
use crate::difference::{Difference, box_text, first_difference};
use crate::input::{Loader, expand};
use crate::minimise::{brackets, minimise, subsequence};
use crate::output::Stdout;
use crate::report::Report;

/// The most elements of a smallest scene that are listed.
const MAX_LISTED: usize = 32;

/// Compares every file, or every algorithm on synthetic inputs, and prints `ok` or `DIFFERENT` for each.
pub(crate) fn check(args: &CheckArgs, report: &mut Report) -> Result<()> {
    let device = Device::open(args.adapter.adapter.as_deref())?;
    if args.synthetic {
        let tally = boxwood_bench::check(&device.gpu, &args.options, &mut Stdout::lock())?;
        if tally.n_different > 0 {
            report.answered_no();
        }
        report.note(format_args!("{tally}, on {}", device.name));
        return Ok(());
    }
    let on_gpu = |elements: &Scene| device.boxes(elements);
    let loader = Loader::new(args.load.options()?);
    let mut out = Stdout::lock();
    let (mut n_ok, mut n_different, mut n_failed) = (0_usize, 0_usize, 0_usize);
    for input in expand(&args.inputs, report) {
        let drawing = match loader.load(&input) {
            Ok(drawing) => drawing,
            Err(error) => {
                n_failed += 1;
                report.error(error);
                continue;
            }
        };
        match compare(&drawing.elements, on_gpu) {
            Ok(None) => {
                n_ok += 1;
                let (n_elements, n_nodes) = (drawing.elements.len(), drawing.elements.n_nodes());
                writeln!(out, "ok         {input}: {n_elements} elements, {n_nodes} begins and ends")?;
            }
            Ok(Some(difference)) => {
                n_different += 1;
                report.answered_no();
                writeln!(out, "DIFFERENT  {input}")?;
                describe(&mut out, &drawing, &difference, on_gpu)?;
            }
            Err(error) => {
                n_failed += 1;
                report.error_in(&error, &input);
            }
        }
        out.flush()?;
    }
    report.note(format_args!(
        "{n_ok} ok, {n_different} different, {n_failed} not compared, on {}",
        device.name
    ));
    Ok(())
}

/// Where the GPU first differs from the oracle.
fn compare(elements: &Scene, on_gpu: impl Fn(&Scene) -> Result<Boxes>) -> Result<Option<Difference>> {
    Ok(first_difference(&on_gpu(elements)?, &boxwood_cpu::boxes(elements)))
}

/// Prints a difference, then the smallest part of the scene that shows one.
fn describe(
    out: &mut impl Write,
    drawing: &Drawing,
    difference: &Difference,
    on_gpu: impl Fn(&Scene) -> Result<Boxes> + Copy,
) -> Result<()> {
    let name_of = |element: usize| {
        let info = &drawing.table[element];
        format!("{} of {}", role_name(info.role), drawing.sources[info.source as usize].name)
    };
    writeln!(out, "  {difference}")?;
    if let Some(element) = difference.element {
        writeln!(out, "  element {element}: {}", name_of(element))?;
    }
    let kept = minimise(&drawing.elements, |part| matches!(compare(part, on_gpu), Ok(Some(_))));
    let smallest = subsequence(&drawing.elements, &kept);
    let brackets = brackets(&smallest);
    writeln!(out, "  smallest scene that differs: {brackets}")?;
    for (index, bracket) in brackets.chars().enumerate().take(MAX_LISTED) {
        let bounds = box_text(smallest.boxes()[index]);
        writeln!(out, "    {index}: {bracket} {bounds}, {}", name_of(kept[index]))?;
    }
    if kept.len() > MAX_LISTED {
        writeln!(out, "    and {} more", kept.len() - MAX_LISTED)?;
    }
    if let Some(difference) = compare(&smallest, on_gpu)? {
        writeln!(out, "  in it, {difference}")?;
    }
    Ok(())
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Fill => "fill",
        Role::Stroke => "stroke",
        Role::Image => "image",
        Role::Filter => "filter region",
        Role::Clip => "clip",
        Role::Blend => "blend",
        Role::ClipBlend => "clip and blend",
        Role::Mask => "mask",
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;

    use super::*;

    /// What is printed for a drawing where the GPU is `broken`.
    fn printed(svg: &str, broken: impl Fn(&Scene) -> Result<Boxes> + Copy) -> String {
        let drawing = boxwood_svg::load(svg.as_bytes(), &boxwood_svg::Options::default());
        let drawing = drawing.expect("the drawing is good");
        let difference = compare(&drawing.elements, broken).expect("it computes").expect("it is broken");
        let mut out = Vec::new();
        describe(&mut out, &drawing, &difference, broken).expect("a vector takes everything");
        String::from_utf8(out).expect("text is UTF-8")
    }

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <clipPath id="window"><rect x="10" y="10" width="40" height="40"/></clipPath>
        <g id="outer" opacity="0.5"><rect width="9" height="9"/><rect width="8" height="8"/>
            <g id="inner" clip-path="url(#window)"><rect id="a" width="30" height="30"/><path d="M0 0h99v9z"/></g>
        </g>
        <rect id="b" x="60" y="10" width="30" height="20"/></svg>"##;

    #[test]
    fn a_difference_is_shown_with_its_svg_element_and_in_its_smallest_scene() {
        let shrunk = printed(DRAWING, |elements| {
            let mut boxes = boxwood_cpu::boxes(elements);
            let deep = |link: &boxwood_cpu::NodeLink| link.parent >= 0;
            if let Some(index) = boxes.links.iter().position(deep) {
                boxes.group_boxes[index] = Aabb::EMPTY;
            }
            Ok(boxes)
        });
        insta::assert_snapshot!(shrunk, @"
        stage union, group_boxes[1]: GPU empty, oracle [0, 0, 30, 30]
        element 1: blend of outer
        smallest scene that differs: ((.
          0: ( [0, 0, 100, 80], clip of /
          1: ( plane, blend of outer
          2: . [0, 0, 8, 8], fill of /g[1]/path[2]
        in it, stage union, group_boxes[1]: GPU empty, oracle [0, 0, 8, 8]
        ");
    }

    #[test]
    fn a_smallest_scene_that_is_large_is_cut_short() {
        let no_more_than = printed(
            &DRAWING.replace("<path", &format!("{}<path", "<path d='M0 0h1v1z'/>".repeat(40))),
            |elements| {
                let mut boxes = boxwood_cpu::boxes(elements);
                if elements.len() > 36 {
                    boxes.node_ranks[0] = 9;
                }
                Ok(boxes)
            },
        );
        assert!(
            no_more_than.contains("\n    31: ") && !no_more_than.contains("\n    32: "),
            "{no_more_than}"
        );
        assert!(no_more_than.contains("\n    and 5 more\n"), "{no_more_than}");
    }
}
