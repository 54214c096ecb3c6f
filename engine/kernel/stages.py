"""The stages of a mathematical function: parts of its program that may run in separate loops."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from engine.caches import cached
from engine.ops import OPS

from .formula import ExpressionGraph, statements
from .mathematics import FUNCTIONS


@dataclass(frozen=True, slots=True)
class KernelStage:
    """A part of a program; of its names, those that it takes from before and leaves for later."""

    text: str
    takes: tuple[str, ...]
    leaves: tuple[str, ...]


@cached("stages of functions")
def stages(name: str) -> tuple[KernelStage, ...]:
    """The stages of a function of `mathematics`, from "x" to "y"."""
    texts = FUNCTIONS[name].strip().split("\n\n")
    known = {"x"}
    takes, sets = [], []
    for text in texts:
        lines = statements(text)
        nodes = [node for _, value in lines for node in ast.walk(value)]
        takes.append(known & {node.id for node in nodes if isinstance(node, ast.Name)})
        sets.append({target for target, _ in lines})
        known |= sets[-1]
    found = []
    for number, text in enumerate(texts):
        later = set().union({"y"}, *takes[number + 1 :])
        found.append(
            KernelStage(text, tuple(sorted(takes[number])), tuple(sorted(sets[number] & later)))
        )
    return tuple(found)


def staged(op: str) -> tuple[KernelStage, ...]:
    """The stages of an activation that is one function of `mathematics`; none for any other."""
    graph = ExpressionGraph()
    result = graph.text(OPS[op].formula, {OPS[op].params[0]: graph.leaf("x")})
    name = graph.only_call(result)
    found = stages(name) if name else ()
    return found if len(found) > 1 else ()


def names_between(ops: Iterable[str]) -> list[str]:
    """The names that the stages of activations leave to one another."""
    found = {name for op in ops for stage in staged(op) for name in stage.leaves}
    return sorted(found - {"y"})
