"""Fixes: the one line as it should be, where judging the program with it shows that it is right.

Candidates are the small edits of `edits` and the lines of `rewrites`. Those that pass `screening`
are put into the program, which is run and judged again at all points. The first is kept for which
the mistake is gone and no other has come.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

from engine.caches import Cache, store
from engine.parser_lock import module
from engine.program import Program, ProgramError, RecordedRun

from .evidence import evidence_of
from .judge import judge, judge_anew
from .kinds import KINDS
from .ledger import keep
from .model import Fix, Mistake, Verdict
from .screening import Screen, changes_numbers, edits_of, lines_near, screen_of
from .sentences import mistakes_of_failure, moved
from .slopes import slopes_of
from .text_edits import Rewrite, applied, renamed

TRIED = 24
"""Candidates that are judged for one mistake."""
UNSCREENED = 40
"""Those of a program whose slopes cannot be taken from its text alone."""
OPERATIONS = 20_000
"""Runs of more operations are not searched for fixes."""
OF_NAMES = frozenset({"wrong_partial", "wrong_variable"})
OF_BRANCHES = frozenset({"wrong_partial", "wrong_sign", "wrong_variable"})
"""Kinds whose fix may be right on one branch of an operation alone."""
FAILURES = frozenset(kind.name for kind in KINDS.values() if kind.detect.failure)
"""Kinds that end a program; without them it may run and write no gradient."""
SEEN = frozenset({"wrong_result", "altered", "second_pass", "not_zeroed", "changed_in_place"})
"""Kinds that may leave the gradients of leaves right."""
FIXES = 3
"""Mistakes of a program for which fixes are looked for, the first ones."""

_TELLS = re.compile(r"[<>]|\bif\b|\babs\b|\bmax\b|\bmin\b")
"""What tells one branch of an operation from another."""

_TOKENS = re.compile(r"[^\W\d][\w.]*|\*\*|[\d.]+|\S")
_NAME = re.compile(r"[^\W\d][\w.]*")

_known: Cache[tuple[_Repair, ...]] = store("fixes")


def with_fixes(program: Program, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """The mistakes of a small program, the first ones with their fixes where these are certain.

    Where one edit makes everything right, it is the mistake, and all others follow from it. There
    are none after all where the gradients of the leaves are what central differences are, or where
    these are not what the followed numbers give. A fix
    is tried by running the program with it: where this one ran, if it may run again, else in the
    sandbox, if what that needs is installed.
    """
    if not can_try(program) or not mistakes:
        return tuple(mistakes)
    key = program, tuple((it.kind, it.span) for it in mistakes)
    repairs = _known.get(key)
    if repairs is None:
        repairs = _Repairs(program, mistakes).found()
        _known.put(key, repairs)
    fixed = tuple(_fixed(program, mistakes[it.of], it) for it in repairs)
    is_whole = len(repairs) == 1 and repairs[0].is_whole
    return fixed if is_whole or not repairs else (*fixed, *mistakes[len(repairs) :])


def can_try(program: Program) -> bool:
    """Whether a program is small, and may run again."""
    can_run = program.repeats or find_spec("wasmtime") is not None
    return can_run and program.operations <= OPERATIONS


class _Repair(NamedTuple):
    """An edit for the mistake at an index, or None.

    Whether it makes everything right, and whether it is of another line than those blamed.
    """

    of: int
    rewrite: Rewrite | None
    is_whole: bool = False
    is_elsewhere: bool = False


def _fixed(program: Program, mistake: Mistake, repair: _Repair) -> Mistake:
    """A mistake with its fix, which may stand in another line than the one blamed."""
    rewrite, text = repair.rewrite, "\n".join(program.source.lines)
    if rewrite is None:
        return mistake
    if repair.is_elsewhere:
        mistake = moved(mistake, rewrite, program.source.lines)
    formula = f" The partial is {rewrite.formula}." if rewrite.formula else ""
    exchanged = _exchanged(text, rewrite) if mistake.kind in OF_NAMES else ""
    return mistake._replace(
        fix=Fix(rewrite.span, rewrite.text),
        message=f"{mistake.message}{formula}",
        why=exchanged or mistake.why,
    )


Least: TypeAlias = tuple[int, frozenset[str]]
"""How many gradients are right, and which are written."""


class _Repairs:
    """The search for the edits of a program."""

    def __init__(self, program: Program, mistakes: Sequence[Mistake]) -> None:
        self.program, self.mistakes = program, mistakes
        self.text = "\n".join(program.source.lines)
        self.is_followed = True
        """Whether the slopes are the gradients that the followed numbers give."""

    @cached_property
    def least(self) -> Least:
        """What is right in it, for all of its mistakes."""
        verdict, _ = verdict_on(self.text, self.program, is_brief=True)
        return (verdict.right, verdict.touched) if verdict else (0, frozenset())

    @cached_property
    def screen(self) -> Screen | None:
        try:
            program = self.program if self.program.repeats else self.program.with_text(self.text)
            evidence = evidence_of(program.run(is_judged=True))
        except ProgramError:
            return None
        if evidence is None or self.mistakes[0].kind == "wrong_result" or changes_numbers(evidence):
            return None
        ledger = keep(evidence)
        ends = {v.label: ledger.ends.get(v, 0.0) for v in evidence.objects if v.label}
        if not evidence.inputs[evidence.output]:  # it is no pass that was followed
            self.is_followed = slopes_of(self.program.source) is None
            return None
        output = evidence.output.label or "?"
        slopes = slopes_of(self.program.source, ends, output=output)
        true = {v.label: evidence.true.get(v) for v in evidence.objects if v.label}
        self.is_followed = slopes is None or slopes.agree(true)
        lines = lines_near(evidence, ledger, self.mistakes[0])
        return screen_of(slopes, self.program.source, lines) if slopes else None

    def found(self) -> tuple[_Repair, ...]:
        """The repairs; none where nothing is to be repaired."""
        first, screen = self.mistakes[0], self.screen
        is_right = screen and screen.slopes.are_right and not (first.point or first.kind in SEEN)
        if is_right or not self.is_followed:
            return ()
        if (whole := self._whole()) is not None:
            return (whole,)
        count = min(len(self.mistakes), FIXES)
        return tuple(_Repair(at, self._of_one(self.mistakes[at])) for at in range(count))

    def _whole(self) -> _Repair | None:
        """The edit that makes everything right: of a blamed line if one does, else of another."""
        if self.screen is None:
            return None
        blamed = {it.span[0]: at for at, it in reversed([*enumerate(self.mistakes[:FIXES])])}
        others = [line for line in self.screen.lines if line not in blamed]
        for lines in (list(blamed), others):
            edited = [e for line in lines for e in self._edits(line, blamed.get(line))]
            counts = self.screen.passed(edited)
            right = [e for e, n in zip(edited, counts, strict=True) if n == self.screen.most]
            right.sort(key=lambda e: e.kind == "order" != self.mistakes[0].kind)
            for edit in right[:TRIED]:
                at = blamed.get(edit.span[0], 0)
                is_of_flow = edit.kind == "order"
                if is_of_flow and not self._holds_in_larger_graphs(edit):
                    continue
                if self._is_fixed(edit, self.mistakes[at], is_whole=True):
                    return _Repair(at, edit, is_whole=True, is_elsewhere=lines is others)
        return None

    def _holds_in_larger_graphs(self, edit: Rewrite) -> bool:
        """Whether it does where the line that made the output stands twice, on the output itself.

        What decides the order of a pass may fit one graph alone.
        """
        assert self.screen is not None
        output, body = self.screen.slopes.output, self.program.source.tree.body
        made = [
            n for n in body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == output
        ]
        if not made:
            return False
        value, end = made[-1].value, made[-1].end_lineno or 0
        names = [n.id for n in ast.walk(value) if isinstance(n, ast.Name) and n.id != output]
        operands = [name for name in dict.fromkeys(names) if name in self.screen.slopes.variables]
        lines = applied(self.text, edit.span, edit.text).split("\n")
        for name in {operands[0], operands[-1]} if operands else ():
            larger = f"{output} = {renamed(ast.unparse(value), {name: output})}"
            text = "\n".join([*lines[:end], larger, *lines[end:]])
            try:
                slopes = slopes_of(self.program.with_text(text).source, output=output)
            except ProgramError:
                return False
            if slopes is None or not slopes.are_right:
                return False
        return bool(operands)

    def _of_one(self, mistake: Mistake) -> Rewrite | None:
        """The edit of its line with which one mistake is gone."""
        at = self.mistakes.index(mistake)
        edited, most = self._edits(mistake.span[0], at), UNSCREENED
        if self.screen is not None:
            most = TRIED
            (now, *counts) = self.screen.passed([Rewrite((1, 1, 1, 1), ""), *edited])
            pairs = zip(counts, edited, strict=True)
            edited = [e for n, e in sorted(pairs, key=lambda pair: -pair[0]) if n > now]
        return next((e for e in edited[:most] if self._is_fixed(e, mistake)), None)

    def _edits(self, number: int, at: int | None) -> list[Rewrite]:
        """The edits of a line, those first that a mistake asks for."""
        if at is None:
            return edits_of(self.text, number)
        mistake = self.mistakes[at]
        wanted = re.search(r"__r\w+__", mistake.message)
        of_kind = KINDS[mistake.kind].fix
        return edits_of(self.text, number, *of_kind, wanted=wanted[0] if wanted else "")

    def _is_fixed(self, rewrite: Rewrite, mistake: Mistake, is_whole: bool = False) -> bool:
        """Whether a program has the mistake no more after a rewrite, and no other has come.

        At least as many gradients as before, `least`, are right, and written at all: a program that
        writes none has no mistake.
        """
        try:
            fixed = self.program.with_text(applied(self.text, rewrite.span, rewrite.text))
        except ProgramError:
            return False
        others = [mistake] if is_whole else self.mistakes
        try:
            run = fixed.run(is_judged=True)
        except ProgramError as error:
            found = mistakes_of_failure(fixed, error) or None
            return _is_better(None, found, mistake, others, self.least)
        for is_brief in (True, False):
            verdict = judge(fixed, run, None, is_brief)
            found = verdict.mistakes if verdict else ()
            if not _is_better(verdict, found, mistake, others, self.least):
                return False
        return mistake.kind in FAILURES or _holds_anew(fixed, run, rewrite, mistake, others)


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
