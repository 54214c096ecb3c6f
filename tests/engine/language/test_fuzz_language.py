"""1,000 random expressions: what a trace says, against 50 digits and against central differences.

An expression is written as a program, in one statement or in several, with leaves and constants,
with every operation of the table as sign, function or method, and with parts that are used again;
the same expression is computed with 50 digits, its derivatives in forward mode. The points are
those where there are derivatives: nowhere within 0.001 of a kink, a pole or the end of a domain,
and without numbers above 1,000.

Floats cannot hold twelve digits everywhere. How far rounding may take each number is computed along
with it (see `fifty_digits`). Every number is held to that bound; where the bound is below 1e-12 of
the number, which is so for nine in ten, it counts as well conditioned, and so it is held to 1e-12.
What was compared is counted, asserted and printed (`make test ARGS="-s -k fuzz_language"`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import mpmath
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mpf

from engine.ops import OPS
from engine.program import Program
from engine.trace.build import trace
from tests.support.fifty_digits import DIGITS, RULES, Number, Term, constant, leaf, term
from tests.support.programs import TooClose, drawn_by
from tests.support.references import OPERATIONS

EXPRESSIONS = 1_000
PRECISE = 1e-12
NUDGE = 2.0**-17
LONG = 60  # characters of an expression, before it gets a name
SIGNS = ("+", "-", "*", "/", "**")
JOINING = ("+", "-", "*", "max", "min")


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an expression, and how it stands in the program."""

    term: Term
    text: str

    @property
    def inside(self) -> str:
        """Its text as a part of a larger one."""
        return self.text if self.text.replace(".", "").isalnum() else f"({self.text})"


