"""Fixes: the one line as it should be, where judging the program with it shows that it is right.

Candidates come from `rewrites`; each is put into the program, which is run and judged again at all
points. The first is kept for which the mistake is gone and no other has come.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from typing import TypeAlias

from engine.caches import Cache, store
from engine.parser_lock import module
from engine.program import Program, ProgramError, RecordedRun

from .judge import judge, judge_anew
from .kinds import KINDS
from .model import Fix, Mistake, Verdict
from .sentences import mistakes_of_failure
from .surroundings import Rewrite, SourceLine

TRIED = 12
"""Candidates that are judged for one mistake."""
OPERATIONS = 20_000
"""Runs of more operations are not searched for fixes."""
OF_BRANCHES = frozenset({"wrong_partial", "wrong_sign"})
"""Kinds whose fix may be right on one branch of an operation alone."""
FAILURES = frozenset(kind.name for kind in KINDS.values() if kind.detect.failure)
"""Kinds that end a program; without them it may run and write no gradient."""
FIXES = 3
"""Mistakes of a program for which fixes are looked for, the first ones."""

_TELLS = re.compile(r"[<>]|\bif\b|\babs\b|\bmax\b|\bmin\b")
"""What tells one branch of an operation from another."""

_TOKENS = re.compile(r"[^\W\d][\w.]*|\*\*|[\d.]+|\S")
_NAME = re.compile(r"[^\W\d][\w.]*")

_known: Cache[tuple[Rewrite | None]] = store("fixes")


def with_fixes(program: Program, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """The mistakes of a small program, the first ones with their fixes where these are certain.

    A fix is tried by running the program with it: where this one ran, if it may run again, else in
    the sandbox, if what that needs is installed.
    """
    can_run = program.repeats or find_spec("wasmtime") is not None
    if program.operations > OPERATIONS or not can_run:
        return tuple(mistakes)
    before = _Unfixed(program)
    found = [_with_fix(before, mistake, mistakes) for mistake in mistakes[:FIXES]]
    return (*found, *mistakes[FIXES:])


Least: TypeAlias = tuple[int, frozenset[str]]
"""How many gradients are right, and which are written."""


class _Unfixed:
    """A program before any fix."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def least(self) -> Least:
        """What is right in it, for all of its mistakes."""
        text = "\n".join(self.program.source.lines)
        verdict, _ = verdict_on(text, self.program, is_brief=True)
        return (verdict.right, verdict.touched) if verdict else (0, frozenset())


def _with_fix(before: _Unfixed, mistake: Mistake, others: Sequence[Mistake]) -> Mistake:
    program = before.program
    text = "\n".join(program.source.lines)
    key = program, mistake.kind, mistake.span
    known = _known.get(key)
    if known is None:
        fix = next(
            (
                rewrite
                for rewrite in islice(_fresh(text, mistake), TRIED)
                if _is_fixed_by(program, text, rewrite, mistake, others, before.least)
            ),
            None,
        )
        known = (fix,)
        _known.put(key, known)
    (rewrite,) = known
    if rewrite is None:
        return mistake
    formula = f" The partial is {rewrite.formula}." if rewrite.formula else ""
    exchanged = _exchanged(text, rewrite) if mistake.kind == "wrong_partial" else ""
    return mistake._replace(
        fix=Fix(rewrite.span, rewrite.text),
        message=f"{mistake.message}{formula}",
        why=exchanged or mistake.why,
    )


def _exchanged(text: str, rewrite: Rewrite) -> str:
    """What was written for what, where a rewrite changes one name: "You squared x, not t."."""
    line = rewrite.span[0] - 1
    if rewrite.span[2] - 1 != line or "\n" in rewrite.text:
        return ""
    changed = applied(text, rewrite.span, rewrite.text).split("\n")[line]
    before, after = (_TOKENS.findall(_plain(x)) for x in (text.split("\n")[line], changed))
    differing = [at for at, pair in enumerate(zip(before, after, strict=False)) if len({*pair}) > 1]
    if len(before) != len(after) or len(differing) != 1:
        return ""
    (at,) = differing
    if not (_NAME.fullmatch(before[at]) and _NAME.fullmatch(after[at])):
        return ""
    verb = "squared" if before[at + 1 : at + 3] == ["**", "2"] else "used"
    return f"You {verb} {before[at]}, not {after[at]}."


def _plain(line: str) -> str:
    """A line with its squares as powers, and no brackets that mean nothing."""
    try:
        tree = module(line.strip())
    except SyntaxError:
        return line
    return ast.unparse(_Squares().visit(tree))


