#!/usr/bin/env python3
"""One answer of one optimizer, for the comparison that tests/peers/run.sh plays.

Every method sees the same weights of `breakthrough/hand`, the same box around them, the same
limits of a move and the same number of games. The other tuners meet the engine through
`spar match --json`: their candidate against the start, openings new each time. What they return is
what their documentation says to use: Optuna's best trial, Nevergrad's recommendation, the optimum
of the mean of chess-tuning-tools' Gaussian process, the last point of SPSA as fishtest runs it.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

START = "breakthrough/hand"
# The weight that all others are measured in stays, or all could grow together.
UNIT = "piece"
# Half the width of the box around the start, in the ranges that a tune's manifest names.
BOX = 1.5
# Pairs of a candidate against the start, for each optimizer: few enough for some 15 generations, and
# many for a Gaussian process, whose time grows with the cube of its points.
PAIRS = {"optuna-tpe": 40, "optuna-cmaes": 40, "nevergrad-tbpsa": 20, "chess-tuning-tools": 100}
# Pairs of a step of SPSA; fishtest's workers play some as few for each update.
STEP_PAIRS = 4


class Engine:
    """Plays matches between points of the box, and counts the games."""

    def __init__(self, args):
        self.args = args
        self.folder = Path(tempfile.mkdtemp(prefix="peers-"))
        self.start = json.loads(self.spar("weights", "show", START, "--json"))
        ranges = self.ranges()
        self.names = list(ranges)
        self.centre = [self.start["weights"][name] for name in self.names]
        self.half = [BOX * ranges[name] for name in self.names]
        self.games = self.matches = 0

    def spar(self, *words):
        return subprocess.run(
            [self.args.spar, *words], check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def ranges(self):
        """What a weight's range is: the manifest of a tune of the start says it."""
        run = self.folder / "ranges"
        self.spar("tune", "--method", "spsa", "--start", START, "--games", "96", "--nodes", "1",
                  "--validation-pairs", "2", "--yardstick-pairs", "0", "--run", str(run), "--json")
        text = (run / "manifest.json").read_text()
        plan = json.loads(text)["config"]["plan"]
        knobs = next(value for value in walk(plan) if isinstance(value, dict) and "knobs" in value)
        return {knob["name"]: knob["range"] for knob in knobs["knobs"] if knob["name"] != UNIT}

    def write(self, values, path):
        weights = dict(self.start["weights"])
        weights.update((name, round(value)) for name, value in zip(self.names, values))
        path.write_text(json.dumps({**self.start, "weights": weights, "name": path.stem}))
        return str(path)

    def point(self, unit):
        """The weights at a point of the box [-1, 1]^n."""
        return [c + h * max(-1.0, min(1.0, u)) for c, h, u in zip(self.centre, self.half, unit)]

    def match(self, unit_a, unit_b, pairs):
        """The result of one point against another."""
        a = self.write(self.point(unit_a), self.folder / "a.json")
        b = self.write(self.point(unit_b), self.folder / "b.json")
        self.matches += 1
        seed = self.args.seed * 1_000_000 + self.matches
        result = json.loads(
            self.spar("match", a, b, "--pairs", str(pairs), "--nodes", str(self.args.nodes),
                      "--seed", str(seed), "--no-run", "--json"))
        self.games += result["games"]
        return result

    def score(self, unit, pairs):
        """The share of the points that a point scores against the start."""
        return self.match(unit, [0.0] * len(self.names), pairs)["score"]

    def left(self, pairs):
        return self.games + 2 * pairs <= self.args.games


def walk(value):
    yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from walk(child)


def optuna(engine, sampler):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=sampler(optuna))
    study.enqueue_trial({name: 0.0 for name in engine.names})
    pairs = PAIRS[engine.args.method]
    while engine.left(pairs):
        trial = study.ask({n: optuna.distributions.FloatDistribution(-1, 1) for n in engine.names})
        study.tell(trial, engine.score([trial.params[n] for n in engine.names], pairs))
    return [study.best_params[name] for name in engine.names]


def tpe(engine):
    return optuna(engine, lambda o: o.samplers.TPESampler(seed=engine.args.seed, multivariate=True))


def cmaes(engine):
    start = {name: 0.0 for name in engine.names}
    return optuna(engine, lambda o: o.samplers.CmaEsSampler(start, sigma0=1 / 3, seed=engine.args.seed))


