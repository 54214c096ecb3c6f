"""Classes that hinder judging: hooks that would be seen to run, sums without end, full memories."""

from __future__ import annotations

import pytest

from engine.record import witness
from engine.record.session import RecordingSession, Wanted
from engine.record.source import Limits, Source
from engine.trace.build import trace
from tests.support.each import for_each

CLASS = """
class V:
    def __init__(self, data, prev=()):
        self.data = data
        self.grad = 0.0
        self.prev = prev
    def __add__(self, other):
        return V(self.data + other.data, (self, other))
    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def back():
            self.grad += other.data * out.grad
        out.back = back
        return out
{}
a = V(2.0)
b = V(-3.0)
L = a * b
L.grad = 1.0
L.back()
{}
print(a.grad)
"""
HOOKS = {
    "bool": "    def __bool__(self): print('bool'); return True",
    "eq": (
        "    def __eq__(self, o): print('eq'); return True\n"
        "    def __hash__(self): print('hash'); return 1"
    ),
    "len": "    def __len__(self): print('len'); return 0",
    "getattr": "    def __getattr__(self, name): print(name); raise AttributeError(name)",
    "text": (
        "class S(str):\n    def __bool__(self): print('bool'); return True\n"
        "    def __iter__(self): print('iter'); return iter('')\n"
        "    def __getitem__(self, i): print('item'); return ''"
    ),
    "list": (
        "class S(list):\n    def __iter__(self): print('iter'); return iter([])\n"
        "    def __bool__(self): print('bool'); return True"
    ),
    "dict": (
        "class S(dict):\n    def get(self, *a): print('get')\n"
        "    def items(self): print('items'); return []"
    ),
}
USES = {
    "text": "a.label = S('x'); a._op = S('+')",
    "list": "a.prev = S([b]); L.prev = S([a, b]); L.children = S([a])",
    "dict": "g = S(); g[a] = 1.0; g[b] = g[a] * 2.0",
    "bool": "a.prev = b; a.children = L; a.prev = ()",
}


@for_each("name", HOOKS)
def test_judging_runs_no_code_of_the_program(name: str) -> None:
    found = trace(CLASS.format(HOOKS[name], USES.get(name, "")))
    assert found.printed == ("-3.0",)
    assert found.verdict is not None


@pytest.mark.parametrize(
    "hook",
    [
        "__hash__(self): return 1",
        "__eq__(self, other): return self is other",
        "__bool__(self): raise ValueError",
    ],
)
def test_a_value_of_its_own_comparison_is_drawn(hook: str) -> None:
    text = f"class W(Value):\n    def {hook}\na = W(2.0)\nb = a\na.grad = 1.0\na.grad = 3.0"
    assert [node.data for node in trace(text).nodes] == [2.0]


def test_a_wrong_log1p_is_told_in_its_own_words() -> None:
    method = (
        "    def log1p(self):\n        out = V(self.data * 3, (self,))\n"
        "        out.back = lambda: None\n        return out"
    )
    found = trace(CLASS.format(method, "").replace("a * b", "a.log1p()"))
    assert found.verdict is not None
    (mistake,) = (m for m in found.verdict.mistakes if m.kind == "wrong_result")
    assert "log1p(2.0)" in mistake.message
    assert "1.0986" in mistake.message  # ln 3


def test_a_run_that_fills_the_memory_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    text = CLASS.format("", "for i in range(100): a.grad += 1.0")
    assert trace(text).verdict is not None
    monkeypatch.setattr(witness, "ROOM", 1000)
    source = Source(text, Limits())
    seen = RecordingSession(source, Limits(), Wanted(judged=True)).live().witness
    assert seen.is_full
    assert not any(seen.writes.values())


def test_no_line_is_shown_right_that_writes_no_gradient() -> None:
    text = """
class V:
    def __init__(s, d): s.data = d; s.grad = 0.0; s.b = lambda: None
    def __mul__(s, o):
        r = V(s.data * o.data)
        r.b = lambda: (
            setattr(s, 'grad', s.grad + s.data * r.grad), setattr(o, 'grad', s.data * r.grad))
        return r
a = V(2.0); b = V(3.0); L = a * b; L.grad = 1.0; L.b()
""".replace("(\n            setattr", "(setattr")
    found = trace(text)
    assert found.verdict is not None
    assert found.verdict.mistakes
    assert {m.fix.text for m in found.verdict.mistakes if m.fix} <= {"o"}  # s.data, for o.data


@pytest.mark.parametrize("count", [60, 300])
def test_many_uses_and_paths_are_summed_by_hand(count: int) -> None:
    """Each of the ways to add up 60 uses, or of 2**100 paths, cannot be tried."""
    if count == 60:
        body = "ys = [a + V(1.0 * i) for i in range(60)]\ns = ys[0]\nfor y in ys[1:]: s = s + y\n"
        body += "for y in ys: y.grad = 1.0\n"
    else:
        body = "xs = [a]\nfor i in range(100): xs.append(xs[-1] + xs[-1] * b)\ns = xs[-1]\n"
    found = trace(CLASS.format("", f"a = V(2.0)\nb = V(0.5)\n{body}s.grad = 1.0\na.grad = 123.5"))
    assert found.verdict is not None
    assert 123.5 in [m.written for m in found.verdict.mistakes]
