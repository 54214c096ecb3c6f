"""The documentation of the JSON interface, rendered from the application's OpenAPI description.

The answers of its examples are those of the application, requested when the page is first rendered.
"""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from app.serving.headers import ASGI, Message, Scope
from app.serving.problem import JSON
from app.serving.thread_pools import BusyError
from app.site import Site

Schema: TypeAlias = Mapping[str, Any]

SERVER = "http://127.0.0.1:8000"
WIDTH = 78  # characters of a line of an answer


@dataclass(frozen=True, slots=True)
class RequestExample:
    """An example request, with query parameters or a body."""

    words: str
    query: Sequence[tuple[str, str]] = ()
    body: Mapping[str, Any] | None = None


EXAMPLES: dict[tuple[str, str], tuple[RequestExample, ...]] = {
    ("get", "/api/trace"): (
        RequestExample(
            "A leaf with another number", (("program", "a = 2.0; L = a * a"), ("a", "3"))
        ),
        RequestExample(
            "The first of two scenes",
            (("program", "a = Value(2.0)\n(a*3).backward()\n(a*a).backward()"), ("scene", "1")),
        ),
    ),
    ("post", "/api/trace"): (
        RequestExample(
            "A leaf with another number",
            body={"program": "a = 2.0\nL = a * a", "leaves": {"a": 3.0}},
        ),
        RequestExample("A program that is refused", body={"program": "a = 2.0\nL = a * g"}),
    ),
    ("post", "/api/train"): (
        RequestExample(
            "Three steps", body={"data": "xor", "samples": 4, "layers": "2-2-1", "steps": 3}
        ),
        RequestExample("A spec that is refused", body={"learning_rate": -1}),
    ),
}


def add_docs(site: Site) -> None:
    """Register /docs, rendered at the first request: all routes are known by then."""
    app, renderer = site.app, site.renderer
    pages: list[str] = []

    async def docs(request: Request) -> HTMLResponse:
        if not pages:
            context = {"page": "docs", "server": SERVER, "operations": await _operations(app)}
            pages.append(renderer.page("docs.html", context))
        return HTMLResponse(pages[0])

    app.add_route("/docs", docs, methods=["GET"], include_in_schema=False)


async def _operations(app: FastAPI) -> list[dict[str, Any]]:
    described = app.openapi()
    return [
        {
            "method": method.upper(),
            "path": path,
            "words": operation["description"],
            "fields": list(_taken(operation)),
            "answers": [_answer(int(status), said) for status, said in _sorted(operation)],
            "examples": [
                await _example(app, method, path, example)
                for example in EXAMPLES.get((method, path), ())
            ],
        }
        for path, methods in described["paths"].items()
        for method, operation in sorted(methods.items())
    ]


def _sorted(operation: Schema) -> list[tuple[str, Any]]:
    return sorted(operation["responses"].items())


# Parameters and answers


def _taken(operation: Schema) -> Iterator[dict[str, Any]]:
    """The query parameters, or the members of the body."""
    for parameter in operation.get("parameters", ()):
        says = parameter.get("description", "")
        yield _field(parameter["name"], parameter["schema"], parameter.get("required"), says)
    body = operation.get("requestBody", {"content": {}})["content"].get(JSON)
    if body:
        needed = body["schema"].get("required", ())
        for name, schema in body["schema"]["properties"].items():
            yield _field(name, schema, name in needed, schema.get("description", ""))


def _field(name: str, schema: Schema, needed: object, says: str) -> dict[str, Any]:
    default = json.dumps(schema["default"], ensure_ascii=False) if "default" in schema else ""
    return {
        "name": name,
        "type": words(schema),
        "default": default or ("required" if needed else ""),
        "is_given": bool(default),
        "says": says,
    }


def _answer(status: int, said: Schema) -> dict[str, Any]:
    (media, content), *_ = said.get("content", {"": {"schema": {}}}).items()
    return {
        "status": status,
        "phrase": HTTPStatus(status).phrase,
        "says": said["description"],
        "media": media,
        "keys": list(keys(content["schema"])),
        "headers": ", ".join(said.get("headers", ())),
    }


