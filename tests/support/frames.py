"""What each frame of a program shows, worked out on the oracle and not by Seegrad.

    python -m tests.support.frames

writes the frames of every case in tests/data/frames.jsonl anew. A case has a `program`; the `rule`
that its kind of number follows; and `python`, the same computation on micrograd's Values, where the
program's own text is not that already: for plain numbers, tensors and networks.
"""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

from tests.support import micrograd
from tests.support.micrograd import Value
from tests.support.places import DATA

FILE = DATA / "frames.jsonl"

Shown = list[Any]
"""What a card shows: data and gradient, None where they are not known yet, and how it is lit."""


class Recorded(Value):
    """A Value that is noted when it is made; a pass is noted with the numbers it starts from."""

    made: list[Value]
    start: tuple[Value, list[tuple[float, float]]] | None
    rule: str

    def __init__(self, data: float, _children: tuple[Value, ...] = (), _op: str = "") -> None:
        super().__init__(data, _children, _op)
        self.made.append(self)

    def backward(self, retain_graph: bool = False) -> None:
        for value in micrograd.topological(self):
            if self.rule == "plain" or (self.rule == "pytorch" and value._prev):
                value.grad = 0.0
        Recorded.start = (self, [(value.data, value.grad) for value in self.made])
        before = self.grad if self.rule == "pytorch" and not self._prev else 0.0
        super().backward()
        self.grad += before


def expected(case: dict[str, Any]) -> list[dict[str, Shown]]:
    """The cards of every frame, by the ids that a trace gives its Values."""
    made, start = _run(case)
    output, numbers = start or (made[-1], [(value.data, 0.0) for value in made])
    for value, (data, grad) in zip(made, numbers, strict=False):
        value.data, value.grad = data, grad
    needed = set(micrograd.topological(output))
    order = [value for value in made if value in needed]
    return [
        {f"v{i}": _card(value, *frame) for i, value in enumerate(order, 1)}
        for frame in _frames(order, output, case["rule"])
    ]


def _run(case: dict[str, Any]) -> tuple[list[Value], Any]:
    """What Python makes of the program: the Values in the order made, and its last pass."""
    Recorded.made, Recorded.start, Recorded.rule = [], None, case["rule"]
    torch = SimpleNamespace(tensor=lambda x, requires_grad=True: Recorded(x))
    kept, micrograd.KIND = micrograd.KIND, Recorded
    try:
        given = {"Value": Recorded, "torch": torch}
        names = {**given, "maximum": Recorded.larger, "lifted": micrograd.lifted}
        text = case.get("python", case["program"]).replace("import torch\n", "")
        exec(compile(text, "<oracle>", "exec"), names)  # noqa: S102  # the tests' own text
    finally:
        micrograd.KIND = kept
    return Recorded.made, Recorded.start


Frame = tuple[set[Value], dict[Value, float], set[Value], set[Value]]
"""The Values whose data is known, the gradients that are, and what is changed and read."""


def _frames(order: list[Value], output: Value, rule: str) -> list[Frame]:
    known = {value for value in order if not value._prev}
    frames: list[Frame] = [(set(known), {}, set(known), set())]
    for value in order:
        if value._prev:
            known.add(value)
            frames.append((set(known), {}, {value}, set(value._prev)))
    is_leaf_tensor = rule == "pytorch" and not output._prev
    output.grad = output.grad + 1.0 if is_leaf_tensor else 1.0
    grads = {output: output.grad}
    frames.append((known, dict(grads), {output}, set()))
    for value in reversed(order):
        if value._prev:
            value.pull()
            received = {child for child in value._prev if not child.is_constant}
            grads |= {child: child.grad for child in received}
            frames.append((known, dict(grads), received, {value}))
    return frames


def _card(
    value: Value,
    known: set[Value],
    grads: dict[Value, float],
    changed: set[Value],
    sources: set[Value],
) -> Shown:
    lit = "changed" if value in changed else "source" if value in sources else ""
    return [_plain(value.data if value in known else None), _plain(grads.get(value)), lit]


def _plain(x: float | None) -> float | str | None:
    """A number for JSON."""
    return x if x is None or math.isfinite(x) else repr(x)


def cases() -> list[dict[str, Any]]:
    """The cases of the file."""
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def main() -> None:
    found = [{**case, "frames": expected(case)} for case in cases()]
    FILE.write_text("".join(json.dumps(case) + "\n" for case in found), "utf-8")


if __name__ == "__main__":
    main()
