# kind: class
from __future__ import division, print_function
import random
import sys
if sys.version_info < (3,):
    raise SystemExit("need python 3")
random.seed(10)
class Var:
    __slots__ = "val grad children".split()
    def __init__(self, val, children=()):
        self.val = val; self.children = children; self.grad = None
    def __add__(self, o): return Var(self.val+o.val, ((1.0, self), (1.0, o)))
    def __sub__(self, o): return Var(self.val-o.val, ((1.0, self), (-1.0, o)))
    def __mul__(self, o): return Var(self.val*o.val, ((o.val, self), (self.val, o)))
def grads(out, wrt):
    acc = {}
    stack = [(out, 1.0)]
    while stack:
        node, g = stack.pop()
        acc[node] = acc.get(node, 0.0) + g
        for w, c in node.children: stack.append((c, g*w))
    return [acc.get(v, 0.0) for v in wrt]
true_m, true_c = 2.5, -0.7
pts = [(x/10, true_m*x/10 + true_c + random.normalvariate(0, .05)) for x in range(-10, 11, 2)]
m, c = Var(0.0), Var(0.0)
lr = .3
for it in range(60):
    loss = Var(0.0)
    for x, y in pts:
        e = m*Var(x) + c - Var(y)
        loss = loss + e*e
    loss = loss * Var(1/len(pts))
    gm, gc = grads(loss, [m, c])
    m, c = Var(m.val - lr*gm), Var(c.val - lr*gc)
    if it % 15 == 0: print("iter {0:3d}: loss={1:.6f} m={2:.4f} c={3:.4f}".format(it, loss.val, m.val, c.val))
print("m = %.3f, c = %.3f" % (m.val, c.val))
# closed form
n = len(pts); sx = sum(p[0] for p in pts); sy = sum(p[1] for p in pts)
sxx = sum(p[0]**2 for p in pts); sxy = sum(p[0]*p[1] for p in pts)
mm = (n*sxy - sx*sy)/(n*sxx - sx**2); print("closed", round(mm, 3), round((sy-mm*sx)/n, 3))
width, height = 30, 8
canvas = [[" "]*width for _ in range(height)]
for x, y in pts:
    canvas[int((3.5-y)/7*(height-1))][int((x+1)/2*(width-1))] = "o"
for row in canvas: print("|" + "".join(row) + "|")
