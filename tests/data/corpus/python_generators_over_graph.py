# kind: python
from itertools import count, islice, cycle, chain, accumulate, combinations, takewhile, pairwise, zip_longest
from functools import reduce, partial
import operator

class Value:
    ids = count(1)
    def __init__(self, data, prev=()):
        self.data, self.prev, self.grad = data, prev, 0.0
        self.id = next(self.ids)
    def __add__(self, o): return Value(self.data + o.data, ((self, 1.0), (o, 1.0)))
    def __mul__(self, o): return Value(self.data * o.data, ((self, o.data), (o, self.data)))
    def __iter__(self):
        """postorder"""
        seen = set()
        def walk(v):
            if v in seen: return
            seen.add(v)
            for p, _ in v.prev:
                yield from walk(p)
            yield v
        return walk(self)
    def __len__(self): return sum(1 for _ in self)
    def backward(self):
        self.grad = 1.0
        for v in reversed(list(self)):
            for p, d in v.prev:
                p.grad += d * v.grad

vs = [Value(x) for x in (1.0, -2.0, 3.0, 0.5)]
total = reduce(operator.add, (reduce(operator.mul, pair) for pair in combinations(vs, 2)))
total.backward()
print(total.data, [v.grad for v in vs], len(total))
print([v.id for v in islice(total, 5)])

def descent(f, df, x, lr):
    while True:
        yield x, f(x)
        x -= lr * df(x)

gd = descent(lambda x: (x - 3) ** 2, lambda x: 2 * (x - 3), 0.0, 0.25)
for x, y in takewhile(lambda p: p[1] > 0.01, gd):
    print(f"{x:.4f} {y:.4f}")
lrs = cycle([0.1, 0.01])
print([next(lrs) for _ in range(5)])
print(list(accumulate([1, 2, 3, 4], operator.mul)), list(accumulate([.5, .5], initial=1)))
print([b - a for a, b in pairwise([1, 4, 9, 16])])
print(list(zip_longest("ab", [1], fillvalue="-")), list(chain.from_iterable([[1], [2, 3]])))
half = partial(operator.mul, 0.5)
print(list(map(half, [2, 4])))
