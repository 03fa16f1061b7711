//! The registry: the games of the program and the weight sets shipped with them.

use super::{Referee, Variant};
use crate::error::{Error, Result, shorten, suggest};
use crate::eval::Game;
#[cfg(feature = "endgames")]
use crate::game::endgames::Endgames;
use crate::game::{Board, Rules};
use crate::games::{Ataxx, Breakthrough, Breakthru};
#[cfg(feature = "chess")]
use crate::games::{Chess, Chess960};
use crate::weights::shipped::{ShippedSet, shipped_with_the_program};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The registry, which the first query fixes.
static KNOWN: OnceLock<Known> = OnceLock::new();

/// The games with a referee, one for each name.
static REFEREED: Mutex<Vec<GameId>> = Mutex::new(Vec::new());
/// The longest name of a game with a referee, in characters.
const NAME_CHARS: usize = 40;

struct Known {
    /// The games that the built-in engine plays come first.
    games: Vec<GameId>,
    sets: Vec<ShippedSet>,
}

/// The games of a program and the weight sets shipped with them.
///
/// ```
/// use sparring_engine::any::Variants;
/// Variants::shipped().install()?;
/// # Ok::<(), sparring_engine::error::Error>(())
/// ```
#[derive(Default)]
pub struct Variants {
    games: Vec<Variant>,
    sets: Vec<ShippedSet>,
}

impl Variants {
    /// A registry without any games.
    pub fn none() -> Self {
        Self::default()
    }

    /// The games of this crate with their sets.
    pub fn shipped() -> Self {
        let games = Self::none().with::<Breakthrough>().with::<Ataxx>().with::<Breakthru>();
        #[cfg(feature = "endgames")]
        let games = games.with_endgames::<Breakthrough>().with_endgames::<Breakthru>();
        #[cfg(feature = "chess")]
        let games = games.with_rules::<Chess>().with_rules::<Chess960>();
        Self { sets: shipped_with_the_program(), ..games }
    }

    /// Adds a game. The first one with an engine is the default of commands.
    #[must_use]
    pub fn with<G: Game>(mut self) -> Self {
        self.games.push(Variant::of::<G>());
        self
    }

    /// Provides a game that was added earlier with endgame databases.
    #[cfg(feature = "endgames")]
    #[must_use]
    pub fn with_endgames<G: Game + Endgames>(mut self) -> Self {
        let is_it = |game: &Variant| game.name == G::GAME;
        if let Some(place) = self.games.iter().position(is_it) {
            let game = self.games.remove(place).with_endgames::<G>();
            self.games.insert(place, game);
        }
        self
    }

    /// Adds a game that has rules only and is played by external engines.
    #[must_use]
    pub fn with_rules<R: Rules>(mut self) -> Self {
        self.games.push(Variant::of_rules::<R>());
        self
    }

    /// Adds a weight set of the most recently added game, from the text of its file.
    #[must_use]
    pub fn with_set(mut self, name: &str, text: &'static str) -> Self {
        let game = self.games.last().map_or("", |game| game.name);
        self.sets.push(ShippedSet::of_text(&format!("{game}/{name}"), text));
        self
    }

    /// Adds this crate's shipped sets of all games added so far.
    #[must_use]
    pub fn with_shipped_sets(mut self) -> Self {
        let is_known = |set: &ShippedSet| {
            let game = set.name.split('/').next();
            self.games.iter().any(|known| Some(known.name) == game)
        };
        self.sets.extend(shipped_with_the_program().into_iter().filter(is_known));
        self
    }

    /// Makes these the games of the program. By default it has the games of this crate.
    ///
    /// # Errors
    /// When there is no game, two games share a name, a set belongs to none of them or does not
    /// have its game's features, or the registry was already queried.
    pub fn install(self) -> Result<()> {
        let names: Vec<&str> = self.games.iter().map(|game| game.name).collect();
        let Some(last) = names.len().checked_sub(1) else {
            return Err(Error::input("games", "there are none").remedy("name at least one"));
        };
        let is_double = |name: &&str| names.iter().filter(|known| known == &name).count() > 1;
        if let Some(name) = names[..last].iter().find(|name| is_double(name)) {
            return Err(Error::input(format!("game `{name}`"), "two games have this name"));
        }
        self.sets.iter().try_for_each(|set| self.check_set(set))?;
        let known = || Error::failed("games", "they have been asked for before");
        KNOWN.set(self.known()).map_err(|_| known().remedy("install them first"))
    }

    /// Checks a set that ships with the program. Sets with tables were checked when they were
    /// built.
    fn check_set(&self, set: &ShippedSet) -> Result<()> {
        let name = set.name.split('/').next().unwrap_or_default();
        let place = format!("weight set `{}`", set.name);
        let Some(game) = self.games.iter().find(|game| game.name == name) else {
            let names = self.games.iter().map(|game| game.name);
            let remedy = suggest(name, names, "known games are");
            return Err(Error::input(place, "of no known game").remedy(remedy));
        };
        let weights = set.without_tables()?;
        if set.is_whole() { game.check_set(&weights, &place) } else { Ok(()) }
    }

