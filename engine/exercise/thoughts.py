"""Wrong answers that are recognised, each with the thought that likely led to it.

The candidates of a question are computed from the op table: its partials with a slip in them
(`mutations`), its contributions left out, its numbers taken for one another, other operations of
the same number of inputs. A number that is shown in a sentence is one that the student knows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.numbers import in_sentence
from engine.ops import OPS, Op
from engine.trace.model import Node

from . import mutations
from .contributions import SentContribution, total
from .exercise import DATA, GRAD, Exercise, Question
from .hints import MOST_TERMS, sentence
from .known import Known

ARITHMETIC = ("+", "-", "*", "/", "**")
TOO_SMALL = 1e-12  # a candidate that differs from the answer by less is the answer


class Thought(NamedTuple):
    """A wrong number, the kind of mistake, and what is said of it."""

    number: float
    kind: str
    says: str


def thoughts(exercise: Exercise, question: Question, known: Known) -> Iterator[Thought]:
    """The wrong answers to a question that are recognised, the likeliest first."""
    find = _on_data if question.kind == DATA else _on_gradient
    for thought in (*find(exercise, question, known), *taken_for(exercise.trace.nodes, known)):
        apart = abs(thought.number - question.answer)
        if math.isfinite(thought.number) and apart > TOO_SMALL * (1 + abs(question.answer)):
            yield thought


def taken_for(nodes: Sequence[Node], known: Known) -> Iterator[Thought]:
    """The known numbers of all Values in place of what is asked for."""
    for node in nodes:
        for kind, what in ((DATA, "data"), (GRAD, "gradient")):
            number = known.number(node.id, kind)
            if number is not None and node.kind != "constant":
                says = f"That is the {what} of {node.name}; something else is asked for."
                yield Thought(number, "taken for", says)


# Gradients


def _on_gradient(exercise: Exercise, question: Question, known: Known) -> Iterator[Thought]:
    parts, node = question.contributions, exercise.name(question.node)
    if len(parts) > 1:
        yield from _not_added(exercise, parts, node)
    yield from _slips_of(exercise, parts, known)
    yield Thought(
        -question.answer, "sign", "The size is right, the sign is not. Follow each minus again."
    )
    yield Thought(
        total(part.partial for part in parts),
        "no incoming gradient",
        "That is the local slope alone. It has to be multiplied by the incoming gradient, "
        f"that of {_users(exercise, parts)}.",
    )
    yield Thought(
        total(part.upstream for part in parts),
        "no local slope",
        f"That is the incoming gradient alone. It also has to be multiplied by the slope of "
        f"{_signs(parts)}: the inner derivative is missing.",
    )
    yield from _taken_for(exercise, question, known)
    if len(parts) == 1:
        yield Thought(
            parts[0].partial + parts[0].upstream,
            "added",
            "That is the local slope plus the incoming gradient. Along an edge they multiply; "
            "only the contributions of several uses add up.",
        )
    output = exercise.output
    yield Thought(0.0, "zero", f"0 would say that {output} does not move when {node} does.")
    yield Thought(1.0, "one", f"1 would say that {output} moves exactly as far as {node} does.")


def _slips_of(
    exercise: Exercise, parts: tuple[SentContribution, ...], known: Known
) -> Iterator[Thought]:
    """A slip in the partial of one contribution, the others being right; or the same in all."""
    whole = total(part.amount for part in parts)
    for part in parts[:MOST_TERMS]:
        op = OPS[part.op]
        args = [exercise.nodes[arg].data for arg in exercise.nodes[part.user].args]
        y = exercise.nodes[part.user].data
        for slip in mutations.slips(op, part.slot):
            wrong = float(slip.compute(y, *args))
            others = tuple(other for other in parts if other is not part)
            says = _slip_says(exercise, part, slip, wrong, others, known)
            yield Thought(whole - part.amount + wrong * part.upstream, slip.kind, says)
        if len(args) == 1:
            says = f"That takes {op.symbol} itself where its slope belongs."
            wrong = whole - part.amount + y * part.upstream
            yield Thought(wrong, "no derivative", f"{says} {sentence(exercise, part)}")


def _slip_says(
    exercise: Exercise,
    part: SentContribution,
    slip: mutations.Slip,
    wrong: float,
    others: tuple[SentContribution, ...],
    known: Known,
) -> str:
    op = OPS[part.op]
    node = exercise.name(part.to)
    if slip.kind == mutations.EXCHANGED:
        own = f"{node}’s own number in place of the other input’s"
        numbers = _product(exercise, part, wrong, others, known)
        return f"{numbers}{own}, times the incoming gradient. Whose number counts at {op.symbol}?"
    if slip.kind == mutations.DROPPED:
        return f"A factor is missing in the slope of {op.symbol}. {sentence(exercise, part)}"
    if slip.kind == mutations.LOWERED:
        return f"The exponent is not lowered by one. {sentence(exercise, part)}"
    if slip.kind == mutations.POWER:
        return f"A power is missing in the slope of {op.symbol}. {sentence(exercise, part)}"
    if slip.kind == mutations.SIGN:
        return f"A sign is wrong in the slope of {op.symbol}. {sentence(exercise, part)}"
    taken, due = ("input", "output") if slip.kind == mutations.INPUT else ("output", "input")
    return (
        f"That takes the {taken} of {op.symbol} where its {due} counts. {sentence(exercise, part)}"
    )


def _product(
    exercise: Exercise,
    part: SentContribution,
    wrong: float,
    others: tuple[SentContribution, ...],
    known: Known,
) -> str:
    """ "6 is 3 × 2: ", as far as the numbers are known; "That is " otherwise.

    Of one contribution among several: "8 is 6 + 2, and 6 is 3 × 2: ".
    """
    if not _is_known(exercise, part, known):
        return "That is "
    taken = wrong * part.upstream
    upstream = known.text(part.user, GRAD)
    product = f"{in_sentence(taken)} is {in_sentence(wrong)} × {upstream}: "
    if not others or not all(_is_known(exercise, other, known) for other in others):
        return product
    rest = " + ".join(in_sentence(other.amount) for other in others)
    whole = total((taken, *(other.amount for other in others)))
    return f"{in_sentence(whole)} is {in_sentence(taken)} + {rest}, and {product}"


def _is_known(exercise: Exercise, part: SentContribution, known: Known) -> bool:
    """Whether the student knows all that a contribution is computed from."""
    args = exercise.nodes[part.user].args
    return bool(known.text(part.user, GRAD)) and all(known.text(arg, DATA) for arg in args)


def _not_added(
    exercise: Exercise, parts: tuple[SentContribution, ...], node: str
) -> Iterator[Thought]:
    """Contributions that are left out, or multiplied."""
    count = len(parts)
    yield Thought(
        parts[-1].amount,
        "last contribution",
        f"That is the last contribution alone, from {exercise.name(parts[-1].user)}. {node} is "
        f"used {count} times: a contribution is added (+=), it does not replace (=).",
    )
    for part in parts[:-1][:MOST_TERMS]:
        yield Thought(
            part.amount,
            "one contribution",
            f"That is one contribution alone, from {exercise.name(part.user)}. {node} is used "
            f"{count} times, and the contributions of all uses are added.",
        )
    yield Thought(
        math.prod(part.amount for part in parts),
        "multiplied contributions",
        "That is the product of the contributions. Those of several uses are added.",
    )
    whole = total(part.amount for part in parts)
    for part in parts[:MOST_TERMS]:
        yield Thought(
            whole - part.amount,
            "forgotten contribution",
            f"The contribution of {exercise.name(part.user)} is missing.",
        )
        yield Thought(
            whole - 2 * part.amount,
            "sign of a contribution",
            f"The contribution of {exercise.name(part.user)} has the other sign.",
        )


def _taken_for(exercise: Exercise, question: Question, known: Known) -> Iterator[Thought]:
    """Data in place of the gradient."""
    node = exercise.nodes[question.node]
    if node.id not in known.data:
        return
    yield Thought(
        node.data,
        "data",
        f"That is the data of {node.name}. Its gradient is asked for: how many times as much "
        f"{exercise.output} moves when {node.name} moves a little.",
    )


def _users(exercise: Exercise, parts: tuple[SentContribution, ...]) -> str:
    return " and ".join(dict.fromkeys(exercise.name(part.user) for part in parts[:MOST_TERMS]))


def _signs(parts: tuple[SentContribution, ...]) -> str:
    return " and ".join(dict.fromkeys(OPS[part.op].symbol for part in parts))


# Data


def _on_data(exercise: Exercise, question: Question, known: Known) -> Iterator[Thought]:
    node = exercise.nodes[question.node]
    op = OPS[node.op or ""]
    args = [exercise.nodes[arg].data for arg in node.args]
    names = [exercise.name(arg) for arg in node.args]
    if len(args) == 2:
        yield Thought(
            float(op.compute(*reversed(args))),
            "exchanged",
            f"The inputs are exchanged: {names[0]} comes first, then {names[1]}.",
        )
    yield Thought(-question.answer, "sign", "The size is right, the sign is not.")
    for other in _others(op):
        yield Thought(
            float(other.compute(*args)),
            "operation",
            f"That is what {other.symbol} gives. The operation is {op.symbol}.",
        )
    for arg, name in zip(args, names, strict=True):
        yield Thought(arg, "input", f"That is {name} itself, before {op.symbol} is applied.")


def _others(op: Op) -> Iterator[Op]:
    """The other operations with as many inputs, arithmetic first."""
    names = [*ARITHMETIC, *(name for name in OPS if name not in ARITHMETIC)]
    for name in names:
        if name != op.name and len(OPS[name].params) == len(op.params):
            yield OPS[name]
