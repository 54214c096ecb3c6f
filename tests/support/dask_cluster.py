"""A local Dask cluster in separate processes, which ends at the end of its standard input.

    python -m tests.support.dask_cluster WORKERS

prints the address of its scheduler. Each worker has a nanny, which restarts it when it dies, as
with `dask worker`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.places import ROOT


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a cluster's scheduler, and its process."""
    command = [sys.executable, "-m", "tests.support.dask_cluster", str(workers)]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        assert address, "the cluster did not start; see its standard error"
        yield address, process
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait()


def main(workers: int) -> None:
    """Start, print the address, and wait for the end of the input."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as local:
        print(local.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
