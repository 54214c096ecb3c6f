"""The trace: the JSON contract, frames, sums of contributions, groups, warnings, the command."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from engine.language.tape import Scope
from engine.trace.__main__ import main
from engine.trace.build import _with_those_around
from engine.trace.build import trace as fresh
from engine.trace.traced import Trace
from tests.support.places import DATA, ROOT
from tests.support.programs import LEAVES, expressions, node

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\ne = a*b\nd = e + c\nL = d * 2"
NETWORK = "n = MLP(2, [3, 1])\nxs = [[1.0, 2.0], [0.5, -1.0]]\nL = sum((n(x) - 1)**2 for x in xs)"
SNIPPETS = [
    "seeds/3_manual_computation.py", "seeds/4_training_with_classes.py", "seeds/2_network.py",
    "tutorials/micrograd_readme.py", "tutorials/max_margin.py", "tutorials/zero_grad.py",
    "tutorials/softmax_nll.py",
]  # fmt: skip
TEXTS = {
    "example": EXAMPLE,
    "network": NETWORK,
    "one leaf": "a = Value(1.0)",
    "shared": "x = Value(3.0)\ny = x * x + x",
    "not finite": "x = Value(0.0)\ny = log(x) * 0",
    **{name: (DATA / name).read_text("utf-8") for name in SNIPPETS},
}
EACH = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@cache
def trace(text: str) -> Trace:
    """The trace of a program; many tests read the same one."""
    return fresh(text)


# The contract

KEYS = {"program", "output", "nodes", "frames", "groups", "printed", "warnings", "notes"}
NODE = {"id", "label", "op", "args", "data", "grad", "span", "kind", "key", "group", "name"}
CONTRIBUTION = {"to", "slot", "partial", "upstream", "amount", "before", "after"}


@EACH
def test_keys_are_those_of_the_contract(text: str) -> None:
    found = trace(text).to_json()
    assert set(found) == KEYS
    assert all(set(n) == NODE for n in found["nodes"])
    assert all(set(g) == {"id", "parent", "kind", "title"} for g in found["groups"])
    assert all(set(w) == {"node", "message"} for w in found["warnings"])
    assert all(set(n) == {"message", "span"} for n in found["notes"])
    for i, frame in enumerate(found["frames"]):
        optional = {"given"} if i == 0 else {"seed"} if "seed" in frame else set()
        optional |= {"before"} if frame.get("before") else set()
        backward = {"contributions"} if frame["pass"] == "backward" else set()
        at_work = set() if "given" in frame or "seed" in frame else {"sources", "slots"}
        usual = {"pass", "node", "data", "changes"}
        assert set(frame) == usual | optional | backward | at_work
        for c in frame.get("contributions", ()):
            assert set(c) == CONTRIBUTION


@EACH
def test_the_trace_is_json_that_any_reader_reads(text: str) -> None:
    found = trace(text).to_json()
    written = json.dumps(found, allow_nan=False)
    assert json.loads(written) == found


def test_the_example_of_the_contract() -> None:
    found = trace("a = 2.0\nb = -3.0\nL = (a*b + 10) * -2").to_json()
    assert found["output"] == "v7"
    assert found["nodes"][0] == {
        "id": "v1", "label": "a", "op": None, "args": [], "data": 2.0, "grad": 6.0,
        "span": [1, 5, 1, 8], "kind": "leaf", "key": "a", "group": None, "name": "a",
    }  # fmt: skip
    assert found["nodes"][2] == {
        "id": "v3", "label": "", "op": "*", "args": ["v1", "v2"], "data": -6.0, "grad": -2.0,
        "span": [3, 6, 3, 9], "kind": "value", "key": None, "group": None, "name": "a*b",
    }  # fmt: skip
    assert [n["data"] for n in found["nodes"]] == [2.0, -3.0, -6.0, 10.0, 4.0, -2.0, -8.0]
    (back,) = (f for f in found["frames"] if f["pass"] == "backward" and f["node"] == "v3")
    assert back["contributions"] == [
        {"to": "v1", "slot": 0, "partial": -3.0, "upstream": -2.0, "amount": 6.0, "before": 0.0,
         "after": 6.0},
        {"to": "v2", "slot": 1, "partial": 2.0, "upstream": -2.0, "amount": -4.0, "before": 0.0,
         "after": -4.0},
    ]  # fmt: skip


@EACH
def test_ids_follow_the_tape(text: str) -> None:
    nodes = trace(text).nodes
    assert [n.id for n in nodes] == [f"v{i}" for i in range(1, len(nodes) + 1)]
    place = {n.id: i for i, n in enumerate(nodes)}
    for n in nodes:
        assert all(place[arg] < place[n.id] for arg in n.args)


@EACH
def test_kinds(text: str) -> None:
    found = trace(text)
    for n in found.nodes:
        if n.id == found.output:
            assert n.kind == "output"
        elif n.op:
            assert n.kind == "value"
        else:
            assert n.kind in ("leaf", "constant")
        assert n.grad is None if n.kind == "constant" else n.grad is not None or n.op
        assert (n.key is not None) <= (n.op is None)


@EACH
def test_spans_lie_in_the_program_and_names_are_short_words(text: str) -> None:
    found = trace(text)
    lines = found.program.split("\n")
    for n in found.nodes:
        line, column, end_line, end_column = n.span
        assert 1 <= line <= end_line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
        assert (line, column) < (end_line, end_column)
        assert end_column <= len(lines[end_line - 1]) + 1
        assert n.name
        assert len(n.name) <= 64


def test_a_span_marks_what_made_the_value() -> None:
    text = "é = 2.0; b = tanh(é * 3) + é"
    marked = {n.op: text[n.span[1] - 1 : n.span[3] - 1] for n in trace(text).nodes}
    assert marked == {None: "3", "*": "é * 3", "tanh": "tanh(é * 3)", "+": "tanh(é * 3) + é"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x = Value(math.nan)\ny = x * 2", "nan"),
        ("x = Value(1.0)\ny = x / 0", "inf"),
        ("x = Value(-1.0)\ny = x / 0", "-inf"),
    ],
)
def test_json_writes_what_is_not_finite_as_text(text: str, written: str) -> None:
    found = trace(text).to_json()
    assert found["nodes"][-1]["data"] == written
    assert found["frames"][-1]["data"] == written
    forward = [f for f in found["frames"] if f["pass"] == "forward"]
    assert forward[-1]["data"] == written


# Frames


@EACH
def test_frames_stand_in_the_order_of_the_two_passes(text: str) -> None:
    found = trace(text)
    computed = [n.id for n in found.nodes if n.op]
    leaves = tuple(n.id for n in found.nodes if not n.op)
    first, *frames = found.frames
    assert (first.pass_, first.node, first.given) == ("forward", leaves[0], leaves)
    forward = [f.node for f in frames if f.pass_ == "forward"]
    assert forward == computed
    seed, *backward = frames[len(forward) :]
    assert (seed.pass_, seed.node, seed.seed) == ("backward", found.output, 1.0)
    assert [f.node for f in backward] == computed[::-1]
    assert all(f.pass_ == "backward" and f.seed is None for f in backward)
    assert len(found.frames) == 2 + 2 * len(computed)


@EACH
def test_contributions_sum_to_the_gradients(text: str) -> None:
    found = trace(text)
    received: dict[str, float] = {}
    for frame in found.frames:
        if frame.seed is not None:
            received[frame.node] = frame.after
        for c in frame.contributions:
            if c.to in received:
                assert repr(c.before) == repr(received[c.to])
            assert repr(c.after) == repr(c.before + c.amount)
            assert repr(c.amount) == repr(c.upstream * c.partial)
            received[c.to] = c.after
    for n in found.nodes:
        if n.grad is not None and n.id in received:
            assert repr(n.grad) == repr(received[n.id])


@EACH
def test_a_value_passes_on_its_whole_gradient(text: str) -> None:
    """When a Value is active, everything that uses it has already given its part."""
    found = trace(text)
    grads = {n.id: n.grad for n in found.nodes}
    args = {n.id: n.args for n in found.nodes}
    for frame in found.frames:
        for c in frame.contributions:
            assert repr(c.upstream) == repr(grads[frame.node])
            assert args[frame.node][c.slot] == c.to
        if frame.pass_ == "backward" and frame.seed is None:
            slots = [i for i, arg in enumerate(args[frame.node]) if grads[arg] is not None]
            assert [c.slot for c in frame.contributions] == slots


def test_a_number_computed_from_constants_has_no_gradient() -> None:
    """d(a**b)/db is not real for a < 0, and b = 1 + 1 is no variable of the program."""
    found = trace("a = Value(-2.0)\ny = a**(1+1)\ny.backward()")
    assert {n.name: n.grad for n in found.nodes if n.op} == {"1+1": None, "y": 1.0}
    assert found.nodes[0].grad == -4.0
    assert not found.warnings
    assert not {c.to for f in found.frames for c in f.contributions} - {found.nodes[0].id}


def test_a_named_result_of_constants_keeps_its_gradient() -> None:
    found = trace("k = 2 * 3\na = 4.0\ny = a * k")
    assert {n.name: n.grad for n in found.nodes if n.label} == {"k": 4.0, "a": 6.0, "y": 1.0}


def test_gradients_that_were_there_before_are_shown_as_before() -> None:
    found = trace("a = Value(3.0)\nb = a * 2\nb.backward()\nb = a * 2\nb.backward()")
    ((c,),) = (f.contributions for f in found.frames if f.contributions)
    assert (c.before, c.amount, c.after) == (2.0, 2.0, 4.0)


def test_a_gradient_that_the_output_had_before_is_in_the_frame_of_the_seed() -> None:
    found = trace("a = torch.tensor(2.0)\na.grad = 5.0\na.backward()")
    seed = found.frames[-1]
    assert (seed.before, seed.seed, seed.after) == (5.0, 1.0, 6.0)
    assert found.nodes[-1].grad == 6.0
    assert found.to_json()["frames"][-1]["before"] == 5.0


@EACH
def test_the_gradient_of_a_result_starts_afresh(text: str) -> None:
    found = trace(text)
    (seed,) = (frame for frame in found.frames if frame.seed is not None)
    assert (seed.before, seed.after) == (0.0, 1.0)
    assert "before" not in found.to_json()["frames"][found.frames.index(seed)]


def test_a_value_used_twice_gets_two_contributions() -> None:
    found = trace("x = Value(3.0)\ny = x * x")
    (frame,) = (f for f in found.frames if f.contributions)
    assert [(c.to, c.slot, c.before, c.after) for c in frame.contributions] == [
        ("v1", 0, 0.0, 3.0), ("v1", 1, 3.0, 6.0),
    ]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(expressions)
def test_random_programs_keep_the_contract(text: str) -> None:
    program = "\n".join([*(f"{name} = Value(0.5)" for name in LEAVES), f"y = {text} * 1"])
    test_keys_are_those_of_the_contract(program)
    test_contributions_sum_to_the_gradients(program)
    test_frames_stand_in_the_order_of_the_two_passes(program)
    test_kinds(program)


# Groups

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
    found = list(_with_those_around(turns))
    assert time.process_time() - start < 2  # 60 million steps if each were walked to the top
    assert len(found) == 23_001
    assert found[3001:] == turns
    assert all(outer is inner.parent for outer, inner in pairwise(found[:3001]))


# Warnings and notes


def alarms(text: str) -> list[tuple[str | None, str]]:
    """The warnings, with the label of the node."""
    found = trace(text)
    labels = {n.id: n.label for n in found.nodes}
    return [(labels[w.node] if w.node else None, w.message) for w in found.warnings]


@pytest.mark.parametrize(
    ("text", "label", "message"),
    [
        ("x = Value(0.0)\ny = 1 / x\nz = y * 2", "y", "y is inf: 1.0 / 0.0 gives inf"),
        ("x = Value(0.0)\ny = x / x\nz = y + 1", "y", "y is nan: 0.0 / 0.0 gives nan"),
        ("x = Value(0.0)\ny = log(x)\nz = exp(y)", "y", "y is -inf: log(0.0) gives -inf"),
        ("x = Value(-1.0)\ny = log(x)\nz = relu(y)", "y", "y is nan: log(-1.0) gives nan"),
        ("x = Value(710.0)\ny = exp(x)", "y", "beyond the largest 64-bit float"),
        ("x = Value(-8.0)\ny = x ** (1/3)", "y", "y is nan: "),
        ("x = Value(math.inf)\ny = sin(x)", "x", "x is inf from the start."),
        ("x = Value(1e308)\ny = x * 10\nz = y - y", "y", "10.0 gives inf, beyond the largest"),
    ],
)
def test_a_warning_names_the_first_node_responsible(text: str, label: str, message: str) -> None:
    found = alarms(text.replace("math.inf", "math.inf, label='x'"))
    assert found[0][0] == label
    assert message in found[0][1]
    assert sum("The gradient" not in m for _, m in found) == 1


def test_a_warning_says_what_the_operation_needs() -> None:
    ((_, message),) = alarms("x = Value(0.0)\ny = log(x)")[:1]
    assert message.endswith("log(x) needs x > 0.")


def test_a_gradient_that_is_not_finite_is_a_warning_of_its_own() -> None:
    found = alarms("x = Value(0.0)\ny = sqrt(x)\nz = y * 3")
    assert found == [("y", "The gradient of x is not finite: y contributes 3.0000 × inf = inf.")]


def test_the_gradient_of_a_computed_exponent_is_of_no_interest() -> None:
    assert alarms("x = Value(-2.0)\ny = x ** (1 + 1)") == []
    assert alarms("x = Value(-2.0)\ny = x ** (0.5 * (1 + 3))") == []
    ((_, message),) = alarms("x = Value(-2.0)\nn = 1.0\ny = x ** (n + 1)")
    assert message.startswith("The gradient of a Value is not finite: y contributes 1.0000 × nan")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nb.backward()",
         ["The data of a was changed after b was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nc = b + a\nc.backward()",
         ["The data of a was changed after b was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\nb.data = 7.0\nc = b + 1",
         ["The data of b was set by hand after it was computed."]),
        ("a = Value(2.0)\nb = Value(1.0)\nb.data = 4.0\nc = a * b\na.data = 5\nc.backward()",
         ["The data of a or b was changed after c was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\nb.backward()\na.data = 5", []),
        ("a = Value(2.0)\na.data = 5\nb = a * 3\nb.backward()", []),
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nb = a * 3\nb.backward()", []),
        ("a = Value(-1.0)\nb = log(a)\nc = b * 0\nc.backward()", []),
    ],
)  # fmt: skip
def test_arithmetic_that_no_longer_holds_is_told(text: str, messages: list[str]) -> None:
    assert [note.message for note in trace(text).notes] == messages


@EACH
def test_arithmetic_that_holds_is_not_told(text: str) -> None:
    assert not any("The data of" in note.message for note in trace(text).notes)


def test_where_all_is_finite_there_is_no_warning() -> None:
    assert alarms(EXAMPLE) == []


def test_an_output_that_does_not_depend_on_a_leaf_says_so() -> None:
    found = trace("a = Value(1.0)\nb = Value(2.0)\nL = b * 3")
    assert [note.message for note in found.notes] == [
        "L does not depend on a: its gradient is 0.",
    ]


def test_names() -> None:
    found = trace("a = Value(2.0)\nb = (a * 3).tanh() + a\nb.label = 'out'")
    assert list(found.names().values()) == ["a", "3", "a * 3", "(a * 3).tanh()", "out"]
    inside = trace(NETWORK).names().values()
    assert set(inside) >= {"l0.n0", "l1.n0", "l0.n0.w0"}


# The command


def command(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """`python -m gradlens.trace …`, as another program starts it."""
    return subprocess.run(
        [sys.executable, "-m", "engine.trace", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )


def test_the_command_prints_the_trace_of_a_file_and_of_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "é.py"
    file.write_text(EXAMPLE, "utf-8")
    for done in (command(str(file)), command("-", text=EXAMPLE)):
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == trace(EXAMPLE).to_json()


def test_the_command_refuses_with_the_place(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("α = 1\ny = α * zz", "utf-8")
    done = command(str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{file}:2:9: zz has no value yet.")
    assert command("-", text="a = (").stderr.startswith("-:1:5: '(' was never closed.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = \xff", "1:1: cannot be read"),
        (b"", "1:1: There is nothing here yet."),
        (b"a = 1\x00", "1:6: An invisible character"),
        (b"while 1 < 2:\n  pass", "1:1: A while loop is not part of this language."),
        (b"y = " + b"-" * 9000 + b"1", "1:1: This is nested too deeply: at most 140 levels"),
    ],
)
def test_no_file_makes_the_command_crash(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.py"
    file.write_bytes(content)
    assert main([str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{file}:{message}")
    assert "Traceback" not in err


def test_the_command_says_how_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 2
    assert main(["a", "b"]) == 2
    assert capsys.readouterr().err.count("usage: python -m gradlens.trace FILE") == 2
    assert main([str(tmp_path / "none.py")]) == 2
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("cannot be read") == 2


def test_json_of_numbers_is_the_shortest_that_reads_back() -> None:
    found: dict[str, Any] = json.loads(json.dumps(trace("a = 0.1\nb = a + 0.2").to_json()))
    assert found["nodes"][-1]["data"] == 0.1 + 0.2
    assert math.isclose(found["nodes"][0]["grad"], 1.0)
