//! Connect Four on 7x6 squares, with every command of Sparring: `c4 tune`, `c4 play`, `c4 uci`.
//!
//! The sides drop stones into columns; a stone falls as far as it can. Four stones of a side in a
//! row, a column or a diagonal win, and a full board is a draw.
//!
//! Three things make a game: [`Rules`] say what is legal, [`Features`] say how a position is
//! judged, and `main` hands both to Sparring.

use sparring::simple::*;
use std::process::ExitCode;

#[cfg(test)]
mod tests;

fn main() -> ExitCode {
    sparring::program("c4")
        .game::<Simple<ConnectFour>>()
        .set("hand", include_str!("../hand.json"))
        .main()
}

/// A position: the stones of each side, a bit for each square, and whose turn it is.
///
/// Square = 8 * row + column, a1 = 0. The board has seven columns, so the eighth bit of each row is
/// always 0: a line that is shifted over the edge meets that bit, and no line goes around.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ConnectFour {
    stones: [u64; 2],
    side: Side,
}

/// The squares of the board.
const BOARD: u64 = board_squares(7, 6);
/// The squares of the first row.
const FIRST_ROW: u64 = board_squares(7, 1);
/// The squares of the first column.
const FIRST_COLUMN: u64 = board_squares(1, 6);
/// From a square to the next one of a line: to the right, upward, and along both diagonals.
const WAYS: [u32; 4] = [1, 8, 7, 9];

impl ConnectFour {
    /// The stones of a side and of the other one.
    fn own_and_other(&self, side: Side) -> [u64; 2] {
        side.ordered(self.stones[0], self.stones[1])
    }

    fn empty(&self) -> u64 {
        BOARD & !(self.stones[0] | self.stones[1])
    }

    /// The squares on which a stone dropped now would come to rest: empty ones in the first row or
    /// right above a stone.
    fn playable(&self) -> u64 {
        let stones = self.stones[0] | self.stones[1];
        self.empty() & (FIRST_ROW | stones << 8)
    }

    fn has_four(&self, side: Side) -> bool {
        let stones = self.stones[side.index()];
        WAYS.iter().any(|&way| all_four(stones, way) != 0)
    }
}

/// The first squares of all lines of a direction whose four squares are in a set.
fn all_four(set: u64, way: u32) -> u64 {
    let two = set & set >> way;
    two & two >> (2 * way)
}

/// The rules. Ten items are required; text, diagrams, keys and files follow from them.
impl Rules for ConnectFour {
    const NAME: &'static str = "connect4";
    const BOARD: Board = Board::new(7, 6);
    const SIGNS: [&'static str; 2] = ["x", "o"];
    const START: &'static str = "7/7/7/7/7/7 x";

    /// Refuses positions that no game reaches, since a user may have typed them.
    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
        let position = Self { stones: squares.narrow(), side };
        let [first, second] = position.stones.map(ones);
        if first - second != side.index() as i32 {
            return Err("a side has too many stones, or the other one is to move");
        }
        if position.empty() << 8 & (position.stones[0] | position.stones[1]) != 0 {
            return Err("a stone lies above an empty square");
        }
        if position.has_four(side) {
            return Err("the side to move has won before");
        }
        Ok(position)
    }

