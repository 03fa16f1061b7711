"""Weight sets, in the package as its users have it."""

import collections.abc
import copy
import json
import pickle
import random
import tempfile
import unittest
from pathlib import Path

import sparring
from support import BOARDS, random_game, spar


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

    def test_the_strongest_set_is_that_of_a_board_of_the_game(self):
        self.assertEqual(sparring.Weights.strongest("ataxx", "7x7").name, "7x7-network")
        for game, size in [("breakthrough", "99"), ("breakthrough", "9x9"), ("ataxx", "12x12"), ("go", "9x9")]:
            with self.subTest(game=game, size=size), self.assertRaises(ValueError):
                sparring.Weights.strongest(game, size)

    def test_a_set_is_saved_as_json_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.bin"
            path.write_bytes(b"kept")
            with self.assertRaisesRegex(ValueError, "saved as JSON"):
                sparring.Weights("piece").save(path)
            self.assertEqual(path.read_bytes(), b"kept")

    def test_an_update_changes_all_or_nothing(self):
        weights = sparring.Weights("piece")
        for wrong, error in [({"danger": 3, "dangr": 1}, KeyError), ({"danger": 3, "protection": 1.5}, ValueError)]:
            with self.assertRaises(error):
                weights.update(wrong)
            self.assertEqual(weights, sparring.Weights("piece"))
        weights.update({"danger": 3}, protection=-2)
        self.assertEqual((weights["danger"], weights["protection"]), (3, -2))
        changed = sparring.Weights("piece")
        changed.update(weights)
        self.assertEqual((changed["danger"], changed["protection"]), (3, -2))


if __name__ == "__main__":
    unittest.main()
