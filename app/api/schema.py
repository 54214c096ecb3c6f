"""JSON Schemas of the requests and answers of the JSON interface, for its OpenAPI description.

The schema of a training spec is derived from the table of its fields. That the answers follow their
schemas is tested with schemathesis.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from app.serving.problem import JSON, PROBLEM
from engine.ops import OPS
from engine.trace.expand import MOST as MOST_OPEN
from engine.training.changes import MOST as MOST_CHANGES
from engine.training.changes import Changes
from engine.training.fields import (
    LARGEST,
    Activations,
    Batch,
    Kind,
    Name,
    Names,
    Number,
    Rows,
    Seed,
    Share,
    Sizes,
    Switch,
    Whole,
)
from engine.training.limits import TrainLimits
from engine.training.settings import FIELDS, Setting
from engine.verdict.kinds import KINDS

Schema: TypeAlias = dict[str, Any]

STRING: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]}
"""A number of a trace or a run; JSON has no literals for nan and the infinities."""


def _list(of: Schema, **more: int) -> Schema:
    return {"type": "array", "items": of, **more}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(properties: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
        "additionalProperties": False,
    }


# Errors

_PLACE = {name: {"type": "integer", "minimum": 1} for name in ("line", "column")}
_PLACE |= {f"end_{name}": schema for name, schema in _PLACE.items()}
_OUTPUT = {"hint": STRING, "printed": _list(STRING), "traceback": _list(STRING)}


def _problem(status: int, *more: dict[str, Schema]) -> Schema:
    """Problem details (RFC 9457), with the members of one of `more` beside the usual ones."""
    usual: dict[str, Schema] = {
        "type": {"const": "about:blank"},
        "title": STRING,
        "status": {"const": status},
        "detail": STRING,
    }
    kinds = [_object({**usual, **one}) for one in more or ({},)]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def answer(schema: Schema, description: str, media: str = JSON, **more: Schema) -> Schema:
    """An answer of an endpoint."""
    return {"description": description, "content": {media: {"schema": schema}}, **more}


_BUSY = "The server is overloaded; retry later."
_LATER = {"headers": {"retry-after": {"schema": {"type": "string", "pattern": "^[0-9]+$"}}}}
LATER: dict[int | str, Schema] = {503: answer(_problem(503), _BUSY, PROBLEM, **_LATER)}
COMMON: dict[int | str, Schema] = {
    413: answer(_problem(413), "The body is too large.", PROBLEM),
    415: answer(
        _problem(415), "The body has a content encoding, or is not declared as JSON.", PROBLEM
    ),
    **LATER,
}
"""Answers of every endpoint that takes a body."""

# Traces

_SCENE_SAYS = "The id of the scene to draw; without one, or for an unknown one, the last."
MOST_SCENES = 999_999_999
_EXPAND_SAYS = "The ids of Values whose operations are opened into more elementary ones."
_SCENE_ID: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_SCENES}
_LEAVES: Schema = {"type": "object", "additionalProperties": {"type": "number"}}


class TraceRequest(BaseModel):
    """A program, and other numbers for some of its leaves."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = Field(description="A program, in the language of the page.")
    leaves: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(
        default_factory=dict, description="Other numbers for leaves, by the leaf's name."
    )
    scene: (
        Annotated[float, Field(ge=1, le=MOST_SCENES, multiple_of=1), WithJsonSchema(_SCENE_ID)]
        | None
    ) = Field(default=None, description=_SCENE_SAYS)
    expand: Annotated[list[str], Field(max_length=MOST_OPEN)] = Field(
        default_factory=list, description=_EXPAND_SAYS
    )


