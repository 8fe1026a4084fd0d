//! A plot as a picture.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Figure, Line, Point, Role};
use super::label::{LINE_HEIGHT, Pixel, dense, place};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 570;
/// Where the labels of the lines stand that reach the right border.
const LABELS_WIDTH: u32 = 190;

/// Colours that the colour-blind tell apart, after Okabe and Ito 2008, dark enough for text on white. The background is drawn,
/// so that a picture can stand on a light page or on a dark one.
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

pub(super) fn draw(svg: &mut String, figure: &Figure) -> Result<(), Box<dyn Error>> {
    let points = || figure.lines.iter().flat_map(|line| line.points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (n_low, n_high) = range(&mut points().map(|p| p.0));
    let (rate_low, rate_high) = range(&mut points().map(|p| p.1));
    let (rate_low, rate_high) = (rate_low / 3.0, rate_high * 2.0);

    let root = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(figure.title.as_str(), (20, 14), font(18.0, TEXT)))?;
    root.draw(&Text::new(summary(figure), (20, 42), font(14.0, PALE)))?;
    let (_, below) = root.split_vertically(60);
    let (area, labels) = below.split_horizontally(WIDTH - LABELS_WIDTH);
    let mut chart = ChartBuilder::on(&area)
        .margin(10)
        .margin_right(0)
        .x_label_area_size(52)
        .y_label_area_size(84)
        .build_cartesian_2d((n_low..n_high).log_scale().base(2.0), (rate_low..rate_high).log_scale())?;
    let crossing = figure.crossing().filter(|&n| n > n_low);
    if let Some(n) = crossing {
        let shade = RGBColor(243, 243, 243).filled();
        chart.draw_series([Rectangle::new([(n_low, rate_low), (n, rate_high)], shade)])?;
    }
    chart
        .configure_mesh()
        .x_desc(figure.unit)
        .y_desc(format!("{} a second", figure.unit))
        .axis_desc_style(font(14.0, TEXT))
        .label_style(font(13.0, TEXT))
        .x_labels(9)
        .y_labels(8)
        .x_label_formatter(&|n| count(*n))
        .y_label_formatter(&|rate| engineering(*rate))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.10))
        .draw()?;
    if let Some(n) = crossing {
        let style = font(14.0, PALE).pos(Pos::new(HPos::Left, VPos::Bottom));
        let text =
            EmptyElement::at((n, rate_low)) + Text::new("from here on the GPU is faster", (8, -8), style);
        chart.draw_series([text])?;
    }
    let pixel = |point: &Point| chart.backend_coord(point);
    let mut taken: Vec<Pixel> =
        figure.lines.iter().flat_map(|line| dense(line.points.iter().map(pixel))).collect();
    let mut at_border = Vec::new();
    let mut inside = Vec::new();
    for line in &figure.lines {
        let Some(&end) = line.points.last() else { continue };
        if end.0 >= n_high {
            at_border.push((pixel(&end).1, line));
        } else {
            let label = place(&line.label, pixel(&end), &taken);
            taken.extend(label.pixels());
            inside.push((label, line));
        }
    }
    for line in &figure.lines {
        let style = stroke(line.role);
        if line.role == Role::Bound {
            chart.draw_series(DashedLineSeries::new(line.points.iter().copied(), 6, 4, style))?;
        } else {
            chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
            let dot = |&point: &(f64, f64)| Circle::new(point, 2, style.filled());
            chart.draw_series(line.points.iter().map(dot))?;
        }
    }
    for (label, line) in inside {
        let style = stroke(line.role).stroke_width(1);
        root.draw(&PathElement::new([label.end, label.at], style))?;
        let side = Pos::new(if label.is_right { HPos::Left } else { HPos::Right }, VPos::Center);
        root.draw(&Text::new(line.label.as_str(), label.at, font(14.0, colour(line.role)).pos(side)))?;
    }
    draw_labels(&labels, at_border)?;
    root.present()?;
    Ok(())
}

