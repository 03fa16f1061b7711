//! The arguments of commands that play matches.

use super::args::OpeningArgs;
use super::cluster_args::ClusterArgs;
use super::games::{GameFormat, GameWriter};
use super::limit_args::{AdjudicationArgs, GameLimitArgs};
use super::referee_args::JudgedGame;
use crate::cli::{Console, HashArg, SeedArg, ThreadArgs, check_all_free, runs_folder};
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::report::export::ExportSource;
use crate::run::{RunDir, TournamentWork, Work};
use crate::search::Limits;
use crate::stats::Sprt;
use crate::tournament::{Contestant, TournamentSettings};
use crate::tune::GameRules;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The arguments of a command that plays matches.
#[derive(Args, Clone, Debug)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub(super) limits: GameLimitArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
    #[command(flatten)]
    pub(super) engines: ExternalEngine,
    /// The directory of the run [default: a new one in the folder of runs]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    run: Option<PathBuf>,
    /// Keep nothing on disk: then there is no resume and no report
    #[arg(long, conflicts_with = "run", help_heading = "Output")]
    no_run: bool,
    /// Save the games to this file as well, one JSON record a line; compressed when its name ends
    /// with .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save: Option<PathBuf>,
    /// Write the games to this file as PGN as well, in the order in which they are counted;
    /// compressed when its name ends with .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pgn: Option<PathBuf>,
    /// Overwrite the files of --save and --pgn if they exist
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl ArenaArgs {
    /// The settings of a match or tournament of these players: at most `pairs` pairs in each match,
    /// fewer if the test decides it sooner.
    ///
    /// # Errors
    /// When there is not enough memory for the tables.
    pub(super) fn settings(
        &self,
        judged: JudgedGame,
        players: Vec<Contestant>,
        pairs: u64,
        sprt: Option<Sprt>,
    ) -> Result<TournamentSettings> {
        let JudgedGame { game, board, referee } = judged;
        let limits: Vec<Limits> = players.iter().map(|player| player.limits).collect();
        let seed = self.seed.seed;
        Ok(TournamentSettings {
            game: game.name.into(),
            board: board.to_string(),
            batch_pairs: TournamentSettings::batch_pairs_for(&players),
            players,
            pairs,
            sprt,
            seed,
            book: self.openings.book(game, board, seed)?,
            // Each thread has two players.
            table_bytes: self.hash.bytes(&limits, 2 * self.threads.count())?,
            adjudication: self.adjudication.of(game),
            referee,
            max_plies: self.adjudication.max_plies,
        })
    }

    /// The names of the files that `--save` and `--pgn` write as games are played.
    pub(super) fn copies(&self) -> Vec<String> {
        [&self.save, &self.pgn]
            .into_iter()
            .flatten()
            .map(|path| path.display().to_string())
            .collect()
    }

    /// The files that `--save` and `--pgn` write as games of the run of this id are played.
    ///
    /// # Errors
    /// When `--force` has no file to overwrite, or a file exists already or cannot be created.
    pub(super) fn files(&self, work: &TournamentWork, id: &str) -> Result<Vec<GameWriter>> {
        if self.force && self.save.is_none() && self.pgn.is_none() {
            return Err(Error::input("--force", "there is no file to overwrite")
                .remedy("name one with --save or --pgn"));
        }
        let paths: Vec<&Path> =
            [&self.save, &self.pgn].into_iter().flatten().map(PathBuf::as_path).collect();
        check_all_free(&paths, self.force)?;
        let pgn = || {
            GameFormat::Pgn(ExportSource {
                event: id.into(),
                begun: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                limits: work.config.common_limits(),
                rules: GameRules::Known,
                one_line: false,
            })
        };
        let save = self.save.as_deref().map(|path| (path, GameFormat::Jsonl));
        let files = save.into_iter().chain(self.pgn.as_deref().map(|path| (path, pgn())));
        files.map(|(path, format)| GameWriter::create(path, format, self.force)).collect()
    }

    /// The directory for the run of a match or tournament; `None` with `--no-run`, or if the place
    /// is read-only.
    pub(super) fn place(&self, work: &Work, console: &Console) -> Result<Option<PathBuf>> {
        if self.no_run || self.run.is_some() {
            return Ok(self.run.clone());
        }
        match RunDir::reserve(runs_folder().path(), work) {
            Err(error) if is_read_only(&error) => {
                console.note(format!("nothing is saved, so the match cannot be resumed: {error}"));
                Ok(None)
            }
            reserved => reserved.map(Some),
        }
    }
}

/// Whether an error says that a place is read-only.
fn is_read_only(error: &Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.io_kind(), Some(ReadOnlyFilesystem | PermissionDenied))
}
