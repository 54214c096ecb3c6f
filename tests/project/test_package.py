"""Wheel and source distribution: one package, which works beside a user's own modules."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import seegrad
from app.serving.version import version_key
from app.settings import from_environment
from engine.export.exports import export
from engine.runs.sweep import edition
from engine.training.spec import TrainSpec
from hatch_build import BUILT, COMPONENT
from tests.browser.conftest import free_port, stop, wait_until_well
from tests.support.places import ROOT

INSTALLED = sysconfig.get_paths()["purelib"]
KINDS = ("wheel", "sdist")

# What a user may well have beside a notebook, and what would show that it was taken for ours.
USERS = {
    "app.py": "raise SystemExit('the app.py of the user was run')\n",
    "engine.py": "raise SystemExit('the engine.py of the user was run')\n",
    "templates/index.html": "of the user",
    "static/app.css": "of the user",
}


QUICKLY = """\
import runpy, zlib
made = zlib.compressobj
zlib.compressobj = lambda level=1, *others, **named: made(1, *others, **named)
runpy.run_module("hatchling", run_name="__main__", alter_sys=True)
"""
"""Hatchling, with little compression: that of the component takes the most time."""


def build(target: str, source: Path, folder: Path) -> Path:
    """The distribution of that kind, built without a network."""
    subprocess.run(
        [sys.executable, "-c", QUICKLY, "build", "--target", target, "--directory", folder],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two files that a release has, built from this checkout."""
    return {kind: build(kind, ROOT, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture(scope="module")
def wheel(built: dict[str, Path]) -> zipfile.Path:
    """The wheel, opened."""
    return zipfile.Path(built["wheel"])


def modules(wheel: zipfile.Path) -> Iterator[tuple[str, bytes]]:
    """Name and source of every module in the wheel."""
    for name in wheel.root.namelist():
        if name.endswith(".py"):
            yield name, (wheel / name).read_bytes()


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive, none outside of `folder`; `filter=` needs Python 3.11.4."""
    with tarfile.open(archive) as opened:
        for member in filter(tarfile.TarInfo.isreg, opened):
            content, target = opened.extractfile(member), (folder / member.name).resolve()
            assert content is not None
            assert target.is_relative_to(folder.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())


# Where it is built from


def test_the_source_distribution_gives_the_same_wheel(
    built: dict[str, Path], tmp_path: Path
) -> None:
    unpack(built["sdist"], tmp_path / "source")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path / "wheel")
    assert again.read_bytes() == built["wheel"].read_bytes()


def test_container_context_makes_the_same_wheel(built: dict[str, Path], tmp_path: Path) -> None:
    stage = (ROOT / "Dockerfile").read_text().split("\nFROM ")[1]
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    for line in re.findall(r"^COPY (.+)$", stage, re.MULTILINE):
        *names, target = line.split()
        assert set(names) <= sent
        for name in names:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, tmp_path / "source" / target, ignore=ignored)
            else:
                place = tmp_path / "source" / target / Path(name).name
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, place)
    (tmp_path / "source" / BUILT).parent.mkdir(parents=True)  # the builder is asked elsewhere
    shutil.copyfile(ROOT / BUILT, tmp_path / "source" / BUILT)
    again = build("wheel", tmp_path / "source", tmp_path / "wheel")
    assert again.read_bytes() == built["wheel"].read_bytes()


# What is in it


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_every_page_and_asset_is_in_the_wheel(wheel: zipfile.Path, folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    assert files
    for path in files:
        packed = wheel / "seegrad" / path.relative_to(ROOT).as_posix()
        assert packed.read_bytes() == path.read_bytes()


def test_the_wheel_installs_one_name(wheel: zipfile.Path) -> None:
    tops = {name.partition("/")[0] for name in wheel.root.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"seegrad"}


def test_every_module_is_in_the_wheel_and_differs_in_its_imports_alone(wheel: zipfile.Path) -> None:
    packed = dict(modules(wheel))
    assert len(packed) == sum(
        1 for top in ("seegrad", "app", "engine") for _ in (ROOT / top).rglob("*.py")
    )
    for name, source in packed.items():
        inner = name.removeprefix("seegrad/")
        own = ROOT / (inner if inner.startswith(("app/", "engine/")) else name)
        assert re.sub(rb"\bfrom seegrad\.(app|engine)\b", rb"from \1", source) == own.read_bytes()


def test_the_component_is_in_the_wheel(wheel: zipfile.Path) -> None:
    assert (wheel / "seegrad" / COMPONENT).read_bytes() == (ROOT / BUILT).read_bytes()


def test_no_module_of_the_wheel_imports_a_package_of_the_checkout(wheel: zipfile.Path) -> None:
    for name, source in modules(wheel):
        for node in ast.walk(ast.parse(source, name)):
            tops: list[str] = []
            if isinstance(node, ast.Import):
                tops = [alias.name.partition(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                tops = [str(node.module).partition(".")[0]]
            assert not {"app", "engine", "tests", "scripts"}.intersection(tops), name


def test_licences_types_and_the_command_are_in_the_wheel(wheel: zipfile.Path) -> None:
    names = wheel.root.namelist()
    licences = {name.partition("/licenses/")[2] for name in names}
    assert {"LICENSE", "static/vendor/htmx-4.0.1.LICENSE.txt"} <= licences
    assert "seegrad/py.typed" in names
    (entry_points,) = (name for name in names if name.endswith("/entry_points.txt"))
    assert "seegrad = seegrad.__main__:main" in (wheel / entry_points).read_text()


def test_the_version_is_that_of_the_package(built: dict[str, Path]) -> None:
    version = seegrad.__version__
    assert built["wheel"].name == f"seegrad-{version}-py3-none-any.whl"
    assert built["sdist"].name == f"seegrad-{version}.tar.gz"
    assert built["wheel"].name in (ROOT / "docs/operation.md").read_text("utf-8")


def test_an_editable_installation_is_the_checkout(tmp_path: Path) -> None:
    code = f"from hatchling.build import build_editable; build_editable({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (editable,) = (zipfile.Path(path) for path in tmp_path.iterdir())
    (path,) = (it for it in editable.iterdir() if not it.name.endswith(".dist-info"))
    assert path.name.endswith(".pth")
    assert path.read_text() == str(ROOT)


# Installed beside modules of the user's


class Environment:
    """An environment that has the distribution and, when asked for, what it depends on."""

    def __init__(self, folder: Path, distribution: Path) -> None:
        self.work = folder / "work"
        for name, text in USERS.items():
            (self.work / name).parent.mkdir(parents=True, exist_ok=True)
            (self.work / name).write_text(text)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
        self.python = folder / "env" / "bin" / "python"
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        self._dependencies = site / "dependencies.pth"
        self.cache = folder / "cache"
        (self.cache / "seegrad").mkdir(parents=True)
        for code in (ROOT / BUILT).parent.glob("*.machine-code"):  # the same for the same component
            (self.cache / "seegrad" / code.name).symlink_to(code)
        self.install(distribution)

    def install(self, *what: str | Path) -> None:
        """Let pip install that, from what is on this machine alone."""
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.python,
            "--isolated",
            "install",
        ]
        offline = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--quiet"]
        with self.dependencies():
            subprocess.run([*command, *offline, *what], check=True, cwd=self.work)

    @contextmanager
    def dependencies(self) -> Iterator[None]:
        """Let this suite's packages be found behind the environment's own."""
        self._dependencies.write_text(INSTALLED)
        try:
            yield
        finally:
            self._dependencies.unlink()

    def variables(self) -> dict[str, str]:
        """Those of this process without those that lead Python elsewhere or are Seegrad's own."""
        ours = ("PYTHON", "SEEGRAD_")
        own = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
        return {**own, "XDG_CACHE_HOME": str(self.cache)}

    def prints(self, *arguments: str, text: str = "") -> str:
        """What Python prints in the user's folder."""
        command: list[str | Path] = [self.python, *arguments]
        done = subprocess.run(
            command, input=text, cwd=self.work, env=self.variables(), capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def environment(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An empty environment with the wheel, which the source distribution gives too."""
    return Environment(tmp_path_factory.mktemp("installed"), built["wheel"])


def test_package_calculates_with_the_standard_library_alone(environment: Environment) -> None:
    code = (
        "from seegrad import MLP, Layer, Module, Neuron, TrainSpec, Value, trace, train\n"
        "x = Value(3.0); y = x*x + x; y.backward()\n"
        "*_, last = train(TrainSpec(data='xor', steps=2))\n"
        "import sys, seegrad\n"
        "assert 'wasmtime' not in sys.modules\n"
        "print(x.grad, len(MLP(3, [4, 4, 1]).parameters()))\n"
        "print(last.step, seegrad.__file__)\n"
    )
    numbers, where = environment.prints("-c", code).splitlines()
    assert numbers == "7.0 41"
    assert where.startswith("2 ")
    assert Path(where[2:]).is_relative_to(environment.work.parent / "env")
    printed = environment.prints("-m", "seegrad.training", "-", text='{"steps": 1}')
    assert json.loads(printed)["spec"]["steps"] == 1


def test_package_traces_what_cpython_runs_in_the_sandbox(environment: Environment) -> None:
    program = "a = 2.0; b = a*a"
    with environment.dependencies():
        printed = environment.prints("-m", "seegrad.trace", "-", text=program)
    assert json.loads(printed) == seegrad.trace(program).to_json()


def test_exported_code_runs_to_the_same_losses(environment: Environment) -> None:
    spec = TrainSpec(data="moons", samples=20, layers=(2, 4, 1), loss="hinge", steps=3)
    (environment.work / "run.py").write_text(export(spec, "seegrad"))
    with environment.dependencies():
        printed = environment.prints("run.py")
    *states, _ = seegrad.train(spec)
    assert [float(line) for line in printed.splitlines()] == [state.loss for state in states]


def test_the_command_serves_and_draws(environment: Environment) -> None:
    with environment.dependencies(), _serving(environment) as url:
        with urllib.request.urlopen(f"{url}/graph.svg?program=a%3D2.0%3Bb%3Da*a") as answer:
            picture = answer.read()
            version = answer.headers["seegrad-version"]
        with urllib.request.urlopen(f"{url}/train?data=xor") as answer:
            page = answer.read().decode()
        style = re.search(r"/static/\w+/([\w/.-]+\.css)", page)
        assert style
        with urllib.request.urlopen(url + style[0]) as answer:
            assert answer.read() == (ROOT / "static" / style[1]).read_bytes()
    assert picture.startswith(b"<svg")
    assert version == version_key(from_environment({}))


@contextmanager
def _serving(environment: Environment) -> Iterator[str]:
    """The address of a server with two workers, started as a user does, until the block ends."""
    port = free_port()
    command = [str(environment.python.with_name("seegrad")), "--no-open", "--port", str(port)]
    log = environment.work / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, "--workers", "2"],
            cwd=environment.work,
            env=environment.variables(),
            stderr=output,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_well(server, address, log)
        yield address
    finally:
        stop(server, log)


def test_the_module_is_the_command(environment: Environment) -> None:
    with environment.dependencies():
        printed = environment.prints("-m", "seegrad", "--version")
    assert printed == f"seegrad {seegrad.__version__}\n"


def test_two_installations_of_a_version_calculate_alike(environment: Environment) -> None:
    code = "from seegrad.engine.runs.sweep import edition; print(edition())"
    with environment.dependencies():
        assert environment.prints("-c", code).strip() == edition()
