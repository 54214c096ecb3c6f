"""Every entry of the table of array operations, by what must hold of all: no list of names here."""

from __future__ import annotations

import ast
import re
from math import prod
from xml.etree import ElementTree as ET

import pytest

from engine.array_ops.flat import Flat, Misfit, broadcast_axes
from engine.array_ops.ops import ARRAY_OPS, ArrayOp
from engine.array_ops.rules import formula_mathml
from engine.formulas import compile_text
from engine.ops import OPS
from tests.engine.array_ops.samples import cases

STEP = 1e-6


def _sent(op: ArrayOp, args: list[Flat], params: object) -> tuple[Flat, Flat, list[Flat | None]]:
    y = op.forward(args, params)  # type: ignore[arg-type]
    g = Flat(y.shape, [0.7 + 0.31 * i - 0.05 * i * i for i in range(len(y.data))])
    return y, g, op.vjp(g, args, y, params)  # type: ignore[arg-type]


def test_contributions_are_those_of_central_differences() -> None:
    for op, args, params in cases():
        _, g, sent = _sent(op, args, params)
        for slot, (x, found) in enumerate(zip(args, sent, strict=True)):
            if found is None:
                assert slot in op.constant or op.name.endswith(("entropy", "nll_loss"))
                continue
            assert found.shape == x.shape, (op.name, slot)
            for i in range(len(x.data)):
                ends = []
                for step in (STEP, -STEP):
                    data = [*x.data[:i], x.data[i] + step, *x.data[i + 1 :]]
                    moved = [*args[:slot], Flat(x.shape, data), *args[slot + 1 :]]
                    y = op.forward(moved, params)
                    ends.append(sum(a * b for a, b in zip(g.data, y.data, strict=True)))
                slope = (ends[0] - ends[1]) / (2 * STEP)
                assert found.data[i] == pytest.approx(slope, rel=2e-5, abs=2e-7), (
                    op.name, params, slot, i,
                )  # fmt: skip


def test_shapes_are_those_of_results() -> None:
    for op, args, params in cases():
        y = op.forward(args, params)
        assert len(y.data) == prod(y.shape), op.name
        assert op.shape([x.shape for x in args], params) == y.shape, op.name


def test_a_cell_is_made_of_what_it_reads_and_of_nothing_else() -> None:
    for op, args, params in cases():
        if op.name == "where" or op.name.startswith(("cross", "nll")):
            continue  # their classes and conditions choose what is read
        shapes = [x.shape for x in args]
        y = op.forward(args, params)
        for slot, x in enumerate(args):
            reached: list[set[int]] = [set() for _ in y.data]
            for i in range(len(x.data)):
                data = [*x.data[:i], x.data[i] + 0.01, *x.data[i + 1 :]]
                moved = op.forward([*args[:slot], Flat(x.shape, data), *args[slot + 1 :]], params)
                for cell, (before, after) in enumerate(zip(y.data, moved.data, strict=True)):
                    if before != after:
                        reached[cell].add(i)
            for cell in range(len(y.data)):
                reads = set(op.reads(cell, shapes, params)[slot])
                assert reached[cell] <= reads, (op.name, slot, cell, params)


def _value_of(text: str, op: ArrayOp, args: list[Flat]) -> float:
    """The formula of a cell, computed from the elements that it names."""
    names: dict[str, float] = {}

    def named(match: re.Match[str]) -> str:
        name, place = match[1], int(match[2])
        slot = [op.name_of(i) for i in range(len(args))].index(name)
        names[f"{name}_{place}"] = args[slot].data[place]
        return f"{name}_{place}"

    plain = re.sub(r"(\w+)\[(\d+)\]", named, text)
    return compile_text(plain, tuple(names))(*names.values())


def test_the_formula_of_a_cell_gives_its_number() -> None:
    for op, args, params in cases():
        y = op.forward(args, params)
        shapes = [x.shape for x in args]
        for cell, number in enumerate(y.data):
            text = op.scalar(cell, shapes, params)
            found = _value_of(text, op, args)
            assert found == pytest.approx(number, rel=1e-9, abs=1e-9), (op.name, params, text)
            named = {(m[1], int(m[2])) for m in re.finditer(r"(\w+)\[(\d+)\]", text)}
            reads = op.reads(cell, shapes, params)
            listed = {(op.name_of(i), place) for i, places in enumerate(reads) for place in places}
            assert named <= listed, (op.name, params, cell)


def test_only_what_is_wanted_is_computed() -> None:
    for op, args, params in cases():
        if len(args) < 2:
            continue
        y, g, sent = _sent(op, args, params)
        for slot, found in enumerate(sent):
            wanted = [i == slot for i in range(len(args))]
            alone = op.vjp(g, args, y, params, wanted)
            assert alone[slot] == found, op.name
            assert all(x is None for i, x in enumerate(alone) if i != slot)


def test_every_entry_is_described() -> None:
    for op in ARRAY_OPS.values():
        assert op.samples, op.name
        assert op.words, op.name
        assert not op.words.endswith("."), op.name
        assert op.numpy or op.torch or OPS.get(op.name) or op.name in {"slice", "index"}, op.name
        assert len(op.rules) == 1 if op.variadic else len(op.rules) == len(op.args), op.name
        for rule in op.rules:
            ET.fromstring(f"<math>{rule.mathml()}</math>")  # noqa: S314 - our own text
            assert bool(rule.source) == bool(rule.mathml())
            if rule.source:
                assert isinstance(ast.parse(rule.source), ast.Module)


def _read(mathml: str) -> str:
    return re.sub(r"<[^>]*>", "", mathml)


def test_rules_are_written_in_symbols() -> None:
    """With ∂L/∂y as a fraction, of which the text has both lines; a number stands in front."""
    assert [_read(rule.mathml()) for rule in ARRAY_OPS["@"].rules] == ["∂L∂y·bT", "aT·∂L∂y"]
    assert _read(ARRAY_OPS["*"].rule(0).mathml()) == "∂L∂y⊙b"
    assert _read(formula_mathml("g * (2 * a)", {"a": "<mi>Y</mi>"})) == "∂L∂y⊙2Y"
    assert _read(formula_mathml("g * 0.5")) == "0.5∂L∂y"
    assert _read(formula_mathml("(a - b) * g")) == "(a−b)⊙∂L∂y"
    assert ARRAY_OPS["concatenate"].rule(5) is ARRAY_OPS["concatenate"].rules[0]


def test_broadcast_axes_are_those_that_contributions_are_summed_over() -> None:
    assert broadcast_axes((3,), (2, 3)) == (0,)
    assert broadcast_axes((2, 1), (2, 3)) == (1,)
    assert broadcast_axes((), (2, 3)) == (0, 1)
    assert broadcast_axes((2, 3), (2, 3)) == ()
    assert broadcast_axes((1, 1), (1, 4)) == (1,)


def test_shapes_that_do_not_fit_are_said_as_both_libraries_say_it() -> None:
    with pytest.raises(Misfit) as refused:
        ARRAY_OPS["+"].shape([(2, 3), (2,)], {})
    assert str(refused.value) == (
        "operands could not be broadcast together with shapes (2,3) (2,) "
    )
    assert refused.value.of_torch == (
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"
    )
    with pytest.raises(Misfit) as refused:
        ARRAY_OPS["@"].shape([(2, 3), (2, 4)], {})
    assert "(size 2 is different from 3)" in str(refused.value)
    assert refused.value.of_torch == "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x4)"
