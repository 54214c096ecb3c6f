"""One run of a program, from its text to what is kept of it: the scene that is drawn, the words."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.real import as_float
from engine.tensors.gradients import show_leaves
from engine.tensors.tensor_array import value_of
from engine.value import Value

from . import stages
from .array_tape import ArrayTape
from .array_use import uses_arrays
from .encode import UnencodedRun, encoded
from .follow import FOLLOWED, Taped, is_a
from .live_numbers import LiveNumber, in_order, size_of
from .model import Backward, Leaf, Note, Place, Scene, Stage
from .number_tape import NumberTape
from .objects import end_comparing, label_of
from .parts import name_items, name_parts
from .recorder import Recorder
from .run import Compiled, compiled, execute
from .source import Limits, Source
from .watching import BEFORE, ENDED, Watching, has_operators, passes_in_loop, unwatched
from .witness import Witness

TOLD = 3
"""How many results that are not drawn, and leaves that are not reached, are told of."""
_UNREAD = (
    "Objects of this program cannot be looked at: code of their classes ends in {}. So nothing is "
    "drawn; the program has run to its end."
)
LARGE = 20_000
"""Numbers of a run that are let go before it is run again."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a run.

    `known` are the names of the leaves of the program's own run by their places, None if this is
    the program's own. `changes` gives leaves another number. `scene` is the id of the scene that
    is drawn, the last one without. A run that is `judged` has a witness. One that was stopped
    before is not watched between the scenes `rest`, and runs `until` another has ended; 0 for none.
    A `native` program may do what the caller may, and runs once. With `arrays` the operations on
    whole arrays are kept, or those on plain numbers that have names. Of these the node `output` is
    drawn, if no pass is. The run ends once it has given `enough` names; 0 for never.
    """

    known: Mapping[Place, str] | None = None
    changes: Mapping[Place, float] | None = None
    scene: int | None = None
    judged: bool = False
    rest: tuple[int, int] = (0, 0)
    until: int = 0
    native: bool = False
    arrays: bool = False
    output: int | None = None
    enough: int = 0


class RecordingSession:
    """A run of a program: `live()` runs it, and says what is kept of it."""

    def __init__(
        self, source: Source, limits: Limits, wanted: Wanted, program: Compiled | None = None
    ) -> None:
        self.source, self.limits, self.wanted = source, limits, wanted
        self.program = program or compiled(source, judged=wanted.judged, arrays=wanted.arrays)
        self.numbers = dict(enumerate((wanted.changes or {}).values()))
        places = list(wanted.changes or ())
        self.counts: dict[Place, int] = {place: count for count, place in enumerate(places)}

    emit: Callable[[str, str], None] | None = None
    """Takes what leaves while the program runs."""

    def live(self) -> UnencodedRun:
        """Run the program. Raises ProgramError if it fails."""
        wanted, program = self.wanted, self.program
        if any(wanted.rest):
            return self._watched(program, wanted.rest)
        counts = wanted.judged and wanted.scene is None and not wanted.native
        scouts = counts and passes_in_loop(self.source)
        scouts = scouts and (not wanted.arrays or has_operators(self.source))
        first = compiled(self.source, judged=False) if scouts else program
        witness = None if scouts else self._witness()
        self._run(first, witness, counts=counts, emit=self.emit)
        if self.emit is not None:
            self.emit(ENDED, "")
        rest = self.m.watching.next
        if rest is None:
            return self._ended()
        is_large = self.m.tape.made > LARGE
        del self.m
        if is_large:
            gc.collect()  # two runs do not fit into the memory of one
        return self._watched(program, rest)

    def _watched(self, program: Compiled, rest: tuple[int, int]) -> UnencodedRun:
        """Run the program unwatched between two scenes; always watched if that is too little.

        Of the calls that were counted, some may not have been passes: then it is run once more.
        """
        self._run(program, self._witness(), rest=rest)
        last = self.m.scenes.made
        if rest[0] < rest[1] and last < rest[1] + BEFORE:
            self._run(program, self._witness(), rest=unwatched(rest[0], last))
        found = self._ended()
        owners = found.stage.held.values() if found.stage and found.stage.held else ()
        if not self.m.watching.is_whole(set(map(id, owners))):
            self._run(program, self._witness())
            found = self._ended()
        return found

    def _witness(self) -> Witness | None:
        return Witness() if self.wanted.judged else None

    def _run(
        self,
        program: Compiled,
        witness: Witness | None,
        *,
        counts: bool = False,
        rest: tuple[int, int] = (0, 0),
        emit: Callable[[str, str], None] | None = None,
    ) -> None:
        """Run the program once: see `Watching`."""
        self.m = m = Recorder(self.source, self.limits, self.numbers, witness)
        m.tape.counts = self.counts
        if self.wanted.arrays and program is self.program:
            whole = uses_arrays(self.source)
            m.array_tape = ArrayTape(m) if whole else NumberTape(m, self.wanted.enough)
        m.scenes.wanted = self.wanted.scene
        m.watching = Watching(m, counts=counts, rest=rest, until=self.wanted.until)
        m.emit, m.is_native = emit, self.wanted.native
        execute(m, program)
        end_comparing()

    def record(self) -> str:
        """The record of the run, as JSON. Raises ProgramError if the program fails."""
        run, found = self.live(), ""
        with self.m.reading():
            found = encoded(run)
        return found or encoded(self._words())

    def _words(self) -> UnencodedRun:
        """What is kept of a program whose objects cannot be read."""
        m, node = self.m, self.source.tree.body[-1]
        m.note(_UNREAD.format(m.unread), node)
        return UnencodedRun(
            source=self.source,
            printed=m.printed,
            notes=m.notes,
            charts=m.charts,
            stopped=m.stopped,
            operations=m.tape.made,
        )

    def _ended(self) -> UnencodedRun:
        found = None
        with self.m.reading():
            found = None if self.m.unread else self._whole()
        return found or self._words()

    def _whole(self) -> UnencodedRun:
        m, tape, known = self.m, self.m.tape, self.wanted.known
        if m.natives.tensors is not None:
            show_leaves(m.natives.tensors)
        parts = name_parts(m.globals)
        name_items(m.globals)
        labels: dict[int, str] = {}
        for leaf in tape.leaves:
            owner = None if isinstance(leaf, Value) else leaf.owner
            if owner is not None:
                if id(owner) not in labels:
                    labels[id(owner)] = label_of(owner)
                leaf.label = labels[id(owner)]
        named = leaf_keys(tape.leaves, m.own.updates) if known is None else self._named(known)
        scene, stage, notes = self._staged()
        if m.stopped is not None:
            notes.insert(0, m.stopped)
        updates = {
            tape.leaves[later].serial: tape.leaves[first].serial
            for later, first in m.own.updates.items()
        }
        return UnencodedRun(
            source=self.source,
            stage=stage,
            scenes=m.scenes.all,
            scene=scene,
            keys=self._with_updates(named),
            leaves=tape.leaves,
            own=None if known is not None else self._leaves(named),
            parts=parts | tape.parameters,
            log=m.own.log,
            printed=m.printed,
            notes=notes,
            charts=m.charts,
            arrays=m.arrangements.all,
            updates=updates,
            stopped=m.stopped,
            witness=m.witness,
            operations=tape.made,
            array_tape=m.array_tape,
        )

    def _leaves(self, keys: Mapping[int, str]) -> list[Leaf]:
        tape = self.m.tape
        return [
            Leaf(key, as_float(tape.initial[count]), tape.places[count])
            for count, key in keys.items()
        ]

    def _named(self, known: Mapping[Place, str]) -> dict[int, str]:
        """The keys of a run's leaves, by their counts in it; one with a new place has none."""
        places = enumerate(self.m.tape.places)
        return {count: known[place] for count, place in places if place in known}

    def _with_updates(self, keys: dict[int, str]) -> dict[int, str]:
        """Also those that the program replaced an object's first number with."""
        updates = self.m.own.updates
        return keys | {count: keys[first] for count, first in updates.items() if first in keys}

    def _unreached(self) -> Iterator[Note]:
        """Say which changed leaves were not made in this run."""
        known, reached = self.wanted.known or {}, set(self.m.tape.places)
        missing = [place for place in self.wanted.changes or () if place not in reached]
        for place in missing[:TOLD]:
            message = f"{known.get(place, 'A leaf')} is not reached with these numbers."
            span = self.source.span(place.at)
            yield Note(f"{message} What it was changed to has no effect.", span)

    def _unseen(self, order: Sequence[Value]) -> Iterator[Note]:
        """Say which results are not drawn: those with a name that the output does not need.

        Of plain numbers only the last statement says which is drawn: they have no backward().
        """
        output, drawn = order[-1], set(order)
        found = {}
        for name, held in self.m.globals.items():
            value = value_of(held)
            is_number = type(value) in FOLLOWED
            node = value.value if is_number else value
            if is_number and node is None:
                if type(output) is LiveNumber and value.op is not None:
                    found[id(value)] = name, value.node
            elif _is_computed(node) and type(node) is type(output) and node not in drawn:
                found[id(node)] = name, node.origin.node
        for name, place in list(found.values())[:TOLD]:
            message = f"{output.label or 'The output'} does not depend on {name}"
            end = name if type(output) is LiveNumber else f"{name}.backward()"
            hint = f"to see {name}, end the program with {end}."
            yield Note(f"{message}; {hint}", self.source.span(place))

    def _nothing_drawn(self) -> Iterator[Note]:
        """A note on a program that computes no number to draw, with a line that would."""
        m, body = self.m, self.source.tree.body
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

    def _staged(self) -> tuple[Scene | None, Stage | None, list[Note]]:
        """The scene that is drawn, ready to be drawn, and the notes on the run.

        A graph that is too large is not drawn; the program has run all the same.
        """
        m = self.m
        chosen = _chosen(m.scenes.all, self.wanted.scene)
        output = stages.root(chosen) if chosen else self._asked() or m.tape.output()
        if chosen is not None and output is None:  # a pass from an array
            return chosen, None, list(m.notes)
        if output is None:
            return None, None, [*m.notes, *self._nothing_drawn()]
        if size_of(output, self.limits.values) > self.limits.values:
            return chosen, None, [*m.notes, self._too_large(output)]
        stage = stages.stage(m, chosen) if chosen else Stage(_as_it_ended(m.tape.lift(output)))
        m.tape.scopes.place(stage.backward.order)
        notes = [*m.notes, *self._unreached()]
        if chosen is None and self.wanted.output is None:
            notes += self._unseen(stage.backward.order)
        return chosen, stage, notes

    def _asked(self) -> Any:
        """The number that is to be drawn; None without."""
        tape, place = self.m.array_tape, self.wanted.output
        return tape.number(place) if place is not None and isinstance(tape, NumberTape) else None

    def _too_large(self, output: Any) -> Note:
        node = output.origin.node if isinstance(output, Value) else output.node
        message = (
            f"The graph has more than {self.limits.values:,} Values, which is as many as are "
            "drawn. Take fewer samples, a smaller network or a shorter loop to see it."
        )
        return Note(message, self.source.span(node))


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def _use_of(body: Sequence[ast.stmt]) -> str:
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
    return is_a(x, Value) and x.op is not None


def _chosen(scenes: Sequence[Scene], wanted: int | None) -> Scene | None:
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


__all__ = ["RecordingSession", "Wanted", "leaf_keys"]
