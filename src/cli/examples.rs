//! Examples at the end of each command's help.

use crate::games::GameId;
use clap::Command;

/// The game that the examples are about.
const GAME: &str = "breakthrough";

/// The examples of each command, by its name.
const EXAMPLES: [(&str, &[&str]); 43] = [
    (
        "tune",
        &[
            "spar tune",
            "spar tune --method logistic --for 8h --nodes 3000",
            "spar tune --game ataxx --board 7x7 --games 50k --seed 2",
            "spar tune --engine cmd:./engine --knobs spsa.txt --nodes 20k",
            "spar tune --cluster nats://host:4222",
        ],
    ),
    ("resume", &["spar resume last", "spar resume last --threads 2"]),
    ("report", &["spar report last", "spar report last --csv"]),
    (
        "export",
        &[
            "spar export last --games pgn-like -o games.pgn",
            "spar export games.jsonl --games csv",
            "spar export last --history csv",
        ],
    ),
    ("export answer", &["spar export answer last", "spar export answer last --as openbench"]),
    (
        "check",
        &["spar check cmd:./engine", "spar check \"cmd:spar uci\" --game breakthrough --json"],
    ),
    (
        "export web",
        &[
            "spar export web page",
            "spar export web page --with last --with mine.json",
            "spar export web page --only breakthrough/6x6",
        ],
    ),
    (
        "runs",
        &[
            "spar runs",
            "spar runs show last",
            "spar runs compare spsa-1 spsa-2",
            "spar runs label last --name \"long test\" --tag 8x8",
            "spar runs prune --rejected --older-than 30d",
        ],
    ),
    ("watch", &["spar watch", "spar watch spsa-7"]),
    (
        "serve",
        &[
            "spar serve --open                          # the runs in ./runs, in the browser",
            "spar serve --runs /data/runs --port 9000   # another folder and port",
            "spar serve --address 0.0.0.0 --token-file token   # for the whole network",
        ],
    ),
    ("generate", &["spar generate games.pos --games 20k --nodes 500"]),
    (
        "positions",
        &[
            "spar positions list",
            "spar positions describe games.pos",
            "spar positions sample last -n 5 --seed 2",
            "spar positions merge old.pos new.pos -o all.pos",
            "spar positions thin all.pos --distinct --most 1M -o thin.pos",
        ],
    ),
    (
        "train",
        &[
            "spar train games.pos -o network.json",
            "spar train round1.pos round2.pos --units 256 --epochs 20 -o network.json",
            "spar train new.pos --start network.json --older old.pos --older-share 0.3 -o next.json",
        ],
    ),
    (
        "fit",
        &[
            "spar fit games.pos -o fitted.json",
            "spar fit games.pos -o fitted.json --ablate 200",
            "spar fit --rows rows.csv --group game --units 174 -o knobs.json",
        ],
    ),
    (
        "match",
        &[
            "spar match spsa piece",
            "spar match fitted.json spsa --sprt 0,10",
            "spar match 8x8 \"cmd:engine --uci\" --movetime 100 --pairs 50",
        ],
    ),
    ("tournament", &["spar tournament 8x8 spsa hand piece --pairs 100"]),
    (
        "worker",
        &["spar worker --cluster nats://host:4222", "spar worker --threads 8 --name left-rack-3"],
    ),
    ("cluster status", &["spar cluster status", "spar cluster status --cluster nats://host:4222"]),
    ("play", &["spar play", "spar play --board 6x6 --side second --nodes 2000"]),
    ("uci", &["spar uci", "spar uci --weights spsa"]),
    ("uai", &["spar uai"]),
    ("analyze", &["spar analyze --depth 4", "spar analyze --moves \"a2a3 a7a6\" --nodes 2000"]),
    ("solve", &["spar solve --board 3x5"]),
    (
        "book build",
        &[
            "spar book build -o book.json --positions 5000",
            "spar book build -o book.json --game breakthrough --board 8x8 --nodes 1M --for 2h",
            "spar book build -o book.json --repertoire --nodes 300k --for 1h",
        ],
    ),
    ("book list", &["spar book list"]),
    ("book check", &["spar book check book.json", "spar book check breakthrough/8x8"]),
    (
        "book show",
        &["spar book show book.json", "spar book show book.json --moves \"d2d3 e7e6\" --json"],
    ),
    (
        "book export",
        &[
            "spar book export book.json --to fen --within 25 -o openings.epd",
            "spar book export book.json --to bin -o book.bin",
        ],
    ),
    (
        "endgame build",
        &[
            "spar endgame build -o 8x8.end",
            "spar endgame build -o 6x6.end --board 6x6 --most 3,3",
            "spar endgame build -o breakthru.end --game breakthru --most 0,3 --most 2,1",
        ],
    ),
    ("endgame probe", &["spar endgame probe 8x8.end \"8/3p4/8/8/8/8/4P3/8 w\""]),
    ("endgame check", &["spar endgame check 8x8.end", "spar endgame check 8x8.end --every"]),
    ("features", &["spar features", "spar features --moves a2a3 --weights hand --all"]),
    ("weights list", &["spar weights list", "spar weights list runs"]),
    ("weights show", &["spar weights show spsa", "spar weights show 8x8 --json"]),
    ("weights diff", &["spar weights diff hand spsa"]),
    ("weights check", &["spar weights check spsa"]),
    ("weights new", &["spar weights new mine --from hand --set piece=120"]),
    ("show", &["spar show last", "spar show games.jsonl --game 3"]),
    ("stats", &["spar stats --pairs 34,54,63,64,75 --sprt 0,10"]),
    ("perft", &["spar perft --depth 4", "spar perft --game ataxx --depth 3 --divide"]),
    ("bench", &["spar bench --depth 6", "spar bench --threads 2 --together"]),
    ("doctor", &["spar doctor", "spar doctor cmd:./engine --cluster nats://host:4222"]),
    ("config", &["spar config", "spar config --json"]),
];

