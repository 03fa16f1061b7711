"""The notebook and the examples in the documentation."""

import doctest
import importlib
import json
import os
import pkgutil
import tempfile
import unittest
from pathlib import Path

import sparring

NOTEBOOK = Path(__file__).resolve().parent.parent / "example.ipynb"


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
