"""The hidden programs: small expressions first, then random graphs, each with its true gradients.

An expression is built as text and as numbers at once; its gradients are one reverse sweep over the
partials of the table of operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from engine.op import Op
from engine.ops import OPS
from engine.reverse import NUMBERS, SIZES, sweep

from .subject import ClassUnderTest, Usage

MOST = 500
"""Programs of one test."""
DEEP = 40
"""Operations of the chain."""
TRIES = 30
"""Numbers that are drawn for a program until all its operations are defined there."""
LARGEST = 50.0
"""Numbers beyond which a program is drawn anew."""
SMALLEST = 1e-3
CONSTANTS = (2.0, 3.0, 0.5, 5.0)
EXPONENTS = (2.0, 3.0, -1.0)


class Undefined(Exception):
    """An operation has no value, or no derivative, at these numbers."""


@dataclass(eq=False, slots=True)
class Part:
    """A number of a program: `name` is its variable, or its literal if it is a constant."""

    name: str
    number: float
    op: Op | None = None
    args: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenProgram:
    """One program, the output's number, and the gradients of its leaves by their names.

    `about` says what it is about, and `is_basic` that nothing but objects are its operands.
    """

    about: str
    lines: tuple[str, ...]
    output: str
    number: float
    gradients: dict[str, float]
    sizes: dict[str, float]
    """The sums of the sizes of what each gradient is the sum of."""
    is_basic: bool
    uncertain: frozenset[str]
    """The operations in it of which only the name says that they are some."""


@dataclass(slots=True)
class Builder:
    """A program that is being written."""

    subject: ClassUnderTest
    random: Random
    lines: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    made: int = 0
    """How many of these are results."""
    has_constants: bool = False
    uncertain: set[str] = field(default_factory=set)

    def leaf(self) -> Part:
        part = Part("abcdefgh"[len(self.parts)], _drawn(self.random))
        self.lines.append(f"{part.name} = {self.subject.leaf.format(part.number)}")
        self.parts.append(part)
        return part

    def constant(self, number: float) -> Part:
        self.has_constants = True
        return Part(repr(int(number)) if number == int(number) else repr(number), number)

    def apply(self, usage: Usage, *args: Part) -> Part:
        """The result of an operation. Raises Undefined."""
        operands = args[::-1] if usage.is_reflected else args
        if usage.is_uncertain:
            self.uncertain.add(usage.form)
        return self.write(usage.op, usage.form.format(*[arg.name for arg in operands]), operands)

    def write(self, op: Op, text: str, args: Sequence[Part]) -> Part:
        """A variable for the result of an operation, whose text is given. Raises Undefined."""
        numbers = [arg.number for arg in args]
        if min(map(abs, numbers)) < SMALLEST:  # formulas with x / x are right elsewhere
            raise Undefined
        if not op.in_domain(*numbers) or _is_near_kink(op, numbers):
            raise Undefined
        try:
            number = op.compute(*numbers)
        except (ArithmeticError, ValueError):
            raise Undefined from None
        if not math.isfinite(number) or abs(number) > LARGEST:
            raise Undefined
        self.made += 1
        part = Part(f"x{self.made}", number, op, tuple(args))
        self.lines.append(f"{part.name} = {text}")
        self.parts.append(part)
        return part

    def ended(self, about: str, output: Part) -> HiddenProgram:
        """The program with its pass. Raises Undefined."""
        self.lines.append(self.subject.backward.format(output.name))
        slopes: dict[Part, list[tuple[Part, float]]] = {}

        def partials(part: Part) -> list[tuple[Part, float]]:
            if part not in slopes:
                slopes[part] = _partials(part)
            return slopes[part]

        found, sizes = (sweep(self.parts, partials, {output: 1.0}, it) for it in (NUMBERS, SIZES))
        leaves = [part for part in self.parts if part.op is None]
        leaves = [part for part in leaves if part in sizes]
        if not leaves or any(sizes[part] > LARGEST**2 for part in leaves):
            raise Undefined
        return HiddenProgram(
            about,
            tuple(self.lines),
            output.name,
            output.number,
            {part.name: found[part] for part in leaves},
            {part.name: sizes[part] for part in leaves},
            not self.has_constants,
            frozenset(self.uncertain),
        )


Write = Callable[[Builder], Part]


def _drawn(random: Random) -> float:
    return round(random.choice((-1, 1, 1)) * random.uniform(0.3, 1.9), 2)


def _is_near_kink(op: Op, numbers: Sequence[float]) -> bool:
    """Whether a small step would cross a place without a derivative."""
    if not op.kink:
        return False
    crosses = any(op.at_kink(*[x + step for x in numbers]) for step in (-0.02, 0.0, 0.02))
    return crosses or min(map(abs, numbers)) < 0.05


def _partials(part: Part) -> list[tuple[Part, float]]:
    if part.op is None:
        return []
    slopes = part.op.partials_at(part.number, *[arg.number for arg in part.args])
    return [
        (arg, slope)
        for arg, slope in zip(part.args, slopes, strict=True)
        if arg.op or arg.name.isidentifier()
    ]


def hidden_programs(subject: ClassUnderTest, seed: str) -> list[HiddenProgram]:
    """The programs of a test, the smallest first."""
    random = Random(seed)
    found = [
        program
        for about, write in _families(subject)
        if (program := _written(subject, random, about, write)) is not None
    ]
    plain = [it for it in subject.usages if not it.is_reflected]
    while len(found) < MOST:
        size = 3 + len(found) * 9 // MOST
        write = _random_graph(plain, random, size)
        program = _written(subject, random, "a random graph", write)
        if program is not None:
            found.append(program)
    return sorted(islice(found, MOST), key=lambda it: (len(it.lines), not it.is_basic))


def _written(
    subject: ClassUnderTest, random: Random, about: str, write: Write
) -> HiddenProgram | None:
    for _ in range(TRIES):
        builder = Builder(subject, random)
        try:
            return builder.ended(about, write(builder))
        except Undefined:
            continue
    return None


def _families(subject: ClassUnderTest) -> Iterator[tuple[str, Write]]:
    """What each operation is tried on, and what only shows where several meet."""
    for usage in subject.usages:
        yield from _of_one(usage)
    plain = [it for it in subject.usages if not it.is_reflected]
    for first in plain:
        for second in plain:
            yield f"{_said(second)} of {_said(first)}", _chain(first, second)
            yield f"{_said(first)}, used twice", _twice(first, second)
    by_sign = {usage.op.name: usage for usage in plain if " " in usage.form}
    for sign in subject.in_place & set(by_sign):
        yield f"{sign}=", _in_place(by_sign[sign])
    if "+" in by_sign and any(it.is_reflected and it.op.name == "+" for it in subject.usages):
        yield "sum()", _sum
    yield "a chain", _deep(plain)
    if subject.sets_gradient and not subject.has_state:
        yield "a second pass", _second_pass(plain)


def _said(usage: Usage) -> str:
    return usage.op.name


def _of_one(usage: Usage) -> Iterator[tuple[str, Write]]:
    """One operation: on objects, on one object twice, with a constant on either side."""
    name, op = _said(usage), usage.op
    if len(op.params) == 1:
        yield name, lambda b: b.apply(usage, b.leaf())
        return
    if usage.is_reflected:
        for number in CONSTANTS[:2]:
            yield f"a number {name} an object", _constant(usage, number, at=0)
        return
    if op.name != "**":
        yield name, lambda b: b.apply(usage, b.leaf(), b.leaf())
        yield f"{name}, in the other order", _exchanged(usage)
        yield f"{name} of one object", _same(usage)
    for number in EXPONENTS if op.name == "**" else CONSTANTS[:2]:
        yield f"an object {name} a number", _constant(usage, number, at=1)


def _exchanged(usage: Usage) -> Write:
    def write(b: Builder) -> Part:
        first, second = b.leaf(), b.leaf()
        return b.apply(usage, second, first)

    return write


def _same(usage: Usage) -> Write:
    def write(b: Builder) -> Part:
        leaf = b.leaf()
        return b.apply(usage, leaf, leaf)

    return write


def _constant(usage: Usage, number: float, at: int) -> Write:
    def write(b: Builder) -> Part:
        leaf, constant = b.leaf(), b.constant(number)
        text = usage.form.format(
            *((constant.name, leaf.name) if at == 0 else (leaf.name, constant.name))
        )
        return b.write(usage.op, text, (constant, leaf) if at == 0 else (leaf, constant))

    return write


def _with(b: Builder, usage: Usage, part: Part, other: Callable[[], Part]) -> Part:
    """One more operation on a part."""
    if len(usage.op.params) == 1:
        return b.apply(usage, part)
    if usage.op.name == "**":
        exponent = b.constant(b.random.choice(EXPONENTS))
        return b.write(usage.op, usage.form.format(part.name, exponent.name), (part, exponent))
    return b.apply(usage, part, other())


def _chain(first: Usage, second: Usage) -> Write:
    def write(b: Builder) -> Part:
        return _with(b, second, _with(b, first, b.leaf(), b.leaf), b.leaf)

    return write


def _twice(first: Usage, second: Usage) -> Write:
    """A result that two operations use, one of them after the other."""

    def write(b: Builder) -> Part:
        leaf = b.leaf()
        shared = _with(b, first, leaf, b.leaf)
        once = _with(b, second, shared, lambda: leaf)
        return _joined(b, once, shared)

    return write


def _joined(b: Builder, one: Part, other: Part) -> Part:
    """Two parts as operands of the first operation that takes two."""
    both = [it for it in b.subject.usages if len(it.op.params) == 2 and it.op.name != "**"]
    both = [it for it in both if not it.is_reflected]
    if not both:
        raise Undefined
    return b.apply(b.random.choice(both), one, other)


def _in_place(usage: Usage) -> Write:
    def write(b: Builder) -> Part:
        one, other = b.leaf(), b.leaf()
        part = b.apply(usage, one, other)
        changed = b.write(usage.op, usage.form.format(part.name, one.name), (part, one))
        b.lines[-1] = f"{part.name} {usage.op.name}= {one.name}"
        changed.name = part.name
        return _joined(b, changed, other)

    return write


def _sum(b: Builder) -> Part:
    parts = [b.leaf() for _ in range(3)]
    total = b.write(OPS["+"], "", parts[:2])
    total = b.write(OPS["+"], "", (total, parts[2]))
    del b.lines[-2:]
    b.lines.append(f"{total.name} = sum([{', '.join(part.name for part in parts)}])")
    b.has_constants = True
    return total


def _deep(usages: Sequence[Usage]) -> Write:
    def write(b: Builder) -> Part:
        part = b.leaf()
        leaf = part
        for _ in range(DEEP):
            part = _with(b, b.random.choice(usages), part, lambda: leaf)
        return part

    return write


def _second_pass(usages: Sequence[Usage]) -> Write:
    """A pass of its own before, whose gradients are set to 0."""

    def write(b: Builder) -> Part:
        leaf, other = b.leaf(), b.leaf()
        before = _with(b, usages[0], leaf, lambda: other)
        b.lines.append(b.subject.backward.format(before.name))
        b.lines += [f"{part.name}.{b.subject.gradient} = 0.0" for part in (leaf, other)]
        return _joined(b, _with(b, usages[-1], leaf, lambda: other), other)

    return write


def _random_graph(usages: Sequence[Usage], random: Random, size: int) -> Write:
    def write(b: Builder) -> Part:
        for _ in range(random.randint(1, 3)):
            b.leaf()
        for _ in range(size):
            part = random.choice(b.parts[-4:])
            _with(b, random.choice(usages), part, lambda: random.choice(b.parts))
        return b.parts[-1]

    return write
