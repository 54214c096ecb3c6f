"""Exported programs: run as programs of their own, they print the losses of the run."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from engine.export.exports import EXPORTS, ExportError, export
from engine.export.translation import micrograd_call, operations_in, translate, written
from engine.ops import ACTIVATIONS, OPS, Op
from engine.runs.run import train
from engine.training.datasets import DATASETS
from engine.training.fields import Name
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES, Loss
from engine.training.optim import OPTIMIZERS, SCHEDULES, Optimizer, Schedule
from engine.training.samples import initial_parameters, load
from engine.training.spec import FIELDS, Setting, TrainSpec
from engine.training.textbook import textbook
from engine.value import Constant, Value, apply
from tests.support.places import ROOT

SPEC = TrainSpec(samples=9, layers=(2, 3, 1), activation="tanh", learning_rate=0.1, steps=30)
ROWS = ((0.5, -1.25, 0.0), (1.5, 0.3, 1.0), (-0.75, 2.0, 1.0), (0.1, 1e-7, 0.0), (-2.0, 0.25, 1.0))

STAND_IN = '''
class Value:
    """A scalar as micrograd's: the same methods and attributes, and no other."""

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None

    def _made(self, data, others, op, give):
        out = Value(data, (self, *others), op)
        out._backward = lambda: give(out.grad)
        return out

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)

        def give(g):
            self.grad += g
            other.grad += g

        return self._made(self.data + other.data, (other,), "+", give)

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)

        def give(g):
            self.grad += other.data * g
            other.grad += self.data * g

        return self._made(self.data * other.data, (other,), "*", give)

    def __pow__(self, other):
        assert isinstance(other, (int, float))

        def give(g):
            self.grad += other * self.data ** (other - 1) * g

        return self._made(self.data**other, (), "**", give)

    def relu(self):
        def give(g):
            self.grad += (self.data > 0) * g

        return self._made(max(0, self.data), (), "ReLU", give)

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                order.append(v)

        visit(self)
        self.grad = 1
        for v in reversed(order):
            v._backward()

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1
'''


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to run programs in, with a stand-in for micrograd if it is not installed."""
    folder = tmp_path_factory.mktemp("programs")
    if find_spec("micrograd") is None:
        (folder / "micrograd").mkdir()
        (folder / "micrograd" / "__init__.py").touch()
        (folder / "micrograd" / "engine.py").write_text(STAND_IN)
    return folder


def printed(text: str, place: Path) -> list[float]:
    """The losses that a program prints, run on its own."""
    path = os.pathsep.join([str(place), str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-"], input=text, cwd=place, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.splitlines()]


def losses(spec: TrainSpec) -> list[float]:
    """The loss before each update."""
    return [state.loss for state in textbook(spec)][:-1]


def close(seen: list[float], wanted: list[float]) -> bool:
    return seen == pytest.approx(wanted, rel=1e-9, abs=1e-13)


def outputs(loss: Loss, count: int = 1) -> tuple[int, ...]:
    return (2, 3, max(count, loss.least_outputs))


MODES: tuple[dict[str, Any], ...] = ({"batch": "all"}, {"batch": 4}, {"batch": 3, "shuffle": False})
RUNS: dict[str, TrainSpec] = {
    f"{loss} by {optimizer}, {', '.join(map(str, mode.values()))}": replace(
        SPEC, loss=loss, layers=outputs(LOSSES[loss]), optimizer=optimizer,
        learning_rate=0.005, schedule_end=0.001, **mode,
    )
    for (loss, mode), optimizer in zip(product(LOSSES, MODES), cycle(OPTIMIZERS), strict=False)
}  # fmt: skip
RUNS |= {
    optimizer: replace(SPEC, optimizer=optimizer, learning_rate=0.02) for optimizer in OPTIMIZERS
}
RUNS |= {
    f"{schedule} schedule": replace(SPEC, schedule=schedule, schedule_end=0.02)
    for schedule in SCHEDULES
}
RUNS |= {f"{activation} inside": replace(SPEC, activation=activation) for activation in ACTIVATIONS}
RUNS |= {
    f"{activation} last": replace(SPEC, output_activation=activation, loss="mse", activation="silu")
    for activation in ACTIVATIONS
}
RUNS |= {f"{init} start": replace(SPEC, init=init) for init in INITS}
RUNS |= {
    f"{loss}, two outputs": replace(SPEC, loss=loss, layers=(2, 3, 2), learning_rate=0.02)
    for loss in LOSSES
}
RUNS |= {
    "two activations": replace(SPEC, layers=(2, 3, 2, 1), activation=("linear", "gelu")),
    "no hidden layer": replace(SPEC, layers=(2, 1), activation=()),
    "penalties": replace(SPEC, l1=0.01, l2=0.02),
    "no penalty": replace(SPEC, l2=0.0),
    "a test set": replace(SPEC, samples=12, test_share=0.25, batch=2),
    "own rows": replace(SPEC, data="rows", rows=ROWS, loss="bce"),
    "own numbers": replace(
        SPEC, data="rows", rows=ROWS, loss="mse", initial=(0.1, -0.2) * 6 + (0.3,)
    ),
    "no momentum": replace(SPEC, optimizer="nesterov", momentum=0.0),
    "a large seed": replace(SPEC, seed=2**64 - 1, batch=5),
    "gradients left": replace(SPEC, zero_grad=False, learning_rate=0.01),
    "dropout": replace(SPEC, dropout=0.3, layers=(2, 4, 3, 1)),
    "dropout, batches": replace(SPEC, dropout=0.5, batch=4, loss="sum_squares"),
    "dropout, in order": replace(SPEC, dropout=0.1, batch=4, shuffle=False, optimizer="adam"),
    "dropout of nothing": replace(SPEC, dropout=0.5, layers=(2, 1), activation=()),
    "three classes": replace(
        SPEC, data="three_spirals", layers=(2, 3, 3), loss="cross_entropy", batch=4
    ),
}  # fmt: skip
RUNS |= {
    f"{data.name} data": replace(
        SPEC, data=data.name, layers=(data.inputs, 2, 1), loss="mse" if not data.classes else "bce"
    )
    for data in DATASETS.values()
    if data.name not in ("rows", "three_spirals")
}
OVERWRITTEN: dict[str, TrainSpec] = {
    loss: replace(
        SPEC, accumulate=False, loss=loss, layers=(2, 3, 2, max(2, LOSSES[loss].least_outputs)),
        learning_rate=0.01, l1=0.001,
    )
    for loss in LOSSES
}  # fmt: skip
OVERWRITTEN |= {
    "relu": replace(SPEC, accumulate=False, activation="relu", loss="mse", batch=4),
    "dropout": replace(SPEC, accumulate=False, dropout=0.3, layers=(2, 4, 2, 1)),
    "gradients left": replace(SPEC, accumulate=False, zero_grad=False, activation="gelu"),
}


@pytest.mark.parametrize("name", RUNS)
def test_the_program_for_micrograd_prints_the_losses(name: str, place: Path) -> None:
    assert close(printed(export(RUNS[name], "micrograd"), place), losses(RUNS[name]))


@pytest.mark.parametrize("name", OVERWRITTEN)
def test_the_program_for_micrograd_makes_the_same_mistake(name: str, place: Path) -> None:
    spec = OVERWRITTEN[name]
    wanted = losses(spec)
    assert not close(losses(replace(spec, accumulate=True)), wanted)
    text = export(spec, "micrograd")
    assert ".grad = " in text
    assert ".grad += " not in text
    assert close(printed(text, place), wanted)


@pytest.mark.parametrize(
    "name", ["own rows", "a test set", "penalties", "two activations", "dropout"]
)
def test_the_program_for_this_engine_prints_the_losses(name: str, place: Path) -> None:
    found = printed(export(RUNS[name], "gradlens"), place)
    assert found == [state.loss for state in train(RUNS[name])][:-1]
    assert close(found, losses(RUNS[name]))


TOGETHER = """
import contextlib, io, json, sys

out = []
for text in json.load(sys.stdin):
    seen = io.StringIO()
    with contextlib.redirect_stdout(seen):
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    out.append([float(line) for line in seen.getvalue().splitlines()])
json.dump(out, sys.stdout)
"""


def printed_together(texts: list[str]) -> list[list[float]]:
    """What several programs print, in one process: PyTorch takes seconds to start."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER], input=json.dumps(texts),
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[list[float]] = json.loads(done.stdout)
    return found


needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


@needs_torch
def test_the_programs_for_pytorch_print_the_losses() -> None:
    found = printed_together([export(spec, "pytorch") for spec in RUNS.values()])
    for (name, spec), seen in zip(RUNS.items(), found, strict=True):
        assert close(seen, losses(spec)), name


# New entries of the tables need nothing in an export


@pytest.fixture
def new_entries(monkeypatch: pytest.MonkeyPatch) -> TrainSpec:
    """A run with an activation, a loss, an optimizer and a schedule that no export has heard of."""
    bent = Op(
        "bent_line", ("x",), "(sqrt(x ** 2 + 1) - 1) / 2 + x + sigmoid(x) / 9",
        ("x / (2 * sqrt(x ** 2 + 1)) + 1 + sigmoid(x) * (1 - sigmoid(x)) / 9",),
        forward_says="", backward_says=("",), samples=((1.0,),), activation=True,
    )  # fmt: skip
    clipped = Op(
        "clipped", ("a", "b"), "a if a < b and a > -b else max(min(a, b), -b)",
        ("1 if a < b and a > -b else 0", "0 if a < b and a > -b else 1 if a > 0 else -1"),
        forward_says="", backward_says=("", ""), samples=((1.0, 2.0),),
    )  # fmt: skip
    monkeypatch.setitem(OPS, "bent_line", bent)
    monkeypatch.setitem(OPS, "clipped", clipped)

    def sample(o: list[Value], t: list[Value]) -> Value:
        error = apply(clipped, o[0] - t[0], Constant(1.5))
        return error * error + apply(OPS["max"], t[0], o[0]).abs() + apply(clipped, t[0], o[0])

    loss = Loss("own", "", "", sample, mean=True)  # type: ignore[arg-type]
    rule = Optimizer(
        "own", "", "", "loss = loss + g ** 2\np = p - rate * g / (sqrt(loss) + i) * sqrt(2 - i)",
        state=("loss",), scalars=(("i", 1.0),), before="i = 0.5 * i + cos(pi) / 100",
    )  # fmt: skip
    schedule = Schedule("own", "", "", "max(end, rate / (1 + step)) if step > 3 else rate")
    for field, table, entry in (
        ("loss", LOSSES, loss),
        ("optimizer", OPTIMIZERS, rule),
        ("schedule", SCHEDULES, schedule),
    ):
        monkeypatch.setitem(table, "own", entry)
        monkeypatch.setitem(FIELDS, field, Setting(Name(("own",)), ""))
    monkeypatch.setitem(FIELDS, "activation", Setting(Name(("bent_line",)), ""))
    return replace(
        SPEC, activation="bent_line", loss="own", optimizer="own", schedule="own", batch=4,
        schedule_end=0.02,
    )  # fmt: skip


def test_new_entries_reach_micrograd(new_entries: TrainSpec, place: Path) -> None:
    text = export(new_entries, "micrograd")
    assert close(printed(text, place), losses(new_entries))
    left = replace(new_entries, accumulate=False)
    assert close(printed(export(left, "micrograd"), place), losses(left))


@needs_torch
def test_new_entries_reach_pytorch(new_entries: TrainSpec) -> None:
    (found,) = printed_together([export(new_entries, "pytorch")])
    assert close(found, losses(new_entries))


def test_new_entries_are_written_as_functions_of_pytorch(new_entries: TrainSpec) -> None:
    text = export(new_entries, "pytorch")
    tree = ast.parse(text)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert classes == {"Network", "BentLineFunction", "ClippedFunction"}
    assert "loss_ = [torch.zeros_like(p) for p in model.parameters()]" in text


# What is in a program


@pytest.mark.parametrize("kind", ["micrograd", "pytorch"])
@pytest.mark.parametrize("name", ["own rows", "a test set", "three classes", "moons data"])
def test_a_program_holds_the_data_and_the_parameters(kind: str, name: str) -> None:
    spec = RUNS[name]
    found = {
        target.id: ast.literal_eval(node.value)
        for node in ast.parse(export(spec, kind)).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in ("samples", "initial")
    }
    training, _ = load(spec)
    assert found["samples"] == list(zip(training.inputs, training.targets, strict=True))
    flat = [p for layer in found["initial"] for neuron in layer for p in neuron]
    assert flat == initial_parameters(spec)
    assert [len(layer) for layer in found["initial"]] == list(spec.layers[1:])


IMPORTED = {
    "gradlens",
    "math",
    "micrograd.engine",
    "sys",
    "torch",
    "torch.nn",
}
KNOWN_TEXTS = {*DATASETS, *ACTIVATIONS, *INITS, *LOSSES, *OPTIMIZERS, *SCHEDULES, *OPS, "linear"}


@pytest.mark.parametrize("kind", EXPORTS)
@pytest.mark.parametrize("name", RUNS)
def test_a_program_holds_nothing_but_names_and_numbers(kind: str, name: str) -> None:
    tree = ast.parse(export(RUNS[name], kind))
    nodes = list(ast.walk(tree))
    docstrings = {
        node.body[0].value.value
        for node in nodes
        if isinstance(node, ast.Module | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    imported = {
        alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    assert imported <= IMPORTED
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)} - docstrings
    assert {text for text in texts if isinstance(text, str)} <= {*KNOWN_TEXTS, "_args", "lr", "all"}
    called = {
        node.func.id
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called.isdisjoint({"eval", "exec", "open", "compile", "__import__", "input", "setattr"})


def test_micrograd_is_given_what_it_lacks_and_nothing_else() -> None:
    bare = export(replace(SPEC, activation="relu"), "micrograd")
    assert "Value." in bare
    assert "import math" not in bare
    assert "def _" not in bare
    text = export(replace(SPEC, activation="silu", l1=0.1), "micrograd")
    assert [line for line in text.splitlines() if line.startswith("def ")][:3] == [
        "def sigmoid(x):",
        "def _silu(self):",
        "def _abs(self):",
    ]


def test_a_mistake_is_named_where_it_is_made() -> None:
    for kind in ("micrograd", "pytorch"):
        right, wrong = (export(replace(SPEC, zero_grad=zero), kind) for zero in (True, False))
        assert "mistake" not in right
        assert "# The mistake: gradients of earlier steps are not cleared" in wrong
    assert "replace them" in export(OVERWRITTEN["gradients left"], "micrograd")


def test_pytorch_cannot_forget_to_add_up() -> None:
    with pytest.raises(ExportError, match="PyTorch always accumulates contributions to a gradient"):
        export(replace(SPEC, accumulate=False), "pytorch")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("pytorc", "did you mean pytorch?"), ("x" * 500, "there are gradlens, micrograd, pytorch.")],
)
def test_an_unknown_export_is_refused(name: str, hint: str) -> None:
    with pytest.raises(ExportError, match="which is not known") as refused:
        export(SPEC, name)
    assert str(refused.value).endswith(hint)
    assert len(str(refused.value)) < 200


def test_the_table_names_its_files() -> None:
    for name, entry in EXPORTS.items():
        assert entry.name == name
        assert entry.help.endswith(".")
        assert entry.file_name.endswith(".py")
    assert len({entry.file_name for entry in EXPORTS.values()}) == len(EXPORTS)


def test_a_graph_deeper_than_python_recurses_is_walked(place: Path) -> None:
    deep = replace(SPEC, samples=3, layers=(2, 40, 40, 1), steps=2)  # a sum of 1,801 squares
    assert close(printed(export(deep, "micrograd"), place), losses(deep))
    wrong = replace(deep, accumulate=False)
    assert close(printed(export(wrong, "micrograd"), place), losses(wrong))


def test_long_rows_are_broken_between_numbers() -> None:
    tiny = replace(SPEC, layers=(2, 12, 3, 1), steps=1)
    tiny = replace(tiny, initial=tuple(-1.5e-7 / (k + 1) for k in range(tiny.parameter_count)))
    for kind in EXPORTS:
        text = export(tiny, kind)
        assert max(map(len, text.splitlines())) <= 100
        found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        numbers = [node.value for node in found if isinstance(node.value, float)]
        assert {-p for p in tiny.initial} <= set(numbers)


def test_a_loss_of_many_outputs_is_written_in_short_lines() -> None:
    many = written(LOSSES["cross_entropy"], 128, micrograd_call, plain_targets=True)
    assert max(len(code) for _, code in many.first) < 400
    assert len(many.result) < 400
    compile("\n".join(f"{name} = {code}" for name, code in many.first), "loss", "exec")


# Formulas as code


POINTS = [(op, point) for op in OPS.values() for point in op.samples]


def numbers_at_points() -> list[float]:
    """What every operation and its partials give at its samples."""
    found = []
    for op, point in POINTS:
        y = op.compute(*point)
        found += [y, *(derive(y, *point) for derive in op.derive)]
    return found


def printing(tensors: bool) -> list[str]:
    """A program that prints the same from the texts of the table."""
    lines = []
    for op, point in POINTS:
        names = ("y", *op.params) if tensors else ()
        for name, x in zip(op.params, point, strict=True):
            lines.append(f"{name} = torch.tensor({x!r})" if tensors else f"{name} = {x!r}")
        lines += [f"y = {translate(op.formula, {}, names)}", "print(float(y))"]
        lines += [f"print(float({translate(text, {}, names)}))" for text in op.partials]
    return lines


def test_formulas_mean_the_same_in_python(place: Path) -> None:
    called = operations_in(text for op in OPS.values() for text in (op.formula, *op.partials))
    definitions = [
        f"def {op.name}({', '.join(op.params)}): return {translate(op.formula)}" for op in called
    ]
    text = "\n".join(["import math", *definitions, *printing(tensors=False)])
    assert printed(text, place) == pytest.approx(numbers_at_points(), rel=1e-15)


@needs_torch
def test_formulas_mean_the_same_in_pytorch() -> None:
    head = ["import math, torch", "from torch.nn import functional"]
    head.append("torch.set_default_dtype(torch.float64)")
    (found,) = printed_together(["\n".join([*head, *printing(tensors=True)])])
    assert found == pytest.approx(numbers_at_points(), rel=1e-12)
