"""Memory that is given back: how the C library of Linux keeps what was freed.

Left to itself it keeps a heap for each thread, and after a large block was freed it puts the next
ones of that size between small ones, where they cannot be given back. A server that draws for
months would grow by the worst that ever happened at the same time.
"""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # their numbers in glibc's malloc.h
SETTLED = ((ARENA_MAX, 2), (MMAP_THRESHOLD, 131_072), (TRIM_THRESHOLD, 131_072))  # heaps; bytes


def settle() -> bool:
    """Have large blocks given back at once; whether the C library could be told."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library, such as musl
        return False
    told = [mallopt(what, value) == 1 for what, value in SETTLED]
    return all(told)
