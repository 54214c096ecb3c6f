"""The page of Train at an address, and its form as a browser sends it."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlencode

from engine.training.spec import TrainSpec
from tests.support.pages import Element, Html, client, read

Pairs = list[tuple[str, str]]

ODD = TrainSpec(
    data="rows", rows=((0.5, -1.0, 0.0), (1.25, 2.0, 1.0), (0.0, 3.0, 2.0)), layers=(2, 3, 4, 3),
    activation=("tanh", "relu"), output_activation="sigmoid", init="he", loss="cross_entropy",
    l1=0.001, l2=0.02, optimizer="nesterov", learning_rate=0.05, momentum=0.5, weight_decay=0.1,
    schedule="cosine", schedule_end=0.001, batch=2, shuffle=False, steps=7, seed=2**63,
    zero_grad=False, accumulate=False,
)  # fmt: skip
"""A spec whose every field is another than by default, but for those that go without saying."""

HOSTILE = '"><img src=x onerror=alert(1)></textarea><script>alert(1)</script>'


@cache
def page(pairs: tuple[tuple[str, str], ...] = (), status: int = 200) -> Html:
    """The page at an address."""
    answer = client().get(f"/train?{urlencode(pairs)}")
    assert answer.status_code == status, answer.text[:300]
    return read(answer.text)


def of(spec: TrainSpec, **more: str) -> Html:
    """The page of a run."""
    pairs = spec.to_query() or [("data", spec.data)]
    return page((*pairs, *more.items()))


def controls(found: Html) -> list[Element]:
    """The controls of the form, hidden ones included; those without a name are never sent."""
    form = found.one("form", id="spec")
    inside = found.within(form).elements
    named = [e for e in inside if "name" in e.attributes]
    return [e for e in named if e.tag in ("input", "select", "textarea")]


def control(found: Html, name: str) -> Element:
    """The only control of the form with a name."""
    (one,) = [c for c in controls(found) if c.attributes.get("name") == name]
    return one


def sent(found: Html) -> Pairs:
    """What a browser sends when the form is submitted as it is."""
    pairs: Pairs = []
    for one in controls(found):
        name, kind = one.attributes.get("name", ""), one.attributes.get("type", "")
        if one.tag == "textarea":
            pairs.append((name, one.text))
        elif one.tag == "select":
            options = found.within(one).all("option")
            (chosen,) = [o for o in options if "selected" in o.attributes] or options[:1]
            pairs.append((name, chosen.attributes["value"]))
        elif kind not in ("radio", "checkbox") or "checked" in one.attributes:
            pairs.append((name, one.attributes["value"]))
    return pairs


def spec_of(pairs: Pairs) -> TrainSpec:
    return TrainSpec.from_query(pairs, ignore=("step", "hide", "right"))
