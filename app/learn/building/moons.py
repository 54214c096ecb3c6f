"""The last task: the reader's engine trains the two moons, and its lines stand beside PyTorch's."""

from __future__ import annotations

import ast
import json
import random
import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from app.learn.building.stage import ENGINE
from engine import parser_lock, recording
from engine.training.datasets import DATASETS

SAMPLES, NOISE, SEED = 40, 0.1, 42
HIDDEN, RATE, START = 8, 0.05, 2
CHUNKS = (0, 10, 30, 40)
"""Steps between the pictures of the boundary; the first one is drawn before any."""
SECONDS = 15.0
"""Processor time; a usual engine takes one second."""
ACROSS, DOWN = 24, 18
LEFT, RIGHT, BOTTOM, TOP = -1.6, 2.6, -1.2, 1.7
MARK = "= moons ="

TASK = """

import json as _json, random as _random
_random.seed({start})
model = MLP(2, [{hidden}, 1])
xs, ys = {xs!r}, {ys!r}
losses, maps = [], []
for steps in {chunks!r}:
    losses += train(model, xs, ys, steps, {rate!r})
    maps.append([round(float(model([x, y]).data), 3) for y in {rows!r} for x in {columns!r}])
right = sum((model(x).data > 0) == (y > 0) for x, y in zip(xs, ys))
size = len(model.parameters())
print({mark!r} + _json.dumps([[float(x) for x in losses], maps, int(right), size]))
"""
LINES = f"""\
random.seed({START})
model = MLP(2, [{HIDDEN}, 1])
losses = train(model, xs, ys, {sum(CHUNKS)}, {RATE})
"""
"""The last task as the page shows it; `xs` and `ys` are the samples."""


class MoonPoint(NamedTuple):
    """A sample on the picture, in its units, and its class."""

    x: float
    y: float
    label: int


class MoonCell(NamedTuple):
    """A cell of the map: its place, the class that the network sees there, and how sure it is."""

    x: int
    y: int
    label: int
    strength: int


class MoonMap(NamedTuple):
    """The network's answer over the plane after some steps."""

    step: int
    cells: Sequence[MoonCell]


class MoonsRun(NamedTuple):
    """How the training went; `fault` says why it did not end."""

    losses: Sequence[float] = ()
    maps: Sequence[MoonMap] = ()
    right: int = 0
    parameters: int = 0
    fault: str = ""

    @property
    def curve(self) -> str:
        """The losses as points of a line in a box of 300 by 90."""
        most = max(self.losses)
        last = max(len(self.losses) - 1, 1)
        pairs = ((300 * k / last, 90 - 86 * loss / most) for k, loss in enumerate(self.losses))
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)


def samples() -> tuple[list[list[float]], list[float]]:
    """The points of the two moons, and 1 or -1 for the class of each."""
    rows = DATASETS["moons"].make(SAMPLES, NOISE, random.Random(SEED))  # noqa: S311  no secret
    points = [[round(float(x), 2) for x in inputs] for inputs, _ in rows]
    return points, [1.0 if label else -1.0 for _, label in rows]


def trained(engine: str) -> MoonsRun:
    """The run of the last task with an engine."""
    xs, ys = samples()
    columns = [round(LEFT + (k + 0.5) * (RIGHT - LEFT) / ACROSS, 3) for k in range(ACROSS)]
    rows = [round(TOP - (k + 0.5) * (TOP - BOTTOM) / DOWN, 3) for k in range(DOWN)]
    given = {"hidden": HIDDEN, "rate": RATE, "start": START, "chunks": CHUNKS, "mark": MARK}
    task = TASK.format(xs=xs, ys=ys, rows=rows, columns=columns, **given)
    outcome = recording.run_inside(engine.rstrip() + task, SECONDS, "execute")
    for line in outcome.text().splitlines():
        if line.startswith(MARK):
            return _run(line.removeprefix(MARK))
    if outcome.ending == "time":
        return MoonsRun(fault=f"It takes more than {SECONDS:g} seconds.")
    return MoonsRun(fault="The program ended before the training did. Check each piece once more.")


