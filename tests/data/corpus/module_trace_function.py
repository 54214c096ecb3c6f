# kind: module
from engine import Value
from draw import trace, draw_dot

a = Value(1.0); b = Value(2.0)
d = a*b + a
nodes, edges = trace(d)
print(len(nodes), len(edges))
draw_dot(d)
