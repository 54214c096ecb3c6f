"""Commands whose peak of memory is their own."""

from __future__ import annotations

from collections.abc import Sequence


def with_own_memory(command: Sequence[str]) -> list[str]:
    """`command`, started by a shell that waits for it.

    Linux counts in a process's peak (`ru_maxrss`) that of the process it was forked from, up to its
    start: begun by a test directly, it would have all the memory of the tests.
    """
    return ["/bin/sh", "-c", '"$@"; exit $?', "sh", *command]