class _Squares(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        is_square = isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right)
        return ast.BinOp(node.left, ast.Pow(), ast.Constant(2)) if is_square else node


def _fresh(text: str, mistake: Mistake) -> Iterator[Rewrite]:
    """Candidates that can be read and change something, each once."""
    seen = {text}
    for rewrite in _rewrites(text, mistake):
        changed = applied(text, rewrite.span, rewrite.text)
        if changed in seen:
            continue
        seen.add(changed)
        try:
            module(changed)
        except (SyntaxError, ValueError):
            continue
        yield rewrite


def _rewrites(text: str, mistake: Mistake) -> Iterator[Rewrite]:
    """The candidates for one mistake, the likeliest first."""
    wanted = re.search(r"__r\w+__", mistake.message)
    try:
        line = SourceLine(text, mistake.span[0], wanted[0] if wanted else "")
    except (SyntaxError, ValueError):
        return
    for candidates in KINDS[mistake.kind].fix:
        yield from candidates(line)


def applied(text: str, span: tuple[int, int, int, int], new: str) -> str:
    """A text with `new` in place of what stands at a span of lines and columns from 1."""
    lines = text.split("\n")
    before = [*lines[: span[0] - 1], lines[span[0] - 1][: span[1] - 1]]
    after = [lines[span[2] - 1][span[3] - 1 :], *lines[span[2] :]]
    return "\n".join(before) + new + "\n".join(after)


def _is_fixed_by(
    program: Program,
    text: str,
    rewrite: Rewrite,
    mistake: Mistake,
    others: Sequence[Mistake],
    least: Least,
) -> bool:
    """Whether a program has the mistake no more after a rewrite, and no other has come.

    At least as many gradients as before, `least`, are right, and written at all: a program that
    writes none has no mistake.
    """
    changed = applied(text, rewrite.span, rewrite.text)
    try:
        fixed = program.with_text(changed)
    except ProgramError:
        return False
    try:
        run = fixed.run(is_judged=True)
    except ProgramError as error:
        return _is_better(None, mistakes_of_failure(fixed, error) or None, mistake, others, least)
    for is_brief in (True, False):
        verdict = judge(fixed, run, None, is_brief)
        found = verdict.mistakes if verdict else ()
        if not _is_better(verdict, found, mistake, others, least):
            return False
    return mistake.kind in FAILURES or _holds_anew(fixed, run, rewrite, mistake, others)


def _holds_anew(
    fixed: Program,
    run: RecordedRun,
    rewrite: Rewrite,
    mistake: Mistake,
    others: Sequence[Mistake],
) -> bool:
    """Whether a fix holds at other numbers as well, on both branches of an operation.

    Where numbers show one branch alone, a fix has to tell the branches apart itself.
    """
    verdict, shows_branches = judge_anew(fixed, run, rewrite.span[0])
    if verdict is None:
        return True
    before, after = (Counter(m.kind for m in found) for found in (others, verdict.mistakes))
    if after - before or after[mistake.kind] >= before[mistake.kind]:
        return False
    return mistake.kind not in OF_BRANCHES or shows_branches or bool(_TELLS.search(rewrite.text))


def _is_better(
    verdict: Verdict | None,
    found: Sequence[Mistake] | None,
    mistake: Mistake,
    others: Sequence[Mistake],
    least: Least,
) -> bool:
    """Whether a verdict has one mistake less, and no other, on at least so many gradients."""
    if found is None or (verdict is None and not found and mistake.kind not in FAILURES):
        return False
    right, touched = (verdict.right, verdict.touched) if verdict else (0, frozenset())
    if right < least[0] or not touched >= set(filter(str.isidentifier, least[1])):
        return False  # paths such as tape[3][1] change with what the class makes
    before = Counter(m.kind for m in others)
    after = Counter(m.kind for m in found)
    if after - before or after[mistake.kind] >= before[mistake.kind]:
        return False
    if verdict is None:
        return mistake.kind in FAILURES
    return bool(found) or verdict.right == verdict.checked > 0


def verdict_on(
    text: str, like: Program | None = None, is_brief: bool = False
) -> tuple[Verdict | None, tuple[Mistake, ...] | None]:
    """The verdict on a text, and its mistakes; these are None for one that cannot be run."""
    try:
        program = like.with_text(text) if like else Program(text)
    except ProgramError:
        return None, None
    try:
        run = program.run(is_judged=True)
    except ProgramError as error:
        return None, mistakes_of_failure(program, error) or None
    verdict = judge(program, run, None, is_brief)
    return verdict, verdict.mistakes if verdict else ()
