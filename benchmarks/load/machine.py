"""Resources of a process and processor usage, from Linux's /proc; None elsewhere."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.serving import Server


def memory(process: int) -> float | None:
    """Resident memory in MiB."""
    path = Path(f"/proc/{process}/statm")
    if not path.exists():
        return None
    pages = int(path.read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descriptors(process: int) -> int | None:
    """Open descriptors."""
    path = Path(f"/proc/{process}/fd")
    return len(list(path.iterdir())) if path.exists() else None


@dataclass(frozen=True, slots=True)
class Shares:
    """Average numbers of busy processors: by this process, the server, and all others."""

    client: float
    server: float | None
    others: float | None

    def cells(self) -> tuple[str, str, str]:
        """The cells of a table."""
        shares = (self.client, self.server, self.others)
        client, server, others = ("–" if x is None else f"{max(x, 0.0):.2f}" for x in shares)
        return client, server, others


class Clock:
    """Measures shares from its creation on."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._start = self._look()

    def _look(self) -> tuple[float, float, float | None, float | None]:
        worked = self._server.worked()
        server = None if worked is None else worked / 1000
        return time.perf_counter(), time.process_time(), server, _busy()

    def shares(self) -> Shares:
        """The shares until now."""
        pairs = zip(self._look(), self._start, strict=True)
        spent, client, server, busy = (None if a is None or b is None else a - b for a, b in pairs)
        assert spent is not None
        assert client is not None
        if server is None or busy is None:
            return Shares(client / spent, None, None)
        return Shares(client / spent, server / spent, (busy - client - server) / spent)


def _busy() -> float | None:
    """CPU seconds of all processors since boot."""
    path = Path("/proc/stat")
    if not path.exists():
        return None
    user, nice, system, _, _, *interrupts = map(int, path.read_text().split("\n")[0].split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
