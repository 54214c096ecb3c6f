"""Settings of glibc's malloc, so that freed memory returns to the operating system.

By default glibc keeps a heap for each thread and, once a large block was freed, allocates blocks of
that size among small ones, where they cannot be returned. A server that runs for months would keep
the largest amount of memory that its threads ever used at the same time.
"""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # from glibc's malloc.h
SETTLED = ((ARENA_MAX, 2), (MMAP_THRESHOLD, 131_072), (TRIM_THRESHOLD, 131_072))  # heaps; bytes


def settle() -> bool:
    """Set the options of malloc; whether the C library accepted them."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library, such as musl
        return False
    accepted = [mallopt(option, value) == 1 for option, value in SETTLED]
    return all(accepted)
