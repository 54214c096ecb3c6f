"""The words that programs may use, each with a line of help, for completion in the editor.

Made from Python's own modules and the engine's tables. The help on Python's names is the first
sentence of their documentation; that on operations is the operation's row in the table.
"""

from __future__ import annotations

import builtins
import gzip
import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from app import vocabulary
from app.caches import cached
from app.explore.library_help import HELP
from app.explore.python_help import KEYWORDS, PYTHON
from app.serving.compression import takes_gzip
from app.serving.headers import IMMUTABLE
from app.site import Site
from engine.ops import OPS, Op

Word: TypeAlias = dict[str, str]
"""A name with `help`, and where it helps the `call` and the `kind`."""

LONGEST = 140  # letters of a line of help
CLASS_HELP = {
    "Value": "A number that records how it was computed, with data and grad.",
    "Neuron": "A weighted sum of its inputs plus a bias, through an activation.",
    "Layer": "Neurons that share their inputs.",
    "MLP": "A network of layers, each fed by the one before.",
    "Module": "The base of all networks: parameters() and zero_grad().",
}
MEMBER_HELP = {
    "data": "The number itself.",
    "grad": "The derivative of the output with respect to this number, after backward().",
    "label": "The name in the picture.",
    "backward": "Walk back from here and add to the gradient of every Value it meets.",
    "parameters": "Every weight and bias, in a list.",
    "zero_grad": "Set the gradient of every parameter to 0.",
    "item": "The number as a plain one.",
    "w": "The weights.", "b": "The bias.", "neurons": "The neurons of the layer.",
    "layers": "The layers of the network.",
}  # fmt: skip
SIGNATURE = re.compile(r"^[\w.]+\(.*?\)(?:\s*->\s*(?:[\w.]+:\s*)?(.*)|$)")
SENTENCE = re.compile(r"(.+?\.)(?:\s|$)")


class Table(NamedTuple):
    """The words as JSON, compressed, with the address that holds their hash."""

    body: bytes
    packed: bytes
    address: str


