//! Counts of game pairs by what they scored.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The score of a pair in each cell, in the order of [`PairCounts::to_array`].
pub(super) const CELL_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The largest count that is read from a text: more than all computers play in years. Sums of such
/// counts are exact in floating point too.
const MOST: u64 = 1_000_000_000_000_000;

/// How many game pairs ended in each of the five ways, seen from the first player (pentanomial
/// counts).
///
/// Additions saturate at `u64::MAX` instead of overflowing.
///
/// ```
/// use sparring_stats::PairCounts;
/// let mut counts: PairCounts = "2,5,10,8,3".parse()?;
/// counts.add(4); // both games won
/// assert_eq!(counts.ww, 4);
/// assert_eq!(counts.to_string(), "2,5,10,8,4");
/// assert_eq!(counts.games(), 58);
/// # Ok::<(), sparring_stats::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairCounts {
    /// Pairs of two losses.
    pub ll: u64,
    /// Pairs of a loss and a draw.
    pub ld: u64,
    /// Pairs that came out even: two draws, or a win and a loss.
    pub mid: u64,
    /// Pairs of a win and a draw.
    pub wd: u64,
    /// Pairs of two wins.
    pub ww: u64,
}

impl PairCounts {
    /// The counts in the order LL, LD, MID, WD, WW.
    pub fn from_array([ll, ld, mid, wd, ww]: [u64; 5]) -> Self {
        Self { ll, ld, mid, wd, ww }
    }

    /// The counts in the order LL, LD, MID, WD, WW.
    pub fn to_array(self) -> [u64; 5] {
        [self.ll, self.ld, self.mid, self.wd, self.ww]
    }

    /// Counts one more pair by its score: half points from both games together, 0 for two losses to
    /// 4 for two wins.
    ///
    /// # Panics
    /// When `pair_score` is above 4, which no pair can score.
    pub fn add(&mut self, pair_score: u8) {
        let cell = match pair_score {
            0 => &mut self.ll,
            1 => &mut self.ld,
            2 => &mut self.mid,
            3 => &mut self.wd,
            4 => &mut self.ww,
            _ => panic!("a pair score is 0 to 4, not {pair_score}"),
        };
        *cell = cell.saturating_add(1);
    }

    /// The number of pairs, at most `u64::MAX`.
    pub fn pairs(&self) -> u64 {
        self.to_array().into_iter().fold(0, u64::saturating_add)
    }

    /// The number of games, two a pair, at most `u64::MAX`.
    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// The mean score of a pair, from 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        let (won, lost) = (self.won(), self.lost());
        (won + lost > 0.0).then(|| won / (won + lost))
    }

    /// The variance of a pair's score about the mean, from 0 to 1/4, divided by the number of pairs
    /// (not one less); `None` without pairs, exactly 0 when all pairs scored the same.
    pub fn variance(&self) -> Option<f64> {
        let score = self.score()?;
        let counts = self.to_array();
        if counts.iter().filter(|&&count| count > 0).count() == 1 {
            return Some(0.0);
        }
        let squares = |(count, cell): (u64, f64)| count as f64 * (cell - score).powi(2);
        Some(counts.into_iter().zip(CELL_SCORES).map(squares).sum::<f64>() / self.total())
    }

    /// The same pairs seen from the other player.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { ll: self.ww, ld: self.wd, mid: self.mid, wd: self.ld, ww: self.ll }
    }

    /// The pairs won: the sum of the pairs' scores.
    pub(super) fn won(&self) -> f64 {
        quarters(self.ld, self.mid, self.wd, self.ww)
    }

    /// The pairs lost. Kept apart from [`Self::won`], so that a tiny number of lost pairs is not
    /// rounded to none.
    pub(super) fn lost(&self) -> f64 {
        quarters(self.wd, self.mid, self.ld, self.ll)
    }

    /// The number of pairs as a float, which does not saturate.
    pub(super) fn total(&self) -> f64 {
        self.to_array().into_iter().map(u128::from).sum::<u128>() as f64
    }
}

