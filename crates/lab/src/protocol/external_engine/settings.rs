//! The commands that set an engine's options and its game.

use super::super::dialect::{CHESS960_OPTION, USI_VARIANT_OPTION, VARIANT_OPTION};
use super::super::options::{EngineOption, OptionKind, find};
use crate::error::{Error, Result};
use crate::variants::short_variant_name;
use std::collections::BTreeMap;

/// Reads an option of an engine: `NAME=VALUE`, or a button's `NAME` alone.
///
/// # Errors
/// When there is no name.
pub fn parse_option(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err(Error::input(format!("engine option `{text}`"), "not NAME=VALUE")
            .remedy("write for example Hash=64"));
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The commands that set the wanted options, and the game where the engine has several.
pub(super) fn option_commands(
    offered: &[EngineOption],
    wanted: &[(String, String)],
    variant: &str,
) -> Result<Vec<String>> {
    let mut commands = Vec::new();
    for (name, value) in wanted {
        let option = find(offered, name)?;
        option.check(value)?;
        commands.push(setoption(option, value)?);
    }
    let names = [VARIANT_OPTION, USI_VARIANT_OPTION];
    let is_variant = |name: &str| names.iter().any(|own| name.eq_ignore_ascii_case(own));
    let is_chosen = wanted.iter().any(|(name, _)| is_variant(name));
    if let Some(option) = names.iter().find_map(|name| find(offered, name).ok())
        && !is_chosen
    {
        let variant = match &option.kind {
            OptionKind::Combo(known) => known_variant(known, variant)?,
            _ => variant,
        };
        commands.push(setoption(option, variant)?);
    }
    Ok(commands)
}

/// The command that makes the engine play Chess960, where that is the game.
pub(super) fn chess960_command(
    offered: &[EngineOption],
    wanted: &[(String, String)],
    is_chess960: bool,
) -> Result<Option<String>> {
    let is_chosen = wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case(CHESS960_OPTION));
    if !is_chess960 || is_chosen {
        return Ok(None);
    }
    let option = find(offered, CHESS960_OPTION).map_err(|_| {
        Error::input(format!("option {CHESS960_OPTION}"), "the engine does not play Chess960")
            .remedy("name an engine that offers this option, or play --game chess")
    })?;
    setoption(option, "true").map(Some)
}

/// The commands that set these options, in the order in which the engine offers them: an engine may
/// recompute its tables at the last of them.
pub(in super::super) fn commands_in_order(
    offered: &[EngineOption],
    wanted: &BTreeMap<String, String>,
) -> Vec<String> {
    let value_of = |option: &EngineOption| {
        let same = |(name, _): &(&String, _)| option.name.eq_ignore_ascii_case(name);
        wanted.iter().find(same).map(|(_, value)| value)
    };
    let commands = offered.iter().filter_map(|option| setoption(option, value_of(option)?).ok());
    commands.collect()
}

/// The name that the engine has for a variant.
fn known_variant<'a>(known: &[String], variant: &'a str) -> Result<&'a str> {
    let names = [Some(variant), short_variant_name(variant)];
    let is_known = |name: &&str| known.iter().any(|known| known == name);
    names.into_iter().flatten().find(is_known).ok_or_else(|| {
        let reason = format!("the engine does not know the variant `{variant}`");
        Error::input(format!("option {VARIANT_OPTION}"), reason).remedy(
            "name its game with --game and its board with --board, or set this option yourself if the engine has another name for it",
        )
    })
}

fn setoption(option: &EngineOption, value: &str) -> Result<String> {
    if value.contains(char::is_control) {
        return Err(Error::input(
            format!("option `{}`", option.name),
            "a value takes one line of text",
        ));
    }
    Ok(match option.kind {
        OptionKind::Button => format!("setoption name {}", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<EngineOption> {
        [
            "name Hash type spin min 1 max 64",
            "name UCI_Variant type combo var chess var breakthrough",
        ]
        .iter()
        .filter_map(|line| EngineOption::parse(line))
        .collect()
    }

    #[test]
    fn options_have_names() {
        assert_eq!(parse_option("Hash=64").unwrap(), ("Hash".into(), "64".into()));
        assert_eq!(parse_option("Clear Hash").unwrap(), ("Clear Hash".into(), String::new()));
        assert_eq!(parse_option("Book = a=b ").unwrap(), ("Book".into(), "a=b".into()));
        assert!(parse_option("=5").is_err() && parse_option("").is_err());
    }

    #[test]
    fn the_game_is_chosen_where_there_are_several() {
        let game = ["setoption name UCI_Variant value breakthrough"];
        assert_eq!(option_commands(&offered(), &[], "breakthrough").unwrap(), game);
        assert_eq!(option_commands(&offered()[..1], &[], "breakthrough").unwrap(), [""; 0]);
        let error = option_commands(&offered(), &[], "breakthrough6x6").unwrap_err();
        assert!(error.to_string().contains("`breakthrough6x6`"), "{error}");
        let usi = EngineOption::parse("name USI_Variant type combo var shogi var mini").unwrap();
        let mini = ["setoption name USI_Variant value mini"];
        assert_eq!(option_commands(&[usi], &[], "mini").unwrap(), mini);
        let offered = EngineOption::parse("name UCI_Variant type combo var breakthrough6").unwrap();
        let short = ["setoption name UCI_Variant value breakthrough6"];
        assert_eq!(option_commands(&[offered], &[], "breakthrough6x6").unwrap(), short);
    }

    #[test]
    fn options_are_set_before_the_game_and_may_choose_it() {
        let wanted =
            [("hash".to_owned(), "8".to_owned()), ("uci_variant".to_owned(), "other".to_owned())];
        assert_eq!(
            option_commands(&offered(), &wanted, "breakthrough6x6").unwrap(),
            ["setoption name Hash value 8", "setoption name UCI_Variant value other"]
        );
        let sneaky = [("uci_variant".to_owned(), "chess\nquit".to_owned())];
        assert!(option_commands(&offered(), &sneaky, "breakthrough").is_err());
    }
}
