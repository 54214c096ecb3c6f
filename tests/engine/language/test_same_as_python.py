"""Every kind of statement and expression: a program prints the same as under Python."""

from __future__ import annotations

import ast
import builtins
import re

import pytest

from engine.language.compiler import EXPRESSIONS, STATEMENTS
from tests.support.programs import finished, printed

PROGRAMS = r"""
== Expr ==
print(1)
'a text alone'
1 + 2
print(2)
== Assign ==
a = b = 1
c, (d, e) = 2, (3, 4)
[f, g] = [5, 6]
print(a, b, c, d, e, f, g)
== Assign to an item ==
x = [1, 2, 3]
x[0] = 5
x[-1] = 7
print(x)
== Assign with a star ==
(a, b), *rest = [(1, 2), 3, 4]
*first, last = 'xyz'
print(a, b, rest, first, last)
== Assign with an empty star ==
a, *b = [1]
print(a, b)
== AnnAssign ==
x: float = 2.5
y: int
print(x)
== AugAssign ==
a = 7
a += 1
a -= 2
a *= 3
a /= 2
a **= 2
b = [1]
b += [2]
b *= 2
print(a, b)
== AugAssign to an item ==
x = [1, 2]
x[1] += 5
print(x)
== If ==
for x in [1, 2, 3]:
    if x < 2:
        print('a')
    elif x == 2:
        print('b')
    else:
        print('c')
== For ==
for i in range(2, 9, 3):
    print(i)
for a, (b, c) in [(1, (2, 3))]:
    print(a, b, c)
== For over a text ==
for c in 'abc':
    print(c)
== For with else ==
for i in range(3):
    pass
else:
    print('all')
for i in range(3):
    break
else:
    print('none')
== Break ==
for i in range(9):
    if i > 2:
        break
    print(i)
== Continue ==
for i in range(4):
    if i == 1:
        continue
    print(i)
== Return ==
def f(x):
    for i in range(9):
        if i == x:
            return i * 2
def g():
    return
print(f(3), f(10), g())
== Pass ==
def f():
    pass
print(f())
== Assert ==
assert 1 < 2, 'so it is'
print('on')
== FunctionDef ==
def f(x, k=2, h=3):
    'words'
    return x * k + h
print(f(1), f(1, 5), f(h=1, x=2), f(2, h=0))
== FunctionDef inside ==
def f(x):
    def g(y):
        return x * y
    return g(3) + g(4)
print(f(2))
== FunctionDef calling itself ==
def f(n):
    return 1 if n == 0 else n * f(n - 1)
print(f(10))
== Import ==
import math
import math as m
print(math.pi == m.pi, math.e)
== ImportFrom ==
from math import pi, inf
from math import tau as t
print(pi, inf, t)
== Constant ==
print(1, 2.5, 'x', True, False, None, 1e3, 0x10, 1_000)
== Name ==
a = 1
b = a
print(a, b)
== BinOp ==
print(7 + 2, 7 - 2, 7 * 2, 7 / 2, 7 ** 2, 7 % 4, -7 % 4, 7.5 % 2, 2 ** -1, 2 ** 0.5)
== BinOp on lists ==
print([1] + [2, 3], [1, 2] * 2, 2 * [0], [1] * 0)
== BinOp on texts ==
print('a' + 'b', '-' * 5, 3 * 'ab', 'x' * -1)
== UnaryOp ==
a = 3
print(-a, +a, --a, not a > 2, not (1 < 2))
== Compare ==
a = 2
print(1 < a, a <= 2, a > 2, a >= 3, a == 2.0, a != 2, 0 < a < 3, 0 < a > 5)
== Compare texts and lists ==
print('a' < 'b', 'a' == 'a', [1, [2]] == [1, [2.0]], (1,) == [1], [1] != [1, 2], None == None)
== BoolOp ==
a = 1
print(a > 0 and a < 2, a > 3 or a == 1, a < 0 and a / 0 > 1)
== IfExp ==
a = 1
print('yes' if a > 0 else 'no', 1 if a < 0 else 2)
== List ==
print([], [1], [1, [2.5, 'x']], [None, True])
== Tuple ==
print((), (1,), (1, 'x', [2]))
== ListComp ==
print([i * j for i in range(3) if i != 1 for j in (1, 2)], [[0] * i for i in range(3)])
== GeneratorExp ==
print(sum(i * i for i in range(4)), max(i for i in [3, 1]))
== Names of a comprehension are its own ==
i = 5
x = [i for i in range(3)]
print(i, x)
== Subscript ==
x = [1, 2, 3, 4]
print(x[0], x[-1], x[1:3], x[::-1], x[:2], x[-2:], (5, 6)[1], range(9)[2])
== JoinedStr ==
x = 3.14159
n = 'w'
print(f'{x:.2f}|{x:8.3f}|{x:<8.1f}|{x:+.1e}|{n:>5}|{n!r}|{7:03d}|{0.256:.1%}|{1234.5:,.1f}|{x}')
== JoinedStr of itself ==
x = 2.5
print(f'{x=} {x = :.1f} {{}}')
== JoinedStr in itself ==
w = 8
x = [1.5, 2.5]
print(f"{x[0]:>{w}.2f} {[f'{v:.1f}' for v in x]}")
== Lambda ==
f = lambda x, k=3: x * k
g = lambda: 5
print(f(2), f(2, 4), g())
== Call of an item ==
f = [lambda x: x + 1, lambda x: x * 5]
print(f[0](2), f[-1](2))
== Call of a function given ==
def twice(f, x):
    return f(f(x))
print(twice(lambda v: v + 1, 1))
== Call with the order of Python ==
def say(x):
    print(x)
    return x
def f(a, b):
    return a
y = f(say(1), b=say(2))
== print ==
print()
print(1, 'a', [1.0], sep='-')
print('a', end='')
print('b', end='!\n')
print('c\nd')
== len ==
print(len([1, 2]), len(()), len('abc'), len(range(5)))
== range ==
print(list(range(3)), list(range(5, 1, -2)), range(2))
== zip ==
print(list(zip([1, 2, 3], 'ab')))
for a, b in zip((1, 2), (3, 4)):
    print(a, b)
== enumerate ==
for i, x in enumerate('ab'):
    print(i, x)
for i, x in enumerate('ab', start=1):
    print(i, x)
print(list(enumerate('a', 5)))
== list ==
print(list('ab'), list((1, 2)), list())
== map ==
print(list(map(float, [1, 2])))
def f(x):
    return x * 2
print(list(map(f, [1, 2])))
== sum ==
print(sum([1, 2, 3]), sum([0.5, 0.25]), sum([]), sum([1, 2], 10))
print(sum([1 < 2, 2 < 1]), sum([1], start=2))
== max ==
print(max(1, 2.5), max([3, 1, 2]), min(1, 2), min([2, 1.5]))
== abs ==
print(abs(-3), abs(2.5), pow(2, 3))
== float ==
print(float(3), int(3.9), int(-3.9), str(2.5), round(2.567, 2), round(2.5), round(-1.5))
== append ==
x = []
x.append(1)
x.extend([2, 3])
print(x)
== whole numbers ==
n = 3
print(n, n / 2, n * 2, n ** 2, n ** -1, n - 1, 2 ** 40, 10 ** 20)
== nothing ==
x = None
print(x)
== main ==
if __name__ == '__main__':
    print('main')
== names like functions elsewhere ==
def softmax(x):
    return x
print(softmax(2))
== Delete ==
a, b, c = 1, [1, 2, 3], {'k': 1}
del a, b[0], b[:1], c['k']
print(b, c)
== Global and Nonlocal ==
n = 0
def f():
    global n
    n += 1
    k = 0
    def g():
        nonlocal k
        k += 1
        return k
    return g() + g()
print(f(), n)
== While with else ==
n = 3
while n:
    n -= 1
    if n == 1:
        continue
    print(n)
else:
    print('done')
== Raise and Try ==
def f(x):
    try:
        if x:
            raise x
        return 'none'
    except (KeyError, IndexError) as e:
        return type(e).__name__
    except ValueError as e:
        return str(e)
    else:
        return 'else'
    finally:
        print('finally', repr(x))
for x in [None, KeyError('k'), IndexError(), ValueError('v', 1)]:
    print(f(x))
== With ==
class C:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print('enter', self.name)
        return self.name
    def __exit__(self, kind, error, trace):
        print('exit', self.name, kind and kind.__name__)
        return self.swallow
with C('a') as a, C('b', True) as b:
    print(a + b)
    1 / 0
print('on')
== Match ==
class P:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        self.x, self.y = x, y
for v in [0, 'a', [1, 2, 3], {'k': 1, 'l': 2}, P(1, 2), P(3, 4), (5,), None, 2.5, -1]:
    match v:
        case 0 | 'a':
            print('literal', v)
        case [x, *rest] if rest:
            print('sequence', x, rest)
        case {'k': k, **more}:
            print('mapping', k, more)
        case P(1, y=y):
            print('class', y)
        case P(x=x) as p:
            print('other', x, p.y)
        case (x,):
            print('one', x)
        case None | True:
            print('constant')
        case float(f):
            print('float', f)
        case _:
            print('rest')
== ClassDef ==
class A:
    count = 0
    def __init__(self, x):
        self.x = x
        A.count += 1
    def __add__(self, other):
        return type(self)(self.x + getattr(other, 'x', other))
    __radd__ = __add__
    def __repr__(self):
        return f'{type(self).__name__}({self.x})'
    @property
    def double(self):
        return self.x * 2
    @double.setter
    def double(self, value):
        self.x = value / 2
    @staticmethod
    def make(x):
        return A(x)
    @classmethod
    def of(cls, x):
        return cls(x)
class B(A):
    def __init__(self, x):
        super().__init__(x + 1)
    def __eq__(self, other):
        return self.x == other.x
    def __hash__(self):
        return 7
b = B.of(1) + 2
b.double = 10
print(b, A.make(3).double, 1 + b, A.count, B(4) == B(4), hash(b), isinstance(b, A))
== Dict ==
d = {'a': 1, **{'b': 2}, 3: [4]}
d['c'] = d.pop('a')
print(d, d.get('x'), d.setdefault('y', 0), list(d.items()), 'b' in d, len(d), {**d} == d)
== DictComp and SetComp ==
print({k: v for k, v in zip('ab', (1, 2))}, sorted({i % 3 for i in range(9)}))
== Set ==
s = {1, 2} | {3}
s.add(4)
print(s & {2, 3, 9}, s - {1}, 2 in s, {1} < s, s ^ {1}, sorted(s), {*s, 5})
== NamedExpr ==
print([y for x in range(5) if (y := x * x) > 3], y)
== Yield and YieldFrom ==
def g(n):
    got = yield n
    print('got', got)
    yield from range(n)
    return 'end'
def h():
    result = yield from g(2)
    print(result)
it = h()
print(next(it), it.send('x'), list(it))
== Starred ==
def f(*args, k=0, **more):
    print(args, k, more)
f(*[1, 2], *'ab', k=3, **{'z': 4})
print([*range(3), *'ab'], (*[1],), {**{}, 'a': 1})
== Slice on both sides ==
x = [0, 1, 2, 3, 4]
x[1:3] = ['a']
x[::2] = [9, 8]
del x[-1:]
print(x, x[slice(0, 2)], 'abcd'[::-2])
== BinOp of all signs ==
print(7 // 2, -7 // 2, 7.5 // 2, 6 & 3, 6 | 3, 6 ^ 3, 1 << 70, 2**70 >> 3, ~5)
print(-7 % 3, 7 % -3, 2**200)
print('%s %d %.2f %5s|%-5s|%r' % ('a', 2, 2.5, 'b', 'c', 'd'), 'x' * 2, b'a' + b'b')
== Compare in and is ==
print(1 in [1], 'a' not in 'abc', None is None, [] is None, 2 in range(9), 3 in {1: 2})
== BoolOp of anything ==
print([] or 'a', 0 and 1, '' or None or 2, [0] and 3, not [], not 'a', bool({}), 1 and 2)
== truth of objects ==
class T:
    def __init__(self, n): self.n = n
    def __bool__(self): return self.n > 1
class L:
    def __len__(self): return 0
print(bool(T(1)), bool(T(2)), bool(L()), [t.n for t in (T(1), T(3)) if t])
== decorators ==
def twice(f):
    def g(*args):
        return f(f(*args))
    return g
@twice
@twice
def add(x):
    return x + 1
print(add(0))
== functions of objects ==
class A:
    x = 1
a = A()
setattr(a, 'y', 2)
print(getattr(a, 'x'), getattr(a, 'z', None), hasattr(a, 'y'), callable(A), callable(a), a.y)
delattr(a, 'y')
print(hasattr(a, 'y'), type(a) is A, type(1).__name__, isinstance(True, int), id(a) == id(a))
print(issubclass(bool, int), repr('a'), ascii('é'), format(2.5, '.2f'), hash(1))
== functions of numbers ==
print(divmod(7, -2), round(2.675, 2), pow(2, 10, 7), bin(10), hex(255), oct(8), chr(97))
print(ord('a'))
print(abs(-2), min([3, 1], key=lambda x: -x), max([], default=5), max('a', 'b'))
== functions of items ==
it = iter([1, 2])
print(next(it), next(it), next(it, 'end'), list(iter(lambda: 1, 1)))
print(any([0, 1]), all([]), sorted('bca', reverse=True), list(reversed([1, 2])))
print(list(filter(None, [0, 1])), list(filter(lambda x: x > 1, [1, 2])))
== star arguments in order ==
def f(a, b=2, /, c=3, *, d, e=5):
    return a, b, c, d, e
print(f(1, d=4), f(1, 9, c=8, d=7, e=6))
== closures of a loop ==
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
== semicolons ==
a = 1; b = 2; print(a, b)
== lines that go on ==
x = (1 +
     2)
y = 3 + \
    4
print(x, y)
"""