@cached("words of the editor")
def table() -> Table:
    """The table, made once per process."""
    body = json.dumps(words(), ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(body).hexdigest()[:12]
    return Table(body, gzip.compress(body, mtime=0), f"/words/{digest}.json")


def add_words(site: Site) -> None:
    """Register the address of the table, which changes with its content."""

    async def answer(request: Request) -> Response:
        found = table()
        if request.url.path != found.address:
            raise HTTPException(404)
        headers = {**IMMUTABLE, "vary": "accept-encoding"}
        packed = takes_gzip(request.headers.get("accept-encoding", "").encode("latin-1"))
        if packed:
            headers["content-encoding"] = "gzip"
        return Response(found.packed if packed else found.body, 200, headers, "application/json")

    site.app.add_route("/words/{digest}.json", answer, methods=["GET"], include_in_schema=False)


def words() -> dict[str, Any]:
    """The table: names that stand alone, names in modules, and names after a dot, by type."""
    modules = vocabulary.modules()
    return {
        "names": sorted(_names(), key=lambda word: word["name"].lower()),
        "modules": {path: [_of_module(path, name) for name in modules[path]] for path in modules},
        "members": {
            written: [_member(kind, written, name) for name in sorted(names, key=_rank)]
            for written, (kind, names) in vocabulary.members().items()
            if not written.startswith("engine.")  # without a name that programs could write
        },
        "libraries": vocabulary.LIBRARIES,
    }


def _rank(name: str) -> tuple[int, str]:
    """What programs of Values ask for most comes first."""
    first = list(MEMBER_HELP)
    return (first.index(name) if name in first else len(first), name)


def _names() -> Iterable[Word]:
    for op in OPS.values():
        if op.is_word and not hasattr(builtins, op.name):
            yield _op(op)
    for name, kind in vocabulary.CLASSES.items():
        yield _word(name, CLASS_HELP[name], "class", call=_call(name, kind))
    for name in (*vocabulary.FUNCTIONS, *vocabulary.TYPES):
        yield _python(name, getattr(builtins, name))
    for name in vocabulary.EXCEPTIONS:
        yield _word(name, _summary(getattr(builtins, name)) or "An exception.", "exception")
    for name, help_ in KEYWORDS.items():
        yield _word(name, help_, "keyword")


def _word(name: str, help_: str, kind: str = "", *, call: str = "") -> Word:
    word = {"name": name, "help": _cut(help_)}
    return word | ({"kind": kind} if kind else {}) | ({"call": call} if call else {})


def _op(op: Op, name: str = "") -> Word:
    name = name or op.name
    says = op.forward_says.format(**{f"x{i}": param for i, param in enumerate(op.params)}, y="y")
    return _word(
        name, says[0].upper() + says[1:] + ".", "op", call=f"{name}({', '.join(op.params)})"
    )


def _python(name: str, x: Any, kind: str = "function") -> Word:
    if name in OPS and not isinstance(x, type):
        return _op(OPS[name])
    kind = "type" if isinstance(x, type) else kind
    return _word(name, _summary(x) or f"{name}, as in Python.", kind, call=_call(name, x))


def _of_module(path: str, name: str) -> Word:
    """A name in a module: an operation, one that is explained here, or one of Python's."""
    if name in HELP.get(path, {}):
        return _word(name, HELP[path][name])
    if (op := OPS.get(name)) and op.is_word:
        return _op(op)
    x = getattr(vocabulary.python_module(path), name, None)
    if path in HINTS:
        return _word(name, "A type hint, which changes nothing when the program runs.")
    if not callable(x):
        return _word(name, f"{path}.{name}{_value(x) or ', a constant.'}")
    return _word(
        name, _summary(x) or f"{path}.{name}, as in the module.", "function", call=_call(name, x)
    )


def _value(x: Any) -> str:
    return f" = {x!r}" if isinstance(x, int | float) and not isinstance(x, bool) else ""


HINTS = ("typing", "typing_extensions", "collections.abc", "numbers")


def _member(kind: type, written: str, name: str) -> Word:
    """A name after a dot."""
    library = HELP.get(written.split(".")[0], {})
    if (op := OPS.get(vocabulary.OP_ALIASES.get(name, name))) and (
        op.is_word or name in vocabulary.OP_ALIASES
    ):
        return _op(op, name)
    if name.removesuffix("_") in library:
        in_place = ", in place" if name.endswith("_") and name not in library else ""
        return _word(name, (library.get(name) or library[name[:-1]]).rstrip(".") + f"{in_place}.")
    x = getattr(kind, name, None)
    if kind.__module__.partition(".")[0] in sys.stdlib_module_names and x is not None:
        about = PYTHON.get(name) or _summary(x) or f"{written}.{name}, as in Python."
        called = callable(x) and not isinstance(x, type)
        return _word(name, about, "method" if called else "", call=_call(name, x) if called else "")
    return _word(
        name, MEMBER_HELP.get(name) or PYTHON.get(name) or f"{written}.{name}, as in Python."
    )


def _summary(x: Any) -> str:
    """The first sentence of the documentation of an object, or what its signature says returns."""
    text = inspect.getdoc(x) or ""
    said = ""
    for paragraph in text.split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip()]
        while lines and (found := SIGNATURE.match(lines[0])):
            said = said or found[1] or ""
            lines = lines[1:]
        if lines:
            joined = " ".join(lines)
            sentence = SENTENCE.match(joined)
            return sentence[1] if sentence else joined
    return said[:1].upper() + said[1:]


def _call(name: str, x: Any) -> str:
    try:
        signature = inspect.signature(x)
    except (TypeError, ValueError):
        return f"{name}(…)" if callable(x) else ""
    plain = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in signature.parameters.values()
        if one.name != "self"
    ]
    text = str(inspect.Signature(plain)).replace(", /", "").replace("(/)", "()")
    return f"{name}{text}" if len(text) < 70 else f"{name}(…)"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
