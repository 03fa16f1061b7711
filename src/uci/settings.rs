//! The options of the engine: their names, ranges and values.

use super::offer::{Offer, constant_offers, weight_offer};
use super::variant::UciVariant;
use crate::error::{Error, Result, shorten};
use crate::game::MAX_MOVES;
use crate::games::GameId;
use crate::player::Player;
use crate::protocol::dialect::VARIANT_OPTION;
use crate::protocol::options::{EngineOption, find};
use crate::report::units;
use crate::search::{Algorithm, Clock, ClockPolicy, Options, SearchConstants};
use clap::ValueEnum;
use std::time::Duration;

const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const EVAL_FILE: &str = "EvalFile";
const OVERHEAD: &str = "Move Overhead";
const CLOCK_POLICY: &str = "Clock Policy";
const MULTI_PV: &str = "MultiPV";
const OWN_BOOK: &str = "OwnBook";
const BOOK_FILE: &str = "BookFile";
const BOOK_DEPTH: &str = "BookDepth";
const ENDGAME_FILE: &str = "EndgameFile";
const CLEAR: &str = "Clear Hash";
/// Options that frontends expect and that have no effect: the engine ponders when `go ponder` says
/// so, and analyses as it plays.
const WITHOUT_EFFECT: [&str; 2] = ["Ponder", "UCI_AnalyseMode"];
/// The value of a text option that is not set.
const EMPTY: &str = "<empty>";

/// The largest transposition table, in MiB.
pub const MAX_HASH: u64 = Options::MAX_TABLE_MIB;
/// The most threads that a search takes.
pub const MAX_THREADS: u64 = 1024;
/// The most lines that a search reports.
const MAX_LINES: u64 = MAX_MOVES as u64;
/// The most plies of a game for which a book is asked.
const MAX_BOOK_DEPTH: u64 = 1000;
/// The greatest overhead of a move, in milliseconds.
const MAX_OVERHEAD: u64 = 5000;

/// The consequence of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingChange {
    /// The engine continues as it is.
    Nothing,
    /// The game or the board is another one.
    Variant,
    /// The next search needs another engine.
    Engine,
    /// The engine forgets earlier searches.
    Clear,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The game and the board.
    pub variant: UciVariant,
    /// How the engine searches.
    pub algorithm: Algorithm,
    /// The transposition table, or the tree, in MiB.
    pub hash: u64,
    /// The threads of a search.
    pub threads: usize,
    /// The lines that a search reports.
    pub multi_pv: usize,
    /// The player: a shipped set, a file or a run; `None` for the default set of the board.
    pub eval_file: Option<String>,
    /// Single weights that were set after that.
    pub weights: Vec<(String, i32)>,
    /// Constants of the search that were set, in place of the player's.
    pub constants: Vec<(&'static str, i32)>,
    /// The time that a move costs in addition to its search.
    pub overhead: Duration,
    /// How the time of a clock is spent.
    pub clock_policy: ClockPolicy,
    /// Whether moves are taken from the opening book.
    pub own_book: bool,
    /// The file of the opening book.
    pub book_file: Option<String>,
    /// The plies of a game up to which moves are taken from it.
    pub book_depth: u32,
    /// The endgame database of the full search.
    pub endgame_file: Option<String>,
}

impl Settings {
    /// The transposition table until another size is set, in MiB.
    pub const HASH: u64 = 64;
    /// The plies of a game up to which moves are taken from a book, until others are set.
    pub const BOOK_DEPTH: u32 = 100;

    /// The values before any is set.
    pub fn new(variant: UciVariant) -> Self {
        Self {
            variant,
            algorithm: Algorithm::default(),
            hash: Self::HASH,
            threads: 1,
            multi_pv: 1,
            eval_file: None,
            weights: Vec::new(),
            constants: Vec::new(),
            overhead: Clock::OVERHEAD,
            clock_policy: ClockPolicy::default(),
            own_book: false,
            book_file: None,
            book_depth: Self::BOOK_DEPTH,
            endgame_file: None,
        }
    }

