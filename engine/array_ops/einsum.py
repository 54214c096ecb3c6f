"""Einstein's summation: products over named axes, summed over those left out of the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product as every
from math import prod
from operator import mul

from .flat import Flat, Misfit, Numbers
from .grid import Shape, chunks, row_major
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


def axes_named(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The letters of each operand and of the result; an ellipsis becomes capital letters.

    Without `->` the letters that occur once remain, in alphabetical order, after the ellipsis.
    """
    left, arrow, output = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(ranks):
        more = "more" if len(inputs) < len(ranks) else "fewer"
        raise Misfit(
            f"{more} operands provided to einstein sum function than specified in the "
            "subscripts string",
            f"einsum(): {more} operands were provided than specified in the equation",
        )
    free = [c for c in "ZYXWVUTS" if c not in equation]
    spread = [
        max(0, rank - len(text.replace("...", ""))) if "..." in text else 0
        for text, rank in zip(inputs, ranks, strict=True)
    ]
    hidden = "".join(reversed(free[: max(spread, default=0)]))
    found = [
        text.replace("...", hidden[len(hidden) - n :])
        for text, n in zip(inputs, spread, strict=True)
    ]
    for at, (letters, rank) in enumerate(zip(found, ranks, strict=True)):
        if len(letters) != rank:
            raise _miscounted(at, len(letters), rank)
    if arrow:
        return found, output.replace("...", hidden)
    counts = Counter("".join(found))
    once = sorted(c for c, n in counts.items() if n == 1 and c not in hidden)
    return found, hidden + "".join(once)


def _miscounted(at: int, letters: int, rank: int) -> Misfit:
    if letters > rank:
        said = f"einstein sum subscripts string contains too many subscripts for operand {at}"
    else:
        said = (
            "operand has more dimensions than subscripts given in einstein sum, but no '...' "
            "ellipsis provided to broadcast the extra dimensions."
        )
    return Misfit(
        said,
        f"einsum(): the number of subscripts in the equation ({letters}) does not match the number "
        f"of dimensions ({rank}) for operand {at} and no ellipsis was given",
    )


def _lengths(inputs: Sequence[str], shapes: Shapes) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, (letters, shape) in enumerate(zip(inputs, shapes, strict=True)):
        for letter, n in zip(letters, shape, strict=True):
            known = found.get(letter, 1)
            if 1 not in (known, n) and known != n:
                raise Misfit(
                    "operands could not be broadcast together with remapped shapes "
                    f"[original->remapped]: axis '{letter}' is {known} long, and {n}",
                    f"einsum(): subscript {letter} has size {n} for operand {at} which does not "
                    f"broadcast with previously seen size {known}",
                )
            found[letter] = n if known == 1 else known
    return found


def _plan(shapes: Shapes, params: Params) -> tuple[list[str], str, dict[str, int]]:
    inputs, output = axes_named(params["equation"], [len(shape) for shape in shapes])
    return inputs, output, _lengths(inputs, shapes)


def _places(letters: str, shape: Shape, order: str, lengths: dict[str, int]) -> list[int]:
    """For each index of the axes in `order` the operand's place."""
    strides: Counter[str] = Counter()
    for letter, n, stride in zip(letters, shape, row_major(tuple(shape)), strict=True):
        strides[letter] += stride if n > 1 else 0
    places = [0]
    for letter in order:
        step, n = strides[letter], lengths[letter]
        steps = range(0, n * step, step) if step else [0] * n
        places = [place + s for place in places for s in steps]
    return places


def _einsum_shape(shapes: Shapes, params: Params) -> Shape:
    _, output, lengths = _plan(shapes, params)
    return tuple(lengths[letter] for letter in output)


def _summed(output: str, lengths: dict[str, int]) -> str:
    return "".join(letter for letter in lengths if letter not in output)


def _einsum(args: Sequence[Flat], params: Params) -> Flat:
    shapes = [x.shape for x in args]
    inputs, output, lengths = _plan(shapes, params)
    summed = _summed(output, lengths)
    count = prod(lengths[letter] for letter in summed)
    shape = tuple(lengths[letter] for letter in output)
    terms: Numbers = []
    for x, letters in zip(args, inputs, strict=True):
        places = _places(letters, x.shape, output + summed, lengths)
        column = [x.data[place] for place in places]
        terms = list(map(mul, terms, column)) if terms else column
    return Flat(shape, [sum(row) for row in chunks(terms, count, prod(shape))])


def _einsum_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    inputs, output, lengths = _plan([x.shape for x in args], params)
    order = output + _summed(output, lengths)
    places = [_places(letters, x.shape, order, lengths)
              for x, letters in zip(args, inputs, strict=True)]  # fmt: skip
    columns = [[x.data[i] for i in at] for x, at in zip(args, places, strict=True)]
    incoming = [g.data[i] for i in _places(output, y.shape, order, lengths)]
    out: Pulled = []
    for slot, x in enumerate(args):
        amounts = incoming
        for other, column in enumerate(columns):
            amounts = amounts if other == slot else list(map(mul, amounts, column))
        data = [0.0] * len(x.data)
        for place, amount in zip(places[slot], amounts, strict=True):
            data[place] += amount
        out.append(Flat(x.shape, data))
    return out


def _einsum_reads(cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
    inputs, output, lengths = _plan(shapes, params)
    summed = _summed(output, lengths)
    index = list(every(*(range(lengths[letter]) for letter in output)))[cell]
    found = []
    for letters, shape in zip(inputs, shapes, strict=True):
        start = _places(letters, shape, output, lengths)[cell] if index or not output else 0
        steps = _places(letters, shape, summed, lengths)
        found.append([start + step for step in steps])
    return found


def _einsum_text(cell: int, shapes: Shapes, params: Params) -> str:
    columns = _einsum_reads(cell, shapes, params)
    return " + ".join(
        " * ".join(f"x{slot}[{i}]" for slot, i in enumerate(factors))
        for factors in zip(*columns, strict=True)
    ) or "0"  # fmt: skip


define(
    ArrayOp(
        "einsum", ("x",), _einsum, _einsum_back, _einsum_shape, _einsum_reads, _einsum_text,
        "products over named axes, summed over those that the result does not name",
        rules("einsum(g)"), names("einsum inner tensordot vdot"), names("einsum tensordot"),
        "ViewBackward0", variadic=True,
        samples=tuple(
            (shapes, {"equation": equation}) for equation, shapes in (
                ("ij,jk->ik", ((2, 3), (3, 2))), ("ii->i", ((3, 3),)), ("ij->", ((2, 3),)),
                ("bi,bj->bij", ((2, 2), (2, 3))), ("i,i", ((3,), (3,))),
                ("...i,ij->...j", ((2, 2, 3), (3, 2))), ("i,j,k->jki", ((2,), (2,), (3,))),
            )
        ),
    )
)  # fmt: skip
