"""The language of lessons: spelling by pyspellchecker, reading level with syllables by Pyphen."""

import re
from collections.abc import Iterator

import pyphen
import pytest
from spellchecker import SpellChecker

from app.learn import course
from app.learn.building.stage import STAGES
from app.learn.fixing.exercises import EXERCISES
from app.learn.lesson import Lesson, LessonDrawing, LessonPiece, LessonQuestion, Prose
from app.learn.lesson_file import READER

HIGHEST = 8.0  # grade of Flesch and Kincaid
LONGEST = 25  # words of a sentence
TERMS = [
    *("autograd", "backprop", "backpropagation", "checkpointing", "colour", "colours", "exp"),
    *("exps", "hessian", "jacobian", "jax", "micrograd", "minsky", "mlp", "multi", "neighbour"),
    *("neighbours", "numpy", "overfitting", "papert", "perceptron", "pytorch", "relu"),
    *("acm", "andreas", "batch", "baur", "checkpoints", "documenta", "griewank", "hinton"),
    *("linnainmaa", "mathematica", "rumelhart", "seppo", "sgd", "softmax", "squasher"),
    *("stochastic", "strassen", "subclass", "tanh", "tensor", "tensors", "tuple", "volker"),
    *("walter", "wengert", "werbos", "xor"),
]
"""Words of the field, and British ones, that the dictionary does not have."""
HYPHENS = pyphen.Pyphen(lang="en_GB", left=1, right=1)
EACH = pytest.mark.parametrize("slug", course.lessons())


def texts(lesson: Lesson) -> Iterator[str]:
    """All Markdown that a reader of a lesson may see."""
    yield from (lesson.title, lesson.idea, lesson.carry)
    for step in lesson.steps:
        yield step.title
        for part in step.parts:
            if isinstance(part, Prose):
                yield from (token.content for token in part.tokens if token.type == "inline")
            elif isinstance(part, LessonQuestion):
                yield from of_question(part)
            elif isinstance(part, LessonDrawing):
                yield part.words
            elif isinstance(part, LessonPiece):
                yield STAGES[part.stage].asks
            else:
                yield part.table.get("words", "")


def of_question(question: LessonQuestion) -> Iterator[str]:
    table = question.table
    yield from (table["ask"], table["right"], *table["hints"], table.get("reveal", ""))
    for row in (*table.get("wrong", []), *table.get("check", []), *table.get("option", [])):
        yield from (row.get("says", ""), row.get("text", ""))


def plain(markdown: str) -> str:
    """The words of a text: each number as 1, code as a name, and no marks."""
    found = []
    for block in READER.parse(markdown):
        for token in block.children or []:
            if token.type == "text":
                found.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                found.append(" ")
            elif token.type in ("number", "code_inline"):
                found.append("1")
    return re.sub(r"\s+", " ", "".join(found)).strip()


def sentences(lesson: Lesson) -> list[list[str]]:
    """The sentences of a lesson as words; formulas have none."""
    found = []
    for text in texts(lesson):
        for sentence in re.split(r"(?<=[.?!:])\s+", plain(text)):
            words = re.findall(r"[A-Za-z]+(?:[’'][a-z]+)?|1", sentence)
            if sum(word != "1" for word in words) >= 3:
                found.append(words)
    return found


def syllables(word: str) -> int:
    return max(len(HYPHENS.positions(word)) + 1, 1)


def grade(found: list[list[str]]) -> float:
    """The grade by the formula of Kincaid and others (1975)."""
    words = [word for sentence in found for word in sentence]
    return 0.39 * len(words) / len(found) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


@EACH
def test_reading_level(slug: str) -> None:
    found = sentences(course.lessons()[slug])
    assert grade(found) <= HIGHEST
    long = [" ".join(words) for words in found if len(words) > LONGEST]
    assert not long


@pytest.fixture(scope="module")
def dictionary() -> SpellChecker:
    found = SpellChecker(language="en", distance=1)
    found.word_frequency.load_words(TERMS)
    return found


@EACH
def test_spelling(slug: str, dictionary: SpellChecker) -> None:
    assert unknown(dictionary, texts(course.lessons()[slug])) == set()


def test_spelling_of_exercises(dictionary: SpellChecker) -> None:
    said = [text for it in EXERCISES.values() for text in (it.title, it.story, *it.hints, it.said)]
    assert unknown(dictionary, said) == set()


def test_spelling_of_the_pieces_of_the_engine(dictionary: SpellChecker) -> None:
    for it in STAGES.values():
        slips = [slip.says for check in it.checks for slip in check.slips]
        said = [it.title, it.asks, it.text, *it.hints, it.said, *slips]
        assert unknown(dictionary, said) == set()


def unknown(dictionary: SpellChecker, said: Iterator[str] | list[str]) -> set[str]:
    words = {
        word.lower().removesuffix("’s").removesuffix("'s")
        for text in said
        for word in re.findall(r"[A-Za-z]{3,}(?:[’'][a-z]+)?", plain(text))
    }
    return dictionary.unknown(words)
