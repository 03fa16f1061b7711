"""The package as its users have it: installed, and used from an empty folder.

SPAR names the program `spar` of the same version, whose answers are the reference.
"""

import collections.abc
import copy
import doctest
import importlib
import importlib.metadata
import json
import os
import pickle
import pkgutil
import random
import signal
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

import numpy
import sparring

SPAR = os.environ["SPAR"]
NOTEBOOK = Path(__file__).resolve().parent.parent / "example.ipynb"
#: Each game with boards on which it is played.
BOARDS = [
    ("breakthrough", ["8x8", "5x5", "6x6"]),
    ("ataxx", ["7x7", "5x5"]),
    ("breakthru", ["11x11"]),
]


def spar(*words):
    """The document that a command prints."""
    done = subprocess.run([SPAR, *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def random_game(game, size, plies, choose):
    board = sparring.Board(game, size=size)
    while len(board.move_stack) < plies and not board.is_game_over():
        board.push(choose.choice(board.legal_moves))
    return board


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


class WeightSets(unittest.TestCase):
    def test_the_strongest_is_that_of_the_program(self):
        for game, sizes in BOARDS:
            for size in sizes:
                words = ["--game", game, "--board", size, "--depth", "1"]
                name = f"{game}/{sparring.Weights.strongest(game, size).name}"
                self.assertEqual(name, spar("analyze", *words)["weights"])
                # With its search constants, too.
                self.assertEqual(sparring.Weights.strongest(game, size), sparring.Weights(name))

    def test_they_are_mappings_that_are_pickled(self):
        weights = sparring.Weights("8x8")
        self.assertIsInstance(weights, collections.abc.Mapping)
        self.assertEqual([name for name, _ in weights.items()], weights.keys())
        self.assertEqual(len(weights.values()), len(weights))
        self.assertEqual((weights.get("piece"), weights.get("nothing", 7)), (weights["piece"], 7))
        for again in [pickle.loads(pickle.dumps(weights)), copy.deepcopy(weights), copy.copy(weights)]:
            self.assertEqual(again.fingerprint, weights.fingerprint)
            again["piece"] += 1
            self.assertNotEqual(again.fingerprint, weights.fingerprint)

    def test_nothing_is_lost_in_silence(self):
        weights = sparring.Weights("8x8")
        with self.assertRaises(ValueError):
            weights["windows_3x3"][0] = 7
        with self.assertRaisesRegex(ValueError, "not a whole number; round it, or raise `scale`"):
            weights["piece"] = 3.7
        with self.assertRaisesRegex(ValueError, "out of range; give -1000000 to 1000000"):
            weights["piece"] = 10**30
        weights["piece"] = 4.0
        self.assertEqual(weights["piece"], 4)
        weights.scale = 3
        self.assertEqual(sparring.Weights.from_json(weights.to_json()).scale, 3)
        for scale in (0, 1_000_001, 2**70):
            with self.assertRaisesRegex(ValueError, f"scale={scale}: "):
                weights.scale = scale
        # What no engine takes is refused at once.
        table = weights["windows_3x3"].copy()
        table[0] = 32_768
        with self.assertRaisesRegex(ValueError, "windows_3x3`: 32768 is out of range; give -32767 to 32767"):
            weights["windows_3x3"] = table
        table[0] = 32_767
        for number in (-32_768, 2**40, 10**30):
            cells = table.tolist()
            cells[7] = number
            with self.assertRaisesRegex(ValueError, f"^element 7 of weight `windows_3x3`: {number} is out of"):
                weights["windows_3x3"] = cells
        weights["windows_3x3"] = table
        sparring.Engine(weights)
        document = json.loads(weights.to_json())
        document["weights"]["windows_3x3"][0] = 32_768
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "greater.json")
            path.write_text(json.dumps(document), encoding="utf-8")
            for read in (lambda: sparring.Weights(path), lambda: sparring.Weights.from_json(path.read_text("utf-8"))):
                with self.assertRaisesRegex(ValueError, "windows_3x3`, element 0: 32768 does not lie between"):
                    read()
        for text in (b"a", bytearray(b"a"), "a", True):
            with self.assertRaisesRegex(ValueError, "weight `tempo`: .* is not a whole number"):
                weights["tempo"] = text

    def test_a_set_that_no_engine_takes_is_refused_when_it_is_read(self):
        network = json.loads(sparring.Weights("breakthrough/6x6-network").to_json())
        ataxx = json.loads(sparring.Weights("ataxx/7x7-network").to_json())
        table = json.loads(sparring.Weights("8x8").to_json())
        piece = json.loads(sparring.Weights("piece").to_json())
        for document, error in [
            ({**table, "board": None}, "^text, key `windows_3x3`: the set's board has no such table"),
            ({**table, "board": "6x6"}, "^text, key `windows_3x3`: an array of 354294 where"),
            ({**ataxx, "board": None}, "^text, key `board`: names no board of the game"),
            ({**network, "search": {"zz": 1}}, "^text, key `search`, constant `zz`: unknown"),
            ({**piece, "board": "3x9"}, "^text, key `board`, board `3x9`: "),
            ({**piece, "game": "zz"}, "^text, game `zz`: unknown"),
            ({**piece, "weights": {}}, "^text, key `piece`: the feature is missing"),
        ]:
            with self.assertRaisesRegex(ValueError, error):
                sparring.Weights.from_json(json.dumps(document))
        # Search constants alone play with the weights of the board's strongest set.
        constants = {**piece, "format": 3, "weights": {}, "search": network["search"]}
        engine = sparring.Engine(sparring.Weights.from_json(json.dumps(constants)), size="6x6")
        board = sparring.Board(size="6x6")
        found, expected = (one.search(board, depth=5) for one in (engine, sparring.Engine("6x6-network")))
        self.assertEqual((found.nodes, found.pv), (expected.nodes, expected.pv))

    def test_numbers_out_of_range_name_their_argument(self):
        board, engine = sparring.Board(), sparring.Engine("piece")
        for name, most in dict(nodes=2**64, depth=2**32, multipv=2**32).items():
            for number in (-1, 0, most):
                with self.assertRaisesRegex(ValueError, f"^{name}={number}: "):
                    engine.search(board, **{"depth": 1, name: number})
            for value in ("x", True):
                with self.assertRaisesRegex(TypeError, f"^{name}: {type(value).__name__} is not a whole number"):
                    engine.search(board, **{"depth": 1, name: value})
        with self.assertRaisesRegex(TypeError, "^movetime: bool is not a number"):
            engine.search(board, movetime=True)
        for name in ("hash", "table"):
            for number in (-1, 0, 65_537, 2**70):
                with self.assertRaisesRegex(ValueError, f"^{name}={number}: "):
                    sparring.Engine("piece", **{name: number})
            with self.assertRaisesRegex(TypeError, f"^{name}: "):
                sparring.Engine("piece", **{name: "x"})
        for depth in (-1, 2**32):
            with self.assertRaisesRegex(ValueError, f"^depth={depth}: "):
                board.perft(depth)
        for explains in (engine.explain, engine.weights.explain):
            with self.assertRaisesRegex(TypeError, "board: str is not a Board"):
                explains("x")

    def test_an_unknown_game_is_the_error(self):
        for make in (sparring.Weights, sparring.Engine):
            with self.assertRaisesRegex(ValueError, "game `zz`: unknown; known are"):
                make("hand", game="zz")

    def test_sets_say_what_a_score_means(self):
        weights = sparring.Weights("breakthrough/piece")
        self.assertEqual(weights.unit, 1)
        self.assertAlmostEqual(weights.unit / weights.win_scale, 0.9, places=3)
        with self.assertRaises(AttributeError):
            weights.unit = 2

    def test_features_that_a_set_leaves_out_have_the_weight_0(self):
        for name in sparring.shipped():
            weights = sparring.Weights(name)
            for feature in sparring.feature_names(weights.game):
                self.assertIn(feature, weights)
                self.assertIsInstance(weights[feature], int)
            weights[feature] = 5
            self.assertEqual(sparring.Weights.from_json(weights.to_json())[feature], 5)


    def test_every_shipped_set_is_read_and_written(self):
        for name in sparring.shipped():
            weights = sparring.Weights(name)
            again = sparring.Weights.from_json(weights.to_json())
            self.assertEqual(again.fingerprint, weights.fingerprint, name)

    def test_what_is_changed_is_saved_and_played(self):
        weights = sparring.Weights("8x8")
        table = weights["windows_3x3"].copy()
        self.assertEqual(table.shape, (sparring.tables()["windows_3x3"],))
        table[1000] += 3
        weights["windows_3x3"] = table
        self.assertNotEqual(weights.fingerprint, sparring.Weights("8x8").fingerprint)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mine.json"
            weights.save(path)
            self.assertEqual(sparring.Weights(path).fingerprint, weights.fingerprint)
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["mine.json"])
            with self.assertRaisesRegex(FileNotFoundError, "no such folder: '.*/none'"):
                weights.save(Path(folder) / "none" / "mine.json")
        for name, value, error in [
            ("piece", [1, 2], ValueError),
            ("piece", 10**12, ValueError),
            ("nonsense", 1, KeyError),
        ]:
            with self.assertRaises(error):
                weights[name] = value

    def test_explanations_have_the_phase_of_weights_by_phase(self):
        start = sparring.Board()
        self.assertIsNone(sparring.Weights("hand").explain(start).phase)
        document = json.loads(sparring.Weights("hand").to_json())
        danger = document["weights"].pop("danger")
        document["format"] = 6
        document["weights"].update({"danger@early": danger, "danger@late": 77})
        weights = sparring.Weights.from_json(json.dumps(document))
        self.assertEqual(weights.explain(start).phase, 0)
        end = sparring.Board.from_fen("8/P7/8/8/8/8/7p/8 w - - 0 1")
        self.assertEqual(pickle.loads(pickle.dumps(weights.explain(end))).phase, 16)

    def test_explanations_add_up(self):
        choose = random.Random(4)
        for name in ["breakthrough/8x8", "ataxx/7x7", "ataxx/7x7-network", "breakthru/11x11"]:
            weights = sparring.Weights(name)
            board = random_game(weights.game, weights.size, 20, choose)
            explained = weights.explain(board)
            parts = [*explained.terms, *explained.tables]
            parts += [explained.network] if explained.network else []
            self.assertEqual(sum(part["product"] for part in parts), explained.sum)
            self.assertEqual(int(explained.sum / explained.scale), explained.score)
            self.assertIsNone(explained.phase)

    def test_weights_by_phase_are_explained_at_their_phase(self):
        document = json.loads(sparring.Weights("hand").to_json())
        document["format"] = 6
        piece = document["weights"].pop("piece")
        document["weights"] |= {"piece@early": piece, "piece@late": 2 * piece}
        weights = sparring.Weights.from_json(json.dumps(document))
        explained = weights.explain(sparring.Board())
        self.assertEqual((explained.phase, explained.terms[0]["weight"]), (0, piece))


