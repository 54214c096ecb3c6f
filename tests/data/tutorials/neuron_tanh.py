from micrograd.engine import Value

# two inputs and their weights
x1 = Value(2.0, label='x1')
x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1')
w2 = Value(1.0, label='w2')
# a bias that makes the gradients come out as round numbers
b = Value(6.8813735870195432, label='b')

x1w1 = x1 * w1; x1w1.label = 'x1*w1'
x2w2 = x2 * w2; x2w2.label = 'x2*w2'
both = x1w1 + x2w2; both.label = 'x1*w1 + x2*w2'
n = both + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()

print('n', round(n.data, 4), 'o', round(o.data, 4))
for v in [x1, w1, x2, w2]:
    print(v.label, round(v.grad, 6))