_SPAN = _list({"type": "integer", "minimum": 1}, minItems=4, maxItems=4)
_NODE = _object(
    {
        "id": STRING,
        "label": STRING,
        "op": _or_null({"enum": list(OPS)}),
        "args": _list(STRING),
        "data": NUMBER,
        "grad": _or_null(NUMBER),
        "true_grad": _or_null(NUMBER),
        "span": _SPAN,
        "kind": {"enum": ["leaf", "constant", "value", "output"]},
        "key": _or_null(STRING),
        "group": _or_null(STRING),
        "name": STRING,
    }
)
_CONTRIBUTION = _object(
    {
        "to": STRING,
        "slot": WHOLE,
        **dict.fromkeys(("partial", "upstream", "amount", "before", "after"), NUMBER),
    }
)
_CHANGE: Schema = {
    "anyOf": [
        _object({"node": STRING, key: NUMBER, f"{key}_text": STRING}) for key in ("data", "grad")
    ]
}
_RUNNING = _object(
    {
        "function": STRING,
        "span": _SPAN,
        "variables": {"type": "object", "additionalProperties": STRING},
    }
)
_FRAME = _object(
    {
        "pass": {"enum": ["forward", "backward"]},
        "node": STRING,
        "data": NUMBER,
        "changes": _list(_CHANGE),
    },
    {
        "given": _list(STRING),
        "seed": {"type": "number"},
        "before": NUMBER,
        "sources": _list(STRING),
        "slots": _list(WHOLE),
        "remarks": _list(STRING),
        "contributions": _list(_CONTRIBUTION),
        "written": _object(
            {
                "before": NUMBER,
                "after": NUMBER,
                "adds": {"type": "boolean"},
                "span": _SPAN,
                "due": _or_null(NUMBER),
                "right": _or_null({"type": "boolean"}),
            },
            {"running": _RUNNING, "user": STRING, "amount": _or_null(NUMBER)},
        ),
    },
)
_SERIES = _object(
    {
        "kind": {"enum": ["line", "scatter", "bar", "image"]},
        "label": STRING,
        "x": _list({"anyOf": [NUMBER, STRING]}),
        "y": _list(NUMBER),
        "width": WHOLE,
    }
)
_CHART = _object(
    {**dict.fromkeys(("kind", "title", "xlabel", "ylabel"), STRING), "series": _list(_SERIES)}
)
_SCENE = _object(
    {
        "id": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["backward", "drawing", "gradients", "end"]},
        "span": _SPAN,
        "title": STRING,
    }
)
_GROUP = _object(
    {"id": STRING, "parent": _or_null(STRING), "kind": STRING, "title": STRING},
    {"shape": _list(WHOLE), "cells": _list(_or_null(STRING)), "op": STRING, "expands": STRING},
)
_EXPANDED = _object(
    {
        "opened": _list(
            _object(
                {
                    **dict.fromkeys(("node", "op", "expansion", "group"), STRING),
                    **dict.fromkeys(("through", "by"), NUMBER),
                    "borders": _list(_object({"to": STRING, "through": NUMBER, "by": NUMBER})),
                }
            )
        ),
        "closed": _list(_object({"node": STRING, "message": STRING})),
    }
)
_NOTE = _object({"message": STRING, "span": _SPAN})
_MISTAKE = _object(
    {
        "kind": {"enum": list(KINDS)},
        "span": _SPAN,
        "node": _or_null(STRING),
        **dict.fromkeys(("written", "due", "ends", "true"), _or_null(NUMBER)),
        **dict.fromkeys(("message", "why", "cure"), STRING),
        "frame": _or_null(WHOLE),
        "mend": _or_null(_object({"span": _SPAN, "text": STRING})),
    }
)
_VERDICT = _object(
    {
        **dict.fromkeys(("right", "checked", "unknown", "points"), WHOLE),
        "own": {"type": "boolean"},
        "ends": {"type": "object", "additionalProperties": _or_null({"type": "boolean"})},
    }
)
TRACE = _object(
    {
        "program": STRING,
        "output": _or_null(STRING),
        "nodes": _list(_NODE),
        "frames": _list(_FRAME),
        "groups": _list(_GROUP),
        "printed": _list(STRING),
        "warnings": _list(_object({"node": _or_null(STRING), "message": STRING})),
        "notes": _list(_NOTE),
        "scenes": _list(_SCENE),
        "scene": _or_null({"type": "integer", "minimum": 1}),
        "charts": _list(_CHART),
        "mistakes": _list(_MISTAKE),
        "verdict": _or_null(_VERDICT),
    },
    {"expanded": _EXPANDED, "stopped": _NOTE},
)
TRACE_ANSWERS: dict[int | str, Schema] = {
    200: answer(TRACE, "The trace: nodes, and the frames of both passes."),
    422: answer(
        _problem(422, {**_PLACE, **_OUTPUT}, {"leaf": STRING}, {"field": STRING}),
        "The program is refused, with the position; or a leaf is unknown; or the request is "
        "malformed.",
        PROBLEM,
    ),
    **LATER,
}
TRACE_QUERY: list[Schema] = [
    {
        "name": "program",
        "in": "query",
        "description": "A program, in the language of the page.",
        "schema": STRING,
    },
    {
        "name": "packed",
        "in": "query",
        "description": "The program instead, compressed by DEFLATE (RFC 1951), in base64url.",
        "schema": STRING,
    },
    {
        "name": "leaves",
        "in": "query",
        "description": "Other numbers for leaves, each as a parameter of the leaf's name.",
        "style": "form",
        "explode": True,
        "schema": _LEAVES,
    },
    {
        "name": "scene",
        "in": "query",
        "description": _SCENE_SAYS,
        "schema": _SCENE_ID,
    },
    {
        "name": "expand",
        "in": "query",
        "description": f"{_EXPAND_SAYS} Separated by commas.",
        "schema": {"type": "string", "pattern": "^v[^,]*(,v[^,]*)*$"},
    },
]

