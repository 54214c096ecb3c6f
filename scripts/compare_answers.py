"""Compare the responses of this checkout with those of another one, byte for byte.

    python -m scripts.compare_answers OTHER_CHECKOUT

For refactorings: starts a server in each, requests some 400 addresses of Explore, Train and the
JSON interface from both, and lists those whose responses differ. Versions and addresses of assets,
which are hashes of the sources, are ignored.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from app.explore.examples import EXAMPLES

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
START_TIMEOUT = 60.0  # seconds for a server to start
SPECS: tuple[dict[str, str], ...] = (
    {},
    {"data": "xor", "layers": "2-4-1", "steps": "40"},
    {"data": "sine", "optimizer": "adam", "learning_rate": "0.01", "steps": "60"},
    {"data": "three_spirals", "layers": "2-8-3", "batch": "10", "steps": "30"},
    {"data": "circles", "zero_grad": "0", "activation": "tanh", "steps": "20"},
    {"data": "gauss", "l1": "0.001", "schedule": "cosine", "loss": "bce", "steps": "25"},
    {"data": "plane", "optimizer": "rmsprop", "accumulate": "0", "steps": "10"},
    {"data": "moons", "learning_rate": "5000", "steps": "30"},
)
TRAIN = (
    "", "/setup", "/state", "/doctor", "/losses.csv", "/code", "/code?to=pytorch", "/kernel",
    "/boundary.png", "/loss.svg", "/network.svg",
)  # fmt: skip


def addresses() -> Iterator[str]:
    """The addresses to compare."""
    yield from (
        "/",
        "/reference",
        "/docs",
        "/openapi.json",
        "/healthz",
        "/nowhere",
        "/train?steps=x",
    )
    tutorials = sorted((ROOT / "tests/data/tutorials").rglob("*.py"))
    programs = [example.program for example in EXAMPLES]
    programs += [path.read_text("utf-8") for path in tutorials]
    programs += [
        "a = 2\ny = a +",
        "a = Value(0.0)\ny = 1 / a\ny.backward()",
        "x = 3.0\ny = x*x + x",
    ]
    for program in programs:
        query = urlencode({"program": program})
        yield from (f"/?{query}", f"/?{query}&frame=3&direction=TB", f"/graph?{query}&frame=1")
        yield from (f"/graph.svg?{query}&frame=2", f"/transcript?{query}", f"/numbers?{query}")
        yield f"/api/trace?{query}"
    for spec in SPECS:
        for path in TRAIN:
            join = "&" if "?" in path else "?"
            yield f"/train{path}{join}{urlencode({**spec, 'step': '7'})}"


@contextmanager
def server(checkout: Path) -> Iterator[str]:
    """Run a server from `checkout`; yields its address."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "--no-open", "--port", str(port)]
    process = subprocess.Popen(command, cwd=checkout, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + START_TIMEOUT
        while answer(f"http://{HOST}:{port}/healthz")[0] != 200:
            if time.monotonic() > end:
                raise TimeoutError(f"{checkout} does not answer.")
            time.sleep(0.1)
        yield f"http://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait()


def answer(address: str) -> tuple[int, bytes, str]:
    """Status, body and version of a response; status 0 if there is none."""
    try:
        with urllib.request.urlopen(address, timeout=60) as found:
            return found.status, found.read(), found.headers.get("seegrad-version", "")
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers.get("seegrad-version", "")
    except OSError:
        return 0, b"", ""


def comparable(found: tuple[int, bytes, str]) -> tuple[int, bytes]:
    """Status and body without hashes of the sources."""
    status, body, version = found
    if version:
        body = body.replace(version.encode(), b"VERSION")
    return status, re.sub(rb"/static/[0-9a-f]{12}/[\w./-]+", b"/static/", body)


def main(arguments: list[str]) -> int:
    """The command line; the exit status is 1 if a response differs."""
    if len(arguments) != 1:
        print("usage: python -m scripts.compare_answers OTHER_CHECKOUT", file=sys.stderr)
        return 2
    compared, differ, statuses = 0, 0, dict[int, int]()
    with server(ROOT) as here, server(Path(arguments[0])) as there:
        for address in addresses():
            own, other = comparable(answer(here + address)), comparable(answer(there + address))
            compared += 1
            statuses[own[0]] = statuses.get(own[0], 0) + 1
            if own != other:
                differ += 1
                sizes = f"{own[0]}, {len(own[1])} bytes against {other[0]}, {len(other[1])}"
                print(f"differs: {address[:120]}  ({sizes})")
    print(f"{compared} addresses, {differ} differ; statuses: {json.dumps(statuses)}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
