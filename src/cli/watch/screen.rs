//! The screen of `spar watch`.

use super::workers::workers_text;
use crate::arena::GameRecord;
use crate::cli::runs::{span, time_text};
use crate::report::units::{self, count, signed, with_error};
use crate::report::words::yardstick_lines;
use crate::report::{RoundRow, RunSummary};
use crate::runs::{RunState, RunView};
use crate::stats::Verdict;
use anstream::ColorChoice;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Axis, Block, Borders, Chart, Dataset, GraphType, Paragraph, Row, Table};
use std::env;

/// From this width on, the weights stand beside the chart.
const WIDE: u16 = 100;
/// From this height on, the latest games are shown.
const HIGH: u16 = 24;
/// Lines of the latest games.
const GAMES: u16 = 4;
/// The least height of the chart with its frame, and of the text in its place.
const LEAST_CHART: u16 = 8;
const EMPTY_CHART: u16 = 2;
/// The least half of the range of Elo that is drawn.
const LEAST_ELO: f64 = 10.0;
/// The most that the band may show beyond the curve, in Elo.
const MOST_BAND: f64 = 100.0;

/// The drawn parts of a run.
#[derive(Clone, Copy, Debug)]
pub struct Screen<'a> {
    run: &'a RunView,
    games: &'a [GameRecord],
    problem: Option<&'a str>,
    /// Whether colours may be used, see <https://no-color.org>.
    is_coloured: bool,
}

/// A curve with its band, as points of games or pairs and Elo.
#[derive(Default)]
struct Curve {
    elo: Vec<(f64, f64)>,
    low: Vec<(f64, f64)>,
    high: Vec<(f64, f64)>,
    /// The unit of the axis.
    unit: &'static str,
    against: String,
}

impl<'a> Screen<'a> {
    /// The screen of a run, with its latest games, and why it could not be read just now.
    pub fn new(run: &'a RunView, games: &'a [GameRecord], problem: Option<&'a str>) -> Self {
        let is_coloured = match ColorChoice::global() {
            ColorChoice::Never => false,
            ColorChoice::Auto => env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            _ => true,
        };
        Self { run, games, problem, is_coloured }
    }

    /// Draws the screen into the room that the terminal has.
    pub fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        let header = self.header();
        let games = if area.height >= HIGH && !self.games.is_empty() { GAMES + 1 } else { 0 };
        let [top, middle, bottom, footer] = Layout::vertical([
            Constraint::Length(header.len() as u16),
            Constraint::Min(0),
            Constraint::Length(games),
            Constraint::Length(1),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(header), top);
        let (curve, rows) = (self.curve(), self.rows());
        let (chart, table) = split(middle, &curve, rows.len() as u16 + 1);
        self.draw_chart(frame, chart, &curve);
        self.draw_table(frame, table, rows);
        self.draw_games(frame, bottom);
        frame.render_widget(self.footer(), footer);
    }

    fn style(&self, color: Color) -> Style {
        if self.is_coloured { Style::new().fg(color) } else { Style::new() }
    }

    fn dim() -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn bold() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn state_style(&self) -> Style {
        match self.run.state {
            RunState::Accepted => self.style(Color::Green),
            RunState::Rejected | RunState::Failed | RunState::Damaged => self.style(Color::Red),
            RunState::Running => self.style(Color::Cyan),
            RunState::Stopped | RunState::Done => self.style(Color::Yellow),
        }
        .add_modifier(Modifier::BOLD)
    }

