"""The wheel holds what the application needs to run, and nothing that only its makers need."""

import subprocess
import sys
import zipfile

import pytest

from tests.support.places import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """The wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return zipfile.Path(built)


def names(wheel: zipfile.Path) -> list[str]:
    """Every file in the wheel."""
    return wheel.root.namelist()


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_every_page_and_asset_is_in_the_wheel(wheel: zipfile.Path, folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    assert files
    packed = set(names(wheel))
    assert {f"app/{path.relative_to(ROOT).as_posix()}" for path in files} <= packed


def test_only_the_application_is_in_the_wheel(wheel: zipfile.Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"app", "engine"}


def test_licences_are_in_the_wheel(wheel: zipfile.Path) -> None:
    found = {name.partition("/licenses/")[2] for name in names(wheel)}
    assert {"LICENSE", "static/vendor/htmx-4.0.1.LICENSE.txt"} <= found


def test_command_is_in_the_wheel(wheel: zipfile.Path) -> None:
    (entry_points,) = (name for name in names(wheel) if name.endswith("/entry_points.txt"))
    assert "gradlens = app.__main__:main" in (wheel / entry_points).read_text()


def test_engine_needs_the_standard_library_alone() -> None:
    """Import every module of engine where no installed package can be found."""
    script = (
        "import importlib, pkgutil, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import engine\n"
        "for module in pkgutil.walk_packages(engine.__path__, 'engine.'):\n"
        "    needs_wasmtime = module.name.startswith(('engine.kernel', 'engine.wasm'))\n"
        "    if not needs_wasmtime and '__main__' not in module.name:\n"
        "        importlib.import_module(module.name)\n"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", script], check=True)
