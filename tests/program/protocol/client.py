#!/usr/bin/env python3
"""Plays Breakthrough with an engine under python-chess's client, which sees to its own rules.

    client.py PROGRAM ARGS...

python-chess does not know the game: a board of pawns that go straight and take diagonally is all that it takes.
"""
import signal
import sys

import chess
import chess.engine


class Breakthrough(chess.Board):
    uci_variant = "breakthrough"
    starting_fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"

    def reset(self):
        self.set_fen(self.starting_fen)

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        if self.is_variant_end():
            return
        step = 8 if self.turn else -8
        for square in chess.scan_forward(self.occupied_co[self.turn] & from_mask):
            for side in (-1, 0, 1):
                to = square + step + side
                if not 0 <= to < 64 or abs(chess.square_file(to) - chess.square_file(square)) > 1:
                    continue
                blocked = self.occupied if side == 0 else self.occupied_co[self.turn]
                if not blocked & to_mask & chess.BB_SQUARES[to]:
                    yield chess.Move(square, to)

    generate_pseudo_legal_moves = generate_legal_moves

    def is_legal(self, move):
        return move in self.generate_legal_moves()

    is_pseudo_legal = is_legal

    def is_variant_end(self):
        arrived = self.occupied_co[chess.WHITE] & chess.BB_RANK_8 | self.occupied_co[chess.BLACK] & chess.BB_RANK_1
        return bool(arrived) or not all(self.occupied_co)


def play_a_game(engine, fen):
    board = Breakthrough(fen)
    while not board.is_variant_end():
        found = engine.play(board, chess.engine.Limit(nodes=2000), info=chess.engine.INFO_ALL)
        assert board.is_legal(found.move), (board.fen(), found.move)
        assert found.info["pv"][0] == found.move and found.info["depth"] >= 1 and "score" in found.info, found.info
        board.push(found.move)
    return len(board.move_stack)


def several_lines(engine):
    board = Breakthrough(Breakthrough.starting_fen)
    lines = engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
    firsts = [line["pv"][0] for line in lines]
    scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
    assert len(set(firsts)) == 3 and scores == sorted(scores, reverse=True), lines
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    found = engine.play(board, chess.engine.Limit(nodes=2000), root_moves=only)
    assert found.move in only, found
    lines = engine.analyse(board, chess.engine.Limit(nodes=2000), multipv=5, root_moves=only)
    assert sorted(line["pv"][0].uci() for line in lines) == ["a2a3", "h2h3"], lines


def main():
    signal.alarm(300)  # an engine that says nothing is no reason to wait for ever
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1:], timeout=60) as engine:
        engine.configure({"Hash": 4})
        plies = play_a_game(engine, Breakthrough.starting_fen)
        assert plies > 20, plies
        play_a_game(engine, "pppppppp/1pppppp1/8/p6p/8/P6P/1PPPPPP1/PPPPPPPP b - - 0 1")
        with engine.analysis(Breakthrough(Breakthrough.starting_fen)) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 6:
                    break
        engine.ping()
        several_lines(engine)
    print(plies, "plies")


main()
