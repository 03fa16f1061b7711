//! Games as text for other programs: one block of headers and moves each, as in PGN, or one line of
//! CSV.

use super::csv::field;
use crate::any::{AnyMove, AnyPosition};
use crate::arena::{ForfeitKind, GameEnding, GameRecord, SearchNote};
use crate::error::{Error, Result};
use crate::game::{STARTPOS, Side};
use crate::search::Limits;
use crate::tune::GameRules;

/// The longest line of moves, in characters.
const LINE: usize = 80;

/// The common data of a file's games.
#[derive(Clone, Debug, Default)]
pub struct ExportSource {
    /// Their origin: a run's id, or the name of a file.
    pub event: String,
    /// When that began, in UTC, as 2026-01-31...; empty if unknown.
    pub begun: String,
    /// The limits of a move, where all games had the same.
    pub limits: Option<Limits>,
    /// Where the rules come from.
    pub rules: GameRules,
    /// Whether the moves of a game stand on one line, however long.
    pub one_line: bool,
}

/// The name of Chess960 in PGN.
const CHESS960: &str = "fischerandom";

/// A game as in PGN: headers, a blank line, the moves and the result. White is the first side;
/// a move number counts the turns of both. Moves of the opening have the comment `{book}`.
/// Chess games are standard PGN, with the start only if it is not the usual one.
///
/// # Errors
/// When a move of the record is illegal; the error names it.
pub fn pgn(record: &GameRecord, number: u64, source: &ExportSource) -> Result<String> {
    let positions = record.replay().map_err(|error| error.within(format!("game {number}")))?;
    let start = positions.first().ok_or_else(|| Error::failed("games", "none was replayed"))?;
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    header("Event", &source.event);
    header("Site", "Sparring");
    header("Date", &date(&source.begun));
    header("Round", &format!("{}.{number}", record.pair + 1));
    header("White", &record.players[0]);
    header("Black", &record.players[1]);
    header("Result", result(record));
    match record.game.as_str() {
        "chess" => {}
        "chess960" => header("Variant", CHESS960),
        game => {
            header("Variant", game);
            header("Board", &record.board);
        }
    }
    if !is_chess(record) || record.start.is_some() || record.game == "chess960" {
        let fen = start.1.fen();
        // A game with a referee may begin at `startpos`, which is not a FEN.
        if fen != STARTPOS {
            header("SetUp", "1");
            header("FEN", &fen);
        }
    }
    if !is_chess(record) {
        header("Opening", &record.opening);
    }
    header("PlyCount", &(positions.len() - 1).to_string());
    header("Termination", ending(record));
    if !source.rules.are_known() {
        header("Rules", "trusted to the engine");
    }
    if let Some(limits) = &source.limits {
        let control = limits.clock.map(|clock| clock.time_control());
        header("TimeControl", &control.unwrap_or_else(|| limits.to_string()));
    }
    for (side, options) in ["White", "Black"].into_iter().zip(record.options.iter().flatten()) {
        let set = options.iter().map(|(name, value)| format!("{name}={value}"));
        header(&format!("{side}Options"), &set.collect::<Vec<_>>().join(", "));
    }
    if let Some(forfeit) = &record.forfeit {
        header("Forfeit", &forfeit.reason);
    }
    let words = words(&positions, record);
    let moves = if source.one_line { words.join(" ") } else { wrap(&words) };
    Ok(format!("{text}\n{moves}\n\n"))
}

/// Whether a game is one that other programs read as PGN.
fn is_chess(record: &GameRecord) -> bool {
    matches!(record.game.as_str(), "chess" | "chess960")
}

/// The number of the first move: by the FEN of the start in chess, otherwise 1.
fn first_number(record: &GameRecord, start: &AnyPosition) -> u32 {
    let number = start.fen().rsplit(' ').next().and_then(|number| number.parse().ok());
    number.filter(|_| is_chess(record)).unwrap_or(1)
}

/// The date of a time in UTC, in PGN's form.
fn date(time: &str) -> String {
    match time.get(..10) {
        Some(day) => day.replace('-', "."),
        None => "????.??.??".into(),
    }
}

/// Whether the referee failed, or could not judge the end of the game: nobody won or drew it.
fn is_unjudged(record: &GameRecord) -> bool {
    record.forfeit.as_ref().is_some_and(|forfeit| forfeit.kind == ForfeitKind::Referee)
}

/// The result in PGN's words.
fn result(record: &GameRecord) -> &str {
    if is_unjudged(record) { "*" } else { &record.result }
}