    /// A clock without time, with the overhead and the policy; `whole` is the time that the game
    /// began with.
    pub fn clock(&self, whole: Option<Duration>) -> Clock {
        let none = Clock::new(Duration::ZERO, Duration::ZERO);
        Clock { overhead: self.overhead, policy: self.clock_policy, whole, ..none }
    }

    /// Sets a constant of the search.
    pub fn set_constant(&mut self, name: &'static str, value: i32) {
        self.constants.retain(|(old, _)| *old != name);
        self.constants.push((name, value));
    }

    /// The constants of a player, overridden by the constants that were set.
    pub fn constants(&self, player: &Player) -> SearchConstants {
        let mut constants = player.constants.clone();
        for (name, value) in &self.constants {
            constants.set(name, *value);
        }
        constants
    }

    /// Every option, with its value as the default; the single weights and constants come from a
    /// player of the variant's game, unless they were set since.
    pub fn offers(&self, player: &Player) -> Vec<Offer> {
        let changed = |name: &str| {
            self.weights.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
        };
        let weight = |name| {
            weight_offer(
                name,
                changed(name).or_else(|| player.weights.one(name)).unwrap_or_default(),
            )
        };
        let mut offers = self.general();
        // A weight by phase is not one number.
        let names = self.variant.game.feature_names().into_iter();
        let single = names.filter(|name| player.weights.early_and_late(name).is_none());
        offers.extend(single.map(weight));
        offers.extend(constant_offers(self.algorithm, &self.constants(player)));
        offers
    }

    /// The options that are neither weights nor constants.
    fn general(&self) -> Vec<Offer> {
        let variants = UciVariant::all().map(|variant| variant.to_string()).collect();
        let policies =
            ClockPolicy::value_variants().iter().map(|policy| policy.name().to_owned()).collect();
        let spin = |name, value, min, max: u64| Offer::spin(name, value as i64, min, max as i64);
        let mut offers = vec![
            Offer::combo(VARIANT_OPTION, &self.variant.to_string(), variants),
            spin(HASH, self.hash, 1, MAX_HASH),
            spin(THREADS, self.threads as u64, 1, MAX_THREADS),
            Offer::button(CLEAR),
            spin(MULTI_PV, self.multi_pv as u64, 1, MAX_LINES),
            spin(OVERHEAD, self.overhead.as_millis() as u64, 0, MAX_OVERHEAD),
            Offer::combo(CLOCK_POLICY, self.clock_policy.name(), policies),
            Offer::text(EVAL_FILE, self.eval_file.as_deref().unwrap_or(EMPTY)),
            Offer::check(OWN_BOOK, self.own_book),
            Offer::text(BOOK_FILE, self.book_file.as_deref().unwrap_or(EMPTY)),
            spin(BOOK_DEPTH, self.book_depth.into(), 0, MAX_BOOK_DEPTH),
        ];
        if GameId::with_engine().iter().any(|game| game.has_endgames()) {
            offers.push(Offer::text(ENDGAME_FILE, self.endgame_file.as_deref().unwrap_or(EMPTY)));
        }
        offers.extend(WITHOUT_EFFECT.map(|name| Offer::check(name, false)));
        offers
    }

    /// Every option that can be set: the weights of all games among them, since the game may be
    /// chosen after its weights.
    fn known(&self) -> Vec<EngineOption> {
        let weights = GameId::all().iter().flat_map(|game| game.feature_names());
        let offers = self.general().into_iter().chain(weights.map(|name| weight_offer(name, 0)));
        offers
            .chain(constant_offers(self.algorithm, &SearchConstants::default()))
            .map(|offer| offer.option)
            .collect()
    }

