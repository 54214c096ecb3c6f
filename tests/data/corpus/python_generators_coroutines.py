# kind: python
def averager():
    total = n = 0
    avg = None
    while True:
        x = yield avg
        if x is None: return total
        total += x; n += 1; avg = total / n
g = averager(); next(g)
print([g.send(v) for v in (10, 20, 60)])
try: g.send(None)
except StopIteration as e: print("returned", e.value)
def batches(data, size, *, shuffle=False, seed=0):
    import random
    idx = list(range(len(data)))
    if shuffle: random.Random(seed).shuffle(idx)
    for i in range(0, len(idx), size):
        yield [data[j] for j in idx[i:i+size]]
print(list(batches("abcdefg", 3)), list(batches(list(range(6)), 4, shuffle=True, seed=3)))
def flatten(x):
    for e in x:
        if isinstance(e, (list, tuple)): yield from flatten(e)
        else: yield e
print(list(flatten([1, [2, (3, [4])], 5])), sum(flatten([[1], [2]])))
class Sched:
    def __init__(self, lr): self.lr = lr
    def __iter__(self):
        lr = self.lr
        while lr > 1e-3:
            yield lr; lr *= .1
print([f"{l:.0e}" for l in Sched(.1)])
class Loader:
    def __init__(self, n): self.n = n
    def __iter__(self): self.i = 0; return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1; return self.i**2
print(list(Loader(4)), 9 in Loader(5), max(Loader(3)), dict(enumerate(Loader(2), 1)), *zip(Loader(2), Loader(3)))
def gen():
    try:
        yield 1; yield 2
    finally: print("closed")
k = gen(); next(k); k.close()
def thrower():
    while True:
        try: yield "ok"
        except ValueError as e: yield f"caught {e}"
t = thrower(); next(t); print(t.throw(ValueError("x")), next(t))
print(any(x > 3 for x in Loader(2)), all(map(bool, [])), next((x for x in [1, 5] if x > 2), None), next(filter(None, [0, 3])))
m = map(lambda a, b: a*b, [1, 2, 3], [4, 5]); print(list(m), list(m))
it = iter([1, 2, 3]); print(list(zip(it, it)), next(it, "end"))
import itertools
print(list(itertools.islice(itertools.cycle("ab"), 5)), list(iter(lambda c=itertools.count(): next(c), 3)))
matrix = [[i*j for j in range(3)] for i in range(3)]
print(*matrix, sep="\n"); print([list(r) for r in zip(*matrix)], [x for r in matrix for x in r if x], {(i, j) for i in range(2) for j in range(2) if i != j} == {(0, 1), (1, 0)})