def tbpsa(engine):
    import nevergrad

    pairs = PAIRS["nevergrad-tbpsa"]
    box = nevergrad.p.Array(init=[0.0] * len(engine.names)).set_mutation(sigma=1 / 3)
    box.set_bounds(-1, 1)
    box.random_state.seed(engine.args.seed)
    optimizer = nevergrad.optimizers.TBPSA(box, budget=engine.args.games // (2 * pairs))
    while engine.left(pairs):
        candidate = optimizer.ask()
        optimizer.tell(candidate, -engine.score(list(candidate.value), pairs))
    return list(optimizer.provide_recommendation().value)


def gaussian_process(engine):
    import numpy
    from skopt.utils import create_result
    from tune.local import counts_to_penta, initialize_optimizer, update_model
    from tune.utils import expected_ucb

    pairs = PAIRS["chess-tuning-tools"]
    optimizer = initialize_optimizer(
        X=[], y=[], noise=[], parameter_ranges=[(-1.0, 1.0)] * len(engine.names),
        random_seed=engine.args.seed, resume=False)
    # Its optimizer asks numpy's own generator in places.
    numpy.random.seed(engine.args.seed)
    while engine.left(pairs):
        point = optimizer.ask()
        counts = engine.match(point, [0.0] * len(engine.names), pairs)["pairs"]
        counts = numpy.array([counts[key] for key in ("ww", "wd", "mid", "ld", "ll")])
        score, error = counts_to_penta(counts, random_state=engine.args.seed)
        update_model(optimizer, point, score, error**2)
    result = create_result(
        Xi=optimizer.Xi, yi=optimizer.yi, space=optimizer.space, models=[optimizer.gp])
    best, _ = expected_ucb(result, alpha=0.0, random_state=engine.args.seed)
    return list(best)


def fishtest_spsa(engine):
    """SPSA with fishtest's defaults: alpha 0.602, gamma 0.101, A a tenth, c at the end a twentieth
    of the box, r at the end 0.002."""
    random_numbers = random.Random(engine.args.seed)
    steps = engine.args.games // (2 * STEP_PAIRS)
    alpha, gamma, big_a = 0.602, 0.101, 0.1 * engine.args.games / 2
    # Positions are in units of half the box: a twentieth of the box is a tenth.
    c_end, r_end, pairs_in_all = 0.1, 0.002, engine.args.games / 2
    c = c_end * pairs_in_all**gamma
    a = r_end * c_end**2 * (big_a + pairs_in_all) ** alpha
    theta = [0.0] * len(engine.names)
    for step in range(steps):
        done = step * STEP_PAIRS + 1
        c_now, a_now = c / done**gamma, a / (big_a + done) ** alpha
        r_now = a_now / c_now**2
        flips = [random_numbers.choice((-1, 1)) for _ in theta]
        plus = [t + c_now * f for t, f in zip(theta, flips)]
        minus = [t - c_now * f for t, f in zip(theta, flips)]
        result = engine.match(plus, minus, STEP_PAIRS)
        # Wins less losses of the plus side.
        net = (2 * result["score"] - 1) * result["games"]
        theta = [max(-1, min(1, t + r_now * c_now * net * f)) for t, f in zip(theta, flips)]
    return theta


PEERS = {
    "optuna-tpe": tpe,
    "optuna-cmaes": cmaes,
    "nevergrad-tbpsa": tbpsa,
    "chess-tuning-tools": gaussian_process,
    "fishtest-spsa": fishtest_spsa,
}


def ours(engine, method, out):
    """One of our own methods with its defaults; the candidate, whether it was accepted or not."""
    args, run = engine.args, engine.folder / "run"
    only = ["--only", ",".join(engine.names)]
    if method == "joined":
        # Every method plays all of its pairs at the same limits, and against itself.
        only += ["--quick-share", "1", "--opponent-share", "0"]
    if method != "logistic":
        for name, centre, half in zip(engine.names, engine.centre, engine.half):
            only += ["--bounds", f"{name}={round(centre - half)}..{round(centre + half)}"]
    words = ["tune", "--method", method, "--start", START, "--games", str(args.games),
             "--nodes", str(args.nodes), "--seed", str(args.seed), "--validation-pairs", "2",
             "--yardstick-pairs", "0", "--run", str(run), *only, "--json"]
    engine.spar(*words)
    candidate = run / "candidate.json"
    document = json.loads((candidate if candidate.exists() else run / "weights.json").read_text())
    document["name"] = out.stem
    out.write_text(json.dumps(document))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method", choices=[*PEERS, "joined", "spsa", "logistic"])
    parser.add_argument("out", type=Path, help="the weight file to write")
    parser.add_argument("--spar", default="target/release/spar")
    parser.add_argument("--games", type=int, default=12_000)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    engine, begun = Engine(args), time.time()
    if args.method in PEERS:
        values = PEERS[args.method](engine)
        engine.write(engine.point(values), args.out)
    else:
        ours(engine, args.method, args.out)
        engine.games = args.games
    print(json.dumps({"method": args.method, "seed": args.seed, "games": engine.games,
                      "minutes": round((time.time() - begun) / 60, 2)}))


if __name__ == "__main__":
    main()
