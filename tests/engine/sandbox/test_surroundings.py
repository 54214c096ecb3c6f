"""What a program finds around it: clocks, random numbers, modules; and what is refused to it."""

import pytest

from engine.sandbox import machine_code
from tests.engine.sandbox.programs import error, printed, run
from tests.support.each import for_each


@pytest.mark.parametrize(
    ("program", "raised"),
    [
        ("open('data.csv')", "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"),
        ("open('a', 'w')", "PermissionError: [Errno 13] Permission denied: 'a'"),
        ("import pathlib; pathlib.Path('a').read_text()", "FileNotFoundError"),
        ("import os; os.listdir('/')", "FileNotFoundError"),
        ("import os; os.mkdir('/a')", "FileNotFoundError"),
        ("import tempfile; tempfile.mkdtemp()", "FileNotFoundError"),
        ("import pandas", "ModuleNotFoundError: No module named 'pandas'"),
        ("import json.nothing", "ModuleNotFoundError: No module named 'json.nothing'"),
        ("import ctypes", "ModuleNotFoundError"),
        ("import socket; socket.socket()", "PermissionError"),
        ("import socket; socket.create_connection(('127.0.0.1', 80))", "PermissionError"),
        (
            "import urllib.request; urllib.request.urlopen('http://a.example')",
            "ModuleNotFoundError",
        ),
        ("import subprocess; subprocess.run(['ls'])", "OSError"),
        ("import os; os.system('ls')", "AttributeError"),
        ("import threading; threading.Thread(target=print).start()", "RuntimeError"),
        ("import multiprocessing; multiprocessing.Pool(2)", "Error"),
        ("input()", "EOFError: EOF when reading a line"),
    ],
)
def test_what_is_refused_can_be_caught(program: str, raised: str) -> None:
    assert raised in error(program)
    caught = f"try:\n    {program}\nexcept Exception as error:\n    print('caught')\nprint('on')"
    assert printed(caught).endswith("caught\non\n")


def test_a_refused_file_comes_with_advice() -> None:
    assert "write the data into the program" in error("open('data.csv')")


def test_a_module_that_is_missing_is_not_found() -> None:
    program = "from importlib.util import find_spec\nprint(find_spec('pandas'))"
    assert printed(program) == "None\n"


def test_the_standard_library_is_there() -> None:
    names = (
        "argparse array ast asyncio base64 bisect calendar cmath collections concurrent.futures"
        " contextlib copy csv dataclasses datetime decimal doctest enum fractions functools gc"
        " graphlib hashlib heapq html inspect io itertools json logging math numbers operator os"
        " pathlib pickle platform pprint queue random re secrets shutil signal statistics string"
        " struct sys tempfile textwrap threading time timeit traceback types typing unittest"
        " urllib.parse uuid warnings weakref zlib"
    )
    assert printed(f"for name in {names.split()}: __import__(name)") == ""


@for_each("name", ["sqlite3", "http.client", "multiprocessing", "xml.etree", "tkinter"])
def test_what_would_need_files_a_network_or_a_screen_is_not(name: str) -> None:
    assert "ModuleNotFoundError" in error(f"import {name}")


def test_clocks_are_the_same_in_every_run_and_go_on() -> None:
    program = """
import datetime, time
clocks = [time.time, time.monotonic, time.perf_counter, time.process_time]
for clock in clocks:
    first, second = clock(), clock()
    assert second > first
    print(first)
print(datetime.datetime.now().year)
"""
    lines = {printed(program) for _ in range(3)}
    assert len(lines) == 1
    assert lines.pop().endswith("2026\n")


def test_sleeping_moves_the_clock_and_takes_no_time() -> None:
    program = "import time\nbegun = time.monotonic()\ntime.sleep(3600)\n"
    program += "print(round(time.monotonic() - begun))"
    outcome = run(program, seconds=2)
    assert (outcome.ending, outcome.text()) == ("returned", "3600\n")


@for_each(
    ("program", "wanted"),
    [
        ("import logging; logging.warning('a')", ""),
        (
            "import threading; a = threading.Lock(); a.acquire(); print(a.acquire(timeout=9))",
            "False",
        ),
        ("import threading; print(threading.Event().wait(9))", "False"),
        ("import select; print(select.select([], [], [], 9.0))", "([], [], [])"),
        ("import queue; queue.Queue().put(1); print(1)", "1"),
        ("import os; print(dict(os.environ), os.read(0, 9))", "{} b''"),
        ("import sys; print(sys.argv, repr(sys.stdin.read()))", "['program.py'] ''"),
        ("import os; os.write(1, 'é\\n'.encode())", "é"),
    ],
)
def test_c_code_that_asks_the_system_is_answered(program: str, wanted: str) -> None:
    assert printed(program).strip() == wanted


def test_unittest_and_asyncio_run() -> None:
    program = """
import asyncio, unittest
class Case(unittest.TestCase):
    def test_it(self): self.assertEqual(1 + 1, 2)
print(unittest.main(argv=["x"], exit=False).result.testsRun)
async def wait(seconds):
    await asyncio.sleep(seconds)
    return seconds
async def both(): return await asyncio.gather(wait(2), wait(1))
print(asyncio.run(both()))
"""
    assert printed(program) == "1\n[2, 1]\n"


def test_unseeded_numbers_are_the_same_in_every_run() -> None:
    program = "import os, random, uuid, secrets\n"
    program += "print(random.random(), os.urandom(4), uuid.uuid4(), secrets.randbits(9), hash('a'))"
    assert len({printed(program) for _ in range(4)}) == 1


def test_a_seed_gives_python_s_numbers() -> None:
    # CPython's documented guarantee: random() of a seed never changes between versions.
    assert (
        printed("import random\nrandom.seed(1)\nprint(random.random())") == "0.13436424411240122\n"
    )


def test_the_component_imports_nothing_but_what_the_host_knows() -> None:
    engine = machine_code.new_engine()
    imports = machine_code.load(engine).type.imports(engine)
    own = {name for name in imports if not name.startswith("wasi:")}
    assert own == {"emit", "real", "real-of-two"}
    assert {name.partition("/")[0] for name in imports.keys() - own} == {
        *("wasi:cli", "wasi:clocks", "wasi:filesystem", "wasi:io", "wasi:random", "wasi:sockets")
    }
