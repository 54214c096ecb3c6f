"""Scenes: the moments of a run that can be drawn, each with its graph and its backward pass.

backward    a call of backward(), of a built-in Value or of an object of the program's own
drawing     a call of draw_dot and the like
gradients   gradients that the program wrote by hand, after the last of the others
end         the program's end, where no other scene shows its own objects, or where the variable
            whose gradients were written by hand holds a newer result: after
            `L.grad = 1.0; a.grad = ...; a.data += ...; L = a * b` the reader expects the last L,
            which those gradients are not of; they are the scene before
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from engine.real import as_float
from engine.stand_ins.refusal import Refused
from engine.tensors.tensor_array import value_of
from engine.value import Value

from .attribute_names import BACKWARD
from .follow import FOLLOWED, is_a
from .model import Pull, Scene, Write
from .objects import (
    has_gradient,
    keeps_gradient,
    number_of,
)
from .stores import is_computed

NEAR = 1000
"""Operands of one operation that are looked at."""
WRITTEN = 5_000
"""Gradients that are written before those of past scenes are let go."""
LISTED = 500
"""Scenes that are kept, the last ones."""


def _listed(scene: Scene) -> Scene:
    """A scene that is not drawn: its graph, which would take memory, is left to the collector."""
    return Scene(
        scene.id, scene.kind, scene.title, scene.node,
        start=scene.start, end=scene.end, made=scene.made, data=scene.data,
    )  # fmt: skip


class Scenes:
    """The scenes of one run, in order."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.wanted: int | None = None
        """The id of the scene that will be drawn; the last one without."""
        self.all: list[Scene] = []
        self.made = 0
        self.seen = 0
        """The end of the log that a scene has shown."""
        self._times: dict[ast.AST | str, int] = {}
        self._texts: dict[ast.AST, str] = {}
        """The titles of passes and drawings by their places."""
        self._depth = 0
        self._before = 0
        """The end of the log that the last scene but one has shown."""
        self._compacted = 0
        self._kept: dict[int, dict[str, int]] = {}
        """The places of the writes that are kept of each object, by its identity."""

    # Recording

    def add(self, kind: str, node: ast.AST, output: Any, **rest: Any) -> None:
        self.made += 1
        number = rest.get("number")
        shown = output if number is None else number
        if shown is not None:
            rest["made"], rest["data"] = shown.serial, _data(shown)
        witness = self.machine.witness
        if witness is not None and (not self.all or self.all[-1].id != self.wanted):
            witness.forget(self.seen)
        self._compact(number)
        self._before = self.seen
        self.seen = rest.setdefault("end", len(self.machine.own.log))
        if self.all and self.all[-1].id != self.wanted:
            self.all[-1] = _listed(self.all[-1])
        self.all.append(Scene(self.made, kind, self._title(kind, node), node, output, **rest))
        if len(self.all) > LISTED:
            self.all.pop(0)
        self.machine.watching.added(self.made)

    def _compact(self, number: Any) -> None:
        """Let go of the gradients that were written before the last scene but one ended.

        Of objects that this scene draws, or that were not computed, the first write is kept, the
        first that gives a gradient, and the last: the others are of graphs that nobody draws.
        """
        log, end = self.machine.own.log, self._before
        if self.wanted is not None or end < self._compacted + WRITTEN or number is None:
            return
        drawn = _owners(number)
        lasting: dict[int, bool] = {}
        for at, step in enumerate(log[self._compacted : end], self._compacted):
            if step is None:
                continue
            of = id(step.of)
            lasts = lasting.get(of)
            if lasts is None:
                own = number_of(step.of)
                lasts = own is not None and (not is_computed(own) or of in drawn)
                lasting[of] = lasts
            if not lasts:
                log[at] = None
                continue
            kept = self._kept.setdefault(of, {})
            kept.setdefault("first", at)
            if _sets(step):
                kept.setdefault("set", at)
            last = kept.get("last")
            kept["last"] = at
            if last is not None and last not in (kept["first"], kept.get("set")):
                log[last] = None
        self._compacted = end

    def _title(self, kind: str, node: ast.AST) -> str:
        title = _TITLES.get(kind)
        key = node if title is None else kind
        turn = self._times[key] = self._times.get(key, 0) + 1
        if title is None:
            title = self._texts.get(node)
            if title is None:
                shown = self.machine.source.text_of(node)
                title = self._texts[node] = f"{shown}, line {getattr(node, 'lineno', 1)}"
        return f"{title}, turn {turn}" if turn > 1 else title

    def passing(self, output: Any, node: ast.AST, run: Any) -> Any:
        """Run a method or function that may be a backward pass of the program's own, as a scene."""
        watching = self.machine.watching
        if not self._depth and watching.counts_pass(node):
            self._depth += 1
            try:
                return run()
            finally:
                self._depth -= 1
                watching.passed()
        if self._depth or not self._may_pass(output):
            return run()
        start = len(self.machine.own.log)
        watching.begins()
        self._depth += 1
        is_whole = True
        try:
            return run()
        except Refused:
            is_whole = False
            raise
        finally:
            self._depth -= 1
            number = number_of(output)
            if is_whole and number is not None and self._is_pass(output, start, node):
                self.add("backward", node, output, number=number, start=start)

    def _may_pass(self, output: Any) -> bool:
        number = number_of(output)
        if self.machine.own.keyed is not None:
            return number is not None and is_computed(number)
        return number is not None and keeps_gradient(output)

    def _is_pass(self, output: Any, start: int, call: ast.AST) -> bool:
        """Whether a call did a whole pass, not only the operation of `output`.

        A method called backward did one as well if no gradient was ever set: its seed is missing. A
        function, whatever its name, did one if it gave gradients to other objects; a method that
        is not called backward, if it gave some to `output` or beyond its operands.
        """
        steps: list[Write | Pull] = [s for s in self.machine.own.log[start:] if s is not None]
        func = call.func if isinstance(call, ast.Call) else None
        if self.machine.own.keyed is not None and self._is_pulled(steps, output):
            return False
        written = {id(step.of) for step in steps}
        if isinstance(func, ast.Attribute) and func.attr in BACKWARD:
            is_unseeded = bool(written) and not self.has_seed()
            return id(output) in written or len(written) > _LOCAL or is_unseeded
        given = self._touched(steps)
        if not isinstance(func, ast.Attribute):
            return bool(given - {id(output)})
        near = {id(arg.owner) for arg in _near(number_of(output))}
        return bool(given) and (id(output) in given or not given <= near)

    def _is_pulled(self, steps: Sequence[Write | Pull], output: Any) -> bool:
        """Whether a call asked for the gradient of `output`, which results after it have."""
        given = [number_of(step.of) for step in steps]
        return any(x is not None and x.serial > number_of(output).serial for x in given)

    def has_seed(self) -> bool:
        """Whether any gradient was ever set to something else than 0."""
        log = self.machine.own.log
        if not self._is_seeded:
            self._is_seeded = any(step is not None and _sets(step) for step in log)
        return self._is_seeded

    _is_seeded = False

    def draw(self, output: Any, node: ast.AST) -> None:
        """A call that draws `output`."""
        output = value_of(output)
        number = number_of(output)
        last = self.all[-1] if self.all else None
        if last and last.output is output and not self._pending():
            return
        if number is not None:
            self.add("drawing", node, output, number=number, start=self.seen)
        elif is_a(output, Value) and (last or self._pending()):
            self.add("drawing", node, output, start=self.seen)

    def _pending(self) -> list[Write | Pull]:
        """The steps since the last scene, unless they only reset gradients."""
        steps: list[Write | Pull] = self.machine.own.log[self.seen :]
        is_any = any(isinstance(s, Pull) or _sets(s) for s in steps)
        return steps if is_any or (not self.all and any(map(self._computes, steps))) else []

    def _computes(self, step: Write | Pull) -> bool:
        """Whether a gradient is assigned an expression, not the 0 to which all are reset."""
        if isinstance(step.node, ast.AugAssign):
            return isinstance(step.node.op, ast.Add | ast.Sub)
        return step.node in self.machine.source.computed

    def _touched(self, steps: Sequence[Write | Pull]) -> set[int]:
        """The objects whose gradients are set, or added to, if only by 0."""
        return {id(step.of) for step in steps if _sets(step) or self._computes(step)}

    def finish(self, last: Any) -> None:
        """Add the scene of what no other shows; `last` is the value of the last statement."""
        if steps := self._pending():
            for output, start, end in _passes(steps, self.seen):
                number = number_of(output)
                if self._shows(output if number is None else number):
                    node = self.machine.own.log[end - 1].node
                    self.add("gradients", node, output, number=number, start=start, end=end)
            self._computed_anew()
        if self.all or self.machine.tape.last is not None:
            return
        held = [last, *reversed(self.machine.own.holders)]
        for o in held:
            number = number_of(o)
            if number is not None and has_gradient(o) and (is_computed(number) or o is last):
                start = len(self.machine.own.log)
                self.add("end", number.node, o, number=number, start=start)
                return

    def _shows(self, number: Any) -> bool:
        """Whether gradients by hand with this output are worth a scene.

        Those of leaves alone, as when gradients are clipped after a pass, are not beside others.
        """
        is_number = type(number) in FOLLOWED or is_a(number, Value)
        return is_number and (not self.all or is_computed(number))

    def _computed_anew(self) -> None:
        """Add the end after gradients by hand whose output has been computed anew since.

        The new result is drawn with the gradients that its Values then have, without steps.
        """
        output: Any = self.all[-1].output if self.all and self.all[-1].kind == "gradients" else None
        if not is_a(output, Value):
            return
        newer = value_of(self.machine.globals.get(output.label))
        if type(newer) is type(output) and newer is not output and newer.op is not None:
            end = len(self.machine.own.log)
            self.add("end", newer.origin.node, newer, start=end)