/// Why a game ended, in PGN's words.
fn ending(record: &GameRecord) -> &'static str {
    match record.ending {
        _ if is_unjudged(record) => "unterminated",
        GameEnding::Rules => "normal",
        GameEnding::Adjudicated | GameEnding::Scores | GameEnding::Length => "adjudication",
        GameEnding::Forfeit => "rules infraction",
        GameEnding::Time => "time forfeit",
        GameEnding::Stopped => "unterminated",
    }
}

/// The moves with their numbers and comments, and the result.
fn words(positions: &[(Option<AnyMove>, AnyPosition)], record: &GameRecord) -> Vec<String> {
    let opening = record.opening.split_whitespace().count();
    let Some((_, start)) = positions.first() else { return Vec::new() };
    let (mut words, mut turn) = (Vec::new(), first_number(record, start));
    let mut last = Side::Second;
    if start.side_to_move() == Side::Second && positions.len() > 1 {
        words.push(format!("{turn}..."));
        turn += 1;
    }
    for (ply, pair) in positions.windows(2).enumerate() {
        let [(_, before), (mv, _)] = pair else { continue };
        let side = before.side_to_move();
        if side == Side::First && last == Side::Second {
            words.push(format!("{turn}."));
            turn += 1;
        }
        last = side;
        words.extend(mv.map(|mv| before.pgn_move_text(mv)));
        words.extend(match ply.checked_sub(opening) {
            None => Some("{book}".into()),
            Some(place) => {
                record.searches.get(place).map(search_comment).filter(|text| text != "{}")
            }
        });
    }
    words.push(result(record).into());
    words
}

