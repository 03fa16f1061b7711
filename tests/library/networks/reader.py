"""A reader of networks that knows only the weight files and FEATURES.md.

Reads one document from the standard input: the game, a weight set and positions, each with its FEN
and the values of its single features. Prints, for each position, the inputs that are 1, the hidden
sums, the network's value and the score.
"""

import base64
import json
import re
import sys


def divide(number, divisor):
    """Rounded toward zero."""
    quotient = abs(number) // divisor
    return quotient if number >= 0 else -quotient


def placed(text):
    """The signs of a row, an empty text for an empty square."""
    for number, sign in re.findall(r"(\d+)|(.)", text):
        yield from [""] * int(number) if number else [sign]


def squares(game, fen):
    """The digits of the squares by row, the first row of the definition first."""
    placement, side = fen.split(" ")[:2]
    first_to_move = side in ("x", "w")
    if game == "breakthru":
        digits = {"g": 1, "s": 2, "F": 3}
    else:
        begins, answers = ("x", "o") if game == "ataxx" else ("P", "p")
        own, other = (begins, answers) if first_to_move else (answers, begins)
        digits = {own: 1, other: 2}
    rows = [[digits.get(sign, 0) for sign in placed(text)] for text in placement.split("/")]
    if game != "breakthrough" or first_to_move:
        rows.reverse()
    return rows


def turn(fen):
    """Whose turn it is in Breakthru, and whether it has begun."""
    _, side, first_move = fen.split(" ")[:3]
    return 2 * (side == "silver") + (first_move != "-")


def shown(board, states, height, width):
    """The inputs of the windows that are 1."""
    rows, columns = len(board), len(board[0])
    inputs = []
    for r in range(rows - height + 1):
        for c in range(columns - width + 1):
            window = r * (columns - width + 1) + c
            pattern = 0
            for y in range(height):
                for x in range(width):
                    pattern += board[r + y][c + x] * states ** (y * width + x)
            inputs.append(window * states ** (height * width) + pattern)
    return inputs


def evaluate(network, inputs):
    """The hidden sums and the network's value."""
    units, limit = network["units"], network["limit"]
    weights = [b - 256 if b >= 128 else b for b in base64.b64decode(network["hidden_weights"])]
    hidden = list(network["hidden_biases"])
    for i in inputs:
        for u in range(units):
            hidden[u] += weights[i * units + u]
    assert all(-(2**15) <= h < 2**15 for h in hidden)
    active = [min(max(h, 0), limit) ** 2 for h in hidden]
    total = network["output_bias"]
    for weight, output in zip(network["output_weights"], active):
        total += weight * output
        assert -(2**31) <= total < 2**31
    return hidden, divide(total, network["divisor"])


def main():
    document = json.load(sys.stdin)
    game, weight_set = document["game"], document["set"]
    network = weight_set["network"]
    height, width = map(int, network["window"].split("x"))
    answers = []
    for position in document["positions"]:
        fen = position["fen"]
        states = 4 if game == "breakthru" else 3
        inputs = shown(squares(game, fen), states, height, width)
        if game == "breakthru":
            inputs.append(len(inputs) * states ** (height * width) + turn(fen))
        hidden, value = evaluate(network, inputs)
        if game == "breakthru" and turn(fen) >= 2:
            value = -value
        weights, features = weight_set["weights"], position["features"]
        total = value + sum(weights[name] * features[name] for name in weights)
        score = divide(total, weight_set["scale"])
        answers.append({"inputs": inputs, "hidden": hidden, "value": value, "score": score})
    json.dump(answers, sys.stdout)


main()
