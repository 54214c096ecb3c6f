# kind: class
class Num:
    '''derivative flows by recursion, once for every path'''
    def __init__(self, value, parents=()):
        self.value, self.parents, self.grad = value, parents, 0

    def __add__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        return Num(self.value + other.value, ((self, 1), (other, 1)))

    def __mul__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        return Num(self.value * other.value, ((self, other.value), (other, self.value)))

    def __pow__(self, n):
        return Num(self.value ** n, ((self, n * self.value ** (n - 1)),))

    def backward(self, upstream=1):
        self.grad += upstream
        for parent, local in self.parents:
            parent.backward(upstream * local)

calls = 0
x = Num(3)
y = Num(-2)
z = x * y
q = z ** 2 + x * z + y
q.backward()
print("q =", q.value)
print("dq/dx =", x.grad, " dq/dy =", y.grad, " dq/dz =", z.grad)
# by hand: q = x^2 y^2 + x^2 y + y
print(2*3*4 + 2*3*-2, 2*9*-2 + 9 + 1)
