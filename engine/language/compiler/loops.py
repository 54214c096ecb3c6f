"""Loops: `for` and `while`, each turn a scope that a drawing can fold."""

from __future__ import annotations

import ast
from typing import Any

from engine.language.loop_cost import least_work
from engine.language.machine import Machine
from engine.language.refusal import Refused
from engine.language.weights import started
from engine.record.scopes import Scope

from .targets import target
from .unit import BREAK, CONTINUE, Code, Frame, Unit, cost


def for_(unit: Unit, node: ast.For, scope: Scope) -> Code:
    m, iterable = unit.machine, unit.expression(node.iter, scope)
    write, (body, work) = target(unit, node.target, scope), unit.turn(node.body, scope)
    work += 1
    other = unit.block(node.orelse, scope) if node.orelse else None
    least = 1 + least_work(node.body)

    def code(f: Frame) -> Any:
        f[0] = m.node = node
        items = iterable(f)
        if type(items) is range:
            _foresee(m, node, items, least)
        m.node = node.iter
        around = m.scope
        loop = ("loop", node, around)
        turn = 0
        try:
            for item in started(m, items):
                m.left -= work
                if m.left < 0:
                    m.exhausted()
                turn += 1
                m.scope = ("iteration", turn, loop)
                write(f, item)
                out = body(f)
                if out is not None:
                    if out is BREAK:
                        return None
                    if out is not CONTINUE:
                        return out
        finally:
            m.scope = around
        return None if other is None else other(f)

    return code


def _foresee(m: Machine, loop: ast.For, items: range, least: int) -> None:
    """Raises Refused for a loop that would use up the budget."""
    if least < 2 or not items:
        return
    turns = (items[-1] - items[0]) // items.step + 1
    left = m.left + m.budget.rest
    if turns * least > left:
        raise Refused(
            loop.iter,
            f"{turns:,} turns of this loop need at least {turns * least:,} operations; a "
            f"program may take {m.limits.operations:,}, and {left:,} are left.",
            "Do fewer turns of the loop.",
        )


def while_(unit: Unit, node: ast.While, scope: Scope) -> Code:
    m, test = unit.machine, unit.expression(node.test, scope)
    body = unit.block(node.body, scope)
    other = unit.block(node.orelse, scope) if node.orelse else None
    work = 1 + cost(node.test)

    def code(f: Frame) -> Any:
        around = m.scope
        loop = ("loop", node, around)
        turn = 0
        try:
            while True:
                f[0] = m.node = node
                m.left -= work
                if m.left < 0:
                    m.exhausted()
                if not test(f):
                    break
                turn += 1
                m.scope = ("iteration", turn, loop)
                out = body(f)
                if out is not None:
                    if out is BREAK:
                        return None
                    if out is not CONTINUE:
                        return out
        finally:
            m.scope = around
        return None if other is None else other(f)

    return code
