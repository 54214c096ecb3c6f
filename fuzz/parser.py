"""Look for a program that the engine answers with anything but a trace or a refusal, or too late.

    python -m fuzz.parser [--seconds 60]      search
    python -m fuzz.parser PROGRAM             try one file again

libFuzzer, through atheris, cuts, joins and changes the programs of tests/data, tutorials as well as
hostile ones, and keeps whatever makes the engine take a branch that nothing took before. Every text
must end as a trace that can be sent as JSON, or in a ProgramError with its place inside of the
text, within SECONDS of processor time. Anything else stops the search with a status other than 0
and leaves the text in test-results/fuzz; it belongs into tests/data/hostile-programs.jsonl.

Texts and runs are kept shorter than the default limits allow, so that some thousand are tried each
second; what reaches those limits is for tests/engine/language/test_hostile.py. Needs atheris, which
there is for CPython 3.11 to 3.13 on Linux, x86-64.
"""

from __future__ import annotations

import argparse
import json
import keyword
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
FOUND = ROOT / "test-results" / "fuzz"
SECONDS = 2.0
STUCK = 60  # seconds after which libFuzzer gives up on a text that never returns
LONGEST = 2_000  # bytes of a text, as of a seed
OPERATIONS = 10_000  # of one run


def seeds() -> Iterator[str]:
    """The programs of tests/data, tutorials and hostile ones."""
    for path in sorted(DATA.glob("*/*.py")):
        yield path.read_text("utf-8")
    for line in (DATA / "hostile-programs.jsonl").read_text("utf-8").splitlines():
        program = json.loads(line)["program"]
        yield program if isinstance(program, str) else "".join(part * n for part, n in program)


def text_of(data: bytes) -> str:
    """The program that some bytes stand for; bytes that are not UTF-8 become half characters."""
    return data.decode("utf-8", "surrogateescape")


def words() -> Iterator[str]:
    """What programs are made of: the search puts these in whole."""
    from engine.language.functions import BUILTINS
    from engine.language.names import LIBRARIES, MODULES
    from engine.ops import OPS

    yield from {*keyword.kwlist, *OPS, *BUILTINS, *LIBRARIES, *MODULES}
    yield from ("Value(", "Neuron(", "Layer(", "MLP(", ".data", ".grad", ".backward()", "label=")
    yield from ("(", ")", "[", "]", ":\n    ", "\n", "f'{", "}'", "'''", "\\", ":=", "->", "1e999")


def judge() -> Callable[[str], None]:
    """The function that tries one program; raises for what should not be."""
    from engine.language.program import Limits, ProgramError
    from engine.trace.build import trace

    limits = Limits(operations=OPERATIONS)

    def one(text: str) -> None:
        start = time.process_time()
        try:
            json.dumps(trace(text, limits=limits).to_json(), allow_nan=False)
        except ProgramError as error:
            check(error.message, error.span, text)
        took = time.process_time() - start
        assert took < SECONDS, f"took {took:.1f} s"

    return one


def check(message: str, span: tuple[int, int, int, int], text: str) -> None:
    """A refusal says something, of a place inside of the text."""
    line, column, end_line, end_column = span
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert message, "a refusal without a word"
    assert 1 <= line <= end_line <= len(lines), span
    assert 1 <= column <= len(lines[line - 1]) + 1, span
    assert 2 <= end_column <= len(lines[end_line - 1]) + 2, span
    assert (line, column) < (end_line, end_column), span


def search(seconds: int) -> None:
    """Search for some time. Does not return: libFuzzer ends the process, with 0 if all is well."""
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
        *(f"-max_total_time={seconds}", f"-timeout={STUCK}", f"-max_len={LONGEST}"),
        *(f"-dict={dictionary}", f"-artifact_prefix={FOUND}/", "-rss_limit_mb=1024"),
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], lambda data: one(text_of(data)))
    atheris.Fuzz()


def main() -> int:
    """The command line; returns the exit status, unless the search ends the process."""
    parser = argparse.ArgumentParser(prog="fuzz.parser", description="Fuzz the program language.")
    parser.add_argument("--seconds", type=int, default=60, help="how long to search (default: 60)")
    parser.add_argument("program", nargs="?", type=Path, help="a file to try instead")
    arguments = parser.parse_args()
    if arguments.program:
        judge()(text_of(arguments.program.read_bytes()))
        return 0
    if find_spec("atheris") is None:
        print("atheris is not installed; it needs x86-64 Linux and CPython 3.11 to 3.13.")
        return 1
    search(arguments.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
