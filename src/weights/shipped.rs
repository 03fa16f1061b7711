//! The weight sets that come with the program, and finding a set by name or path.

use super::WeightSet;
use crate::error::{Error, Result, nearest};
use std::path::Path;

/// Lists the files under `weights/` that are built in.
macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../weights/", $name, ".json")))),*]
    };
}

static SHIPPED: &[(&str, &str)] = shipped![
    "ataxx/7x7",
    "ataxx/general",
    "ataxx/hand",
    "ataxx/piece",
    "breakthrough/5x5",
    "breakthrough/6x6",
    "breakthrough/7x7",
    "breakthrough/8x8",
    "breakthrough/atachiants",
    "breakthrough/defensive",
    "breakthrough/defensive-reckless",
    "breakthrough/greedy",
    "breakthrough/mobility",
    "breakthrough/own-mobility",
    "breakthrough/piece",
    "breakthrough/proximity",
    "breakthrough/random",
    "breakthrough/reckless",
    "breakthrough/spsa",
    "breakthrough/zhu",
    "breakthru/11x11",
    "breakthru/grassi",
    "breakthru/hand",
    "breakthru/piece",
];

/// The weight sets that come with the program: name (`game/set`) and JSON text.
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    SHIPPED
}

/// A weight set by its shipped name, with the game (`breakthrough/atachiants`) or without it
/// (`atachiants`, looked up among the sets of `game`), or by the path of a file. A shipped name
/// goes before a file of that name; write `./atachiants` for the file. Whether the set is for
/// `game` is for [`WeightSet::check`] to say.
///
/// # Errors
/// When there is no such set or file, with the nearest names; or as [`WeightSet::load`].
pub fn find(name_or_path: &str, game: &str) -> Result<WeightSet> {
    let full = format!("{game}/{name_or_path}");
    if let Some((name, text)) =
        shipped().iter().find(|&&(name, _)| name == name_or_path || name == full)
    {
        return WeightSet::from_json(text, name);
    }
    let path = Path::new(name_or_path);
    if path.exists() || name_or_path.ends_with(".json") || name_or_path.contains('\\') {
        return WeightSet::load(path);
    }
    Err(unknown(name_or_path, game))
}

fn unknown(name: &str, game: &str) -> Error {
    let short =
        |full: &'static str| full.strip_prefix(game)?.strip_prefix('/').map(|short| (short, full));
    let full_names = || shipped().iter().map(|&(full, _)| full);
    let near = nearest(name, full_names().filter_map(short).map(|(short, _)| short))
        .map(|near| format!("{game}/{near}"))
        .or_else(|| nearest(name, full_names()).map(str::to_owned));
    let error = Error::input(
        format!("weights `{name}`"),
        "no shipped weight set and no file has this name",
    );
    match near {
        Some(near) => error.remedy(format!("did you mean `{near}`?")),
        None => error.remedy(format!(
            "the shipped sets are: {}",
            full_names().collect::<Vec<_>>().join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_sets_are_found_by_either_name() {
        let set = find("breakthrough/zhu", "breakthrough").unwrap();
        assert_eq!(find("zhu", "breakthrough").unwrap(), set);
        assert_eq!(find("breakthrough/zhu", "ataxx").unwrap(), set);
        assert!(find("zhu", "ataxx").is_err());
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_or_all() {
        for name in ["atachiant", "breakthrough/atachiant", "breaktrough/atachiants"] {
            let error = find(name, "breakthrough").unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(
                error.to_string().ends_with("did you mean `breakthrough/atachiants`?"),
                "{error}"
            );
        }
        for name in ["", "a name like no other", "no/such/file"] {
            let error = find(name, "breakthrough").unwrap_err().to_string();
            assert!(shipped().iter().all(|(name, _)| error.contains(name)), "{error}");
        }
        let error = find("no/such.json", "breakthrough").unwrap_err();
        assert!(error.to_string().starts_with("no/such.json: cannot read"), "{error}");
    }
}
