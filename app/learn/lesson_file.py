"""The format of lessons: Markdown with TOML at the front and in fenced blocks.

Between `+++` lines stand title, after, idea, carry and the programs. A heading of the
second level begins a step. The blocks `state`, `other`, `question`, `challenge`, `exercise`,
`drawing` and `piece` are TOML; docs/lessons.md describes them. Texts may hold numbers as
`[[expression]]`, which `app/learn/numbers.py` computes when a lesson is shown.

markdown-it-py reads the Markdown: it follows CommonMark, hands out tokens rather than HTML, so that
a step can be cut at its blocks, and is typed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from app.learn.blocks import Keys
from app.learn.lesson import (
    ExerciseLink,
    Lesson,
    LessonChallenge,
    LessonDrawing,
    LessonError,
    LessonPiece,
    LessonQuestion,
    LessonStep,
    Part,
    Prose,
    Table,
)
from app.learn.questions import question
from app.learn.timing import minutes

FRONT = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
NUMBER = re.compile(r"\[\[(.+?)\]\]")
BLOCKS = ("state", "other", "question", "challenge", "exercise", "drawing", "piece")
FACTS = ("title", "after", "idea", "carry")
MOST_STEPS = 7
NUMBER_TOKEN = "number"
EXERCISE = Keys(("program",), ("hide", "words"))
DRAWING = Keys(("name", "words"))
PIECE = Keys(("stage",))
CHALLENGE = Keys(("ask", "reached"), (), {"reached": Keys(("holds", "says"))})


def _number(state: StateInline, silent: bool) -> bool:
    """A number in double brackets, as a token of its own."""
    found = NUMBER.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push(NUMBER_TOKEN, "data", 0).content = found[1]
    state.pos = found.end()
    return True


def markdown() -> MarkdownIt:
    """The reader of Markdown, with numbers and tables, and without HTML of the text's own."""
    reader = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    reader.inline.ruler.before("link", NUMBER_TOKEN, _number)
    return reader


READER = markdown()


def read(slug: str, text: str) -> Lesson:
    """The lesson of a file. Raises LessonError."""
    front = FRONT.match(text)
    if front is None:
        raise LessonError(f"{slug}: the file has to begin with +++, TOML and +++.")
    head = _table(slug, front[1])
    tokens = READER.parse(text[front.end() :])
    others: dict[str, Table] = {}
    steps = tuple(_steps(slug, tokens, others))
    if not 1 <= len(steps) <= MOST_STEPS:
        raise LessonError(f"{slug}: {len(steps)} steps; a lesson has 1 to {MOST_STEPS}.")
    if missing := [name for name in FACTS if name not in head]:
        raise LessonError(f"{slug}: the front has no {missing[0]}.")
    given = head.get("programs", {})
    programs = {name: str(program).strip("\n") for name, program in given.items()}
    facts = {name: head[name] for name in FACTS}
    return Lesson(
        slug=slug, **facts, minutes=minutes(steps), programs=programs, steps=steps, others=others
    )


def _steps(slug: str, tokens: Sequence[Token], others: dict[str, Table]) -> Iterator[LessonStep]:
    state: Table = {}
    for place, (title, inside) in enumerate(_sections(slug, tokens), 1):
        where = f"{slug}.md, step {place} ({title})"
        parts: list[Part] = []
        prose: list[Token] = []
        for token in inside:
            if token.type != "fence" or token.info not in BLOCKS:
                prose.append(token)
                continue
            table = _table(slug, token.content)
            if token.info == "state":
                state = table
                if "name" in table:
                    others[table["name"]] = table
            elif token.info == "other":
                if "name" not in table:
                    raise LessonError(f"{where}: the block 'other' needs the key 'name'.")
                others[table["name"]] = table
            else:
                parts += _prose(prose)
                prose = []
                parts.append(_part(where, token.info, table, parts))
        yield LessonStep(title, state, (*parts, *_prose(prose)))


def _part(where: str, block: str, table: Table, before: Sequence[Part]) -> Part:
    """The part of a step that a block describes."""
    if block == "question":
        index = sum(isinstance(part, LessonQuestion) for part in before)
        return question(where, index, table)
    if block == "challenge":
        CHALLENGE.check(where, "a challenge", table)
        index = sum(isinstance(part, LessonChallenge) for part in before)
        return LessonChallenge(index, table)
    if block == "drawing":
        DRAWING.check(where, "a drawing", table)
        return LessonDrawing(table["name"], table["words"])
    if block == "piece":
        PIECE.check(where, "a piece", table)
        return LessonPiece(table["stage"])
    EXERCISE.check(where, "an exercise", table)
    return ExerciseLink(table)


def _prose(tokens: Sequence[Token]) -> list[Prose]:
    return [Prose(tuple(tokens))] if tokens else []


def _sections(slug: str, tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """The tokens of each step, with its heading."""
    starts = [k for k, it in enumerate(tokens) if it.type == "heading_open" and it.tag == "h2"]
    if not starts or starts[0] != 0:
        raise LessonError(f"{slug}: the text has to begin with a heading of the second level.")
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        yield tokens[start + 1].content, list(tokens[start + 3 : end])


def _table(slug: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{slug}: {error}, in\n{text}") from None
