//! Drawing a plot.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Figure, PlotAxis, PlotLine, Point, Role, Scale};

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
const DARK: RGBColor = RGBColor(90, 90, 90);
const PALE: RGBColor = RGBColor(120, 120, 120);

/// Colours of other projects: reds and browns.
const OTHER_COLOURS: [RGBColor; 4] =
    [RGBColor(150, 30, 30), RGBColor(196, 76, 60), RGBColor(120, 72, 32), RGBColor(160, 112, 84)];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Draws a figure as SVG.
pub(super) fn draw(svg: &mut String, figure: &Figure) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    // The background is opaque, so that the picture suits light and dark pages.
    root.fill(&WHITE)?;
    root.draw(&Text::new(figure.title.as_str(), (20, 14), font(18.0, TEXT)))?;
    root.draw(&Text::new(figure.summary.as_str(), (20, 42), font(14.0, PALE)))?;
    let (_, below) = root.split_vertically(60);
    let (area, labels) = below.split_horizontally(WIDTH - LABELS_WIDTH);
    let mut chart = ChartBuilder::on(&area);
    chart.margin(10).margin_right(0).x_label_area_size(52).y_label_area_size(84);
    let [x, y] = [&figure.x, &figure.y].map(|axis| axis.range.clone());
    match (figure.x.scale, figure.y.scale) {
        (Scale::Logarithmic, Scale::Logarithmic) => {
            let x = x.log_scale().base(2.0);
            draw_chart(chart.build_cartesian_2d(x, y.log_scale())?, &labels, figure)?;
        }
        (Scale::Logarithmic, Scale::Linear) => {
            draw_chart(chart.build_cartesian_2d(x.log_scale().base(2.0), y)?, &labels, figure)?;
        }
        (Scale::Linear, Scale::Logarithmic) => {
            draw_chart(chart.build_cartesian_2d(x, y.log_scale())?, &labels, figure)?;
        }
        (Scale::Linear, Scale::Linear) => draw_chart(chart.build_cartesian_2d(x, y)?, &labels, figure)?,
    }
    root.present()?;
    Ok(())
}

fn draw_chart<X, Y>(
    mut chart: Chart<'_, '_, X, Y>,
    labels: &Area<'_>,
    figure: &Figure,
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let Figure { x, y, .. } = figure;
    if let Some(n) = figure.crossing.filter(|&n| n > x.range.start) {
        let shade = RGBColor(243, 243, 243).filled();
        chart.draw_series([Rectangle::new([(x.range.start, y.range.start), (n, y.range.end)], shade)])?;
        let style = font(14.0, PALE).pos(Pos::new(HPos::Left, VPos::Bottom));
        let text = Text::new("the GPU is faster starting here", (8, -8), style);
        chart.draw_series([EmptyElement::at((n, y.range.start)) + text])?;
    }
    draw_axes(&mut chart, x, y)?;
    for line in &figure.lines {
        draw_line(&mut chart, line)?;
    }
    draw_labels(labels, figure, |point| chart.backend_coord(point))
}

fn draw_axes<X, Y>(chart: &mut Chart<'_, '_, X, Y>, x: &PlotAxis, y: &PlotAxis) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .x_desc(x.name.as_str())
        .y_desc(y.name.as_str())
        .axis_desc_style(font(14.0, TEXT))
        .label_style(font(13.0, TEXT))
        .x_labels(9)
        .y_labels(8)
        .x_label_formatter(&|value| (x.format)(*value))
        .y_label_formatter(&|value| (y.format)(*value))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.10))
        .draw()?;
    Ok(())
}

fn draw_line<X, Y>(chart: &mut Chart<'_, '_, X, Y>, line: &PlotLine) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
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
    let end = |line: &PlotLine| line.points.last().map_or(0, |last| pixel(last).1);
    let mut lines: Vec<&PlotLine> = figure.lines.iter().collect();
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

fn stroke(role: Role) -> ShapeStyle {
    let (colour, width) = match role {
        Role::Bound => (PALE, 2),
        // The specification is thin, because no program would use it for its speed.
        Role::Specification => (BLACK, 1),
        Role::Cpu => (BLACK, 3),
        Role::AllCores => (DARK, 3),
        Role::Other(index) => (OTHER_COLOURS[index % OTHER_COLOURS.len()], 2),
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