    fn squares(&self) -> Squares {
        Squares::of_sets(&self.stones)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Only the side that has just moved can have won.
    fn outcome(&self) -> Option<Outcome> {
        let last = self.side.other();
        match self.has_four(last) {
            true => Some(Outcome::Win(last)),
            false => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }

    /// A move is named by the square on which the stone comes to rest, such as `d1`.
    fn moves(&self, list: &mut Moves) {
        for square in each(self.playable()) {
            list.drop(square);
        }
    }

    fn play(&mut self, mv: Move) {
        self.stones[self.side.index()] |= 1 << mv.to();
        self.side = self.side.other();
    }

    // The rest is optional: without it the engine plays the same game, only weaker.

    /// A threat that can be carried out wins, and nothing stops two such threats of the other side.
    fn foresight(&self) -> Foresight {
        let playable = self.playable();
        if self.threats(self.side) & playable != 0 {
            return Foresight::Win(1);
        }
        match ones(self.threats(self.side.other()) & playable) {
            0 | 1 => Foresight::Unknown,
            _ => Foresight::Loss(2),
        }
    }

    /// A threat of the other side must be stopped, unless this side wins first.
    fn forced_moves(&self, list: &mut Moves) {
        let threats = self.threats(self.side.other()) & self.playable();
        if self.foresight() == Foresight::Unknown {
            each(threats).for_each(|square| list.drop(square));
        }
    }

    /// No stone ever leaves the board.
    fn is_capture(&self, _: Move) -> bool {
        false
    }

    /// The middle first.
    fn move_rank(&self, mv: Move) -> u8 {
        3 - (mv.to() % 8).abs_diff(3)
    }
}

/// The squares of the second, fourth and sixth row.
const EVEN_ROWS: u64 = FIRST_ROW << 8 | FIRST_ROW << 24 | FIRST_ROW << 40;

/// The patterns that the features count.
impl ConnectFour {
    /// The lines of a direction with `count` stones of a side and none of the other, each by its
    /// first square. All lines are looked at together, a bit each.
    fn open_lines(&self, side: Side, count: u32, way: u32) -> u64 {
        let [own, other] = self.own_and_other(side);
        let open = all_four(BOARD & !other, way);
        // The four squares of each line.
        let [a, b, c, d] = [own, own >> way, own >> (2 * way), own >> (3 * way)];
        let (one_of_ab, one_of_cd) = (a ^ b, c ^ d);
        let (both_ab, both_cd) = (a & b, c & d);
        open & match count {
            2 => one_of_ab & one_of_cd | both_ab & !(c | d) | both_cd & !(a | b),
            3 => both_ab & one_of_cd | one_of_ab & both_cd,
            _ => both_ab & both_cd,
        }
    }

    fn count_open_lines(&self, side: Side, count: u32) -> i32 {
        WAYS.iter().map(|&way| ones(self.open_lines(side, count, way))).sum()
    }

    /// The empty squares that would complete a line of four of a side.
    fn threats(&self, side: Side) -> u64 {
        let squares = |way: u32| {
            let lines = self.open_lines(side, 3, way);
            lines | lines << way | lines << (2 * way) | lines << (3 * way)
        };
        self.empty() & WAYS.iter().fold(0, |all, &way| all | squares(way))
    }

    /// The threats that decide a zugzwang: the board has an even number of squares, so if each
    /// stone is answered by a stone on top of it, the first side gets the odd rows and the second
    /// side the even ones.
    fn lasting_threats(&self, side: Side) -> u64 {
        self.threats(side) & if side == Side::First { !EVEN_ROWS } else { EVEN_ROWS }
    }

    /// The number of stones of a side in a column and its mirror image.
    fn in_columns(&self, side: Side, column: u32) -> i32 {
        let columns = FIRST_COLUMN << column | FIRST_COLUMN << (6 - column);
        ones(self.stones[side.index()] & columns)
    }
}

/// The features that a position is judged by. A weight set gives each feature a weight, and a tune
/// finds the weights. Each is counted for one side; its value is what the side to move has more of.
impl Features for ConnectFour {
    const FEATURES: &'static [SideFeature<Self>] = &[
        side("open_two", "Lines with two own stones and two empty squares.", |p, s| {
            p.count_open_lines(s, 2)
        }),
        side("open_three", "Lines with three own stones and an empty square.", |p, s| {
            p.count_open_lines(s, 3)
        }),
        side("centre", "Stones in the middle column.", |p, s| p.in_columns(s, 3)),
        side("beside_centre", "Stones in the columns beside it.", |p, s| p.in_columns(s, 2)),
        side("threats", "Empty squares that complete four in a row.", |p, s| ones(p.threats(s))),
        side(
            "lasting_threats",
            "Threats in odd rows for the first side, in even rows for the second.",
            |p, s| ones(p.lasting_threats(s)),
        ),
        tempo(),
    ];
}
