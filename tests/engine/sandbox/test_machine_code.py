"""Machine code is made once, and made again only where it does not fit."""

from pathlib import Path

import pytest
import wasmtime
from wasmtime.component import Component

from engine.sandbox import machine_code

SMALLEST = "(component)"


@pytest.fixture
def component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The smallest component in place of Python's, in a folder that has nothing else."""
    path = tmp_path / "built" / machine_code.COMPONENT
    path.parent.mkdir()
    path.write_bytes(wasmtime.wat2wasm(SMALLEST))
    monkeypatch.setattr(machine_code, "HERE", path.parent)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path


def kept(component: Path) -> Path:
    """Where machine code of an installed package's component is kept."""
    return component.parents[1] / "cache/seegrad" / machine_code.name_for(component)


def test_it_is_kept_for_the_user_alone_and_used_again(
    component: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine_code.load(machine_code.new_engine())
    assert kept(component).parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(Component, "from_file", None)  # compiles
    machine_code.load(machine_code.new_engine())


def test_code_that_does_not_fit_is_made_again(component: Path) -> None:
    beside = component.with_name(machine_code.name_for(component))
    beside.write_bytes(b"made by another version")
    machine_code.load(machine_code.new_engine())
    assert kept(component).exists()


def test_it_is_made_where_nothing_can_be_kept(
    component: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(component))  # a file
    machine_code.load(machine_code.new_engine())
    assert [path.name for path in component.parent.iterdir()] == [component.name]


def test_an_image_has_it_beside_the_component_for_every_user(component: Path) -> None:
    machine_code.prepare()
    beside = component.with_name(machine_code.name_for(component))
    assert beside.stat().st_mode & 0o444 == 0o444
    machine_code.load(machine_code.new_engine())
    assert not kept(component).exists()


def test_another_component_has_another_name(component: Path) -> None:
    before = machine_code.name_for(component)
    component.write_bytes(component.read_bytes() + b"\0\x02\x01a")  # with a custom section
    assert machine_code.name_for(component) != before


def test_a_missing_component_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "HERE", tmp_path)
    monkeypatch.setattr(machine_code, "BUILT", tmp_path)
    with pytest.raises(machine_code.NotBuiltError, match="make sandbox"):
        machine_code.component_path()
