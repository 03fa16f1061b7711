//! Wins, draws and losses of single games whose pairs are unknown.

use super::pairs::{PairCounts, counts_of};
use super::sprt::{Model, Sprt};
use super::summary::Summary;
use crate::error::{Error, Result};
use std::f64::consts::SQRT_2;
use std::str::FromStr;

/// How many single games ended in each of the three ways, seen from the first player (trinomial
/// counts).
///
/// Without the pairs, the games can only be treated as independent. The two games of an opening
/// mostly balance each other, so the true errors are usually smaller than these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCounts {
    /// Games that the first player won.
    pub wins: u64,
    /// Games that neither player won.
    pub draws: u64,
    /// Games that the first player lost.
    pub losses: u64,
}

impl GameCounts {
    /// The numbers of independent games, with an LLR and a verdict if there is a test. Its `pairs`
    /// has one count for each game: losses in `ll`, draws in `mid` and wins in `ww`.
    pub fn summary(self, sprt: Option<&Sprt>) -> Summary {
        let trials =
            PairCounts { ll: self.losses, mid: self.draws, ww: self.wins, ..PairCounts::default() };
        // Normalised Elo refers to single games, and a summary takes each count for two of them.
        let of_pairs = |sprt: &Sprt| match sprt.model {
            Model::Normalized => {
                Sprt { elo0: sprt.elo0 / SQRT_2, elo1: sprt.elo1 / SQRT_2, ..*sprt }
            }
            Model::Logistic => *sprt,
        };
        let summary = Summary::of(&trials, sprt.map(of_pairs).as_ref());
        let of_game = |nelo: f64| nelo * SQRT_2;
        Summary {
            games: trials.pairs(),
            nelo: summary.nelo.map(of_game),
            nelo_error: summary.nelo_error.map(of_game),
            ..summary
        }
    }
}

/// Reads `W,D,L`, three whole numbers with commas between, spaces and brackets around them allowed;
/// or numbers with signs or names, in any order: `+W -L =D`, `W: 40 L: 35 D: 25`, `40 wins, 25
/// draws, 35 losses`, among other named numbers.
impl FromStr for GameCounts {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |reason: String| {
            Error::input(format!("game counts `{text}`"), reason)
                .remedy("give W,D,L (wins, draws, losses) with commas, for example 40,25,35")
        };
        let signed = |sign: char| text.split_whitespace().find_map(|word| word.strip_prefix(sign));
        let signs = [signed('+'), signed('='), signed('-')];
        let counts = match (signs, named_counts(text)) {
            ([Some(wins), Some(draws), Some(losses)], _) | (_, Some([wins, draws, losses])) => {
                counts_of(&[wins, draws, losses].join(","))
            }
            _ if !text.contains([',', ';']) => {
                Err("without commas it may be in the order W-L-D or W-D-L".into())
            }
            _ => counts_of(text),
        };
        let [wins, draws, losses] = counts.map_err(wrong)?;
        Ok(Self { wins, draws, losses })
    }
}

/// Wins, draws and losses of a text that names each of the three once, before or behind its number.
fn named_counts(text: &str) -> Option<[&str; 3]> {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let words = words(text);
    let pairs: Vec<(&str, &str)> = match words.first().is_some_and(|word| is_number(word)) {
        true => words.windows(2).map(|pair| (pair[1], pair[0])).collect(),
        false => words.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    };
    let number_of = |names: [&str; 3]| {
        let is_named = |(name, number): &&(&str, &str)| {
            names.iter().any(|known| known.eq_ignore_ascii_case(name)) && is_number(number)
        };
        let mut found = pairs.iter().filter(is_named);
        let (_, number) = found.next()?;
        found.next().is_none().then_some(*number)
    };
    let wins = number_of(["w", "win", "wins"])?;
    let draws = number_of(["d", "draw", "draws"])?;
    Some([wins, draws, number_of(["l", "loss", "losses"])?])
}

/// The names and numbers of a text, without the separators.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if kind(first) != (false, false) {
            words.push(word);
        }
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, sprt: Option<Sprt>) -> Summary {
        text.parse::<GameCounts>().unwrap().summary(sprt.as_ref())
    }

    /// By hand: score 0.55, variance of a game 0.4 + 0.3 / 4 - 0.55^2 = 0.1725.
    #[test]
    fn the_numbers_are_those_of_the_trinomial() {
        let found = of("400, 300, 300", None);
        assert_eq!((found.games, found.score), (1000, Some(0.55)));
        let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
        let margin = 1.959963984540054 * (0.1725f64 / 1000.0).sqrt();
        let error = (elo(0.55 + margin) - elo(0.55 - margin)) / 2.0;
        assert!((found.elo.unwrap() - elo(0.55)).abs() < 1e-9);
        assert!((found.elo_error.unwrap() - error).abs() < 1e-9);
        let per_deviation = 800.0 / std::f64::consts::LN_10;
        assert!((found.nelo.unwrap() - per_deviation * 0.05 / 0.1725f64.sqrt()).abs() < 1e-9);
        let error = per_deviation * 1.959963984540054 / 1000f64.sqrt();
        assert!((found.nelo_error.unwrap() - error).abs() < 1e-9);
    }

    /// Pairs of games that really are independent: 0.4, 0.3 and 0.3 multiplied out.
    #[test]
    fn independent_pairs_and_their_games_say_the_same() {
        let pairs: PairCounts = "9000,18000,33000,24000,16000".parse().unwrap();
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = Sprt::new(50.0, 60.0, 0.05, 0.05, model).unwrap();
            let (pairs, games) =
                (Summary::of(&pairs, Some(&sprt)), of("80000,60000,60000", Some(sprt)));
            let numbers = |s: &Summary| [s.elo, s.elo_error, s.nelo, s.nelo_error, s.llr];
            for (pairs, games) in numbers(&pairs).into_iter().zip(numbers(&games)) {
                let (pairs, games) = (pairs.unwrap(), games.unwrap());
                assert!((pairs - games).abs() < 0.02 * pairs.abs(), "{pairs} {games}");
            }
        }
    }

    #[test]
    fn one_sided_and_absent_games_are_bounded_as_pairs_are() {
        let swept = of("[50,0,0]", None);
        assert_eq!((swept.elo, swept.elo_error, swept.elo_high), (None, None, None));
        assert!(swept.elo_low.is_some());
        assert_eq!((of("0,0,0", None).games, of("0,0,0", None).score), (0, None));
        assert_eq!("+5 -3 =2".parse::<GameCounts>().unwrap(), "5,2,3".parse().unwrap());
        let error = "1,2,3,4".parse::<GameCounts>().unwrap_err().to_string();
        assert!(error.contains("found 4 numbers") && error.contains("W,D,L"), "{error}");
    }

    #[test]
    fn named_numbers_stand_in_any_order() {
        let wanted = "10,3,5".parse::<GameCounts>().unwrap();
        for text in [
            "W10 D3 L5",
            "W: 10 L: 5 D: 3",
            "Total: 18 W: 10 L: 5 D: 3",
            "10W 5L 3D",
            "10 wins, 3 draws, 5 losses",
            "wins=10 losses=5 draws=3",
            "Games: 18, Wins: 10, Losses: 5, Draws: 3, Points: 11.5 (63.89 %)",
            "[10; 3; 5]",
        ] {
            assert_eq!(text.parse::<GameCounts>().unwrap(), wanted, "{text}");
        }
        for text in ["10-5-3", "10 5 3", "W10 D3", "W10 D3 L5 W2", "W10 D L5", "10/5/3", "W D L"] {
            assert!(text.parse::<GameCounts>().is_err(), "{text}");
        }
    }
}
