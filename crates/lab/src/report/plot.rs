//! Plots as SVG. Colours are names for roles: the page's style sheet gives them their look, light
//! and dark.

use super::history::Estimate;
use super::units;
use crate::error::{Error, Result};
use crate::stats::Summary;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// How many times larger than shown plots are drawn, because the backend rounds to whole pixels.
const FINE: u32 = 4;
/// The most that the band of an estimate may show beyond the estimates themselves, in Elo.
const MOST_BAND: f64 = 150.0;

/// Of the measured values.
pub(super) const LINE: RGBColor = RGBColor(0x25, 0x63, 0xeb);
/// Of their uncertainty.
pub(super) const BAND: RGBColor = RGBColor(0xc7, 0xd7, 0xfb);
/// Of the start value, and of zero.
pub(super) const START: RGBColor = RGBColor(0x8a, 0x94, 0xa3);
/// Of bounds.
pub(super) const BOUND: RGBColor = RGBColor(0xd9, 0x77, 0x06);
/// Of the validation match.
pub(super) const PROOF: RGBColor = RGBColor(0x15, 0x8f, 0x4a);
/// Of grid lines.
pub(super) const GRID: RGBColor = RGBColor(0xe3, 0xe7, 0xec);
/// Of text.
pub(super) const TEXT: RGBColor = RGBColor(0x5d, 0x68, 0x77);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = std::result::Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The size of a plot as shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlotSize {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The size of text, in pixels.
    pub(super) font: u32,
}

pub(super) const WIDE: PlotSize = PlotSize { width: 880, height: 300, font: 13 };
pub(super) const NARROW: PlotSize = PlotSize { width: 360, height: 260, font: 12 };
pub(super) const SMALL: PlotSize = PlotSize { width: 290, height: 140, font: 11 };

/// The strength over the games, as `estimates` have it, and the validation match, if it is played.
pub(super) fn strength(
    size: PlotSize,
    games: u64,
    estimates: &[Estimate],
    proof: Option<&Summary>,
) -> Result<String> {
    let proof = proof.filter(|proof| proof.elo_low.is_some() && proof.elo_high.is_some());
    let known: Vec<&Estimate> =
        estimates.iter().filter(|estimate| estimate.summary.elo.is_some()).collect();
    let lines = known.iter().filter_map(|estimate| estimate.summary.elo);
    let (mut low, mut high) = extent(lines.chain(proof.and_then(|proof| proof.elo)).chain([0.0]));
    let (low_line, high_line) = (low, high);
    for summary in known.iter().map(|estimate| &estimate.summary).chain(proof) {
        low = low.min(summary.elo_low.unwrap_or(low)).max(low_line - MOST_BAND);
        high = high.max(summary.elo_high.unwrap_or(high)).min(high_line + MOST_BAND);
    }
    let y = padded(low, high, 10.0);
    // The validation stands to the right of the tune.
    let end = games.max(1) as f64;
    let x = 0.0..end * if proof.is_some() { 1.05 } else { 1.0 };
    svg(size, |area| {
        let mut chart = chart(area, size, x.clone(), y.clone(), Labels::ELO)?;
        let within = |elo: f64| elo.clamp(y.start, y.end);
        for part in parts(estimates) {
            let band = |elo: fn(&Summary) -> Option<f64>| {
                part.iter()
                    .filter_map(move |e| elo(&e.summary).map(|elo| (e.games as f64, within(elo))))
            };
            let mut around: Vec<(f64, f64)> = band(|summary| summary.elo_low).collect();
            let mut above: Vec<(f64, f64)> = band(|summary| summary.elo_high).collect();
            above.reverse();
            around.extend(above);
            if part.len() == 1 {
                let single = &part[0].summary;
                mark(&mut chart, size, part[0].games as f64, single, &y, LINE)?;
                continue;
            }
            chart.draw_series([Polygon::new(around, BAND.filled())])?;
        }
        chart.draw_series([PathElement::new(
            [(x.start, 0.0), (x.end, 0.0)],
            START.stroke_width(FINE),
        )])?;
        for part in parts(estimates) {
            let line =
                part.iter().filter_map(|e| e.summary.elo.map(|elo| (e.games as f64, within(elo))));
            chart.draw_series([PathElement::new(
                line.collect::<Vec<_>>(),
                LINE.stroke_width(2 * FINE),
            )])?;
        }
        if let Some(proof) = proof {
            mark(&mut chart, size, end * 1.02, proof, &y, PROOF)?;
        }
        Ok(())
    })
}