    /// The name and the state, the games and the speed, the Elo, and the test if one is under way.
    fn header(&self) -> Vec<Line<'a>> {
        let line = self.run;
        let mut header = vec![
            Line::from(vec![
                Span::styled(line.state.name(), self.state_style()),
                Span::raw("  "),
                Span::styled(line.run.as_str(), Self::bold()),
            ]),
            Line::raw(self.subject()),
            Line::raw(self.progress()),
            self.elo(),
        ];
        header.extend(self.test());
        header.extend(self.run.workers.as_ref().map(|workers| match workers.has_problems() {
            true => Line::styled(workers_text(workers), self.style(Color::Red)),
            false => Line::raw(workers_text(workers)),
        }));
        let yardsticks = self.run.summary.iter().flat_map(|run| yardstick_lines(&run.yardsticks));
        header.extend(yardsticks.map(|(against, elo)| Line::raw(format!("{against}: Elo {elo}"))));
        header.extend(
            line.reason.as_ref().map(|reason| Line::styled(reason.clone(), self.style(Color::Red))),
        );
        header
    }

    fn subject(&self) -> String {
        let line = self.run;
        let parts = [&line.method, &line.game, &line.board, &line.start];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join("  ")
    }

    fn progress(&self) -> String {
        let line = self.run;
        let rate = line.games_per_second.map(|rate| format!("{} games/s", units::scaled(rate)));
        let games = format!("{} games", line.games_text());
        [Some(games), rate, Some(time_text(line))]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("  ")
    }

    fn elo(&self) -> Line<'a> {
        let line = self.run;
        let color = match (line.elo, line.elo_error) {
            (Some(elo), Some(error)) if elo > error => Some(Color::Green),
            (Some(elo), Some(error)) if elo < -error => Some(Color::Red),
            _ => None,
        };
        let style = color.map_or(Style::new(), |color| self.style(color));
        let against =
            line.against.as_ref().map_or(String::new(), |name| format!("  against {name}"));
        Line::from(vec![
            Span::raw("Elo "),
            Span::styled(with_error(line.elo, line.elo_error), style.patch(Self::bold())),
            Span::raw(against),
        ])
    }

    /// The log-likelihood ratio between its bounds.
    fn test(&self) -> Option<Line<'a>> {
        let series = self.run.series.as_ref()?.match_.as_ref()?;
        let ([lower, upper], llr) = (series.llr_bounds?, (*series.llr.last()?)?);
        let pairs = *series.pairs.last()?;
        let verdict = match self.run.summary.as_ref().map(|summary| summary.validation.verdict) {
            Some(Some(Verdict::H1)) => "  H1",
            Some(Some(Verdict::H0)) => "  H0",
            _ => "",
        };
        Some(Line::from(vec![
            Span::raw(format!("LLR {llr:.2}  {lower:.2} ")),
            Span::styled(bar(llr, lower, upper), self.style(Color::Cyan)),
            Span::raw(format!(" {upper:.2}  {} pairs{verdict}", count(pairs))),
        ]))
    }

    fn curve(&self) -> Curve {
        let against = self.run.against.clone().unwrap_or_default();
        let mut curve = Curve::default();
        let Some(series) = &self.run.series else { return curve };
        if series.strength.games.is_empty()
            && let Some(match_) = &series.match_
        {
            curve = Curve { unit: "pairs", against, ..curve };
            for (row, &pairs) in match_.pairs.iter().enumerate() {
                if let Some(elo) = match_.elo[row] {
                    let error = match_.elo_error[row].unwrap_or(0.0);
                    curve.add(pairs, elo, elo - error, elo + error);
                }
            }
            return curve;
        }
        let strength = &series.strength;
        let summary = self.run.summary.as_ref();
        let probed = summary.map_or("", |summary| summary.method.probed_against());
        curve = Curve { unit: "games", against: probed.into(), ..curve };
        for (row, &games) in strength.games.iter().enumerate() {
            if let Some(elo) = strength.elo[row] {
                let (low, high) = (strength.elo_low[row], strength.elo_high[row]);
                curve.add(games, elo, low.unwrap_or(elo), high.unwrap_or(elo));
            }
        }
        curve
    }

    fn draw_chart(&self, frame: &mut Frame, area: Rect, curve: &Curve) {
        if curve.elo.is_empty() {
            let text = "no curve yet: too few pairs are played";
            let block = Block::new().borders(Borders::TOP).title(" Elo ");
            frame.render_widget(Paragraph::new(text).style(Self::dim()).block(block), area);
            return;
        }
        let (least, most) = curve.range();
        let end = curve.elo.last().map_or(1.0, |point| point.0.max(1.0));
        let begin = curve.elo.first().map_or(0.0, |point| point.0).min(end - 1.0);
        let zero = [(begin, 0.0), (end, 0.0)];
        let dataset = |data, color, style: Style| {
            Dataset::default()
                .marker(Marker::Braille)
                .graph_type(GraphType::Line)
                .style(self.style(color).patch(style))
                .data(data)
        };
        let datasets = vec![
            dataset(&zero, Color::DarkGray, Self::dim()),
            dataset(&curve.low, Color::Blue, Self::dim()),
            dataset(&curve.high, Color::Blue, Self::dim()),
            dataset(&curve.elo, Color::Green, Style::new()),
        ];
        let title = format!(" Elo against {}, with its 95 % band ", curve.against);
        let x = Axis::default()
            .bounds([begin, end])
            .labels([units::scaled(begin), format!("{} {}", units::scaled(end), curve.unit)]);
        let y = Axis::default().bounds([least, most]).labels([
            signed(least),
            signed((least + most) / 2.0),
            signed(most),
        ]);
        let block = Block::new().borders(Borders::TOP).title(title);
        frame.render_widget(Chart::new(datasets).x_axis(x).y_axis(y).block(block), area);
    }

    /// The rows of the table beside the chart, and their titles first.
    fn rows(&self) -> Vec<Vec<String>> {
        let Some(summary) = &self.run.summary else { return Vec::new() };
        match summary.weights.is_empty() {
            true => rounds(&summary.rounds),
            false => weights(summary),
        }
    }

    fn draw_table(&self, frame: &mut Frame, area: Rect, rows: Vec<Vec<String>>) {
        if rows.is_empty() || area.height < 2 {
            return;
        }
        let room = usize::from(area.height.saturating_sub(2));
        let more = (rows.len() - 1).saturating_sub(room);
        let title =
            if more > 0 { format!(" {more} more in a higher terminal ") } else { String::new() };
        let columns = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let length = |row: &Vec<String>, column| {
            row.get(column).map_or(0, |cell: &String| cell.chars().count()) as u16
        };
        let width = |column| match column {
            0 => Constraint::Fill(1),
            _ => Constraint::Length(rows.iter().map(|row| length(row, column)).max().unwrap_or(0)),
        };
        let widths: Vec<Constraint> = (0..columns).map(width).collect();
        let mut rows = rows.into_iter().map(table_row);
        let titles = rows.next().unwrap_or_default().style(Self::dim());
        let table = Table::new(rows, widths)
            .header(titles)
            .column_spacing(2)
            .block(Block::new().borders(Borders::TOP).title(title));
        frame.render_widget(table, area);
    }

    fn draw_games(&self, frame: &mut Frame, area: Rect) {
        let latest = self.games.iter().rev().take(usize::from(GAMES)).map(|game| {
            let plies = [&game.opening, &game.moves].map(|moves| moves.split_whitespace().count());
            let ending = serde_json::to_value(game.ending).unwrap_or_default();
            Line::raw(format!(
                "{:8}{:14}{:4} plies  {}",
                game.result,
                ending.as_str().unwrap_or_default(),
                plies[0] + plies[1],
                game.players.join(" - "),
            ))
        });
        let block = Block::new().borders(Borders::TOP).title(" latest games ");
        frame.render_widget(Paragraph::new(latest.collect::<Vec<_>>()).block(block), area);
    }

    fn footer(&self) -> Paragraph<'a> {
        match self.problem {
            Some(problem) => Paragraph::new(problem).style(self.style(Color::Red)),
            None => {
                let since = self.run.seconds_since.unwrap_or(0.0);
                Paragraph::new(format!("q quits; last line {} ago", span(since))).style(Self::dim())
            }
        }
    }
}

