"""Compile the pinned requirements/*.txt, or check that they are current.

    python -m scripts.requirements            compile (needs uv and the network)
    python -m scripts.requirements --upgrade  compile with the newest permitted versions
    python -m scripts.requirements --check    exit 1 if a file is out of date (needs neither)

Each compiled file records a digest of its sources: the dependencies in pyproject.toml and the lines
of the .in files. The check recomputes the digests and verifies that all files pin the same version
of a package, so that the served versions are the tested ones. It does not detect newer releases.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "pyproject.toml"
BUILD, TEST, CHECK, SANDBOX = (
    f"requirements/{name}.in" for name in ("build", "test", "check", "sandbox")
)

# Compiled file -> its sources. Each keeps the versions pinned by the files above it.
SOURCES: dict[str, tuple[str, ...]] = {
    "requirements/run.txt": (PROJECT,),
    "requirements/build.txt": (BUILD,),
    "requirements/test.txt": (PROJECT, BUILD, TEST),
    "requirements/check.txt": (PROJECT, BUILD, TEST, CHECK),
    "requirements/sandbox.txt": (
        SANDBOX,
    ),  # installed by engine.sandbox.build, apart from all others
}
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==([^\s;]+)", re.MULTILINE)


def direct(source: str) -> list[str]:
    """The requirements in a source, without comments and blank lines."""
    text = (ROOT / source).read_text(encoding="utf-8")
    if source == PROJECT:
        project = tomllib.loads(text)["project"]
        return [f"python{project['requires-python']}", *project["dependencies"]]
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def first_line(target: str) -> str:
    """The first line of a current compiled file: the digest of its sources."""
    stated = "\n".join(line for source in SOURCES[target] for line in sorted(direct(source)))
    return f"# compiled from: sha256 {hashlib.sha256(stated.encode()).hexdigest()}\n"


def compile_all(upgrade: bool) -> None:
    """Resolve versions for all platforms with uv and write them with their hashes.

    Existing pins are kept if they still satisfy the requirements, so compilation is idempotent.
    Raises CalledProcessError if uv finds no resolution.
    """
    above: list[str] = []
    for target, sources in SOURCES.items():
        command = [
            *(sys.executable, "-m", "uv", "pip", "compile", "--quiet"),
            *("--universal", "--python-version", "3.11", "--generate-hashes"),
            *("--no-emit-index-url", "--no-emit-find-links"),
            *("--custom-compile-command", "make requirements"),
            *(argument for name in above for argument in ("--constraints", name)),
            *(("--upgrade",) if upgrade else ()),
            *("--output-file", target, *sources),
        ]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        path = ROOT / target
        path.write_text(first_line(target) + path.read_text(encoding="utf-8"), encoding="utf-8")
        above.append(target)


def complaints() -> list[str]:
    """The problems of the compiled files; empty if they are current."""
    missing = [target for target in SOURCES if not (ROOT / target).exists()]
    if missing:
        return [f"{target} is missing" for target in missing]
    texts = {target: (ROOT / target).read_text(encoding="utf-8") for target in SOURCES}
    found = [
        f"{target} was compiled from outdated requirements"
        for target, text in texts.items()
        if not text.startswith(first_line(target))
    ]
    tested = dict(PIN.findall(texts["requirements/check.txt"]))
    for target, text in texts.items():
        found += [
            f"{target} has {name} {version}, requirements/check.txt a different version"
            for name, version in sorted(set(PIN.findall(text)))
            if tested.get(name, version) != version
        ]
    return found


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.requirements")
    parser.add_argument("--check", action="store_true", help="check only, offline")
    parser.add_argument("--upgrade", action="store_true", help="allow the newest versions")
    arguments = parser.parse_args()
    if not arguments.check:
        compile_all(arguments.upgrade)
    found = complaints()
    for line in found:
        print(f"{line}; run: make requirements", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