    /// Sets an option. Names are matched in any case.
    ///
    /// # Errors
    /// When there is no such option, or it does not take the value. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<SettingChange> {
        let known = self.known();
        let option = find(&known, &shorten(name))?;
        let value = value.unwrap_or_default().trim();
        option.check(&shorten(value))?;
        let file = || (!["", EMPTY].contains(&value)).then(|| value.to_owned());
        let whole = || value.parse::<i64>().unwrap_or_default();
        match option.name.as_str() {
            VARIANT_OPTION => return self.set_variant(value),
            HASH => self.hash = whole().unsigned_abs(),
            THREADS => self.threads = whole().unsigned_abs() as usize,
            MULTI_PV => {
                self.multi_pv = whole().unsigned_abs() as usize;
                return Ok(SettingChange::Nothing);
            }
            OVERHEAD => {
                self.overhead = Duration::from_millis(whole().unsigned_abs());
                return Ok(SettingChange::Nothing);
            }
            CLOCK_POLICY => {
                self.clock_policy = ClockPolicy::from_str(value, true).map_err(|_| {
                    Error::input(format!("clock policy `{}`", shorten(value)), "unknown")
                })?;
                return Ok(SettingChange::Nothing);
            }
            OWN_BOOK => {
                self.own_book = value.eq_ignore_ascii_case("true");
                return Ok(SettingChange::Nothing);
            }
            BOOK_FILE => {
                self.book_file = file();
                return Ok(SettingChange::Nothing);
            }
            ENDGAME_FILE => {
                self.endgame_file = file();
                return Ok(SettingChange::Nothing);
            }
            BOOK_DEPTH => {
                self.book_depth = whole().unsigned_abs() as u32;
                return Ok(SettingChange::Nothing);
            }
            CLEAR => return Ok(SettingChange::Clear),
            EVAL_FILE => {
                self.eval_file = file();
                self.weights.clear();
            }
            name if WITHOUT_EFFECT.contains(&name) => return Ok(SettingChange::Nothing),
            name => match SearchConstants::info(name) {
                Ok(info) => self.set_constant(info.name, whole() as i32),
                Err(_) => {
                    self.weights.retain(|(old, _)| old != name);
                    self.weights.push((name.to_owned(), whole() as i32));
                }
            },
        }
        Ok(SettingChange::Engine)
    }

    fn set_variant(&mut self, value: &str) -> Result<SettingChange> {
        let variant = value.parse().map_err(|error: Error| error.within(shorten(value)))?;
        let changed = variant != self.variant;
        self.variant = variant;
        Ok(if changed { SettingChange::Variant } else { SettingChange::Nothing })
    }
}

