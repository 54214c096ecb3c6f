"""The trace of an object's graph: computed anew by a program of its own, and compared with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.live.graph import LiveGraph, live_graph
from engine.live.names import expressions, names_of
from engine.live.rebuilt import CannotRebuild, Rebuilt, rebuilt
from engine.live.refusal import CannotShow
from engine.live.told import told
from engine.program import Limits, Note, ProgramError
from engine.trace.model import Node
from engine.trace.native import record
from engine.trace.traced import Trace
from engine.verdict.model import Mistake

LIMITS = Limits(program_bytes=1 << 24, syntax_nodes=1 << 22, recorded=1 << 20)
BUILT_IN = "Shown are the rules of calculus, not what the class does: {why}."


def live_trace(root: object, variables: Mapping[str, Any]) -> Trace:
    """The trace of the graph of `root`, whose objects `variables` lead to. Raises CannotShow.

    The objects are read, and nothing of them is changed: their class computes the same graph again,
    on objects of its own, and the recorder judges what it does there. Where that fails, the
    built-in Value computes it.
    """
    graph = live_graph(root)
    called = names_of(graph.order, variables)
    called |= {id(o): label for o in graph.order if (label := graph.attributes.label_of(o))}
    trace, program, why = _recorded(graph, called)
    return _with_names(trace, graph, called, program, why)


def _recorded(graph: LiveGraph, called: Mapping[int, str]) -> tuple[Trace, Rebuilt, str]:
    """The trace by the class itself, else by the built-in Value, and why."""
    try:
        program = rebuilt(graph, called)
        return record(program.program, limits=LIMITS), program, ""
    except (CannotRebuild, ProgramError) as error:
        why = _sentence(error)
    try:
        program = rebuilt(graph, called, as_built_in=True)
        return record(program.program, limits=LIMITS), program, why
    except (CannotRebuild, ProgramError) as error:
        other = _sentence(error)
        raise CannotShow(f"{why}{'' if other == why else f'; {other}'}.") from None


def _sentence(error: CannotRebuild | ProgramError) -> str:
    text = error.message if isinstance(error, ProgramError) else str(error)
    return text.rstrip(".")


def _with_names(
    trace: Trace, graph: LiveGraph, called: Mapping[int, str], program: Rebuilt, why: str
) -> Trace:
    """The trace with the caller's names, and with notes on what its objects hold otherwise."""
    own = {name: key for key, name in program.variables.items()}
    nodes = {own[node.label]: node for node in trace.nodes if node.label in own}
    shown = expressions(graph, called)
    renamed = {
        node.id: node._replace(label=called.get(key, ""), name=shown[key])
        for key, node in nodes.items()
    }
    said = [BUILT_IN.format(why=why)] if why else []
    said += told(graph, nodes, shown)
    texts = {name: shown[key] for key, name in program.variables.items()}
    verdict = trace.verdict and replace(
        trace.verdict, mistakes=tuple(_renamed(it, texts) for it in trace.verdict.mistakes)
    )
    return replace(
        trace,
        nodes=tuple(renamed.get(node.id, node) for node in trace.nodes),
        notes=(*trace.notes, *(Note(text, _place(trace, nodes)) for text in said)),
        verdict=verdict,
    )


def _place(trace: Trace, nodes: Mapping[int, Node]) -> tuple[int, int, int, int]:
    """Where notes on the whole graph stand: at its output."""
    by_id = {node.id: node for node in nodes.values()}
    return by_id[trace.drawn].span if trace.output in by_id else (1, 1, 1, 2)


def _renamed(mistake: Mistake, texts: Mapping[str, str]) -> Mistake:
    """The mistake with the caller's name for its object."""
    shown = texts.get(mistake.subject, mistake.subject)
    if shown == mistake.subject:
        return mistake
    subject = shown if shown.isidentifier() or shown[-1:] in ")]" else f"({shown})"
    old, new = f"{mistake.subject}.", f"{subject}."
    message, why = mistake.message.replace(old, new), mistake.why.replace(old, new)
    return mistake._replace(subject=subject, message=message, why=why)
