# kind: network
import random, math
random.seed(13)

class V:
    def __init__(s, d, ch=(), op=''):
        s.d = d; s.g = 0.; s.ch = ch; s.op = op; s.bw = lambda: None
    def __repr__(s): return f'V({s.d:.3f})'
    def __add__(s, o):
        o = o if isinstance(o, V) else V(o)
        r = V(s.d + o.d, (s, o), '+')
        def bw(): s.g += r.g; o.g += r.g
        r.bw = bw; return r
    def __mul__(s, o):
        o = o if isinstance(o, V) else V(o)
        r = V(s.d * o.d, (s, o), '*')
        def bw(): s.g += o.d * r.g; o.g += s.d * r.g
        r.bw = bw; return r
    def __radd__(s, o): return s + o
    def __rmul__(s, o): return s * o
    def __sub__(s, o): return s + -1 * (o if isinstance(o, V) else V(o))
    def act(s):
        r = V(s.d if s.d > 0 else .01 * s.d, (s,), 'lrelu')
        def bw(): s.g += (1 if s.d > 0 else .01) * r.g
        r.bw = bw; return r
    def back(s):
        t, vis = [], set()
        def f(n):
            if n not in vis:
                vis.add(n); [f(c) for c in n.ch]; t.append(n)
        f(s); s.g = 1.
        for n in t[::-1]: n.bw()

layer = lambda i, o: ([[V(random.uniform(-1, 1)) for _ in range(i)] for _ in range(o)], [V(0.) for _ in range(o)])
l1, l2 = layer(2, 4), layer(4, 1)
fwd = lambda l, x, act: [(lambda z: z.act() if act else z)(sum(w * xi for w, xi in zip(r, x)) + b) for r, b in zip(*l)]
ps = [p for ws, bs in (l1, l2) for p in sum(ws, []) + bs]
D = {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}
for ep in range(40):
    L = 0
    for x, y in D.items():
        e = fwd(l2, fwd(l1, x, True), False)[0] - y
        L = L + e * e
    for p in ps: p.g = 0.
    L.back()
    for p in ps: p.d -= .08 * p.g
    if ep % 10 == 0: print(ep, L)
print([*map(lambda x: round(fwd(l2, fwd(l1, x, 1), 0)[0].d, 4), D)])
