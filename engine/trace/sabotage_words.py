"""Sentences on a broken rule with the numbers of its graph: why a gradient is wrong, or is not."""

from __future__ import annotations

from collections.abc import Sequence

from engine.numbers import counted
from engine.numbers import in_sentence as said
from engine.real import same

from . import naming
from .model import Node
from .sabotage import Broken, RuleContribution

LISTED = 4
"""Contributions that a sentence lists."""


def end(broken: Broken, node: str) -> str:
    """`a.grad is 2, not 3.`"""
    wrong, right = broken.wrong[node], broken.right[node]
    return f"{_name(broken, node)}.grad is {said(wrong)}, not {said(right)}."


def _node(broken: Broken, node: str) -> Node:
    return next(found for found in broken.trace.nodes if found.id == node)


def _name(broken: Broken, node: str) -> str:
    """The name of a Value, in parentheses before a dot if it is an expression."""
    name = _node(broken, node).name
    return name if name.isidentifier() or name.endswith(")") else f"({name})"


def _plain_name(broken: Broken, node: str) -> str:
    return _node(broken, node).name


def _listed(broken: Broken, given: Sequence[RuleContribution]) -> str:
    """`6 through d and -2 through e`."""
    shown = [f"{said(g.amount)} through {_plain_name(broken, g.source)}" for g in given[:LISTED]]
    if len(given) > LISTED:
        return f"{', '.join(shown)} and {len(given) - LISTED:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


# Why a gradient is wrong


def assign(broken: Broken, node: str) -> str:
    given, name = broken.given_right[node], _plain_name(broken, node)
    held = given[0].before
    if len(given) == 1:
        return f"{name} held {said(held)} before this pass, which assigning overwrites."
    lost = sum(g.amount for g in given[:-1]) + held
    return (
        f"{name} receives {counted(len(given), 'contribution')}: {_listed(broken, given)}. "
        f"Assigning keeps the last, {said(given[-1].amount)}, and loses {said(lost)}:"
    )


def depth_first(broken: Broken, node: str) -> str:
    early = _other_upstream(broken, node)
    if early is None:
        return f"{_plain_name(broken, node)} is reached too early."
    due = _twin(broken, node, early)
    source, name = _plain_name(broken, early.source), _plain_name(broken, node)
    return (
        f"{source} passes on when it is first reached, with a gradient of "
        f"{said(early.upstream)} instead of {said(due.upstream if due else 0.0)}: its other "
        f"contributions come later. {name} receives {_product(early)} from it, and the rest is "
        "lost:"
    )


def every_path(broken: Broken, node: str) -> str:
    given, name = broken.given_wrong[node], _plain_name(broken, node)
    counts: dict[str, list[RuleContribution]] = {}
    for each in given:
        counts.setdefault(each.source, []).append(each)
    due = {(g.source, g.slot) for g in broken.given_right[node]}
    source, most = max(counts.items(), key=lambda item: len(item[1]))
    visits = len({g.slot for g in most}) and len(most) // len({g.slot for g in most})
    if len(given) <= len(due):
        return f"{name} is reached with gradients that are not complete."
    return (
        f"{_plain_name(broken, source)} is reached {visits:,} times, once for every path, and each "
        f"time it passes on all the gradient that it has by then. {name} receives "
        f"{_listed(broken, given)}, instead of {_listed(broken, broken.given_right[node])}:"
    )


def kept(broken: Broken, node: str) -> str:
    name = _plain_name(broken, node)
    second = [g for g in broken.given_wrong.get(node, ()) if g.turn > 1]
    if not second:
        return f"{name} was set to 1 by the first pass, and the second adds 1 again:"
    held, added = second[0].before, sum(g.amount for g in second)
    return f"{name} still held {said(held)} of the first pass, and the second adds {said(added)}:"


