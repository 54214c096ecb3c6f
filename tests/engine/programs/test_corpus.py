"""Programs of the kinds that learners publish print here what CPython prints.

The programs that do not yet are on two lists, which shrink as the language grows: not_yet.txt has
those that are refused, wrong.txt those that run and print something else.
"""

from __future__ import annotations

from collections import Counter

from tests.oracles.records import Oracle
from tests.support import corpus
from tests.support.corpus import Entry
from tests.support.each import for_each

ENTRIES = corpus.entries()
EXPECTED = corpus.expected()
STATES = {
    **dict.fromkeys(corpus.listed(corpus.NOT_YET), "is refused"),
    **dict.fromkeys(corpus.listed(corpus.WRONG), "prints something else"),
}
WORKS = "prints what CPython prints"
HOW_TO_SHORTEN = "python -m scripts.corpus --take-off takes programs that work off the lists"


@for_each("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_program_prints_what_cpython_prints_unless_it_is_on_a_list(entry: Entry) -> None:
    outcome = corpus.run_here(entry)
    differs = corpus.difference(EXPECTED[entry.name], outcome.output)
    state = "is refused" if outcome.refusal else "prints something else" if differs else WORKS
    reason = outcome.refusal or differs or HOW_TO_SHORTEN
    assert state == STATES.get(entry.name, WORKS), reason


def test_the_recorded_output_is_what_the_running_python_prints(oracle: Oracle) -> None:
    """All of them in make oracles, and otherwise every third."""
    programs = ENTRIES if oracle.is_live else [it for it in ENTRIES[::3] if not it.needs()]
    printed = corpus.run_by_cpython(programs)
    assert printed == {entry.name: EXPECTED[entry.name] for entry in programs}


def test_the_lists_and_the_record_name_the_programs_there_are() -> None:
    names = {entry.name for entry in ENTRIES}
    assert names == set(EXPECTED)
    assert names >= set(STATES)
    listed = [*corpus.listed(corpus.NOT_YET), *corpus.listed(corpus.WRONG)]
    assert listed == list(dict.fromkeys(listed))


def test_the_corpus_has_programs_of_every_kind() -> None:
    kinds = Counter(entry.kind for entry in ENTRIES)
    assert kinds["construct"] == 48
    assert kinds.total() - kinds["construct"] >= 150
    own = {"class": "own"}
    for entry in ENTRIES:
        assert entry.name.partition("_")[0] in (entry.kind, own.get(entry.kind)), entry.name
