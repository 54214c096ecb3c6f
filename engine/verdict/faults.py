"""Faults: edges along which a pass did not bring what was due, each with its cause.

Along each edge (user, used) a pass is to bring ∂user/∂used times the gradient that `user` reaches,
in whatever order and in however many parts. If all edges are right, nothing is lost and the output
starts from its seed, then every gradient is right, by induction over the order of computation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.value import Value

from .by_hand import by_hand, faults_by_hand, is_computed_from_data
from .evidence import Edge, Evidence
from .fault import Fault
from .ledger import Entry, Ledger, close, runs_of
from .missing import missing
from .objects import attributes_of
from .places import Places

LAST = 1e9
"""After all faults of a pass: the passes before the one that is judged had them as well."""


FAULTS = 100
"""Faults of one run up to which the reasons for missing contributions are searched."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """A write along an edge, right or wrong: `kinds` are those that would explain its amount."""

    place: ast.AST
    fault: Fault
    is_wrong: bool
    kinds: frozenset[str]
    statement: ast.AST
    """The write itself."""
    role: tuple[str, int]
    """The operation, and which of its args: one line may write for several."""


@dataclass(slots=True, eq=False)
class Findings:
    """The faults of one run, and its writes, of which several tell together what is wrong."""

    faults: list[Fault]
    observed: list[Observed]


def findings(evidence: Evidence, ledger: Ledger) -> Findings:
    """The faults of a pass that code makes."""
    places = Places(evidence, ledger)
    found = Findings([*_seed(evidence, ledger, places)], [])
    found.faults += _stale(evidence, ledger, places)
    scene = evidence.run.scene
    manual = by_hand(ledger) if scene is not None and scene.kind == "gradients" else {}
    if manual:
        found.faults = [f for f in found.faults if f.kind == "not_zeroed"]
        found.faults += faults_by_hand(evidence, ledger)
    if not any(fault.kind == "seed_missing" for fault in found.faults):
        found.faults += _losses(evidence, ledger, places)
        for edge, partial in evidence.partials.items():
            if partial is None or edge.used in manual or _is_unwritten(ledger, edge, manual):
                continue
            _edge(evidence, ledger, places, edge, partial, found)
    if manual:
        found.faults = [
            f for f in found.faults if f.kind not in ("unreachable", "called_not_stored")
        ]
    return found


def _is_unwritten(ledger: Ledger, edge: Edge, manual: Mapping[Value, object]) -> bool:
    """Whether a pass by hand has not come to an edge."""
    return bool(manual) and not any(e.used is edge.used for e in ledger.of(edge))


def _seed(evidence: Evidence, ledger: Ledger, places: Places) -> Iterator[Fault]:
    output, scene = evidence.output, evidence.run.scene
    if not evidence.inputs[output] or _is_passed_on(evidence, ledger):
        return
    contributions = [e for e in ledger.entries if e.kind == "contribution"]
    if ledger.reached.get(output, 0.0) == 0 and contributions:
        yield Fault("seed_missing", places.start(), -0.5, output, 0.0, 1.0)
        return
    for entry in ledger.entries:
        after = entry.step.after
        if entry.kind != "seed" or entry.used is not output or close(after, 1.0):
            continue
        if is_computed_from_data(entry.step.source) and after != 0:
            yield Fault("seed_missing", places.start(), -0.5, output, after, 1.0, entry)
            return
    is_pass = scene is not None and scene.kind in ("backward", "gradients")
    is_written = any(e.kind == "other" and not e.step.is_first for e in ledger.entries)
    if is_pass and is_written and not contributions and not ledger.seed:
        yield Fault("seed_missing", places.start(), -0.5, output, 0.0, 1.0)


def _is_passed_on(evidence: Evidence, ledger: Ledger) -> bool:
    """Whether gradients came right without the output's: passed as arguments, kept in leaves."""
    if ledger.reached.get(evidence.output, 0.0) != 0:
        return False
    written = {e.used for e in ledger.entries if e.used is not None and e.step.after != 0}
    trues = [(ledger.ends.get(value, 0.0), evidence.true.get(value)) for value in written]
    return bool(trues) and all(true is None or close(end, true) for end, true in trues)


def _losses(evidence: Evidence, ledger: Ledger, places: Places) -> Iterator[Fault]:
    """Writes that throw away what came in the same pass."""
    for entry in ledger.entries:
        if entry.kind != "contribution" or entry.lost == 0 or entry.used is None:
            continue
        held = evidence.held.get(entry.used, 0.0)
        came = any(
            e.used is entry.used and e.kind == "contribution" and e.step.at < entry.step.at
            for e in ledger.entries
        )
        if came and not close(entry.lost, held) and not _is_whole(evidence, entry):
            due = entry.lost + entry.amount
            yield Fault(
                "assigned", places.statement(entry.step.node), entry.step.at, entry.used,
                entry.step.after, due, entry, Edge(entry.user or entry.used, entry.used),
            )  # fmt: skip