def _data(shown: Any) -> float | None:
    """The number of what a scene shows, a Value or a plain number."""
    data = shown.data if isinstance(shown, Value) else shown
    return as_float(data) if isinstance(data, int | float) else None


def _sets(step: Write | Pull) -> bool:
    return isinstance(step, Write) and not step.is_start and step.after != 0


_TITLES = {"gradients": "gradients by hand", "end": "the end"}
_LOCAL = 2
"""Objects whose gradients one operation writes at most, as a rule."""


def _owners(number: Any) -> set[int]:
    """The identities of the objects that a number was computed from, and of its own."""
    seen, found, stack = {id(number)}, set(), [number]
    while stack:
        x = stack.pop()
        if x.owner is not None:
            found.add(id(x.owner))
        for arg in x.args:
            if type(arg) in FOLLOWED and id(arg) not in seen:
                seen.add(id(arg))
                stack.append(arg)
    return found


def _near(number: Any) -> list[Any]:
    """The numbers of objects that one was computed from at once."""
    found: list[Any] = []
    stack = list(number.args)
    while stack and len(found) < NEAR:
        arg = stack.pop()
        if getattr(arg, "owner", None) is not None:
            found.append(arg)
        elif type(arg) in FOLLOWED:
            stack += arg.args
    return found


