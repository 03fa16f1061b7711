//! The strength over the games as plain SVG, for readers without scripts.

use crate::report::units;
use crate::runs::RunView;
use maud::{Markup, html};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
/// Room for the numbers at the left and below.
const LEFT: f64 = 56.0;
const BELOW: f64 = 40.0;
const ABOVE: f64 = 8.0;
/// How far beyond the curve the band is shown, in Elo.
const MOST_BAND: f64 = 100.0;
/// The least range of Elo that is shown.
const LEAST_ELO: f64 = 20.0;

/// The Elo at some moment, with the ends of its 95 % interval.
struct Moment {
    at: f64,
    elo: f64,
    ends: [f64; 2],
}

/// The strength of a run over its games or pairs.
pub(super) struct Course {
    moments: Vec<Moment>,
    unit: &'static str,
}

impl Course {
    /// The course of a run; `None` where the Elo is known at fewer than two moments.
    pub(super) fn of(view: &RunView) -> Option<Self> {
        let courses = [Self::of_rounds(view), Self::of_answers(view), Self::of_match(view)];
        courses.into_iter().flatten().find(|course| course.moments.len() > 1)
    }

    fn of_rounds(view: &RunView) -> Option<Self> {
        let rounds = view.summary.as_ref()?.rounds.iter();
        let moment = |at: u64, summary: &crate::stats::Summary| {
            moment(at, summary.elo, [summary.elo_low, summary.elo_high])
        };
        let moments = rounds.filter_map(|round| moment(round.games_until, &round.match_)).collect();
        Some(Self { moments, unit: "games" })
    }

    fn of_answers(view: &RunView) -> Option<Self> {
        let series = &view.series.as_ref()?.strength;
        let moments = series.games.iter().enumerate().filter_map(|(place, &games)| {
            moment(games, series.elo[place], [series.elo_low[place], series.elo_high[place]])
        });
        Some(Self { moments: moments.collect(), unit: "games" })
    }

    fn of_match(view: &RunView) -> Option<Self> {
        let series = view.series.as_ref()?.match_.as_ref()?;
        let moments = series.pairs.iter().enumerate().filter_map(|(place, &pairs)| {
            let (elo, error) = (series.elo[place]?, series.elo_error[place]?);
            moment(pairs, Some(elo), [Some(elo - error), Some(elo + error)])
        });
        Some(Self { moments: moments.collect(), unit: "pairs" })
    }

    /// The range of Elo to show: all of the curve, and the band as far as it is near.
    fn extent(&self) -> (f64, f64) {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for moment in &self.moments {
            (low, high) = (low.min(moment.elo), high.max(moment.elo));
        }
        let (least, most) = (low - MOST_BAND, high + MOST_BAND);
        for Moment { ends, .. } in &self.moments {
            (low, high) = (low.min(ends[0].max(least)), high.max(ends[1].min(most)));
        }
        let room = ((high - low) * 0.08).max((LEAST_ELO - (high - low)) / 2.0);
        (low - room, high + room)
    }

    /// The curve with its band, the line at zero, and a few numbers on the axes.
    pub(super) fn svg(&self) -> Markup {
        let (low, high) = self.extent();
        let end = self.moments.last().map_or(1.0, |last| last.at).max(1.0);
        let x = |at: f64| LEFT + (WIDTH - LEFT - 12.0) * at / end;
        let y = |elo: f64| {
            let share = (elo.clamp(low, high) - low) / (high - low);
            HEIGHT - BELOW - (HEIGHT - BELOW - ABOVE) * share
        };
        let point = |at: f64, elo: f64| format!("{:.1},{:.1}", x(at), y(elo));
        let line: Vec<String> = self.moments.iter().map(|one| point(one.at, one.elo)).collect();
        let above = self.moments.iter().map(|one| point(one.at, one.ends[1]));
        let below = self.moments.iter().rev().map(|one| point(one.at, one.ends[0]));
        let band: Vec<String> = above.chain(below).collect();
        let last = self.moments.last();
        html! {
            svg.course-of-run viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
                aria-label=(format!("Elo over the {}", self.unit)) xmlns="http://www.w3.org/2000/svg" {
                @for elo in ticks(low, high) {
                    line.rule x1=(LEFT) x2=(WIDTH - 12.0) y1=(y(elo)) y2=(y(elo)) {}
                    text x=(LEFT - 8.0) y=(y(elo) + 4.0) text-anchor="end" { (format!("{elo:.0}").replace('-', "\u{2212}")) }
                }
                polygon.band points=(band.join(" ")) {}
                line.zero x1=(LEFT) x2=(WIDTH - 12.0) y1=(y(0.0)) y2=(y(0.0)) {}
                polyline.line points=(line.join(" ")) {}
                @if let Some(last) = last { circle.now cx=(x(last.at)) cy=(y(last.elo)) r="3.5" {} }
                @for (share, anchor) in [(0.0, "start"), (0.5, "middle"), (1.0, "end")] {
                    text x=(x(end * share)) y=(HEIGHT - 20.0) text-anchor=(anchor) { (units::count((end * share).round() as u64)) }
                }
                text x=((LEFT + WIDTH) / 2.0) y=(HEIGHT - 3.0) text-anchor="middle" { (self.unit) }
            }
        }
    }
}

fn moment(at: u64, elo: Option<f64>, [low, high]: [Option<f64>; 2]) -> Option<Moment> {
    let elo = elo?;
    Some(Moment { at: at as f64, elo, ends: [low.unwrap_or(elo), high.unwrap_or(elo)] })
}

/// A few round numbers from `low` to `high`.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let wanted = (high - low) / 5.0;
    let size = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * size);
    let step = step.into_iter().find(|&step| step >= wanted).unwrap_or(wanted).max(1.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(-12.0, 93.0), [0.0, 50.0].map(|tick| tick));
        assert_eq!(ticks(-10.0, 10.0), [-10.0, -5.0, 0.0, 5.0, 10.0]);
    }

    #[test]
    fn a_curve_of_one_moment_is_drawn() {
        let moments = vec![Moment { at: 0.0, elo: 0.0, ends: [f64::MIN, f64::MAX] }];
        let svg = Course { moments, unit: "games" }.svg().into_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