class Draft:
    """A program as it is being written."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.leaves = {name: draw(_numbers) for name in "abcd"[: draw(st.integers(1, 4))]}
        form = draw(st.sampled_from(_FORMS))
        self.lines = [form.format(name, x) for name, x in self.leaves.items()]
        self.parts = [Part(leaf(name, x), name) for name, x in self.leaves.items()]
        self.fresh = list(self.parts)  # those that nothing uses yet
        self.last = self.parts[0]

    def __repr__(self) -> str:
        return "\n".join(["", *self.lines])

    def add(self, op: str, args: list[Part]) -> None:
        """Apply an operation to parts, unless a border is near."""
        try:
            found = term(op, *[arg.term for arg in args])
        except TooClose:
            return
        text = self.written(op, args)
        if len(text) > LONG or self.draw(st.integers(0, 3)) == 0:
            text = self.named(text)
        self.last = Part(found, text)
        self.parts.append(self.last)
        self.fresh = [part for part in self.fresh if part not in args]
        self.fresh += [self.last] if found.slopes else []

    def written(self, op: str, args: list[Part]) -> str:
        """An operation in one of the ways in which programs write it."""
        if op == "neg":
            return f"-{args[0].inside}"
        if op in SIGNS:
            left, right = args
            if not left.term.op or self.draw(st.integers(0, 5)):
                return f"{left.inside} {op} {right.inside}"
            name = self.named(left.text)
            self.lines.append(f"{name} {op}= {right.text}")
            return name
        if len(args) == 1 and bool(args[0].term.slopes) and self.draw(st.booleans()):
            return f"{args[0].inside}.{op}()"
        return f"{op}({', '.join(arg.text for arg in args)})"

    def named(self, text: str) -> str:
        """A name for an expression, on a line of its own."""
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def arg(self) -> Part:
        """Something to compute with: a part that nothing uses, any part, or a constant."""
        number = self.draw(_constants)
        among = [*self.fresh, *self.fresh, *self.parts, Part(constant(number), repr(number))]
        return self.draw(st.sampled_from(among))


WORDS = [name for name, op in OPS.items() if not op.module]
"""The operations that are words of the language."""
_FORMS = ("{0} = {1!r}", "{0} = Value({1!r})", "{0} = Value({1!r}, label='{0}')")
_sizes = st.floats(0.05, 4.0) | st.integers(1, 64).map(lambda n: n / 16)
_numbers = st.tuples(_sizes, st.sampled_from((1.0, -1.0))).map(lambda pair: pair[0] * pair[1])
_constants = st.sampled_from((0.5, 1.0, 2.0, 3.0, -1.0, -2.0)) | _numbers


@st.composite
def programs(draw: st.DrawFn) -> Draft:
    """A program that is finished."""
    draft = Draft(draw)
    for op in draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)):
        draft.add(op, [draft.arg() for _ in OPS[op].params])
    for left, right in zip(draft.fresh[:-1], draft.fresh[1:], strict=True):
        joined = draft.last if draft.last.term.slopes and draft.last is not right else left
        draft.add(draw(st.sampled_from(JOINING)), [joined, right])
    if not (draft.last.term.op and draft.last.term.slopes):
        draft.add("+", [draft.parts[0], Part(constant(1.0), "1")])
    draft.lines.append(f"L = {draft.last.text}")
    draft.lines += ["L.backward()"] if draw(st.booleans()) else []
    return draft


@dataclass
class Tally:
    """How many numbers were compared, how many of them are well conditioned or 0, and the worst.

    `differences` counts gradients that were compared with two runs, `again` expressions in which
    something is used more than once, `ops` what they were made of.
    """

    numbers: int = 0
    well: int = 0
    zero: int = 0
    differences: int = 0
    again: int = 0
    worst: float = 0.0
    ops: Counter[str] = field(default_factory=Counter)

    def compare(self, found: float, right: Number, what: str) -> None:
        """Hold a number to its bound, and to twelve digits where it is well conditioned."""
        error = abs(mpf(found) - right.exact)
        assert error <= right.bound, (what, found, right)
        self.numbers += 1
        self.zero += right.exact == 0
        if right.bound <= PRECISE * abs(right.exact):
            self.well += 1
            self.worst = max(self.worst, float(error / abs(right.exact)) if error else 0.0)


def test_the_rules_are_those_of_the_whole_table() -> None:
    assert set(RULES) == set(WORDS) <= set(OPERATIONS)


def test_programs_agree_with_fifty_digits_and_with_central_differences() -> None:
    tally = Tally()

    @settings(
        max_examples=EXPRESSIONS,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def one(draft: Draft) -> None:
        compare("\n".join(draft.lines), draft.last.term, draft.leaves, tally)

    with mpmath.workdps(DIGITS):
        one()
    print(tally)
    assert tally.worst <= PRECISE
    assert tally.numbers >= 3 * EXPRESSIONS
    assert tally.well >= 0.9 * tally.numbers
    assert tally.zero <= 0.3 * tally.numbers
    assert tally.differences >= 2 * EXPRESSIONS
    assert tally.again >= 0.5 * EXPRESSIONS
    assert min(tally.ops[name] for name in WORDS) >= 0.05 * EXPRESSIONS


def compare(text: str, right: Term, leaves: dict[str, float], tally: Tally) -> None:
    """Compare all that the trace of a program says with what is right."""
    program = Program(text)
    found = trace(program)
    nodes = {node.id: node for node in found.nodes}
    grads = {node.label: node.grad for node in found.nodes if node.label in leaves}
    assert set(grads) == set(right.slopes), text
    assert found.output
    tally.compare(nodes[found.output].data, right.value, text)
    for name, grad in grads.items():
        assert grad is not None
        tally.compare(grad, right.slopes[name], f"{name} of\n{text}")
        tally.differences += differs(program, right, name, leaves[name], grad)
    tally.ops.update(node.op for node in found.nodes if node.op)
    uses = Counter(arg for node in found.nodes for arg in node.args)
    tally.again += max(uses.values()) > 1


def differs(program: Program, right: Term, name: str, x: float, grad: float) -> bool:
    """Compare a gradient with the difference of two runs; False if one of them is not possible.

    The difference misses the derivative by its step, which 50 digits tell, and by rounding, at most
    some bounds of the value; the gradient misses it by its own bound.
    """
    above, below = x + NUDGE, x - NUDGE
    width = mpf(above) - below
    try:
        exact = (right.at({name: above}) - right.at({name: below})) / width
    except TooClose:
        return False
    high, low = (mpf(drawn_by(program, {name: z}).data) for z in (above, below))
    step = abs(exact - right.slopes[name].exact)
    most = step + 4 * right.value.bound / width + right.slopes[name].bound
    assert abs((high - low) / width - grad) <= most, name
    return True
