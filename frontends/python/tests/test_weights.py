"""Weight sets and the options of commands, in the package as its users have it."""

import tempfile
import unittest
from pathlib import Path

import sparring
from sparring import _calls


class Weights(unittest.TestCase):
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


class Options(unittest.TestCase):
    def test_numbers_in_a_tuple_are_one_value_and_lists_repeat_the_option(self):
        words = list(_calls.words_of({"sprt": (0, 2.5), "most": [(2, 2), (1, 3)], "only": ["piece", "danger"], "plies": 4}))
        self.assertEqual(words, ["--sprt", "0,2.5", "--most", "2,2", "--most", "1,3", "--only", "piece", "--only", "danger", "--plies", "4"])


if __name__ == "__main__":
    unittest.main()
