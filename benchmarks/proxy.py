"""nginx with two replicas, configured as in `deploy/`, on loopback.

wrk requests cached traces over 32 connections, on the same cores as nginx and with a raised limit
per address. Then replicas are killed in turn while runs are watched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.losing import KILLS, SPEC, STREAMS, kills, undisturbed
from benchmarks.replicas import HOST, Cluster
from benchmarks.report import NO_GOAL, AtLeast, Goal, table
from scripts.find_nginx import find

PROGRAM = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
SECONDS = 10
CONNECTIONS = 32
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
OTHERS = ("Non-2xx", "Socket errors")


def run() -> str:
    """Run all measurements; returns the tables."""
    if find() is None:
        return (
            "### Behind nginx\n\nNot measured: there is no nginx (apt-get install nginx-light).\n"
        )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        cluster = Cluster.in_folder(folder)
        cluster.proxy.changes = {"SEEGRAD_REQUESTS": "1000000r/s"}
        stack.callback(cluster.stop)
        cluster.start()
        return "\n".join([_lost(cluster), _cached(cluster)])


def _cached(cluster: Cluster) -> str:
    head = ("cached traces", "a second", "goal", "", "p99, ms", "goal", "")
    title = f"Behind nginx: cached traces, {CONNECTIONS} connections, {SECONDS} s"
    wrk = shutil.which("wrk")
    if wrk is None:
        return f"### {title}\n\nNot measured: there is no wrk (apt-get install wrk).\n"
    path = f"/v/{cluster.version()}/api/trace?{urlencode({'program': PROGRAM})}"
    if cluster.ask(path).status != 200:
        raise RuntimeError("the trace is not available")
    rows = [_row("both replicas live", wrk, cluster, path)]
    cluster.kill()
    rows.append(_row("both replicas dead", wrk, cluster, path))
    return table(title, head, rows)


def _row(name: str, wrk: str, cluster: Cluster, path: str) -> tuple[str, ...]:
    rate, slow = measured(_load(wrk, f"http://{HOST}:{cluster.proxy.port}{path}"))
    return (
        name,
        f"{rate:,.0f}",
        *AtLeast(20_000).words(rate),
        f"{slow:.1f}",
        *Goal(10).words(slow),
    )


def _load(wrk: str, address: str) -> str:
    options = ["--threads", "2", "--connections", str(CONNECTIONS), "--duration", f"{SECONDS}s"]
    done = subprocess.run(
        [wrk, *options, "--latency", address], capture_output=True, text=True, check=True
    )
    return done.stdout


def measured(said: str) -> tuple[float, float]:
    """Responses per second and the p99 in ms, from wrk's output. Raises ValueError for errors."""
    if any(line.strip().startswith(OTHERS) for line in said.splitlines()):
        raise ValueError(said)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    slow = re.search(r"99%\s+([\d.]+)(us|ms|s)", said)
    if rate is None or slow is None:
        raise ValueError(said)
    return float(rate[1]), float(slow[1]) * UNITS[slow[2]]


def _lost(cluster: Cluster) -> str:
    watchers, asked, _ = kills(cluster)
    expected = undisturbed()
    same = sum(watcher.losses == expected for watcher in watchers)
    lost = [watcher.lost for watcher in watchers]
    errors = asked.answers.total() - asked.answers["right"]
    refused = sum(watcher.refused.total() for watcher in watchers)
    rows = [
        ("streams with bit-identical losses", f"{same}", *AtLeast(STREAMS).words(same)),
        ("connections lost per stream", f"{min(lost)} to {max(lost)}", *NO_GOAL),
        ("streams refused", f"{refused}", *Goal(0).words(refused)),
        ("traces requested meanwhile", f"{asked.answers.total():,}", *NO_GOAL),
        ("of these, failed", f"{errors}", *Goal(0).words(errors)),
        ("of these, the slowest, s", f"{asked.slowest:.2f}", *NO_GOAL),
    ]
    title = f"Behind nginx: {STREAMS} streams of {SPEC.steps:,} steps, {KILLS} replicas killed"
    return table(title, ("what", "", "goal", ""), rows)


if __name__ == "__main__":
    print(run())
