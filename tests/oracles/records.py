"""Recorded answers: a file for each oracle, a line for each question."""

from __future__ import annotations

import hashlib
import json
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from tests.support.places import DATA, ROOT

FOLDER = DATA / "oracles"
ELSEWHERE = {"torch_operations.special_points": ROOT / "app/operations/torch_facts.json"}
"""Answers that the application shows, and that therefore belong to it."""
NEAR = 1e-12
"""How far numbers may be from the record, relatively, unless the oracle's module says otherwise:
processors with other vector units round the last digit of sums and functions another way. A
module's `NOISE` is what may be left of numbers that cancel. Answers of one that `VARIES` are not
compared: the tests hold for the library's answers as for the recorded ones."""
HOW_TO_RECORD = "make oracles ARGS=--record"
_LONGEST = 100  # characters of a question that stands in the record as it is
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)(?![\w.])")

Mode = Literal["read", "check", "record"]


class NotRecorded(LookupError):
    """A question without a recorded answer."""


class Differs(AssertionError):
    """The library's answer is no longer the recorded one."""


@dataclass
class Record:
    """The answers of one oracle, and the release of the library that gave them."""

    path: Path
    library: str = ""
    answers: dict[str, Any] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, name: str) -> Record:
        """The record of an oracle; empty where there is none."""
        path = ELSEWHERE.get(name, FOLDER / f"{name}.json")
        found = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return cls(path, found.get("library", ""), found.get("answers", {}))

    def unasked(self) -> list[str]:
        """The questions that no test has asked."""
        return sorted(set(self.answers) - self.asked)

    def write(self) -> None:
        """Write the file, in the order of the questions; of a record that is empty, none."""
        if not self.answers:
            self.path.unlink(missing_ok=True)
            return
        lines = [f"  {_text(key)}: {_text(answer)}" for key, answer in sorted(self.answers.items())]
        body = ",\n".join(lines)
        text = f'{{\n "library": {_text(self.library)},\n "answers": {{\n{body}\n }}\n}}\n'
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(text, "utf-8")


@dataclass
class Oracle:
    """Answers questions of tests: from the record, or by the library itself."""

    mode: Mode = "read"
    records: dict[str, Record] = field(default_factory=dict)

    @property
    def is_live(self) -> bool:
        """Whether the libraries themselves are there."""
        return self.mode != "read"

    def knows(self, name: str, *question: Any) -> bool:
        """Whether there is an answer: in the record, or from the library."""
        return self.is_live or key_of(question) in self._record(name).answers

    def _record(self, name: str) -> Record:
        if name not in self.records:
            self.records[name] = Record.read(name)
        return self.records[name]

    def __call__(self, name: str, *question: Any) -> Any:
        """The answer of `tests.oracles.NAME` to a question that JSON can hold.

        Raises NotRecorded if there is no answer in the record, and Differs if the library gives
        another one.
        """
        record, key = self._record(name), key_of(question)
        record.asked.add(key)
        if self.is_live:
            self._ask(name, question, key)
        if key not in record.answers:
            raise NotRecorded(f"{name} has no recorded answer to {key}; {HOW_TO_RECORD}")
        return record.answers[key]

    def _ask(self, name: str, question: tuple[Any, ...], key: str) -> None:
        record, module = self.records[name], import_module(f"tests.oracles.{name.split('.')[0]}")
        function: Callable[..., Any] = getattr(module, name.split(".")[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = json.loads(_text(function(*question)))
        recorded = record.answers.get(key)
        if self.mode == "check" and getattr(module, "VARIES", False):
            record.answers[key] = answer  # what the test asserts is to hold for it, too
            return
        near, noise = getattr(module, "NEAR", NEAR), getattr(module, "NOISE", 0.0)
        if key in record.answers and same(answer, recorded, near, noise):
            return  # digits that the processor decides do not change the file
        if self.mode == "record":
            record.library = module.LIBRARY
            record.answers[key] = answer
        elif key in record.answers:
            raise Differs(f"{name} now answers {answer} to {key}; the record says {recorded}")

    def asked(self) -> dict[str, list[str]]:
        """The questions that were asked, by oracle."""
        return {name: sorted(record.asked) for name, record in self.records.items()}

    def were_asked(self, questions: dict[str, list[str]]) -> None:
        """Count questions as asked, which another process has asked."""
        for name, keys in questions.items():
            self._record(name).asked.update(keys)

    def unasked(self) -> list[str]:
        """Recorded answers that no test asks for, of all files."""
        names = [*ELSEWHERE, *(path.stem for path in FOLDER.glob("*.json"))]
        records = {name: self.records.get(name) or Record.read(name) for name in names}
        return [f"{name}: {key}" for name, it in records.items() for key in it.unasked()]

    def write(self, forget: bool) -> None:
        """Write all records; `forget` what was not asked for."""
        for record in self.records.values():
            for key in record.unasked() if forget else ():
                del record.answers[key]
            record.write()
        for path in FOLDER.glob("*.json") if forget else ():
            if path.stem not in self.records:
                path.unlink()


def key_of(question: tuple[Any, ...]) -> str:
    """A question as the record has it: the text itself, or its digest if it is long.

    The digest does not see the last digits of numbers, which another C library rounds another way.
    """
    only = question[0] if len(question) == 1 else None
    text = only if isinstance(only, str) else _text(question)
    if len(text) <= _LONGEST:
        return text
    text = _NUMBER.sub(lambda number: f"{float(number[0]):.12g}", text)
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:24]}"


def same(one: Any, other: Any, near: float, noise: float = 0.0) -> bool:
    """Whether answers agree: numbers, those in texts too, nearly, and all else exactly."""
    match one, other:
        case float(), float():
            both_nan = math.isnan(one) and math.isnan(other)
            return both_nan or math.isclose(one, other, rel_tol=near, abs_tol=noise)
        case str(), str():
            return one == other or _same_text(one, other, near, noise)
        case list(), list():
            pairs = zip_longest(one, other)
            return len(one) == len(other) and all(same(a, b, near, noise) for a, b in pairs)
        case dict(), dict():
            return one.keys() == other.keys() and all(
                same(one[key], other[key], near, noise) for key in one
            )
    return type(one) is type(other) and bool(one == other)


def _same_text(one: str, other: str, near: float, noise: float) -> bool:
    numbers, others = (list(map(float, _NUMBER.findall(text))) for text in (one, other))
    return _NUMBER.split(one) == _NUMBER.split(other) and same(numbers, others, near, noise)


def _text(x: Any) -> str:
    return json.dumps(x, ensure_ascii=False)
