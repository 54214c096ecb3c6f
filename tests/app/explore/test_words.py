"""The table of words: every name that a program may use is there once, with a line of help."""

from __future__ import annotations

from typing import Any

from app import vocabulary
from app.explore.words import LONGEST, table, words
from engine.ops import OPS
from engine.stand_ins.names import LIBRARIES
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.pages import client

WORDS = words()
GROUPS = {
    "names": WORDS["names"],
    **{
        f"{kind} {name}": found
        for kind in ("modules", "members")
        for name, found in WORDS[kind].items()
        if found
    },
}


def names(found: list[dict[str, str]]) -> list[str]:
    """The names of words."""
    return [word["name"] for word in found]


@for_each("found", GROUPS.values(), ids=GROUPS)
def test_each_word_has_one_line_of_help(found: list[dict[str, str]]) -> None:
    assert len(set(names(found))) == len(found)
    for word in found:
        assert 0 < len(word["help"].strip()) <= LONGEST, word
        assert "\n" not in word["help"]
        assert "{" not in word["help"].replace("{}", ""), word


def test_names_are_those_of_the_tables() -> None:
    assert set(names(WORDS["names"])) >= {
        *vocabulary.FUNCTIONS, *vocabulary.TYPES, *vocabulary.EXCEPTIONS, *vocabulary.CLASSES,
        *(op.name for op in OPS.values() if op.is_word),
    }  # fmt: skip
    for path, known in vocabulary.modules().items():
        assert names(WORDS["modules"][path]) == known


@for_each(
    ("name", "made"),
    [
        ("Value", "Value(2.0)"),
        ("str", "'a'"),
        ("list", "[1.0]"),
        ("float", "0.5"),
        ("complex", "1j"),
        ("Counter", "__import__('collections').Counter()"),
        ("Fraction", "__import__('fractions').Fraction(1, 2)"),
        ("datetime", "__import__('datetime').datetime(2026, 1, 1)"),
        ("numpy.ndarray", "np.array([1.0])"),
        ("torch.Tensor", "torch.tensor([[1.0]]), torch.tensor(1.0)"),  # each has more
    ],
)
def test_every_member_can_be_read(name: str, made: str) -> None:
    members = names(WORDS["members"][name])
    trace(
        f"xs = [{made}]\nfor name in {members}:\n"
        "    assert any(hasattr(x, name) for x in xs), name\nL = Value(1.0) * 2"
    )


def test_libraries_are_known_without_an_import() -> None:
    assert WORDS["libraries"] == LIBRARIES


def test_an_operation_is_explained_by_its_row() -> None:
    (tanh,) = (word for word in WORDS["names"] if word["name"] == "tanh")
    assert tanh["call"] == "tanh(x)"
    assert tanh["help"] == "Squash x into the interval from −1 to 1."


def test_table_is_served_for_ever_at_the_address_of_its_content() -> None:
    with client() as session:
        answer: Any = session.get(table().address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.json() == WORDS
        assert session.get("/words/0123456789ab.json").status_code == 404
