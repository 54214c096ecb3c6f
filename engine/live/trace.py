"""The trace of an object's graph: computed anew by a program of its own, and compared with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine.live.graph import LiveGraph, live_graph
from engine.live.names import expressions, paths_to
from engine.live.parts import in_parts
from engine.live.pass_call import PassCall, of_class
from engine.live.rebuilt import Rebuilt, rebuilt
from engine.live.refusal import CannotRebuild, CannotShow
from engine.live.told import told
from engine.program import Limits, Note, Program, ProgramError, Span
from engine.record.native import RepeatableRecording
from engine.trace.build import trace as traced
from engine.trace.model import Node
from engine.trace.traced import Trace
from engine.verdict.model import Mistake

LIMITS = Limits(program_bytes=1 << 24, syntax_nodes=1 << 22, recorded=1 << 20)
BUILT_IN = "Shown are the rules of calculus, not what the class does: {why}."


class GraphSnapshot(NamedTuple):
    """A graph as it is at one moment: the programs that compute it again, without its objects.

    `own` is the program with their class, or why there is none; `built_in` that with the built-in
    Value. By the ids that the objects had, `called` are the names that lead to them, and `shown`
    those of sentences; `output` is the id of the result, and
    `kinds` are the classes of what holds the objects, by their paths.
    """

    own: Rebuilt | CannotRebuild
    built_in: Rebuilt | CannotRebuild
    called: Mapping[int, str]
    shown: Mapping[int, str]
    output: int
    kinds: Mapping[str, str]

    def drawn(self) -> tuple[Trace, Mapping[int, Node]]:
        """The trace of the graph, and its nodes by the ids of their objects. Raises CannotShow."""
        trace, program, why = self._recorded()
        said = [BUILT_IN.format(why=why)] if why else []
        return _with_names(trace, self, program, said)

    def _ends_alike(self, trace: Trace, program: Rebuilt) -> bool:
        """Whether the output drawn is the object that was to be shown."""
        name = program.variables[self.output]
        return any(node.id == trace.output and node.label == name for node in trace.nodes)

    def _recorded(self) -> tuple[Trace, Rebuilt, str]:
        """The trace by the class itself, else by the built-in Value, and why."""
        try:
            trace, program = _record(self.own)
            if _is_still(trace):
                trace = _trace(program.seeded)
            if not self._ends_alike(trace, program):
                raise CannotRebuild("the class computed another result again")
            return trace, program, ""
        except (CannotRebuild, ProgramError) as error:
            why = _sentence(error)
        try:
            return *_record(self.built_in), why
        except (CannotRebuild, ProgramError):
            raise CannotShow(f"{why}.") from None


def live_trace(root: object, variables: Mapping[str, Any]) -> Trace:
    """The trace of the graph of `root`, whose objects `variables` lead to. Raises CannotShow.

    The objects are read, and nothing of them is changed: their class computes the same graph again,
    on objects of its own, and the recorder judges what it does there. Where that fails, the
    built-in Value computes it. Notes say what the objects hold otherwise.
    """
    graph = live_graph(root)
    taken = snapshot(graph, variables)
    trace, nodes = taken.drawn()
    said = told(graph, nodes, taken.shown)
    return replace(trace, notes=(*trace.notes, *(Note(text, _place(trace)) for text in said)))


def snapshot(
    graph: LiveGraph, variables: Mapping[str, Any], call: PassCall | None = None
) -> GraphSnapshot:
    """The graph as it is now; `call` runs its pass, else what its class has for it."""
    call = call or of_class(graph.attributes.kind, variables)
    paths = paths_to(graph.order, variables)
    called = dict(paths.paths)
    called |= {id(o): label for o in graph.order if (label := graph.attributes.label_of(o))}
    own = _rebuilt(graph, called, call, as_built_in=False)
    if isinstance(own, Rebuilt):
        graph = replace(graph, made=own.made)
    built_in = _rebuilt(graph, called, call, as_built_in=True)
    return GraphSnapshot(
        own, built_in, called, expressions(graph, called), id(graph.output), paths.kinds
    )


def _rebuilt(
    graph: LiveGraph, called: Mapping[int, str], call: PassCall | None, as_built_in: bool
) -> Rebuilt | CannotRebuild:
    try:
        return rebuilt(graph, called, call, as_built_in)
    except CannotRebuild as error:
        return error


def _record(program: Rebuilt | CannotRebuild) -> tuple[Trace, Rebuilt]:
    if isinstance(program, CannotRebuild):
        raise program
    return _trace(program.program), program


def _trace(text: str) -> Trace:
    return traced(Program(text, LIMITS, RepeatableRecording))


def _is_still(trace: Trace) -> bool:
    """Whether the pass has left the gradient of its output at 0."""
    return any(node.id == trace.output and node.grad == 0 for node in trace.nodes)


def _sentence(error: CannotRebuild | ProgramError) -> str:
    text = error.message if isinstance(error, ProgramError) else str(error)
    return text.rstrip(".")


def _with_names(
    trace: Trace, taken: GraphSnapshot, program: Rebuilt, said: Sequence[str]
) -> tuple[Trace, Mapping[int, Node]]:
    """The trace with the caller's names, and with more notes."""
    own = {name: key for key, name in program.variables.items()}
    nodes = {own[node.label]: node for node in trace.nodes if node.label in own}
    renamed = {
        node.id: node._replace(label=taken.called.get(key, ""), name=taken.shown[key])
        for key, node in nodes.items()
    }
    texts = {name: taken.shown[key] for key, name in program.variables.items()}
    verdict = trace.verdict and replace(
        trace.verdict, mistakes=tuple(_renamed(it, texts) for it in trace.verdict.mistakes)
    )
    found = replace(
        trace,
        nodes=tuple(renamed.get(node.id, node) for node in trace.nodes),
        notes=(*trace.notes, *(Note(text, _place(trace)) for text in said)),
        verdict=verdict,
    )
    found = in_parts(found, taken.kinds)
    return found, {key: renamed[node.id] for key, node in nodes.items()}


def _place(trace: Trace) -> Span:
    """Where notes on the whole graph stand: at its output."""
    return next((node.span for node in trace.nodes if node.id == trace.output), (1, 1, 1, 2))


def _renamed(mistake: Mistake, texts: Mapping[str, str]) -> Mistake:
    """The mistake with the caller's name for its object."""
    shown = texts.get(mistake.subject, mistake.subject)
    if shown == mistake.subject:
        return mistake
    subject = shown if shown.isidentifier() or shown[-1:] in ")]" else f"({shown})"
    old, new = f"{mistake.subject}.", f"{subject}."
    message, why = mistake.message.replace(old, new), mistake.why.replace(old, new)
    return mistake._replace(subject=subject, message=message, why=why)
