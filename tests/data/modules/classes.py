from dataclasses import (
    dataclass,
    field,
    asdict,
    astuple,
    replace,
    fields,
    is_dataclass,
    FrozenInstanceError,
)
from abc import ABC, abstractmethod
from enum import Enum, IntEnum, auto
from typing import (
    List,
    Dict,
    Optional,
    Union,
    Any,
    NamedTuple,
    TypeVar,
    Generic,
    Protocol,
    Callable,
    cast,
    TYPE_CHECKING,
)
import copy


@dataclass
class P:
    x: int
    y: float = 2.0
    tags: list = field(default_factory=list)
    hidden: int = field(default=0, repr=False, compare=False)


p = P(1)
p.tags.append("a")
print(
    p,
    P(1, 2.0, ["a"], 5) == p,
    p == 1,
    asdict(p),
    astuple(p),
    replace(p, x=9),
    [f.name for f in fields(p)],
    is_dataclass(P),
    P(x=1, y=3),
)


@dataclass(order=True, frozen=True)
class O:
    a: int
    b: str = "z"


print(O(1) < O(2), sorted([O(2), O(1, "b"), O(1, "a")]), hash(O(1)) == hash(O(1)), {O(1): 5}[O(1)])
try:
    O(1).a = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)


@dataclass
class Q(P):
    z: int = 7

    def __post_init__(self):
        self.total = self.x + self.z


print(Q(1), Q(1).total)


@dataclass
class W:
    v: int

    def __repr__(self):
        return "W!"


print(W(1), W(1) == W(1))
for f in (
    lambda: P(),
    lambda: P(1, 2, 3, 4, 5),
    lambda: P(1, q=2),
    lambda: P(1, x=2),
    lambda: O(1) < 5,
    lambda: hash(P(1)),
    lambda: asdict(5),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:

    @dataclass
    class Bad:
        xs: list = []
except ValueError as e:
    print(e)
try:

    @dataclass
    class Bad2:
        a: int = 1
        b: int
except TypeError as e:
    print(e)


class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...


class Sq(Shape):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s**2

    @property
    def name(self):
        return "sq"


class Half(Shape):
    def area(self):
        return 1


print(Sq(3).area(), Sq(3).name, isinstance(Sq(1), Shape))
for c in (Shape, Half):
    try:
        c()
    except TypeError as e:
        print(e)


class Color(Enum):
    RED = 1
    GREEN = "g"
    BLUE = auto() if False else 3
    CRIMSON = 1

    def shout(self):
        return self.name.upper() + "!"


print(
    Color.RED,
    repr(Color.RED),
    Color.RED.name,
    Color.RED.value,
    Color(1),
    Color["GREEN"],
    list(Color),
    len(Color),
    Color.RED is Color.CRIMSON,
    Color.RED == 1,
    Color.BLUE.shout(),
    isinstance(Color.RED, Color),
    {Color.RED: 1}[Color.RED],
    Color.RED in Color,
    f"{Color.RED}",
)
try:
    Color(99)
except ValueError as e:
    print(e)


class N(IntEnum):
    A = 1
    B = auto()


print(N.A + 1, N.B, repr(N.B), N.B > N.A, N(2), sum(N), f"{N.A}")


class Op(Enum):
    ADD = ("+", lambda a, b: a + b)
    SUB = ("-", lambda a, b: a - b)

    def __init__(self, sign, fn):
        self.sign = sign
        self.fn = fn


print(Op.ADD.sign, Op.SUB.fn(5, 3), [o.sign for o in Op])


class Pt(NamedTuple):
    x: int
    y: int = 5

    def norm(self):
        return self.x + self.y


print(Pt(1), Pt(1, 2).norm(), Pt(1).x, Pt(1) == (1, 5), Pt._fields)
T = TypeVar("T")


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []

    def push(self, x: T) -> "Stack[T]":
        self.items.append(x)
        return self


print(
    Stack[int]().push(1).items,
    cast(int, "a"),
    TYPE_CHECKING,
    Optional[int],
    List[int],
    T,
    Dict[str, int],
)


class Pr(Protocol):
    def go(self) -> int: ...


def g(a: Optional[List[int]] = None, f: Callable[[int], int] = None) -> Union[int, str]:
    return 1


print(g())


class Node:
    def __init__(self, v):
        self.v = v
        self.kids = []
        self.me = self


n = Node(1)
n.kids.append(Node(2))
m = copy.deepcopy(n)
m.kids[0].v = 5
print(n.kids[0].v, m.kids[0].v, m.me is m, m is not n)
k = copy.copy(n)
print(k.kids is n.kids, k.v)
x = [[1], {"a": [2]}, (3, [4])]
y = copy.deepcopy(x)
y[0].append(9)
print(x, y, copy.copy(x)[0] is x[0])
r = [1]
r.append(r)
s = copy.deepcopy(r)
print(s[1] is s, s)


class Kind(str, Enum):
    A = "a"
    B = "b"


print(Kind.A, repr(Kind.B), Kind.A == "a", f"{Kind.A}", Kind("b"), Kind.A.upper())


class Base:
    def __init__(self, x):
        self.x = x

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, v):
        self.x = v / 2

    @staticmethod
    def make():
        return Base(1)

    @classmethod
    def of(cls, x):
        return cls(x)


class Derived(Base):
    def __init__(self, x):
        super().__init__(x + 1)


d = Derived.of(1)
d.double = 10
print(d.x, d.double, Base.make().x)


@dataclass(frozen=True)
class Settings:
    lr: float = 0.1


settings = Settings()


@dataclass(frozen=True, eq=False)
class FrozenNode:
    value: float
    grad: float = 0.0


frozen_node = FrozenNode(2.0)
print(settings, frozen_node, {frozen_node: 1}[frozen_node])
