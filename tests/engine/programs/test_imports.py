"""Imports: of micrograd, of modules that are not here, and what is done with their names."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from engine.stand_ins.names import LIBRARIES
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import data, finished, marked, printed, refusal


def weights(text: str) -> list[float]:
    """The parameters of the program's network as it was made."""
    return finished(text).tape.initial


def drawn_by_micrograd(seed: int, sizes: list[int]) -> list[float]:
    """micrograd's initialisation: weights neuron by neuron from uniform(-1, 1), biases 0."""
    rng = random.Random(seed)
    return [
        x
        for nin, nout in pairwise(sizes)
        for _ in range(nout)
        for x in [*(rng.uniform(-1, 1) for _ in range(nin)), 0.0]
    ]


@for_each(
    "lines",
    [
        "from micrograd import nn\nm = nn.MLP(2, [3, 1])",
        "from micrograd.nn import MLP\nm = MLP(2, [3, 1])",
        "import micrograd.nn as mnn\nm = mnn.MLP(2, [3, 1])",
        "import micrograd.nn\nm = micrograd.nn.MLP(2, [3, 1])",
    ],
)
def test_micrograd_means_its_own_network(lines: str) -> None:
    first, _, rest = lines.rpartition("\n")
    text = f"import random\n{first}\nrandom.seed(1337)\n{rest}\ny = m([1.0, -2.0])\nprint(m)"
    assert weights(text) == drawn_by_micrograd(1337, [2, 3, 1])
    layer = ", ".join(["ReLUNeuron(2)"] * 3)
    assert printed(text) == [f"MLP of [Layer of [{layer}], Layer of [LinearNeuron(3)]]"]


def test_a_class_of_the_program_s_own_is_its_own() -> None:
    text = (
        "from micrograd.nn import Module\nclass Neuron(Module):\n  def __init__(self, n):\n"
        "    self.w = [Value(0.5) for _ in range(n)]\n  def __call__(self, x):\n"
        "    return sum(w * v for w, v in zip(self.w, x))\n  def parameters(self):\n"
        "    return self.w\nn = Neuron(2)\nprint(len(n.parameters()))\ny = n([1.0, 3.0])"
    )
    assert printed(text) == ["2"]
    assert data(text, "y") == 0.5 * 1.0 + 0.5 * 3.0


@for_each(
    "line",
    [
        "from engine import Value", "from value import Value",
        "from src.autograd.engine import Value",
        "from .engine import Value", "from . import Value", "from my_lib import Value, draw_dot",
    ],
)  # fmt: skip
def test_value_of_an_unknown_module_is_the_built_in_one(line: str) -> None:
    text = f"{line}\na = Value(2.0)\nb = a * 3\n"
    assert data(text, "b") == 6.0
    module = line.split()[1]
    (note,) = finished(text).notes
    assert note.message == f"Value comes from {module} here: the built-in one is used."


@pytest.mark.parametrize("use", ["m.Value(2.0)", "m.engine.Value(2.0)"])
def test_value_is_found_in_an_unknown_module_too(use: str) -> None:
    assert data(f"import autograd as m\na = {use}\nb = a * 3", "b") == 6.0


def test_a_network_of_an_unknown_module_is_told_with_its_manner() -> None:
    note, *_ = finished("from nn import MLP\nm = MLP(2, [1])").notes
    assert note.message == (
        "MLP comes from nn here: the built-in one is used, "
        "with tanh, and weights and biases from random.uniform(-1, 1)."
    )


def test_a_name_set_after_its_import_is_the_program_s_own() -> None:
    text = "from helpers import f\ndef f(x):\n    return x * 2\na = Value(3.0)\nb = f(a)"
    assert data(text, "b") == 6.0
    imported_last = "def f(x):\n    return x * 2\nfrom helpers import f\nb = f(Value(3.0))"
    assert data(imported_last, "b") == 6.0


def test_a_progress_bar_gives_its_items() -> None:
    text = "from tqdm import tqdm\na = 1.0\nfor i in tqdm(range(3), desc='x'): a = a * 2"
    assert trace(text).nodes[-1].data == 8.0


def test_a_built_in_function_may_be_imported_under_another_name() -> None:
    text = (
        "from math import tanh as t\nfrom engine import Value as V\nfrom nn import MLP as Network\n"
        "from random import uniform, seed as plant\nplant(3)\nx = uniform(-1, 1)\n"
        "n = Network(2, [1])\ny = t(V(0.5))\nprint(x, len(n.parameters()))"
    )
    assert data(text, "y") == math.tanh(0.5)
    assert printed(text) == [f"{random.Random(3).uniform(-1, 1)} 3"]


# Calls that draw


def test_what_is_drawn_must_exist() -> None:
    for call in ("draw_dot(L)", "draw_graph(a * L)", "plt.plot([L])", "draw_dot(L, format='svg')"):
        text = f"a = Value(2.0)\n{call}"
        error = refusal(text)
        assert error.message == "NameError: name 'L' is not defined"
        assert marked(text, error) == "L"


def test_what_draw_dot_is_given_is_computed() -> None:
    assert trace("a = Value(2.0)\ndraw_dot(a * 3)").nodes[-1].data == 6.0


def test_what_draw_dot_is_given_is_computed_once() -> None:
    text = "def f():\n    print('once')\n    return Value(2.0) * 3\n"
    for call in ("draw_dot(f())", "draw_dot(f(), format='svg')"):
        assert printed(text + call) == ["once"]


@for_each("name", LIBRARIES)
def test_some_modules_are_known_without_an_import(name: str) -> None:
    finished(f"x = {name}")


@for_each(
    "line",
    [
        "from micrograd.engine import Value", "from micrograd.nn import MLP, Neuron, Layer",
        "from micrograd import nn", "import torch.nn as nn", "from torch.nn import functional as F",
        "from graphviz import Digraph", "import matplotlib.pyplot as plt", "import IPython.display",
        "from IPython.display import display, SVG", "from __future__ import annotations",
        "from typing import List, Union", "from numpy import random", "import numpy as np",
        "from micrograd.engine import *", "from engine import Value",
        "from seegrad import MLP, Layer, Neuron, Value", "import seegrad",
    ],
)  # fmt: skip
def test_imports_of_the_tutorials(line: str) -> None:
    assert data(f"{line}\na = Value(2.0)\nb = a * 3", "b") == 6.0
