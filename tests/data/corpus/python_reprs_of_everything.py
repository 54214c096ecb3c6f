# kind: python
from collections import namedtuple, Counter, defaultdict, deque, OrderedDict
from fractions import Fraction
from decimal import Decimal
import enum

class Op(enum.Enum):
    ADD = "+"
    MUL = "*"
    def __call__(self, a, b): return a + b if self is Op.ADD else a * b

class Flag(enum.IntEnum):
    OFF = 0
    ON = 1

class Node:
    pass

class Named:
    def __init__(self, name): self.name = name
    def __repr__(self): return f"<{self.name}>"

Point = namedtuple("Point", ["x", "y"])
print(Op.ADD, repr(Op.MUL), Op("+").name, [o.value for o in Op], Op.ADD(2, 3), Op["MUL"](2, 3))
print(Flag.ON, Flag.ON + 1, Flag(0) is Flag.OFF, f"{Flag.ON}", isinstance(Flag.ON, int))
print(Point(1, y=2), Point(1, 2)._replace(x=5), [Named("a"), Named("b")], {"k": Named("c")}, (Named("d"),), {Named("e")})
print(Counter("abracadabra"), defaultdict(list, a=[1]), deque([1, 2], maxlen=3), OrderedDict(a=1))
print(None, ..., NotImplemented, True, b"bytes", range(3), slice(1, 2), type(1), type(Node()), int, print.__name__, len)
print({1, 2, 3}, frozenset([1]), set(), {}, [], (), (1,), {"a": {"b": [1, (2, 3)]}}, "it's", 'say "hi"', "a\nb")
print([1.0, 2.5e-10, 1e100], "%s %r" % ("x", "x"), f"{'x'!r:>5}|{[1, 2]!s}|{None}", str([Op.ADD]))
print(dict(zip("abc", range(3))), list(enumerate("ab", 1)), list(map(str, [1, 2])), sum([[1], [2]], []), [*"ab", *range(2)], {**{"a": 1}, "b": 2})
def f(a, b=2, *args, c, d=4, **kw): return a, b, args, c, d, kw
print(f(1, c=3), f(1, 2, 3, 4, c=5, z=6), f(*[1, 2], **{"c": 3}))
print(isinstance(True, int), issubclass(bool, int), callable(f), hasattr(f, "__name__"), f.__name__, type(f).__name__, type(lambda: 0))
x = [3, 1, 2]
x.sort(reverse=True); x.append(4); x.extend((5, 6)); x.insert(0, 0); x.remove(3)
print(x, x.pop(), x.index(2), x[::-1], x[1:3], x[-1], x.count(4), 4 in x, sorted(x, key=lambda v: -v), len(x))
d = {"b": 1, "a": 2}
print(sorted(d), sorted(d.items(), key=lambda kv: kv[1]), d.get("z", 0), d.setdefault("c", []), d.pop("b"), list(d), d | {"z": 1})
print(all([]), any([]), min(3, 1, 2), max([1, 5], default=0), abs(-3), pow(2, 10), pow(2, -1), pow(3, 4, 5), sum(range(5)), round(3.14159, 2))
