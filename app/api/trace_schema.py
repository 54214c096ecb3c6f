"""JSON Schemas of traces: what `/api/trace` takes and answers.

That the answers follow them is tested with schemathesis.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from app.api.json_schema import (
    LATER,
    NUMBER,
    OUTPUT,
    PLACE,
    RECOVERED,
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
from engine.by_hand.kinds import HAND_KINDS
from engine.by_hand.model import FOLLOWS, LUCKY, MEAN, OPEN, RIGHT, SCALED, SHAPE, WRONG
from engine.ops import OPS
from engine.trace.expand import MOST as MOST_OPEN
from engine.verdict.kinds import KINDS

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


_SPAN = list_of({"type": "integer", "minimum": 1}, minItems=4, maxItems=4)
_NODE = object_of(
    {
        "id": STRING,
        "label": STRING,
        "op": or_null({"enum": list(OPS)}),
        "args": list_of(STRING),
        "data": NUMBER,
        "grad": or_null(NUMBER),
        "true_grad": or_null(NUMBER),
        "span": _SPAN,
        "kind": {"enum": ["leaf", "constant", "value", "output"]},
        "key": or_null(STRING),
        "group": or_null(STRING),
        "name": STRING,
    },
    {"caller": _SPAN},
)
_CONTRIBUTION = object_of(
    {
        "to": STRING,
        "slot": WHOLE,
        **dict.fromkeys(("partial", "upstream", "amount", "before", "after"), NUMBER),
    }
)
_CHANGE: Schema = {
    "anyOf": [
        object_of({"node": STRING, key: NUMBER, f"{key}_text": STRING}) for key in ("data", "grad")
    ]
}
_RUNNING = object_of(
    {
        "function": STRING,
        "span": _SPAN,
        "variables": {"type": "object", "additionalProperties": STRING},
    }
)
_FRAME = object_of(
    {
        "pass": {"enum": ["forward", "backward"]},
        "node": STRING,
        "data": NUMBER,
        "changes": list_of(_CHANGE),
    },
    {
        "given": list_of(STRING),
        "seed": {"type": "number"},
        "before": NUMBER,
        "sources": list_of(STRING),
        "slots": list_of(WHOLE),
        "remarks": list_of(STRING),
        "contributions": list_of(_CONTRIBUTION),
        "written": object_of(
            {
                "before": NUMBER,
                "after": NUMBER,
                "adds": {"type": "boolean"},
                "span": _SPAN,
                "due": or_null(NUMBER),
                "right": or_null({"type": "boolean"}),
            },
            {
                "running": _RUNNING,
                "user": STRING,
                "amount": or_null(NUMBER),
                "arithmetic": STRING,
            },
        ),
    },
)
_SERIES = object_of(
    {
        "kind": {"enum": ["line", "scatter", "bar", "image"]},
        "label": STRING,
        "x": list_of({"anyOf": [NUMBER, STRING]}),
        "y": list_of(NUMBER),
        "width": WHOLE,
    }
)
_CHART = object_of(
    {**dict.fromkeys(("kind", "title", "xlabel", "ylabel"), STRING), "series": list_of(_SERIES)}
)
_SCENE = object_of(
    {
        "id": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["backward", "drawing", "gradients", "end"]},
        "span": _SPAN,
        "title": STRING,
        "data": or_null(NUMBER),
    }
)
_GROUP = object_of(
    {"id": STRING, "parent": or_null(STRING), "kind": STRING, "title": STRING},
    {"shape": list_of(WHOLE), "cells": list_of(or_null(STRING)), "op": STRING, "expands": STRING},
)
_EXPANDED = object_of(
    {
        "opened": list_of(
            object_of(
                {
                    **dict.fromkeys(("node", "op", "expansion", "group"), STRING),
                    **dict.fromkeys(("through", "by"), NUMBER),
                    "borders": list_of(object_of({"to": STRING, "through": NUMBER, "by": NUMBER})),
                }
            )
        ),
        "closed": list_of(object_of({"node": STRING, "message": STRING})),
    }
)
_NOTE = object_of({"message": STRING, "span": _SPAN})
_FIX = or_null(object_of({"span": _SPAN, "text": STRING}))
_MISTAKE = object_of(
    {
        "kind": {"enum": list(KINDS)},
        "span": _SPAN,
        "node": or_null(STRING),
        **dict.fromkeys(("written", "due", "ends", "true"), or_null(NUMBER)),
        **dict.fromkeys(("message", "why", "cure"), STRING),
        "frame": or_null(WHOLE),
        "fix": _FIX,
        "mend": _FIX,  # the former name
    }
)
_VERDICT = object_of(
    {
        **dict.fromkeys(("right", "checked", "unknown", "points"), WHOLE),
        "own": {"type": "boolean"},
        "seed": or_null(NUMBER),
        "because": STRING,
        "ends": {"type": "object", "additionalProperties": or_null({"type": "boolean"})},
    }
)
_ELEMENTS: Schema = {"description": "Nested lists of numbers; of more than 1,000 a summary."}
_ARRAY_NODE = object_of(
    {
        "id": STRING,
        "label": STRING,
        "op": or_null(STRING),
        "args": list_of(STRING),
        "shape": list_of(WHOLE),
        "dtype": STRING,
        "data": _ELEMENTS,
        "grad": _ELEMENTS,
        "span": list_of(WHOLE),
    }
)
_SENT = object_of({"to": STRING, "slot": WHOLE, "amount": _ELEMENTS, "summed_axes": list_of(WHOLE)})
_ARRAYS = object_of(
    {
        "output": STRING,
        "nodes": list_of(_ARRAY_NODE),
        "frames": list_of(
            object_of({"pass": STRING, "node": or_null(STRING)}, {"contributions": list_of(_SENT)})
        ),
    }
)
_HAND_GRADIENT = object_of(
    {
        **dict.fromkeys(("name", "of", "because"), STRING),
        "span": _SPAN,
        "state": {"enum": [RIGHT, SCALED, WRONG, FOLLOWS, SHAPE, OPEN, LUCKY, MEAN]},
        **dict.fromkeys(("written", "due"), _ELEMENTS),
        **dict.fromkeys(("exact", "approximate"), or_null({"type": "boolean"})),
        "maxdiff": or_null(NUMBER),
    }
)
_BY_HAND = object_of(
    {
        "loss": STRING,
        **dict.fromkeys(("right", "checked"), WHOLE),
        "gradients": list_of(_HAND_GRADIENT),
        "mistakes": list_of(
            object_of(
                {
                    "kind": {"enum": list(HAND_KINDS)},
                    **dict.fromkeys(("name", "title", "message", "why"), STRING),
                    "span": _SPAN,
                    "fix": _FIX,
                }
            )
        ),
    }
)
TRACE = object_of(
    {
        "program": STRING,
        "output": or_null(STRING),
        "nodes": list_of(_NODE),
        "frames": list_of(_FRAME),
        "groups": list_of(_GROUP),
        "printed": list_of(STRING),
        "warnings": list_of(object_of({"node": or_null(STRING), "message": STRING})),
        "notes": list_of(_NOTE),
        "scenes": list_of(_SCENE),
        "scene": or_null({"type": "integer", "minimum": 1}),
        "charts": list_of(_CHART),
        "mistakes": list_of(_MISTAKE),
        "verdict": or_null(_VERDICT),
    },
    {"expanded": _EXPANDED, "stopped": _NOTE, "arrays": _ARRAYS, "by_hand": _BY_HAND},
)
TRACE_ANSWERS: dict[int | str, Schema] = {
    200: answer(TRACE, "The trace: nodes, and the frames of both passes."),
    422: answer(
        problem_of(
            422,
            {**PLACE, **OUTPUT},
            {**PLACE, **OUTPUT, "recovered": RECOVERED},
            {"leaf": STRING},
            {"field": STRING},
        ),
        "The program is refused, with the position, and with the code that can be kept of a text "
        "that is no Python; or a leaf is unknown; or the request is malformed.",
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