/// Adds the examples to the help of the commands.
#[must_use]
pub(super) fn add(mut program: Command) -> Command {
    let has_all = GameId::all().iter().any(|game| game.name == GAME);
    for (name, examples) in EXAMPLES {
        let path: Vec<&str> = name.split(' ').collect();
        let examples = examples.iter().copied().filter(|text| has_all || is_general(text));
        let examples: Vec<&str> = examples.collect();
        if !examples.is_empty() {
            program = add_to(program, &path, &examples);
        }
    }
    program
}

/// Whether an example holds for every game: it names no game, board, move or weight set.
fn is_general(example: &str) -> bool {
    let special =
        ["--game", "--board", "--moves", "--set", "8x8", "endgame", "hand", "piece", "spsa"];
    !example.split(' ').any(|word| special.contains(&word))
}

fn add_to(command: Command, path: &[&str], examples: &[&str]) -> Command {
    let Some((first, rest)) = path.split_first() else {
        let before = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
        return command.after_help(format!("{before}Examples:\n  {}", examples.join("\n  ")));
    };
    if command.find_subcommand(first).is_none() {
        return command;
    }
    command.mut_subcommand(*first, |inner| add_to(inner, rest, examples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parse;
    use std::ffi::OsString;

    /// Commands without examples of their own: their help says how they are used.
    const WITHOUT: [&str; 2] = ["completions", "man"];

    #[test]
    fn every_example_is_understood() {
        for example in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            let words = shlex::split(example).unwrap();
            let arguments: Vec<OsString> = words.into_iter().map(Into::into).collect();
            let parsed = parse(&arguments, &Default::default());
            assert!(parsed.is_ok(), "{example}: {}", parsed.err().unwrap());
        }
    }

    #[test]
    fn every_command_has_examples() {
        for command in
            crate::cli::program().get_subcommands().filter(|command| !command.is_hide_set())
        {
            let name = command.get_name();
            let mut has_examples = std::iter::once(command).chain(command.get_subcommands());
            let any = has_examples.any(|command| {
                command.get_after_help().is_some_and(|text| text.to_string().contains("Examples:"))
            });
            assert!(any || WITHOUT.contains(&name), "{name}");
        }
    }
}
