"""Arrays of features and positions, in the package as its users have it."""

import json
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import sparring
from support import random_game, spar


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


if __name__ == "__main__":
    unittest.main()
