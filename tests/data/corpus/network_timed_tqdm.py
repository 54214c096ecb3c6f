# kind: network
import time
from tqdm import tqdm, trange
import random

class Value:
    def __init__(self, data): self.data, self.grad, self.fn = data, 0.0, None
    def __mul__(self, o):
        out = Value(self.data * o.data)
        def fn(g):
            self.acc(o.data * g); o.acc(self.data * g)
        out.fn = fn
        return out
    def __sub__(self, o):
        out = Value(self.data - o.data)
        def fn(g):
            self.acc(g); o.acc(-g)
        out.fn = fn
        return out
    def acc(self, g):
        self.grad += g
        if self.fn: self.fn(g)

start = time.perf_counter()
random.seed(0)
w = Value(random.random())
pbar = tqdm(range(30), desc="training")
for i in pbar:
    x, t = Value(1.5), Value(4.5)
    d = w * x - t
    loss = d * d
    w.grad = 0.0
    loss.acc(1.0)
    w.data -= 0.1 * w.grad
elapsed = time.perf_counter() - start
print("fast enough" if elapsed < 30 else "slow")
print(f"w = {w.data:.6f}")
for _ in trange(2):
    pass
t0 = time.time()
print(isinstance(t0, float), time.time() - t0 < 60)