/// Labels beside the ends of their lines, moved apart where these are near each other.
fn draw_labels(area: &Area<'_>, mut labels: Vec<(i32, &Line)>) -> Result<(), Box<dyn Error>> {
    labels.sort_by_key(|label| label.0);
    let (_, top) = area.get_base_pixel();
    let mut lowest = i32::MIN;
    for (y, line) in labels {
        let moved = y.max(lowest.saturating_add(LINE_HEIGHT));
        lowest = moved;
        let style = stroke(line.role).stroke_width(1);
        area.draw(&PathElement::new([(2, y - top), (12, moved - top)], style))?;
        let middle = Pos::new(HPos::Left, VPos::Center);
        area.draw(&Text::new(
            line.label.as_str(),
            (16, moved - top),
            font(14.0, colour(line.role)).pos(middle),
        ))?;
    }
    Ok(())
}

/// When the device wins, and by how much, in a sentence.
fn summary(figure: &Figure) -> String {
    let advantage = figure.advantage();
    let Some((&(n, times), n_cross)) = advantage.last().zip(figure.crossing()) else {
        return "the CPU is faster at every size".to_owned();
    };
    let from = match advantage.first() {
        Some(first) if first.0 < n_cross => format!("from about {} {} on", rounded(n_cross), figure.unit),
        _ => "at every size".to_owned(),
    };
    let middle = advantage.iter().find(|point| point.0 == 1_048_576.0 && point.0 < n);
    let at = |n, times| format!("{} times as fast at {}", rounded(times), count(n));
    let middle = middle.map_or(String::new(), |&(n, times)| format!("{}, ", at(n, times)));
    format!("the GPU is faster than one CPU core {from}: {middle}{}", at(n, times))
}

fn colour(role: Role) -> RGBColor {
    match role {
        Role::Bound => PALE,
        Role::Cpu => BLACK,
        Role::Other => RGBColor(150, 30, 30),
        Role::Own(index) => COLOURS[index % COLOURS.len()],
    }
}

fn stroke(role: Role) -> ShapeStyle {
    let width = if role == Role::Cpu { 3 } else { 2 };
    colour(role).stroke_width(width)
}

/// Of so many pixels: an SVG of plotters has fonts that are smaller by a factor.
fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size * 1.24).into_font().color(&colour)
}

/// Two digits of a number that is not exact.
fn rounded(value: f64) -> String {
    let unit = 10_f64.powf((value.log10().floor() - 1.0).max(if value < 10.0 { -1.0 } else { 0.0 }));
    let digits = format!("{}", ((value / unit).round() * unit * 10.0).round() / 10.0);
    let mut text = String::new();
    let n_whole = digits.find('.').unwrap_or(digits.len());
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index < n_whole && (n_whole - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size: powers of two are whole numbers of these units.
fn count(n: f64) -> String {
    let units = [(1_073_741_824.0, "Gi"), (1_048_576.0, "Mi"), (1024.0, "Ki")];
    let found = units.into_iter().find(|(size, _)| n >= *size);
    found.map_or_else(|| format!("{n:.0}"), |(size, unit)| format!("{:.0} {unit}", n / size))
}

/// A rate with a unit of a thousand's power.
fn engineering(rate: f64) -> String {
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    let found = units.into_iter().find(|(size, _)| rate >= *size);
    found.map_or_else(|| format!("{rate:.0}"), |(size, unit)| format!("{}{unit}", rate / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits_and_units() {
        assert_eq!(
            [4_723.0, 1_339.6, 198.0, 12.34, 3.16].map(rounded),
            ["4,700", "1,300", "200", "12", "3.2"]
        );
        assert_eq!([1.0, 1024.0, 67_108_864.0].map(count), ["1", "1 Ki", "64 Mi"]);
        assert_eq!([5.0, 1e8, 2e9].map(engineering), ["5", "100 M", "2 G"]);
    }
}
