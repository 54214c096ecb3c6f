"""Programs that mean harm, or act as if they did: each ends in its instance, within its budget."""

import threading

import pytest

from engine.sandbox.sandbox import Sandbox
from tests.engine.sandbox.programs import error, printed, run, start
from tests.support.each import for_each

SOON = 0.15
NESTED = "x = []\nfor _ in range(100_000): x = [x]\n"


@pytest.mark.parametrize(
    "program",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import itertools\nfor _ in itertools.count(): pass",
        "sum(range(10**12))",
        "10 ** 10 ** 8",
        "9 ** 9 ** 9",
        "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
        (
            "import operator\na = [1]; b = [1]\nfor i in range(60):\n    a = [a, a]; b = [b, b]\n"
            "operator.countOf([a], b)"
        ),
        "P = 2**31 - 1\nset([range(k*P, k*P + 2) for k in range(60000)])",
        "import math\nmath.factorial(10**7)",
        "import math\n[math.perm(2**999 + i, 2000) for i in range(10**6)]",
        "sorted(range(10**6), key=lambda x: -x)\nwhile True: sorted(range(10**6))",
        "import textwrap\ntextwrap.wrap('a' * 1_000_000, 1)",
        "int('9' * 4000) ** 9999",
        (
            "class A:\n    def __eq__(self, other): return self == other\n"
            "import sys\nsys.setrecursionlimit(10**9)\nwhile True:\n    try: A() == A()\n"
            "    except BaseException: pass"
        ),
        "import time\nwhile True: time.sleep(1)",
        "import random\nwhile True: random.SystemRandom().random()",
        "import sys\nsys.setswitchinterval(10**6)\nwhile True: pass",
        "import gc\nwhile True: gc.collect()",
        "import signal\nwhile True: pass",
        "def f():\n    try: yield\n    finally:\n        while True: pass\ng = f(); next(g); del g",
        "class A:\n    def __del__(self):\n        while True: pass\nA()",
    ],
)
def test_what_would_take_for_ever_is_stopped(program: str) -> None:
    outcome = run(f"print('begun')\n{program}", seconds=SOON)
    assert outcome.ending == "time", outcome
    assert outcome.text() == "begun\n"


@for_each(
    "program",
    [
        "[0] * 10**9",
        "'a' * 2_000_000_000",
        "bytearray(2**31 - 1)",
        "x = []\nwhile True: x.append(bytearray(10**6))",
        "x = 'a'\nwhile True: x += x",
        "x = {}\nwhile True: x[len(x)] = 'a' * 10_000",
        "list(range(10**9))",
    ],
)
def test_memory_ends_in_an_error_that_can_be_caught(program: str) -> None:
    outcome = run(program, memory=96 << 20, seconds=60)
    assert outcome.ending == "memory" or "MemoryError" in str(outcome.reply), outcome
    body = program.replace("\n", "\n    ")
    caught = f"try:\n    {body}\nexcept MemoryError:\n    x = None\n    print('caught')"
    assert run(caught, memory=96 << 20, seconds=60).text() == "caught\n"


@pytest.mark.parametrize(
    ("program", "raised"),
    [
        ("def f(): return f()\nf()", "RecursionError: maximum recursion depth exceeded"),
        ("class A:\n    def __add__(self, o): return self + o\nA() + A()", "RecursionError"),
        ("class A:\n    def __repr__(self): return repr(self)\nrepr(A())", "RecursionError"),
        (
            "class A:\n    def __getattr__(self, n): return getattr(self, n + 'a')\nA().a",
            "RecursionError",
        ),
        (f"{NESTED}repr(x)", "RecursionError"),
        (f"{NESTED}x == [x]", "RecursionError"),
        ("import copy\nx = []\nfor _ in range(5000): x = [x]\ncopy.deepcopy(x)", "RecursionError"),
        ("eval('(' * 5000 + ')' * 5000)", "MemoryError"),  # the parser's own, at some 100
        ("eval('-' * 50_000 + '1')", "Error"),
        ("eval('a' + '.a' * 50_000)", "Error"),
        ("import json\njson.loads('[' * 100_000)", "RecursionError"),
        ("import re\nre.compile('(' * 10_000 + ')' * 10_000)", "RecursionError"),
    ],
)
def test_deep_recursion_is_python_s_own_error(program: str, raised: str) -> None:
    assert raised in error(program, seconds=60)


