# kind: python
import math

class Value:
    def __init__(self, data, prev=()):
        self.data = data
        self.prev = prev
        self.grad = 0
        self.back = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))
        def back():
            self.grad += out.grad
            o.grad += out.grad
        out.back = back
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))
        def back():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out.back = back
        return out
    def __sub__(self, o):
        return self + o * -1
    def cos(self):
        out = Value(math.cos(self.data), (self,))
        def back():
            self.grad -= math.sin(self.data) * out.grad
        out.back = back
        return out
    def backward(self):
        L, S = [], set()
        def rec(v):
            if v in S: return
            S.add(v)
            for p in v.prev: rec(p)
            L.append(v)
        rec(self)
        self.grad = 1
        while L:
            L.pop().back()

def newton(f, guess, tol=1e-12, max_iter=50):
    x = guess
    for i in range(1, max_iter + 1):
        v = Value(x)
        y = f(v)
        if abs(y.data) < tol:
            break
        y.backward()
        x = x - y.data / v.grad
    else:
        raise ArithmeticError("did not converge")
    return x, i

root, n = newton(lambda x: x * x * x - x - 2, 1.5)
print(f"root {root:.12f} after {n} iterations")
root, n = newton(lambda x: x.cos() - x, 1.0)
print(f"root {root:.12f} after {n} iterations")
try:
    newton(lambda x: x * x + 1, 0.5, max_iter=5)
except ArithmeticError as e:
    print("no root:", e)