/// The colours of several runs in one plot, which light and dark pages share.
const RUNS: [RGBColor; 6] = [
    RGBColor(0x4f, 0x86, 0xf7),
    RGBColor(0xe0, 0x79, 0x2b),
    RGBColor(0x2a, 0xa8, 0x76),
    RGBColor(0xc1, 0x58, 0xc9),
    RGBColor(0xd9, 0x47, 0x5b),
    RGBColor(0x9a, 0x8f, 0x2b),
];

/// The style of a run's place in a legend, by its number.
pub(super) fn swatch(run: usize) -> String {
    let RGBColor(red, green, blue) = RUNS[run % RUNS.len()];
    format!("background: #{red:02x}{green:02x}{blue:02x}")
}

/// The strengths of several runs over their games.
pub(super) fn strengths(size: PlotSize, curves: &[&[(f64, f64)]]) -> Result<String> {
    let points = || curves.iter().flat_map(|curve| curve.iter());
    let end = extent(points().map(|point| point.0)).1.max(1.0);
    let (low, high) = extent(points().map(|point| point.1).chain([0.0]));
    let y = padded(low, high, 10.0);
    svg(size, |area| {
        let mut chart = chart(area, size, 0.0..end, y.clone(), Labels::ELO)?;
        let zero = [(0.0, 0.0), (end, 0.0)];
        chart.draw_series([PathElement::new(zero, START.stroke_width(FINE))])?;
        for (number, curve) in curves.iter().enumerate() {
            let color = RUNS[number % RUNS.len()];
            let path = PathElement::new(curve.to_vec(), color.stroke_width(2 * FINE));
            chart.draw_series([path])?;
        }
        Ok(())
    })
}

/// A weight over the games, with its start value, and its bounds where they are near.
pub(super) fn weight(
    size: PlotSize,
    path: &[(f64, f64)],
    start: f64,
    step: f64,
    bounds: [f64; 2],
) -> Result<String> {
    let end = path.last().map_or(1.0, |&(games, _)| games.max(1.0));
    let (low, high) = extent(path.iter().map(|&(_, value)| value).chain([start]));
    let y = padded(low, high, step / 3.0);
    svg(size, |area| {
        let mut chart = chart(area, size, 0.0..end, y.clone(), Labels::VALUE)?;
        let across = |at: f64, color: RGBColor| {
            PathElement::new([(0.0, at), (end, at)], color.stroke_width(FINE))
        };
        chart.draw_series([across(start, START)])?;
        let near = bounds.into_iter().filter(|bound| y.contains(bound));
        chart.draw_series(near.map(|bound| across(bound, BOUND)))?;
        chart.draw_series([PathElement::new(path.to_vec(), LINE.stroke_width(2 * FINE))])?;
        Ok(())
    })
}

/// The evidence of a test over the games, between its bounds.
pub(super) fn evidence(size: PlotSize, path: &[(f64, f64)], bounds: [f64; 2]) -> Result<String> {
    let end = path.last().map_or(1.0, |&(games, _)| games.max(1.0));
    let (low, high) = extent(path.iter().map(|&(_, value)| value).chain(bounds));
    let y = padded(low, high, 1.0);
    svg(size, |area| {
        let mut chart = chart(area, size, 0.0..end, y.clone(), Labels::LLR)?;
        let across = |at: f64, color: RGBColor| {
            PathElement::new([(0.0, at), (end, at)], color.stroke_width(FINE))
        };
        chart.draw_series([across(0.0, START)])?;
        chart.draw_series(bounds.map(|bound| across(bound, BOUND)))?;
        chart.draw_series([PathElement::new(path.to_vec(), LINE.stroke_width(2 * FINE))])?;
        Ok(())
    })
}

