"""The kinds of mistakes: the words of each, what detects it, what fixes it, and an example.

To add a kind, add an entry. `sentence` is the verdict in one line; `why` explains it in the frame.
In both, `{name}` is the object whose gradient went wrong, `{grad}` the attribute as the program
writes it, `{ends}` the gradient that it ends with and `{true}` the one that it should have,
`{written}` and `{due}` the numbers of the write, `{lost}` what it threw away, `{line}` the line,
`{other}` the other object that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from engine.parser_lock import Span
from engine.program import Program, ProgramError

from . import altered, amounts, edits, hand_written, left_out, missing, rewrites, totals, whole
from .evidence import Evidence
from .failures import called_not_stored, missing_reflected, object_in_gradient
from .fault import Fault
from .hand_written import HandWrite
from .passes import Amount, Pass, SilentEdge, WrongTotal
from .places import FaultLocator
from .results import wrong_results
from .surroundings import SourceLine
from .text_edits import Rewrite


class Detect(NamedTuple):
    """The detectors of a kind; where several kinds have one, the first that finds it is named."""

    whole: Callable[[Pass], Iterable[Fault]] | None = None
    """Of a pass as a whole."""
    writes: Callable[[Pass], Iterable[Fault]] | None = None
    silence: Callable[[SilentEdge], Fault | None] | None = None
    total: Callable[[WrongTotal], Fault | None] | None = None
    amount: Callable[[Amount], Iterable[str]] | None = None
    """The notes with which it explains an amount."""
    by_hand: Callable[[HandWrite], Iterable[str]] | None = None
    """The notes with which it explains a gradient written by hand."""
    result: Callable[[Evidence, FaultLocator], Iterable[Fault]] | None = None
    failure: Callable[[Program, ProgramError], Iterable[tuple[Span, str]]] | None = None
    """Where the mistake ended the program, and `other`."""


@dataclass(frozen=True, slots=True)
class MistakeKind:
    """One kind of mistake."""

    name: str
    _: KW_ONLY
    title: str
    """A short name for lists."""
    meaning: str
    """What the table of docs/debugger.md says."""
    sentence: str
    why: str
    cure: str
    failure: str = ""
    """The sentence where the mistake ended the program."""
    detect: Detect
    fix: tuple[Callable[[SourceLine], Iterator[Rewrite]], ...]
    """The candidates for a fix beside the small edits of the line, the likeliest first."""
    example: str
    """The name of its example among tests/data/bugs."""


_ENDS = "{grad} ends at {ends}, it should be {true}."
_ALL = (
    MistakeKind(
        "wrong_result",
        title="wrong result",
        sentence="Line {line} computes {written} for {other}, which is {due}.",
        why="Every gradient after it belongs to another function than the one meant.",
        cure="Compute the number that the operator or the name stands for.",
        meaning="an operator's number is not what its sign or name says",
        detect=Detect(result=wrong_results),
        fix=(rewrites.swapped, edits.functions, edits.operators, edits.signs, edits.numbers),
        example="closures/neg_is_positive",
    ),
    MistakeKind(
        "seed_missing",
        title="seed missing",
        sentence=(
            "Line {line} starts the pass without a seed: the gradient of {name} is {ends}, it "
            "should be 1."
        ),
        why=(
            "The derivative of the output with respect to itself is 1; all others are computed "
            "from it."
        ),
        cure="Set the gradient of the output to 1 before the pass.",
        meaning="the gradient of the output is never set to 1",
        detect=Detect(whole=whole.seed_missing),
        fix=(rewrites.seeds,),
        example="closures/no_seed",
    ),
    MistakeKind(
        "wrong_seed",
        title="seed is not 1",
        sentence=(
            "Line {line} starts the pass at {written}: the gradient of {name} is {written}, it "
            "should be 1."
        ),
        why=(
            "The derivative of the output with respect to itself is 1; every other gradient is "
            "{written} times what it should be."
        ),
        cure="Start with 1.0.",
        meaning="the class starts its pass with another number than 1",
        detect=Detect(whole=whole.wrong_seed),
        fix=(rewrites.seeds,),
        example="closures/seed_of_two",
    ),
    MistakeKind(
        "changed_in_place",
        title="number changed in place",
        sentence="Line {line} changes the number of {name} after {other}.",
        why=(
            "The pass computes with the number that it finds, not with the one that the operation "
            "had; and nothing is recorded of where the new number comes from."
        ),
        cure="Make a new object, and leave the number of the one that is in use.",
        meaning="an object gets another number between an operation on it and the pass",
        detect=Detect(whole=whole.changed_in_place),
        fix=(edits.names,),
        example="closures/iadd_in_place",
    ),
    MistakeKind(
        "second_pass",
        title="second pass on gradients of the first",
        sentence=(
            "Line {line} runs a second pass, and the first one’s gradients are still there in "
            f"between: {_ENDS}"
        ),
        why=(
            "{other} still held its gradient of the first pass; the second one added to it and "
            "passed the sum on, so that the first counts again."
        ),
        cure="Set the gradients of all objects to 0 before a second pass.",
        meaning="a second pass over the same graph passes on what the first one left in between",
        detect=Detect(whole=whole.second_pass),
        fix=(),
        example="closures/backward_twice",
    ),
    MistakeKind(
        "not_zeroed",
        title="not set to zero",
        sentence=f"Line {{line}} adds to the gradients of the pass before: {_ENDS}",
        why="The gradients of the last pass were used for an update and are still there.",
        cure="Set the gradients to 0 before each pass.",
        meaning="gradients of the last pass, used for an update, are still there",
        detect=Detect(whole=whole.not_zeroed),
        fix=(rewrites.zeros,),
        example="training/optimiser_never_zeroes",
    ),
    MistakeKind(
        "assigned",
        title="assigns instead of adding",
        sentence=f"Line {{line}} assigns where it should add: {_ENDS}",
        why=(
            "The write throws away {lost}, which came from another use before. The gradients of "
            "all uses add up: the chain rule for several paths."
        ),
        cure="Write += in place of =.",
        meaning="`=` where `+=` was due: what another use had brought is lost",
        detect=Detect(writes=whole.assigned),
        fix=(edits.adding,),
        example="closures/add_assigns_self",
    ),
    MistakeKind(
        "altered",
        title="gradient changed in the pass",
        sentence=f"Line {{line}} changes a gradient that was received in the same pass: {_ENDS}",
        why=(
            "It makes {due} into {written}. What is clipped, scaled or cleared there is missing "
            "from the gradient, and from all that is computed from it."
        ),
        cure="Leave the gradients as they are until the pass has ended.",
        meaning="the pass clips, scales or clears a gradient that it has computed",
        detect=Detect(whole=altered.altered),
        fix=(),
        example="closures/clipped_in_the_pass",
    ),
    MistakeKind(
        "called_not_stored",
        title="called instead of stored",
        sentence=(
            "Line {line} calls the function where it should store it: {grad} ends at {ends}, it "
            "should be {true}."
        ),
        why="It runs at once, while all gradients are 0, and None is stored.",
        cure="Leave out the parentheses.",
        failure=(
            "Line {line} calls the function where it should store it, so that the pass calls None."
        ),
        meaning="`out._backward = _backward()`: the function is called, and None is stored",
        detect=Detect(silence=missing.called_at_once, failure=called_not_stored),
        fix=(rewrites.stored,),
        example="closures/called_in_mul",
    ),
    MistakeKind(
        "operand_copied",
        title="operand copied",
        sentence=f"Line {{line}} copies the number of an operand into a new object: {_ENDS}",
        why=(
            "The operation is recorded on the copy, and nothing leads from that to {name}: the "
            "pass ends at the copy."
        ),
        cure="Wrap plain numbers alone, and use an operand that is an object as it is.",
        meaning="an operator computes with a copy of its operand, to which no gradient returns",
        detect=Detect(silence=missing.copied),
        fix=(rewrites.wrapping,),
        example="closures/other_is_copied",
    ),
    MistakeKind(
        "object_in_gradient",
        title="object in place of its number",
        sentence=f"Line {{line}} puts an object into a gradient, where its number belongs: {_ENDS}",
        why="{other} is an object: the product is another object, and no gradient.",
        cure="Multiply by its number.",
        failure=(
            "Line {line} puts an object into a gradient, where its number belongs: {other} is an "
            "object."
        ),
        meaning="the write multiplies by an object instead of its number",
        detect=Detect(silence=missing.object_written, failure=object_in_gradient),
        fix=(rewrites.numbers,),
        example="closures/mul_by_the_object",
    ),
    MistakeKind(
        "gradient_for_number",
        title="gradient in place of the number",
        sentence=f"Line {{line}} multiplies by a gradient where a number is due: {_ENDS}",
        why="The partial is made of the numbers of the operands; {other} is a gradient.",
        cure="Multiply by the number.",
        meaning="the gradient of an operand stands where its number is due",
        detect=Detect(amount=amounts.of_a_gradient),
        fix=(rewrites.numbers,),
        example="closures/mul_by_the_gradient",
    ),
    MistakeKind(
        "wrong_sign",
        title="wrong sign",
        sentence=f"Line {{line}} has the wrong sign: {_ENDS}",
        why="The amount is right, its sign is not.",
        cure="Change the sign.",
        meaning="the right amount with the wrong sign",
        detect=Detect(amount=amounts.negated, by_hand=hand_written.negated),
        fix=(edits.signs,),
        example="functions/div_without_minus",
    ),
    MistakeKind(
        "wrong_variable",
        title="wrong variable",
        sentence=f"Line {{line}} uses another object than it should: {_ENDS}",
        why=(
            "The amount is due to another object, or made with the number of another one; a "
            "function made in a loop sees the variable's last value."
        ),
        cure="Use the object that the operation was computed from.",
        meaning="another object is written to, or another one's number used",
        detect=Detect(
            silence=missing.written_elsewhere,
            amount=amounts.foreign,
            by_hand=hand_written.foreign,
        ),
        fix=(edits.names,),
        example="closures/add_gives_self_twice",
    ),
    MistakeKind(
        "upstream_missing",
        title="incoming gradient missing",
        sentence=f"Line {{line}} leaves out the gradient of the result: {_ENDS}",
        why=(
            "By the chain rule the local partial is multiplied by the gradient of the "
            "result{other}."
        ),
        cure="Multiply by the gradient of the result.",
        meaning="the gradient of the result is left out, or another object's stands in its place",
        detect=Detect(amount=amounts.without_upstream, by_hand=hand_written.without_upstream),
        fix=(edits.factors,),
        example="closures/mul_forgets_upstream",
    ),
    MistakeKind(
        "wrong_partial",
        title="wrong local partial",
        sentence=f"Line {{line}} has a wrong partial: {_ENDS}",
        why="What is due is {due}; the write brings {written}.",
        cure="Differentiate the operation anew.",
        meaning="the factor of the gradient of the result is not the derivative",
        detect=Detect(amount=amounts.anything_else, by_hand=amounts.anything_else),
        fix=(rewrites.formulas,),
        example="closures/tanh_of_the_input",
    ),
    MistakeKind(
        "visited_twice",
        title="run twice",
        sentence=f"Line {{line}} runs the same operation twice in one pass: {_ENDS}",
        why="Its contributions are counted twice.",
        cure="Run each operation once: remember those visited.",
        meaning="an operation runs twice in one pass",
        detect=Detect(total=totals.ran_twice),
        fix=(),
        example="closures/visited_is_not_filled",
    ),
    MistakeKind(
        "order",
        title="passed on too early",
        sentence="Line {line} passes a gradient on before it is complete: " + _ENDS,
        why=(
            "The gradient of {other} received more afterwards. An operation may run only when all "
            "uses of its result have run: in reverse topological order."
        ),
        cure="Go through the operations in reverse topological order.",
        meaning="an operation runs before the gradient of its result is complete",
        detect=Detect(silence=missing.ran_on_zero, total=totals.ran_too_early),
        fix=(edits.flow,),
        example="closures/topo_forwards",
    ),
    MistakeKind(
        "left_out",
        title="left out of the pass",
        sentence=(
            "Line {line} completes the gradient of {other}, whose operation the pass never runs: "
            f"{_ENDS}"
        ),
        why="What is due to the operands of {other} is computed by its function, which is not run.",
        cure="Run the function of {other}, once its gradient is complete.",
        meaning="a pass by hand never runs the function of an operation",
        detect=Detect(silence=left_out.left_out_of_the_pass),
        fix=(),
        example="by_hand/one_is_left_out",
    ),
    MistakeKind(
        "unreachable",
        title="operands not recorded",
        sentence=(
            "Line {line} does not record what the result was computed from: {grad} ends at {ends}, "
            "it should be {true}."
        ),
        why="The pass goes along the recorded operands, and so never gets there.",
        cure="Pass the operands on to the result.",
        meaning="operands are not recorded, so that the pass never comes to them",
        detect=Detect(silence=missing.never_reached, total=totals.late_for_want_of_a_record),
        fix=(rewrites.children,),
        example="closures/mul_without_children",
    ),
    MistakeKind(
        "contribution_missing",
        title="contribution missing",
        sentence="Line {line} never gives {name} its part: it ends at {ends}, it should be {true}.",
        why="The operation used it, so that its gradient must receive a contribution.",
        cure="Add the contribution of this operand.",
        meaning="an operand never receives its part",
        detect=Detect(silence=missing.left_out, total=totals.received_once),
        fix=(rewrites.partials_beside,),
        example="closures/mul_forgets_other",
    ),
    MistakeKind(
        "missing_reflected",
        title="operator missing",
        sentence=(
            "Line {line} needs {other}: Python asks the class for it when the object stands on the "
            "right."
        ),
        why="Python first asks the number on the left, which does not know the class.",
        cure="Define {other}.",
        meaning="`2 * a` fails for want of `__rmul__`",
        detect=Detect(failure=missing_reflected),
        fix=(rewrites.reflections,),
        example="closures/no_rmul",
    ),
)
KINDS: Mapping[str, MistakeKind] = {kind.name: kind for kind in _ALL}
"""Every kind by its name, in the order in which detectors are asked."""