def twice(broken: Broken, node: str) -> str:
    """As `kept`; PyTorch needs a word for a second pass."""
    if broken.trace.rule != "pytorch":
        return kept(broken, node)
    return f"PyTorch refuses it without retain_graph=True. With it, {kept(broken, node)}"


def no_upstream(broken: Broken, node: str) -> str:
    pairs = [(g, _twin(broken, node, g)) for g in broken.given_wrong[node]]
    for given, due in pairs:
        if due is not None and not same(given.amount, due.amount):
            name, source = _plain_name(broken, node), _plain_name(broken, given.source)
            return (
                f"Through {source}, {name} receives the partial {said(given.partial)} alone. "
                f"Times the gradient of {source} it would be {_product(due)}:"
            )
    return ""


def partial(broken: Broken, node: str) -> str:
    own = broken.own
    for given in broken.given_wrong.get(node, ()):
        due = _twin(broken, node, given)
        if own is None or due is None or same(given.partial, due.partial):
            continue
        return (
            f"In {_plain_name(broken, given.source)} your partial {own.text} is "
            f"{said(given.partial)}; the right one is {said(due.partial)}. "
            f"{_plain_name(broken, node)} receives {_product(given)} instead of {_product(due)}:"
        )
    return ""


def _product(given: RuleContribution) -> str:
    return f"{said(given.upstream)} × {said(given.partial)} = {said(given.amount)}"


def _twin(broken: Broken, node: str, given: RuleContribution) -> RuleContribution | None:
    """The contribution under the right rule through the same op and slot."""
    twins = broken.given_right.get(node, ())
    return next((g for g in twins if (g.source, g.slot) == (given.source, given.slot)), None)


def _other_upstream(broken: Broken, node: str) -> RuleContribution | None:
    """The first contribution that was passed on with another gradient than under the right rule."""
    for given in broken.given_wrong.get(node, ()):
        due = _twin(broken, node, given)
        if due is None or not same(due.upstream, given.upstream):
            return given
    return None


# Why a mistake makes no difference


def assign_harmless(broken: Broken) -> str:
    if all(len(given) < 2 for given in broken.given_right.values()):
        return (
            "No Value is used twice in this graph. Each receives one contribution at most, so "
            "assigning it and adding it to 0 are the same."
        )
    return "Some Values are used several times, but all of their contributions but the last are 0."


def order_harmless(broken: Broken) -> str:
    several = [
        name
        for name, given in broken.given_right.items()
        if len(given) > 1 and _node(broken, name).op is not None
    ]
    if not several:
        return (
            "No computed Value is used twice in this graph. Each is reached once, with its whole "
            "gradient, so the order makes no difference."
        )
    names = ", ".join([_plain_name(broken, name) for name in several[:LISTED]])
    receive = "receives" if len(several) == 1 else "receive"
    return (
        f"Of the computed Values, {names}{' …' if len(several) > LISTED else ''} {receive} several "
        "contributions, but what comes late or again is 0, or comes in time by the order of the "
        "arguments."
    )


def kept_harmless(broken: Broken) -> str:
    return "All gradients that would be kept are 0 in this graph."


def no_upstream_harmless(broken: Broken) -> str:
    return (
        "Every gradient that is passed on is 1 in this graph, or its partial is 0, so the factor "
        "makes no difference."
    )


def partial_harmless(broken: Broken) -> str:
    own = broken.own
    assert own is not None
    if all(node.op != own.op for node in broken.trace.nodes):
        return f"There is no {own.op} in this graph."
    if all(_is_unused(broken, node) for node in broken.trace.nodes if node.op == own.op):
        what = naming.written(own.op, ["a", "b"] if own.op not in "neg" else ["x"])
        return f"Input {own.slot + 1} of {what} is always a constant here, which has no gradient."
    return f"At these numbers {own.text} gives what the right partial does, or what it scales is 0."


def _is_unused(broken: Broken, node: Node) -> bool:
    own = broken.own
    return own is not None and node.args[own.slot] not in broken.right
