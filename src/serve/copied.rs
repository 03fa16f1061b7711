//! The options of a run, for a form that starts another one like it: values for the form's fields,
//! and further options that only the run has.

use super::answer::{Refusal, Reply};
use super::api::{Shares, beside};
use super::form::{FormKind, FormMethod, value_of};
use super::requests::PlayRequest;
use super::state::ServerState;
use crate::error::{Error, shorten};
use crate::report::GivenOption;
use crate::run::{MANIFEST, Manifest, TrustMark, Work};
use crate::shell::quote_path;
use crate::tune::Method;
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path as FilePath;

/// The field that every form has for this option.
const NODES: &str = "nodes";

/// The form to fill; the run's own where none is named.
#[derive(Deserialize)]
pub(super) struct WantedForm {
    kind: Option<FormKind>,
}

/// Answers with the options of a run: values for a form's fields, and options that are kept.
pub(super) async fn options(
    State(shared): Shares,
    Path(name): Path<String>,
    Query(wanted): Query<WantedForm>,
) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let directory = shared.directory(&name)?;
        let manifest = Manifest::load(&directory.join(MANIFEST))?;
        let (given, (kind, method)) = of_run(&manifest, wanted.kind, &directory)?;
        let (mut fields, mut kept) = (Map::new(), Vec::new());
        for option in given.iter().filter(|option| option.name != NODES) {
            match value_of(kind, method, option) {
                Some(value) => drop(fields.insert(option.name.clone(), value)),
                None => kept.push(json!({ "name": option.name, "text": option.typed() })),
            }
        }
        Ok(Json(json!({ "options": fields, "kept": kept })))
    })
    .await
}

/// The options of a run, and the form that starts such a run; for a tune, if wanted, the form of a
/// match between its candidate and its start.
fn of_run(
    manifest: &Manifest,
    wanted: Option<FormKind>,
    directory: &FilePath,
) -> Reply<(Vec<GivenOption>, FormMethod)> {
    Ok(match &manifest.work {
        Work::Tune(tune) if wanted == Some(FormKind::Match) => {
            (GivenOption::of_match_with_start(tune)?, (FormKind::Match, None))
        }
        Work::Tune(tune) => {
            (GivenOption::of_tune(tune)?, (FormKind::Tune, Some(tune.config.method())))
        }
        Work::Tournament(tournament) => {
            (GivenOption::of_match(tournament, directory)?, (FormKind::Match, None))
        }
    })
}

/// The options that a request keeps of the run that it is copied from.
///
/// # Errors
/// When the run is gone, is of another kind, has no such option, or its options start engines that
/// nobody has trusted.
pub(super) fn kept_options(
    play: &PlayRequest,
    kind: FormKind,
    method: Option<Method>,
    shared: &ServerState,
) -> Reply<Vec<GivenOption>> {
    if play.keeps.is_empty() {
        return Ok(Vec::new());
    }
    let run = play.like.as_deref().unwrap_or_default();
    let directory = shared.directory(run)?;
    let manifest = Manifest::load(&directory.join(MANIFEST))?;
    if !TrustMark::is_needless(&manifest) {
        let reason = "somebody else began it, and its options start engines";
        let command = format!("spar resume {}", quote_path(&directory));
        let remedy = format!("resume it in a terminal, which shows them first: {command}");
        return Err(Refusal::conflict(run, reason, &remedy));
    }
    let (given, (its_kind, _)) = of_run(&manifest, Some(kind), &directory)?;
    let is_its =
        |name: &&String| its_kind == kind && given.iter().any(|option| option.name == **name);
    if let Some(name) = play.keeps.iter().find(|name| !is_its(name)) {
        let place = format!("option `{}`", shorten(name));
        return Err(Error::input(place, format!("run `{}` does not have it", shorten(run)))
            .remedy("copy the run again")
            .into());
    }
    let is_kept = |option: &GivenOption| {
        play.keeps.contains(&option.name) && value_of(kind, method, option).is_none()
    };
    Ok(given.into_iter().filter(is_kept).collect())
}
