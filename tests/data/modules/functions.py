from functools import (
    reduce,
    partial,
    lru_cache,
    cache,
    wraps,
    cmp_to_key,
    total_ordering,
    cached_property,
)
import itertools as it
import functools

print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], 5))


def add(a, b=2, *, c=0):
    return a + b + c


f = partial(add, 1, c=3)
print(f(), f(5), partial(print, "x", sep="-")("y"), f.args, f.keywords)
calls = []


@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(30), len(calls), fib.cache_info(), fib.__name__)


@cache
def sq(x):
    return x * x


print(sq(3), sq(3))
fib.cache_clear()
print(fib(5))


def deco(g):
    @wraps(g)
    def inner(*a, **k):
        """inner doc"""
        return g(*a, **k) + 1

    return inner


@deco
def h(x):
    """doc of h"""
    return x


print(h(1), h.__name__, h.__doc__)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))


@total_ordering
class V:
    def __init__(self, x):
        self.x = x

    def __eq__(self, o):
        return self.x == o.x

    def __lt__(self, o):
        return self.x < o.x


print(V(1) <= V(2), V(3) >= V(4), max([V(1), V(5)]).x)


class A:
    n = 0

    @cached_property
    def big(self):
        A.n += 1
        return 42


a = A()
print(a.big, a.big, A.n)
try:
    reduce(lambda a, b: a, [])
except TypeError as e:
    print(e)
print(
    list(it.islice(it.count(5, 2), 3)),
    list(it.islice(it.cycle("ab"), 5)),
    list(it.repeat(1, 3)),
    list(it.chain([1], "a", (2,))),
    list(it.chain.from_iterable([[1], [2, 3]])),
    list(it.accumulate([1, 2, 3])),
    list(it.accumulate([1, 2, 3], lambda a, b: a * b, initial=1)),
    list(it.product([1, 2], "ab")),
    list(it.product([0, 1], repeat=2)),
    list(it.permutations([1, 2, 3], 2)),
    list(it.combinations("abc", 2)),
    list(it.combinations_with_replacement("ab", 2)),
    list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])),
    list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])),
    list(it.filterfalse(lambda x: x % 2, range(5))),
    list(it.starmap(pow, [(2, 3), (3, 2)])),
    list(it.zip_longest([1, 2], "a", fillvalue=0)),
    list(it.compress("abc", [1, 0, 1])),
    list(it.pairwise([1, 2, 3])),
    [(k, list(g)) for k, g in it.groupby("aabbc")],
    [(k, list(g)) for k, g in it.groupby([1, 3, 2], key=lambda x: x % 2)],
    [list(t) for t in it.tee([1, 2])],
)
print(
    len(list(it.permutations(range(4)))),
    next(it.count()),
    list(zip(it.count(), "ab")),
    functools.reduce(lambda a, b: a + b, range(5)),
)
