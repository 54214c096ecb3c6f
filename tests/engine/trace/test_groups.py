"""Groups of a trace: networks, layers, neurons, functions, turns of loops."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise

from engine.record.model import Scope
from engine.trace.groups import with_those_around
from engine.trace.traced import Trace
from tests.support.programs import node
from tests.support.traces import EACH, NETWORK, trace

GROUPED = """
def squared(x):
    return x * x
n = MLP(2, [3, 1])
total = Value(0.0)
for x in [[1.0, 2.0], [0.5, -1.0]]:
    for k in range(2):
        total = total + squared(n(x) - k)
"""


def parents(found: Trace) -> dict[str, list[str]]:
    """The kinds of the groups around each group, from the outside in."""
    of = {g.id: g for g in found.groups}

    def chain(name: str | None) -> list[str]:
        return [] if name is None else [*chain(of[name].parent), of[name].kind]

    return {name: chain(name) for name in of}


@EACH
def test_every_group_has_its_parent_and_its_place(text: str) -> None:
    found = trace(text)
    names = [g.id for g in found.groups]
    assert names == [f"g{i}" for i in range(1, len(names) + 1)]
    for i, group in enumerate(found.groups):
        assert group.parent is None or group.parent in names[:i]
        assert group.title
    assert {n.group for n in found.nodes} <= {None, *names}


def test_networks_loops_and_functions_nest() -> None:
    found = trace(GROUPED)
    inner = ("iteration", "loop", "iteration")
    assert Counter(map(tuple, parents(found).values())) == {
        # the outer loop would hold everything and is left out
        ("iteration",): 2,
        ("iteration", "loop"): 2,
        inner: 4,
        (*inner, "function"): 4,
        (*inner, "mlp"): 4,
        (*inner, "mlp", "layer"): 8,
        (*inner, "mlp", "layer", "neuron"): 16,
    }


def test_a_network_is_a_group_of_layers_of_neurons() -> None:
    found = trace(NETWORK)
    kinds = Counter(tuple(chain) for chain in parents(found).values())
    assert kinds == {("mlp",): 2, ("mlp", "layer"): 4, ("mlp", "layer", "neuron"): 8}
    titles = {g.title for g in found.groups if g.kind == "neuron"}
    assert titles == {"Neuron l0.n0", "Neuron l0.n1", "Neuron l0.n2", "Neuron l1.n0"}
    inside = Counter(n.group for n in found.nodes if n.op)
    neurons = [g.id for g in found.groups if g.kind == "neuron"]
    assert {inside[name] for name in neurons} == {5, 7}  # two or three products and sums, a tanh


def test_a_function_and_a_turn_of_a_loop_are_groups() -> None:
    text = "def f(x):\n    return x*x + 1\ny = 2.0\nfor k in range(2):\n    y = f(y)\nz = y + 1"
    found = trace(text)
    titles = [(g.kind, g.title) for g in found.groups]
    assert titles == [
        ("loop", "for, line 4"),
        ("iteration", "turn 1, line 4"), ("function", "f(…), line 5"),
        ("iteration", "turn 2, line 4"), ("function", "f(…), line 5"),
    ]  # fmt: skip
    assert node(found, "z").group is None


def test_a_group_that_would_hold_everything_is_left_out() -> None:
    assert trace("def f(x):\n    return x * x\ny = f(Value(2.0))").groups == ()


LOOPS = """
def f(x, n):
    for i in range(1):
        for j in range(1):
            for k in range(1):
                y = x * 2
                if n > 0:
                    y = f(y, n - 1)
    return y
x = Value(1.0)
z = f(x, 8) + 1
"""


def test_groups_in_groups_stand_around_each_other_as_the_calls_do() -> None:
    found = trace(LOOPS)
    call = ("function", *("loop", "iteration") * 3)
    deepest = max(parents(found).values(), key=len)
    assert tuple(deepest) == call * 9
    products = [n for n in found.nodes if n.op == "*"]
    depths = [len(parents(found)[n.group or ""]) for n in products]
    assert depths == [len(call) * turn for turn in range(1, 10)]
    assert len(found.groups) == 9 * len(call)
    assert node(found, "z").data == 2.0**9 + 1


def test_scopes_are_walked_once_however_deep_they_are() -> None:
    deep = Scope("loop", "", None)
    for _ in range(3000):
        deep = Scope("loop", "", deep)
    turns = [Scope("iteration", "", deep) for _ in range(20_000)]
    start = time.process_time()
    found = list(with_those_around(turns))
    assert time.process_time() - start < 2  # 60 million steps if each were walked to the top
    assert len(found) == 23_001
    assert found[3001:] == turns
    assert all(outer is inner.parent for outer, inner in pairwise(found[:3001]))
