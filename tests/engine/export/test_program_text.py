"""The text of an exported program: its data, its names, its helpers, its lines."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from engine.export.exports import EXPORTS, ExportError, export
from engine.export.translation import micrograd_call, written
from engine.ops import ACTIVATIONS, OPS
from engine.training.datasets import DATASETS
from engine.training.features import FEATURES
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.samples import initial_parameters, load
from engine.training.scaling import SCALINGS
from engine.training.settings import FIELDS
from tests.support.each import for_each
from tests.support.export_runs import OVERWRITTEN, RUNS, SPEC


@for_each("kind", ["micrograd", "pytorch"])
@for_each("name", ["own rows", "a test set", "three classes", "moons data"])
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
    "seegrad",
    "math",
    "micrograd.engine",
    "sys",
    "torch",
    "torch.nn",
}
KNOWN_TEXTS = {
    *DATASETS,
    *FEATURES,
    *ACTIVATIONS,
    *INITS,
    *LOSSES,
    *OPTIMIZERS,
    *SCALINGS,
    *SCHEDULES,
    *OPS,
    "linear",
}


@for_each("kind", EXPORTS)
@for_each("name", RUNS)
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
    assert {text for text in texts if isinstance(text, str)} <= {
        *KNOWN_TEXTS,
        *FIELDS,
        "_args",
        "lr",
        "all",
    }
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
    [("pytorc", "did you mean pytorch?"), ("x" * 500, "there are seegrad, micrograd, pytorch.")],
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
