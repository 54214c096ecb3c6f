"""The card of a frame of an operation: its formula in the forward pass, the chain rule backward.

Each is one template per operation, and per exponent that is a constant; `app.explore.explanation`
fills it.
"""

from __future__ import annotations

import re
from html import escape

from app.caches import cached
from app.explore.numbers_shown import Rules, rules
from engine.ops import OPS, Op
from engine.trace import equations
from engine.trace.cases import branches, is_bare, is_number
from engine.trace.equations import slot


@cached("forward cards")
def forward(name: str, exponent: float | None = None) -> str:
    """The template of a forward frame of the operation `name`."""
    op, texts = OPS[name], rules(name, exponent)
    sentence = _capital(_sentence(op.forward_says))
    return f"<p>{_sign(op)} {sentence}.</p>{_formula(op, texts)}{_stale()}{_kink(op)}"


@cached("formula cards")
def formula(name: str, exponent: float | None = None) -> str:
    """The template of the formula alone, with names and with numbers."""
    return _formula(OPS[name], rules(name, exponent))


def _sign(op: Op) -> str:
    """The operation's symbol, a link to its page."""
    return f'<b class="sign"><a href="/reference/{op.slug}">{escape(op.symbol)}</a></b>'


def _formula(op: Op, texts: Rules) -> str:
    """The case of the formula that applies, with names and with numbers."""
    cases = branches(texts.formula)
    shown = []
    for k, text in enumerate(cases):
        flag = f' data-if="f={k}"' if len(cases) > 1 else ""
        fresh = f' data-if="n={k}"' if len(cases) > 1 else ' data-if="!stale"'
        with_names = equations.mathml(text, op.params)
        with_numbers = equations.mathml(text, op.params, numbers=True)
        shown.append(
            f"{_line(flag)}{slot('y.tag')}<mo>=</mo>{with_names}</mrow></math>"
            f"{_line(fresh)}<mo>=</mo>{with_numbers}"
            f"<mo>=</mo>{slot('y.data', 'mn', kind='data strong')}</mrow></math>"
        )
    return "".join(shown)


def _line(flag: str, look: str = "equation") -> str:
    return f'<math class="{look}" display="block"{flag}><mrow>'


def _stale() -> str:
    result = slot("y.data", "b", kind="data")
    return (
        f'<p class="stale" data-if="stale">The result is {result}. Data was changed after it was '
        "computed, so it does not follow from the numbers that its inputs have now.</p>"
    )


@cached("backward cards")
def backward(name: str, exponent: float | None = None) -> str:
    """The template of a backward frame of the operation `name`: the chain rule for each input."""
    op, texts = OPS[name], rules(name, exponent)
    says = "".join(
        f'<span data-if="c{i}"> {_capital(_sentence(says))}.</span>'
        for i, says in enumerate(op.backward_says)
    )
    rows = "".join(_contribution(op, texts, i) for i in range(len(op.params)))
    return (
        f"<p>Through {_sign(op)} in {slot('y.source', 'code')}.{says}</p>"
        f"{rows}{_twice(op)}{_kink(op)}"
    )


def _contribution(op: Op, texts: Rules, i: int) -> str:
    """incoming × local = contribution, with symbols above and numbers below."""
    to = slot(f"x{i}.tag")
    local = equations.derivative("y.tag", f"x{i}.tag")
    pills = (
        _pill("incoming", _upstream(), f"c{i}.upstream", "grad"),
        '<span class="sign">×</span>',
        _pill("local", _math(local), f"c{i}.partial", "data"),
        '<span class="sign">=</span>',
        _pill("gives", _math(f"<mtext>to\u00a0</mtext>{to}"), f"c{i}.amount", "grad strong"),
    )
    return (
        f'<div class="contribution" data-if="c{i}"><div class="chain">{"".join(pills)}</div>'
        f"{_owner(i)}{_rule(op, texts, i)}{_so_far(i)}</div>"
    )


def _owner(i: int) -> str:
    """The neuron that a parameter with a short name belongs to."""
    whose = f"{_math(slot(f'x{i}.tag'))} of {slot(f'x{i}.of', 'span')}"
    return f'<p class="owner" data-if="x{i}.of">{whose}</p>'


def _rule(op: Op, texts: Rules, i: int) -> str:
    """The case of the partial that applies, with names and, unless it is bare, with numbers."""
    with_names, params = equations.derivative("y.tag", f"x{i}.tag"), op.params
    result = slot(f"c{i}.partial", "mn", kind="data")
    cases = branches(texts.partials[i])
    shown = []
    for k, text in enumerate(cases):
        flag = f' data-if="p{i}={k}"' if len(cases) > 1 else ""
        start = f"{_line(flag, 'equation local-rule')}{with_names}<mo>=</mo>"
        row = f"{start}{equations.mathml(text, params)}"
        if not is_bare(text):
            numbers = equations.mathml(text, params, numbers=True, prefix=f"r{i}")
            row += f"</mrow></math>{_line(flag, 'equation local-rule')}<mo>=</mo>{numbers}"
        end = "" if is_number(text) else f"<mo>=</mo>{result}"
        shown.append(f"{row}{end}</mrow></math>")
    return "".join(shown)


def _so_far(i: int) -> str:
    """The addition to what the receiver had, either of this pass or from before it."""
    before = slot(f"s{i}.before", "span", kind="grad")
    amount = slot(f"s{i}.amount", "span", paren=True, kind="grad")
    after = slot(f"s{i}.after", "b", kind="grad")
    start = f"Sum so far for {slot(f'x{i}.name', 'code')}: {before}"
    end = f" + {amount} = {after}</p>"
    return (
        f'<p class="so-far" data-if="c{i}.sum">{start}{end}'
        f'<p class="so-far" data-if="c{i}.earlier">{start} from before this pass{end}'
    )


def _pill(word: str, symbol: str, value: str, kind: str) -> str:
    return f'<span class="pill {kind}"><small>{word}</small>{symbol}{slot(value, "b")}</span>'


def _math(content: str, flag: str = "") -> str:
    condition = f' data-if="{flag}"' if flag else ""
    return f"<math{condition}><mrow>{content}</mrow></math>"


def _upstream() -> str:
    """∂out/∂y; `y.grad` where that gradient includes contributions of earlier passes."""
    derivative = equations.derivative("out.tag", "y.tag")
    held = f"{slot('y.tag')}<mo>.</mo><mi>grad</mi>"
    return _math(derivative, "!leftover") + _math(held, "leftover")


def _twice(op: Op) -> str:
    """Where both inputs are one Value, ∂y/∂x of a single use is not the whole derivative."""
    if len(op.params) < 2:
        return ""
    return (
        '<p class="twice" data-if="twice">The same Value is used twice. Each partial above is for '
        "one use; the two contributions add up.</p>"
    )


def _kink(op: Op) -> str:
    return f'<p class="kink" data-if="kink">Here {escape(op.kink_says)}.</p>' if op.kink else ""


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _sentence(text: str) -> str:
    places = {
        "y": slot("y.name", "code"),
        "x0": slot("x0.name", "code"),
        "x1": slot("x1.name", "code"),
    }
    return re.sub(r"\{(\w+)\}", lambda found: places[found[1]], escape(text))