/// A point with its error.
fn mark(
    chart: &mut Chart,
    size: PlotSize,
    x: f64,
    summary: &Summary,
    y: &Range<f64>,
    color: RGBColor,
) -> Drawn {
    let (Some(elo), Some(low), Some(high)) = (summary.elo, summary.elo_low, summary.elo_high)
    else {
        return Ok(());
    };
    let ends = [low, high].map(|elo| (x, elo.clamp(y.start, y.end)));
    chart.draw_series([PathElement::new(ends, color.stroke_width(2 * FINE))])?;
    chart.draw_series([Circle::new((x, elo), size.font * FINE / 3, color.filled())])?;
    Ok(())
}

/// The stretches over which the estimate is defined.
fn parts(estimates: &[Estimate]) -> impl Iterator<Item = &[Estimate]> {
    let defined = |e: &Estimate| {
        e.summary.elo.is_some() && e.summary.elo_low.is_some() && e.summary.elo_high.is_some()
    };
    estimates.chunk_by(move |a, b| defined(a) == defined(b)).filter(move |part| defined(&part[0]))
}

/// Draws into a string.
fn svg(size: PlotSize, draw: impl FnOnce(&Area) -> Drawn) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (size.width * FINE, size.height * FINE))
            .into_drawing_area();
        let drawn = draw(&area).and_then(|()| area.present().map_err(Into::into));
        drawn.map_err(|error| Error::failed("plot", error))?;
    }
    Ok(text)
}

/// Axes and grid.
fn chart<'a, 'b>(
    area: &'a Area<'b>,
    size: PlotSize,
    x: Range<f64>,
    y: Range<f64>,
    labels: Labels,
) -> std::result::Result<Chart<'a, 'b>, Box<dyn std::error::Error + Send + Sync>> {
    let font = size.font * FINE;
    let span = y.end - y.start;
    let mut chart = ChartBuilder::on(area)
        .margin_top(font / 2)
        .margin_right(font * 2)
        .margin_bottom(font / 4)
        .set_label_area_size(
            LabelAreaPosition::Left,
            font * if labels.y.is_empty() { 4 } else { 5 },
        )
        .set_label_area_size(LabelAreaPosition::Bottom, font * 3)
        .build_cartesian_2d(x, y)?;
    let words = ("sans-serif", f64::from(font) * 1.24).into_font().color(&TEXT);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels((size.width / 110).max(2) as usize)
        .y_labels(labels.y_count)
        .x_desc("games")
        .y_desc(labels.y)
        .max_light_lines(1)
        .x_label_formatter(&|games| axis_number(*games))
        .y_label_formatter(&|value| axis_value(*value, span))
        .label_style(words)
        .axis_style(GRID.stroke_width(FINE))
        .bold_line_style(GRID.stroke_width(FINE))
        .light_line_style(TRANSPARENT)
        .draw()?;
    Ok(chart)
}

/// The words on the axes; the x axis always counts games.
#[derive(Clone, Copy)]
struct Labels {
    /// The name of the y axis; may be empty where a caption says it.
    y: &'static str,
    /// About as many numbers stand on it.
    y_count: usize,
}

impl Labels {
    const ELO: Self = Self { y: "Elo", y_count: 5 };
    const LLR: Self = Self { y: "LLR", y_count: 5 };
    const VALUE: Self = Self { y: "", y_count: 3 };
}

/// A number on an axis that covers `span`, with the digits that tell its neighbours apart.
fn axis_value(value: f64, span: f64) -> String {
    if span >= 1.0 { axis_number(value) } else { format!("{value:.4}") }
}

/// A number on an axis: `1500`, `20 k`, `0.5`.
fn axis_number(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 10_000.0 => {
            return units::scaled(value).replace(".00 ", " ").replace(".0 ", " ");
        }
        size if size >= 10.0 => format!("{value:.0}"),
        _ => format!("{value:.1}").replace(".0", ""),
    };
    if text == "-0" { "0".into() } else { text }
}

fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// A range with a margin on both sides: 8 % of its width, and at least `least`.
fn padded(low: f64, high: f64, least: f64) -> Range<f64> {
    let room = ((high - low) * 0.08).max(least);
    low - room..high + room
}
