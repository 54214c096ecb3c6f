"""What a run of the learner's own program shows of its class: its pass, its gradients."""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from typing import NamedTuple

from engine.program import Program, ProgramError
from engine.verdict.evidence import Evidence, evidence_of
from engine.verdict.ledger import PassLedger, keep
from engine.verdict.places import FaultLocator
from engine.verdict.slopes import slopes_of


class ObservedUse(NamedTuple):
    """The call that runs the pass from an output {0}, and the attribute of gradients; "" unseen.

    `seed` sets the gradient of the output, where the learner's own lines do so before the call.
    `reader` and `number` are the expressions for the gradient and the number of {0}, if measured.
    """

    backward: str = ""
    gradient: str = ""
    seed: str = ""
    reader: str = ""
    number: str = ""


def observed(program: Program) -> ObservedUse:
    """What the program's own run shows; nothing of one that fails or writes no gradient."""
    try:
        evidence = evidence_of(program.run(is_judged=True))
    except ProgramError:
        return ObservedUse()
    if evidence is None or not evidence.is_own:
        return ObservedUse()
    ledger, gradient = keep(evidence), _gradient(evidence)
    call = _pass(evidence, ledger)
    is_outside = gradient and _is_seeded_outside(ledger)
    return ObservedUse(call, gradient, f"{{0}}.{gradient} = 1.0; " if is_outside else "")


def kept_beside(program: Program) -> ObservedUse:
    """The gradients that are kept in a collection, or computed when they are asked for."""
    slopes = slopes_of(program.source)
    if slopes is None:
        return ObservedUse()
    output, body = slopes.output, program.source.tree.body
    named = re.compile(rf"(?<![\w.]){re.escape(output)}(?!\w)")
    made = [at for at, node in enumerate(body) if output in _stored(node)]
    lines: list[str] = []
    for node in body[made[-1] + 1 if made else 0 :]:
        text = ast.unparse(node)
        if isinstance(node, ast.Expr | ast.Assign) and named.search(text):
            lines += [] if text.startswith("print(") else [text]
        elif not isinstance(node, ast.Assign) and not text.startswith("print("):
            return ObservedUse()  # the pass is made of more than the class
    reader = named.sub("{1}", slopes.reader)
    if not lines and "{1}" not in reader:
        return ObservedUse()
    text = "; ".join(lines).replace("{", "{{").replace("}", "}}")
    return ObservedUse(
        backward=named.sub("{0}", text) or "{0}",
        reader=reader,
        number=slopes.number,
    )


def _stored(node: ast.AST) -> set[str]:
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _is_seeded_outside(ledger: PassLedger) -> bool:
    """Whether the learner's own lines set the seed, rather than the class, or nobody at all."""
    seeds = [entry for entry in ledger.entries if entry.kind == "seed"]
    return not all(entry.step.calls for entry in seeds) if seeds else bool(ledger.seed)


def _pass(evidence: Evidence, ledger: PassLedger) -> str:
    """The call of the module that began the pass, from the seed 1, with {0} for the output."""
    start = FaultLocator(evidence, ledger).start()
    call = start.value if isinstance(start, ast.Expr | ast.Assign) else None
    if not isinstance(call, ast.Call):
        return ""
    call = deepcopy(call)
    for arg in ast.walk(call):
        if isinstance(arg, ast.Constant) and type(arg.value) is float and arg.value == ledger.seed:
            arg.value = 1.0
    if isinstance(call.func, ast.Attribute) and not _holds_output(call.args, evidence):
        call.func.value = _HOLE
    elif call.args:
        call.args[0] = _HOLE
    else:
        return ""
    return ast.unparse(call).replace("{", "{{").replace("}", "}}").replace(_HOLE.id, "{0}")


_HOLE = ast.Name("OUTPUT_OF_THE_PASS", ast.Load())


def _holds_output(args: list[ast.expr], evidence: Evidence) -> bool:
    return any(isinstance(arg, ast.Name) and arg.id == evidence.output.label for arg in args)


def _gradient(evidence: Evidence) -> str:
    """The attribute that the last write to an object of the graph stored."""
    for step in reversed(evidence.steps):
        for node in ast.walk(step.node):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and step.of:
                return node.attr
    return ""
