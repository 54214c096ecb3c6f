"""`python -m benchmarks` measures everything; `python -m benchmarks scalar server` some of it.

Prints Markdown tables. Nothing here fails for being slow: a row says what its goal is and whether
it is met. Two things that are compared are measured in turns, A B A B, within one run; figures are
medians with the smallest and the largest in brackets. Read the ratios before the times: another
machine, or a busy one, moves all times together.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys

from benchmarks import browser, load, proxy, scalar, server, train

PARTS = {
    "scalar": scalar.run,
    "train": train.run,
    "server": server.run,
    "load": load.run,
    "proxy": proxy.run,
    "browser": browser.run,
}


def main(argv: list[str] | None = None) -> int:
    """Measure the parts that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Gradlens.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--peers", metavar="PYTHON", help="the Python that has train's peers")
    parser.add_argument(
        "--seconds", type=float, metavar="N", help="how long each crowd of load is measured"
    )
    options = parser.parse_args(argv)
    chosen = options.parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if options.peers:
        os.environ[train.PYTHON] = options.peers
    if options.seconds:
        os.environ[load.SECONDS] = str(options.seconds)
    print(
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} processors, load {_load()}\n"
    )
    for name in chosen:
        print(PARTS[name](), flush=True)
    return 0


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    sys.exit(main())
