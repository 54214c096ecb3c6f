"""The vocabulary of the JSON Schemas, and the answers that endpoints of the interface share."""

from __future__ import annotations

from typing import Any, TypeAlias

from app.serving.problem import JSON, PROBLEM

Schema: TypeAlias = dict[str, Any]

STRING: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]}
"""A number of a trace or a run; JSON has no literals for nan and the infinities."""


def list_of(of: Schema, **more: int) -> Schema:
    return {"type": "array", "items": of, **more}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def object_of(properties: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
        "additionalProperties": False,
    }


# Errors

PLACE = {name: {"type": "integer", "minimum": 1} for name in ("line", "column")}
PLACE |= {f"end_{name}": schema for name, schema in PLACE.items()}
OUTPUT = {"hint": STRING, "printed": list_of(STRING), "traceback": list_of(STRING)}

RECOVERED = object_of({"program": STRING, "changes": list_of(STRING)})


def problem_of(status: int, *more: dict[str, Schema]) -> Schema:
    """Problem details (RFC 9457), with the members of one of `more` beside the usual ones."""
    usual: dict[str, Schema] = {
        "type": {"const": "about:blank"},
        "title": STRING,
        "status": {"const": status},
        "detail": STRING,
    }
    kinds = [object_of({**usual, **one}) for one in more or ({},)]
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def answer(schema: Schema, description: str, media: str = JSON, **more: Schema) -> Schema:
    """An answer of an endpoint."""
    return {"description": description, "content": {media: {"schema": schema}}, **more}


_BUSY = "The server is overloaded; retry later."
_LATER = {"headers": {"retry-after": {"schema": {"type": "string", "pattern": "^[0-9]+$"}}}}
LATER: dict[int | str, Schema] = {503: answer(problem_of(503), _BUSY, PROBLEM, **_LATER)}
COMMON: dict[int | str, Schema] = {
    413: answer(problem_of(413), "The body is too large.", PROBLEM),
    415: answer(
        problem_of(415), "The body has a content encoding, or is not declared as JSON.", PROBLEM
    ),
    **LATER,
}
"""Answers of every endpoint that takes a body."""


def taken(schema: Schema) -> Schema:
    """The JSON body that an endpoint takes, for FastAPI's `openapi_extra`."""
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}
