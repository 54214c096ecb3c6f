x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1 * w1; x1w1.label = 'x1w1'
x2w2 = x2 * w2; x2w2.label = 'x2w2'
s = x1w1 + x2w2; s.label = 's'
n = s + b; n.label = 'n'
o = n.tanh(); o.label = 'o'

# seed the output, then ask each Value to hand its gradient on, last one first
o.grad = 1.0
o._backward()
n._backward()
b._backward()  # a leaf: nothing happens
s._backward()
x2w2._backward()
x1w1._backward()

print(round(n.grad, 6), round(s.grad, 6), round(b.grad, 6))
print(round(x1.grad, 6), round(w1.grad, 6), round(x2.grad, 6), round(w2.grad, 6))
