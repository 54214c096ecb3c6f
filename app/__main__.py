"""The command `seegrad`: serve on this machine and open the browser.

seegrad [--host 127.0.0.1] [--port 8000] [--workers 1] [--no-open] [--log]
"""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from ipaddress import ip_address

from app.serving.supervisor import supervise
from app.settings import MADE, from_environment, unknown
from engine import __version__

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  # recognised, not chosen
START_TIMEOUT = 30.0  # seconds to wait for the server before the browser is opened
SERVED = {
    "app": f"{__package__}.main:create_app",
    "factory": True,
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "http": f"{__package__}.serving.protocol:GuardedProtocol",
    "ws": "none",
    "timeout_graceful_shutdown": 5,
}
"""How each process serves: options of uvicorn.Config."""


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="seegrad",
        description="See backpropagation at work.",
        epilog="seegrad run script.py: run a script, and write a page of its backward pass.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address (default %(default)s)")
    port, workers = _from(0, 65_535), _from(1, 1_000)
    parser.add_argument("--port", type=port, default=8000, help="port (default %(default)s)")
    parser.add_argument("--workers", type=workers, default=1, help="processes (default 1)")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument("--log", action="store_true", help="log requests (default for others)")
    parser.add_argument("--version", action="version", version=f"seegrad {__version__}")
    return parser.parse_args(argv)


def _from(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers in a range, for argparse."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"give a number from {least} to {most}, not {text}")
        return int(text)

    return number


def main(argv: list[str] | None = None) -> int:
    """Run the server until it is stopped; the exit status is 2 if it cannot listen, 3 if a process
    cannot start."""
    options = arguments(argv)
    if options.log or not _is_own(options.host):
        os.environ.setdefault("SEEGRAD_LOG_REQUESTS", "1")  # workers read it as well
    os.environ.setdefault("SEEGRAD_EXERCISE_KEY", f"{MADE}{secrets.token_hex(32)}")
    try:
        from_environment()
    except ValueError as error:
        print(f"seegrad: {error}", file=sys.stderr)
        return 2
    for line in unknown():
        print(f"seegrad: {line}", file=sys.stderr)
    try:
        listening = _bound(options.host, options.port)
    except OSError as error:
        print(f"seegrad: {_why(error, options.host, options.port)}", file=sys.stderr)
        return 2
    port = listening.getsockname()[1]
    url = f"http://{_reachable(options.host)}:{port}/"
    print(f"Seegrad is at {url}  (Ctrl+C stops it)", flush=True)
    if not options.no_open:
        place = (options.host, port, url)
        threading.Thread(target=_open_when_ready, args=place, daemon=True).start()
    with listening:
        return supervise(SERVED, listening, options.workers)


def _reachable(host: str) -> str:
    if host in EVERYWHERE:  # a browser needs a single address
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _is_own(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _bound(host: str, port: int) -> socket.socket:
    """A socket at this place, which does not listen yet. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def _why(error: OSError, host: str, port: int) -> str:
    """The reason why no server can listen there."""
    if isinstance(error, socket.gaierror):
        return f"{host} is not known; try --host 127.0.0.1, or 0.0.0.0 for others"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use; try --port {port + 1}"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; try --host 0.0.0.0 for all of them"
    if error.errno == errno.EACCES:
        return f"port {port} is not for ordinary users; try --port 8000"
    return f"cannot listen on port {port} of {host}: {error.strerror}"


def _open_when_ready(host: str, port: int, url: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    host = "127.0.0.1" if host in EVERYWHERE else host
    while time.monotonic() < deadline:
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(url)
            return


if __name__ == "__main__":
    sys.exit(main())
