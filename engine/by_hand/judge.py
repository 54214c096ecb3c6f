"""The verdict on gradients that a program computed by hand from whole arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose

from engine.array_ops.flat import Flat
from engine.program import Program, RecordedRun
from engine.record.array_model import ArrayName, ArrayNode
from engine.record.source import Source

from . import model
from .matching import NEAR, Match, Matched, is_right, matched, matched_for, same_shape
from .model import Equality, HandGradient
from .truth import ancestors, are_close, flat


@dataclass(frozen=True, slots=True)
class HandPass:
    """What is judged: the run, its loss with the true gradients, and the gradients written."""

    program: Program
    run: RecordedRun
    matched: Matched
    gradients: Sequence[HandGradient]
    points: Sequence[Mapping[str, float]] = ()
    """Other numbers for the leaves of the loss, for which all is judged again."""
    enough: int = 0
    """The names after which a run that is judged again may end; 0 if it goes to its end."""

    def right(self) -> set[str]:
        """The names of the gradients that are right."""
        return {it.shown for it in self.gradients if it.state in (model.RIGHT, model.SCALED)}

    @property
    def nodes(self) -> Sequence[ArrayNode]:
        nodes: Sequence[ArrayNode] = self.run.array_record.nodes
        return nodes


def hand_pass(program: Program, run: RecordedRun, loss: ArrayName | None = None) -> HandPass | None:
    """The gradients that a run computed by hand, each with its state; None if it computed none.

    They are those of `loss`, else of the first loss that has some.
    """
    record = run.array_record
    if record is None or not record.names:
        return None
    found = matched(record) if loss is None else matched_for(record, loss)
    if found is None:
        return None
    nodes = record.nodes
    rows = [_gradient(run, nodes, found, match) for match in found.matches]
    behind = {it.name for it in record.names if it.of in found.truth.order}
    rates = {name: x for name, x in _rates(program.source).items() if name not in behind}
    rows = [
        replace(row, state=model.OPEN)
        if row.state == model.SCALED and _is_update(run, row, rates)
        else row
        for row in rows
    ]
    rows = [
        replace(row, state=model.OPEN)
        if row.state in (model.WRONG, model.SCALED) and _is_difference(nodes, row.node)
        else row
        for row in rows
    ]
    return HandPass(program, run, found, _of_mean(nodes, found, _with_states(nodes, rows)))


STEP = 0.2


def _is_difference(nodes: Sequence[ArrayNode], at: int) -> bool:
    """Whether a number is a difference over a small step: a slope measured coarsely."""
    node = nodes[at]
    if node.op != "/" or node.shape:
        return False
    over, step = (nodes[arg] for arg in node.args)
    return over.op == "-" and 0 < abs(step.data[0]) <= STEP


def _rates(source: Source) -> Mapping[str, float]:
    """The names that a program gives fractions, such as a learning rate."""
    found = {}
    for node in source.each(ast.Assign):
        for name, value in assigned(node):
            match value:
                case ast.Constant(value=float(x)) if not x.is_integer():
                    found[name] = x
    return found


def assigned(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names of an assignment with what each is given."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for part, value in zip(target.elts, node.value.elts, strict=False):
                if isinstance(part, ast.Name):
                    yield part.id, value


def _is_update(run: RecordedRun, row: HandGradient, rates: Mapping[str, float]) -> bool:
    """Whether a line multiplies a gradient with a rate: what it names is the step of a weight."""
    names = {
        node.id
        for node in ast.walk(statement_of(run, run.array_record.nodes[row.node].node))
        if isinstance(node, ast.Name)
    }
    return any(isclose(abs(row.factor), rates[name]) for name in names & rates.keys())


def _gradient(
    run: RecordedRun, nodes: Sequence[ArrayNode], found: Matched, match: Match
) -> HandGradient:
    truth = found.truth
    match = _before_changes(nodes, found, match)
    written = flat(nodes[match.name.of])
    due = truth.gradients.get(match.target)
    if due is None and match.target not in truth.unknown:
        due = Flat(nodes[match.target].shape, [0.0] * len(nodes[match.target].data))
    factor, state = 1.0, model.WRONG
    if due is None:
        state = model.OPEN
    elif not same_shape(written.shape, due.shape):
        state = model.SHAPE
    elif are_close(written.data, due.data, NEAR, truth.noise(match.target)):
        state = model.RIGHT
    elif not any(due.data) or _is_sign(written, due):
        state = model.OPEN  # an estimate through a step, or a step of sign descent
    else:
        factor = factor_of(written, due)
        state = model.SCALED if factor != 1.0 else model.WRONG
    return HandGradient(
        match.name.name,
        match.name.shown,
        match.of,
        match.name.of,
        match.target,
        run.source.span(statement_of(run, match.name.node)),
        written,
        due,
        state,
        None if due is None or state == model.SHAPE else _equality(written, due),
        factor,
    )


def _before_changes(nodes: Sequence[ArrayNode], found: Matched, match: Match) -> Match:
    """The array that was the true gradient, if it was then clipped, decayed or scaled on purpose.

    On purpose is all but a factor that a loss may have: a sign, 2, or a number of elements.
    """
    truth, target = found.truth, match.target
    due = truth.gradients.get(target)
    now = flat(nodes[match.name.of])
    if due is None or not any(due.data) or is_right(truth, target, now):
        return match
    factor = factor_of(now, due) if same_shape(now.shape, due.shape) else 1.0
    sizes = {n for at in truth.order for n in (*nodes[at].shape, len(nodes[at].data))}
    is_of_loss = any(
        isclose(abs(factor) ** side, n, rel_tol=1e-4) for n in {2, *sizes} for side in (1, -1)
    )
    if factor != 1.0 and is_of_loss:
        return match
    for it in reversed(match.earlier):
        if is_right(truth, target, flat(nodes[it.of])):
            return match._replace(name=it)
    return match


def _is_sign(written: Flat, due: Flat) -> bool:
    """Whether an array has the signs of a gradient whose elements differ in size."""
    sizes = {abs(d) for d in due.data if d}
    differ = max(sizes) > 1.01 * min(sizes)
    return differ and all(
        x == (d > 0) - (d < 0) for x, d in zip(written.data, due.data, strict=True)
    )


def statement_of(run: RecordedRun, node: ast.AST) -> ast.AST:
    """The statement around a node of the text."""
    while not isinstance(node, ast.stmt) and node in run.source.parents:
        node = run.source.parents[node]
    return node


def _equality(written: Flat, due: Flat) -> Equality:
    pairs = list(zip(written.data, due.data, strict=True))
    return Equality(
        all(a == b for a, b in pairs),
        all(abs(a - b) <= 1e-8 + 1e-5 * abs(b) for a, b in pairs),
        max((abs(a - b) for a, b in pairs if a != b), default=0.0),
    )


def factor_of(written: Flat, due: Flat) -> float:
    """The number that the true gradient is multiplied by; 1 if there is none."""
    at = max(range(len(due.data)), key=lambda i: abs(due.data[i]), default=None)
    if at is None or due.data[at] == 0:
        return 1.0
    factor = written.data[at] / due.data[at]
    is_scaled = factor != 0 and are_close(written.data, [factor * x for x in due.data], NEAR)
    return factor if is_scaled and abs(factor) < float("inf") else 1.0


def _with_states(
    nodes: Sequence[ArrayNode], rows: Sequence[HandGradient]
) -> Sequence[HandGradient]:
    """The gradients with what follows from others.

    One that is the true one times a number is no mistake if a right one is computed from it: there
    the number is taken back. Where all that is computed from it is wrong otherwise, it is open. Nor
    is another one altogether a mistake, if the right gradient of a leaf is computed from it at
    once. What no other is computed from decides.
    """
    sources = [_sources(nodes, row, rows) for row in rows]
    direct = [_direct(at, sources) for at in range(len(rows))]
    found = list(rows)
    for at in reversed(range(len(rows))):
        row = rows[at]
        users = [i for i, behind in enumerate(sources) if at in behind]
        after = [found[i] for i in users]
        if row.state == model.SCALED:
            taken = any(
                is_telling(user)
                or (user.state == model.SCALED and any(i in behind for behind in sources))
                for i, user in zip(users, after, strict=True)
            )
            # one number is always another one times a number
            large = [i for i in users if len(rows[i].written.data) > 1]
            is_apart = bool(large) and all(
                rows[i].state in (model.WRONG, model.SHAPE) for i in large
            )
            other = model.OPEN if is_apart else model.WRONG
            found[at] = row if taken else replace(row, state=other)
        elif row.state == model.WRONG and any(
            is_telling(found[i]) and _is_first(nodes, found[i], rows)
            for i in users
            if at in direct[i]
        ):
            found[at] = replace(row, state=model.OPEN)
    return _following(sources, found)


def _of_mean(
    nodes: Sequence[ArrayNode], found: Matched, rows: Sequence[HandGradient]
) -> Sequence[HandGradient]:
    """The gradients of a mean where the loss is a sum: nothing but 1/n is between all of them."""
    wrong = [row for row in rows if row.state in (model.WRONG, model.FOLLOWS)]
    sizes = {nodes[at].shape[0] for at in found.truth.order if nodes[at].shape}
    factor = wrong[0].factor if wrong else 1.0
    is_mean = 0 < factor < 1 and any(isclose(factor * n, 1, rel_tol=1e-4) for n in sizes)
    if not is_mean or any(map(is_telling, rows)):
        return rows
    if not all(isclose(row.factor, factor, rel_tol=1e-4) for row in wrong):
        return rows
    return [replace(row, state=model.MEAN) if row in wrong else row for row in rows]


def _is_first(nodes: Sequence[ArrayNode], row: HandGradient, rows: Sequence[HandGradient]) -> bool:
    """Whether a gradient is that of a parameter: of an array that no other judged one led to."""
    behind = set(ancestors(nodes, row.target)) - {row.target}
    return not any(other.target in behind for other in rows)


def _direct(at: int, sources: Sequence[Sequence[int]]) -> Sequence[int]:
    """The gradients that one was computed from without another one between."""
    return [i for i in sources[at] if not any(i in sources[k] for k in sources[at] if k != i)]


def is_telling(row: HandGradient) -> bool:
    """Whether a gradient is right, and not because it is 0."""
    return (
        row.state == model.RIGHT
        and row.due is not None
        and any(abs(x) > 1e-7 for x in row.due.data)
    )


def _following(
    sources: Sequence[Sequence[int]], rows: Sequence[HandGradient]
) -> Sequence[HandGradient]:
    """Say of wrong gradients which wrong one they were computed from."""
    first: dict[int, HandGradient] = {}
    found = []
    for at, row in enumerate(rows):
        if row.state in (model.WRONG, model.SHAPE):
            before = next((first[i] for i in sources[at] if i in first), None)
            first[at] = before or row
            if before is not None:
                row = replace(row, state=model.FOLLOWS, because=before.name)
        found.append(row)
    return found


def _sources(
    nodes: Sequence[ArrayNode], row: HandGradient, rows: Sequence[HandGradient]
) -> Sequence[int]:
    """The places of the other gradients that one was computed from."""
    behind = set(ancestors(nodes, row.node)) - {row.node}
    return [at for at, other in enumerate(rows) if other.node in behind]