def words(schema: Schema, many: bool = False) -> str:
    """A schema in words, in the plural if `many`."""
    s = "s" if many else ""
    match schema:
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " or ".join(json.dumps(value) for value in values)
        case {"anyOf": choices}:
            return " or ".join(words(choice, many) for choice in choices)
        case {"type": "array"}:
            return f"list{s} of {words(schema['items'], True)}{_size(schema)}"
        case {"type": "object"} if schema.get("additionalProperties"):
            return f"object{s} of {words(schema['additionalProperties'], True)}"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "integer"}:
            return f"whole number{s}{_range(schema)}"
        case {"type": kind}:
            return f"{kind}{s if kind != 'null' else ''}{_range(schema)}"
    return "anything"


def _range(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    below = schema.get("exclusiveMaximum")
    if least is not None and most is not None:
        return f", {least:,} to {most:,}"
    parts = [f"at least {least:,}"] if least is not None else []
    parts += [f"at most {most:,}"] if most is not None else []
    parts += [f"below {below:,}"] if below is not None else []
    return ", " + ", ".join(parts) if parts else ""


def _size(schema: Schema) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if least == most:
        return f" ({least:,} of them)" if least is not None else ""
    parts = [f"at least {least:,}"] if least is not None else []
    parts += [f"at most {most:,}"] if most is not None else []
    return f" ({', '.join(parts)})" if parts else ""


def keys(schema: Schema, before: str = "") -> Iterator[tuple[str, str]]:
    """The path and type of every member of an answer, such as ("nodes[].id", "string")."""
    found: dict[str, str] = {}
    for one in schema.get("anyOf", (schema,)):
        for name, inner in one.get("properties", {}).items():
            path = f"{before}.{name}" if before else name
            found.setdefault(path, words(inner))
            inside, of = _inside(path, inner)
            found |= {key: said for key, said in keys(of, inside) if key not in found}
    yield from found.items()


def _inside(path: str, schema: Schema) -> tuple[str, Schema]:
    """The path and schema of the objects in a member: of its items, if it is a list."""
    while schema.get("type") == "array":
        path, schema = f"{path}[]", schema["items"]
    return path, schema


# Examples


async def _example(app: ASGI, method: str, path: str, example: RequestExample) -> dict[str, Any]:
    status, text = await _ask(app, method, path, example)
    if status >= 500:
        raise BusyError("light", "The examples could not be computed.")
    return {
        "words": example.words,
        "curl": _curl(path, example),
        "status": f"{status} {HTTPStatus(status).phrase}",
        "answer": pretty(json.loads(text)),
    }


def _curl(path: str, example: RequestExample) -> str:
    if example.body is None:
        pairs = [f"{name}={value}" for name, value in example.query]
        more = [f"--data-urlencode {shlex.quote(pair)}" for pair in pairs]
        return " \\\n  ".join([f"curl --get {SERVER}{path}", *more])
    body = shlex.quote(json.dumps(example.body))
    return f"curl {SERVER}{path} \\\n  --header 'content-type: {JSON}' \\\n  --data {body}"


async def _ask(app: ASGI, method: str, path: str, example: RequestExample) -> tuple[int, str]:
    """Status and body of the application's answer to an example."""
    sent = b"" if example.body is None else json.dumps(example.body).encode()
    messages: list[Message] = [{"type": "http.request", "body": sent}]
    answered: list[Message] = []

    async def receive() -> Message:
        if not messages:
            await asyncio.Event().wait()  # the client does not disconnect
        return messages.pop()

    async def send(message: Message) -> None:
        answered.append(message)

    await app(_scope(method, path, example), receive, send)
    body = b"".join(message.get("body", b"") for message in answered)
    return int(answered[0]["status"]), body.decode()


def _scope(method: str, path: str, example: RequestExample) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method.upper(),
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": urlencode(example.query).encode(),
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", JSON.encode())],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 80),
    }


def pretty(value: object, indent: int = 0) -> str:
    """Indented JSON, in which values that fit within WIDTH are on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    pad, end = " " * (indent + 2), " " * indent
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {pretty(part, indent + 2)}" for key, part in value.items()]
    else:
        parts = [pretty(part, indent + 2) for part in value]
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    return f"{opened}\n" + ",\n".join(f"{pad}{part}" for part in parts) + f"\n{end}{closed}"
