"""The kernel's parts: bytes as the specification has them, texts that cannot be compiled."""

from __future__ import annotations

import pytest
import wasmtime

from engine.kernel.checkpoints import RunCheckpoints
from engine.kernel.formula import Emitter, ExpressionGraph
from engine.kernel.tiling import pieces, tile
from engine.wasm.assembler import I32, V128, FunctionBuilder, WasmModule, signed, unsigned
from engine.wasm.instance import Instance
from tests.support.each import for_each


@for_each(("number", "data"), [(0, "00"), (127, "7f"), (128, "8001"), (624485, "e58e26")])
def test_unsigned_leb128(number: int, data: str) -> None:
    assert unsigned(number).hex() == data


@for_each(
    ("number", "data"),
    [
        (0, "00"),
        (63, "3f"),
        (64, "c000"),
        (-1, "7f"),
        (-64, "40"),
        (-65, "bf7f"),
        (-123456, "c0bb78"),
    ],
)
def test_signed_leb128(number: int, data: str) -> None:
    assert signed(number).hex() == data


def computed(text: str, **names: float) -> float:
    """An expression of the formula language, computed in WebAssembly on the named numbers."""
    graph, body, module = ExpressionGraph(), FunctionBuilder([I32]), WasmModule()
    leaves = {}
    for at, name in enumerate(names):
        leaves[graph.leaf(name)] = body.local(V128)
        body.get(0)
        body.load(16 * at)
        body.set(leaves[graph.leaf(name)])
    result = graph.text(text, {name: graph.leaf(name) for name in names})
    emitter = Emitter(body, graph, leaves)
    emitter.needs([result])
    body.get(0)
    emitter.push(result)
    body.store(0)
    module.add(body, "run")
    instance = Instance(module.encode(65_536))
    instance.write_numbers(0, [x for number in names.values() for x in (number, number)])
    instance.call("run", 0)
    even, odd = instance.numbers(0, 2)
    assert even == odd or (even != even and odd != odd)
    return even


@for_each(
    ("text", "names", "expected"),
    [
        ("a + b * 2 - b / a", {"a": 4.0, "b": 3.0}, 4 + 6 - 0.75),
        ("-a ** 2", {"a": 3.0}, -9.0),
        ("a ** 3", {"a": -2.0}, -8.0),
        ("a ** -2", {"a": 4.0}, 0.0625),
        ("a ** 0.5", {"a": 9.0}, 3.0),
        ("a ** 0", {"a": 9.0}, 1.0),
        ("1 if a > b else 0", {"a": 1.0, "b": 2.0}, 0.0),
        ("a if a <= b and b != 2 else 7", {"a": 1.0, "b": 2.0}, 7.0),
        ("a if a <= b or b == 5 else 7", {"a": 1.0, "b": 2.0}, 1.0),
        ("a if 2 > 1 else b", {"a": 1.0, "b": 2.0}, 1.0),
        ("max(a, 0)", {"a": float("nan")}, float("nan")),
        ("max(0, a)", {"a": -3.0}, 0.0),
        ("max(a, b)", {"a": -3.0, "b": float("nan")}, float("nan")),
        ("min(a, b)", {"a": -3.0, "b": 2.0}, -3.0),
        ("abs(a) + sqrt(4)", {"a": -3.0}, 5.0),
        ("1 / a", {"a": 0.0}, float("inf")),
        ("pi * a", {"a": 2.0}, 6.283185307179586),
        ("relu(a) + abs(a)", {"a": -3.0}, 3.0),
    ],
)
def test_the_formula_language(text: str, names: dict[str, float], expected: float) -> None:
    assert computed(text, **names) == pytest.approx(expected, abs=0, nan_ok=True)