def _is_whole(evidence: Evidence, entry: Entry) -> bool:
    """Whether a write sets the whole gradient, collected elsewhere."""
    true = evidence.true.get(entry.used) if entry.used else None
    return true is not None and close(entry.step.after, true)


def _edge(
    evidence: Evidence,
    ledger: Ledger,
    places: Places,
    edge: Edge,
    partial: float,
    found: Findings,
) -> None:
    """Add the faults of one edge, if what came along it is not what was due, and its writes."""
    entries = ledger.of(edge)
    made, due = sum(e.amount for e in entries), partial * ledger.reached.get(edge.user, 0.0)
    scale = max((abs(e.amount) for e in entries), default=0.0)
    is_right = close(made, due, scale) or _is_set_at_once(evidence, ledger, edge.used)
    if not entries:
        if (
            not is_right
            and len(found.faults) < FAULTS
            and not _is_constant(evidence, ledger, places, edge.used)
        ):
            found.faults.append(missing(evidence, ledger, places, edge, due))
        return
    runs = runs_of(entries)
    is_once = places.operands(edge) < 2
    wrong = [_wrong(evidence, edge, partial, run, is_once) for run in runs]
    if is_right or any(wrong):
        _observe(evidence, ledger, places, edge, partial, runs, None if is_right else wrong, found)
    if is_right or any(w and w.entries for w in wrong):
        return
    last = next((run[-1] for run, w in zip(runs, wrong, strict=True) if w), None)
    if last is not None:
        found.faults.append(_left_out(places, edge, last, due - made))
    elif _leaves_out_another(evidence, ledger, edge):
        return
    elif len(runs) > 1:
        again = runs[1][0]
        kind = "order" if _is_recursive(again) else "visited_twice"
        found.faults.append(
            Fault(
                kind,
                places.of_call(again),
                again.step.at,
                edge.used,
                again.step.after,
                again.step.after - again.amount,
                again,
                edge,
            )
        )
    else:
        first = entries[0]
        found.faults.append(
            Fault(
                "order",
                places.of_call(first),
                first.step.at,
                edge.used,
                first.step.after,
                first.step.after - made + due,
                first,
                edge,
            )
        )


def _leaves_out_another(evidence: Evidence, ledger: Ledger, edge: Edge) -> bool:
    """Whether another arg received nothing: this one has what is due to both."""
    others = [Edge(edge.user, arg) for arg in evidence.args[edge.user] if arg is not edge.used]
    return any(evidence.partials[other] and not ledger.of(other) for other in others)


def _is_recursive(entry: Entry) -> bool:
    """Whether the pass follows the edges by recursion, so that it runs before all has come."""
    nodes = [call.node for call in entry.step.calls]
    return len(nodes) != len(set(nodes))


def _is_constant(evidence: Evidence, ledger: Ledger, places: Places, used: Value) -> bool:
    """Whether an object only wraps a plain operand, and gets no gradient on purpose."""
    if any(e.used is used and e.amount for e in ledger.entries):
        return False
    if _says_so(evidence, ledger, used):
        return True
    return not used.args and not used.label and places.is_made_inside(used)


def _says_so(evidence: Evidence, ledger: Ledger, used: Value) -> bool:
    """Whether a truth value in an object tells it from all that receive: `requires_grad`."""
    given = {e.used: None for e in ledger.entries if e.used is not None and e.amount}
    receiving = [attributes_of(o) for value, o in evidence.objects.items() if value in given]
    return any(
        isinstance(flag, bool) and all(held.get(name) is (not flag) for held in receiving)
        for name, flag in attributes_of(evidence.objects[used]).items()
    )


def _left_out(places: Places, edge: Edge, last: Entry, rest: float) -> Fault:
    """An arg that is used twice receives once."""
    return Fault(
        "contribution_missing", places.of_function(edge.user, last), last.step.at + 0.5,
        edge.used, last.step.after, last.step.after + rest, last, edge,
    )  # fmt: skip


def _is_set_at_once(evidence: Evidence, ledger: Ledger, used: Value) -> bool:
    """Whether the only write to an object sets its whole true gradient."""
    writes = [e for e in ledger.entries if e.used is used and e.kind != "reset"]
    true = evidence.true.get(used)
    if len(writes) != 1 or true is None or isinstance(writes[0].step.node, ast.AugAssign):
        return False
    return close(writes[0].step.after, true) and len(evidence.users(used)) > 1


@dataclass(frozen=True, slots=True, eq=False)
class _Wrong:
    """The writes of one run whose amounts are wrong, and the partials that are due to them."""

    entries: list[Entry]
    partials: list[float]


def _wrong(
    evidence: Evidence, edge: Edge, partial: float, run: Sequence[Entry], is_once: bool
) -> _Wrong | None:
    """What is wrong in one run by the upstream that it had; None if nothing is.

    An arg that is the operand of the operation once is to receive all in one write.
    """
    first = run[0]
    made = sum(e.amount for e in run)
    scale = max(abs(e.amount) for e in run)
    rights = (partial * first.upstream, partial * first.portion)
    if any(close(made, right, scale) for right in rights):
        return None
    waiting, wrong = list(evidence.slots.get(edge) or [partial]), []
    for entry in run:
        match = next((p for p in waiting if close(entry.amount, p * entry.upstream)), None)
        if match is None:
            wrong.append(entry)
        else:
            waiting.remove(match)
    if not wrong and is_once and len(run) == 1:
        return _Wrong([first], [partial])
    return _Wrong(wrong, waiting if len(waiting) == len(wrong) else [partial] * len(wrong))


