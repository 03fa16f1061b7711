"""Positions of the games, in the package as its users have it."""

import pickle
import random
import unittest

import sparring
from support import BOARDS, random_game, spar


class Boards(unittest.TestCase):
    def test_games_go_forth_and_back(self):
        choose = random.Random(1)
        for game, sizes in BOARDS:
            for size in sizes:
                start = sparring.Board(game, size=size)
                board = random_game(game, size, 60, choose)
                moves = board.move_stack
                again = sparring.Board(game, size=size)
                for move in moves:
                    self.assertIn(move, again.legal_moves)
                    self.assertEqual(again.push(move), move)
                self.assertEqual(again, board)
                self.assertEqual(hash(again), hash(board))
                copy = board.copy()
                for move in reversed(moves):
                    self.assertEqual(board.pop(), move)
                self.assertEqual(board, start)
                self.assertEqual(copy, again)
                with self.assertRaises(IndexError):
                    board.pop()

    def test_bad_input_is_a_value_error_that_names_it(self):
        board = sparring.Board()
        for move in ["", "zz", "a1a3", "\U0001f600"]:
            with self.assertRaises(ValueError):
                board.push(move)
        self.assertEqual(board, sparring.Board())
        for make in [
            lambda: sparring.Board("chess"),
            lambda: sparring.Board("ataxx", size="9x9"),
            lambda: sparring.Board.from_fen("rubbish"),
            lambda: sparring.Weights("8x9"),
            lambda: sparring.Weights.from_json("{}"),
            lambda: sparring.Engine("8x8", size="6x6"),
            lambda: sparring.Engine("8x8", table=0),
            lambda: sparring.Engine("8x8").search(sparring.Board()),
            lambda: sparring.Engine("8x8").search(sparring.Board("ataxx"), depth=1),
            lambda: sparring.Engine("8x8").search(sparring.Board(), movetime=-1.0),
            lambda: sparring.Engine("8x8").search(sparring.Board(), movetime=float("nan")),
            lambda: sparring.Engine("8x8").search(sparring.Board(), movetime=float("inf"), depth=1),
            lambda: sparring.Engine("8x8").search(sparring.Board(), nodes=-1),
            lambda: sparring.Engine("8x8").search(sparring.Board(), depth=0),
            lambda: sparring.features(["8/8"]),
            lambda: sparring.patterns([], "windows_9x9"),
        ]:
            with self.assertRaises(ValueError) as caught:
                make()
            self.assertGreater(len(str(caught.exception)), 10)

    def test_a_wrong_type_is_a_type_error_that_names_it(self):
        engine, board = sparring.Engine("piece"), sparring.Board()
        for make, named in [
            (lambda: engine.search(None, depth=1), "not a Board"),
            (lambda: engine.search(board, depth=1, searchmoves="a2a3"), r"\['a2a3'\]"),
            (lambda: engine.search(board, movetime="1"), "movetime: str is not a number; give seconds"),
            (lambda: sparring.features(board.fen()), "give a list"),
            (lambda: sparring.features(board), "give a list"),
            (lambda: sparring.patterns(board.fen()), "give a list"),
        ]:
            with self.assertRaisesRegex(TypeError, named):
                make()
        with self.assertRaisesRegex(ValueError, "give nodes, depth or movetime"):
            engine.search(board)

    def test_a_game_says_how_it_ended(self):
        board = sparring.Board.from_fen("8/3P4/8/8/8/8/p7/8 w - - 0 1")
        self.assertIsNone(board.ended_by())
        board.push("d7d8")
        self.assertEqual(board.ended_by(), "rules")
        thru = sparring.Board("breakthru")
        for move in ["e8-e9", "e4-e3", "b4-b3", "j4-j3", "e9-e8", "e3-e4", "b3-b4", "j3-j4"] * 2:
            thru.push(move)
        self.assertEqual(thru.ended_by(), "repetition")

    def test_perft_is_the_programs(self):
        board = sparring.Board("ataxx", size="5x5")
        self.assertEqual(board.perft(4), spar("perft", "--game", "ataxx", "--board", "5x5",
                                              "--depth", "4")["nodes"])

    def test_boards_are_drawn(self):
        choose = random.Random(2)
        for game, sizes in BOARDS:
            board = random_game(game, sizes[0], 20, choose)
            drawn = board._repr_svg_()
            columns, rows = map(int, board.size.split("x"))
            self.assertEqual(drawn.count("<rect"), columns * rows)
            pieces = sum(letter.isalpha() for letter in board.fen().split()[0])
            self.assertEqual(drawn.count("<circle"), pieces)
            self.assertIn("#f6d55c", drawn)
            self.assertIn("a", str(board))


    def test_they_are_pickled_with_their_moves(self):
        board = sparring.Board("breakthru")
        moves = ["e8-e9", "e4-e3", "b4-b3", "j4-j3", "e9-e8", "e3-e4", "b3-b4", "j3-j4"] * 2
        for move in moves[:-1]:
            board.push(move)
        again = pickle.loads(pickle.dumps(board))
        self.assertEqual(again.move_stack, board.move_stack)
        again.push(moves[-1])
        self.assertEqual(again.result(), "1/2-1/2")


if __name__ == "__main__":
    unittest.main()