@for_each(
    ("text", "says"),
    [
        ("erf(a)", "'erf'"),
        ("a ** b", "an integer from -4 to 4"),
        ("a ** 7", "an integer from -4 to 4"),
        ("a + c", "'c'"),
        ("a % b", "'%'"),
        ("a if a else b", "condition: 'a'"),
        ("[a]", r"'\[a\]'"),
    ],
)
def test_error_names_the_part_that_cannot_be_compiled(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        computed(text, a=1.0, b=2.0)


def test_the_same_computation_stands_once() -> None:
    graph = ExpressionGraph()
    x = graph.leaf("x")
    before = graph.text("exp(x) + exp(x) * exp(x)", {"x": x})
    assert graph.kinds.count("call exp") == 1
    assert graph.text("exp(x) + exp(x) * exp(x)", {"x": x}) == before


def test_constants_that_differ_in_sign_only_are_kept_apart() -> None:
    graph = ExpressionGraph()
    assert graph.number(0.0) != graph.number(-0.0)
    assert str(computed("a * -0.0", a=1.0)) == "-0.0"


def test_a_module_is_valid_webassembly_without_extensions() -> None:
    module = WasmModule()
    body = FunctionBuilder([I32], [I32])
    body.get(0)
    body.plus(5)
    module.add(body, "five_more")
    config = wasmtime.Config()
    config.wasm_relaxed_simd = False
    engine = wasmtime.Engine(config)
    wasmtime.Module.validate(engine, module.encode(1))
    with pytest.raises(wasmtime.WasmtimeError):
        wasmtime.Module.validate(engine, module.encode(1)[:-1])


def test_memory_is_only_reached_inside() -> None:
    instance = Instance(WasmModule().encode(1))
    instance.write(65_535, b"x")
    for address, size in ((65_536, 1), (-1, 1), (0, 65_537)):
        with pytest.raises(IndexError, match="exceed the memory"):
            instance.read(address, size)


@for_each("length", range(1, 30))
@for_each("width", range(1, 9))
def test_pieces_cover_a_length_once(length: int, width: int) -> None:
    covered = [
        piece.start + at
        for piece in pieces(length, width)
        for at in range(piece.count * piece.width)
    ]
    assert covered == list(range(length))


def test_tiles_fit_the_registers_and_the_loops() -> None:
    for rows in range(1, 40):
        for columns in range(1, 40):
            for turns in (1, 40):
                a, b = tile(rows, columns, turns)
                assert 1 <= a <= rows
                assert 1 <= b <= columns
                assert a * b + a + b <= 15


def test_checkpoints_are_bounded_and_the_first_is_never_lost() -> None:
    kept = RunCheckpoints()
    state = bytes(2**20)
    for step in range(0, 1000, 10):
        if step == 0 or kept.is_due(step, seconds=0.01):
            kept.add(step, step.to_bytes(4, "little") + state)
    assert len(kept) <= 16
    for step in range(1000):
        found = int.from_bytes(kept.before(step)[1][:4], "little")
        assert 0 <= found <= step
    kept.change(5, {3: 0.5}, state)
    assert len(kept) == 1
    assert kept.before(999)[1][:4] == bytes(4)


def test_checkpoints_of_a_run_that_is_changed_again_and_again_are_bounded_too() -> None:
    """A change is a few numbers; it is no reason to keep a state for ever."""
    kept, state = RunCheckpoints(most=10_000), bytes(1_000)
    kept.add(0, state)
    for step in range(1, 500):
        kept.add(step, state)
        kept.change(step, {step: 0.5}, state)
        assert kept.size <= 10_000 + 12 * step
    assert len(kept) <= 10
    assert [kept.next_change(step) for step in (0, 100, 498, 499)] == [1, 101, 499, None]
    kept.keep_within(0)
    assert len(kept) == 1
    kept.change(0, {0: 1.0}, b"x" * 1_000)
    assert kept.before(9)[1] == b"x" * 1_000
    assert kept.next_change(0) is None


def test_a_second_change_at_a_step_is_added_to_the_first() -> None:
    kept = RunCheckpoints()
    kept.add(0, b"")
    kept.change(4, {1: 0.5, 2: 0.25}, b"")
    kept.change(4, {2: 1.5, 7: -0.0}, b"")
    change = kept.change_at(4)
    assert change is not None
    assert dict(change) == {1: 0.5, 2: 1.5, 7: 0.0}
    assert kept.change_at(3) is None