def test_a_recursion_limit_that_a_program_raises_is_obeyed() -> None:
    program = "import sys\nsys.setrecursionlimit(20_000)\n"
    program += "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(15_000))"
    assert printed(program) == "15000\n"


@for_each(
    "program",
    [
        "import os\nos._exit(3)",
        "import os\nos.abort()",
        "import os\nos.kill(os.getpid(), 9)",
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n + 1)\nf(0)",
        (
            "import types\ndef f(): pass\n"
            "f.__code__ = f.__code__.replace(co_code=bytes([100, 200] * 50))\nf()"
        ),
        "import sys\nsys.modules.clear()\nimport json",
        "import builtins\nvars(builtins).clear()\nlen('a')",
        "import gc\nfor o in gc.get_objects():\n    if isinstance(o, dict): o.clear()",
        "import sys\nfor module in list(sys.modules.values()): vars(module).clear()",
        "import engine.sandbox.inside.output as o\no._host.emit = None\nprint(1)",
        "import wit_world\nwit_world.real(10**6, 0.5)",
        "import wit_world\nwit_world.real(0, 'a')",
        "import wit_world\nwit_world.emit('k' * 1000, 'text')",
        "import wit_world\nwit_world.emit('kind', 'a' * (200 << 20))",
        "import wit_world\nwit_world.emit(1, 2)",
        "raise SystemExit(0)",
        "import sys\nsys.stdout = None\nprint(1)",
        "import sys\nsys.exit = sys.excepthook = sys.displayhook = None\n1/0",
        "import atexit\natexit.register(lambda: 1/0)",
        "import faulthandler\nfaulthandler._sigsegv()",
    ],
)
def test_however_a_program_ends_the_next_one_runs(program: str) -> None:
    outcome = run(program, seconds=5, memory=128 << 20)
    assert outcome.ending in {"returned", "failed", "trapped", "memory", "time"}
    assert (outcome.reply is None) == (outcome.ending != "returned")
    assert printed("print(1 + 1)") == "2\n"


def test_a_flood_of_output_ends_at_its_bound_and_is_kept() -> None:
    outcome = run("while True: print('a' * 99)", output=100_000)
    assert outcome.ending == "output"
    assert 50_000 < len(outcome.text()) <= 100_000
    assert set(outcome.text().split("\n")) == {"a" * 99, ""}


def test_chunks_without_text_are_bounded_too() -> None:
    program = "import wit_world\nwhile True: wit_world.emit('', '')"
    outcome = run(program, output=100_000)
    assert outcome.ending == "output"
    assert len(outcome.emitted) < 2_000


def test_a_reply_that_is_too_long_is_refused() -> None:
    outcome = run("raise Exception('a' * 1000)", reply=500)
    assert (outcome.ending, outcome.reply) == ("trapped", None)


def test_text_in_any_script_passes() -> None:
    text = "é∂π 漢字 🎉 \x00 \u2028"
    assert printed(f"print({text!r})") == f"{text}\n"


def test_sixty_four_at_once_all_end() -> None:
    own = Sandbox(at_once=16)
    programs = ["while True: pass", "x = []\nwhile True: x.append(bytearray(10**6))", "print(7)"]
    runs = [start(programs[number % 3], own, seconds=0.1, memory=64 << 20) for number in range(64)]
    endings = [one.outcome(120).ending for one in runs]
    assert set(endings[1::3]) <= {"memory", "returned", "time"}
    assert (set(endings[::3]), set(endings[2::3])) == ({"time"}, {"returned"})
    own.close()


def test_a_long_run_leaves_the_interpreter_lock_to_others() -> None:
    begun = threading.Event()
    long = start("print()\n9 ** 9 ** 9", on_output=lambda *_: begun.set())
    assert begun.wait(60)
    turns = sum(range(100_000))  # were the lock held, this line would not end before the run
    assert turns == 4_999_950_000
    assert not long.future.done()
    long.cancel()
    assert long.outcome(60).ending == "cancelled"
