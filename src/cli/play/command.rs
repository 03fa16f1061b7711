//! The commands that can be typed in a game.

use super::typed_move::read_typed;
use crate::any::{AnyMove, AnyPosition};
use crate::cli::Pasted;
use crate::error::{Error, Result, nearest, shorten};

/// The commands other than moves, for `help`.
const COMMANDS: &str = "\
undo          take back your last move and the answer
hint          show the engine's choice for you
go            let the engine make your move
eval          show the static score, feature by feature
resign        give the game up
side          swap sides with the engine
new           begin a new game from the same position
save FILE     write the game to a file
load FILE     continue the game of a file
board         print the board again
fen           print the position as text
moves         list the legal moves
help          this list
quit          end the program (so does Ctrl-D)";

/// The commands, for suggestions after a mistyped one.
const WORDS: [&str; 15] = [
    "undo", "hint", "go", "eval", "resign", "side", "new", "save", "load", "board", "fen", "moves",
    "help", "quit", "exit",
];

/// The text of `help`, with a move of the game as an example.
pub(super) fn help(start: &AnyPosition) -> String {
    let example = start
        .moves()
        .first()
        .map_or_else(String::new, |&mv| format!("for example {} ", start.move_text(mv)));
    format!(
        "a move        {example}(`moves` lists them); with a space or a dash too,\n              or only the \
         target square, if just one move leads there\n{COMMANDS}"
    )
}

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    /// A line without a word.
    Nothing,
    /// A move that is legal here.
    Move(AnyMove),
    /// Takes back the last move and its answer.
    Undo,
    /// Asks the engine for a move.
    Hint,
    /// Let the engine move for the person.
    Go,
    /// Explain the static score.
    Eval,
    /// Gives the game up.
    Resign,
    /// Write the game to a file.
    Save(String),
    /// Read a game from a file.
    Load(String),
    /// Swaps sides with the engine.
    Side,
    /// Begins a new game from the same position.
    New,
    /// Draws the board once more.
    Board,
    /// Prints the position as FEN.
    Fen,
    /// Lists the legal moves of the position.
    Moves,
    /// Lists and explains the commands.
    Help,
    /// Ends the program, as Ctrl-D does.
    Quit,
}

impl PlayCommand {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is neither a command nor a legal move.
    pub(super) fn parse(text: &str, position: &AnyPosition) -> Result<Self> {
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        // As a shell takes them.
        let unquoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        match (word.to_lowercase().as_str(), unquoted.unwrap_or(rest)) {
            ("save" | "load", "") => {
                return Err(Error::input(format!("`{word}`"), "which file?")
                    .remedy(format!("write for example {word} game.json")));
            }
            ("save", file) => return Ok(Self::Save(file.to_owned())),
            ("load", file) => return Ok(Self::Load(file.to_owned())),
            _ => {}
        }
        Ok(match text.trim().to_lowercase().as_str() {
            "" => Self::Nothing,
            "undo" | "u" => Self::Undo,
            "hint" => Self::Hint,
            "go" => Self::Go,
            "eval" => Self::Eval,
            "resign" => Self::Resign,
            "side" => Self::Side,
            "new" => Self::New,
            "board" | "b" => Self::Board,
            "fen" => Self::Fen,
            "moves" => Self::Moves,
            "help" | "h" | "?" => Self::Help,
            "quit" | "q" | "exit" => Self::Quit,
            typed => Self::Move(read_typed(position, &bare(text)).map_err(|error| {
                let is_word = typed.chars().all(char::is_alphabetic);
                match nearest(&shorten(typed), WORDS).filter(|_| is_word) {
                    Some(near) => error.remedy(format!("did you mean `{near}`?")),
                    None if is_word => error.remedy("type a move, or `help`"),
                    None => error,
                }
            })?),
        })
    }
}

/// A move without its number, comment or similar additions.
fn bare(text: &str) -> String {
    Pasted::new(text).words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;

    #[test]
    fn commands_and_moves_are_distinguished() {
        let start = GameId::default().start(GameId::default().default_board).unwrap();
        let parse = |text: &str| PlayCommand::parse(text, &start);
        assert_eq!(parse(" UNDO ").unwrap(), PlayCommand::Undo);
        assert_eq!(parse("").unwrap(), PlayCommand::Nothing);
        let mv = start.parse_move("a2a3").unwrap();
        assert_eq!(
            (parse("a2a3").unwrap(), parse("A2A3").unwrap()),
            (PlayCommand::Move(mv), PlayCommand::Move(mv))
        );
        assert!(parse("a2a5").is_err() && parse("save").is_err());
        assert_eq!(parse("resign").unwrap(), PlayCommand::Resign);
        for text in ["Save My Game", "save \"My Game\" "] {
            assert_eq!(parse(text).unwrap(), PlayCommand::Save("My Game".into()));
        }
        let refusal = |text: &str| parse(text).unwrap_err().to_string();
        assert!(refusal("hlep").ends_with("did you mean `help`?"), "{}", refusal("hlep"));
        assert!(refusal("castle").ends_with("type a move, or `help`"), "{}", refusal("castle"));
    }
}
