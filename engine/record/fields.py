"""The fields of all that a record lists: what writes them and what reads them go by these tables.

References are indices into the tables that `encoded_tables` fills and `decoded_tables` reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import attrgetter
from typing import Any

from engine.reverse import Contribution

from .charts import Chart, Series
from .codec import (
    FINITE,
    FLAGS,
    MESSAGE,
    REAL,
    RISING,
    SPECIAL,
    TEXT,
    TRUTH,
    WHOLE,
    RecordColumn,
    RecordMembers,
    bad,
    functions,
    is_within,
    listed,
    one_of,
    optional,
    real,
    records,
    references,
    rows,
    safe,
    single,
    texts,
    wholes,
)
from .model import (
    Arrangement,
    BegunCall,
    Collected,
    Leaf,
    Made,
    Note,
    Place,
    RecordedCall,
    Scene,
    Unused,
    Write,
)

FORMAT = 2
HISTORY = 20_000
"""Numbers beside those of the scene."""
STEPS = 50_000
"""Scenes with more writes are not judged."""


def together(*values: Any) -> tuple[Any, ...]:
    return values


# References

PLACE, PLACE_OR_NONE = references("places", "place"), references("places", "place", optional=True)
FUNCTION, FUNCTION_OR_NONE = functions(PLACE), functions(PLACE_OR_NONE)
SCOPE = references("scopes", "scope", optional=True)
OBJECT = references("objects", "object")
NUMBER = references("drawn_numbers", "number")
SOURCE = references("numbers", "traced", optional=True)
NAME, FRAME, CALL = references("names"), references("frames"), references("calls")
VARIABLES = references("variables")
STACK, STACK_OR_NONE = references("stacks"), references("stacks", optional=True)


def _entities(known: Any, xs: Any) -> list[Any]:
    numbers, objects = known.numbers, known.objects
    if not is_within(rows(xs), -len(numbers), len(objects)):
        raise bad("an index")
    return [objects[at] if at >= 0 else numbers[-1 - at] for at in xs]


ENTITY = RecordColumn(lambda out, xs: list(map(out.entity, xs)), _entities)
"""An object by its index, a number by one below 0."""

# Words


def _note(message: str, span: Any) -> Note:
    if len(span) != 4:
        raise bad("a span")
    return Note(message, span)


def _point(x: Any) -> float | str:
    return x if type(x) is str and x not in SPECIAL and len(x) < 200 else real(x)


POINT = RecordColumn(
    lambda _, xs: [x if isinstance(x, str) else safe(x) for x in xs],
    lambda _, xs: list(map(_point, rows(xs))),
)
KIND = one_of({"line", "scatter", "bar", "image"})
NOTE = records(_note, MESSAGE, listed(WHOLE, tuple), take=attrgetter("message", "span"))
SERIES = records(
    Series, KIND, listed(POINT), listed(REAL), TEXT, WHOLE,
    take=attrgetter("kind", "xs", "ys", "label", "width"),
)  # fmt: skip
CHART = records(
    Chart, KIND, TEXT, TEXT, TEXT, listed(SERIES),
    take=attrgetter("kind", "title", "xlabel", "ylabel", "series"),
)  # fmt: skip
LINES = RecordColumn(
    texts().write, lambda known, xs: texts(known.limits.line_length + 1).read(known, xs)
)

# Scenes and leaves


def _scene(number: int, kind: str, title: str, node: Any, *rest: Any) -> Scene:
    return Scene(
        number, kind, title, node, **dict(zip(("data", "start", "end"), rest, strict=False))
    )


_SCENE = wholes(1), one_of({"backward", "drawing", "gradients", "end"}), TEXT, PLACE, optional(REAL)
_SCENE_FIELDS = "id", "kind", "title", "node", "data"
SCENE = records(_scene, *_SCENE, take=attrgetter(*_SCENE_FIELDS))
CHOSEN = records(_scene, *_SCENE, WHOLE, WHOLE, take=attrgetter(*_SCENE_FIELDS, "start", "end"))
LEAF = records(
    lambda key, default, at, turn: Leaf(key, default, Place(at, turn)),
    TEXT, REAL, PLACE, wholes(1),
    take=attrgetter("key", "default", "place.at", "place.turn"),
)  # fmt: skip
WORDS = RecordMembers(
    printed=LINES, notes=NOTE, stopped=NOTE, charts=CHART, operations=single(WHOLE),
    scenes=SCENE, leaves=LEAF, scene=CHOSEN,
)  # fmt: skip
"""What there is of every run; of `stopped` and `scene` one or none."""

# What is drawn


def _arrangement(*cells: Any) -> Arrangement:
    found = Arrangement(*cells)
    if prod(found.shape) != len(found.cells):
        raise bad("the cells of an array")
    return found


STAGE = RecordMembers(
    node=single(PLACE), own=single(TRUTH), held=REAL, grads=REAL,
    spent=records(together, WHOLE, REAL), replays=single(TRUTH), steps=RISING, places=RISING,
    left_out=single(WHOLE), changed=NUMBER, stale=NUMBER,
    made_with=records(together, NUMBER, REAL),
)  # fmt: skip
"""The pass that is drawn. Without `grads` they are `held`; without `places` steps are in a row."""
DRAWN = RecordMembers(
    keys=records(together, TEXT, NUMBER),
    unused=records(Unused, TEXT, PLACE, TRUTH),
    arrays=records(
        _arrangement, PLACE, SCOPE, listed(WHOLE, tuple), listed(optional(REAL), tuple), TEXT,
    ),
    updates=records(together, REAL, REAL),
)  # fmt: skip
CONTRIBUTION = records(Contribution, NUMBER, WHOLE, *[REAL] * 5)
LOG = RecordMembers(
    at=RISING,
    entries=records(Write, ENTITY, optional(REAL), REAL, PLACE, TRUTH),
    pulls=records(together, WHOLE, listed(CONTRIBUTION)),
)
"""The gradients that the program wrote; pulls have the contributions of entries that are none."""

# What the verdict needs beside


def _variables(names: Sequence[str], objects: Sequence[Any]) -> dict[str, Any]:
    if len(names) != len(objects):
        raise bad("variables")
    return dict(zip(names, objects, strict=True))


def _call(frame: tuple[Any, Any, Any], at: Any, held: Any) -> RecordedCall:
    return RecordedCall(*frame, at, held)


CALLS = RecordMembers(
    names=TEXT,
    frames=records(together, WHOLE, NAME, functions(references("places"))),
    variables=records(_variables, listed(NAME), listed(references("objects"))),
    calls=records(_call, FRAME, references("places"), VARIABLES),
    stacks=listed(CALL, tuple),
)  # fmt: skip
"""The calls of a witness, whose tables each refer to the ones before."""


def _begun(at: int, frame: Any, left: Any, held: Any) -> BegunCall:
    return BegunCall(at, frame[0], frame[2], left, held)


def _made(name: str, operands: Any, numbers: Any, *rest: Any) -> Made:
    if not operands or len(operands) != len(numbers):
        raise bad("operands")
    return Made(name, operands, numbers, *rest)


WITNESS = RecordMembers(
    writes=STACK_OR_NONE, turns=WHOLE, sources=SOURCE,
    lines=records(together, WHOLE, PLACE),
    begun=records(_begun, WHOLE, FRAME, PLACE_OR_NONE, VARIABLES),
    made=records(
        _made, TEXT, listed(optional(ENTITY), tuple), listed(REAL, tuple), OBJECT, REAL, PLACE,
        FUNCTION_OR_NONE,
    ),
    updated=records(together, WHOLE, OBJECT, WHOLE),
    copies=records(together, NUMBER, references("drawn_numbers", optional=True)),
    unseen=single(TRUTH),
    collected=records(
        Collected, WHOLE, ENTITY, optional(REAL), REAL, PLACE, STACK, SOURCE, WHOLE, WHOLE
    ),
)  # fmt: skip
"""What is seen beside the log: the first three of each entry that is kept."""

# The tables, whose references are written as indices

_PLACE, _OBJECT = references("places"), references("objects")
_PLACE_OR_NONE = references("places", optional=True)
_OBJECT_OR_NONE = references("objects", optional=True)
ANY = RecordColumn(WHOLE.write, lambda _, xs: rows(xs))
PLACES = records(together, TEXT, WHOLE, WHOLE, WHOLE, WHOLE, TEXT)
"""Type, line, column, end line and end column of nodes, as `ast` counts them; name or operator."""
SCOPES = records(together, TEXT, TEXT, wholes(-1), _OBJECT_OR_NONE, _PLACE_OR_NONE)
OBJECTS = records(
    together, TEXT, optional(TEXT), TEXT, references("numbers", optional=True), TRUTH
)  # fmt: skip
"""Class, name, op, number, whether it has an `__init__`."""
CONTENTS = records(together, listed(_OBJECT), listed(functions(_PLACE)), FLAGS, listed(wholes(-1)))
"""What drawn objects of a run that is judged hold."""
NUMBERS = records(
    together, wholes(0, 4), references("ops", optional=True), listed(ANY), REAL, TEXT,
    _PLACE_OR_NONE, FINITE, _OBJECT_OR_NONE,
)  # fmt: skip
"""Kind, operation, args, data, label, place, serial and owner."""
SHOWN = records(together, references("scopes", optional=True), TRUTH)
"""Scope of a drawn number, and whether it is a leaf."""
UNFOLLOWED = records(together, references("numbers"), listed(_OBJECT, tuple))
"""The objects that a number may come from which was computed in a way not followed."""
