"""The sources of a package, as digests of a version read them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def sources(package: Path) -> Iterator[tuple[str, bytes]]:
    """Path, from the package's own folder on, and text of each module, in the order of the paths.

    The wheel's imports say `seegrad.engine` where a checkout's say `engine`. That prefix is left
    out, so that both have the same digest.
    """
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package.parent).as_posix()
        yield name, path.read_bytes().replace(b"seegrad.", b"")