/// The pairs played between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PairingResult {
    /// The number of the first player, from 0.
    pub a: usize,
    /// The number of the second player.
    pub b: usize,
    /// The pairs as seen from `a`.
    pub counts: PairCounts,
}

/// Pairs worth a quarter, a half, three quarters and one, summed exactly and then rounded once.
fn quarters(quarter: u64, half: u64, three: u64, one: u64) -> f64 {
    let sum =
        u128::from(quarter) + 2 * u128::from(half) + 3 * u128::from(three) + 4 * u128::from(one);
    sum as f64 / 4.0
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: Self) {
        self.ll = self.ll.saturating_add(other.ll);
        self.ld = self.ld.saturating_add(other.ld);
        self.mid = self.mid.saturating_add(other.mid);
        self.wd = self.wd.saturating_add(other.wd);
        self.ww = self.ww.saturating_add(other.ww);
    }
}

impl Sum for PairCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, counts| {
            sum += counts;
            sum
        })
    }
}

/// Writes `LL,LD,MID,WD,WW`, which [`PairCounts::from_str`] reads.
impl fmt::Display for PairCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{},{}", self.ll, self.ld, self.mid, self.wd, self.ww)
    }
}

/// The name that other programs give counts of pairs.
const NAME: &str = "Ptnml";

/// A list without the brackets that some programs write around it.
fn without_brackets(text: &str) -> &str {
    let inner = |open: char, close: char| text.trim().strip_prefix(open)?.strip_suffix(close);
    inner('[', ']').or_else(|| inner('(', ')')).or_else(|| inner('{', '}')).unwrap_or(text)
}

/// The parts of a list: between commas or semicolons, or else between blanks.
pub fn list_parts(text: &str) -> Vec<&str> {
    let list = without_brackets(text).trim();
    let separators = |c: char| [',', ';'].contains(&c);
    match list.contains(separators) {
        true => list.split(separators).map(str::trim).collect(),
        false => list.split_whitespace().collect(),
    }
}

/// Exactly `N` counts; the error says what is wrong with the text.
pub(super) fn counts_of<const N: usize>(text: &str) -> std::result::Result<[u64; N], String> {
    let fields: [&str; N] =
        list_parts(text).try_into().map_err(|fields: Vec<_>| match fields.len() {
            1 => "found 1 number".into(),
            found => format!("found {found} numbers"),
        })?;
    let mut counts = [0; N];
    for (count, field) in counts.iter_mut().zip(fields) {
        *count = field.parse().map_err(|error| format!("`{field}`: {error}"))?;
        if *count > MOST {
            return Err(format!("{field} are more than {MOST}, the limit"));
        }
    }
    Ok(counts)
}

