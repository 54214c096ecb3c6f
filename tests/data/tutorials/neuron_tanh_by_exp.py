# the same neuron, with tanh taken apart into exp, minus and a division
x1, x2 = Value(2.0, label='x1'), Value(0.0, label='x2')
w1, w2 = Value(-3.0, label='w1'), Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
n = x1*w1 + x2*w2 + b; n.label = 'n'
e = (2*n).exp(); e.label = 'e'
o = (e - 1) / (e + 1); o.label = 'o'
o.backward()
print(f"{o.data:.6f} {x1.grad:.6f} {w1.grad:.6f} {x2.grad:.6f} {w2.grad:.6f}")
