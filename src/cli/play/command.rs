//! The commands that can be typed in a game.

use crate::game::{MoveList, Notation};

/// The commands other than moves, for `help`.
const COMMANDS: &str = "\
undo          take back your last move and the answer
hint          what the engine would play for you
side          swap sides with the engine
new           a new game from the same position
board         print the board again
fen           print the position as text
moves         list the legal moves
help          this list
quit          end the program (so does Ctrl-D)";

/// The text of `help`, with a move of the game as an example.
pub(super) fn help<P: Notation>(start: &P) -> String {
    let mut moves = MoveList::new();
    start.moves(&mut moves);
    let example = moves
        .first()
        .map_or_else(String::new, |&mv| format!("for example {} ", start.move_text(mv)));
    format!("a move        {example}(`moves` lists them)\n{COMMANDS}")
}

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand<M> {
    /// An empty line.
    Nothing,
    /// A legal move.
    Move(M),
    /// Take back.
    Undo,
    /// Ask the engine.
    Hint,
    /// Swap sides.
    Side,
    /// Begin anew.
    New,
    /// Draw the board.
    Board,
    /// Print the FEN.
    Fen,
    /// List the moves.
    Moves,
    /// Explain the commands.
    Help,
    /// End.
    Quit,
}

impl<M> PlayCommand<M> {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is neither a command nor a legal move.
    pub(super) fn parse<P: Notation<Move = M>>(
        text: &str,
        position: &P,
    ) -> crate::error::Result<Self> {
        Ok(match text.trim().to_lowercase().as_str() {
            "" => Self::Nothing,
            "undo" | "u" => Self::Undo,
            "hint" => Self::Hint,
            "side" => Self::Side,
            "new" => Self::New,
            "board" | "b" => Self::Board,
            "fen" => Self::Fen,
            "moves" => Self::Moves,
            "help" | "h" | "?" => Self::Help,
            "quit" | "q" | "exit" => Self::Quit,
            _ => {
                let typed = text.trim();
                let mv = position.parse_move(typed).or_else(|error| {
                    // Moves are written in lower case in most games; typed capitals are no reason
                    // to refuse.
                    position.parse_move(&typed.to_lowercase()).map_err(|_| error)
                });
                Self::Move(mv?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::games::Breakthrough;

    #[test]
    fn commands_and_moves_are_distinguished() {
        let start = Breakthrough::start(Breakthrough::default_board()).unwrap();
        let parse = |text: &str| PlayCommand::parse(text, &start);
        assert_eq!(parse(" UNDO ").unwrap(), PlayCommand::Undo);
        assert_eq!(parse("").unwrap(), PlayCommand::Nothing);
        let mv = start.parse_move("a2a3").unwrap();
        assert_eq!(
            (parse("a2a3").unwrap(), parse("A2A3").unwrap()),
            (PlayCommand::Move(mv), PlayCommand::Move(mv))
        );
        assert!(parse("a2a5").is_err() && parse("resign").is_err());
    }
}
