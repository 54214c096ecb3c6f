"""The program language: source text in, a run with its tape out.

    >>> run = Program("a = 2; b = -3; L = (a*b + 10) * -2").run()
    >>> run.output.label, run.output.data
    ('L', -8.0)

The language is Python without files, network and all else that reaches out of the program: see
`compiler` and the tables of `builtins`, `kinds` and `modules`. A run is a pure function of the text
and of the leaves that were changed; random numbers start from the same seed each time.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.record.source import Limits, ProgramError, Source, Span
from engine.value import Value

from .arrangements import Arrangement
from .execution import SELDOM, execute
from .machine import Machine
from .origins import Backward, Number, Place, in_order, size_of
from .output import Note
from .own import GRADIENTS, label_of
from .parts import name_items, name_parts
from .plain import FOLLOWED, Taped, as_float, unlink
from .scenes import Scene, Stage
from .standby import Standby
from .tape import Tape
from .witness import Witness

__all__ = ["Limits", "Note", "Program", "ProgramError", "Run", "Span", "UnknownLeaf"]

TOLD = 3
"""How many results that are not drawn, and leaves that are not reached, are told of."""


class UnknownLeaf(Exception):
    """A leaf that was to be changed but does not exist; `known` lists those that do."""

    def __init__(self, name: str, known: list[str]) -> None:
        listed = ", ".join(known[:20]) or "none"
        super().__init__(f"There is no leaf called {name[:64]!r}; there are {listed}.")
        self.name, self.known = name, known


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of a program left: the output, the pass that is drawn, the words.

    A program that computes no number has neither output nor pass.
    """

    source: Source
    output: Value | None
    stage: Stage | None
    keys: dict[int, str]
    leaves: list[Value | Taped]
    printed: list[str]
    notes: list[Note]
    scenes: list[Scene]
    scene: Scene | None
    charts: list[Any]
    parts: set[int]
    """The identities of the objects and Values that are parts of networks."""
    arrays: list[Arrangement]
    stopped: Note | None
    """Why the run was stopped before its end, if it was; its last scene is drawn."""
    updates: dict[float, float]
    """By serial number of a leaf, that of the first number of its object."""