    fn known(mut self) -> Known {
        let (engines, rules): (Vec<_>, Vec<_>) =
            self.games.into_iter().partition(Variant::has_engine);
        self.games = engines.into_iter().chain(rules).collect();
        Known { games: self.games.into_iter().map(GameId::leaked).collect(), sets: self.sets }
    }
}

fn known() -> &'static Known {
    KNOWN.get_or_init(|| Variants::shipped().known())
}

/// The weight sets shipped with the program, by name.
pub(crate) fn known_sets() -> &'static [ShippedSet] {
    &known().sets
}

/// A game known to the program.
#[derive(Clone, Copy)]
pub struct GameId(&'static Variant);

impl GameId {
    /// All games, the default game first.
    pub fn all() -> &'static [GameId] {
        &known().games
    }

    /// The games that the built-in engine plays, the default game first.
    pub fn with_engine() -> &'static [GameId] {
        let games = Self::all();
        &games[..games.partition_point(|game| game.has_engine())]
    }

    /// The game of a type, even if the program does not know it. For tests.
    pub fn of<G: Game>() -> Self {
        G::GAME.parse().unwrap_or_else(|_| Self::leaked(Variant::of::<G>()))
    }

    /// As [`of`](Self::of), for a game that has rules only.
    pub fn of_rules<R: Rules>() -> Self {
        R::GAME.parse().unwrap_or_else(|_| Self::leaked(Variant::of_rules::<R>()))
    }

    /// Registers a game with a referee; its board is the board of its start. It replaces an earlier
    /// game of the same name with a referee.
    ///
    /// # Errors
    /// When the name is not valid for a game, or the program itself knows its rules.
    pub fn refereed(name: &str, board: Board, referee: Arc<dyn Referee>) -> Result<Self> {
        Self::check_refereed(name)?;
        let game = Self::leaked(Variant::refereed(String::from(name).leak(), board, referee));
        let mut refereed = REFEREED.lock().unwrap_or_else(PoisonError::into_inner);
        refereed.retain(|known| known.name != name);
        refereed.push(game);
        Ok(game)
    }

    /// Checks that a game with a referee may have this name.
    ///
    /// # Errors
    /// As for [`refereed`](Self::refereed).
    pub fn check_refereed(name: &str) -> Result<()> {
        let place = || format!("game `{}`", shorten(name));
        if known().games.iter().any(|game| game.name == name) {
            return Err(Error::input(place(), "its rules are known here, without a referee")
                .remedy("leave out --referee or --rules"));
        }
        let is_sign = |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | '-' | '_');
        if name.is_empty() || name.len() > NAME_CHARS || !name.chars().all(is_sign) {
            return Err(Error::input(place(), "no name of a variant")
                .remedy("write it as the engine's option UCI_Variant does, for example shogi"));
        }
        Ok(())
    }

    /// The game of this name if the program knows it.
    pub fn find(name: &str) -> Option<Self> {
        let of_name = |game: &Self| game.0.name == name;
        Self::all().iter().copied().find(of_name).or_else(|| {
            let refereed = REFEREED.lock().unwrap_or_else(PoisonError::into_inner);
            refereed.iter().copied().find(of_name)
        })
    }

    fn leaked(game: Variant) -> Self {
        Self(Box::leak(Box::new(game)))
    }

    /// The name that files and commands use.
    pub fn name(self) -> &'static str {
        self.0.name
    }
}

impl Default for GameId {
    fn default() -> Self {
        Self::all()[0]
    }
}

impl Deref for GameId {
    type Target = Variant;

    fn deref(&self) -> &Variant {
        self.0
    }
}

impl PartialEq for GameId {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for GameId {}

impl Hash for GameId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl FromStr for GameId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::find(text).ok_or_else(|| {
            let names = Self::all().iter().map(|game| game.0.name);
            Error::input(format!("game `{text}`"), "unknown").remedy(suggest(
                text,
                names,
                "known are",
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_the_program_has_the_features_of_its_game() {
        let refused = |name, text| {
            let variants = Variants::none().with::<Ataxx>().with_set(name, text);
            variants.install().unwrap_err().to_string()
        };
        let misspelt = r#"{ "format": 1, "game": "ataxx", "board": null, "name": "mine", "description": "",
            "scale": 1, "weights": { "pice": 100 }, "provenance": null }"#;
        let error = refused("mine", misspelt);
        assert!(error.starts_with("weight set `ataxx/mine`, key `pice`"), "{error}");
        assert!(error.contains("did you mean `piece`?"), "{error}");
    }
}
