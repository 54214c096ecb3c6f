"""The table of mistakes: words, detectors, examples, and rows of the document."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.verdict.kinds import KINDS, Detect, MistakeKind
from tests.support.bugs import bugs
from tests.support.places import ROOT

NAMES = {"line", "name", "grad", "ends", "true", "written", "due", "lost", "other"}
EXAMPLES = {bug.name: bug for bug in bugs()}
TABLE = "engine/verdict/kinds.py"


def lacks(kind: MistakeKind) -> list[str]:
    """What an entry of the table still needs."""
    found = [f"{kind.name}: add {text}= to its entry in {TABLE}" for text in wordless(kind)]
    if not any(kind.detect):
        found.append(
            f"{kind.name}: no detector. Add detect=Detect(...) to its entry in {TABLE}: a function "
            f"for one of {', '.join(Detect._fields)}, which finds the mistake in a run"
        )
    bug = EXAMPLES.get(kind.example)
    if bug is None or kind.name not in bug.kinds:
        found.append(
            f"{kind.name}: no example. Add a [[bug]] of kind '{kind.name}' to "
            f"tests/data/bugs/STYLE/bugs.toml, and example='STYLE/NAME' to its entry in {TABLE}"
        )
    return found


def wordless(kind: MistakeKind) -> list[str]:
    texts = ("title", "meaning", "sentence", "why", "cure")
    return [text for text in texts if not getattr(kind, text)]


def test_every_kind_has_words_a_detector_and_an_example() -> None:
    """That the detector finds the example is among `test_fixes`."""
    found = [text for kind in KINDS.values() for text in lacks(kind)]
    assert not found, "\n".join(found)


def test_an_entry_without_its_parts_is_told_what_to_add() -> None:
    kind = replace(KINDS["wrong_sign"], name="squared", why="", detect=Detect())
    why, detector, example = lacks(kind)
    assert why == "squared: add why= to its entry in engine/verdict/kinds.py"
    assert detector.startswith("squared: no detector. Add detect=Detect(...) to its entry")
    assert "Add a [[bug]] of kind 'squared' to tests/data/bugs/STYLE/bugs.toml" in example
    blind = replace(KINDS["order"], detect=Detect(total=lambda total: None))
    assert lacks(replace(blind, example="closures/none"))[0].startswith("order: no example.")


def test_sentences_use_the_known_names_and_begin_with_the_line() -> None:
    for kind in KINDS.values():
        texts = (kind.sentence, kind.why, kind.cure, kind.failure)
        assert set(re.findall(r"\{(\w+)\}", " ".join(texts))) <= NAMES, kind.name
        assert kind.sentence.startswith("Line {line} "), kind.name


def test_the_document_lists_the_kinds_with_their_meanings() -> None:
    text = (ROOT / "docs/debugger.md").read_text("utf-8")
    rows = re.findall(r"^\| `\w+` \| .* \|$", text, re.MULTILINE)
    assert rows == [f"| `{kind.name}` | {kind.meaning} |" for kind in KINDS.values()]
