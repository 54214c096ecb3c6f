# kind: arrays
import numpy as np
class Dual:
    def __init__(self, value, deriv=0.0):
        self.value = value
        self.deriv = deriv
    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.value + o.value, self.deriv + o.deriv)
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.value * o.value, self.value * o.deriv + self.deriv * o.value)
    __rmul__ = __mul__
    def __repr__(self):
        return f"Dual({self.value}, {self.deriv})"
def sin(d):
    return Dual(np.sin(d.value), np.cos(d.value) * d.deriv)
x = Dual(2.0, 1.0)
print(x * x + 3 * x)
print(sin(x * x))
grads = [ (lambda d: d*d*d)(Dual(v, 1.0)).deriv for v in np.linspace(0, 2, 3)]
print(grads)
print(np.array(grads))