# Training runs


def _kind(kind: Kind) -> Schema:
    """The schema of a kind of field."""
    match kind:
        case Name():
            return {"enum": list(kind.known)}
        case Activations():
            return {"anyOf": [{"enum": list(kind.known)}, _list({"enum": list(kind.known)})]}
        case Seed():
            return {"type": ["integer", "null"], "minimum": kind.least, "maximum": kind.most}
        case Whole():
            return {"type": "integer", "minimum": kind.least, "maximum": kind.most}
        case Number():
            most = {} if kind.most is None else {"maximum": kind.most}
            below = {"exclusiveMaximum": kind.below} if kind.below < float("inf") else {}
            return {"type": "number", "minimum": kind.least, **most, **below}
        case Share():
            share = {"type": "string", "pattern": "^[0-9.]+ ?%$", "examples": ["10%"]}
            return {"anyOf": [{"type": "number", "minimum": 0}, share]}
        case Sizes():
            sizes = _list({"type": "integer", "minimum": 1}, minItems=2)
            return {"anyOf": [sizes, {"type": "string", "examples": ["2-16-16-1"]}]}
        case Batch():
            return {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "all"}]}
        case Rows():
            cell = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
            return _list(_list(cell, minItems=2))
        case Switch():
            return {"type": "boolean"}
        case Names():
            return _list({"type": "string", "minLength": 1})
        case Changes():
            return _changes({name: _kind(of) for name, of in kind.kinds().items()})
    return _list({"type": "number"})


def _changes(settings: dict[str, Schema]) -> Schema:
    """Changes in mid-run: new values of some settings by step."""
    change = {**_object({}, settings), "minProperties": 1}
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
    if isinstance(entry.kind, Share):
        number, share = schema["anyOf"]
        return {"anyOf": [{**number, "maximum": getattr(limits, entry.limit)}, share]}
    bound = "maxItems" if schema["type"] == "array" else "maximum"
    return {**schema, bound: getattr(limits, entry.limit)}


def spec(limits: TrainLimits) -> Schema:
    """The spec of a training run, whose members all have defaults."""
    return _object(
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


def _run() -> Schema:
    fields = {name: _kind(entry.kind) for name, entry in FIELDS.items()}
    optional = {name: fields.pop(name) for name, entry in FIELDS.items() if entry.sparse}
    share: Schema = {"type": "number", "minimum": 0, "maximum": 1}
    verdict = {"name": STRING, "step": WHOLE, "layer": _or_null(WHOLE)}
    cure = _object({}, {**fields, **optional})
    said = {"message": STRING, "advice": STRING, "cure": cure, "grave": {"type": "boolean"}}
    return _object(
        {
            "spec": _object(fields, optional),
            "parameter_count": WHOLE,
            "losses": _list(NUMBER),
            "accuracies": _list(share),
            "test_losses": _list(NUMBER),
            "parameters": _list(NUMBER),
            "predictions": _list(_list(NUMBER)),
            "final": _object(
                {
                    "loss": NUMBER,
                    "accuracy": _or_null(share),
                    "test_loss": _or_null(NUMBER),
                    "test_accuracy": _or_null(share),
                }
            ),
            "doctor": _list(_object({**verdict, **said})),
        }
    )


RUN = _run()
TRAIN_ANSWERS: dict[int | str, Schema] = {
    200: answer(RUN, "The run: its losses, what it ended with, and what the doctor says."),
    **COMMON,
    422: answer(
        _problem(422, {"field": STRING, "value": STRING}, {"field": STRING}),
        "The spec is refused, with the field and its value.",
        PROBLEM,
    ),
}


def taken(schema: Schema) -> Schema:
    """The JSON body that an endpoint takes, for FastAPI's `openapi_extra`."""
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}
