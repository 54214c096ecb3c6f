class V:
    def __init__(self, x, name="?"):
        self.x = x
        self.dx = 0.0
        self.name = name
        self.after = []

    def __mul__(self, k):
        if isinstance(k, V):
            out = V(self.x * k.x)
            out.after = [(self, k.x), (k, self.x)]
        else:
            out = V(self.x * k)
            out.after = [(self, k)]
        return out

    __rmul__ = __mul__

    def __add__(self, k):
        if isinstance(k, V):
            out = V(self.x + k.x)
            out.after = [(self, 1), (k, 1)]
        else:
            out = V(self.x + k)
            out.after = [(self, 1)]
        return out

    __radd__ = __add__

    def __pow__(self, n):
        out = V(self.x ** n)
        out.after = [(self, n * self.x ** n / self.x)]
        return out

    def __neg__(self):
        return -1 * self

    def __sub__(self, k):
        return self + (-k)

    def __rsub__(self, k):
        return k + (-self)

    def __truediv__(self, k):
        return self * k ** -1

    def __rtruediv__(self, k):
        return k * self ** -1

    def backward(self, g=1.0):
        self.dx += g
        for child, factor in self.after:
            child.backward(g * factor)


a = V(-2.0, "a")
b = V(0.5, "b")
c = 3 - a * b
d = c / a + 2 / b
L = d ** 2 - c
M = c * b
L.backward(g=1.0)
M.backward()
for v in (a, b, c):
    print(v.name, v.dx)
