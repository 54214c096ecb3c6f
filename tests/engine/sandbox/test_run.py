"""Programs run inside: what they print and raise, what is kept of them, and what is not."""

import subprocess
import sys
import threading

import pytest

from engine.sandbox.sandbox import Sandbox
from tests.engine.sandbox.programs import error, printed, run, start
from tests.support.places import ROOT


def test_a_program_prints() -> None:
    assert printed("print(2 ** 100, 'é', end='!')") == f"{2**100} é!"


def test_it_is_cpython() -> None:
    assert printed("import sys; print(sys.implementation.name, *sys.version_info[:2])") == (
        "cpython 3 14\n"
    )


def test_an_exception_is_the_reply_with_the_program_s_lines_alone() -> None:
    assert error("def f():\n    return 1 / 0\nf()").splitlines() == [
        "Traceback (most recent call last):",
        '  File "program.py", line 3, in <module>',
        '  File "program.py", line 2, in f',
        "ZeroDivisionError: division by zero",
    ]


def test_what_is_printed_comes_at_once_and_in_order() -> None:
    chunks: list[tuple[str, str]] = []
    program = "import sys\nprint('a', 1)\nprint('b', file=sys.stderr)\nprint('c', end='')"
    outcome = run(program, on_output=lambda kind, text: chunks.append((kind, text)))
    assert "".join(text for _, text in chunks) == "a 1\nb\nc"
    assert tuple(chunks) == outcome.emitted
    assert outcome.text("stderr") == "b\n"


def test_values_before_one_that_cannot_be_printed_are_printed() -> None:
    program = "class A:\n    def __str__(self): raise OSError\n"
    program += "try: print(1, A(), 2)\nexcept OSError: pass"
    assert printed(program) == "1 "


def test_an_error_of_the_listener_is_the_caller_s() -> None:
    def listen(kind: str, text: str) -> None:
        raise KeyError(text)

    with pytest.raises(KeyError, match="now"):
        run("print('now', end='')\nwhile True: pass", on_output=listen)


def test_a_text_that_utf8_cannot_hold_is_escaped() -> None:
    assert printed(r"print('\ud800')") == "\\ud800\n"


def test_nothing_of_a_run_is_in_the_next() -> None:
    mark = "import builtins, math, sys\nprint(hasattr(builtins, 'MARK'), hasattr(math, 'MARK'))\n"
    mark += "builtins.MARK = math.MARK = sys.MARK = 1\nprint = None"
    assert {printed(mark) for _ in range(10)} == {"False False\n"}


def test_runs_at_once_do_not_see_each_other() -> None:
    own = Sandbox(at_once=8)
    program = "import builtins\nbuiltins.NUMBER = {0}\nfor _ in range(200): print(NUMBER)"
    runs = [start(program.format(number), own) for number in range(32)]
    for number, one in enumerate(runs):
        assert one.outcome().text() == f"{number}\n" * 200
    own.close()


def test_an_endless_loop_ends_at_its_budget_and_keeps_what_it_printed() -> None:
    outcome = run("print('before')\nwhile True: pass", seconds=0.2)
    assert (outcome.ending, outcome.reply, outcome.text()) == ("time", None, "before\n")
    assert outcome.seconds >= 0.2


def test_a_run_can_be_cancelled_from_another_thread() -> None:
    begun = threading.Event()
    one = start("print()\nwhile True: pass", on_output=lambda *_: begun.set())
    assert begun.wait(60)
    one.cancel()
    assert one.outcome(60).ending == "cancelled"


def test_a_run_that_is_cancelled_before_it_begins_ends_at_once() -> None:
    own = Sandbox(at_once=1)
    first = start("while True: pass", own)
    second = start("print(1)", own)
    second.cancel()
    assert (second.outcome(60).ending, second.outcome().emitted) == ("cancelled", ())
    assert not first.future.done()
    first.cancel()
    assert first.outcome(60).ending == "cancelled"
    assert run("print(2)", own).text() == "2\n"
    own.close()


def test_closing_cancels_what_runs_and_what_waits() -> None:
    own = Sandbox(at_once=1)
    runs = [start("while True: pass", own) for _ in range(3)]
    own.close()
    assert [one.outcome(60).ending for one in runs] == ["cancelled"] * 3
    with pytest.raises(RuntimeError, match="closed"):
        start("1", own)


def test_more_runs_than_threads_all_end() -> None:
    own = Sandbox(at_once=2)
    runs = [start(f"print({number} ** 2)", own) for number in range(64)]
    assert [int(one.outcome(60).text()) for one in runs] == [number**2 for number in range(64)]
    own.close()


def test_a_process_ends_while_programs_run() -> None:
    code = "from engine.sandbox.sandbox import sandbox\n"
    code += "own = sandbox()\nrun = own.start('while True: pass', export='execute')\n"
    code += "print(own.run('print(1)', export='execute').text(), end='')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)
