# kind: class
import math

class Num:
    def __init__(self, x, back=None):
        self.x, self.dx, self.back = x, 0.0, back or []

    def __add__(self, o):
        o = Num.of(o)
        return Num(self.x + o.x, [(self, 1.0), (o, 1.0)])

    def __mul__(self, o):
        o = Num.of(o)
        return Num(self.x * o.x, [(self, o.x), (o, self.x)])

    def log(self):
        return Num(math.log(self.x), [(self, 1/self.x)])

    @staticmethod
    def of(o):
        return o if isinstance(o, Num) else Num(float(o))

    def go(self, seed=1.0):
        self.dx += seed
        for node, local in self.back:
            node.go(seed * local)

a, b = Num(2.0), Num(8.0)
y = (a * b).log() + a*3
y.go()
print(y.x, a.dx, b.dx)
