"""Build what the sandbox loads: CPython for WebAssembly, and machine code made from it.

    python -m scripts.sandbox           (`make run` and `make test` run it; it needs the network)

The component, CPython with the guest already imported, is the same for every platform, and is built
anew only when one of its parts changes: the sources named here, or the pinned builder, which lives
in an environment of its own. The machine code is for this platform and this wasmtime.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.sandbox import machine_code

ROOT = Path(__file__).resolve().parent.parent
PINS = "requirements/sandbox.txt"
INTERFACE = "engine/sandbox/sandbox.wit"
WORLD = "engine.sandbox.inside.world"

# Has handle(request: str) -> str and warm(); what it imports must be among the sources.
GUEST = "engine.record.guest"
SOURCES = (
    "engine/*.py",
    "engine/array_ops/**/*.py",
    "engine/arrays/**/*.py",
    "engine/stand_ins/**/*.py",
    "engine/record/**/*.py",
    "engine/tensors/**/*.py",
    "engine/sandbox/__init__.py",
    "engine/sandbox/inside/*.py",
)


def files() -> list[Path]:
    """The sources, in a fixed order."""
    return sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))


def parts(guest: str = GUEST) -> str:
    """A digest of all that the component is made from."""
    digest = hashlib.sha256(guest.encode())
    for path in (*files(), ROOT / PINS, ROOT / INTERFACE, Path(__file__).resolve()):
        digest.update(f"\0{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def build(folder: Path = machine_code.BUILT, guest: str = GUEST) -> Path:
    """The component in `folder`, built if it is not there or not current."""
    component = folder / machine_code.COMPONENT
    record = folder / "parts"
    wanted = parts(guest)
    if component.exists() and record.exists() and record.read_text() == wanted:
        return component
    folder.mkdir(parents=True, exist_ok=True)
    tools = _tools(machine_code.BUILT / "tools")
    with TemporaryDirectory(dir=folder) as stage:
        _say(f"Building CPython for WebAssembly with {guest} inside")
        made = _componentize(tools, Path(stage), guest)
        record.unlink(missing_ok=True)  # not current before it is complete
        made.replace(component)
    for old in folder.glob(f"*{machine_code.SUFFIX}"):
        old.unlink()
    record.write_text(wanted)
    return component


def _componentize(tools: Path, stage: Path, guest: str) -> Path:
    for path in files():
        copy = stage / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    # What the package offers by itself would be imported, and take hold of `math`, before all else.
    (stage / "engine/__init__.py").write_text("")
    (stage / "seegrad_guest.py").write_text(f"from {guest} import handle, warm\n")
    made = stage / machine_code.COMPONENT
    _run(
        *(tools, "--wit-path", ROOT / INTERFACE, "--world", "sandbox"),
        *("componentize", WORLD, "--python-path", stage, "--output", made),
    )
    return made


def _tools(folder: Path) -> Path:
    """The pinned builder, installed if it is not."""
    program = Path(venv.EnvBuilder().ensure_directories(folder).bin_path, "componentize-py")
    record = folder / "pins"
    pins = (ROOT / PINS).read_text("utf-8")
    if record.exists() and record.read_text("utf-8") == pins:
        return program
    _say(f"Installing {PINS} into {os.path.relpath(folder)}")
    venv.create(folder, clear=True)
    python = venv.EnvBuilder().ensure_directories(folder).env_exe
    _run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"),
        *("--python", python, "install", "--require-hashes", "--requirement", ROOT / PINS),
    )
    record.write_text(pins, "utf-8")
    return program


def _run(*command: str | Path) -> None:
    """Run a command without what an active environment would add to the guest's path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(
        command, check=False, env=environment, cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}\nNot built: {command[0]} failed")


_START = time.perf_counter()


def _say(line: str) -> None:
    print(f"[{time.perf_counter() - _START:5.1f} s] {line}", file=sys.stderr, flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts.sandbox", description=__doc__)
    parser.add_argument("--guest", default=GUEST, help="the module that is run inside")
    parser.add_argument("--output", type=Path, default=machine_code.BUILT, help="the folder")
    parser.add_argument("--component-only", action="store_true", help="no machine code")
    arguments = parser.parse_args()
    component = build(arguments.output, arguments.guest)
    code = component.with_name(machine_code.name_for(component))
    if arguments.component_only or code.exists():
        return
    _say("Compiling it to machine code")
    machine_code.compile_to(machine_code.new_engine(), component, code)
    _say(f"Ready: {os.path.relpath(component)}, {component.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
