# kind: class
import math
from graphviz import Digraph

class Value:
    def __init__(self, data, children=(), op='', label=''):
        self.data = data
        self.children = set(children)
        self.op = op
        self.label = label
        self.grad = 0.0
        self.backward_step = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other, label=str(other))
        out = Value(self.data + other.data, (self, other), '+')
        def step():
            self.grad += out.grad
            other.grad += out.grad
        out.backward_step = step
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other, label=str(other))
        out = Value(self.data * other.data, (self, other), '×')
        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.backward_step = step
        return out
    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        out = Value(s, (self,), 'σ')
        def step():
            self.grad += s * (1 - s) * out.grad
        out.backward_step = step
        return out

def visualize(root, rankdir='LR', filename=None):
    assert rankdir in ['LR', 'TB']
    dot = Digraph(comment='graph', format='png', graph_attr={'rankdir': rankdir}, node_attr={'shape': 'record'})
    dot.attr('node', fontsize='10') if hasattr(dot, 'attr') else None
    done = set()
    def visit(v):
        if v in done: return
        done.add(v)
        name = str(id(v))
        dot.node(name=name, label=f"{{{v.label} | data {v.data:.4f} | grad {v.grad:.4f}}}")
        if v.op:
            dot.node(name=name + v.op, label=v.op, shape='circle')
            dot.edge(name + v.op, name)
        for c in v.children:
            visit(c)
            dot.edge(str(id(c)), name + v.op)
    visit(root)
    if filename:
        dot.render(filename, view=True, cleanup=True)
    return len(done)

x = Value(1.0, label='x')
w = Value(-2.0, label='w')
b = Value(3.0, label='b')
z = x * w + b; z.label = 'z'
y = z.sigmoid(); y.label = 'y'
print(visualize(y))
y.grad = 1.0
y.backward_step()
z.backward_step()
for c in z.children:
    c.backward_step()
print(visualize(y, rankdir='TB', filename='graph'))
print(f"{x.grad:.6f} {w.grad:.6f} {b.grad:.6f}")
