"""The table of mistakes that can be made on purpose, and the switches of an address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from . import sabotage
from . import sabotage_words as words
from .model import BrokenGradients
from .sabotage import Broken, OwnPartial, Rule, SwitchError
from .traced import Trace


@dataclass(frozen=True, slots=True)
class DeliberateMistake:
    """A mistake that can be made on purpose.

    `name` is that of the address, `label` that of the page; `why` says in one sentence what goes
    wrong, `written` is the code that makes it, `rule` the backward pass. `says` explains a wrong
    Value of a graph, `harmless` why there is none. On the program `example` the mistake shows.
    """

    name: str
    label: str
    why: str
    written: str
    rule: Rule
    says: Callable[[Broken, str], str]
    harmless: Callable[[Broken], str]
    example: str


_TWO_PATHS = "a = Value(2.0)\nb = a * 3\nL = b + b * b\nL.backward()"
_CHAIN = "a = Value(2.0)\nb = Value(-3.0)\nL = (a * b) * 4\nL.backward()"
MISTAKES: dict[str, DeliberateMistake] = {
    mistake.name: mistake
    for mistake in (
        DeliberateMistake(
            "assign",
            "Assign instead of accumulate",
            "A Value that is used several times keeps only the last contribution.",
            "arg.grad = partial * out.grad",
            sabotage.assign,
            words.assign,
            words.assign_harmless,
            "a = Value(3.0)\nb = Value(2.0)\nL = a * b + a\nL.backward()",
        ),
        DeliberateMistake(
            "depth_first",
            "Depth-first instead of topological order",
            "A Value passes on its gradient before all of its own contributions have arrived.",
            "visit each arg once, as soon as it is reached",
            sabotage.depth_first,
            words.depth_first,
            words.order_harmless,
            _TWO_PATHS,
        ),
        DeliberateMistake(
            "every_path",
            "Recurse along every path",
            "A Value that is reached on several paths passes on its whole gradient each time.",
            "for arg in self._prev: arg.backward()",
            sabotage.every_path,
            words.every_path,
            words.order_harmless,
            _TWO_PATHS,
        ),
        DeliberateMistake(
            "no_zero",
            "Forget to zero between two passes",
            "Leaves keep the gradients of the first pass, and the second adds to them.",
            "loss().backward(); loss().backward()",
            sabotage.no_zero,
            words.kept,
            words.kept_harmless,
            _TWO_PATHS,
        ),
        DeliberateMistake(
            "twice",
            "Call backward twice on one graph",
            "Computed Values keep their gradients too, so the second pass passes on too much.",
            "L.backward(); L.backward()",
            sabotage.twice,
            words.twice,
            words.kept_harmless,
            _TWO_PATHS,
        ),
        DeliberateMistake(
            "no_upstream",
            "Forget the incoming gradient",
            "Each contribution is the partial alone, as if every Value were the output.",
            "arg.grad += partial",
            sabotage.no_upstream,
            words.no_upstream,
            words.no_upstream_harmless,
            _CHAIN,
        ),
        DeliberateMistake(
            "partial",
            "A wrong partial of your choice",
            "Every use of the operation passes on a wrong multiple of its gradient.",
            "arg.grad += yours * out.grad",
            sabotage.right,
            words.partial,
            words.partial_harmless,
            _CHAIN,
        ),
    )
}
"""The mistakes, in the order of the page."""


@dataclass(frozen=True, slots=True)
class MistakeSwitch:
    """A mistake that is switched on, with the visitor's partial if it is that one."""

    mistake: DeliberateMistake
    own: OwnPartial | None = None

    @classmethod
    def read(cls, text: str) -> MistakeSwitch:
        """The switch of an address: `assign`, `partial:*:0:b+1`. Raises SwitchError."""
        name, *rest = text.split(":", 3)
        if name not in MISTAKES:
            known = ", ".join(MISTAKES)
            raise SwitchError(f"There is no mistake “{name[:40]}”; there are {known}.")
        if name != "partial":
            return cls(MISTAKES[name])
        if len(rest) < 3:
            raise SwitchError("A wrong partial is written partial:operation:slot:expression.")
        return cls(MISTAKES[name], OwnPartial.read(*rest))

    def text(self) -> str:
        """The switch as the address holds it."""
        if self.own is None:
            return self.mistake.name
        return f"{self.mistake.name}:{self.own.op}:{self.own.slot}:{self.own.text}"


def break_rule(trace: Trace, switch: MistakeSwitch) -> Broken:
    """The graph of `trace` with the rule broken. Raises SwitchError if it has none to break."""
    return sabotage.compared(trace, switch.mistake.rule, switch.own)


def with_mistake(shown: Trace, broken: Broken) -> Trace:
    """`shown` with the wrong gradients, which stand on its cards after the pass."""
    wrong = {name: broken.wrong[name] for name in broken.differing}
    return replace(shown, broken=BrokenGradients(wrong, broken.first))


def why(broken: Broken, switch: MistakeSwitch) -> str:
    """Why the first wrong Value is wrong: its contributions, and what was lost or counted again.

    Without a wrong Value: why the mistake makes no difference on this graph.
    """
    if broken.first is None:
        return switch.mistake.harmless(broken)
    said = switch.mistake.says(broken, broken.first)
    return f"{said} {words.end(broken, broken.first)}".strip()
