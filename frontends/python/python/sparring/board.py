"""Games under way."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from . import _native
from ._arguments import MOST_DEPTH, count
from .svg import board_svg

#: The games, by name.
GAMES = ("breakthrough", "ataxx", "breakthru")


class Board:
    """A game under way: a start, the moves played from there, and the rules.

    :param game: one of :data:`GAMES`.
    :param size: columns x rows, such as ``"6x6"``; without it the usual board of the game.

    >>> board = Board("ataxx", size="5x5")
    >>> board.turn, board.legal_moves[:3]
    ('x', ['d1', 'd2', 'e2'])
    >>> board.push("b4")
    'b4'
    >>> board.fen()
    'x3o/1x3/5/5/o3x o 0 1'
    >>> board.pop()
    'b4'
    >>> board.result()
    '*'

    :raises ValueError: when the game is unknown or is not played on that board.
    """

    __slots__ = ("_game",)

    def __init__(self, game: str = "breakthrough", size: Optional[str] = None) -> None:
        self._game = _native.Game.start(game, size)

    @classmethod
    def _of(cls, game: _native.Game) -> Board:
        board = cls.__new__(cls)
        board._game = game
        return board

    @classmethod
    def from_fen(cls, fen: str, game: str = "breakthrough") -> Board:
        """The game that begins with a position.

        >>> Board.from_fen("pp3/5/5/5/3PP w - - 0 1").size
        '5x5'

        :raises ValueError: when the text is not a position of the game.
        """
        return cls._of(_native.Game.from_fen(game, fen))

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._game.name

    @property
    def size(self) -> str:
        """Columns x rows."""
        return self._game.size

    @property
    def turn(self) -> str:
        """The side whose move it is, as the game calls it: ``"White"``, ``"x"``, ``"Gold"``.

        >>> Board().turn
        'White'
        """
        return self._game.side_names[self._game.turn]

    @property
    def is_first_to_move(self) -> bool:
        """Whether it is the first side's turn."""
        return self._game.turn == 0

    @property
    def legal_moves(self) -> List[str]:
        """The legal moves, none once the game is over.

        >>> len(Board().legal_moves)
        22
        """
        return self._game.moves()

    @property
    def move_stack(self) -> List[str]:
        """The moves played, the first one first."""
        return self._game.history()

    def push(self, move: str) -> str:
        """Plays a move, and gives its text in the notation of the game.

        :raises ValueError: when it is no legal move; the game stays as it was.
        """
        return self._game.push(move)

    def pop(self) -> str:
        """Takes the last move back, and gives it.

        :raises IndexError: at the start.
        """
        move = self._game.pop()
        if move is None:
            raise IndexError("no move to take back: the board shows the position that it began with")
        return move

    def fen(self) -> str:
        """The position as text."""
        return self._game.fen

    def is_game_over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.result() != "*"

    def result(self) -> str:
        """``"1-0"``, ``"0-1"`` or ``"1/2-1/2"``, and ``"*"`` while the game goes on."""
        return self._game.result()

    def ended_by(self) -> Optional[str]:
        """How the game ended: ``"rules"`` or ``"repetition"``; ``None`` before its end.

        >>> Board.from_fen("8/3P4/8/8/8/8/p7/8 w - - 0 1").ended_by() is None
        True
        """
        if not self.is_game_over():
            return None
        # Only a repetition depends on earlier moves: without these the game is not over.
        alone = Board.from_fen(self.fen(), self.game)
        return "rules" if alone.is_game_over() else "repetition"

    def perft(self, depth: int) -> int:
        """The number of lines of this many moves from here.

        >>> Board().perft(3)
        11132

        :raises ValueError: when the depth is negative or too great.
        """
        return self._game.perft(count("depth", depth, 0, MOST_DEPTH))

    def copy(self) -> Board:
        """The same game once more, which goes its own way from here."""
        return type(self)._of(self._game.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        start = self.copy()
        moves = self.move_stack
        for _ in moves:
            start.pop()
        return _board, (self.game, start.fen(), moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.game, self.fen()) == (other.game, other.fen())

    def __hash__(self) -> int:
        return hash((self.game, self.fen()))

    def __str__(self) -> str:
        return self._game.diagram()

    def __repr__(self) -> str:
        return f"Board.from_fen({self.fen()!r}, game={self.game!r})"

    def _repr_svg_(self) -> str:
        last = self.move_stack[-1:]
        return board_svg(self.game, self.size, self.fen(), last[0] if last else None)


def game_of(board: Board) -> _native.Game:
    """The game of a board; anything else is refused."""
    if not isinstance(board, Board):
        raise TypeError(f"board: {type(board).__name__} is not a Board; give a sparring.Board")
    return board._game


def _board(game: str, start: str, moves: List[str]) -> Board:
    """A game as it was pickled: repetitions count what was played."""
    board = Board.from_fen(start, game)
    for move in moves:
        board.push(move)
    return board
