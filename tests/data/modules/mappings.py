d = {"a": 1, "b": 2}
print(
    d.get("a"),
    d.get("z"),
    d.get("z", 0),
    d.pop("a"),
    d.pop("z", None),
    d.setdefault("c", 3),
    d,
    d.keys(),
    d.values(),
    d.items(),
)
d.update({"x": 1}, y=2)
d.update([("q", 5)])
print(
    d,
    len(d),
    list(d),
    d.copy(),
    d.popitem(),
    "x" in d,
    dict.fromkeys("ab", 0),
    {**d, "n": 1},
    d | {"b": 9},
)
for k, v in sorted(d.items(), key=lambda kv: -kv[1]):
    print(k, v)
from collections import Counter, defaultdict, OrderedDict, deque, namedtuple, ChainMap

c = Counter("mississippi")
print(
    c,
    c.most_common(2),
    c["z"],
    sum(c.values()),
    c + Counter("ms"),
    c - Counter("iii"),
    Counter(a=2),
    list(Counter(a=2).elements()),
    c.total(),
)
c.update("mm")
c.subtract({"s": 1})
print(c, dict(c), Counter([1, 1, 2]).most_common())
g = defaultdict(list)
g["a"].append(1)
g["b"]
print(g, g["zz"], dict(g), len(g))
h = defaultdict(int)
h["x"] += 1
print(h)
l = defaultdict(lambda: 5)
print(l["q"], dict(l))
o = OrderedDict([("a", 1), ("b", 2)])
o.move_to_end("a")
print(o, o.popitem(last=False), OrderedDict(), list(o))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
print(q, q.pop(), q.popleft(), len(q), q[0], q.maxlen)
q.extend([7, 8])
q.rotate(1)
print(q, list(q), deque("ab"), 7 in q)
P = namedtuple("P", "x y")
p = P(1, y=2)
print(
    p,
    p.x,
    p[1],
    p._asdict(),
    p._replace(x=9),
    P._fields,
    P._make([3, 4]),
    p == (1, 2),
    tuple(p),
    len(p),
)
a, b = p
print(a, b, isinstance(p, tuple), hash(p) == hash((1, 2)))
Q = namedtuple("Q", ["a", "b"], defaults=[5])
print(Q(1), Q(1, 2))
for f in (
    lambda: P(1),
    lambda: P(1, 2, 3),
    lambda: P(1, z=2),
    lambda: P(1, x=2),
    lambda: p.z,
    lambda: {}["a"],
    lambda: {}.pop("k"),
    lambda: {}.popitem(),
    lambda: {[]: 1},
    lambda: deque().pop(),
    lambda: g.foo,
    lambda: namedtuple("X", "a a"),
    lambda: namedtuple("X", "1a"),
    lambda: {}.update(5),
    lambda: set().pop(),
    lambda: {1}.remove(2),
    lambda: {1}.add([]),
    lambda: defaultdict(5),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(m["a"], m["b"], len(m), sorted(m), "b" in m, m.get("z", 0))
m["c"] = 1
print(m.maps)
s = {1, 2, 3}
s.add(4)
s.discard(9)
s.update([5], (6,))
print(
    s,
    s.union([7]),
    s.intersection({1, 9}),
    s.difference([1, 2]),
    s.symmetric_difference([1, 8]),
    {1}.issubset(s),
    s.issuperset([1]),
    {1}.isdisjoint([2]),
    s & {1},
    s | {9},
    s - {1},
    s ^ {1},
    s.copy() == s,
    frozenset([1, 2]).union([3]),
    {1} < {1, 2},
)
s.remove(1)
s.difference_update([2])
s.intersection_update([3, 4])
print(s, len(s))
