# kind: python
import random
from itertools import islice, chain, product, accumulate, pairwise
from functools import partial

def batches(data, size, *, shuffle=True, seed=None):
    data = list(data)
    if shuffle:
        random.Random(seed).shuffle(data)
    it = iter(data)
    while batch := list(islice(it, size)):
        yield batch

def lr_schedule(lr0, decay=0.9):
    lr = lr0
    while True:
        cmd = yield lr
        if cmd == "reset":
            lr = lr0
        else:
            lr *= decay

data = list(zip(range(10), "abcdefghij"))
for i, b in enumerate(batches(data, 4, seed=1)):
    print(i, b)
sched = lr_schedule(1.0)
print([round(next(sched), 3) for _ in range(4)], sched.send("reset"), next(sched))
double = partial(pow, 2)
print(list(map(double, range(5))))
print(list(accumulate([1, 2, 3, 4])), list(pairwise("abc")), list(product([0, 1], repeat=2)))
def flatten(xs):
    for x in xs:
        if isinstance(x, list): yield from flatten(x)
        else: yield x
print(list(flatten([1, [2, [3, []]], 4])))
*head, last = range(5)
print(head, last)
w = 0.0
for epoch, lr in zip(range(3), lr_schedule(0.1, decay=0.5)):
    for batch in batches([(x, 2 * x) for x in (1, 2, 3)], 2, shuffle=False):
        g = sum(2 * (w * x - y) * x for x, y in batch) / len(batch)
        w -= lr * g
    print(f"epoch {epoch} lr {lr:.3f} w {w:.5f}")
