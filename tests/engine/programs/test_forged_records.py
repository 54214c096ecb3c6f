"""Programs that change what records them: their records are refused in words, or say what fits."""

from collections import Counter

import pytest

from engine.program import Limits, Program, ProgramError
from engine.recording import broken
from engine.trace.build import trace
from tests.support.each import for_each

SEEDS = range(24)
FORGER = """
import json, random
real, chosen = json.dumps, random.Random({seed})
BAD = [None, -1, 10**30, 1e308, "x" * 1000, [], {{}}, True, [[[]]], "<script>", 2**63, 0.5]
def thawed(x):
    if isinstance(x, dict):
        return {{key: thawed(value) for key, value in x.items()}}
    return [thawed(value) for value in x] if isinstance(x, (list, tuple)) else x
def places(x):
    for key in x if isinstance(x, dict) else range(len(x)):
        yield x, key
        if isinstance(x[key], (dict, list)):
            yield from places(x[key])
def forged(x, **options):
    if not isinstance(x, dict):
        return real(x, **options)
    x = thawed(x)
    for _ in range({times}):
        owner, key = chosen.choice(list(places(x)))
        owner[key] = chosen.choice(BAD)
    return real(x)
json.dumps = forged
class V:
    def __init__(self, data):
        self.data, self.grad = data, 0.0
v = V(1.5)
a, b = Value(2.0), Value(-3.0)
for turn in range(2):
    L = (a * b + v.data).tanh()
    L.backward()
print(L.data)
"""


def _said(text: str) -> str:
    """Why a program is refused; nothing if it is not."""
    try:
        trace(text)
    except ProgramError as error:
        return error.message
    return ""


@pytest.mark.parametrize("times", [1, 4])
def test_a_forged_record_is_refused_or_fits(times: int) -> None:
    said = Counter(_said(FORGER.format(seed=seed, times=times)) for seed in SEEDS)
    assert said.keys() <= {broken().message, ""}
    assert said[broken().message] > len(SEEDS) / 2


@for_each(
    "reply",
    [
        "''",
        "'null'",
        "'NaN'",
        "'1' * 5000",
        "'[' * 100_000",
        "'{\"a\": ' * 5000",
        "'0,' * 10**6",
        "5",
    ],
)
def test_what_is_no_record_at_all_is_refused(reply: str) -> None:
    with pytest.raises(ProgramError):
        Program(f"import json\njson.dumps = lambda *a, **k: {reply}\na = Value(2.0)").run()


@pytest.mark.parametrize("number", ["'-1'", "'NaN'", "'9' * 5000", "''"])
def test_a_forged_number_of_a_scene_is_none(number: str) -> None:
    emits = f"import sys\nsys.modules['wit_world'].emit('scene', {number})"
    with pytest.raises(ProgramError, match="stopped"):
        Program(f"{emits}\nwhile True: pass", Limits(seconds=0.3)).run()
