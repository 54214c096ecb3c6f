"""The module `string`: its constants."""

from __future__ import annotations

import string
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine

_CONSTANTS = (
    "ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "octdigits",
    "printable", "punctuation", "whitespace",
)  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `string`."""
    return {name: getattr(string, name) for name in _CONSTANTS} | {
        "capwords": bound(m, _capwords, "capwords")
    }


def _capwords(m: Machine, s: Any, sep: Any = None) -> str:
    m.spend(1 + len(s))
    return str(string.capwords(s, sep))
