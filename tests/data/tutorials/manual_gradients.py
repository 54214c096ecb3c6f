a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(10.0, label='c')
e = a * b; e.label = 'e'
d = e + c; d.label = 'd'
f = Value(-2.0, label='f')
L = d * f; L.label = 'L'
print(L.data)

# the chain rule with pencil and paper
L.grad = 1.0
f.grad = d.data * L.grad
d.grad = f.data * L.grad
c.grad = 1.0 * d.grad
e.grad = 1.0 * d.grad
a.grad = b.data * e.grad
b.grad = a.data * e.grad
print(a.grad, b.grad, c.grad, f.grad)

# one small move of the leaves uphill: L grows
for leaf in (a, b, c, f):
    leaf.data += 0.01 * leaf.grad
e = a * b
d = e + c
L = d * f
print(L.data)
