from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache, singledispatch, singledispatchmethod


@contextmanager
def section(name, *, quiet=False):
    """Prints around the block."""
    print(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as error:
        print("caught", error)
    finally:
        print(f"</{name}>")


with section("a") as a, section("b"):
    print(a, section.__name__, section.__doc__)
with section("error"):
    raise ValueError("inside")
try:
    with section("other"):
        raise KeyError("passed on")
except KeyError as error:
    print(repr(error))


@contextmanager
def never():
    if False:
        yield


@contextmanager
def twice():
    yield 1
    yield 2


for broken in (never, twice):
    try:
        with broken():
            pass
    except RuntimeError as error:
        print(error)


@section("decorated")
def f(x):
    return x + 1


print(f(1), f(2))
with suppress(ZeroDivisionError, KeyError):
    print(1 / 0)
with nullcontext(3) as three:
    print(three)


@lru_cache(maxsize=2)
def square(x):
    return x * x


print([square(x) for x in (1, 2, 1, 3)], square.cache_info(), square.cache_info().hits)


@singledispatch
def show(x):
    return f"object {x!r}"


@show.register(int)
def _(x):
    return f"int {x}"


@show.register(list)
def show_list(x):
    return ", ".join(map(show, x))


print(show(True), show(2.5), show([1, "a"]), show_list([3]))
print(show.dispatch(bool)(7), show.__name__)


class Printer:
    def __format__(self, spec):
        return f"<{spec or 'plain'}>"

    @singledispatchmethod
    def write(self, x):
        return "any"

    @write.register(float)
    def _(self, x):
        return f"{x:.2f}"


p = Printer()
print(p.write(1), p.write(1.0), f"{p} {p:x}", format(p), "{} {:y}".format(p, p))


class Node:
    def __init__(self, data):
        self.data = data

    def step(self, lr, *, n):
        return lr


def outer():
    return lambda x: x


for call in (
    lambda: Node(),
    lambda: Node(1).step(),
    lambda: Node(1).step(1, n=2, k=3),
    lambda: Node(1, 2),
    lambda: outer()(),
):
    try:
        call()
    except TypeError as error:
        print(error)


def listener():
    got = []
    while True:
        try:
            x = yield len(got)
        except ValueError as error:
            print("thrown in", error)
        else:
            got.append(x)
            if x is None:
                return got


g = listener()
print(next(g), g.send(1), g.throw(ValueError("bad")), g.send(2))
try:
    g.send(None)
except StopIteration as stop:
    print(stop.value)


def lines():
    with section("file") as name:
        yield name
        yield name.lower()
    yield "after"


print(list(lines()))
