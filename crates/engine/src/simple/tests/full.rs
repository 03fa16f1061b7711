//! Tests of the check of games that implement the full traits, on a game with a fault.

use super::toys::Pairs;
use crate::error::Result;
use crate::eval::{BoardView, Feature, Game, Guide, LinearEvaluator, check_game};
use crate::game::{Board, MoveList, Notation, Outcome, Packing, Position, SearchHints, Side};
use crate::simple::{Move, Rules, Simple};

const SOUND: u8 = 0;
const ONE_KEY: u8 = 1;
const SAME_TEXT: u8 = 2;
const TWO_WORDS: u8 = 3;
const OVER: u8 = 4;
const PACKED: u8 = 5;
const TURNS: u8 = 6;
const DRAWS: u8 = 7;
const LEGAL: u8 = 8;
const COUNT: u8 = 9;
const DISTINCT: u8 = 10;
const CANONICAL: u8 = 11;
const RANK: u8 = 12;
const OTHER_BOARD: u8 = 13;
const NAME: u8 = 14;
const PASS: u8 = 15;
const REFUSES: u8 = 16;
const LIMIT: u8 = 17;
const TWICE: u8 = 18;

/// A feature with another limit.
const fn limited(feature: &Feature<Pairs>, limit: u32) -> Feature<Pairs> {
    let &Feature { name, family, words, formula, since, count, .. } = feature;
    Feature { name, family, words, formula, limit, since, count }
}

/// Two in a row on 3x2 squares, implemented with the full traits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct FullPairs<const FAULT: u8>(Simple<Pairs>);

impl<const FAULT: u8> Position for FullPairs<FAULT> {
    type Move = Move;
    const GAME: &'static str = if FAULT == NAME { "Full pairs" } else { "full" };
    const HAS_DRAWS: bool = FAULT != DRAWS;

    fn default_board() -> Board {
        Pairs::BOARD
    }

    fn boards() -> Vec<Board> {
        vec![Pairs::BOARD]
    }

    fn default_opening_plies(_: Board) -> u32 {
        2
    }

    fn start(board: Board) -> Result<Self> {
        let board = if FAULT == OTHER_BOARD { Pairs::BOARD } else { board };
        Simple::start(board).map(Self)
    }

    fn board(&self) -> Board {
        Pairs::BOARD
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn plies_made(&self) -> u32 {
        (FAULT == TURNS).into()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        match (FAULT, self.outcome()) {
            (OVER, Some(_)) => list.push(Move::PASS),
            _ => self.0.moves(list),
        }
    }

    fn count_moves(&self) -> u64 {
        self.0.count_moves() + u64::from(FAULT == COUNT)
    }

    fn is_legal(&self, mv: Move) -> bool {
        FAULT == LEGAL || FAULT != REFUSES && self.0.is_legal(mv)
    }

    fn play_unchecked(&self, mv: Move) -> Self {
        Self(self.0.play_unchecked(mv))
    }

    fn canonical_key(&self) -> u128 {
        if FAULT == CANONICAL { 7 } else { self.key().into() }
    }

    fn key(&self) -> u64 {
        if FAULT == ONE_KEY { 7 } else { self.0.key() }
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }
}

impl<const FAULT: u8> Notation for FullPairs<FAULT> {
    const MOVE_HELP: &'static str = "write the square";

    fn fen(&self) -> String {
        self.0.fen()
    }

    fn from_fen(text: &str) -> Result<Self> {
        Simple::from_fen(text).map(Self)
    }

    fn move_text(&self, mv: Move) -> String {
        match FAULT {
            SAME_TEXT if mv == Move::drop(1) => "a1".into(),
            TWO_WORDS => format!("to {}", self.0.move_text(mv)),
            _ => self.0.move_text(mv),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        self.0.read_move(text)
    }

    fn diagram(&self) -> String {
        self.0.diagram()
    }
}

impl<const FAULT: u8> Packing for FullPairs<FAULT> {
    const PACKED: usize = Simple::<Pairs>::PACKED;

    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        self.0.write_packed(bytes)
    }

    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        if FAULT == PACKED {
            Self::start(board)
        } else {
            Simple::read_packed(board, bytes).map(Self)
        }
    }
}

