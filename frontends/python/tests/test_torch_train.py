"""Training with PyTorch: all but the training itself is tested without torch, against the engine and
the program, which SPAR names.
"""

import contextlib
import importlib.util
import io
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy
import sparring
from sparring import networks, targets, torch_train

SPAR = os.environ["SPAR"]
HAS_TORCH = importlib.util.find_spec("torch") is not None
#: Each board with positions to test on, and the options that make them.
BOARDS = {
    ("breakthrough", "5x5"): {"games": 60},
    ("breakthrough", "6x6"): {"games": 150},
    ("breakthrough", "7x7"): {"games": 20},
    ("breakthrough", "8x8"): {"games": 20},
    ("ataxx", "5x5"): {"games": 60},
    ("ataxx", "6x6"): {"games": 20},
    ("ataxx", "7x7"): {"games": 20},
    ("ataxx", "8x8"): {"games": 20},
    ("breakthru", "11x11"): {"games": 30},
}


def command(*words):
    """Runs the command in this process; gives its exit code and what it prints on stderr."""
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = torch_train.main(words)
        except SystemExit as error:
            code = error.code
    return code, told.getvalue()


class WithPositions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for (game, size), options in BOARDS.items():
            sparring.generate(
                cls.path(game, size), program=SPAR, game=game, board=size, nodes=20,
                positions="all", weights="piece", threads=1, **options,
            )

    @classmethod
    def path(cls, game, size):
        return f"{cls.folder.name}/{game}-{size}.pos"


