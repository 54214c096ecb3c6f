"""`import seegrad` in a checkout: the public names, and commands that are modules too."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import seegrad
from engine.nn import MLP
from engine.runs.run import run
from engine.training.spec import TrainSpec
from engine.value import Value
from seegrad.training import sweep
from tests.support.places import ROOT

IMPORTS = {
    "package": "import seegrad",
    "submodule": "import seegrad.trace",
    "submodule by another name": "import seegrad.trace as other",
    "from submodule": "from seegrad.trace import Trace",
    "by text": "import importlib; module = importlib.import_module('seegrad.trace')",
    "everything": "import pkgutil, importlib, seegrad\n"
    "for it in pkgutil.iter_modules(seegrad.__path__, 'seegrad.'):\n"
    "    importlib.import_module(it.name)",
    "run as a module": "import runpy; runpy.run_module('seegrad.trace')",
    "reload": "import importlib, seegrad.trace; importlib.reload(seegrad)",
    "reload of submodule": "import importlib, sys, seegrad.trace\n"
    "importlib.reload(sys.modules['seegrad.trace'])",
}
"""Ways in which the submodule `seegrad.trace` may have been imported before."""


def ran(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """A Python in the checkout, with warnings as errors."""
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(
        command, input=text, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each import needs a process of its own")
def test_trace_is_the_function_whatever_was_imported_before() -> None:
    """Each is tried in a fork of one process that has loaded the engine, which takes the time."""
    after = (
        "import seegrad\n"
        "from seegrad import trace\n"
        "from seegrad.trace import Trace, trace as same\n"
        "assert trace is same is seegrad.trace\n"
        "assert isinstance(trace('x = 3.0; y = x*x'), Trace)\n"
        "import seegrad.trace as third\n"
        "assert third is trace\n"
    )
    code = (
        "import os, sys\n"
        "import engine.trace.build, engine.runs.run\n"
        "assert 'seegrad' not in sys.modules\n"
        f"for before in {list(IMPORTS.values())}:\n"
        "    if not (child := os.fork()):\n"
        f"        exec(before + chr(10) + {after!r})\n"
        "        sys.exit()\n"
        "    assert os.waitpid(child, 0)[1] == 0, before\n"
    )
    done = ran("-c", code)
    assert done.returncode == 0, done.stderr


def test_other_attributes_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("trace", "train"):
        monkeypatch.setattr(seegrad, name, len)
        assert getattr(seegrad, name)("abc") == 3


def test_the_names_are_those_of_the_engine() -> None:
    assert seegrad.Value is Value
    assert seegrad.MLP is MLP
    assert seegrad.TrainSpec is TrainSpec
    assert sweep.__module__ == "engine.runs.sweep"
    assert all(hasattr(seegrad, name) for name in seegrad.__all__)


def test_the_command_prints_a_trace() -> None:
    done = ran("-m", "seegrad.trace", "-", text="x = 3.0\ny = x*x + x")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == seegrad.trace("x = 3.0\ny = x*x + x").to_json()


def test_the_command_prints_a_run(tmp_path: Path) -> None:
    file = tmp_path / "spec.json"
    file.write_text('{"data": "xor", "steps": 3}')
    done = ran("-m", "seegrad.training", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == run(TrainSpec.from_text(file.read_text()))


@pytest.mark.parametrize("module", ["seegrad.trace", "seegrad.training"])
def test_a_command_without_a_file_says_its_own_name(module: str) -> None:
    done = ran("-m", module)
    assert done.returncode == 2
    assert f"python -m {module} " in done.stderr


@pytest.mark.parametrize("module", ["seegrad", "app"])
def test_the_server_s_command_has_one_version(module: str) -> None:
    assert ran("-m", module, "--version").stdout == f"seegrad {seegrad.__version__}\n"


SERVERS = ("anyio", "fastapi", "prometheus_client", "pydantic", "starlette", "uvicorn")


def test_the_import_loads_the_standard_library_alone() -> None:
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import seegrad\n"
        "loaded = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(loaded - sys.stdlib_module_names))\n"
        "print('engine.value' in sys.modules)"
    )
    assert ran("-c", code).stdout == "['engine', 'seegrad']\nFalse\n"


def test_drawing_loads_no_server() -> None:
    code = (
        "import sys\n"
        "import app.explore.film, app.explore.offline, app.explore.verdict\n"
        f"print([name for name in {SERVERS} if name in sys.modules])"
    )
    assert ran("-c", code).stdout == "[]\n"
