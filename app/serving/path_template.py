"""The bounded set of paths under which requests are logged and counted.

What a visitor typed after the host name is theirs, and would make metrics grow without bound.
"""

from __future__ import annotations

from collections.abc import Collection

from app.serving.answer_cache import unversioned

STATIC = "/static"
OTHER = "other"


def template(path: str, known: Collection[str]) -> str:
    """`path` without its version if it is one of `known`, else "/static" or "other"."""
    path = unversioned(path)
    if path.startswith(f"{STATIC}/"):
        return STATIC
    return path if path in known else OTHER