/// Reads `LL,LD,MID,WD,WW`: five whole numbers separated by commas, semicolons or blanks, with or
/// without brackets around them, or after the name that Fishtest and fastchess print: `Ptnml(0-2):
/// 1, 2, 3, 4, 5`.
impl FromStr for PairCounts {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let list = text.split_once(':').filter(|(name, _)| name.trim().starts_with(NAME));
        let counts = counts_of(list.map_or(text, |(_, list)| list)).map_err(|reason| {
            Error::input(format!("pair counts `{text}`"), reason)
                .remedy("give five whole numbers LL,LD,MID,WD,WW, for example 2,5,10,8,3")
        })?;
        Ok(Self::from_array(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pairs_than_can_be_are_refused() {
        assert!("1,0,0,0,1000000000000000".parse::<PairCounts>().is_ok());
        for text in ["18446744073709551615,0,0,0,0", "0,0,1000000000000001,0,0"] {
            let error = text.parse::<PairCounts>().unwrap_err().to_string();
            assert!(error.contains("more than 1000000000000000"), "{error}");
        }
    }

    #[test]
    fn counts_are_read_as_programs_print_them() {
        let wanted = PairCounts { ll: 1, ld: 2, mid: 3, wd: 4, ww: 5 };
        for text in [
            "1,2,3,4,5",
            "[1, 2, 3, 4, 5]",
            " { 1;2; 3 ;4;5 } ",
            "1 2 3 4 5",
            "(1  2 3 4 5)",
            "Ptnml(0-2): 1, 2, 3, 4, 5",
            "Ptnml(0-2): [1, 2, 3, 4, 5]",
        ] {
            assert_eq!(text.parse::<PairCounts>().unwrap(), wanted, "{text}");
        }
        for text in ["1,2,,3,4,5", "1,,2,3,4", "1 2 3 4", "1,2 3,4,5,6", "a: 1,2,3,4,5", ""] {
            assert!(text.parse::<PairCounts>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_pair_score_has_its_cell() {
        let mut counts = PairCounts::default();
        for (pair_score, times) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)] {
            (0..times).for_each(|_| counts.add(pair_score));
        }
        assert_eq!(counts, PairCounts { ll: 1, ld: 2, mid: 3, wd: 4, ww: 5 });
        assert_eq!((counts.pairs(), counts.games()), (15, 30));
        assert_eq!(counts.score(), Some(10.0 / 15.0));
        assert_eq!(counts.mirrored().to_array(), [5, 4, 3, 2, 1]);
    }

    #[test]
    #[should_panic(expected = "not 5")]
    fn a_pair_score_above_four_is_refused() {
        PairCounts::default().add(5);
    }

    #[test]
    fn nothing_has_no_score_and_equals_have_no_variance() {
        assert_eq!(PairCounts::default().score(), None);
        assert_eq!(PairCounts::default().variance(), None);
        for cell in 0..5 {
            let mut counts = [0; 5];
            counts[cell] = u64::MAX;
            assert_eq!(PairCounts::from_array(counts).variance(), Some(0.0));
        }
    }

    #[test]
    fn additions_saturate() {
        let mut full = PairCounts::from_array([u64::MAX; 5]);
        full.add(2);
        full += PairCounts::from_array([1; 5]);
        assert_eq!(
            [full, full].into_iter().sum::<PairCounts>(),
            PairCounts::from_array([u64::MAX; 5])
        );
        assert_eq!((full.pairs(), full.games()), (u64::MAX, u64::MAX));
        assert_eq!(full.score(), Some(0.5));
        assert_eq!(full.variance(), Some(0.125));
    }

    #[test]
    fn text_round_trips_and_faults_are_named() {
        let counts = PairCounts::from_array([2, 5, 10, 8, MOST]);
        assert_eq!(counts.to_string().parse::<PairCounts>().unwrap(), counts);
        assert_eq!(" 1, 2,3 ,4,5".parse::<PairCounts>().unwrap().to_array(), [1, 2, 3, 4, 5]);
        let fault = |text: &str| text.parse::<PairCounts>().unwrap_err().to_string();
        assert_eq!(
            fault("1,2,3,4"),
            "pair counts `1,2,3,4`: found 4 numbers; \
             give five whole numbers LL,LD,MID,WD,WW, for example 2,5,10,8,3"
        );
        assert!(fault("1,2,3").contains("found 3 numbers"));
        assert!(fault("1,2,-3,4,5").contains("`-3`: invalid digit"));
        assert!(fault("1,2,,4,5").contains("empty"));
        assert!(fault("1,2,3,4,99999999999999999999").contains("too large"));
        assert_eq!("1,2,3,4,5,6".parse::<PairCounts>().unwrap_err().exit_code(), 2);
    }

    #[test]
    fn the_fields_have_the_published_names() {
        let counts = PairCounts::from_array([1, 2, 3, 4, 5]);
        let json = r#"{"ll":1,"ld":2,"mid":3,"wd":4,"ww":5}"#;
        assert_eq!(serde_json::to_string(&counts).unwrap(), json);
        assert_eq!(serde_json::from_str::<PairCounts>(json).unwrap(), counts);
    }
}
