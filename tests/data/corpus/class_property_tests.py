# kind: class
import math, random
class Value:
    def __init__(self, data, _prev=(), _op=None):
        self.data = data; self.grad = 0.0; self._prev = _prev; self._op = _op
    def __add__(self, o): return Value(self.data+o.data, (self, o), "add")
    def __mul__(self, o): return Value(self.data*o.data, (self, o), "mul")
    def exp(self): return Value(math.exp(self.data), (self,), "exp")
    def sin(self): return Value(math.sin(self.data), (self,), "sin")
RULES = {
    "add": lambda n: (1.0, 1.0),
    "mul": lambda n: (n._prev[1].data, n._prev[0].data),
    "exp": lambda n: (n.data,),
    "sin": lambda n: (math.cos(n._prev[0].data),),
}
def backward(root):
    topo, seen = [], set()
    def dfs(n):
        if id(n) in seen: return
        seen.add(id(n))
        for p in n._prev: dfs(p)
        topo.append(n)
    dfs(root)
    for n in topo: n.grad = 0.0
    root.grad = 1.0
    for n in reversed(topo):
        if n._op:
            for p, l in zip(n._prev, RULES[n._op](n)): p.grad += l*n.grad
def random_expr(rng, leaves, depth):
    if depth == 0 or rng.random() < .2: return rng.choice(leaves)
    op = rng.choice(["add", "mul", "exp", "sin"])
    a = random_expr(rng, leaves, depth-1)
    if op in ("exp", "sin"):
        return ("u", op, a)
    return ("b", op, a, random_expr(rng, leaves, depth-1))
def build(e, env):
    if isinstance(e, str): return env[e]
    kind, op, *args = e
    vals = [build(a, env) for a in args]
    if kind == "u": return getattr(vals[0], op)()
    return vals[0] + vals[1] if op == "add" else vals[0] * vals[1]
def numeric(e, env, name, h=1e-6):
    hi = {k: Value(v + h*(k == name)) for k, v in env.items()}
    lo = {k: Value(v - h*(k == name)) for k, v in env.items()}
    return (build(e, hi).data - build(e, lo).data)/(2*h)
rng = random.Random(2024)
worst = 0; skipped = 0
for trial in range(25):
    e = random_expr(rng, ["x", "y"], 3)
    env = {"x": rng.uniform(-1, 1), "y": rng.uniform(-1, 1)}
    try:
        vals = {k: Value(v) for k, v in env.items()}
        out = build(e, vals)
    except OverflowError:
        skipped += 1; continue
    backward(out)
    for k in env:
        err = abs(vals[k].grad - numeric(e, env, k)) / max(1, abs(vals[k].grad))
        worst = max(worst, err)
    if trial < 4: print(e, round(out.data, 5), [round(vals[k].grad, 5) for k in "xy"])
print("worst < 1e-6:", worst < 1e-6, skipped)
print(rng.choices("abc", weights=[5, 1, 1], k=6), rng.sample(range(10), 3), rng.randint(1, 6), rng.shuffle(l := [1, 2, 3]) or l, round(rng.betavariate(1, 2), 4), rng.randrange(0, 100, 5), round(rng.triangular(0, 1), 3), round(rng.expovariate(2), 3), rng.getrandbits(8))
