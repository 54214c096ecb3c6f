"""Names of Values where there is little room: in fractions, and in formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from app.caches import cached
from app.explore.card_filling import EXPRESSION
from engine.trace import symbols
from engine.trace.model import Node

TAG_LENGTH, INNER_LENGTH, TERM_LENGTH = 11, 7, 20
"""Characters of a name and of an expression in a fraction, and of a name in a formula beyond which
its parameters are shortened.
"""
SHORT_SUM = 4
"""Characters of the beginning of a sum beside which there is room for the number of its terms."""


@cached("tags of names")
def tag(name: str) -> str:
    """A name cut to fit a fraction, in parentheses if it is an expression.

    The parameters of a network have their short names.
    """
    name = symbols.brief(name)
    if not EXPRESSION.search(name):
        return name if len(name) <= TAG_LENGTH else f"{name[: TAG_LENGTH - 1]}…"
    return f"({name if len(name) <= INNER_LENGTH else _cut(name)})"


def _cut(name: str) -> str:
    """An expression that is too long, after the last sign of a sum or else of a product.

    The partial sums of a neuron begin alike: the number of their terms tells them apart.
    """
    if found := re.match(r".+ [-+](?= )", name[: INNER_LENGTH + 1]):
        terms = len(re.findall(" [-+] ", name))
        is_short = terms > 1 and len(found[0]) <= SHORT_SUM
        return f"{found[0]} {terms} more" if is_short else f"{found[0]} …"
    product = re.match(r".+[*/]", name[:INNER_LENGTH])
    if product and not re.search(" [-+] ", name):
        return f"{product[0]}…"
    return f"{name[: INNER_LENGTH - 1]}…"


def term(name: str) -> str:
    """A name in a formula: in full where there is room for it."""
    return name if len(name) <= TERM_LENGTH else symbols.brief(name)


class NameFacts(NamedTuple):
    """What formulas show of a name, and the elements of the texts that are not one identifier."""

    tag: str
    term: str
    owner: str
    symbols: dict[str, list[Any]]


@cached("facts of names")
def name_facts(name: str) -> NameFacts:
    texts = tag(name), term(name)
    parts = {text: [*map(_element, symbols.tokens(text))] for text in texts}
    known = {text: found for text, found in parts.items() if found != [f"i{text}"]}
    return NameFacts(*texts, symbols.owner(name), known)


def _element(token: symbols.Token) -> str | list[str]:
    """The last letter of an element's name with its text, and the subscript if it has one."""
    main = token.element[1:] + token.text
    return [main, token.subscript] if token.subscript else main


def of_values(nodes: Iterable[Node]) -> dict[str, dict[str, Any]]:
    """The tags, terms and owners of Values by id where they say more than the name, as JSON.

    `symbols` has the elements of tags and terms that are not one identifier.
    """
    tags, terms, owners, known = {}, {}, {}, dict[str, list[Any]]()
    for node in nodes:
        short, held, owner, found = name_facts(node.name)
        if short != node.name:
            tags[node.id] = short
        if held != node.name:
            terms[node.id] = held
        if owner:
            owners[node.id] = owner
        known.update(found)
    return {"tags": tags, "terms": terms, "owners": owners, "symbols": known}
