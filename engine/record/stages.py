"""What is drawn of a scene: its graph as it was before the pass, and the steps of the pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops import OPS
from engine.value import Value

from .live_numbers import LiveNumber, all_below, in_order
from .model import Backward, Pull, Scene, Stage, Write
from .objects import label_of, op_text
from .shown_steps import places_shown


def root(scene: Scene) -> Any:
    """The Value or followed number that a scene draws."""
    return scene.output if scene.number is None else scene.number


def stage(m: Any, scene: Scene) -> Stage:
    """The Values of a scene, as they were before its pass, and the steps of the pass."""
    log = m.own.log
    if scene.backward is not None:
        return Stage(scene.backward)
    if scene.number is not None:
        return _own(m, scene, log)
    order = in_order(scene.output)
    steps = _of(log[scene.start : scene.end], set(order))
    grads = _first(steps)
    numbers = [grads.get(value, value.grad) for value in order]
    data = [value.data for value in order]
    backward = Backward(scene.node, order, data, numbers, numbers)
    places = places_shown(steps, m.limits.writes)
    shown = [steps[at] for at in places]
    return Stage(backward, shown, None, places, len(steps) - len(shown))


def _own(m: Any, scene: Scene, log: list[Any]) -> Stage:
    output = m.tape.lift(scene.number)
    order = all_below(output)
    m.tape.scopes.place(order)
    held = {value: owner for value in order if (owner := _owner(value)) is not None}
    for value, owner in held.items():
        value.label = label_of(owner)
        _recognise(value, owner)
    for value in order:
        if value.label and _is_operand(value):
            value.label = ""
    by_owner = {id(owner): value for value, owner in held.items()}
    before: dict[Value, float] = {}
    first: dict[Value, float] = {}
    steps: list[Write] = []
    for at, step in enumerate(log[: scene.end]):
        if step is None or (of := by_owner.get(id(step.of))) is None:
            continue
        if not isinstance(step, Write):
            continue
        if at < scene.start or step.is_start:
            before[of] = step.after
        else:
            first.setdefault(of, step.before or 0.0)
            steps.append(step)
    grads = {**before, **first}
    numbers = [grads.get(value, 0.0) for value in order]
    data = [value.data for value in order]
    backward = Backward(scene.node, order, data, numbers, numbers)
    places = places_shown(steps, m.limits.writes)
    shown = [Write(by_owner[id(steps[at].of)], *steps[at][1:]) for at in places]
    return Stage(backward, shown, held, places, len(steps) - len(shown))


def _is_operand(value: Value) -> bool:
    """Whether a number is known by the parameter of an operator: the 2 of `b ** 2` as `other`."""
    origin = value.origin
    is_constant = value.op is None and origin.leaf is None and _owner(value) is None
    scope = origin.scope
    return is_constant and scope is not None and scope.title.startswith("__")


def _recognise(value: Value, owner: Any) -> None:
    """Give a number that could not be followed the op that its object names, if it agrees.

    `Value(0 if self.data < 0 else self.data, (self,), "ReLU")` is relu, as its number shows.
    """
    op = OPS.get(op_text(owner).lower()) if value.op is None and len(value.args) == 1 else None
    if op is not None and len(op.params) == 1 and op.compute(value.args[0].data) == value.data:
        value.op = op


def _owner(value: Value) -> Any:
    return value.owner if isinstance(value, LiveNumber) else None


def _of(steps: Sequence[Write | Pull], values: set[Value]) -> list[Write | Pull]:
    return [step for step in steps if step.of in values]


def _first(steps: Sequence[Write | Pull]) -> dict[Value, float]:
    """The gradient that each Value has before the first step that changes it."""
    found: dict[Value, float] = {}
    for step in steps:
        if isinstance(step, Write):
            found.setdefault(step.of, step.before or 0.0)
        else:
            for given in step.contributions:
                found.setdefault(given.to, given.before)
    return found