def _observe(
    evidence: Evidence,
    ledger: Ledger,
    places: Places,
    edge: Edge,
    partial: float,
    runs: Sequence[Sequence[Entry]],
    wrong: Sequence[_Wrong | None] | None,
    found: Findings,
) -> None:
    """Note the writes along an edge, with the kinds of mistakes that would explain each."""
    slots = evidence.slots.get(edge) or [partial]
    for at, run in enumerate(runs):
        bad = wrong[at] if wrong else None
        for i, entry in enumerate(run):
            right = slots[i] if i < len(slots) else partial
            is_wrong = bad is not None and entry in bad.entries
            if bad is not None and is_wrong:
                right = bad.partials[bad.entries.index(entry)]
            if entry.amount == 0 and right * entry.upstream == 0:
                continue
            kinds = _explain(evidence, ledger, edge, entry, right)
            came = entry.step.after - entry.amount
            place = places.of_write(entry)
            fault = Fault(
                "wrong_partial", place, entry.step.at, edge.used, entry.step.after,
                came + right * entry.upstream, entry, edge,
            )  # fmt: skip
            role = _role(edge, i, len(slots))
            statement = places.statement(entry.step.node)
            found.observed.append(Observed(place, fault, is_wrong, kinds, statement, role))


def _role(edge: Edge, at: int, slots: int) -> tuple[str, int]:
    user = edge.user
    if user.op is None:
        return "", 0
    found = [slot for slot, arg in enumerate(user.args) if arg is edge.used]
    slot = found[at] if slots > 1 and at < len(found) else found[0] if found else 0
    return user.op.name, slot


def _explain(
    evidence: Evidence, ledger: Ledger, edge: Edge, entry: Entry, partial: float
) -> frozenset[str]:
    """The kinds of mistakes that would give the amount of a write."""
    amount, upstream = entry.amount, entry.upstream
    found = set()
    if close(amount, -partial * upstream):
        found.add("wrong_sign")
    if close(amount, partial):
        found.add("upstream_missing")
    for name, o in (entry.call.variables if entry.call else {}).items():
        other = evidence.value_of(o)
        if other is not None and other is not edge.user:
            grad = entry.grads.get(other, 0.0)
            if close(amount, partial * grad):
                found.add(f"upstream_missing {name}")
    for other in evidence.args.get(edge.user, ()):
        theirs = evidence.partials.get(Edge(edge.user, other))
        if other is edge.used or theirs is None:
            continue
        if close(amount, theirs * upstream) and not ledger.of(Edge(edge.user, other)):
            found.add("wrong_variable")
    if _is_of_another(evidence, edge, amount, upstream, partial):
        found.add("wrong_variable")
    return frozenset(found)


def _is_of_another(
    evidence: Evidence, edge: Edge, amount: float, upstream: float, partial: float
) -> bool:
    """Whether an amount holds the number of one arg where that of another is due.

    A loop that defines functions does this: all of them see its variable's last value.
    """
    args = [arg for arg in evidence.args.get(edge.user, ()) if arg is not edge.used]
    if len(args) < 2 or not any(close(partial, arg.data) for arg in args):
        return False
    return any(close(amount, arg.data * upstream) for arg in args)


def _stale(evidence: Evidence, ledger: Ledger, places: Places) -> Iterator[Fault]:
    """Gradients of an earlier pass that were used up and not set to zero before this one."""
    for value in left_over(evidence, ledger)[:1]:
        end = ledger.ends.get(value, 0.0)
        due = end - evidence.held[value]
        yield Fault("not_zeroed", places.start(), LAST, value, end, due)


def left_over(evidence: Evidence, ledger: Ledger) -> list[Value]:
    """The objects that still hold the gradient of an earlier pass, which was used up."""
    return [
        value
        for value, held in evidence.held.items()
        if held != 0 and value in evidence.objects and value is not evidence.output
        if not _was_reset(ledger, value) and _was_used(evidence, value)
    ]


def _was_reset(ledger: Ledger, value: Value) -> bool:
    """Whether the pass itself sets the gradient anew before it adds to it."""
    first = next((e for e in ledger.entries if e.used is value), None)
    return first is None or first.kind == "reset" or first.lost != 0


def _was_used(evidence: Evidence, value: Value) -> bool:
    """Whether the number of an object was updated since its gradient was written."""
    o, log = evidence.objects[value], evidence.witness.log
    written = [at for at in range(evidence.start) if log[at].of is o]
    return bool(written) and any(
        changed is o and written[-1] < at <= evidence.start
        for at, changed, _ in evidence.witness.updated
    )
