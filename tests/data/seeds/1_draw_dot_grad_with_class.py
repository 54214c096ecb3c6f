class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        # Gradient of the final output L with respect to this Value.
        self.grad = 0.0
        # Keep the local graph structure needed to traverse the expression backward.
        self._prev = set(_children)
        self._op = _op
        self.label = label
    def __repr__(self):
        return f"Value(data={self.data})"
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        return out

a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(10.0, label='c')
e = a*b; e.label='e'
d = e + c; d.label='d'
f = Value(-2.0, label='f')
L = d * f; L.label='L'
L

from graphviz import Digraph
def trace(root):
    nodes, edges = set(), set()
    def build(v):
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)
    build(root)
    return nodes, edges
def draw_dot(root):
    dot = Digraph(format='svg', graph_attr={
        'rankdir': 'LR',
        'bgcolor': 'transparent',
        'fontname': 'sans-serif'
    })
    nodes, edges = trace(root)
    for n in nodes:
        uid = str(id(n))
        label = "{ %s | data %.4f | grad %.4f }" % (n.label, n.data, n.grad)
        if n._op:
            dot.node(name=uid, label=label, shape='Mrecord',
                fillcolor='#40C4FF', color='#00B0FF', style='filled', fontname='sans-serif')
            dot.node(name=uid + n._op, label=n._op, shape='circle',
                fillcolor='#FFEA00', color='#FFD600', style='filled', fontname='sans-serif')
            dot.edge(uid + n._op, uid, color='#0033FF', penwidth='2.0')
        else:
            dot.node(name=uid, label=label, shape='Mrecord',
                fillcolor='#00E676', color='#00C853', style='filled', fontname='sans-serif')
    for n1, n2 in edges:
        dot.edge(str(id(n1)), str(id(n2)) + n2._op, color='#D500F9', penwidth='2.0')
    return dot
draw_dot(L)
