"""The sandbox's component is built anew when a part of it changes, and only then."""

from pathlib import Path

import pytest

from engine.sandbox import machine_code
from scripts import sandbox
from tests.support.places import ROOT


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The guests of the builds that a test asks for; the builder itself is not run."""
    asked: list[str] = []

    def componentize(tools: Path, stage: Path, guest: str) -> Path:
        asked.append(guest)
        made = stage / "made"
        made.write_text(guest)
        return made

    monkeypatch.setattr(sandbox, "_tools", lambda folder: folder)
    monkeypatch.setattr(sandbox, "_componentize", componentize)
    return asked


def test_it_is_built_once(builds: list[str], tmp_path: Path) -> None:
    first = sandbox.build(tmp_path / "new")
    assert (first, first.read_text()) == (tmp_path / "new/python.wasm", sandbox.GUEST)
    assert sandbox.build(tmp_path / "new") == first
    assert builds == [sandbox.GUEST]


def test_another_guest_or_source_or_builder_is_another_component(
    builds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.build(tmp_path)
    sandbox.build(tmp_path, "another.guest")
    monkeypatch.setattr(sandbox, "PINS", "requirements/build.txt")
    sandbox.build(tmp_path)
    monkeypatch.setattr(sandbox, "SOURCES", ("engine/sandbox/inside/*.py",))
    sandbox.build(tmp_path)
    assert builds == [sandbox.GUEST, "another.guest", sandbox.GUEST, sandbox.GUEST]


def test_a_build_that_fails_leaves_nothing_that_counts_as_current(
    builds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.build(tmp_path)

    def fail(tools: Path, stage: Path, guest: str) -> Path:
        raise SystemExit("Not built")

    with monkeypatch.context() as patched:
        patched.setattr(sandbox, "_componentize", fail)
        with pytest.raises(SystemExit):
            sandbox.build(tmp_path, "another.guest")
    assert (tmp_path / machine_code.COMPONENT).read_text() == sandbox.GUEST
    sandbox.build(tmp_path, "another.guest")
    assert (tmp_path / machine_code.COMPONENT).read_text() == "another.guest"


def test_machine_code_of_an_older_component_goes_with_it(builds: list[str], tmp_path: Path) -> None:
    old = tmp_path / f"old{machine_code.SUFFIX}"
    old.write_text("")
    sandbox.build(tmp_path)
    assert not old.exists()


def test_every_package_that_it_installs_is_pinned_by_hashes() -> None:
    text = (ROOT / sandbox.PINS).read_text("utf-8")
    assert text.count("==") == 1
    assert text.count("--hash=sha256:") >= 1


def test_what_the_world_imports_is_among_the_sources() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in sandbox.files()}
    assert sandbox.WORLD.replace(".", "/") + ".py" in names
    assert sandbox.GUEST.replace(".", "/") + ".py" in names
