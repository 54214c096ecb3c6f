"""The command `gradlens`: serve on this machine and open the browser.

gradlens [--host 127.0.0.1] [--port 8000] [--workers 1] [--no-open] [--log]
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import time
import webbrowser
from ipaddress import ip_address

import uvicorn

from app.draining import leaving_well
from app.main import VERSION
from app.settings import from_environment

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  # recognised, not chosen
PATIENCE = 30.0  # seconds to wait for the server before the browser is opened


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="gradlens", description="See backpropagation at work.")
    parser.add_argument("--host", default="127.0.0.1", help="address (default %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port (default %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default %(default)s)")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument("--log", action="store_true", help="log requests (default for others)")
    parser.add_argument("--version", action="version", version=f"gradlens {VERSION}")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Run the server until it is stopped; the exit status is 2 if it cannot start."""
    options = arguments(argv)
    if options.log or not _is_own(options.host):
        os.environ.setdefault("GRADLENS_LOG_REQUESTS", "1")  # workers read it as well
    try:
        from_environment()
    except ValueError as error:
        print(f"gradlens: {error}", file=sys.stderr)
        return 2
    if not _is_free(options.host, options.port):
        print(
            f"gradlens: port {options.port} on {options.host} is in use; "
            f"try --port {options.port + 1}",
            file=sys.stderr,
        )
        return 2
    url = f"http://{_reachable(options.host)}:{options.port}/"
    print(f"Gradlens is at {url}  (Ctrl+C stops it)", flush=True)
    if not options.no_open:
        threading.Thread(target=_open_when_ready, args=(options, url), daemon=True).start()
    with leaving_well():
        uvicorn.run(
            "app.main:create_app",
            factory=True,
            host=options.host,
            port=options.port,
            workers=options.workers,
            log_level="warning",
            access_log=False,
            server_header=False,
            http="app.protocol:GuardedProtocol",
            ws="none",
            timeout_graceful_shutdown=5,
        )
    return 0


def _reachable(host: str) -> str:
    if host in EVERYWHERE:  # every address; a browser needs one of them
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _is_own(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _open_when_ready(options: argparse.Namespace, url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    host = "127.0.0.1" if options.host in EVERYWHERE else options.host
    while time.monotonic() < deadline:
        try:
            socket.create_connection((host, options.port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(url)
            return


if __name__ == "__main__":
    sys.exit(main())
