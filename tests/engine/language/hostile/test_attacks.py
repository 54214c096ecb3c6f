"""Programs written to get out, to hang, or to fill the memory, each with its right outcome.

They run one after the other in a process of their own, so that none of them can harm the tests.
Work is counted in operations: with a tenth of the budget everything must end just the same.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

from tests.support.attacks import Attack, read
from tests.support.own_memory import with_own_memory

OPERATIONS = {
    "reach.txt": 100_000,
    "endless.txt": 100_000,
    "depth.txt": 500_000,
    "memory.txt": 200_000,
    "arrays.txt": 200_000,
    "classes.txt": 200_000,
}
"""The budget of each program of a file: those of depth need room to become deep."""
BYTES = 50
"""Of an operation: the memory that a run may take for each."""
SLACK = 70
"""MB that the interpreter keeps for itself over many runs."""
SECONDS = 300
"""Beyond which the process hangs."""
ATTACKS = [
    pytest.param(name, attack, id=f"{name}: {attack.title}")
    for name in OPERATIONS
    for attack in read(name)
]


@cache
def outcomes(name: str) -> tuple[dict[str, str], float]:
    """The outcome of each attack of a file, and the growth of the memory in MB."""
    command = [sys.executable, "-m", "tests.support.attacks", name, str(OPERATIONS[name])]
    done = subprocess.run(
        with_own_memory(command), capture_output=True, text=True, timeout=SECONDS, check=False
    )
    *lines, memory = done.stdout.splitlines() or [""]
    found = dict(line.split("\t") for line in lines)
    assert done.returncode == 0, f"stopped after {list(found)[-1:]}: {done.stderr[-2000:]}"
    return found, float(memory)


@pytest.mark.parametrize(("name", "attack"), ATTACKS)
def test_an_attack_ends_as_it_must(name: str, attack: Attack) -> None:
    assert outcomes(name)[0][attack.title] == attack.expected


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_attack_takes_more_memory_than_its_operations_allow(name: str) -> None:
    assert outcomes(name)[1] <= OPERATIONS[name] * BYTES / 2**20 + SLACK


def test_the_catalogue_is_whole() -> None:
    titles = [(name, attack.title) for name in OPERATIONS for attack in read(name)]
    assert len(titles) == len(set(titles)) >= 480
