"""The catalogue of broken autograd classes says the truth about itself, under CPython."""

from __future__ import annotations

from collections import Counter
from math import isclose
from typing import Any, NamedTuple, TypeAlias

import pytest

from engine.verdict.kinds import KINDS
from tests.oracles.cpython_classes import answers as ask_cpython
from tests.oracles.records import Oracle
from tests.support.bugs import Bug, Pair, Right, bugs, edited, pairs, right_programs
from tests.support.each import for_each

RIGHT = right_programs()
SHOWING = frozenset(KINDS) - {"wrong_result", "missing_reflected"}
"""Kinds that leave a gradient wrong for the numbers that the program computes."""
FREQUENT = (
    "assigned", "upstream_missing", "wrong_partial", "wrong_sign", "contribution_missing", "order",
    "not_zeroed",
)  # fmt: skip


class Answer(NamedTuple):
    """What CPython says of a program: `slopes` are by central differences."""

    printed: str
    raised: str | None
    data: dict[str, float]
    grads: dict[str, float | None]
    slopes: dict[str, float]

    def wrong(self) -> set[str]:
        """The expressions whose gradients are not their slopes."""
        return {name for name, slope in self.slopes.items() if not near(self.grads[name], slope)}


def near(number: float | None, other: float | None) -> bool:
    if number is None or other is None:
        return False
    return isclose(number, other, rel_tol=1e-5, abs_tol=1e-7)


def job(right: Right, text: str, *names: str) -> dict[str, Any]:
    """A program to run, and the expressions whose gradients are compared."""
    return {
        "text": text,
        "class_name": right.class_name,
        "data": right.data,
        "grad": right.grad,
        "check": names,
        "outputs": right.outputs,
        "since": right.since,
    }


def jobs() -> dict[str, dict[str, Any]]:
    """All programs by a name: right, broken, elsewhere, fixed, and both mistakes of a pair."""
    found = {f"right {right.name}": job(right, right.text, *right.check) for right in RIGHT}
    for bug in bugs():
        base, names = bug.base, (bug.node,) if bug.node else bug.base.check
        found[f"broken {bug.name}"] = job(base, bug.text, *names)
        if bug.elsewhere:
            found[f"elsewhere {bug.name}"] = job(base, edited(bug.text, [bug.elsewhere]), *names)
        if bug.fix and fixed(bug) != base.text:
            found[f"fixed {bug.name}"] = job(base, fixed(bug), *base.check)
    for pair in pairs():
        found[f"both {pair.name}"] = job(pair.first.base, pair.text)
    return found


def fixed(bug: Bug) -> str:
    """The broken program with the right text in the blamed line."""
    assert bug.fix
    lines = bug.text.split("\n")
    line = lines[bug.line - 1]
    lines[bug.line - 1] = line[: len(line) - len(line.lstrip())] + bug.fix
    return "\n".join(lines)


Answers: TypeAlias = dict[str, Answer]


@pytest.fixture(scope="module")
def answers(oracle: Oracle) -> Answers:
    """The answers to all jobs, recorded style by style; those that are not recorded yet, anew."""
    found: Answers = {}
    styles: dict[str, dict[str, dict[str, Any]]] = {}
    for name, of in jobs().items():
        styles.setdefault(name.partition(" ")[2].partition("/")[0], {})[name] = of
    for given in styles.values():
        asked = [*given.values()]
        is_known = oracle.knows("cpython_classes.answers", asked)
        told = oracle("cpython_classes.answers", asked) if is_known else ask_cpython(asked)
        found |= {name: Answer(**one) for name, one in zip(given, told, strict=True)}
    return found


@for_each("right", RIGHT, ids=lambda right: right.name)
def test_a_right_program_prints_and_leaves_the_gradients_of_central_differences(
    right: Right, answers: Answers
) -> None:
    answer = answers[f"right {right.name}"]
    assert (answer.raised, answer.wrong()) == (None, set())
    assert answer.printed
    assert len(answer.slopes) == len(right.check)


@for_each("bug", bugs(), ids=lambda bug: bug.name)
def test_a_broken_program_is_wrong_as_its_entry_says(bug: Bug, answers: Answers) -> None:
    answer = answers[f"broken {bug.name}"]
    assert answer.raised == bug.raises
    if bug.elsewhere:
        assert not answer.wrong()
        answer = answers[f"elsewhere {bug.name}"]
        assert answer.raised is None
    if bug.kind in SHOWING and not bug.raises:
        assert answer.wrong()
    if bug.kind in SHOWING and bug.node:
        assert bug.node in answer.wrong()
    if bug.kind == "wrong_result":
        assert differs(bug, answer, answers)
    if bug.node and bug.written is not None:
        assert near(answer.grads[bug.node], bug.written)
    if bug.node and bug.due is not None:
        assert near(answer.slopes[bug.node], bug.due)


def differs(bug: Bug, answer: Answer, answers: Answers) -> bool:
    """Whether the numbers of a program, or those of the node blamed, are not its base's."""
    right = answers[f"right {bug.base.name}"].data
    return not all(near(number, right.get(name)) for name, number in answer.data.items())


@for_each("bug", [bug for bug in bugs() if bug.fix], ids=lambda bug: bug.name)
def test_the_fix_of_one_line_makes_a_program_right(bug: Bug, answers: Answers) -> None:
    repaired = "right " + bug.base.name if fixed(bug) == bug.base.text else "fixed " + bug.name
    assert (answers[repaired].raised, answers[repaired].wrong()) == (None, set())


@for_each("bug", bugs(), ids=lambda bug: bug.name)
def test_a_mistake_is_of_a_known_kind_in_a_line_of_its_own(bug: Bug) -> None:
    assert bug.kinds <= set(KINDS)
    assert bug.line in bug.lines
    assert len(bug.lines) == (2 if bug.cause else 1)


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_two_mistakes_of_a_pair_stand_in_one_program(pair: Pair, answers: Answers) -> None:
    assert pair.first.base is pair.second.base
    assert answers[f"both {pair.name}"].raised == pair.first.raises
    lines = pair.text.split("\n")
    assert lines[pair.line - 1].strip() == pair.first.blamed
    assert (pair.first.blamed, pair.first.cause) != (pair.second.blamed, pair.second.cause)


def test_names_are_unique_and_every_base_is_used_or_odd() -> None:
    assert max(Counter(bug.name for bug in bugs()).values()) == 1
    assert max(Counter(right.name for right in RIGHT).values()) == 1
    used = {bug.base.name for bug in bugs()}
    odd = {right.name for right in RIGHT if right.style == "oddities"}
    assert {right.name for right in RIGHT} - used == odd


def test_every_kind_is_there_in_many_styles() -> None:
    kinds = Counter(bug.kind for bug in bugs())
    assert sum(kinds.values()) >= 300
    assert all(kinds[kind] >= 4 for kind in KINDS)
    assert all(kinds[kind] >= 8 for kind in FREQUENT)
    assert len({bug.style for bug in bugs()} | {right.style for right in RIGHT}) >= 16
    assert len(RIGHT) >= 60
    assert len(pairs()) >= 12
