//! The work of a run: a tune, or a match or tournament.

use super::checksum::checksum;
use super::files::{SEARCH, WEIGHTS};
use super::journal::{Event, FileChecksums};
use crate::arena::seed::derive;
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::player::Player;
use crate::protocol::{Consent, EngineReferee, ExternalEngine, TrustedRules};
use crate::tournament::{Contestant, TournamentKind, TournamentSettings};
use crate::tune::{Plan, Stage, Target, TuneSettings};
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};

/// The full configuration of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
// A run has only one.
#[expect(clippy::large_enum_variant)]
pub enum Work<P = Player> {
    /// A tune. Its manifest has no `kind`.
    Tune(TuneWork<P>),
    /// A match or a tournament.
    Tournament(TournamentWork),
}

/// A tune as the run's manifest has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TuneWork<P = Player> {
    /// The configuration, with every default written out.
    pub config: TuneSettings,
    /// The player that the run starts from.
    pub start: P,
    /// The fingerprint of that player.
    pub fingerprint: String,
}

/// A player of which only the name is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerName {
    /// The full name of the shipped set, or the path as it was given.
    pub name: String,
}

/// A match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentWork {
    /// Whether it is a match or a tournament.
    pub kind: TournamentKind,
    /// The configuration, with every default written out.
    pub config: TournamentSettings,
    /// Further files to which the process that began the run writes the games as they are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
}

impl<P> Work<P> {
    /// The tune, if it is one.
    pub fn tune(&self) -> Option<&TuneWork<P>> {
        match self {
            Self::Tune(tune) => Some(tune),
            Self::Tournament(_) => None,
        }
    }

    /// The match or tournament, if it is one.
    pub fn tournament(&self) -> Option<&TournamentWork> {
        match self {
            Self::Tune(_) => None,
            Self::Tournament(tournament) => Some(tournament),
        }
    }

    /// The game by name, such as `breakthrough`.
    pub fn game(&self) -> &str {
        match self {
            Self::Tune(tune) => &tune.config.game,
            Self::Tournament(tournament) => &tournament.config.game,
        }
    }

