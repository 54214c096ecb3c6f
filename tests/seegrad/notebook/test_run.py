"""`python -m seegrad run script.py`: as Python runs it, and a page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.live_classes import STYLES
from tests.support.places import ROOT

PASS = "a = Value(2.0)\nb = Value(-3.0)\nL = a * b\nL.backward()\nprint(a.grad, b.grad)\n"
CLASS = STYLES["micrograd"]
SCRIPTS = {
    "a pass, arguments and status": "import sys\n" + CLASS + PASS + "print(sys.argv)\nsys.exit(7)",
    "an exception": CLASS + PASS + "def f():\n    raise ValueError('as ever')\nf()",
    "a syntax error": "x = (\nprint('é')",
    "words for the exit": "import sys\nsys.exit('no, thanks')",
    "input, main, a module beside it": (
        "import beside, pickle\n"
        "class Held:\n    x = 1\n"
        "if __name__ == '__main__':\n"
        "    print(input(), beside.NAME, __file__, pickle.loads(pickle.dumps(Held())).x)\n"
    ),
    "its own hooks": (
        "import atexit, sys\n"
        "atexit.register(print, 'the end')\n"
        "sys.excepthook = lambda *it: print('hooked', it[1], file=sys.stderr)\n"
        "1 / 0"
    ),
}
OURS = "seegrad: "


def started(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": "true"},
        input="typed\n",
        capture_output=True,
        text=True,
        check=False,
    )


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return started(folder, "-m", "seegrad", "run", "--no-open", *arguments)


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_output_status_and_tracebacks_are_python_s(text: str, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("NAME = 'beside'")
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    given = ("script.py", "one", "--no-open")
    plain, ours = started(tmp_path, *given), run(tmp_path, *given)
    assert ours.stdout == plain.stdout
    assert ours.returncode == plain.returncode
    said = ours.stderr.splitlines(keepends=True)
    assert "".join(line for line in said if not line.startswith(OURS)) == plain.stderr
    has_pass = "L.backward()" in text
    assert (tmp_path / "script.seegrad.html").exists() == has_pass
    assert not (has_pass and f"{OURS}wrote script.seegrad.html" not in ours.stderr)


def test_the_page_is_that_of_the_pass_asked_for(tmp_path: Path) -> None:
    text = CLASS + "for x in (2.0, 5.0):\n    a = Value(x)\n    L = a * a\n    L.backward()\n"
    (tmp_path / "script.py").write_text(text)
    ours = run(tmp_path, "--pass", "1", "--output", "page.html", "script.py")
    assert ours.stderr == f"{OURS}wrote page.html, the graph of pass 1 of 2\n"
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "4.0000" in page  # the gradient 2a
    assert "10.0000" not in page
    ours = run(tmp_path, "--pass", "9", "script.py")
    assert (ours.returncode, ours.stdout) == (0, "")
    assert ours.stderr == f"{OURS}there is no pass 9: the script runs 2.\n"


def test_what_a_script_shows_itself_is_no_pass_of_it(tmp_path: Path) -> None:
    text = f"import seegrad\n{CLASS}{PASS}seegrad.show(L).save('own.html')\n"
    (tmp_path / "script.py").write_text(text)
    ours = run(tmp_path, "script.py")
    assert ours.stdout == "-3.0 2.0\n"
    assert ours.stderr == f"{OURS}wrote script.seegrad.html, the graph\n"
    assert (tmp_path / "own.html").exists()


def test_a_script_without_a_graph_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("print('hello')")
    ours = run(tmp_path, "script.py")
    assert (ours.returncode, ours.stdout) == (0, "hello\n")
    assert ours.stderr.startswith(f"{OURS}no pass was seen")


def test_a_missing_script_is_refused_as_python_refuses_it(tmp_path: Path) -> None:
    ours = run(tmp_path, "nowhere.py")
    assert ours.returncode == 2
    assert "can't open file 'nowhere.py'" in ours.stderr
    assert "Traceback" not in ours.stderr
