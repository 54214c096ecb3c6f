# a Value that is used more than once collects a part from every use
a = Value(-2.0, label='a')
b = Value(3.0, label='b')
d = a * b; d.label = 'd'
e = a + b; e.label = 'e'
f = d * e; f.label = 'f'
f.backward()
print(a.grad, b.grad, d.grad, e.grad)

x = Value(3.0, label='x')
y = x * x + x; y.label = 'y'
y.backward()
print(x.grad)  # 2x + 1
