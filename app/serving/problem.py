"""Errors of the JSON interface: problem details (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import Response

from engine.program import ProgramError

JSON, PROBLEM = "application/json", "application/problem+json"


def place(error: ProgramError) -> dict[str, Any]:
    """The position of an error in a program, a hint at the correction, and the output before."""
    return {
        "line": error.line,
        "column": error.column,
        "end_line": error.end_line,
        "end_column": error.end_column,
        "hint": error.hint,
        "printed": error.printed,
        "traceback": error.traceback,
    }


def problem(
    status: int, title: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """An error as problem details, with `more` members of its own."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    return Response(json.dumps(body), status, headers, media_type=PROBLEM)