impl<const FAULT: u8> SearchHints for FullPairs<FAULT> {
    fn pass(&self) -> Option<Self> {
        (FAULT == PASS).then(|| self.clone())
    }

    fn distinct_moves(&self, list: &mut MoveList<Move>) {
        self.moves(list);
        if FAULT == DISTINCT {
            list.pop();
        }
    }

    fn noisy_moves(&self, _: &mut MoveList<Move>) {}

    fn is_capture(&self, _: Move) -> bool {
        false
    }

    fn move_rank(&self, _: Move) -> u8 {
        if FAULT == RANK { 16 } else { 0 }
    }

    fn piece_count(&self) -> u32 {
        self.0.piece_count()
    }
}

impl<const FAULT: u8> Game for FullPairs<FAULT> {
    type Evaluator = LinearEvaluator<Self>;
    type Inputs = Pairs;
    type NetworkView = BoardView;

    const FEATURES: &'static [Feature<Pairs>] = match (FAULT, Simple::<Pairs>::FEATURES) {
        (TWICE, [left, ..]) => &[limited(left, left.limit), limited(left, left.limit)],
        (LIMIT, [left, ..]) => &[limited(left, 0)],
        (_, features) => features,
    };
    const GUIDE: Guide = Simple::<Pairs>::GUIDE;

    fn inputs(&self) -> Pairs {
        self.0.inputs()
    }

    fn network_view(&self) -> BoardView {
        self.0.network_view()
    }
}

#[test]
fn broken_games_of_the_full_traits_are_found() {
    fn fault<const FAULT: u8>() -> String {
        check_game::<FullPairs<FAULT>>(Pairs::BOARD).unwrap_err().to_string()
    }
    check_game::<FullPairs<SOUND>>(Pairs::BOARD).unwrap();
    let other = check_game::<FullPairs<OTHER_BOARD>>(Board::new(3, 3)).unwrap_err().to_string();
    assert!(other.contains("begins on 3x2, though 3x3 was asked for"), "{other}");
    for (fault, reason) in [
        (fault::<ONE_KEY>(), "it has the same key as `3/3 x 0 1`"),
        (fault::<SAME_TEXT>(), "3/3 x 0 1: the move a1 is read back as another one"),
        (fault::<TWO_WORDS>(), "3/3 x 0 1: the move `to a1` is not one word"),
        (fault::<OVER>(), "finished, but with legal moves"),
        (fault::<PACKED>(), "packed and unpacked, it is another position"),
        (fault::<TURNS>(), "3/3 x 0 1: after a1 `plies_made` is 1, not 0"),
        (fault::<DRAWS>(), "it is a draw, and HAS_DRAWS is false"),
        (fault::<LEGAL>(), "`is_legal` allows"),
        (fault::<COUNT>(), "3/3 x 0 1: `count_moves` is 7, and `moves` lists 6"),
        (fault::<DISTINCT>(), "3/3 x 0 1: `distinct_moves` lacks"),
        (fault::<CANONICAL>(), "it has the same canonical key as `3/3 x 0 1`"),
        (fault::<RANK>(), "`move_rank` of a1 is 16, beyond 15"),
        (fault::<NAME>(), "GAME: lower-case letters and digits only"),
        (fault::<REFUSES>(), "3/3 x 0 1: `is_legal` refuses a1, which `moves` lists"),
        (fault::<LIMIT>(), "the feature `left` is -1, beyond its limit of 0"),
        (fault::<TWICE>(), "two features have the name `left`"),
        (fault::<PASS>(), "the same side is to move after `pass`"),
    ] {
        assert!(fault.contains(reason), "{fault}");
    }
}
