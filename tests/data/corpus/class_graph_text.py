# kind: class
from functools import reduce
from itertools import count
class N:
    _c = count()
    def __init__(self, v, ch=(), op=""): self.v, self.ch, self.op, self.g, self.i = v, tuple(ch), op, 0.0, next(N._c)
    def _w(x): return x if isinstance(x, N) else N(x)
    def __add__(s, o): o = N._w(o); return N(s.v+o.v, (s, o), "+")
    def __mul__(s, o): o = N._w(o); return N(s.v*o.v, (s, o), "*")
    __radd__ = __add__; __rmul__ = __mul__
    def __sub__(s, o): return s + (-1)*N._w(o)
    def __pow__(s, k): return N(s.v**k, (s,), f"^{k}")
    def tree(self, pre="", last=True):
        head = pre + ("└─ " if last else "├─ ") + f"{self.op or 'leaf'} v={self.v:g} g={self.g:g}"
        print(head)
        for k, c in enumerate(self.ch):
            c.tree(pre + ("   " if last else "│  "), k == len(self.ch)-1)
    def back(self):
        self.g = 1.0
        order = []
        def walk(n):
            if n not in order:
                for c in n.ch: walk(c)
                order.append(n)
        walk(self)
        for n in order[::-1]:
            if n.op == "+":
                for c in n.ch: c.g += n.g
            elif n.op == "*":
                a, b = n.ch
                a.g += b.v*n.g; b.g += a.v*n.g
            elif n.op.startswith("^"):
                k = int(n.op[1:]); c, = n.ch
                c.g += k*c.v**(k-1)*n.g
x, y = N(3), N(4)
z = (x*y + 2*x - y)**2
z.back(); z.tree()
print(x.g, y.g)
dot = ["digraph G {", "  rankdir=LR;"]
stack, seen = [z], set()
while stack:
    n = stack.pop()
    if n.i in seen: continue
    seen.add(n.i)
    dot.append(f'  n{n.i} [label="{n.op or n.v}"];')
    for c in n.ch:
        dot.append(f"  n{c.i} -> n{n.i};"); stack.append(c)
dot.append("}")
print("\n".join(dot))
print(reduce(lambda a, b: a*b, [N(i) for i in range(1, 5)]).v)