NOT_HERE = {
    "breakpoint", "bytearray", "compile", "dir", "eval", "exec", "exit", "globals", "help", "input",
    "locals", "memoryview",
    "open", "quit", "vars", "__import__",
}  # fmt: skip
"""Functions that are refused."""


def sections(text: str) -> dict[str, str]:
    """Programs by their names, which stand between == and ==."""
    _, *parts = re.split(r"^== (.*) ==\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


SAME_AS_PYTHON = sections(PROGRAMS)


def by_python(text: str) -> list[str]:
    """What Python itself prints; the programs are those above."""
    lines: list[str] = []

    def collect(*args: object, sep: str = " ", end: str = "\n") -> None:
        lines.append(sep.join(map(str, args)) + end)

    exec(text, {"print": collect, "__name__": "__main__"})  # noqa: S102  # our own programs
    return "".join(lines).split("\n")[:-1]


@pytest.mark.parametrize("text", SAME_AS_PYTHON.values(), ids=SAME_AS_PYTHON)
def test_a_program_prints_what_python_prints(text: str) -> None:
    assert printed(text) == by_python(text)


def test_every_kind_of_syntax_that_runs_is_tested_here() -> None:
    tested = {type(node) for text in SAME_AS_PYTHON.values() for node in ast.walk(ast.parse(text))}
    assert {*STATEMENTS, *EXPRESSIONS} <= tested


def test_every_built_in_function_is_tested_here() -> None:
    text = " ".join(SAME_AS_PYTHON.values())
    held = finished("x = 1").builtins
    functions = [name for name, x in held.items() if not isinstance(x, type)]
    told = {name for name in functions if callable(getattr(builtins, name, None))}
    assert {name for name in told if f"{name}(" not in text} <= NOT_HERE
