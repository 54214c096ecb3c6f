"""Names as formulas set them: x₁ for `x1`, a dot for `*`, short names of a network's parameters."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from engine.caches import cached

_TOKEN = re.compile(
    r"(?P<word>[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*)"
    r"|(?P<mn>[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?)"
    r"|(?P<mo> *(?:\*\*|[-+*/]) *)"
    r"|(?P<mi>[^A-Za-z_\u0080-\U0010ffff0-9*/+-]+)"
)
_NUMBERED = re.compile(r"([A-Za-zα-ωΑ-Ω]+)_?([0-9]+)")
_NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?")
_SIGNS = {"*": "·", "-": "−"}
_PARAMETER = re.compile(r"(?<!\w)(?:l([0-9]+)\.)?n([0-9]+)\.(w[0-9]+|b)(?!\w)")


class Token(NamedTuple):
    """One element of MathML, and its subscript if it has one."""

    element: str
    text: str
    subscript: str = ""


@cached("symbols of a name")
def tokens(name: str) -> tuple[Token, ...]:
    """The elements of a name or an expression; a negative number is one."""
    if _NUMBER.fullmatch(name):
        return (Token("mn", name.replace("-", "−")),)
    return tuple(_token(found) for found in _TOKEN.finditer(name))


def _token(found: re.Match[str]) -> Token:
    kind, text = found.lastgroup or "mi", found[0]
    if kind == "mo":
        return Token("mo", _SIGNS.get(text.strip(), text.strip()))
    if kind == "mn":
        return Token("mn", text.replace("-", "−"))
    numbered = _NUMBERED.fullmatch(text) if kind == "word" else None
    return Token("mi", numbered[1], numbered[2]) if numbered else Token("mi", text)


def mathml(name: str) -> str:
    """The MathML of a name, escaped."""
    return "".join(map(_element, tokens(name)))


def _element(token: Token) -> str:
    main = f"<{token.element}>{escape(token.text)}</{token.element}>"
    return f"<msub>{main}<mn>{token.subscript}</mn></msub>" if token.subscript else main


@cached("short names")
def brief(name: str) -> str:
    """`name` with the parameters of networks by their last part: `w0` for `l0.n1.w0`."""
    return _PARAMETER.sub(lambda found: found[3], name) if "." in name else name


def owner(name: str) -> str:
    """The neuron of a network's parameter: "neuron 1, layer 0"; "" for any other name."""
    found = _PARAMETER.fullmatch(name)
    if found is None:
        return ""
    return f"neuron {found[2]}" + (f", layer {found[1]}" if found[1] else "")