class Program:
    """A program that has been read. Raises ProgramError for text that cannot be."""

    def __init__(self, text: str, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.source = Source(text, self.limits)
        self._standby = Standby(self.source, self.limits)
        self.operations = 0
        """The operations that the last run took."""
        self._keys: dict[int, str] | None = None
        """The key of each labelled leaf, by the leaf's count in the program's own run."""
        self._defaults: dict[str, float] = {}
        self._counts: dict[Place, int] = {}

    def run(
        self,
        leaves: Mapping[str, float] | None = None,
        scene: int | None = None,
        witness: Witness | None = None,
    ) -> Run:
        """Run the program, with some leaves changed, for the scene of this id, else the last one.

        A `witness` is told of calls and writes. Raises ProgramError and UnknownLeaf.
        """
        if not leaves:
            return self._run({}, scene, witness)
        self.defaults()
        assert self._keys is not None
        counts = {key: count for count, key in self._keys.items()}
        for name in leaves:
            if name not in counts:
                raise UnknownLeaf(name, list(counts))
        return self._run({counts[name]: float(x) for name, x in leaves.items()}, scene, witness)

    @cached_property
    def writes_gradients(self) -> bool:
        """Whether the program itself sets a gradient of an object."""
        each = self.source.each
        return any(
            node.attr in GRADIENTS and not isinstance(node.ctx, ast.Load)
            for node in each(ast.Attribute)
        ) or any(_is_gradient(node.target) for node in each(ast.AnnAssign))

    def defaults(self) -> dict[str, float]:
        """The number that the program itself gives each leaf, by the leaf's key."""
        if self._keys is None:
            self._run({})
        return self._defaults

    def _run(
        self,
        overrides: dict[int, float],
        scene: int | None = None,
        witness: Witness | None = None,
    ) -> Run:
        machine = self._standby.machine(overrides, witness)
        try:
            with SELDOM.collected():
                run = self._ended(machine, scene)
        except BaseException:
            unlink(_results(machine))
            machine.close()
            raise
        if run.stage is None:  # nothing of the graph is kept
            unlink(_results(machine))
        self._standby.close(machine)
        return run

    def _ended(self, machine: Machine, scene: int | None) -> Run:
        tape = machine.tape
        tape.counts = self._counts
        machine.scenes.wanted = scene
        execute(machine)
        self.operations = machine.used
        parts = name_parts(machine.globals)
        name_items(machine.globals)
        if self._keys is None:
            self._keep(tape, machine.own.updates)
        if machine.witness is not None:
            machine.witness.operations = machine.budget.used(machine.left)
        chosen, stage, notes = self._staged(machine, scene)
        if machine.stopped is not None:
            notes.insert(0, machine.stopped)
        return Run(
            source=self.source,
            output=stage.backward.order[-1] if stage else None,
            stage=stage,
            keys=self._own_keys(tape, machine.own.updates),
            leaves=tape.leaves,
            printed=machine.printed,
            notes=notes,
            scenes=machine.scenes.all,
            scene=chosen,
            charts=machine.charts,
            parts=parts | tape.parameters,
            arrays=machine.arrangements.all,
            stopped=machine.stopped,
            updates={
                tape.leaves[later].serial: tape.leaves[first].serial
                for later, first in machine.own.updates.items()
            },
        )

    def _keep(self, tape: Tape, updates: Mapping[int, int]) -> None:
        """Remember the leaves of the program's own run: later ones know them by their places."""
        for leaf in tape.leaves:
            if not isinstance(leaf, Value) and leaf.owner is not None:
                leaf.label = label_of(leaf.owner)
        self._keys = leaf_keys(tape.leaves, updates)
        self._defaults = {key: as_float(tape.initial[count]) for count, key in self._keys.items()}
        self._counts = {place: count for count, place in enumerate(tape.places)}

    def _own_keys(self, tape: Tape, updates: Mapping[int, int]) -> dict[int, str]:
        """The keys of a run's leaves, by their counts in it; one with a new place has none.

        What the program sets an object's number to later has the key of its first one.
        """
        known = self._keys or {}
        own = {count: self._counts.get(place, -1) for count, place in enumerate(tape.places)}
        keys = {count: known[before] for count, before in own.items() if before in known}
        return keys | {count: keys[first] for count, first in updates.items() if first in keys}

    def _unreached(self, tape: Tape) -> Iterator[Note]:
        """Say which changed leaves were not made in this run."""
        reached = {self._counts.get(place) for place in tape.places}
        missing = [count for count in tape.overrides if count not in reached]
        for count in missing[:TOLD]:
            places = {count: place for place, count in self._counts.items()}
            key, span = (self._keys or {})[count], self.source.span(places[count].at)
            message = f"{key} is not reached with these numbers."
            yield Note(f"{message} What it was changed to has no effect.", span)

    def _unseen(self, names: Mapping[str, Any], order: list[Value]) -> Iterator[Note]:
        """Say which results are not drawn: those with a name that the output does not need.

        Of plain numbers only the last statement says which is drawn: they have no backward().
        """
        output, drawn = order[-1], set(order)
        found = {}
        for name, value in names.items():
            is_number = type(value) in FOLLOWED
            node = value.value if is_number else value
            if is_number and node is None:
                if type(output) is Number and value.op is not None:
                    found[id(value)] = name, value.node
            elif _is_computed(node) and type(node) is type(output) and node not in drawn:
                found[id(node)] = name, node.origin.node
        for name, place in list(found.values())[:TOLD]:
            message = f"{output.label or 'The output'} does not depend on {name}"
            end = name if type(output) is Number else f"{name}.backward()"
            hint = f"to see {name}, end the program with {end}."
            yield Note(f"{message}; {hint}", self.source.span(place))

    def _nothing_drawn(self, m: Machine) -> Iterator[Note]:
        """A note on a program that computes no number to draw, with a line that would."""
        body = self.source.tree.body
        if body and all(isinstance(statement, _DEFINITIONS) for statement in body):
            message = "The definitions are read; nothing is computed yet that could be drawn."
            yield Note(f"{message} {_use_of(body)}", self.source.span(body[-1]))
        elif m.own.of_arrays:
            kind, name = m.own.of_arrays
            message = (
                f"Objects of {kind} hold whole arrays in {name}, and are not drawn; objects that "
                "hold one number are. For a picture fill an array with Values: "
                "np.array([Value(1.0), Value(2.0)])."
            )
            yield Note(message, self.source.span(body[-1]))

    def _staged(
        self, m: Machine, scene: int | None
    ) -> tuple[Scene | None, Stage | None, list[Note]]:
        """The scene that is drawn, ready to be drawn, and the notes on the run.

        A graph that is too large is not drawn; the program has run all the same.
        """
        chosen = _chosen(m.scenes.all, scene)
        output = m.scenes.root(chosen) if chosen else m.tape.output()
        if output is None:
            return None, None, [*m.notes, *self._nothing_drawn(m)]
        if size_of(output, self.limits.values) > self.limits.values:
            return chosen, None, [*m.notes, self._too_large(output)]
        stage = m.scenes.stage(chosen) if chosen else Stage(_as_it_ended(m.tape.lift(output)))
        m.tape.scopes.place(stage.backward.order)
        notes = [*m.notes, *self._unreached(m.tape)]
        if chosen is None:
            notes += self._unseen(m.globals, stage.backward.order)
        return chosen, stage, notes

    def _too_large(self, output: Any) -> Note:
        node = output.origin.node if isinstance(output, Value) else output.node
        most = self.limits.values
        message = (
            f"The graph has more than {most:,} Values, which is as many as are drawn. Take fewer "
            "samples, a smaller network or a shorter loop to see it."
        )
        return Note(message, self.source.span(node))


def _results(m: Machine) -> list[Any]:
    """Where the histories begin that a run leaves behind: its last results and its variables."""
    return [m.tape.last, m.tape.last_number, *m.globals.values()]


def _is_gradient(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id in GRADIENTS


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def _use_of(body: list[ast.stmt]) -> str:
    """A line that would use the last function or network that `body` defines."""
    for statement in reversed(body):
        if isinstance(statement, ast.FunctionDef):
            count = len(statement.args.args) - len(statement.args.defaults)
            inputs = ", ".join(["Value(2.0)", "Value(-3.0)", *["Value(1.0)"] * count][:count])
            return f"Add a line that calls it, such as L = {statement.name}({inputs})."
        if isinstance(statement, ast.ClassDef) and statement.name in _USES:
            return f"Add a line that uses it, such as L = {_USES[statement.name]}."
    return "Add an expression, such as L = Value(2.0) * 3."


_USES = {
    "Value": "Value(2.0) * 3",
    "Neuron": "n([1.0, -2.0]) with n = Neuron(2)",
    "Layer": "n([1.0, -2.0]) with n = Layer(2, 1)",
    "MLP": "n([1.0, -2.0]) with n = MLP(2, [3, 1])",
}
"""A use of each class of the tutorials."""


def _is_computed(x: Any) -> bool:
    return isinstance(x, Value) and x.op is not None


def _chosen(scenes: Sequence[Scene], wanted: int | None) -> Scene | None:
    """The scene of this id, else the last one."""
    if not scenes:
        return None
    return next((scene for scene in scenes if scene.id == wanted), scenes[-1])


def _as_it_ended(output: Value) -> Backward:
    """The backward pass of a program that never asked for one: every gradient starts at 0."""
    order = in_order(output)
    zeros = [0.0] * len(order)
    return Backward(output.origin.node, order, [value.data for value in order], zeros, zeros)


def leaf_keys(leaves: Sequence[Value | Taped], updates: Collection[int] = ()) -> dict[int, str]:
    """The name by which each labelled leaf can be changed, by the leaf's count.

    An object's number that came from others in an unknown way cannot be changed, nor can `updates`,
    the counts of those that the program replaced an object's first number with.

    Of leaves with the same label the last holds the plain name; the others are `a@1`, `a@2`, ...
    without those that are themselves the label of a leaf.
    """
    own = {count: leaf for count, leaf in enumerate(leaves) if not leaf.args}
    for count in updates:
        own.pop(count, None)
    last = {leaf.label: count for count, leaf in own.items()}
    seen: dict[str, int] = {}
    keys = {}
    for count, leaf in own.items():
        if not leaf.label:
            continue
        if last[leaf.label] == count:
            keys[count] = leaf.label
            continue
        turn = seen.get(leaf.label, 0) + 1
        while f"{leaf.label}@{turn}" in last:
            turn += 1
        seen[leaf.label] = turn
        keys[count] = f"{leaf.label}@{turn}"
    return keys
