# kind: module
from engine import Value
from visualize import draw_dot

a = Value(2.0, label='a')
b = Value(3.0, label='b')
c = a*b; c.label = 'c'
c.backward()
draw_dot(c)
print(c.data, a.grad, b.grad)
