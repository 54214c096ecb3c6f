"""The kinds of mistakes: the words of each, and its cure.

`sentence` is the verdict in one line; `why` explains it in the frame. In both, `{name}` is the
object whose gradient went wrong, `{grad}` the attribute as the program writes it, `{ends}` the
gradient that it ends with and `{true}` the one that it should have, `{written}` and `{due}` the
numbers of the write, `{lost}` what it threw away, `{line}` the line, `{other}` the other object
that matters.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of mistake: a short name for lists, its sentence, its reason and its cure."""

    name: str
    title: str
    sentence: str
    why: str
    cure: str
    failure: str = ""
    """The sentence where the mistake ended the program."""


_ENDS = "{grad} ends at {ends}, it should be {true}."
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "wrong_result",
            "wrong result",
            "Line {line} computes {written} for {other}, which is {due}.",
            "Every gradient after it belongs to another function than the one meant.",
            "Compute the number that the operator or the name stands for.",
        ),
        Kind(
            "assigned",
            "assigns instead of adding",
            f"Line {{line}} assigns where it should add: {_ENDS}",
            "The write throws away {lost}, which came from another use before. The gradients of "
            "all uses add up: the chain rule for several paths.",
            "Write += in place of =.",
        ),
        Kind(
            "upstream_missing",
            "incoming gradient missing",
            f"Line {{line}} leaves out the gradient of the result: {_ENDS}",
            "By the chain rule the local partial is multiplied by the gradient of the result"
            "{other}.",
            "Multiply by the gradient of the result.",
        ),
        Kind(
            "wrong_partial",
            "wrong local partial",
            f"Line {{line}} has a wrong partial: {_ENDS}",
            "What is due is {due}; the write brings {written}.",
            "Differentiate the operation anew.",
        ),
        Kind(
            "wrong_sign",
            "wrong sign",
            f"Line {{line}} has the wrong sign: {_ENDS}",
            "The amount is right, its sign is not.",
            "Change the sign.",
        ),
        Kind(
            "wrong_variable",
            "wrong variable",
            f"Line {{line}} uses another object than it should: {_ENDS}",
            "The amount is due to another object, or made with the number of another one; a "
            "function made in a loop sees the variable's last value.",
            "Use the object that the operation was computed from.",
        ),
        Kind(
            "contribution_missing",
            "contribution missing",
            "Line {line} never gives {name} its part: it ends at {ends}, it should be {true}.",
            "The operation used it, so that its gradient must receive a contribution.",
            "Add the contribution of this operand.",
        ),
        Kind(
            "order",
            "passed on too early",
            "Line {line} passes a gradient on before it is complete: " + _ENDS,
            "The gradient of {other} received more afterwards. An operation may run only when all "
            "uses of its result have run: in reverse topological order.",
            "Go through the operations in reverse topological order.",
        ),
        Kind(
            "visited_twice",
            "run twice",
            f"Line {{line}} runs the same operation twice in one pass: {_ENDS}",
            "Its contributions are counted twice.",
            "Run each operation once: remember those visited.",
        ),
        Kind(
            "seed_missing",
            "seed missing",
            "Line {line} starts the pass without a seed: the gradient of {name} is {ends}, it "
            "should be 1.",
            "The derivative of the output with respect to itself is 1; all others are computed "
            "from it.",
            "Set the gradient of the output to 1 before the pass.",
        ),
        Kind(
            "not_zeroed",
            "not set to zero",
            f"Line {{line}} adds to the gradients of the pass before: {_ENDS}",
            "The gradients of the last pass were used for an update and are still there.",
            "Set the gradients to 0 before each pass.",
        ),
        Kind(
            "unreachable",
            "operands not recorded",
            "Line {line} does not record what the result was computed from: {grad} ends at {ends}, "
            "it should be {true}.",
            "The pass goes along the recorded operands, and so never gets there.",
            "Pass the operands on to the result.",
        ),
        Kind(
            "called_not_stored",
            "called instead of stored",
            "Line {line} calls the function where it should store it: {grad} ends at {ends}, it "
            "should be {true}.",
            "It runs at once, while all gradients are 0, and None is stored.",
            "Leave out the parentheses.",
            "Line {line} calls the function where it should store it, so that the pass calls None.",
        ),
        Kind(
            "missing_reflected",
            "operator missing",
            "Line {line} needs {other}: Python asks the class for it when the object stands on the "
            "right.",
            "Python first asks the number on the left, which does not know the class.",
            "Define {other}.",
        ),
    )
}
"""Every kind by its name, forward mistakes first."""
