use crate::cli::{Console, Ended, find_run};
use crate::error::Result;
use crate::runs::RunLabel;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Gives a run a name, a note or tags, which lists and pages show; without options shows them
#[derive(Args, Debug)]
pub(super) struct LabelArgs {
    /// The run: `last`, its name or a part of it, or its directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// A name to show in lists; empty for none
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// A note; empty for none
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Add a tag; may be repeated
    #[arg(long, value_name = "WORD")]
    tag: Vec<String>,
    /// Remove a tag; may be repeated
    #[arg(long, value_name = "WORD")]
    untag: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LabelJson {
    /// The directory of the run.
    run: String,
    /// The name, in place of the directory's; null if none is set.
    name: Option<String>,
    /// The user's note; null if none is set.
    note: Option<String>,
    /// Words to find the run by, in alphabetical order.
    tags: Vec<String>,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Ended> {
    let path = find_run(&args.run)?;
    let before = RunLabel::read(&path).unwrap_or_default();
    let label = args.changed(&before)?;
    if label != before {
        label.write(&path)?;
    }
    let run = path.display().to_string();
    if console.json {
        let RunLabel { name, note, tags } = label;
        console.document(&LabelJson { run, name, note, tags })?;
        return Ok(Ended::Done);
    }
    let tags = label.tags.join(", ");
    for (what, text) in
        [("name", label.name), ("note", label.note), ("tags", Some(tags).filter(|t| !t.is_empty()))]
    {
        console.say(format!("{what}  {}", text.as_deref().unwrap_or("-")))?;
    }
    Ok(Ended::Done)
}

impl LabelArgs {
    fn changed(&self, before: &RunLabel) -> Result<RunLabel> {
        let given = RunLabel {
            name: self.name.clone().or_else(|| before.name.clone()),
            note: self.note.clone().or_else(|| before.note.clone()),
            tags: before.tags.iter().chain(&self.tag).cloned().collect(),
        };
        let mut label = given.tidied()?;
        label.tags.retain(|tag| !self.untag.contains(tag));
        Ok(label)
    }
}
