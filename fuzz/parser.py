"""Fuzz programs: crashes, timeouts and invalid errors are failures.

    python -m fuzz.parser [--seconds 60]      fuzz for that long
    python -m fuzz.parser --runs 2000         fuzz with that many inputs, the seeds among them
    python -m fuzz.parser PROGRAM             reproduce with one file

libFuzzer, through atheris, mutates the programs of tests/data, tutorials and hostile ones, guided
by branch coverage. Every input is read and rewritten here, and run in the sandbox alone. It must
give a trace that can be serialised to JSON, or a ProgramError whose span lies inside the text,
within SECONDS of processor time. Otherwise the fuzzer exits with a nonzero status and leaves the
input in test-results/fuzz; add it to tests/data/hostile-programs.jsonl.

A program's budget is below the default, so that more inputs run. Requires atheris: CPython 3.11 to
3.13 on Linux x86-64.
"""

from __future__ import annotations

import argparse
import json
import keyword
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
FOUND = ROOT / "test-results" / "fuzz"
SECONDS = 2.0
BUDGET = 0.25  # seconds of processor time of a program
STUCK = 60  # libFuzzer's timeout per input in seconds
LONGEST = 2_000  # limit of an input in bytes
MEMORY = 2048  # MB: the sandbox's instances among them


def seeds() -> Iterator[str]:
    """The seed corpus: the programs of tests/data, tutorials and hostile ones."""
    for path in sorted(DATA.glob("*/*.py")):
        yield path.read_text("utf-8")
    for line in (DATA / "hostile-programs.jsonl").read_text("utf-8").splitlines():
        program = json.loads(line)["program"]
        yield program if isinstance(program, str) else "".join(part * n for part, n in program)


def text_of(data: bytes) -> str:
    """The input decoded as UTF-8; invalid bytes become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def words() -> Iterator[str]:
    """The fuzzer's dictionary: tokens of programs."""
    from app import vocabulary
    from engine.ops import OPS

    names = (*vocabulary.FUNCTIONS, *vocabulary.TYPES, *vocabulary.EXCEPTIONS)
    yield from {*keyword.kwlist, *OPS, *names, *vocabulary.modules()}
    yield from ("Value(", "Neuron(", "Layer(", "MLP(", ".data", ".grad", ".backward()", "label=")
    yield from ("(", ")", "[", "]", ":\n    ", "\n", "f'{", "}'", "'''", "\\", ":=", "->", "1e999")


def judge() -> Callable[[str], None]:
    """The function under test, which raises for a failure."""
    from engine.program import Limits, ProgramError
    from engine.record.run import compiled
    from engine.record.source import Source
    from engine.trace.build import trace

    limits = Limits(seconds=BUDGET)

    def one(text: str) -> None:
        start = time.process_time()
        try:
            source = Source(text, limits)
            with suppress(SyntaxError):  # what can be parsed and not compiled, as `return` alone
                compiled(source, judged=True)
            json.dumps(trace(text, limits=limits).to_json(), allow_nan=False)
        except ProgramError as error:
            check(error.message, error.span, text)
        took = time.process_time() - start
        assert took < SECONDS, f"took {took:.1f} s"

    return one


def check(message: str, span: tuple[int, int, int, int], text: str) -> None:
    """Assert that an error has a message and a span inside the text."""
    line, column, end_line, end_column = span
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert message, "an error without a message"
    assert 1 <= line <= end_line <= len(lines), span
    assert 1 <= column <= len(lines[line - 1]) + 1, span
    assert 2 <= end_column <= len(lines[end_line - 1]) + 2, span
    assert (line, column) < (end_line, end_column), span


def search(end: str) -> None:
    """Fuzz to the `end`, an option of libFuzzer, which then exits, with status 0 if all is well."""
    import atheris

    with atheris.instrument_imports(include=["engine"]):
        one = judge()
    folder, dictionary = FOUND / "corpus", FOUND / "words.dict"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, text in enumerate(seeds()):
        if len(text) <= LONGEST:
            (folder / f"{number}.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    escaped = ("".join(rf"\x{byte:02x}" for byte in word.encode()) for word in words())
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped))
    options = [
        *(end, f"-timeout={STUCK}", f"-max_len={LONGEST}"),
        *(f"-dict={dictionary}", f"-artifact_prefix={FOUND}/", f"-rss_limit_mb={MEMORY}"),
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], lambda data: one(text_of(data)))
    atheris.Fuzz()


def main() -> int:
    """The command line; returns the exit status, unless the fuzzer ends the process."""
    parser = argparse.ArgumentParser(prog="fuzz.parser", description="Fuzz programs.")
    parser.add_argument("--seconds", type=int, default=60, help="duration (default: 60)")
    parser.add_argument("--runs", type=int, help="number of inputs instead of a duration")
    parser.add_argument("program", nargs="?", type=Path, help="a file to reproduce with instead")
    arguments = parser.parse_args()
    if arguments.program:
        judge()(text_of(arguments.program.read_bytes()))
        return 0
    if find_spec("atheris") is None:
        print("atheris is not installed; it needs x86-64 Linux and CPython 3.11 to 3.13.")
        return 1
    by_runs = arguments.runs is not None
    search(f"-runs={arguments.runs}" if by_runs else f"-max_total_time={arguments.seconds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
