"""Validation errors of a spec: the field, its value, and a sentence that names valid values."""

from __future__ import annotations

import json

LENGTH = 60


class SpecError(ValueError):
    """An invalid spec: the field, its value (abbreviated) and a message that names valid values."""

    def __init__(self, field: str, value: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.message = message


def refusal(field: str, value: object, why: str) -> SpecError:
    """The error for the `value` of `field`; `why` completes the sentence "field is value"."""
    seen = shown(value)
    return SpecError(field, seen, f"{field} is {seen}{why}")


def misplaced(field: str, place: str, value: object, wanted: str) -> SpecError:
    """The error for an item `value` of `field`, at `place`."""
    seen = shown(value)
    return SpecError(field, seen, f"{place} is {seen}; {wanted}")


def shown(value: object) -> str:
    """A value as abbreviated JSON on one line."""
    if isinstance(value, str):
        text = value[: LENGTH + 1]
        return _cut(json.dumps(text, ensure_ascii=not text.isprintable()))
    if isinstance(value, list | tuple):
        if len(value) > LENGTH or any(isinstance(item, list | tuple | dict) for item in value):
            return f"a list of {len(value):,}"
        return _cut(f"[{', '.join(map(shown, value))}]")
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a whole number of {value.bit_length():,} bits"
    if value is None or isinstance(value, int | float):
        return json.dumps(value)
    return f"a Python {type(value).__name__}"


def _cut(text: str) -> str:
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"
