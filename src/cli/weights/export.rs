//! `spar weights export` and `spar weights import`.

use super::check::{check_set_for_game, load};
use crate::cli::force::write_free;
use crate::cli::named::candidate_of;
use crate::cli::{Console, Ended, NamedSet, check_free, infer};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::games::source::{c_header, js_module};
use crate::report::units;
use crate::runs::SetRole;
use crate::shell;
use crate::weights::WeightSet;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Writes a set in another form: compact, as JSON, or as source code of C or JavaScript
#[derive(Args, Debug)]
pub(in crate::cli) struct WeightsExportArgs {
    /// A weight file, a shipped set or a run
    #[arg(value_name = "WEIGHTS")]
    weights: String,
    /// Take the candidate of the run, accepted or not: as RUN:candidate
    #[arg(long)]
    candidate: bool,
    /// The form
    #[arg(long, value_name = "FORM", value_enum)]
    to: Form,
    /// The game of a shipped set that is named without one [default: the game that has the set]
    #[arg(long)]
    game: Option<GameId>,
    #[command(flatten)]
    output: SetOutputArgs,
}

/// Writes a weight file of any form as JSON, after checking it against the features of its game
#[derive(Args, Debug)]
pub(in crate::cli) struct WeightsImportArgs {
    /// A weight file, compact or JSON
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: SetOutputArgs,
}

/// Where the result goes.
#[derive(Args, Debug)]
struct SetOutputArgs {
    /// The file to write [default: the name of the set, with the ending of the form]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
}

/// A form that a set can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum Form {
    /// The compact form, which every command reads
    Bin,
    /// The weight file as text
    Json,
    /// A header of C99 with the numbers and the evaluation
    C,
    /// A module of JavaScript with the numbers and the evaluation
    Js,
}

impl Form {
    fn ending(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Json => "json",
            Self::C => "h",
            Self::Js => "mjs",
        }
    }

    /// The set in this form; `place` is what errors call it.
    fn bytes(self, set: &WeightSet, place: &str) -> Result<Vec<u8>> {
        match self {
            Self::Bin => set.to_compact().map_err(|error| error.within(place)),
            Self::Json => Ok(set.to_json().into_bytes()),
            Self::C => c_header(set, place).map(of_program),
            Self::Js => js_module(set, place).map(of_program),
        }
    }
}

/// Source code with this program's name. It refers to the program's code in place of FEATURES.md,
/// which describes no games from outside.
fn of_program(source: String) -> Vec<u8> {
    if shell::is_own_program() {
        return source.into_bytes();
    }
    without_features_file(&shell::for_program(&source)).into_bytes()
}

/// The text with the program's code in place of FEATURES.md, also where a sentence begins with it.
fn without_features_file(text: &str) -> String {
    text.replace(". FEATURES.md", ". The program's code")
        .replace("FEATURES.md", "the program's code")
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WeightsExportJson<'a> {
    /// The set: the name of a shipped one, the path of a file, or `RUN:start` or `RUN:candidate` of
    /// a run that was not accepted.
    weights: &'a str,
    /// The path of the file.
    file: String,
    form: Form,
    /// The size of the file.
    bytes: u64,
    /// A digest of the weights and constants.
    fingerprint: String,
}

pub(super) fn run_export(args: &WeightsExportArgs, console: &Console) -> Result<Ended> {
    let weights = candidate_of(&args.weights, args.candidate);
    let game = args.game.unwrap_or_else(|| infer::game(&[&weights]));
    game.needs_engine()?;
    let named = NamedSet::find(&weights, game.name())?;
    named.tell(console);
    let mut set = named.read(game.name())?;
    // Outside of its run nothing else would say so.
    if named.run_set().is_some_and(|of_run| of_run.role == SetRole::Candidate) {
        set.description = format!("Not accepted. {}", set.description).trim_end().into();
    }
    write(&set, &named.name(), args.to, &args.output, console)
}

pub(super) fn run_import(args: &WeightsImportArgs, console: &Console) -> Result<Ended> {
    let set = load(&args.file)?;
    write(&set, &args.file.display().to_string(), Form::Json, &args.output, console)
}

fn write(
    set: &WeightSet,
    place: &str,
    form: Form,
    output: &SetOutputArgs,
    console: &Console,
) -> Result<Ended> {
    check_set_for_game(set, place)?;
    if set.has_only_constants() && matches!(form, Form::C | Form::Js) {
        return Err(Error::input(
            place,
            "holds search constants only, no weights to evaluate with",
        )
        .remedy("name a set with weights"));
    }
    let path = output_path(output.output.as_deref(), name_within_game(&set.name), form.ending())?;
    check_free(&path, output.force)?;
    let bytes = form.bytes(set, place)?;
    write_free(&path, &bytes, output.force)?;
    let (file, size) = (path.display().to_string(), bytes.len() as u64);
    if console.json {
        let fingerprint = set.fingerprint();
        console.document(&WeightsExportJson {
            weights: place,
            file,
            form,
            bytes: size,
            fingerprint,
        })?;
    } else {
        console.say(format!("wrote {file}, {} bytes", units::count(size)))?;
    }
    Ok(Ended::Done)
}

/// The name of a set without its game: runs name their sets as `ataxx/spsa-1-0a1b2c3d`.
fn name_within_game(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The file given, or one with the name of the set and this ending.
pub(super) fn output_path(output: Option<&Path>, name: &str, ending: &str) -> Result<PathBuf> {
    if let Some(path) = output {
        return Ok(path.to_owned());
    }
    // A set may be called anything, `../x` too.
    match Path::new(name).file_name() {
        Some(plain) if plain == name && is_plain(name) => Ok(format!("{name}.{ending}").into()),
        _ => Err(Error::input(format!("name `{name}`"), "cannot be a file name")
            .remedy("name the file with -o")),
    }
}

/// Whether a terminal and a person can read a name.
fn is_plain(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nobody_can_read_names_no_file() {
        assert_eq!(output_path(None, "mine", "h").unwrap(), Path::new("mine.h"));
        for name in ["../up", "a/b", "", " ", "a\u{1b}[31m", "a\nb"] {
            assert!(output_path(None, name, "h").is_err(), "{name:?}");
        }
    }

    #[test]
    fn sentences_about_the_programs_code_begin_with_a_capital() {
        let text = "the other side. FEATURES.md says which row comes first, as FEATURES.md has it";
        let own = "the other side. The program's code says which row comes first, as the program's code has it";
        assert_eq!(without_features_file(text), own);
    }

    #[test]
    fn the_file_of_a_runs_set_is_named_without_the_game_and_stays_in_the_folder() {
        let path = |name| output_path(None, name_within_game(name), "h").map_err(drop);
        assert_eq!(path("spsa"), Ok("spsa.h".into()));
        assert_eq!(path("ataxx/spsa-1-0a1b2c3d"), Ok("spsa-1-0a1b2c3d.h".into()));
        assert_eq!(path("../x"), Ok("x.h".into()));
        assert!(path("..").is_err() && path("x/").is_err());
    }
}
