"""Games a second and processor time of `spar match` and fastchess, with the same engine in both seats.

    python3 tests/peers/runners.py SPAR FASTCHESS ENGINE BOOK [PAIRS [ROUNDS]]

ENGINE is a chess engine that moves at once, so that what is left is the runner's own work. BOOK is a file
of positions (EPD). Both play to the natural end of each game, in turn, with one and two games at a time.
The processor time is the runner's alone, without its engines. Needs Linux, and python-chess to count plies.
"""

import os
import subprocess
import sys
import tempfile
import time

import chess.pgn


def measured(command, folder):
    """Wall time and the runner's own processor time, in seconds."""
    begun, own = time.monotonic(), 0.0
    runner = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while runner.poll() is None:
        try:
            with open(f"/proc/{runner.pid}/stat") as file:
                user, system = file.read().rsplit(")", 1)[1].split()[11:13]
            own = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            pass
        time.sleep(0.01)
    if runner.returncode != 0:
        sys.exit(f"{command[0]}: exit status {runner.returncode}")
    return time.monotonic() - begun, own


def counted(path):
    """Games and plies of a PGN file."""
    games = plies = 0
    with open(path) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games, plies = games + 1, plies + sum(1 for _ in game.mainline_moves())
    return games, plies


def commands(spar, fastchess, engine, book, pairs, threads):
    spar_match = [spar, "match", f"cmd:{engine}", f"cmd:{engine}", "--game", "chess", "--nodes", "1"]
    spar_match += ["--book", book, "--pairs", pairs, "--threads", threads, "--seed", "1"]
    spar_match += ["--option-a", "Hash=1", "--option-b", "Hash=1", "--no-adjudication", "--pgn", "games.pgn"]
    other = [fastchess, "-engine", f"cmd={engine}", "name=a", "-engine", f"cmd={engine}", "name=b"]
    other += ["-each", "nodes=1", "tc=inf", "option.Hash=1", "-repeat", "-games", "2", "-rounds", pairs]
    other += ["-openings", f"file={book}", "format=epd", "order=random", "-srand", "1"]
    other += ["-concurrency", threads, "-pgnout", "file=games.pgn"]
    return {"spar": spar_match, "fastchess": other}


def main():
    *programs, = (os.path.abspath(path) for path in sys.argv[1:5])
    pairs, rounds = (sys.argv[5:] + ["200", "3"][len(sys.argv) - 5:])[:2]
    print("runner     threads  games/s  us a ply")
    for threads in ("1", "2"):
        for _ in range(int(rounds)):
            for name, command in commands(*programs, pairs, threads).items():
                with tempfile.TemporaryDirectory() as folder:
                    wall, own = measured(command, folder)
                    games, plies = counted(os.path.join(folder, "games.pgn"))
                print(f"{name:9}  {threads:>7}  {games / wall:7.0f}  {1e6 * own / plies:8.1f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main()
