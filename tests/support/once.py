"""What each application makes anew, though it is the same for all in a process, made once.

Tests make more than a hundred applications; a server has one.
"""

from __future__ import annotations

from functools import cache, partial
from types import CodeType

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from app.serving import rendering
from app.serving.joined_scripts import scripts


class CompiledTemplates(BytecodeCache):
    """The code of templates, by their names and texts."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.code


def share() -> None:
    """Let all applications of this process have the same templates and scripts."""
    vars(rendering).update(
        Environment=partial(Environment, bytecode_cache=CompiledTemplates()),
        scripts=cache(scripts),
    )
