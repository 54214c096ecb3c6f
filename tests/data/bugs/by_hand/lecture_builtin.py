from micrograd.engine import Value

a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
f = Value(-2.0)
e = a * b
d = e + c
g = d.relu()
L = g * f + e
m = L - a

m.grad = 1.0
L.grad = m.grad
g.grad = f.data * L.grad
f.grad = g.data * L.grad
d.grad = (1.0 if d.data > 0 else 0.0) * g.grad
c.grad = d.grad
e.grad = 1.0 * d.grad + L.grad
a.grad = b.data * e.grad
a.grad += -1.0 * m.grad
b.grad = a.data * e.grad
print(a.grad, b.grad, c.grad, d.grad, e.grad, f.grad)
