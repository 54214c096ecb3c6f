# kind: class
class Vec:
    def __init__(self, *c): self.c = c
    def __repr__(self): return "Vec" + repr(self.c)
    def __add__(self, o):
        if isinstance(o, Vec): return Vec(*(a+b for a, b in zip(self.c, o.c)))
        return NotImplemented
    def __mul__(self, k):
        if isinstance(k, (int, float)): return Vec(*(a*k for a in self.c))
        return NotImplemented
    def __rmul__(self, k): return self * k
    def __eq__(self, o): return self.c == o.c if isinstance(o, Vec) else NotImplemented
    def __lt__(self, o): return sum(self.c) < sum(o.c) if isinstance(o, Vec) else NotImplemented
    def __rpow__(self, b): return Vec(*(b**a for a in self.c))
    def __floordiv__(self, o): return Vec(*(a//o for a in self.c))
    def __mod__(self, o): return Vec(*(a%o for a in self.c))
    def __divmod__(self, o): return self//o, self%o
    def __and__(self, o): return "and"
    def __lshift__(self, o): return f"<<{o}"
    def __invert__(self): return "inv"
    def __pos__(self): return self
    def __abs__(self): return sum(a*a for a in self.c)**.5
    def __round__(self, n=0): return Vec(*(round(a, n) for a in self.c))
    def __call__(self, i=0): return self.c[i]
    def __int__(self): return int(self.c[0])
    def __float__(self): return float(self.c[0])
    def __complex__(self): return 0
class Child(Vec):
    def __radd__(self, o): return "child radd"
    def __hash__(self): return 7
v = Vec(1, 2.5)
print(v+v, v*2, 3*v, 2**v, v//2, v%2, divmod(v, 2), v & 1, v << 4, ~v, +v, abs(Vec(3, 4)), round(Vec(1.26, 2.34), 1), v(), v(i=1), int(v), float(v))
print(v + Child(1, 1), v == Vec(1, 2.5), v != Vec(1, 2), v == 5, v < Vec(9, 9), v > Vec(0, 0), max(v, Vec(9, 9)), sorted([Vec(3), Vec(1)]))
for f in (lambda: v + 1, lambda: 1 + v, lambda: v * v, lambda: v < 3, lambda: v - v, lambda: -v, lambda: v @ v, lambda: v[0], lambda: len(v), lambda: {v: 1}, lambda: v >= v, lambda: sum([v, v]), lambda: "a" + v, lambda: [1] * v, lambda: v ** 2, lambda: iter(v), lambda: v.x, lambda: 1 in v, lambda: v()()):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
w = v; w += Vec(1, 1); print(w, v, w is v)
print({Child(1): "ok"}[Child(1)], bool(v), v is not None, not v)