impl Curve {
    fn add(&mut self, at: u64, elo: f64, low: f64, high: f64) {
        let at = at as f64;
        self.elo.push((at, elo));
        self.low.push((at, low));
        self.high.push((at, high));
    }

    /// The range of Elo on the chart: the curve and zero, and as much of the band as fits.
    fn range(&self) -> (f64, f64) {
        let fold = |points: &[(f64, f64)], pick: fn(f64, f64) -> f64| {
            points.iter().map(|point| point.1).fold(0.0, pick)
        };
        let (least, most) = (fold(&self.elo, f64::min), fold(&self.elo, f64::max));
        let low = fold(&self.low, f64::min).max(least - MOST_BAND).min(-LEAST_ELO);
        let high = fold(&self.high, f64::max).min(most + MOST_BAND).max(LEAST_ELO);
        (low, high)
    }
}

/// Splits the area into a place for the chart and one for a table of `rows` lines.
fn split(area: Rect, curve: &Curve, rows: u16) -> (Rect, Rect) {
    let chart = if curve.elo.is_empty() { EMPTY_CHART } else { LEAST_CHART };
    let [chart, table] = if area.width >= WIDE {
        Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).spacing(2).areas(area)
    } else {
        let most = area.height.saturating_sub(chart);
        Layout::vertical([Constraint::Min(0), Constraint::Length(rows.min(most))]).areas(area)
    };
    (chart, table)
}

