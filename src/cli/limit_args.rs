//! Arguments for when a move and when a game ends.

use super::args::parse_count;
use crate::arena::{Adjudication, DrawRule, MOST_PLIES, ResignRule, ScoreRules};
use crate::error::{Error, Result, shorten};
use crate::games::GameId;
use crate::search::{Clock, ClockPolicy, Limits};
use clap::Args;
use std::time::Duration;

/// The longest time of a move, in milliseconds: a year.
const MOST_MOVETIME: u64 = 365 * 24 * 60 * 60 * 1000;

/// The limits of each move.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LimitArgs {
    /// Positions searched for a move; k, M and G are understood
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits of a move")]
    pub nodes: Option<u64>,
    /// Plies searched for a move; a turn may take several
    #[arg(long, value_name = "PLIES", help_heading = "Limits of a move")]
    pub depth: Option<u32>,
    /// Milliseconds for a move; the result then differs from run to run
    #[arg(long, value_name = "MS", help_heading = "Limits of a move")]
    pub movetime: Option<u64>,
}

impl LimitArgs {
    /// The limits given, if there are any.
    ///
    /// # Errors
    /// When one of them is 0.
    pub fn given(&self) -> Result<Option<Limits>> {
        if self.nodes.is_none() && self.depth.is_none() && self.movetime.is_none() {
            return Ok(None);
        }
        if let Some(time) = self.movetime.filter(|time| *time > MOST_MOVETIME) {
            return Err(Error::input("limits", format!("{time} ms are too long for a move"))
                .remedy(format!("give at most {MOST_MOVETIME} with --movetime")));
        }
        let movetime = self.movetime.map(Duration::from_millis);
        let limits = Limits { nodes: self.nodes, depth: self.depth, movetime, clock: None };
        limits.check()?;
        Ok(Some(limits))
    }

    /// The limits given, or else these.
    ///
    /// # Errors
    /// As [`given`](Self::given).
    pub fn or(&self, default: Limits) -> Result<Limits> {
        Ok(self.given()?.unwrap_or(default))
    }
}

/// The limits of each move of a game, or of its clock.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct GameLimitArgs {
    #[command(flatten)]
    of_move: LimitArgs,
    /// Clock of each player in seconds, as 8+0.08 or 40/60+0.6; a player whose time runs out loses
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", value_parser = parse_time_control, help_heading = "Limits of a move")]
    tc: Option<Clock>,
}

impl GameLimitArgs {
    /// The limits given, if there are any.
    ///
    /// # Errors
    /// When one of them is 0.
    pub fn given(&self) -> Result<Option<Limits>> {
        with_clock(self.of_move, self.tc)
    }

    /// The limits given, or else these.
    ///
    /// # Errors
    /// As [`given`](Self::given).
    pub fn or(&self, default: Limits) -> Result<Limits> {
        Ok(self.given()?.unwrap_or(default))
    }
}

/// The limits of a move together with a clock; `None` without any of them.
///
/// # Errors
/// When a limit is 0.
pub fn with_clock(of_move: LimitArgs, clock: Option<Clock>) -> Result<Option<Limits>> {
    let given = of_move.given()?;
    Ok(match clock {
        None => given,
        Some(_) => Some(Limits { clock, ..given.unwrap_or_default() }),
    })
}

/// Reads the clock of a game: `[MOVES/]TIME[+INC]`.
///
/// # Errors
/// When the text is no clock, or has no time.
pub fn parse_time_control(text: &str) -> Result<Clock> {
    let refuse = |reason| {
        Err(Error::input(format!("time control `{}`", shorten(text)), reason).remedy(
            "write the seconds for the game and for each move, as 8+0.08; or MOVES/ before them, as 40/60+0.6",
        ))
    };
    let (moves_to_go, clock) = match text.split_once('/') {
        None => (None, text),
        Some((moves, clock)) => match moves.parse::<u32>() {
            Ok(moves @ 1..=MOST_CONTROL_MOVES) => (Some(moves), clock),
            _ => return refuse("no number of moves before the `/`"),
        },
    };
    let clock = match clock.split_once(':') {
        None => parse_clock(clock),
        Some((minutes, rest)) => match seconds(minutes) {
            None => return refuse("no minutes before the `:`"),
            Some(minutes) => {
                parse_clock(rest).map(|clock| Clock { left: clock.left + 60 * minutes, ..clock })
            }
        },
    };
    match clock {
        Ok(clock) => Ok(Clock { moves_to_go, ..clock }),
        Err(_) => refuse("not a clock"),
    }
}

