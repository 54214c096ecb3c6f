"""Recorded in the sandbox, programs print what its CPython prints without a recorder.

`test_corpus` compares the recorded runs with what an older CPython printed. Where the sandbox's
prints the same, nothing is left to compare; the few others are run both ways.
"""

from __future__ import annotations

import ast

from engine.program import Program, ProgramError
from engine.sandbox.run import Budget, SandboxOutcome
from engine.sandbox.sandbox import sandbox
from tests.support import corpus
from tests.support.corpus import Entry
from tests.support.each import for_each

RAN = '{"error": null}'
LISTED = {*corpus.listed(corpus.NOT_YET), *corpus.listed(corpus.WRONG)}


def by_cpython(entry: Entry) -> SandboxOutcome:
    return sandbox().run(entry.text, export="execute", limits=Budget(seconds=30.0))


def shows_values(entry: Entry) -> bool:
    """Whether a program ends in an expression, which is shown as a notebook does."""
    return any(isinstance(node, ast.Expr) for node in ast.parse(entry.text).body[-1:])


def entries() -> list[Entry]:
    return [entry for entry in corpus.entries() if not entry.needs()]


@for_each("entry", entries)
def test_recorded_programs_print_what_cpython_prints(entry: Entry) -> None:
    plain = by_cpython(entry)
    if plain.reply != RAN or shows_values(entry):
        return
    if entry.name not in LISTED and plain.text() == corpus.expected()[entry.name]:
        return
    try:
        printed = Program(entry.text).run().printed
    except ProgramError as error:
        raise AssertionError(error.sentences) from error
    assert corpus.difference(plain.text(), "".join(f"{line}\n" for line in printed)) == ""
