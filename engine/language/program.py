"""The program language: source text in, a run with its tape out.

    >>> run = Program("a = 2; b = -3; L = (a*b + 10) * -2").run()
    >>> run.output.label, run.output.data
    ('L', -8.0)

The language is a safe subset of Python (see `interpreter` and `names`) chosen by one rule: a
snippet from any micrograd tutorial, pasted unchanged, runs. A run is a pure function of the text
and of the leaves that were changed; random numbers start from the same seed each time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.value import Value

from .interpreter import Interpreter
from .machine import Note
from .source import Limits, ProgramError, Source, Span
from .tape import Backward, Place, Tape, in_order

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
    """What one run of a program left: the output, the last backward pass, the words."""

    source: Source
    output: Value
    backward: Backward
    keys: dict[int, str]
    leaves: list[Value]
    printed: list[str]
    notes: list[Note]


class Program:
    """A program that has been read. Raises ProgramError for text that cannot be."""

    def __init__(self, text: str, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.source = Source(text, self.limits)
        self._keys: dict[int, str] | None = None
        """The key of each labelled leaf, by the leaf's count in the program's own run."""
        self._defaults: dict[str, float] = {}
        self._counts: dict[Place, int] = {}
        self._nodes: list[ast.AST] = []

    def run(self, leaves: Mapping[str, float] | None = None) -> Run:
        """Run the program, with some leaves changed. Raises ProgramError and UnknownLeaf."""
        if not leaves:
            return self._run({})
        self.defaults()
        assert self._keys is not None
        counts = {key: count for count, key in self._keys.items()}
        for name in leaves:
            if name not in counts:
                raise UnknownLeaf(name, list(counts))
        return self._run({counts[name]: float(x) for name, x in leaves.items()})

    def defaults(self) -> dict[str, float]:
        """The number that the program itself gives each leaf, by the leaf's key."""
        if self._keys is None:
            self._run({})
        return self._defaults

    def _run(self, overrides: dict[int, float]) -> Run:
        interpreter = Interpreter(self.source, self.limits, overrides)
        tape = interpreter.tape
        tape.counts = self._counts
        interpreter.run()
        output = tape.output()
        if output is None:
            raise self._nothing(interpreter.notes)
        if self._keys is None:
            self._keep(tape)
        backward = tape.backward or _as_it_ended(output)
        self._check_size(backward, output)
        notes = [*interpreter.notes, *self._unreached(tape)]
        if tape.backward is None:
            notes += self._unseen(interpreter.env.names, backward.order)
        return Run(
            self.source,
            output,
            backward,
            self._own_keys(tape),
            tape.leaves,
            interpreter.printed,
            notes,
        )

    def _keep(self, tape: Tape) -> None:
        """Remember the leaves of the program's own run: later ones know them by their places."""
        self._keys = leaf_keys(tape.leaves)
        self._defaults = {key: tape.initial[count] for count, key in self._keys.items()}
        self._counts = tape.places
        self._nodes = [leaf.origin.node for leaf in tape.leaves]

    def _own_keys(self, tape: Tape) -> dict[int, str]:
        """The keys of a run's leaves, by their counts in it; one with a new place has none."""
        known = self._keys or {}
        own = {count: self._counts.get(place, -1) for place, count in tape.places.items()}
        return {count: known[before] for count, before in own.items() if before in known}

    def _unreached(self, tape: Tape) -> Iterator[Note]:
        """Say which changed leaves were not made in this run."""
        reached = {self._counts.get(place) for place in tape.places}
        missing = [count for count in tape.overrides if count not in reached]
        for count in missing[:TOLD]:
            key, span = (self._keys or {})[count], self.source.span(self._nodes[count])
            message = f"{key} is not reached with these numbers."
            yield Note(f"{message} What it was changed to has no effect.", span)

    def _unseen(self, names: Mapping[str, object], order: list[Value]) -> Iterator[Note]:
        """Say which results are not drawn: those with a name that the output does not need."""
        output, drawn = order[-1], set(order)
        found = {
            value: name
            for name, value in names.items()
            if isinstance(value, Value) and type(value) is type(output)
            if value.op is not None and value not in drawn
        }
        for value, name in list(found.items())[:TOLD]:
            message = f"{output.label or 'The output'} does not depend on {name}"
            hint = f"to see {name}, end the program with {name}.backward()."
            yield Note(f"{message}; {hint}", self.source.span(value.origin.node))

    def _nothing(self, notes: list[Note]) -> ProgramError:
        body = self.source.tree.body
        span = self.source.span(body[-1]) if body else (1, 1, 1, 2)
        if body and all(isinstance(statement, _DEFINITIONS) for statement in body):
            message = "The definitions are read; nothing is computed yet that could be drawn."
            if notes:
                message = f"{notes[0].message} {message}"
            return ProgramError(message, self.source.span(body[-1]), _use_of(body))
        told = f"{notes[0].message} N" if notes else "N"
        hint = "Add an expression, such as L = Value(2.0) * 3."
        return ProgramError(f"{told}othing is computed here that could be drawn.", span, hint)

    def _check_size(self, backward: Backward, output: Value) -> None:
        if len(backward.order) > self.limits.values:
            raise ProgramError(
                f"The graph has {len(backward.order):,} Values; "
                f"at most {self.limits.values:,} are drawn.",
                self.source.span(output.origin.node),
                "Take fewer samples, a smaller network or a shorter loop.",
            )


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


def _as_it_ended(output: Value) -> Backward:
    """The backward pass of a program that never asked for one: every gradient starts at 0."""
    order = in_order(output)
    zeros = [0.0] * len(order)
    return Backward(order, [value.data for value in order], zeros, zeros)


def leaf_keys(leaves: list[Value]) -> dict[int, str]:
    """The name by which each labelled leaf can be changed, by the leaf's count.

    Of leaves with the same label the last holds the plain name; the others are `a@1`, `a@2`, ...
    without those that are themselves the label of a leaf.
    """
    last = {leaf.label: count for count, leaf in enumerate(leaves)}
    seen: dict[str, int] = {}
    keys = {}
    for count, leaf in enumerate(leaves):
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
