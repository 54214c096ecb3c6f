"""Random programs whose graphs share Values: one assignment a line, each from earlier names."""

from __future__ import annotations

import random

from hypothesis import strategies as st

_FUNCTIONS = ("exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs", "softplus")


def graph(draw: random.Random, passes: int = 0) -> str:
    """A program of at most nine operations and `passes` passes; its numbers may be nan or inf."""
    lines = [f"v{i} = Value({_number(draw)})" for i in range(draw.randint(1, 3))]
    for _ in range(draw.randint(1, 9)):
        lines.append(f"v{len(lines)} = {_term(draw, len(lines))}")
    last = f"v{len(lines) - 1}"
    return "\n".join([*lines, *[f"{last}.backward()"] * passes])


def _number(draw: random.Random) -> str:
    return repr(draw.randint(-12, 12) / 4)


def _term(draw: random.Random, names: int) -> str:
    one, other = (f"v{draw.randint(0, names - 1)}" for _ in range(2))
    match draw.randint(0, 4):
        case 0:
            return f"{one} {draw.choice('+-*/')} {other}"
        case 1:
            return f"{draw.choice(_FUNCTIONS)}({one})"
        case 2:
            return f"{draw.choice(('max', 'min'))}({one}, {other})"
        case 3:
            return f"{one} * {_number(draw)}"
        case _:
            return f"{one}**2"


@st.composite
def graphs(draw: st.DrawFn, passes: int = 2) -> str:
    """The same of hypothesis, with at most `passes` passes."""
    generator = draw(st.randoms(use_true_random=False))
    return graph(generator, draw(st.integers(0, passes)))


def fixed(count: int) -> list[str]:
    """The same programs each time."""
    return [graph(random.Random(seed)) for seed in range(count)]