class Networks(WithPositions):
    def test_values_in_numpy_are_the_engines(self):
        shipped = [sparring.Weights(name) for name in sparring.shipped()]
        with_network = [weights for weights in shipped if weights._set.has_network]
        self.assertEqual({weights.game for weights in with_network}, set(networks._RULES))
        for weights in with_network:
            samples = sparring.Samples(self.path(weights.game, weights.size))
            network = networks.Network.of_file(json.loads(weights.to_json()))
            checked = torch_train.check_values(weights, network, [samples])
            self.assertGreater(checked, 100, weights)

    def test_a_wrong_value_is_found(self):
        weights = sparring.Weights("breakthrough/6x6-network")
        samples = sparring.Samples(self.path("breakthrough", "6x6"))
        network = networks.Network.of_file(json.loads(weights.to_json()))
        wrong = network._replace(output_bias=network.output_bias + 9 * network.divisor)
        with self.assertRaisesRegex(ValueError, "the engine says .*, NumPy says"):
            torch_train.check_values(weights, wrong, [samples])

    def test_all_windows_and_the_file(self):
        random = numpy.random.default_rng(1)
        for game, size in BOARDS:
            samples = sparring.Samples(self.path(game, size))
            for window in networks._RULES[game].windows:
                scheme = networks.Scheme(game, size, window)
                network = networks.whole_network(
                    scheme,
                    random.uniform(-1, 1, (scheme.inputs, 3)),
                    random.uniform(-1, 1, 3),
                    random.uniform(-1, 1, 3),
                    0.1,
                    100.0,
                )
                file = {
                    "format": 5, "game": game, "board": size, "name": "random",
                    "description": "", "scale": 1, "weights": {}, "provenance": None,
                    "network": network.to_file(),
                }
                weights = sparring.Weights.from_json(json.dumps(file))
                again = networks.Network.of_file(json.loads(weights.to_json()))
                self.assertTrue((again.hidden_weights == network.hidden_weights).all())
                torch_train.check_values(weights, again, [samples])

    def test_other_games_and_windows_are_refused_by_name(self):
        with self.assertRaisesRegex(ValueError, "chess has no networks"):
            networks.Scheme("chess", "8x8")
        with self.assertRaisesRegex(ValueError, "breakthru have no windows of 2x3; choose 2x2"):
            networks.Scheme("breakthru", "11x11", "2x3")
        piece = json.loads(sparring.Weights("piece").to_json())
        with self.assertRaisesRegex(ValueError, "`piece` has no network"):
            networks.Network.of_file(piece)

    def test_numbers_are_rounded_as_in_the_program(self):
        scheme = networks.Scheme("breakthrough", "5x5")
        hidden = numpy.zeros((scheme.inputs, 2), dtype="f4")
        hidden[0], hidden[1], hidden[2] = [0.5, -0.5], [1.0, -1.5], [1.5 / 127, -2.5 / 127]

        def whole(outputs, bias=0.0):
            return networks.whole_network(scheme, hidden, [0.25, -9e9], outputs, bias, 100.0)

        network = whole([0.25, -1.0], 0.5)
        self.assertEqual(network.hidden_weights[:2].tolist(), [[64, -64], [127, -127]])
        self.assertEqual(network.hidden_biases.tolist(), [32, -24_000])
        # 8192 is the most that an output of 1 becomes: 1.25 * 8192 * 127 * 127 fits into 32 bits.
        self.assertEqual(network.output_weights.tolist(), [2048, -8192])
        self.assertEqual(network.output_bias, 4096 * 127**2)
        self.assertEqual(network.divisor, round(8192 * 127**2 / 100))
        # Neither 16 bits nor the sum's 32 bits are exceeded.
        self.assertEqual(whole([4.0, 0.0]).output_weights.tolist(), [16384, 0])
        large = whole([8.0, 8.0], 8.0)
        total = numpy.abs(large.output_weights).sum() * 127**2 + abs(large.output_bias)
        self.assertEqual((large.output_weights[0], total < 2**31), (32768 // 2, True))


class Targets(WithPositions):
    def test_positions_scales_and_shares_are_the_programs(self):
        for game, size in [("breakthrough", "6x6"), ("ataxx", "5x5"), ("breakthru", "11x11")]:
            path, output = self.path(game, size), f"{self.folder.name}/{game}.json"
            words = ["--game", game, "-o", output, "--units", "1", "--epochs", "1", "--json"]
            done = subprocess.run([SPAR, "train", path, *words], capture_output=True, check=True)
            expected = json.loads(done.stdout)
            found = targets.read_targets([sparring.Samples(path)], networks.Scheme(game, size))
            counts = (len(found.training.points), len(found.validation.points))
            self.assertEqual(counts, (expected["training"], expected["validation"]), game)
            self.assertAlmostEqual(found.blend, expected["blend"], places=12)
            numpy.testing.assert_allclose(found.k, expected["k"], rtol=1e-6)

    def test_several_files_draw_their_scales_to_the_mean(self):
        paths = [f"{self.folder.name}/more.pos", self.path("breakthrough", "6x6")]
        words = ["--board", "6x6", "--games", "150", "--nodes", "100", "--positions", "all"]
        more = [SPAR, "generate", paths[0], *words, "--weights", "hand", "--threads", "1", "-q"]
        subprocess.run(more, capture_output=True, check=True)
        output = f"{self.folder.name}/two.json"
        words = ["-o", output, "--units", "1", "--epochs", "1", "--json"]
        done = subprocess.run([SPAR, "train", *paths, *words], capture_output=True, check=True)
        scheme = networks.Scheme("breakthrough", "6x6")
        found = targets.read_targets([sparring.Samples(path) for path in paths], scheme)
        numpy.testing.assert_allclose(found.k, json.loads(done.stdout)["k"], rtol=1e-6)


class Commands(WithPositions):
    def setUp(self):
        self.positions = self.path("breakthrough", "6x6")
        self.output = f"{self.folder.name}/written.json"

    def test_a_missing_torch_is_named_with_its_remedy(self):
        with mock.patch.dict("sys.modules", {"torch": None}):
            code, told = command(self.positions, "-o", self.output)
        self.assertEqual(code, 2)
        self.assertIn("pip install torch", told)
        self.assertIn("spar train", told)
        self.assertFalse(os.path.exists(self.output))

    def test_arguments_are_checked(self):
        parser = torch_train._parser()
        for words, reason in [
            (["--units", "0"], "--units 0 is out of range; give 1 to 1024"),
            (["--rate", "2"], "--rate 2.0 is out of range"),
            (["--blend", "1.5"], "--blend 1.5 is out of range; give 0 to 1"),
            (["--validation-folds", "64"], "give 1 to 63"),
        ]:
            args = parser.parse_args([self.positions, "-o", self.output, *words])
            with self.assertRaisesRegex(ValueError, reason):
                torch_train._check(args)
        args = parser.parse_args([self.positions, "-o", self.positions])
        with self.assertRaisesRegex(ValueError, "exists; overwrite it with --force"):
            torch_train._check(args)
        args = parser.parse_args([self.positions, "-o", "no/folder.json"])
        with self.assertRaisesRegex(ValueError, "there is no folder no; make it first"):
            torch_train._check(args)
        args = parser.parse_args(["a.pos", "-o", "b.json", "--batch", "64"])
        self.assertEqual((args.step_positions, args.epochs, args.rate), (64, 12, 0.002))
        self.assertEqual(command("a.pos")[0], 2)
        both = [self.positions, self.path("ataxx", "5x5"), "-o", self.output]
        with self.assertRaisesRegex(ValueError, "ataxx 5x5 and breakthrough 6x6"):
            torch_train._read(parser.parse_args(both))

    @unittest.skipUnless(HAS_TORCH, "torch is not installed")
    def test_networks_are_trained(self):
        words = ["--units", "8", "--epochs", "3", "--rate", "0.01", "--device", "cpu"]
        told = []
        for game, size in [("ataxx", "5x5"), ("breakthru", "11x11"), ("breakthrough", "6x6")]:
            output = f"{self.folder.name}/trained.json"
            words_of = [self.path(game, size), "-o", output, "--force", *words]
            weights = torch_train.train(torch_train._parser().parse_args(words_of), told.append)
            self.assertTrue(weights._set.has_network)
            self.assertEqual(sparring.Weights(output).fingerprint, weights.fingerprint)
            losses = [float(line.split("validation ")[1].split(",")[0]) for line in told[1:4]]
            self.assertLess(losses[2], losses[0])
            self.assertLess(abs(float(told[4].split()[-1]) - min(losses)), 2e-3)
            told.clear()
        first = Path(output).read_bytes()
        self.assertEqual(command(*words_of)[0], 0)
        self.assertEqual(Path(output).read_bytes(), first)
        # A training begins with that network, and beside the weights of another set.
        again = [*words_of[:1], "-o", self.output, "--start", output, "--beside", "breakthrough/6x6"]
        constants = json.loads(sparring.Weights("breakthrough/6x6-network").to_json())["search"]
        Path(output).write_text(json.dumps({**json.loads(first), "search": constants}))
        self.assertEqual(command(*again, "--epochs", "1", "--force"), (0, ""))
        self.assertEqual(json.loads(Path(self.output).read_text())["search"], constants)
        code, error = command(*again, "--units", "9", "--force")
        self.assertEqual((code, "has 8 units" in error), (2, True), error)
        code, error = command(*words_of, "--device", "nonsense")
        self.assertEqual((code, "--device nonsense" in error), (2, True), error)


if __name__ == "__main__":
    unittest.main()