/// Reads a clock: seconds for the game and seconds added after each move, written `300+2`.
///
/// # Errors
/// When the text is no clock, or has no time.
pub fn parse_clock(text: &str) -> Result<Clock> {
    let (game, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (Some(left), Some(increment)) = (seconds(game), seconds(increment)) else {
        return Err(Error::input(format!("clock `{text}`"), "not a clock").remedy(
            "give the seconds for the game and those added after each move, for example 300+2",
        ));
    };
    if left.is_zero() {
        return Err(Error::input(format!("clock `{text}`"), "no time to begin with")
            .remedy("give at least a second, for example 300+2"));
    }
    Ok(Clock::new(left, increment))
}

/// How the time of a clock is spent.
#[derive(Args, Clone, Copy, Debug)]
pub struct ClockPolicyArg {
    /// How the engine spends its clock: `share` gives each move its part of what is left; `stages`
    /// searches 3 turns while more than half of the time is left, then 2, and 1 from a fifth on
    #[arg(long, value_name = "POLICY", value_enum, default_value_t)]
    pub clock_policy: ClockPolicy,
}

/// The most moves of one time control.
const MOST_CONTROL_MOVES: u32 = 10_000;

/// When games end before their rules end them.
#[derive(Args, Clone, Copy, Debug)]
pub struct AdjudicationArgs {
    /// End a game as lost when both players have reported this score for this many moves each
    /// [default: 3,400 in games that only external engines play]
    #[arg(long, value_name = "MOVES,CP", help_heading = "Limits of a move")]
    resign: Option<ResignRule>,
    /// End a game as drawn from this move on when both players have reported scores within CP for
    /// this many moves each [default: 40,8,10 in games that only external engines play]
    #[arg(long, value_name = "FROM,MOVES,CP", help_heading = "Limits of a move")]
    draw: Option<DrawRule>,
    /// End a game as drawn this many plies after its opening [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PLIES)), help_heading = "Limits of a move")]
    pub max_plies: Option<u32>,
    /// Play every game until its rules end it
    #[arg(long, conflicts_with_all = ["resign", "draw"], help_heading = "Limits of a move")]
    no_adjudication: bool,
}

impl AdjudicationArgs {
    /// The adjudication of a game; a game that only external engines play has default rules.
    pub fn of(&self, game: GameId) -> Adjudication {
        let given = ScoreRules { resign: self.resign, draw: self.draw };
        match self.no_adjudication {
            true => Adjudication::Never,
            false if self.resign.is_some() || self.draw.is_some() => Adjudication::Scores(given),
            false if game.has_engine() => Adjudication::Never,
            false => Adjudication::Scores(ScoreRules::default()),
        }
    }
}

/// Parses seconds, up to a year.
fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    (0.0..=31_536_000.0).contains(&value).then(|| Duration::from_secs_f64(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64) -> Clock {
        Clock::new(Duration::from_secs(left), Duration::from_secs(increment))
    }

    #[test]
    fn clocks_are_read() {
        let read = |text: &str| parse_clock(text).ok();
        assert_eq!(["300+2", "60"].map(read), [Some(clock(300, 2)), Some(clock(60, 0))]);
        for text in ["", "+", "0", "0+5", "x", "5+x", "-1", "nan", "inf", "1e99", "5+-1"] {
            assert!(read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn time_controls_are_read_and_written() {
        let read = parse_time_control;
        let control = Clock { moves_to_go: Some(40), ..clock(90, 1) };
        for text in ["40/90+1", "40/1:30+1"] {
            assert_eq!(read(text).unwrap(), control, "{text}");
        }
        for text in ["8+0.08", "60", "40/60+0.6"] {
            assert_eq!(read(text).unwrap().time_control(), text);
        }
        for text in ["", "0/60", "x/60", "40/", "1:", "1:x", "-1:30", "40/0", "9999999/60", "1/2/3"]
        {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("8+0.08"), "{text}: {error}");
        }
    }
}
