xs = [3, 1, 2]
xs.append(5)
xs.extend(range(2))
xs.insert(1, 9)
print(xs, xs.pop(), xs.pop(0), xs.index(2), xs.count(1))
xs.sort()
print(xs)
xs.sort(reverse=True)
print(xs)
xs.reverse()
print(xs, xs.copy())
xs.remove(9)
print(xs)
xs.sort(key=lambda v: -v)
print(xs)
ws = ["bb", "a", "ccc"]
ws.sort(key=len)
print(ws, sorted(ws, key=str.upper, reverse=True))
print(
    sorted([(2, "b"), (1, "c"), (2, "a")]), sorted({3, 1}), sorted("hello"), list(reversed([1, 2]))
)
print(
    min(3, 1),
    max([1, 5, 2]),
    min("b", "a"),
    max(ws, key=len),
    min([], default=7),
    sum([1, 2, 3]),
    sum([0.1] * 10),
    sum([[1], [2]], []),
)
print(
    list(zip([1, 2], "ab")),
    list(enumerate("ab", 1)),
    list(map(lambda a, b: a + b, [1, 2], [3, 4])),
    list(filter(None, [0, 1, 2])),
)
print(
    any([0, 1]),
    all([]),
    any(x > 1 for x in xs),
    len(xs),
    tuple(xs),
    set([1, 1, 2]),
    frozenset([1]),
    list("abc"),
    dict([(1, 2)]),
    dict(a=1),
)
print(
    (1, 2, 1).count(1),
    (1, 2).index(2),
    range(5).index(3),
    range(0, 10, 3)[1],
    list(range(5, 0, -2)),
    range(3),
)
a = [1]
a.append(a)
print(a)
d = {}
d["x"] = d
print(d)
print([1, [2, [3]]], (1,), (), {}, set(), {1}, [None, True, 1.0, "a'b", 'q"'])
for f in (
    lambda: [].pop(),
    lambda: [1].remove(2),
    lambda: [1].index(2),
    lambda: [1, "a"].sort(),
    lambda: max([]),
    lambda: [1].append(),
    lambda: [1].foo,
    lambda: len(5),
    lambda: sum(["a"]),
    lambda: sum("ab", ""),
    lambda: list(5),
    lambda: next(iter([])),
    lambda: next([1]),
    lambda: iter(5),
    lambda: reversed(5),
    lambda: sorted(5),
    lambda: sorted([1], 2),
    lambda: list(zip([1], [1, 2], strict=True)),
    lambda: map(5),
    lambda: list(map(5, [1])),
    lambda: enumerate(5),
    lambda: zip(5),
    lambda: min(),
    lambda: (1, 2).index(5),
    lambda: [1, 2][5],
    lambda: dict([1]),
    lambda: dict([(1, 2, 3)]),
    lambda: set([[]]),
    lambda: hash([]),
    lambda: abs("a"),
    lambda: chr(-1),
    lambda: ord("ab"),
    lambda: int("12", 3.0),
    lambda: round("a"),
    lambda: divmod(1, 0),
    lambda: pow(2, -1, 4),
    lambda: isinstance(1, 5),
    lambda: issubclass(1, int),
    lambda: getattr(1, "x"),
    lambda: callable(),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(
    abs(-3),
    abs(-2.5),
    round(2.5),
    round(2.567, 2),
    round(-0.5),
    divmod(7, 3),
    divmod(7.5, 2),
    pow(2, 10),
    pow(3, 4, 5),
    chr(97),
    ord("a"),
    bin(10),
    hex(255),
    oct(8),
)
print(
    int("12"),
    int(3.9),
    int("ff", 16),
    float("1e3"),
    float("inf"),
    bool([]),
    str(5),
    str([1, "a"]),
    repr("a"),
    int(),
    float(),
    str(),
    list(),
    (5).bit_length(),
    (2.5).is_integer(),
    (0.5).as_integer_ratio(),
    (3).real,
    (2.5).hex(),
)
print(
    isinstance(1, int),
    isinstance(True, int),
    isinstance("a", (int, str)),
    issubclass(bool, int),
    type(1),
    type(1.5).__name__,
    type("a"),
    type([]),
    type(None),
    callable(len),
    callable(5),
    hasattr("a", "upper"),
    hasattr("a", "foo"),
    getattr("abc", "upper")(),
    getattr(1, "x", "d"),
)
it = iter([1, 2])
print(next(it), next(it), next(it, "end"))
n = iter([1, 2, 3])
print(list(iter(lambda: next(n), 3)))
print(
    1 if NotImplemented is NotImplemented else 2,
    Ellipsis,
    id(a) == id(a),
    id([1]) > 0,
    hash(5),
    hash("a") == hash("a"),
    bytes([1, 2]),
    bytes(3),
    slice(1, 2),
    complex if False else 1,
)
print(1, 2, sep="-", end="!\n")
print()
print("a", None, sep="")
print(*[1, 2, 3])
print(
    ValueError("x"),
    repr(ValueError("x", 1)),
    KeyError("k"),
    str(KeyError("k")),
    repr(StopIteration(3).value),
    ValueError("a", "b").args,
)
