"""Imports never fail where they stand; names that are not here are refused where they are used."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.language.modules import MODULES
from engine.program import Program
from engine.record.source import ProgramError
from tests.support.each import for_each

from .fake import FakeMachine


def printed(text: str) -> list[str]:
    return Program(text).run().printed


def notes(text: str) -> list[str]:
    return [note.message for note in Program(text).run().notes]


@for_each("name", MODULES)
def test_every_module_is_made_and_imported(name: str) -> None:
    MODULES[name](cast("Any", FakeMachine()))
    assert printed(f"import {name}\nimport {name} as other\nfrom {name} import *\nprint(1)") == [
        "1"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "import pandas as pd", "from sklearn.datasets import load_iris", "import cv2",
        "import os, sys, subprocess",
        "from .engine import helper", "from src.utils import *", "import a.b.c",
        "from os import path", "from mpl_toolkits.mplot3d import Axes3D", "import networkx as nx",
    ],
)  # fmt: skip
def test_an_unused_import_is_harmless(line: str) -> None:
    assert printed(f"{line}\nprint(2)") == ["2"]


@pytest.mark.parametrize(
    "text",
    [
        "import pandas as pd\npd.DataFrame()",
        "from sklearn.datasets import load_digits\nload_digits()",
        "from utils import helper\nhelper(1)", "import os\nos.listdir('.')",
        "from requests import get\nget('x')", "import engine\nengine.foo()",
    ],
)  # fmt: skip
def test_a_missing_name_is_refused_where_it_is_called(text: str) -> None:
    with pytest.raises(ProgramError, match="is not here") as caught:
        Program(text).run()
    assert caught.value.line == 2


@pytest.mark.parametrize("module", ["engine", "value", "src.nn", ".engine", "my.own.thing"])
def test_names_of_micrograd_are_the_built_in_ones_with_a_note(module: str) -> None:
    text = f"from {module} import Value\na = Value(2.0)\nb = a * 3\nb.backward()\nprint(a.grad)"
    assert printed(text) == ["3.0"]
    assert any(f"Value comes from {module} here" in note for note in notes(text))


def test_micrograd_brings_its_own_convention() -> None:
    for line in ("from micrograd.nn import MLP", "from micrograd import nn\nMLP = nn.MLP"):
        text = f"{line}\nm = MLP(2, [2, 1])\nprint([n.b.data for l in m.layers for n in l.neurons])"
        assert printed(text) == ["[0.0, 0.0, 0.0]"] or printed(text) == ["[0, 0, 0]"]


def test_drawing_and_progress_do_nothing() -> None:
    text = """
from tqdm import tqdm, trange
from graphviz import Digraph
import matplotlib.pyplot as plt
from IPython.display import display, Image
dot = Digraph(format="svg", graph_attr={"rankdir": "LR"})
dot.node(name="a", label="x"); dot.edge("a", "b"); dot.render("x")
for i in tqdm(range(2), desc="t"): print(i)
bar = trange(2)
for i in bar: bar.set_description("q"); bar.set_postfix(loss=1)
plt.style.use("ggplot"); plt.figure(figsize=(5, 5)); plt.plot([1, 2]); plt.grid(True); plt.show()
fig, ax = plt.subplots(); ax.plot([1]); ax.set_title("t"); fig.tight_layout()
display(5)
"""
    assert printed(text) == ["0", "1", "5"]


def test_a_program_without_a_command_line_gets_the_defaults() -> None:
    text = """
import argparse
parser = argparse.ArgumentParser(description="a network")
parser.add_argument("--lr", type=float, default="0.1", help="the rate")
parser.add_argument("-n", "--num-steps", type=int, default=3)
parser.add_argument("--quiet", action="store_true")
args, rest = parser.parse_known_args()
print(args.lr, args.num_steps, args.quiet, rest)
try:
    parser.add_argument("--x", colour=1)
except TypeError as error:
    print(error)
"""
    assert printed(text)[0] == "0.1 3 False []"
    assert printed(text)[1].endswith("got an unexpected keyword argument 'colour'")


@pytest.mark.parametrize(
    "line", ['parser.add_argument("file")', 'parser.add_argument("--lr", required=True)']
)
def test_an_argument_that_only_a_command_line_could_give_is_refused(line: str) -> None:
    with pytest.raises(ProgramError, match=r"command line"):
        printed(f"import argparse\nparser = argparse.ArgumentParser()\n{line}")


def test_paths_are_texts() -> None:
    text = """
import os
print(os.path.join("a", "..", "b.txt"), os.path.splitext("b.txt"), os.path.dirname("a/b"))
print(os.path.normpath(os.path.abspath("x/../y")) == os.path.abspath("y"))
"""
    assert printed(text) == ["a/../b.txt ('b', '.txt') a", "True"]
