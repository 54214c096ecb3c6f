"""Operations whose every element is an element of an argument: views, picks, joins, borders.

All are one: a list that says, for each element of the result, from which argument and which place
there it comes, or that it is a constant. Backward, each element sends its gradient to where it came
from; places that were read several times add up what they receive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

from . import places as at
from .flat import Flat, broadcast, expanded, index_text, summed_to
from .grid import Shape
from .pointwise import place_in
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """`plan(shapes, params)` is the shape of the result and the places of its elements.

    Where there is none an element is `params["value"]`, 0 unless it is given.
    """

    args: tuple[str, ...]
    plan: Callable[[Shapes, Params], at.Plan]
    variadic: bool = False

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        return self.plan(shapes, params)[0]

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        shape, places = self.plan([x.shape for x in args], params)
        data = args[0].data if len(args) == 1 else [x for arg in args for x in arg.data]
        if isinstance(places, range) and places == range(len(data)):
            return Flat(shape, data[:])
        if -1 in places:
            data = [*data, params.get("value", 0.0)]
        return Flat(shape, [data[place] for place in places])

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        places = self.plan([x.shape for x in args], params)[1]
        sizes = [len(x.data) for x in args]
        if isinstance(places, range) and len(places) == sum(sizes):
            found = g.data
        else:
            found = [0.0] * (sum(sizes) + 1)
            for place, amount in zip(places, g.data, strict=True):
                found[place] += amount
        starts = list(accumulate(sizes, initial=0))
        return [
            Flat(x.shape, found[start : start + size])
            for x, start, size in zip(args, starts, sizes, strict=False)
        ]

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        place = self.plan(shapes, params)[1][cell]
        found: list[list[int]] = []
        for shape in shapes:
            size = prod(shape)
            found.append([place] if 0 <= place < size else [])
            place -= size if place >= 0 else 0
            if found[-1]:
                place = -1
        return found

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        for slot, found in enumerate(self.reads(cell, shapes, params)):
            if found:
                return index_text(f"{self.args[-1]}{slot}" if self.variadic else self.args[slot],
                                  found[0])  # fmt: skip
        return repr(params.get("value", 0.0))


def _enter(
    name: str, args: str, plan: Callable[[Shapes, Params], at.Plan], words: str,
    rule: str | tuple[str, ...], libraries: tuple[str, str, str],
    samples: Iterable[tuple[tuple[Any, ...], dict[str, Any]]], variadic: bool = False,
) -> None:  # fmt: skip
    move = Move(names(args), plan, variadic)
    numpy, torch, node = libraries
    given = (rule,) if isinstance(rule, str) else rule
    define(
        ArrayOp(
            name, move.args, move.forward, move.backward, move.shape, move.reads, move.scalar,
            words, rules(*given), names(numpy), names(torch), node, variadic,
            samples=tuple(samples),
        )
    )  # fmt: skip


def _sample(*shapes: Shape, **params: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return shapes, params


# fmt: off
_enter("copy", "x", at.of_grid(at.unchanged), "the same elements in an array of their own", "g",
       ("copy array asarray", "clone", "CloneBackward0"), [_sample((2, 2))])
_enter("reshape", "x", at.of_grid(at.reshaped), "the same elements in another shape", "reshape(g)",
       ("reshape ravel", "reshape view", "ViewBackward0"),
       [_sample((2, 3), shape=(3, 2)), _sample((4,), shape=(2, -1))])
_enter("flatten", "x", at.of_grid(at.flattened), "several axes joined to one", "reshape(g)",
       ("", "flatten ravel", "ViewBackward0"), [_sample((2, 3, 2), start=1)])
_enter("permute", "x", at.of_grid(at.permuted), "the axes in another order", "permute(g)",
       ("transpose permute_dims", "permute", "PermuteBackward0"),
       [_sample((2, 3, 2), axes=(2, 0, 1)), _sample((2, 3))])
_enter("transpose", "x", at.of_grid(at.swapped), "two axes exchanged", "T(g)",
       ("swapaxes", "transpose t", "TransposeBackward0"), [_sample((2, 3), a=0, b=1)])
_enter("moveaxis", "x", at.of_grid(at.moved), "one axis in another place", "moveaxis(g)",
       ("moveaxis", "movedim moveaxis", "PermuteBackward0"), [_sample((2, 3, 4), a=0, b=2)])
_enter("squeeze", "x", at.of_grid(at.squeezed), "axes of length 1 dropped", "reshape(g)",
       ("squeeze", "squeeze", "SqueezeBackward0"),
       [_sample((1, 3, 1)), _sample((1, 3, 1), axes=(0,))])
_enter("unsqueeze", "x", at.of_grid(at.unsqueezed), "a new axis of length 1", "reshape(g)",
       ("expand_dims", "unsqueeze", "UnsqueezeBackward0"), [_sample((2, 3), axis=1)])
_enter("expand", "x", at.of_grid(at.expanded), "repeated along new axes and axes of length 1",
       "sum(g)", ("broadcast_to", "expand broadcast_to", "ExpandBackward0"),
       [_sample((3, 1), shape=(2, 3, 4))])
_enter("slice", "x", at.of_grid(at.viewed), "some of the elements", "scatter(g)",
       ("", "select narrow", "SliceBackward0"),
       [_sample((3, 4), shape=(2, 2), strides=(4, 2), offset=1)])
_enter("diagonal", "x", at.of_grid(at.diagonal), "the elements of a diagonal", "scatter(g)",
       ("diagonal diag", "diagonal diag", "DiagonalBackward0"),
       [_sample((3, 3)), _sample((3, 4), offset=1)])
_enter("flip", "x", at.of_grid(at.flipped), "axes in reverse", "flip(g)",
       ("flip fliplr flipud", "flip", "FlipBackward0"), [_sample((2, 3), axes=(1,))])
_enter("roll", "x", at.rolled, "elements shifted, round the end", "roll(g)",
       ("roll", "roll", "RollBackward0"),
       [_sample((2, 3), shifts=(1,), axes=(1,)), _sample((5,), shifts=(2,))])
_enter("take", "x", at.taken, "the slices that an index names", "scatter(g)",
       ("take", "index_select", "IndexSelectBackward0"),
       [_sample((3, 2), index=(2, 0, 2), axis=0),
        _sample((2, 4), index=(1, 1, 3, 0), index_shape=(2, 2), axis=1)])
_enter("gather", "x", at.gathered, "along one axis the elements that an index names", "scatter(g)",
       ("take_along_axis", "gather", "GatherBackward0"),
       [_sample((3, 2), index=(2, 0, 0, 1), index_shape=(2, 2), axis=0)])
_enter("index", "x", at.indexed, "the elements that an index names", "scatter(g)",
       ("", "", "IndexBackward0"), [_sample((2, 3), places=(5, 0, 5, 1), shape=(2, 2))])
_enter("masked_select", "x", at.masked, "the elements where a mask holds", "scatter(g)",
       ("extract compress", "masked_select", "MaskedSelectBackward0"),
       [_sample((2, 2), mask=(True, False, True, True))])
_enter("repeat", "x", at.repeated, "each slice several times in a row", "sum(g)",
       ("repeat", "repeat_interleave", "IndexSelectBackward0"),
       [_sample((2, 2), repeats=2, axis=1), _sample((3,), repeats=(0, 2, 1))])
_enter("tile", "x", at.tiled, "copies side by side", "sum(g)", ("tile", "tile", "RepeatBackward0"),
       [_sample((2, 2), counts=(2, 1, 3))])
_enter("concatenate", "x", at.joined, "arrays one after the other along an axis", "slice(g)",
       ("concatenate concat hstack vstack append", "cat concat concatenate hstack vstack",
        "CatBackward0"),
       [_sample((2, 2), (1, 2), axis=0), _sample((2, 1), (2, 3), (2, 2), axis=1)], True)
_enter("stack", "x", at.stacked, "arrays side by side along a new axis", "slice(g)",
       ("stack", "stack", "StackBackward0"), [_sample((2, 2), (2, 2), axis=1)], True)
_enter("pad", "x", at.padded, "a border of constants around the elements", "slice(g)",
       ("pad", "pad", "ConstantPadNdBackward0"),
       [_sample((2, 2), widths=((1, 0), (0, 2)), value=3.0)])
_enter("tril", "x", at.triangle(lambda d: d <= 0), "0 above a diagonal", "tril(g)",
       ("tril", "tril", "TrilBackward0"), [_sample((3, 3)), _sample((3, 3), diagonal=-1)])
_enter("triu", "x", at.triangle(lambda d: d >= 0), "0 below a diagonal", "triu(g)",
       ("triu", "triu", "TriuBackward0"), [_sample((2, 3, 3), diagonal=1)])
_enter("diagonal_matrix", "x", at.diagonal_matrix, "a matrix with these elements on a diagonal",
       "diagonal(g)", ("diag diagflat", "diag diag_embed", "DiagonalBackward0"),
       [_sample((3,)), _sample((2,), offset=-1)])
_enter("write", "x b", at.written, "some elements replaced by others", ("keep(g)", "g"),
       ("put put_along_axis", "index_put copy_ scatter masked_fill", "CopySlices"),
       [_sample((2, 3), (2,), places=(4, 0)),
        _sample((2, 3), (2, 1), places=(0, 1, 3, 4), shape=(2, 2))])


# What depends on numbers, or adds


# fmt: on
def _where_shape(shapes: Shapes, params: Params) -> Shape:
    return broadcast(*shapes)


def _where(args: Sequence[Flat], params: Params) -> Flat:
    shape = broadcast(*(x.shape for x in args))
    condition, a, b = (expanded(x, shape) for x in args)
    return Flat(shape, [x if c else y for c, x, y in zip(condition, a, b, strict=True)])


def _where_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    held = expanded(args[0], y.shape)
    amounts = (
        [x if c else 0.0 for c, x in zip(held, g.data, strict=True)],
        [0.0 if c else x for c, x in zip(held, g.data, strict=True)],
    )
    sides = zip(amounts, args[1:], strict=True)
    return [None, *(summed_to(data, y.shape, x.shape) for data, x in sides)]


def _where_reads(cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
    wide = broadcast(*shapes)
    return [[place_in(cell, wide, shape)] for shape in shapes]


def _where_text(cell: int, shapes: Shapes, params: Params) -> str:
    (c,), (a,), (b,) = _where_reads(cell, shapes, params)
    return f"a[{a}] if c[{c}] != 0 else b[{b}]"


define(
    ArrayOp(
        "where", ("c", "a", "b"), _where, _where_back, _where_shape, _where_reads, _where_text,
        "a where the condition holds, b elsewhere", rules("", "g if c != 0 else 0",
        "0 if c != 0 else g"), names("where"), names("where"), "WhereBackward0", constant=(0,),
        samples=((((2, 2), (2, 1), (2,)), {"first": (1.0, 0.0, 0.0, 1.0)}),),
    )
)  # fmt: skip


def _added(args: Sequence[Flat], params: Params) -> Flat:
    x, b = args
    data = x.data[:]
    new = expanded(b, tuple(params.get("shape", (len(params["places"]),))))
    for place, amount in zip(params["places"], new, strict=True):
        data[place] += amount
    return Flat(x.shape, data)


def _added_back(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
    shape = tuple(params.get("shape", (len(params["places"]),)))
    amounts = [g.data[place] for place in params["places"]]
    return [g, summed_to(amounts, shape, args[1].shape)]


def _added_reads(cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
    shape = tuple(params.get("shape", (len(params["places"]),)))
    hits = [i for i, place in enumerate(params["places"]) if place == cell]
    return [[cell], [place_in(i, shape, shapes[1]) for i in hits]]


def _added_text(cell: int, shapes: Shapes, params: Params) -> str:
    own, others = _added_reads(cell, shapes, params)
    return " + ".join([f"x[{own[0]}]", *(f"b[{i}]" for i in others)])


define(
    ArrayOp(
        "scatter_add", ("x", "b"), _added, _added_back, lambda shapes, params: shapes[0],
        _added_reads, _added_text, "elements of b added at the places that an index names",
        rules("g", "gather(g)"), names("add.at"), names("scatter_add index_add index_put"),
        "ScatterAddBackward0",
        samples=((((3,), (4,)), {"places": (2, 0, 2, 1)}),),
    )
)  # fmt: skip


def _one_hot(args: Sequence[Flat], params: Params) -> Flat:
    """A row of zeros with a 1 at the class; `params["classes"]` is how many there are."""
    (x,) = args
    n = params["classes"]
    data = [1.0 if k == i else 0.0 for k in x.data for i in range(n)]
    return Flat((*x.shape, n), data)


define(
    ArrayOp(
        "one_hot", ("x",), _one_hot, lambda g, args, y, params, wanted: [None],
        lambda shapes, params: (*shapes[0], params["classes"]),
        lambda cell, shapes, params: [[cell // params["classes"]]],
        lambda cell, shapes, params: (
            f"1 if x[{cell // params['classes']}] == {cell % params['classes']} else 0"
        ),
        "for each class index a row of zeros with a 1 at that class", rules(""), (),
        names("one_hot"), "", constant=(0,),
        samples=((((2,),), {"classes": 3, "first": (2.0, 0.0)}),),
    )
)  # fmt: skip
