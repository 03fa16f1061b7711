"""The functions that call the program `spar`, in the package as its users have it."""

import copy
import importlib
import importlib.metadata
import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import unittest
from pathlib import Path

import sparring
from sparring import _calls
from support import SPAR


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


class Options(unittest.TestCase):
    def test_numbers_in_a_tuple_are_one_value_and_lists_repeat_the_option(self):
        words = list(_calls.words_of({"sprt": (0, 2.5), "most": [(2, 2), (1, 3)], "only": ["piece", "danger"], "plies": 4}))
        self.assertEqual(words, ["--sprt", "0,2.5", "--most", "2,2", "--most", "1,3", "--only", "piece", "--only", "danger", "--plies", "4"])


if __name__ == "__main__":
    unittest.main()
