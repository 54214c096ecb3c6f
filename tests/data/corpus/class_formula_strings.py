# kind: class
class Value:
    """Prints its own formula."""
    def __init__(self, data, text=None, prec=9):
        self.data, self.prec = data, prec
        self.text = text if text is not None else f"{data:g}"
        self.deps = {}
    def _wrap(self, sign, prec):
        return f"({self.text})" if self.prec < prec else self.text
    def _join(self, other, sign, prec, data):
        out = Value(data, f"{self._wrap(sign, prec)} {sign} {other._wrap(sign, prec + (sign in '-/'))}", prec)
        return out
    def __add__(self, o):
        out = self._join(o, "+", 1, self.data + o.data)
        out.deps = {self: 1.0}
        out.deps[o] = out.deps.get(o, 0.0) + 1.0
        return out
    def __sub__(self, o):
        out = self._join(o, "-", 1, self.data - o.data)
        out.deps = {self: 1.0}
        out.deps[o] = out.deps.get(o, 0.0) - 1.0
        return out
    def __mul__(self, o):
        out = self._join(o, "*", 2, self.data * o.data)
        out.deps = {self: o.data}
        out.deps[o] = out.deps.get(o, 0.0) + self.data
        return out
    def derivative(self, wrt):
        if self is wrt: return 1.0
        return sum(d * v.derivative(wrt) for v, d in self.deps.items())
    def __str__(self): return self.text

a, b, c = (Value(x, n) for x, n in zip((2.0, -3.0, 10.0), "abc"))
L = (a * b + c) * (a - (b - c)) * a
print(L, "=", L.data)
for v in (a, b, c):
    print(f"d({L})/d{v} = {L.derivative(v)}")
print((a * a).derivative(a), (a - a).derivative(a))
