"""The text of lessons as HTML: numbers computed, and code that names a Value marked as such."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from app.learn.lesson_file import NUMBER_TOKEN, markdown

Env = MutableMapping[str, Any]
Write = Callable[[str], Markup]
"""A number's markup by its expression."""

SHORT = 22  # letters of code that stays on one line, also on a phone


def _number(
    self: RendererHTML, tokens: Sequence[Token], k: int, options: OptionsDict, env: Env
) -> str:
    return str(env["number"](tokens[k].content))


def _code(
    self: RendererHTML, tokens: Sequence[Token], k: int, options: OptionsDict, env: Env
) -> str:
    text = tokens[k].content
    known = env["labels"]
    node = known.get(text) or known.get(text.removesuffix(".grad").removesuffix(".data"))
    place = Markup(' data-node="{}"').format(node) if node else Markup()
    size = Markup(' class="short"') if len(text) <= SHORT else Markup()
    return Markup("<code{}{}>{}</code>").format(size, place, text)


READER = markdown()
READER.add_render_rule(NUMBER_TOKEN, _number)
READER.add_render_rule("code_inline", _code)


def rendered(source: str | Sequence[Token], number: Write, labels: Mapping[str, str]) -> Markup:
    """Markdown as HTML; `labels` are the ids of the Values of its picture by name."""
    env = {"number": number, "labels": labels}
    tokens = READER.parse(source) if isinstance(source, str) else source
    return Markup(READER.renderer.render(tokens, READER.options, env))  # noqa: S704  escaped by it


def inline(source: str, number: Write, labels: Mapping[str, str]) -> Markup:
    """A line of Markdown as HTML, without its paragraph."""
    env = {"number": number, "labels": labels}
    tokens = READER.parseInline(source)
    return Markup(READER.renderer.render(tokens, READER.options, env))  # noqa: S704  escaped by it


def number_markup(text: str, value: float, node: str | None, slot: str) -> Markup:
    """A number in the text, in the colour of its kind."""
    kind = Markup(" ") + escape(slot) if slot else Markup()
    place = Markup(' data-node="{}"').format(node) if node else Markup()
    return Markup('<data class="number{}" value="{}"{}>{}</data>').format(kind, value, place, text)
