"""Searches, their threads and their ends, in the package as its users have it."""

import copy
import os
import pickle
import random
import signal
import threading
import time
import unittest

import sparring
from support import BOARDS, random_game, spar


class Searches(unittest.TestCase):
    def test_they_find_what_the_program_finds(self):
        choose = random.Random(3)
        for game, sizes in BOARDS:
            for size in sizes:
                for plies in range(0, 30, 6):
                    board = random_game(game, size, plies, choose)
                    if board.is_game_over():
                        continue
                    weights = "piece" if plies % 12 else None
                    best = {"8x8": "8x8", "7x7": "7x7", "11x11": "11x11"}.get(size, "piece")
                    name = weights or best
                    found = sparring.Engine(name, game=game, size=size).search(board, depth=5)
                    words = ["--game", game, "--fen", board.fen(), "--weights", name]
                    expected = spar("analyze", *words, "--depth", "5")
                    given = (found.move, found.nodes, found.line, found.depth)
                    keys = ("best", "nodes", "pv", "depth")
                    self.assertEqual(given, tuple(expected[key] for key in keys), board)
                    proven = expected["win_in"] or -(expected["loss_in"] or 0) or None
                    self.assertEqual(found.win_in, proven)
                    if proven is None:
                        self.assertEqual(found.score, expected["score"])

    def test_other_threads_run_and_can_stop_it(self):
        engine, results = sparring.Engine("8x8"), []
        search = threading.Thread(
            target=lambda: results.append(engine.search(sparring.Board(), movetime=60.0))
        )
        search.start()
        time.sleep(0.2)
        with self.assertRaises(RuntimeError):
            engine.search(sparring.Board(), depth=1)
        engine.stop()
        search.join(10)
        self.assertFalse(search.is_alive())
        self.assertIn(results[0].move, sparring.Board().legal_moves)

    def test_ctrl_c_ends_it(self):
        # A shell that starts programs in the background lets them ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            sparring.Engine("8x8").search(sparring.Board(), movetime=60.0)
        self.assertLess(time.monotonic() - begin, 10)

    def test_an_exception_of_the_callback_ends_it(self):
        def fail(found):
            raise LookupError(found.depth)

        with self.assertRaises(LookupError):
            sparring.Engine("8x8").search(sparring.Board(), movetime=60.0, on_depth=fail)


    def test_several_lines_and_some_moves_only(self):
        board = sparring.Board.from_fen("8/1p1p4/8/3P4/4P3/8/8/8 w - - 0 1")
        engine = sparring.Engine("piece", hash=1)
        found = engine.search(board, depth=3, multipv=3)
        self.assertEqual(len({line.best for line in found.lines}), 3)
        first = found.lines[0]
        self.assertEqual((first.best, first.pv, first.score), (found.best, found.pv, found.score))
        self.assertEqual((found.move, found.line), (found.best, found.pv))
        only = engine.search(board, depth=3, searchmoves=["e4f5"])
        self.assertEqual((only.best, len(only.lines)), ("e4f5", 1))
        for wrong in [{"multipv": 0}, {"searchmoves": ["e4f9"]}]:
            with self.assertRaises(ValueError):
                engine.search(board, depth=1, **wrong)

    def test_engines_are_pickled_without_their_tables(self):
        engine = pickle.loads(pickle.dumps(sparring.Engine("8x8", table=2)))
        found = engine.search(sparring.Board(), depth=5)
        again = copy.deepcopy(engine).search(sparring.Board(), depth=5)
        self.assertEqual(found._replace(seconds=0), again._replace(seconds=0))
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)


if __name__ == "__main__":
    unittest.main()
