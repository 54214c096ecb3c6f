"""The command, serving an application that one request freezes: it holds the interpreter lock.

python -m tests.support.freezable --no-open --port 8000
"""

from __future__ import annotations

import operator
import sys
from typing import Any

from app import __main__ as command
from app.main import create_app

FREEZE = "/freeze"


def create_freezable() -> Any:
    """The application; FREEZE makes 2 to the power of 60 comparisons in C."""
    served: Any = create_app()

    async def either(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == FREEZE:
            a: list[Any] = [1]
            b: list[Any] = [1]
            for _ in range(60):
                a, b = [a, a], [b, b]
            operator.countOf([a], b)
        await served(scope, receive, send)

    return either


if __name__ == "__main__":
    command.SERVED["app"] = f"{__spec__.name}:{create_freezable.__name__}"
    sys.exit(command.main())