/// The search behind a move as a comment, in the form that other programs read: the mover's score,
/// the depth, and the time where it is known.
fn search_comment(search: &SearchNote) -> String {
    let score = match (search.cp, search.mate) {
        (Some(0), _) => Some("0.00".into()),
        (Some(cp), _) => Some(format!("{:+.2}", f64::from(cp) / 100.0)),
        // Other programs count a mate in plies here.
        (None, Some(moves)) if moves > 0 => Some(format!("+M{}", 2 * i64::from(moves) - 1)),
        (None, Some(moves)) => Some(format!("-M{}", -2 * i64::from(moves))),
        (None, None) => None,
    };
    let score = score.map(|score| format!("{score}/{}", search.depth));
    let parts = [score, search.ms.map(seconds)];
    format!("{{{}}}", parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// A time in seconds with two or three significant digits.
fn seconds(ms: u64) -> String {
    let digits = match ms {
        0..100 => 3,
        100..1_000 => 2,
        1_000..10_000 => 1,
        _ => 0,
    };
    format!("{:.digits$}s", ms as f64 / 1e3)
}

fn wrap(words: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += word.len();
    }
    text
}

/// The titles of [`csv_row`].
pub const CSV_TITLES: &str =
    "number,pair,game,board,first,second,result,ending,plies,opening,moves,forfeit\n";

/// A game as a line of CSV (RFC 4180).
pub fn csv_row(record: &GameRecord, number: u64) -> String {
    let plies = [&record.opening, &record.moves].map(|moves| moves.split_whitespace().count());
    let cells = [
        number.to_string(),
        (record.pair + 1).to_string(),
        record.game.clone(),
        record.board.clone(),
        record.players[0].clone(),
        record.players[1].clone(),
        result(record).into(),
        record.ending.name().into(),
        (plies[0] + plies[1]).to_string(),
        match &record.start {
            Some(fen) => format!("fen {fen} moves {}", record.opening),
            None => record.opening.clone(),
        },
        record.moves.clone(),
        record.forfeit.as_ref().map_or(String::new(), |forfeit| forfeit.reason.clone()),
    ];
    cells.map(|cell| field(&cell)).join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: &str, board: &str, opening: &str, moves: &str) -> GameRecord {
        GameRecord {
            game: game.into(),
            board: board.into(),
            pair: 3,
            start: None,
            second_begins: false,
            players: ["a \"b\"".into(), "c,d".into()],
            opening: opening.into(),
            moves: moves.into(),
            result: "1-0".into(),
            ending: GameEnding::Rules,
            forfeit: None,
            weights: None,
            sets: None,
            constants: None,
            options: None,
            searches: Vec::new(),
            audit: None,
        }
    }

    /// More moves than a line takes.
    const LONG: &str =
        "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6";

    #[test]
    fn a_game_has_headers_and_numbered_moves() {
        let record = record("breakthrough", "8x8", "a2a3 a7a6", "b2b3 b7b6");
        let source =
            ExportSource { begun: "2026-01-31T12:00:00Z".into(), ..ExportSource::default() };
        let text = pgn(&record, 8, &source).unwrap();
        for line in [
            "[Date \"2026.01.31\"]",
            "[Round \"4.8\"]",
            "[White \"a \\\"b\\\"\"]",
            "[PlyCount \"4\"]",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(text.ends_with("\n\n1. a2a3 {book} a7a6 {book} 2. b2b3 b7b6 1-0\n\n"), "{text}");
        let long = self::record("breakthrough", "8x8", "", LONG);
        let lines = |one_line| {
            let source = ExportSource { one_line, ..source.clone() };
            let text = pgn(&long, 1, &source).unwrap();
            text.split_once("]\n\n").unwrap().1.trim_end().lines().count()
        };
        assert_eq!((lines(false), lines(true)), (2, 1));
        let wrong = self::record("breakthrough", "8x8", "", "a2a5");
        assert!(pgn(&wrong, 1, &source).unwrap_err().to_string().contains("game 1, ply 1"));
    }

    #[cfg(feature = "chess")]
    #[test]
    fn chess_is_written_as_the_standard_has_it() {
        let text = |game: &str, start: Option<&str>, opening: &str, moves: &str| {
            let start = start.map(str::to_owned);
            let record = GameRecord { start, ..record(game, "8x8", opening, moves) };
            pgn(&record, 1, &ExportSource::default()).unwrap()
        };
        let usual = text("chess", None, "e2e4", "e7e5 g1f3");
        assert!(usual.ends_with("\n\n1. e4 {book} e5 2. Nf3 1-0\n\n"), "{usual}");
        assert!(["Variant", "Board", "FEN", "Opening"].iter().all(|tag| !usual.contains(tag)));
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17";
        let own = text("chess", Some(fen), "", "e8g8 e1c1");
        assert!(own.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{own}");
        assert!(own.ends_with("\n\n17... O-O 18. O-O-O 1-0\n\n"), "{own}");
        let free = text("chess960", Some(fen), "", "e8h8");
        assert!(free.contains("[Variant \"fischerandom\"]") && free.contains("HAha - 3 17"));
        assert!(free.ends_with("\n17... O-O 1-0\n\n"), "{free}");
    }

    #[test]
    fn searches_are_comments() {
        let note = |cp, mate, ms| SearchNote { cp, mate, depth: 9, ms };
        for (search, text) in [
            (note(Some(31), None, Some(84)), "{+0.31/9 0.084s}"),
            (note(Some(-205), None, Some(1_250)), "{-2.05/9 1.2s}"),
            (note(Some(0), None, None), "{0.00/9}"),
            (note(None, Some(3), Some(20_400)), "{+M5/9 20s}"),
            (note(None, Some(-2), Some(321)), "{-M4/9 0.32s}"),
            (note(None, None, Some(5)), "{0.005s}"),
        ] {
            let mut record = record("breakthrough", "8x8", "a2a3", "a7a6");
            record.searches = vec![search];
            let written = pgn(&record, 1, &ExportSource::default()).unwrap();
            assert!(written.ends_with(&format!("a2a3 {{book}} a7a6 {text} 1-0\n\n")), "{written}");
            record.searches = vec![note(None, None, None)];
            let written = pgn(&record, 1, &ExportSource::default()).unwrap();
            assert!(written.ends_with("a7a6 1-0\n\n"), "{written}");
        }
    }

    #[test]
    fn a_second_side_that_begins_gets_the_first_number() {
        let start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b".to_owned();
        let moves = "a7a6 a2a3 b7b6 b2b3";
        let begun = GameRecord { start: Some(start), ..record("breakthrough", "8x8", "", moves) };
        let text = pgn(&begun, 1, &ExportSource::default()).unwrap();
        assert!(text.ends_with("\n\n1... a7a6 2. a2a3 b7b6 3. b2b3 1-0\n\n"), "{text}");
    }

    #[test]
    fn a_turn_of_two_plies_has_one_number() {
        let record = record("breakthru", "11x11", "", "e8-e9 e4-e3 b4-b3 j4-j3");
        let text = pgn(&record, 1, &ExportSource::default()).unwrap();
        assert!(text.contains("\n1. e8-e9 e4-e3 b4-b3 j4-j3 1-0"), "{text}");
    }

    #[test]
    fn a_row_quotes_what_needs_it() {
        let row = csv_row(&record("breakthrough", "8x8", "a2a3", "a7a6 b2b3"), 8);
        assert_eq!(
            row,
            "8,4,breakthrough,8x8,\"a \"\"b\"\"\",\"c,d\",1-0,rules,3,a2a3,a7a6 b2b3,\n"
        );
    }
}
