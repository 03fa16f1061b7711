//! Moves that a person gives: words with spaces between, or a game as exports have it, with
//! headers, numbers of moves, comments and a result.

use super::play::typed_move::read_typed;
use crate::any::{AnyOpening, AnyPosition};
use crate::arena::pgn::{self, GameTags, PgnGame};
use crate::error::{Error, Result, shorten};
use crate::files::without_byte_order_mark;
use crate::game::STARTPOS;
use crate::games::GameId;

/// A text of moves, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pasted<'a> {
    /// The game; `None` where the text is empty.
    game: Option<PgnGame<'a>>,
    /// Its moves as they are written.
    pub(super) words: Vec<&'a str>,
    /// What follows the result, other than comments: another game.
    second: Option<PgnGame<'a>>,
    /// The comment or variation whose end is missing: what follows it would be lost.
    unclosed: Option<&'a str>,
}

impl<'a> Pasted<'a> {
    /// Takes a text apart.
    pub(super) fn new(text: &'a str) -> Self {
        let text = without_byte_order_mark(text).trim();
        let mut games = pgn::games(text);
        let Some(game) = games.next() else { return Self::default() };
        let mut moves = game.moves();
        let words = moves.by_ref().collect();
        // On a single line, a semicolon only separates two moves.
        let separated = moves.line_comment().filter(|_| !text.contains('\n'));
        let (mut second, mut unclosed) = (None, game.unclosed);
        for later in games {
            second = second.or(Some(later).filter(|later| later.moves().next().is_some()));
            unclosed = unclosed.or(later.unclosed);
        }
        Self { game: Some(game), words, second, unclosed: unclosed.or(separated) }
    }

