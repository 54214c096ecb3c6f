"""Plain numbers that remember how they were computed: see `engine.record.follow`."""

from engine.record.follow import (
    FOLLOWED,
    NUMBERS,
    STORED,
    UNTYPED,
    Taped,
    TapedFloat,
    TapedFloat64,
    TapedInt,
    as_float,
    plain,
    retyped,
    taped,
    unlink,
)

__all__ = [
    "FOLLOWED", "NUMBERS", "STORED", "UNTYPED", "Taped", "TapedFloat", "TapedFloat64", "TapedInt",
    "as_float", "plain", "retyped", "taped", "unlink",
]  # fmt: skip