/// A row whose first cell is a name, and the others numbers.
fn table_row(cells: Vec<String>) -> Row<'static> {
    let aligned = |(column, cell): (usize, String)| match column {
        0 => Text::from(cell),
        _ => Text::from(cell).right_aligned(),
    };
    Row::new(cells.into_iter().enumerate().map(aligned))
}

/// The weights, now and at the start.
fn weights(summary: &RunSummary) -> Vec<Vec<String>> {
    let titles = [summary.target.one(), "start", "now", "error"];
    let mut rows = vec![titles.map(String::from).to_vec()];
    for row in &summary.weights {
        let error = row.error.map_or("-".into(), |error| format!("+- {error:.0}"));
        rows.push(vec![row.name.clone(), row.start.to_string(), row.tuned.to_string(), error]);
    }
    rows
}

/// The rounds of a tune by fitting.
fn rounds(rounds: &[RoundRow]) -> Vec<Vec<String>> {
    let mut rows = vec![["round", "games", "loss", "Elo"].map(String::from).to_vec()];
    for round in rounds {
        let loss = round.loss.map_or("-".into(), |loss| format!("{loss:.5}"));
        let elo = with_error(round.match_.elo, round.match_.elo_error);
        rows.push(vec![round.round.to_string(), count(round.games), loss, elo]);
    }
    rows
}

/// A bar of the place between two bounds: `----|-=======----`, filled from zero.
fn bar(value: f64, lower: f64, upper: f64) -> String {
    const CELLS: usize = 20;
    let place = |value: f64| {
        let share = (value - lower) / (upper - lower);
        (share.clamp(0.0, 1.0) * (CELLS - 1) as f64).round() as usize
    };
    let (zero, now) = (place(0.0), place(value));
    let cell = |at: usize| match at {
        _ if at == zero => '|',
        _ if (zero.min(now)..=zero.max(now)).contains(&at) => '=',
        _ => '-',
    };
    (0..CELLS).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_filled_from_zero_to_the_value() {
        assert_eq!(bar(0.0, -3.0, 3.0), "----------|---------");
        assert_eq!(bar(9.0, -3.0, 3.0), "----------|=========");
        assert_eq!(bar(-1.5, -3.0, 3.0), "-----=====|---------");
    }
}
