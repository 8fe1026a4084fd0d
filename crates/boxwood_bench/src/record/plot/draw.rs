//! Drawing a plot.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Figure, Line, Point, Role, range};

const WIDTH: u32 = 1060;
const HEIGHT: u32 = 570;
/// The width of the space for the labels, to the right of the lines.
const LABELS_WIDTH: u32 = 290;
/// The distance between lines of text.
const LINE_HEIGHT: i32 = 18;

/// Colours that colour-blind readers can distinguish, after Okabe and Ito 2008, dark enough for
/// text on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(202, 80, 0),
    RGBColor(0, 128, 92),
    RGBColor(178, 84, 140),
    RGBColor(40, 142, 190),
    RGBColor(176, 120, 0),
    RGBColor(112, 72, 200),
];
const TEXT: RGBColor = RGBColor(40, 40, 40);
const PALE: RGBColor = RGBColor(120, 120, 120);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// Draws a figure as SVG.
pub(super) fn draw(svg: &mut String, figure: &Figure) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    // The background is opaque, so that the picture suits light and dark pages.
    root.fill(&WHITE)?;
    root.draw(&Text::new(figure.title.as_str(), (20, 14), font(18.0, TEXT)))?;
    root.draw(&Text::new(summary(figure), (20, 42), font(14.0, PALE)))?;
    let (_, below) = root.split_vertically(60);
    let (area, labels) = below.split_horizontally(WIDTH - LABELS_WIDTH);

    let points = figure.lines.iter().flat_map(|line| &line.points);
    let rates = range(points.map(|point| point.1));
    let rates = rates.start / 3.0..rates.end * 2.0;
    let mut chart = ChartBuilder::on(&area)
        .margin(10)
        .margin_right(0)
        .x_label_area_size(52)
        .y_label_area_size(84)
        .build_cartesian_2d(figure.sizes.clone().log_scale().base(2.0), rates.clone().log_scale())?;
    if let Some(n) = figure.crossing().filter(|&n| n > figure.sizes.start) {
        let shade = RGBColor(243, 243, 243).filled();
        chart.draw_series([Rectangle::new([(figure.sizes.start, rates.start), (n, rates.end)], shade)])?;
        let style = font(14.0, PALE).pos(Pos::new(HPos::Left, VPos::Bottom));
        let text = Text::new("the GPU is faster starting here", (8, -8), style);
        chart.draw_series([EmptyElement::at((n, rates.start)) + text])?;
    }
    draw_axes(&mut chart, figure.unit)?;
    for line in &figure.lines {
        draw_line(&mut chart, line)?;
    }
    draw_labels(&labels, figure, |point| chart.backend_coord(point))?;
    root.present()?;
    Ok(())
}

fn draw_axes(chart: &mut Chart<'_, '_>, unit: &str) -> Result<(), Box<dyn Error>> {
    chart
        .configure_mesh()
        .x_desc(unit)
        .y_desc(format!("{unit} a second"))
        .axis_desc_style(font(14.0, TEXT))
        .label_style(font(13.0, TEXT))
        .x_labels(9)
        .y_labels(8)
        .x_label_formatter(&|n| count(*n))
        .y_label_formatter(&|rate| engineering(*rate))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.10))
        .draw()?;
    Ok(())
}

fn draw_line(chart: &mut Chart<'_, '_>, line: &Line) -> Result<(), Box<dyn Error>> {
    let style = stroke(line.role);
    let points = line.points.iter().copied();
    if line.role == Role::Bound {
        chart.draw_series(DashedLineSeries::new(points, 6, 4, style))?;
    } else {
        chart.draw_series(LineSeries::new(points.clone(), style))?;
        chart.draw_series(points.map(|point| Circle::new(point, 2, style.filled())))?;
    }
    Ok(())
}

/// Draws the label of each line at the height of its end. Labels that would overlap are moved down.
fn draw_labels(
    area: &Area<'_>,
    figure: &Figure,
    pixel: impl Fn(&Point) -> (i32, i32),
) -> Result<(), Box<dyn Error>> {
    let end = |line: &Line| line.points.last().map_or(0, |last| pixel(last).1);
    let mut lines: Vec<&Line> = figure.lines.iter().collect();
    lines.sort_by_key(|line| end(line));
    let (_, top) = area.get_base_pixel();
    let mut lowest = i32::MIN;
    for line in lines {
        lowest = end(line).max(lowest.saturating_add(LINE_HEIGHT));
        let leader = [(2, end(line) - top), (12, lowest - top)];
        area.draw(&PathElement::new(leader, stroke(line.role).stroke_width(1)))?;
        let style = font(14.0, stroke(line.role).color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(line.label.as_str(), (16, lowest - top), style))?;
    }
    Ok(())
}

/// A sentence with the size at which the device becomes faster, and the advantage.
fn summary(figure: &Figure) -> String {
    let advantage = figure.advantage();
    let Some((&(n, times), n_cross)) = advantage.last().zip(figure.crossing()) else {
        return "the CPU is faster at every size".to_owned();
    };
    let from = match advantage.first() {
        Some(first) if first.0 < n_cross => format!("starting at about {} {}", rounded(n_cross), figure.unit),
        _ => "at every size".to_owned(),
    };
    let middle = advantage.iter().find(|point| point.0 == 1_048_576.0 && point.0 < n);
    let at = |n, times| format!("{} times as fast at {}", rounded(times), count(n));
    let middle = middle.map_or(String::new(), |&(n, times)| format!("{}, ", at(n, times)));
    format!("the GPU is faster than one CPU core {from}: {middle}{}", at(n, times))
}

fn stroke(role: Role) -> ShapeStyle {
    let (colour, width) = match role {
        Role::Bound => (PALE, 2),
        Role::Cpu => (BLACK, 3),
        Role::Other => (RGBColor(150, 30, 30), 2),
        Role::Own(index) => (COLOURS[index % COLOURS.len()], 2),
    };
    colour.stroke_width(width)
}

/// The size of a font for plotters that is one pixel in an SVG file.
const FONT_PIXEL: f64 = 1.24;

/// A font of this size in pixels.
fn font(size: f64, colour: impl Color) -> TextStyle<'static> {
    ("sans-serif", size * FONT_PIXEL).into_font().color(&colour)
}

/// A number rounded to two digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().expect("it was formatted as a number")
}

/// A size in binary units.
fn count(n: f64) -> String {
    in_units(n.round(), &[(1_073_741_824.0, " Gi"), (1_048_576.0, " Mi"), (1024.0, " Ki")])
}

/// A number in decimal units.
fn engineering(value: f64) -> String {
    in_units(value, &[(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")])
}

/// A number in the first of these units that is not larger than it.
fn in_units(value: f64, units: &[(f64, &str)]) -> String {
    let (size, unit) = units.iter().find(|(size, _)| value >= *size).unwrap_or(&(1.0, ""));
    format!("{}{unit}", value / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits_and_units() {
        assert_eq!([4_723.0, 1_339.6, 198.0, 12.34, 3.16].map(rounded), [4_700.0, 1_300.0, 200.0, 12.0, 3.2]);
        assert_eq!([1.0, 1024.0, 67_108_864.0].map(count), ["1", "1 Ki", "64 Mi"]);
        assert_eq!([5.0, 1e8, 2e9].map(engineering), ["5", "100 M", "2 G"]);
    }
}