    /// The board, columns x rows, such as `8x8`.
    pub fn board(&self) -> &str {
        match self {
            Self::Tune(tune) => &tune.config.board,
            Self::Tournament(tournament) => &tournament.config.board,
        }
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Tune(tune) => tune.config.seed,
            Self::Tournament(tournament) => tournament.config.seed,
        }
    }

    /// The method of a tune, `match` or `tournament`.
    pub fn method(&self) -> String {
        match self {
            Self::Tune(tune) => tune.config.method().to_string(),
            Self::Tournament(tournament) => tournament.kind.to_string(),
        }
    }

    /// The engine that knows the rules, where this program does not.
    pub fn referee(&self) -> Option<&ExternalEngine> {
        match self {
            Self::Tune(tune) => tune.config.referee.as_ref(),
            Self::Tournament(tournament) => tournament.config.referee.as_ref(),
        }
    }

    /// Makes the game known if a referee knows its rules, unless a game of this name is known.
    pub(super) fn know_game(&self) -> Result<()> {
        if GameId::find(self.game()).is_some() {
            return Ok(());
        }
        if self.tune().is_some_and(|tune| !tune.config.rules.are_known()) {
            return TrustedRules::know(self.game(), self.board().parse()?).map(drop);
        }
        match self.referee() {
            None => Ok(()),
            Some(referee) => {
                EngineReferee::know(referee, self.game(), self.board().parse()?).map(drop)
            }
        }
    }

    /// The external engines that it starts.
    pub fn engines(&self) -> Vec<&ExternalEngine> {
        match self {
            Self::Tune(tune) => {
                let opponents = tune.config.opponents().into_iter();
                let engines = opponents.flat_map(|opponents| &opponents.engines);
                engines.chain(tune.config.engine()).chain(self.referee()).collect()
            }
            Self::Tournament(tournament) => {
                let engines = tournament.config.players.iter().filter_map(|player| player.engine());
                engines.chain(self.referee()).collect()
            }
        }
    }

    /// Checks that an event can belong to such work.
    ///
    /// # Errors
    /// When it cannot. The error is the reason.
    pub fn check_event(&self, event: &Event) -> std::result::Result<(), String> {
        match (self, event) {
            (_, Event::Failure(_) | Event::Engine(_)) => Ok(()),
            (Self::Tournament(_), Event::Batch(batch)) if batch.stage == Stage::Match => Ok(()),
            (Self::Tournament(_), _) => {
                Err("has a line of a tune, though the run is a match or a tournament".into())
            }
            (Self::Tune(_), Event::Batch(batch)) if batch.stage == Stage::Match => {
                Err("has a line of a match, though the run is a tune".into())
            }
            (Self::Tune(_), _) => Ok(()),
        }
    }

    /// Notes the user's consent to start these engines.
    pub fn consent_to_engines(&mut self) {
        self.engines_mut().into_iter().for_each(|engine| engine.consent = Consent::default());
        if let (Some(referee), Ok(board)) = (self.referee(), self.board().parse()) {
            // The name of the game was checked when the manifest was read.
            let _ = EngineReferee::know(referee, self.game(), board);
        }
    }

    /// As [`engines`](Self::engines), to change their options.
    pub fn engines_mut(&mut self) -> Vec<&mut ExternalEngine> {
        match self {
            Self::Tune(TuneWork { config: TuneSettings { plan, referee, .. }, .. }) => match plan {
                Plan::Matches(plan) => {
                    let opponents = plan.opponents.iter_mut();
                    let engines = opponents.flat_map(|opponents| &mut opponents.engines);
                    engines.chain(&mut plan.engine).chain(referee).collect()
                }
                Plan::Fitting(_) | Plan::Training(_) => referee.iter_mut().collect(),
            },
            Self::Tournament(tournament) => {
                let TournamentSettings { players, referee, .. } = &mut tournament.config;
                players.iter_mut().filter_map(Contestant::engine_mut).chain(referee).collect()
            }
        }
    }

    /// The id of the run.
    ///
    /// # Errors
    /// When the configuration cannot be written as JSON.
    pub fn id(&self) -> Result<String> {
        let text = match self {
            Self::Tune(tune) => serde_json::to_value(&tune.config),
            Self::Tournament(tournament) => serde_json::to_value(&tournament.config),
        };
        let text = text.map_err(|e| Error::failed("configuration", e))?;
        // The players of a tournament are in its configuration.
        let players = self.tune().map_or("", |tune| &tune.fingerprint);
        let bytes: Vec<u64> = format!("{text}{players}").bytes().map(u64::from).collect();
        let digest = derive(0, &bytes) >> 32;
        let name = run_name(self.game(), &self.method(), self.seed());
        Ok(format!("{name}-{digest:08x}"))
    }

    /// Checks what can be checked without playing.
    pub(super) fn check(&self) -> Result<()> {
        match self {
            Self::Tune(tune) => tune.config.check(),
            Self::Tournament(tournament) => tournament.config.check(),
        }
    }
}

/// The part of the names of a run and its directory that the configuration gives.
pub(super) fn run_name(game: &str, method: &str, seed: u64) -> String {
    format!("{game}-{method}-{seed}")
}

impl Work {
    /// The same without weights.
    pub(super) fn head(self) -> Work<PlayerName> {
        match self {
            Self::Tune(TuneWork { config, start, fingerprint }) => {
                Work::Tune(TuneWork { config, start: PlayerName { name: start.name }, fingerprint })
            }
            Self::Tournament(tournament) => Work::Tournament(tournament),
        }
    }
}

impl TuneWork {
    /// A tune from a player.
    pub fn new(config: TuneSettings, start: Player) -> Self {
        let fingerprint = start.fingerprint();
        Self { config, start, fingerprint }
    }

    /// The files that a player of the run is written to, by name.
    pub(super) fn files_of(&self, player: &Player) -> Vec<(&'static str, WeightSet)> {
        if self.config.target() == Target::Option {
            return Vec::new();
        }
        let weights = (WEIGHTS, player.to_set());
        match self.config.has_search(&self.start) {
            true => vec![(SEARCH, player.to_constants_set()), weights],
            false => vec![weights],
        }
    }

    /// The checksums of the files of a player.
    pub(super) fn checksums_of(&self, player: &Player) -> FileChecksums {
        let files = self.files_of(player).into_iter();
        files.map(|(name, set)| (name.into(), checksum(set.to_json().as_bytes()))).collect()
    }
}

impl From<TuneWork> for Work {
    fn from(tune: TuneWork) -> Self {
        Self::Tune(tune)
    }
}

impl From<TournamentWork> for Work {
    fn from(tournament: TournamentWork) -> Self {
        Self::Tournament(tournament)
    }
}
