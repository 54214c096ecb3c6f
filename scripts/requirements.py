"""Compile requirements/*.txt from what is asked for, and tell whether they still answer it.

    python -m scripts.requirements            compile anew (needs uv and the network)
    python -m scripts.requirements --upgrade  the same, with the newest versions allowed
    python -m scripts.requirements --check    exit 1 if a file is out of date (needs neither)

Each compiled file records a digest of what it was compiled from: the dependencies in pyproject.toml
and the lines of the .in files. The check recomputes the digests, and looks that all files pin a
package alike, so that what is served is what was tested. It cannot see that a newer version exists.
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
BUILD, TEST, CHECK = (f"requirements/{name}.in" for name in ("build", "test", "check"))

# Compiled file -> what it is compiled from. Each keeps the versions of the files above it.
SOURCES: dict[str, tuple[str, ...]] = {
    "requirements/run.txt": (PROJECT,),
    "requirements/build.txt": (BUILD,),
    "requirements/test.txt": (PROJECT, BUILD, TEST),
    "requirements/check.txt": (PROJECT, BUILD, TEST, CHECK),
}
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==([^\s;]+)", re.MULTILINE)


def asked(source: str) -> list[str]:
    """The requirements a source states, without comments and blank lines."""
    text = (ROOT / source).read_text(encoding="utf-8")
    if source == PROJECT:
        project = tomllib.loads(text)["project"]
        return [f"python{project['requires-python']}", *project["dependencies"]]
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def first_line(target: str) -> str:
    """The line a current compiled file begins with: the digest of all that it is compiled from."""
    stated = "\n".join(line for source in SOURCES[target] for line in sorted(asked(source)))
    return f"# compiled from: sha256 {hashlib.sha256(stated.encode()).hexdigest()}\n"


def compile_all(upgrade: bool) -> None:
    """Let uv choose versions for every platform and write them with their hashes.

    Versions already written are kept where they still answer, so that two runs give the same files.
    Raises CalledProcessError when uv finds no answer.
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
    """What is wrong with the compiled files; empty when they are current."""
    missing = [target for target in SOURCES if not (ROOT / target).exists()]
    if missing:
        return [f"{target} is missing" for target in missing]
    texts = {target: (ROOT / target).read_text(encoding="utf-8") for target in SOURCES}
    found = [
        f"{target} was compiled from other requirements than those now asked for"
        for target, text in texts.items()
        if not text.startswith(first_line(target))
    ]
    tested = set(PIN.findall(texts["requirements/check.txt"]))
    for target, text in texts.items():
        found += [
            f"{target} has {name} {version}, requirements/check.txt has another version"
            for name, version in sorted(set(PIN.findall(text)) - tested)
        ]
    return found


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.requirements")
    parser.add_argument("--check", action="store_true", help="only look, offline")
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
