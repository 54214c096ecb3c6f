class Num:
    def __init__(self, x, parents=()):
        self.x = x
        self.parents = parents
        self.d = 0
    def __add__(self, o):
        return Num(self.x + o.x, [(self, 1), (o, 1)])
    def __mul__(self, o):
        return Num(self.x * o.x, [(self, o.x), (o, self.x)])
    def square(self):
        return Num(self.x ** 2, [(self, 2 * self.x)])
    def back(self, up=1):
        self.d += up
        for p, k in self.parents:
            p.back(up * k)
a = Num(2.0)
b = Num(-0.5)
c = a * b
e = (c + a).square() + c
e.back()
print(a.d, b.d)