def _passes(steps: Sequence[Write | Pull], first: int) -> Iterator[tuple[Any, int, int]]:
    """The passes by hand in the log from `first` on: the output of each, its start and end.

    A pass begins where the gradient of a result becomes 1 that is younger than the last output; the
    gradients that are reset before it belong to none.
    """
    seeds: list[tuple[int, Any]] = []
    youngest = -1
    for at, step in enumerate(steps):
        is_one = isinstance(step, Write) and _sets(step) and step.after == 1.0
        number = number_of(step.of) if is_one else None
        if number is not None and is_computed(number) and number.serial > youngest:
            seeds.append((at, step.of))
            youngest = number.serial
    if len(seeds) < 2:
        yield _seed(steps), first, first + len(steps)
        return
    ends = [at for at, _ in seeds[1:]] + [len(steps)]
    for turn, ((at, output), end) in enumerate(zip(seeds, ends, strict=True)):
        while turn < len(seeds) - 1 and not _sets(steps[end - 1]):
            end -= 1
        yield output, first + (at if turn else 0), first + end


def _seed(steps: Sequence[Write | Pull]) -> Any:
    """The output of a pass by hand: the first gradient that is set to 1, else the first set."""
    written = [step for step in steps if _sets(step)]
    ones = [step for step in written if isinstance(step, Write) and step.after == 1.0]
    return (ones or written or list(steps))[0].of
