"""JSON Schemas of training runs: what `/api/train` takes and answers.

The schema of a spec is derived from the table of its fields. That the answers follow their schemas
is tested with schemathesis.
"""

from __future__ import annotations

from app.api.json_schema import (
    COMMON,
    NUMBER,
    STRING,
    WHOLE,
    Schema,
    answer,
    list_of,
    object_of,
    or_null,
    problem_of,
)
from app.serving.problem import PROBLEM
from engine.training.changes import MOST as MOST_CHANGES
from engine.training.changes import Changes
from engine.training.fields import (
    LARGEST,
    Activations,
    BatchSize,
    ClassNames,
    FieldType,
    Name,
    Number,
    Percentage,
    Rows,
    Seed,
    Sizes,
    Switch,
    Whole,
)
from engine.training.limits import TrainLimits
from engine.training.settings import FIELDS, Setting


def _kind(kind: FieldType) -> Schema:
    """The schema of a kind of field."""
    match kind:
        case Name():
            return {"enum": list(kind.known)}
        case Activations():
            return {"anyOf": [{"enum": list(kind.known)}, list_of({"enum": list(kind.known)})]}
        case Seed():
            return {"type": ["integer", "null"], "minimum": kind.least, "maximum": kind.most}
        case Whole():
            return {"type": "integer", "minimum": kind.least, "maximum": kind.most}
        case Number():
            most = {} if kind.most is None else {"maximum": kind.most}
            below = {"exclusiveMaximum": kind.below} if kind.below < float("inf") else {}
            return {"type": "number", "minimum": kind.least, **most, **below}
        case Percentage():
            share = {"type": "string", "pattern": "^[0-9.]+ ?%$", "examples": ["10%"]}
            return {"anyOf": [{"type": "number", "minimum": 0}, share]}
        case Sizes():
            sizes = list_of({"type": "integer", "minimum": 1}, minItems=2)
            return {"anyOf": [sizes, {"type": "string", "examples": ["2-16-16-1"]}]}
        case BatchSize():
            return {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "all"}]}
        case Rows():
            cell = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
            return list_of(list_of(cell, minItems=2))
        case Switch():
            return {"type": "boolean"}
        case ClassNames():
            return list_of({"type": "string", "minLength": 1})
        case Changes():
            return _changes({name: _kind(of) for name, of in kind.kinds().items()})
    return list_of({"type": "number"})


def _changes(settings: dict[str, Schema]) -> Schema:
    """Changes in mid-run: new values of some settings by step."""
    change = {**object_of({}, settings), "minProperties": 1}
    return {
        "type": "object",
        "patternProperties": {"^0*[1-9][0-9]{0,8}$": change},
        "additionalProperties": False,
        "maxProperties": MOST_CHANGES,
        "examples": [{"50": {"learning_rate": 0.1}}],
    }


def _bounded(entry: Setting, schema: Schema, limits: TrainLimits) -> Schema:
    """What a setting may hold on this server."""
    if isinstance(entry.kind, Sizes):
        sizes, text = schema["anyOf"]
        items = {**sizes["items"], "maximum": limits.neurons}
        return {"anyOf": [{**sizes, "items": items, "maxItems": limits.layers + 1}, text]}
    if isinstance(entry.kind, Changes):
        names = entry.kind.kinds()
        return _changes(
            {name: _bounded(FIELDS[name], _kind(names[name]), limits) for name in names}
        )
    if not entry.limit:
        return schema
    if isinstance(entry.kind, Percentage):
        number, share = schema["anyOf"]
        return {"anyOf": [{**number, "maximum": getattr(limits, entry.limit)}, share]}
    bound = "maxItems" if schema["type"] == "array" else "maximum"
    return {**schema, bound: getattr(limits, entry.limit)}


def spec(limits: TrainLimits) -> Schema:
    """The spec of a training run, whose members all have defaults."""
    return object_of(
        {},
        {
            name: {
                **_bounded(entry, _kind(entry.kind), limits),
                "description": entry.help,
                "default": entry.kind.plain(entry.default),
            }
            for name, entry in FIELDS.items()
        },
    )


SWITCH: Schema = {"type": "boolean"}


def _run() -> Schema:
    fields = {name: _kind(entry.kind) for name, entry in FIELDS.items()}
    optional = {name: fields.pop(name) for name, entry in FIELDS.items() if entry.sparse}
    share: Schema = {"type": "number", "minimum": 0, "maximum": 1}
    verdict = {"name": STRING, "step": WHOLE, "layer": or_null(WHOLE), "layers": list_of(WHOLE)}
    end = object_of(
        {
            "loss": NUMBER,
            "accuracy": or_null(share),
            "test_loss": or_null(NUMBER),
            "test_accuracy": or_null(share),
        }
    )
    trial = or_null(object_of({"patient": end, "cured": end}))
    cure = object_of({}, {**fields, **optional})
    said = {"message": STRING, "advice": STRING, "cure": cure, "grave": SWITCH, "trial": trial}
    return object_of(
        {
            "spec": object_of(fields, optional),
            "parameter_count": WHOLE,
            "losses": list_of(NUMBER),
            "accuracies": list_of(share),
            "test_losses": list_of(NUMBER),
            "penalties": list_of(NUMBER),
            "parameters": list_of(NUMBER),
            "predictions": list_of(list_of(NUMBER)),
            "final": object_of(
                {
                    "loss": NUMBER,
                    "accuracy": or_null(share),
                    "test_loss": or_null(NUMBER),
                    "test_accuracy": or_null(share),
                    "penalty": NUMBER,
                }
            ),
            "doctor": list_of(object_of({**verdict, **said})),
            "outlook": object_of({"learned": SWITCH, "message": STRING, "advice": STRING}),
        }
    )


RUN = _run()
TRAIN_ANSWERS: dict[int | str, Schema] = {
    200: answer(RUN, "The run: its losses, what it ended with, and what the doctor says."),
    **COMMON,
    422: answer(
        problem_of(422, {"field": STRING, "value": STRING}, {"field": STRING}),
        "The spec is refused, with the field and its value.",
        PROBLEM,
    ),
}
