"""`python -m benchmarks` runs all parts; `python -m benchmarks scalar server` the named ones.

Prints Markdown tables. A missed goal is reported in its row and is no failure. Candidates that are
compared are measured alternately, A B A B, in one run; figures are medians with minimum and maximum
in brackets. Ratios are more reliable than times, which depend on the machine and its load.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    browser,
    doctor,
    examples,
    load,
    paths,
    proxy,
    recorded,
    recording,
    scalar,
    server,
    train,
    train_page,
)

PARTS: dict[str, Callable[[], str | Iterator[str]]] = {
    "scalar": scalar.run,
    "recording": recording.run,
    "recorded": recorded.run,
    "paths": paths.run,
    "train": train.run,
    "doctor": doctor.run,
    "server": server.run,
    "examples": examples.run,
    "load": load.run,
    "proxy": proxy.run,
    "browser": browser.run,
    "train_page": train_page.run,
}


def main(argv: list[str] | None = None) -> int:
    """Run the parts named on the command line, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Seegrad.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--peers", metavar="PYTHON", help="a Python with the peers of train")
    parser.add_argument("--seconds", type=float, metavar="N", help="duration of each crowd of load")
    parser.add_argument("--beside", metavar="CHECKOUT", help="another one to measure examples of")
    options = parser.parse_args(argv)
    chosen = options.parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"unknown part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    if options.peers:
        os.environ[train.PYTHON] = options.peers
    if options.beside:
        os.environ[examples.BESIDE] = options.beside
    if options.seconds:
        os.environ[load.SECONDS] = str(options.seconds)
    print(
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} processors, load {_load()}\n"
    )
    for name in chosen:
        found = PARTS[name]()
        for text in [found] if isinstance(found, str) else found:
            print(text, flush=True)
    return 0


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    sys.exit(main())
