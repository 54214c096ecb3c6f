# kind: class
class Tensor1D:
    __slots__ = ['_d', 'grad']
    def __init__(self, *xs):
        self._d = list(map(float, xs)); self.grad = [0.0]*len(xs)
    def __len__(self): return len(self._d)
    def __getitem__(self, i):
        if isinstance(i, slice): return Tensor1D(*self._d[i])
        return self._d[i]
    def __setitem__(self, i, v): self._d[i] = v
    def __delitem__(self, i): del self._d[i]; del self.grad[i]
    def __iter__(self): yield from self._d
    def __reversed__(self): return reversed(self._d)
    def __contains__(self, v): return any(abs(v-x) < 1e-9 for x in self._d)
    def __matmul__(self, o): return sum(a*b for a, b in zip(self, o))
    def __eq__(self, o): return isinstance(o, Tensor1D) and self._d == o._d
    def __iadd__(self, o):
        for i, v in enumerate(o): self._d[i] += v
        return self
    def __neg__(self): return Tensor1D(*(-x for x in self))
    def __format__(self, spec): return "[" + ", ".join(format(x, spec or "g") for x in self._d) + "]"
    def __str__(self): return f"{self:.2f}"
    def __repr__(self): return f"Tensor1D({', '.join(map(repr, self._d))})"
    def __bool__(self): return any(self._d)
    def __index__(self): return int(self._d[0])
t = Tensor1D(1, 2, 3.5, -4)
print(t, repr(t), f"{t:.1e}", len(t), t[1], t[-1], t[1:3], 3.5 in t, 9 in t, t @ t, -t)
t[0] = 10; t += [1, 1, 1, 1]; print(t, list(reversed(t)), sum(t), max(t), sorted(t), [*t][:2])
del t[0]; print(t, t == Tensor1D(3, 4.5, -3), t != t, bool(Tensor1D(0, 0)), list(range(5))[Tensor1D(2)])
a, *rest = t; print(a, rest)
try: hash(t)
except TypeError as e: print(e)
try: t.foo = 1
except AttributeError as e: print(e)
try: t[10]
except IndexError as e: print(e)
print("{0:.0f} {1!r:>30} {2}".format(t, Tensor1D(1), "%s|%r" % (t, t)))
for i, (u, v) in enumerate(zip(t, t[::-1])): print(i, u, v, end="; ")
print()
print(dict(zip("abc", t)), {x: i for i, x in enumerate(t)}, tuple(t), set(t) == {3.0, 4.5, -3.0})