class Arrays(unittest.TestCase):
    def test_features_and_patterns_give_the_value(self):
        choose = random.Random(5)
        weights = sparring.Weights("8x8")
        boards = [random_game("breakthrough", "8x8", plies, choose) for plies in range(0, 40, 4)]
        boards = [board for board in boards if not board.is_game_over()]
        fens = [board.fen() for board in boards]
        counted, names = sparring.features(fens), sparring.feature_names()
        sums = sum(counted[:, names.index(name)] * int(weights[name])
                   for name in weights if name in names)
        for table in sparring.tables():
            shown = sparring.patterns(fens, table)
            self.assertEqual(shown.shape, (len(fens), sparring.tables()[table]))
            for row in range(len(fens)):
                part = slice(shown.starts[row], shown.starts[row + 1])
                sums[row] += (weights[table][shown.cells[part]] * shown.counts[part]).sum()
        for board, value in zip(boards, sums):
            self.assertEqual(int(value / weights.scale), weights.explain(board).score)

    def test_positions_are_texts_or_boards(self):
        boards = [sparring.Board("ataxx"), sparring.Board("ataxx", size="7x7")]
        fens = [board.fen() for board in boards]
        rows = sparring.features(fens, "ataxx")
        for positions in [boards, [fens[0], boards[1]]]:
            self.assertTrue((sparring.features(positions) == rows).all())
            self.assertTrue((sparring.features(positions, "ataxx") == rows).all())
        shown = sparring.patterns(boards)
        self.assertTrue((shown.cells == sparring.patterns(fens, game="ataxx").cells).all())
        with self.assertRaisesRegex(ValueError, "several games: ataxx, breakthrough"):
            sparring.features(boards, "breakthrough")
        with self.assertRaisesRegex(ValueError, "several games: ataxx, breakthru"):
            sparring.features([boards[0], sparring.Board("breakthru")])
        with self.assertRaisesRegex(ValueError, "position 1"):
            sparring.features([boards[0], "8/8"])

    def test_what_needs_numpy_says_how_to_get_it(self):
        """The package itself is used without it."""
        code = """
import sys
sys.modules["numpy"] = None
import sparring
board = sparring.Board()
print(sparring.Engine("8x8").search(board, depth=2).best)
for work in [
    lambda: sparring.features([board.fen()]),
    lambda: sparring.patterns([board.fen()]),
    lambda: sparring.Weights("breakthrough/8x8")["windows_3x3"],
]:
    try:
        work()
    except ImportError as error:
        print(error)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4, done.stderr)
        for line in lines[1:]:
            self.assertIn("pip install numpy", line)

    def test_samples_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.pos"
            words = ["--game", "ataxx", "--board", "5x5", "--games", "150", "--nodes", "300"]
            spar("generate", str(path), *words)
            samples = sparring.Samples(path)
            fens = samples.fens()
            self.assertGreater(len(samples), 100)
            self.assertEqual(len(fens), len(samples))
            rows = sparring.features(fens, "ataxx")
            self.assertTrue((samples.features() == rows).all())
            some = samples.ply < 10
            self.assertTrue((samples.features(some) == rows[some]).all())
            self.assertLessEqual(set(samples.result.tolist()), {0.0, 0.5, 1.0})
            self.assertLess(samples.fold.max(), 64)
            # The side that is far ahead mostly wins.
            ahead = samples.score > 300
            self.assertGreater(samples.result[ahead].mean(), 0.7)
            packed = Path(folder) / "packed.pos"
            spar("positions", "merge", str(path), "-o", str(packed), "--packed")
            self.assertLess(packed.stat().st_size, path.stat().st_size * 2 / 3)
            self.assertEqual(sparring.Samples(packed).fens(), fens)
            damaged = bytearray(packed.read_bytes())
            damaged[-20] ^= 1
            for data in [bytes(damaged), packed.read_bytes()[:-20]]:
                packed.write_bytes(data)
                with self.assertRaises(ValueError):
                    sparring.Samples(packed)
            damaged = bytearray(path.read_bytes())
            damaged[-20] ^= 1
            for data in [bytes(damaged), b"", b"SPARPOS1\xff\xff\xff\xff", b"SPARPOS1" + bytes(4)]:
                path.write_bytes(data)
                with self.assertRaises(ValueError):
                    sparring.Samples(path)

    def test_unfinished_samples_are_read_as_far_as_they_are_proven(self):
        with tempfile.TemporaryDirectory() as folder:
            path, part = Path(folder) / "games.pos", Path(folder) / "games.pos.part"
            spar("generate", str(path), "--board", "5x5", "--games", "150", "--nodes", "30")
            whole = sparring.Samples(path)
            good = path.read_bytes()[:-8]
            check = zlib.crc32(struct.pack("<QQ", 150, len(good)), zlib.crc32(good))
            progress = json.dumps({"games": 150, "bytes": len(good), "check": check})
            part.write_text(progress)
            # A part of a record, as long as the end of a complete file.
            path.write_bytes(good + bytes(8))
            self.assertEqual(sparring.Samples(path).fens(), whole.fens())
            flipped = bytearray(good)
            flipped[-20] ^= 1
            for data, text in [
                (bytes(flipped), progress), (good[:-16], progress),
                (good, progress.replace("150", "151")), (good, "{}"), (good, ""),
            ]:
                path.write_bytes(data)
                part.write_text(text)
                with self.assertRaisesRegex(ValueError, "games.pos"):
                    sparring.Samples(path)

    def test_samples_of_a_run_are_checked_by_its_journal(self):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run"
            words = ["--method", "network", "--board", "5x5", "--games", "100", "--nodes", "20"]
            spar(
                "tune", *words, "--rounds", "1", "--round-pairs", "2", "--validation-pairs", "2",
                "--yardstick-pairs", "0", "--units", "2", "--epochs", "1", "--run", str(run),
            )
            path = run / "positions-1.pos"
            samples = sparring.Samples(path)
            described = spar("positions", "describe", str(path))
            self.assertEqual(len(samples), described["positions"])
            good = path.read_bytes()
            for more in (3, 8):
                path.write_bytes(good + bytes(more))
                self.assertEqual(sparring.Samples(path).fens(), samples.fens())
            for data in [good[:-1], good[:-16], good[:-9] + bytes([good[-9] ^ 1]) + good[-8:]]:
                path.write_bytes(data)
                with self.assertRaisesRegex(ValueError, "not as its run wrote it"):
                    sparring.Samples(path)


class Programs(unittest.TestCase):
    def test_a_tune_and_a_match(self):
        with tempfile.TemporaryDirectory() as folder:
            seen = []
            run = sparring.tune(
                program=SPAR, on_event=seen.append, board="5x5", method="spsa", games=200,
                nodes=30, validation_pairs=20, yardstick_pairs=0, runs=folder,
            )
            self.assertEqual(seen, run.events)
            self.assertGreater(len(run.batches), 1)
            self.assertEqual(run.candidate.game, "breakthrough")
            self.assertEqual(run.accepted, run.document["accepted"])
            result = sparring.match(
                f"{run.directory}:candidate", "piece",
                program=SPAR, board="5x5", nodes=30, pairs=5, no_run=True,
            )
            self.assertEqual(result["games"], 10)

    def test_a_run_that_was_not_accepted_warns_and_offers_its_candidate(self):
        options = dict(
            program=SPAR, board="5x5", method="spsa", start="atachiants", games=200, a=1, nodes=5,
            yardstick_pairs=0,
        )
        with tempfile.TemporaryDirectory() as folder:
            # Without a validation no candidate passes.
            run = sparring.tune(validation_pairs=0, runs=folder, **options)
            self.assertIs(run.accepted, False)
            with self.assertWarnsRegex(UserWarning, "not accepted.*candidate"):
                weights = run.weights
            start = sparring.Weights("atachiants")
            self.assertEqual([weights[name] for name in start], [start[name] for name in start])
            # By its path, too.
            for place in (run, f"{run.directory}/weights.json"):
                with self.assertWarnsRegex(UserWarning, "not accepted.*started from.*candidate"):
                    self.assertEqual(sparring.Weights(place), weights)
            with self.assertWarnsRegex(UserWarning, "not accepted"):
                self.assertEqual(sparring.Engine(run).weights, weights)
            candidate = run.candidate
            self.assertNotEqual([candidate[name] for name in start], [start[name] for name in start])
            with self.assertWarnsRegex(UserWarning, "this is its start set"):
                played = sparring.match(
                    run.directory, "piece", program=SPAR, nodes=5, pairs=1, no_run=True,
                )
            self.assertEqual(played["players"][0]["name"], run.directory + ":start")

    def test_runs_are_named_as_in_a_terminal(self):
        options = dict(program=SPAR, board="5x5", nodes=5, threads=1, yardstick_pairs=0,
                       validation_pairs=0, method="spsa", start="piece", games=100)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                run = sparring.tune(run="runs/first", **options)
                for name in ("first", "last", "runs/first"):
                    with self.assertWarnsRegex(UserWarning, "was not accepted"):
                        self.assertEqual(sparring.Weights(name), sparring.Weights("piece"))
                for name in ("first:candidate", "last:candidate", "runs/first:candidate"):
                    self.assertEqual(sparring.Weights(name), run.candidate)
                with self.assertWarnsRegex(UserWarning, "was not accepted: this is its candidate"):
                    self.assertEqual(sparring.Weights("runs/first/candidate.json"), run.candidate)
                sparring.match("piece", "zhu", program=SPAR, nodes=5, pairs=1, run="runs/second")
                for made in (lambda: sparring.Run.open("second", program=SPAR).weights,
                             lambda: sparring.Run.open("second", program=SPAR).candidate,
                             lambda: sparring.Weights("runs/second")):
                    with self.assertRaisesRegex(ValueError, "second: it makes no weights; name a tune"):
                        made()
                with self.assertRaisesRegex(ValueError, "it is a match"):
                    sparring.Weights("second")
                with self.assertRaisesRegex(ValueError, "weights `none`: no shipped weight set"):
                    sparring.Weights("none")
            finally:
                os.chdir(before)

    def test_a_tune_by_fitting_has_rounds(self):
        import matplotlib

        matplotlib.use("Agg")
        with tempfile.TemporaryDirectory() as folder:
            made = sparring.tune(program=SPAR, board="5x5", nodes=5, threads=1, yardstick_pairs=0, games=400,
                                 validation_pairs=0, method="logistic", start="piece", run=f"{folder}/fit")
            run = sparring.Run.open(made.directory, program=SPAR)
            self.assertEqual(run.rounds, made.rounds)
            self.assertEqual([run.batches, len(run.rounds)], [[], 1])
            self.assertRegex(repr(run), "fit', 1 round>$")
            axes = run.plot()
            self.assertIn("Elo of a round", axes.get_ylabel())
            drawn = [container for container in axes.containers if len(container[0].get_xdata()) == 1]
            self.assertEqual(len(drawn), 1)

    def test_options_take_runs_and_refuse_what_is_in_no_file(self):
        options = dict(program=SPAR, board="5x5", nodes=5, threads=1, yardstick_pairs=0,
                       validation_pairs=0, method="spsa")
        with tempfile.TemporaryDirectory() as folder:
            first = sparring.tune(games=100, run=f"{folder}/first", start="piece", **options)
            with self.assertWarnsRegex(UserWarning, "was not accepted: this is its start set"):
                second = sparring.tune(games=100, run=f"{folder}/second", start=first, **options)
            self.assertGreater(len(second.batches), 0)
            with self.assertWarnsRegex(UserWarning, "first` was not accepted: this is its start set"):
                sparring.match(first, "zhu", program=SPAR, nodes=5, pairs=1, no_run=True)
        weights = sparring.Weights("piece")
        for refused in (lambda: sparring.match(weights, "piece", program=SPAR),
                        lambda: sparring.tune(start=weights, program=SPAR),
                        lambda: sparring.fit(weights, "f.json", program=SPAR)):
            with self.assertRaisesRegex(TypeError, "in no file: save them"):
                refused()
        with self.assertRaisesRegex(sparring.ProgramError, "at least 8s"):
            sparring.tune(for_="1s", program=SPAR)

    def test_weights_are_equal_when_their_numbers_are(self):
        weights = sparring.Weights("8x8")
        self.assertEqual(weights, pickle.loads(pickle.dumps(weights)))
        changed = copy.deepcopy(weights)
        changed["tempo"] = changed["tempo"] + 1
        self.assertNotEqual(weights, changed)
        self.assertNotEqual(weights, dict(weights.items()).keys())
        with self.assertRaises(TypeError):
            hash(weights)

    def test_the_version_is_told(self):
        told = subprocess.run([SPAR, "--version"], capture_output=True, text=True).stdout
        self.assertEqual(told.split(), ["spar", sparring.__version__])

    def test_runs_are_opened_interrupted_and_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            options = dict(program=SPAR, board="5x5", start="piece", method="spsa", nodes=30, seed=3,
                           validation_pairs=20, yardstick_pairs=0, threads=1)

            def interrupt(event):
                if event["event"] == "batch":
                    raise KeyboardInterrupt

            with self.assertRaises(sparring.Interrupted) as caught:
                sparring.tune(on_event=interrupt, games=400, run=f"{folder}/cut", **options)
            cut = pickle.loads(pickle.dumps(caught.exception)).run
            with self.assertRaisesRegex(ValueError, "not finished.*resume"):
                cut.candidate
            with self.assertWarnsRegex(UserWarning, "is not finished: .* started from$"):
                cut.weights
            whole = sparring.resume(cut.directory, program=SPAR)
            straight = sparring.tune(games=400, run=f"{folder}/straight", **options)
            self.assertEqual(whole.candidate, straight.candidate)
            again = sparring.resume(whole, program=SPAR)
            self.assertEqual((again.document["run"], again.candidate), (whole.directory, whole.candidate))
            played = sparring.match(whole, "piece", program=SPAR, nodes=5, pairs=1, no_run=True)
            self.assertEqual(played["games"], 2)
            opened = sparring.Run.open(straight.directory, program=SPAR)
            self.assertEqual(opened.accepted, straight.accepted)
            self.assertEqual(opened.candidate.fingerprint, straight.candidate.fingerprint)
            self.assertGreater(len(opened.batches), 1)
            with self.assertRaises(sparring.ProgramError):
                sparring.Run.open(f"{folder}/none", program=SPAR)

    def test_positions_are_generated_fitted_and_trained_on(self):
        with tempfile.TemporaryDirectory() as folder:
            samples = sparring.generate(f"{folder}/a.pos", program=SPAR, board="5x5", games=400,
                                        positions="all", weights="piece", threads=1)
            self.assertGreater(len(samples), 20)
            self.assertEqual(samples.patterns(indices=slice(0, 9)).shape[0], 9)
            weights, found = sparring.fit([f"{folder}/a.pos"], f"{folder}/f.json", program=SPAR)
            self.assertEqual((weights.game, type(found)), ("breakthrough", dict))
            trained, _ = sparring.train(samples, f"{folder}/n.json", program=SPAR, epochs=1.0)
            self.assertTrue(trained.has_network)

    def test_the_program_comes_with_the_package(self):
        script = Path(sysconfig.get_path("scripts")) / "spar"
        self.assertTrue(script.exists())
        result = sparring.match("piece", "piece", nodes=5, pairs=1, no_run=True)
        self.assertEqual(result["games"], 2)
        files = importlib.metadata.files("sparring")
        licence = next(file for file in files if file.name == "LICENSE")
        self.assertIn("MIT", licence.read_text())

    def test_ctrl_c_keeps_positions(self):
        script = (
            "import signal, sparring, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
            "sparring.generate(sys.argv[1], program=sys.argv[2], board='5x5', games=1e6, nodes=5, threads=1)"
        )
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "a.pos"
            words = [sys.executable, "-c", script, place, SPAR]
            python = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
            while not Path(f"{place}.part").exists():
                self.assertIsNone(python.poll())
                time.sleep(0.05)
            python.send_signal(signal.SIGINT)
            _, told = python.communicate(timeout=60)
            self.assertIn("KeyboardInterrupt", told)
            self.assertNotIn("still running", told)
            kept = len(sparring.Samples(place))
            time.sleep(0.2)
            self.assertEqual(len(sparring.Samples(place)), kept, "the program has ended")

    def test_a_failing_program_raises_its_error(self):
        with self.assertRaisesRegex(sparring.ProgramError, "no/spar: there is no such program.*`program=`"):
            sparring.tune(program="no/spar")
        with self.assertRaises(sparring.ProgramError) as caught:
            sparring.match("nonsense", "piece", program=SPAR)
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("nonsense", str(caught.exception))


class Notebook(unittest.TestCase):
    def test_the_notebook_runs(self):
        import matplotlib

        matplotlib.use("Agg")
        cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        names, before = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for source in code:
                    exec(compile(source, "notebook", "exec"), names)
            finally:
                os.chdir(before)
            plot = os.environ.get("SPARRING_PLOT")
            if plot:
                matplotlib.pyplot.savefig(plot)
        self.assertTrue(names["board"].move_stack)
        self.assertGreater(len(names["run"].batches), 3)


def load_tests(loader, tests, pattern):
    """The examples in the documentation too."""
    for module in pkgutil.iter_modules(sparring.__path__):
        if not module.name.startswith("_"):
            tests.addTests(doctest.DocTestSuite(importlib.import_module(f"sparring.{module.name}")))
    tests.addTests(doctest.DocTestSuite(sparring))
    return tests


if __name__ == "__main__":
    unittest.main()