def _run(text: str) -> MoonsRun:
    """A run as the instance tells it, which may say anything."""
    try:
        losses, maps, right, parameters = json.loads(text)
        steps = [sum(CHUNKS[: k + 1]) for k in range(len(CHUNKS))]
        drawn = [MoonMap(step, _cells(it)) for step, it in zip(steps, maps, strict=True)]
        found = MoonsRun([float(x) for x in losses], drawn, int(right), int(parameters))
        return found if found.curve else MoonsRun(fault="It noted no losses.")
    except (ValueError, TypeError, IndexError, ArithmeticError):
        return MoonsRun(fault="The losses are no finite numbers: the rate is too high for this.")


def _cells(outputs: Sequence[float]) -> list[MoonCell]:
    if len(outputs) != ACROSS * DOWN:
        raise ValueError
    return [
        MoonCell(k % ACROSS, k // ACROSS, int(out > 0), min(3, int(abs(out) * 4)))
        for k, out in enumerate(map(float, outputs))
    ]


def points() -> list[MoonPoint]:
    """The samples in cells of the map."""
    xs, ys = samples()
    return [
        MoonPoint(
            round((x - LEFT) * ACROSS / (RIGHT - LEFT), 2),
            round((TOP - y) * DOWN / (TOP - BOTTOM), 2),
            int(label > 0),
        )
        for (x, y), label in zip(xs, ys, strict=True)
    ]


class SideBySide(NamedTuple):
    """One idea of the training in the reader's lines, and in PyTorch's."""

    idea: str
    yours: str
    torch: str


def side_by_side(engine: str) -> list[SideBySide]:
    """The reader's lines beside those of PyTorch that do the same."""
    loop = _of_loop(engine) or _of_loop(ENGINE)
    steps = sum(CHUNKS)
    return [
        SideBySide(
            "a number that remembers", "w = Value(0.5)", "w = torch.tensor(0.5, requires_grad=True)"
        ),
        SideBySide("what it remembers", "y._prev, y._backward", "y.grad_fn.next_functions"),
        SideBySide(
            "the network",
            f"model = MLP(2, [{HIDDEN}, 1])",
            f"model = nn.Sequential(\n    nn.Linear(2, {HIDDEN}), nn.Tanh(),\n"
            f"    nn.Linear({HIDDEN}, 1), nn.Tanh())",
        ),
        SideBySide(
            "who updates",
            "# your own loop",
            f"optimizer = torch.optim.SGD(\n    model.parameters(), lr={RATE})",
        ),
        SideBySide(
            "the steps",
            loop.get("steps", f"for step in range({steps}):"),
            f"for step in range({steps}):",
        ),
        SideBySide("forward", loop.get("forward", ""), "    outputs = model(xs)"),
        SideBySide("the loss", loop.get("loss", ""), "    loss = ((outputs - ys) ** 2).sum()"),
        SideBySide("zero", loop.get("zero", ""), "    optimizer.zero_grad()"),
        SideBySide("backward", loop.get("backward", ""), "    loss.backward()"),
        SideBySide("update", loop.get("update", ""), "    optimizer.step()"),
        SideBySide("note the loss", loop.get("note", ""), "    losses.append(loss.item())"),
    ]


_IDEAS = (
    ("backward", re.compile(r"\.backward\(\)")),
    ("zero", re.compile(r"\.grad\s*=|zero_grad")),
    ("update", re.compile(r"\.data\s*(-=|\+=|=)")),
    ("note", re.compile(r"\.append\(.*\.data|losses\s*(\+=|=\s*losses)")),
    ("loss", re.compile(r"loss_of\(")),
    ("forward", re.compile(r"model\(")),
)


def _of_loop(engine: str) -> dict[str, str]:
    """The statements of `train` in the reader's text, by what they do; empty without one."""
    try:
        tree = parser_lock.module(engine)
    except SyntaxError:
        return {}
    train = next(
        (it for it in tree.body if isinstance(it, ast.FunctionDef) and it.name == "train"), None
    )
    loop = next((it for it in ast.walk(train) if isinstance(it, ast.For)), None) if train else None
    if loop is None:
        return {}
    lines = engine.split("\n")
    found = {"steps": lines[loop.lineno - 1].strip()}
    for statement in loop.body:
        text = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
        for idea, pattern in _IDEAS:
            if pattern.search(text) and idea not in found:
                found[idea] = textwrap.indent(textwrap.dedent(text), "    ")
                break
    return found