    /// The value of a header; of several the first.
    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        self.game?.tag(name)
    }

    /// The headers that name the game and the board.
    pub(super) fn tags(&self) -> GameTags<'a> {
        self.game.map(|game| game.game_tags()).unwrap_or_default()
    }

    /// The moves, played from this position.
    ///
    /// # Errors
    /// When the headers name another game, board or position, one is no legal move, something
    /// follows the result, or a comment has no end.
    pub(super) fn moves(&self, game: GameId, start: AnyPosition) -> Result<AnyOpening> {
        self.tags().check(game, Some(start.board()))?;
        if let Some(fen) = self.header("FEN").filter(|fen| fen.trim() != STARTPOS)
            && game.from_fen(fen).map_err(|error| error.within("tag FEN"))?.key() != start.key()
        {
            return Err(Error::input("tag FEN", "another position than the one given")
                .remedy("leave one of them out"));
        }
        let mut line = AnyOpening::new(start);
        for (index, word) in self.words.iter().enumerate() {
            let place = || format!("ply {}", index + 1);
            line.push(read_typed(&line.position, word).map_err(|error| error.within(place()))?);
        }
        if let Some(rest) = self.unclosed {
            let place = format!("`{}`", shorten(rest));
            return Err(Error::input(place, "a comment or variation is not closed")
                .remedy("close it, or separate moves by blanks"));
        }
        match self.second {
            Some(second) => {
                let place = format!("`{}`", shorten(second.text()));
                Err(Error::input(place, "follows the result").remedy("give one game"))
            }
            None => Ok(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Game;
    use crate::games::{Ataxx, Breakthrough, Breakthru};

    fn line<G: Game>(text: &str) -> String {
        let game = GameId::of::<G>();
        match Pasted::new(text).moves(game, game.start(game.default_board).unwrap()) {
            Ok(line) => line.text(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn games_are_read_as_programs_write_them() {
        let wanted = "a2a3 b7b6 a3a4 b6b5 a4b5";
        for text in [
            "a2a3 b7b6 a3a4 b6b5 a4b5",
            "a2a3 b7b6 a3a4 b6b5 a4b5*",
            "A2-A3 B7-B6 a3-a4 b6-b5 a4xb5",
            "1. a2a3 b7b6 2. a3a4 b6b5 3. a4b5 *",
            "1.a2a3 {book} b7b6{book} 2.a3a4 (2. b2b3 (2. c2c3) b6b5) 2... b6b5 3.a4b5 1-0",
            "[Event \"x\"] [FEN \"startpos\"] 1 a2a3 b7b6 2 a3a4 b6b5 3 a4b5 * ; one line",
            "a2a3 $1 b7b6 ; a comment\n a3a4! b6b5?! a4:b5# 1/2-1/2 {over}",
            "\u{feff}a2a3 b7b6\na3a4 b6b5\na4b5 ; the end",
            "[Event \"a; b\"]\n[Variant \"Breakthrough\"]\n[Board \"8x8\"]\n[FEN \"startpos\"]\n\n1. a2a3 b7b6 2. a3a4\nb6b5 3. a4b5 0-1\n\n",
        ] {
            assert_eq!(line::<Breakthrough>(text), wanted, "{text}");
        }
        assert_eq!(line::<Ataxx>("1. g2 { single } a2 2. g1e1 P@b1 1-0"), "g2 a2 g1e1 b1");
        assert_eq!(line::<Breakthru>("1. d6-c6 * "), "d6-c6");
        let pass = "xoo4/ooo4/ooo4/7/7/7/7 x 0 1";
        let start = GameId::of::<Ataxx>().from_fen(pass).unwrap();
        for text in ["0000", "1. 0000 *", "1 0000", "1. 0000! {no other move} 1/2-1/2"] {
            let line = Pasted::new(text).moves(GameId::of::<Ataxx>(), start.clone()).unwrap();
            assert_eq!(line.text(), "0000", "{text}");
        }
        assert!(super::super::play::typed_move::read_typed(&start, "0000").is_ok());
        assert_eq!(line::<Breakthrough>(""), "");
    }

    #[test]
    fn what_is_no_game_is_refused_where_it_stands() {
        for (text, place) in [
            ("a2a3 hello", "ply 2"),
            ("a2a3 [ b7b6", "ply 2"),
            ("1. a2a3 * 1. b2b3", "follows the result"),
            ("a2a3 b3", "ply 2"),
            ("a2a3; b7b6", "`; b7b6`"),
            ("a2a3;b7b6", "`;b7b6`"),
            ("a2a3 {book b7b6", "`{book b7b6`"),
            ("a2a3 * {book", "`{book`"),
            ("a2a3 1-0 (b2b3", "`(b2b3`"),
            ("a2a3 * {over} {open", "`{open`"),
            ("a2a3 (b2b3 b7b6", "`(b2b3 b7b6`"),
            ("a2a3 (b2b3 (c2c3) b7b6", "is not closed"),
            ("[Variant \"Crazyhouse\"]\n1. a2a3 *", "`Crazyhouse`"),
            ("[Variant \"Ataxx\"]\n1. a2a3 *", "--game ataxx"),
            ("[Board \"5x5\"]\n1. a2a3 *", "--board 5x5"),
            ("[FEN \"p7/8/8/8/8/8/P7/8 w - - 0 1\"]\n1. a2a3 *", "another position"),
            ("[FEN \"x\"]\n1. a2a3 *", "tag FEN"),
        ] {
            assert!(
                line::<Breakthrough>(text).contains(place),
                "{text}: {}",
                line::<Breakthrough>(text)
            );
        }
    }

    #[test]
    fn headers_are_told() {
        let text = "[Event \"a \\\"b\\\" c\"]\n[FEN \"8/8 w\"]\n[Variant \"ataxx\"]\n\n*\n";
        let pasted = Pasted::new(text);
        assert_eq!(pasted.header("FEN"), Some("8/8 w"));
        assert_eq!(pasted.header("Variant"), Some("ataxx"));
        assert_eq!((pasted.header("fen"), pasted.words.len()), (None, 0));
    }
}
