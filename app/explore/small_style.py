"""The rules of style sheets that a page needs, without comments and line ends.

A page that is kept in a notebook carries its style sheets, and its lines may be joined on the way:
so the rules whose classes and ids occur neither in its markup nor in its scripts are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AROUND = re.compile(r"\s*([{};])\s*")
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
_DEFAULTED = re.compile(r":not\([^()]*\)")
_USED = re.compile(r"var\((--[\w-]+)")
_SET = re.compile(r"(?<=[{;])(--[\w-]+):[^;{}]*;")
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_PREFIX = re.compile(r"([A-Za-z_][\w-]*-)\$\{")


def small_style(sheets: str, *texts: str) -> str:
    """The rules of `sheets` on one line that can apply where all class names are words of `texts`.

    A script composes some: of `flow-${way}` every name that begins with `flow-` is kept.
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    prefixes = tuple({prefix for text in texts for prefix in _PREFIX.findall(text)}) or (" ",)
    plain = _AROUND.sub(r"\1", _SPACE.sub(" ", _COMMENT.sub("", sheets))).strip()
    kept = "".join(_kept(plain, words, prefixes))
    used = {*_USED.findall(kept), *(name for text in texts for name in _USED.findall(text))}
    return _SET.sub(lambda found: found[0] if found[1] in used else "", kept)


def _kept(plain: str, words: set[str], prefixes: tuple[str, ...]) -> Iterator[str]:
    for head, body in _blocks(plain):
        if head.startswith(("@media", "@supports", "@layer")):
            inner = "".join(_kept(body, words, prefixes))
            if inner:
                yield f"{head}{{{inner}}}"
        elif head.startswith("@") or (chosen := _selectors(head, words, prefixes)) is None:
            yield f"{head}{{{_tight(body)}}}"
        elif chosen:
            yield f"{chosen}{{{_tight(body)}}}"


def _tight(body: str) -> str:
    return body.rstrip(";").replace(": ", ":").replace(", ", ",")


def _selectors(head: str, words: set[str], prefixes: tuple[str, ...]) -> str | None:
    """Those of a list of selectors that can match; None to keep a list that is not simple."""
    if ":is(" in head or ":has(" in head:
        names = _NAME.findall(head.split(":is(")[0].split(":has(")[0])
        return None if _known(names, words, prefixes) else ""
    parts = _DEFAULTED.sub(lambda found: found[0].replace(",", "\0"), head).split(",")
    kept = [it for it in parts if _known(_NAME.findall(_DEFAULTED.sub("", it)), words, prefixes)]
    return ",".join(map(str.strip, kept)).replace("\0", ",")


def _known(names: list[str], words: set[str], prefixes: tuple[str, ...]) -> bool:
    return all(name in words or name.startswith(prefixes) for name in names)


def _blocks(plain: str) -> Iterator[tuple[str, str]]:
    """Head and body of each rule, in order; bodies of at-rules hold rules."""
    depth = start = opened = 0
    for at, letter in enumerate(plain):
        if letter == "{":
            if depth == 0:
                opened = at
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                yield plain[start:opened].strip(), plain[opened + 1 : at]
                start = at + 1