/// Checks that this much memory is available.
///
/// # Errors
/// When the system refuses it; the error names `place`.
pub fn check_memory(bytes: usize, place: &str) -> Result<()> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| {
        let reason = format!("the system does not give {} of memory", units::bytes(bytes as u64));
        Error::input(place, reason).remedy("ask for less")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::DefaultWeights;

    fn settings() -> Settings {
        Settings::new(UciVariant::usual(GameId::default()))
    }

    fn player() -> Player {
        Player::find(GameId::default(), Some("atachiants"), DefaultWeights::HandMade).unwrap()
    }

    /// A name that two options share could not be set.
    #[test]
    fn no_two_options_have_one_name_in_any_game() {
        for &game in GameId::all() {
            let offers = Settings::new(UciVariant::usual(game)).offers(&player());
            let mut names: Vec<String> =
                offers.iter().map(|offer| offer.option.name.to_lowercase()).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{game}");
        }
    }

    #[test]
    fn every_weight_and_constant_is_an_option_with_its_range() {
        let offers: Vec<String> =
            settings().offers(&player()).iter().map(ToString::to_string).collect();
        for line in [
            "option name Hash type spin default 64 min 1 max 65536",
            "option name EvalFile type string default <empty>",
            "option name piece type spin default 1300 min -1000000 max 1000000",
            "option name razor_depth type spin default 2 min 0 max 10",
        ] {
            assert!(offers.iter().any(|offer| offer == line), "{line}");
        }
        assert!(
            offers[0].starts_with("option name UCI_Variant type combo default breakthrough var ")
        );
        assert!(offers[0].contains(" var breakthrough6x6"));
    }

    #[test]
    fn each_algorithm_offers_the_constants_that_it_reads() {
        for algorithm in Algorithm::ALL {
            let settings = Settings { algorithm, ..settings() };
            let offers: Vec<String> =
                settings.offers(&player()).into_iter().map(|offer| offer.option.name).collect();
            let has = |name: &str| offers.iter().any(|offer| offer == name);
            assert_eq!(has("razor_depth"), algorithm == Algorithm::Full);
            assert_eq!(has("tree_scale"), algorithm.is_tree_search());
        }
        assert!(settings().set("tree_scale", Some("100")).is_err());
        let mut settings = Settings { algorithm: Algorithm::Mcts, ..settings() };
        assert!(settings.set("tree_scale", Some("9")).is_err(), "out of range");
        settings.set("tree_scale", Some("100")).unwrap();
        assert_eq!(settings.constants, [("tree_scale", 100)]);
    }

    #[test]
    fn options_are_set_in_any_case() {
        let mut settings = settings();
        let mut put = |name: &str, value: &str| settings.set(name, Some(value)).unwrap();
        assert_eq!(put("hash", "8"), SettingChange::Engine);
        assert_eq!(put("Move overhead", "25"), SettingChange::Nothing);
        assert_eq!(put("clock policy", "stages"), SettingChange::Nothing);
        assert_eq!(put("RAZOR_depth", "5"), SettingChange::Engine);
        assert_eq!(put("piece", "100"), SettingChange::Engine);
        assert_eq!(put("piece", "-7"), SettingChange::Engine);
        assert_eq!(put("UCI_Variant", "breakthrough"), SettingChange::Nothing);
        assert_eq!(put("UCI_Variant", "breakthrough5x5"), SettingChange::Variant);
        assert_eq!(put("Ponder", "true"), SettingChange::Nothing);
        assert_eq!(put("Clear Hash", ""), SettingChange::Clear);
        assert_eq!((settings.hash, settings.overhead), (8, Duration::from_millis(25)));
        assert_eq!(settings.clock_policy, ClockPolicy::Stages);
        assert_eq!(settings.variant.board.cols(), 5);
        assert_eq!(settings.weights, [("piece".to_owned(), -7)]);
        assert_eq!(settings.constants, [("razor_depth", 5)]);
    }

    #[test]
    fn a_weight_file_replaces_single_weights_but_not_constants() {
        let mut settings = settings();
        settings.set("razor_depth", Some("5")).unwrap();
        settings.set("piece", Some("5")).unwrap();
        settings.set("EvalFile", Some(" zhu ")).unwrap();
        assert_eq!((settings.eval_file.as_deref(), settings.weights.len()), (Some("zhu"), 0));
        let mut player = player();
        (player.constants.razor_depth, player.constants.null_base) = (1, 4);
        let constants = settings.constants(&player);
        assert_eq!((constants.razor_depth, constants.null_base), (5, 4));
        settings.set("EvalFile", Some("<empty>")).unwrap();
        assert_eq!(settings.eval_file, None);
    }

    #[test]
    fn what_an_option_does_not_take_changes_nothing() {
        let mut settings = settings();
        let before = settings.clone();
        for (name, value) in [
            ("Hahs", "8"),
            ("", ""),
            ("Hash", "0"),
            ("Hash", "65537"),
            ("Hash", "99999999999999999999"),
            ("Hash", ""),
            ("Threads", "-1"),
            ("Ponder", "maybe"),
            ("piece", "1000001"),
            ("piece", "1.5"),
            ("razor_depth", "11"),
            ("UCI_Variant", "chess\u{1b}[2J"),
        ] {
            let error = settings.set(name, Some(value)).unwrap_err().to_string();
            assert!(!error.chars().any(char::is_control), "{error}");
        }
        assert_eq!(settings, before);
    }
}
