"""Counts of what the server answered, in the text format of Prometheus."""

from __future__ import annotations

import time
from collections import Counter

from app.headers import ASGI, Message, Receive, Scope, Send

PATHS = (
    "/",
    "/graph",
    "/numbers",
    "/transcript",
    "/graph.svg",
    "/reference",
    "/api/trace",
    "/healthz",
    "/metrics",
)


class Metrics:
    """Counts requests and seconds by path and status; one object for one process."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()

    def around(self, app: ASGI) -> ASGI:
        """`app`, watched."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            path = scope["path"] if scope["path"] in PATHS else "other"
            began = time.perf_counter()

            async def noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self.requests[path, message["status"]] += 1
                await send(message)

            try:
                await app(scope, receive, noting)
            finally:
                self.seconds[path] += time.perf_counter() - began  # type: ignore[assignment]

        return watched

    def text(self) -> str:
        """Everything counted so far."""
        lines = [
            "# HELP gradlens_requests_total Answers by path and status.",
            "# TYPE gradlens_requests_total counter",
        ]
        for (path, status), count in sorted(self.requests.items()):
            lines.append(f'gradlens_requests_total{{path="{path}",status="{status}"}} {count}')
        lines += [
            "# HELP gradlens_request_seconds_total Time spent on answers.",
            "# TYPE gradlens_request_seconds_total counter",
        ]
        for path, seconds in sorted(self.seconds.items()):
            lines.append(f'gradlens_request_seconds_total{{path="{path}"}} {seconds:.6f}')
        return "\n".join(lines) + "\n"
