"""Running a program that has been read, and the record of the run.

The language is Python without files, network and all else that reaches out of the program: see
`compiler` and the tables of `builtins`, `kinds` and `modules`. A run is a pure function of the text
and of the leaves that were changed; random numbers start from the same seed each time.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.garbage import SELDOM
from engine.record.encode import LiveRun, encoded
from engine.record.model import Backward, Leaf, Note, Place, Scene, Stage
from engine.record.source import Limits, Source
from engine.value import Value

from . import objects
from .execution import execute
from .machine import Machine
from .origins import Number, in_order, size_of
from .own import label_of
from .parts import name_items, name_parts
from .plain import FOLLOWED, Taped, as_float, unlink
from .standby import Standby
from .tape import Tape
from .witness import Witness

TOLD = 3
"""How many results that are not drawn, and leaves that are not reached, are told of."""


class Interpreter:
    """Runs one program."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source, self.limits = source, limits
        self._standby = Standby(source, limits)

    def record(
        self,
        overrides: Mapping[Place, float],
        known: Mapping[Place, str] | None,
        scene: int | None = None,
        is_judged: bool = False,
    ) -> str:
        """The record of a run with some leaves changed, for the scene of this id or the last one.

        `known` are the names of leaves, None where the program's own run is to find them. Raises
        ProgramError.
        """
        machine = self._standby.machine(overrides, Witness() if is_judged else None)
        try:
            with SELDOM.collected():
                run = self._ended(machine, known, scene)
                record = encoded(run, objects)
        except BaseException:
            unlink(_results(machine))
            machine.close()
            raise
        unlink(
            [
                *_results(machine),
                *machine.tape.leaves,
                *(run.stage.backward.order if run.stage else ()),
            ]
        )
        self._standby.close(machine)
        return record

    def _ended(
        self, machine: Machine, known: Mapping[Place, str] | None, scene: int | None
    ) -> LiveRun:
        tape, updates = machine.tape, machine.own.updates
        machine.scenes.wanted = scene
        execute(machine)
        operations = machine.used
        parts = name_parts(machine.globals)
        name_items(machine.globals)
        own = None if known is not None else _own_leaves(tape, updates)
        if known is None:
            known = {leaf.place: leaf.key for leaf in own or ()}
        if machine.witness is not None:
            machine.witness.operations = machine.budget.used(machine.left)
        chosen, stage, notes = self._staged(machine, known, scene)
        if machine.stopped is not None:
            notes.insert(0, machine.stopped)
        return LiveRun(
            source=self.source,
            stage=stage,
            scenes=machine.scenes.all,
            scene=chosen,
            keys=_keys(tape, known, updates),
            leaves=tape.leaves,
            own=own,
            parts=parts | tape.parameters,
            log=machine.own.log,
            printed=machine.printed,
            notes=notes,
            charts=machine.charts,
            arrays=machine.arrangements.all,
            updates={
                tape.leaves[later].serial: tape.leaves[first].serial
                for later, first in updates.items()
            },
            stopped=machine.stopped,
            witness=machine.witness,
            operations=operations,
        )

    def _unreached(self, tape: Tape, known: Mapping[Place, str]) -> Iterator[Note]:
        """Say which changed leaves were not made in this run."""
        reached = set(tape.places)
        missing = [place for place in tape.overrides if place not in reached]
        for place in missing[:TOLD]:
            message = f"{known[place]} is not reached with these numbers."
            span = self.source.span(place.at)
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
        self, m: Machine, known: Mapping[Place, str], scene: int | None
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
        notes = [*m.notes, *self._unreached(m.tape, known)]
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


def _own_leaves(tape: Tape, updates: Mapping[int, int]) -> list[Leaf]:
    """The leaves of the program's own run: later ones know them by their places."""
    for leaf in tape.leaves:
        if not isinstance(leaf, Value) and leaf.owner is not None:
            leaf.label = label_of(leaf.owner)
    return [
        Leaf(key, as_float(tape.initial[count]), tape.places[count])
        for count, key in leaf_keys(tape.leaves, updates).items()
    ]


def _keys(tape: Tape, known: Mapping[Place, str], updates: Mapping[int, int]) -> dict[int, str]:
    """The keys of a run's leaves, by their counts in it; one with a new place has none.

    What the program sets an object's number to later has the key of its first one.
    """
    keys = {count: known[place] for count, place in enumerate(tape.places) if place in known}
    return keys | {count: keys[first] for count, first in updates.items() if first in keys}


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
