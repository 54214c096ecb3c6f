# kind: own
import math

class Node:
    _counter = 0

    def __init__(self, data, children=(), op=None, label=None):
        self.data = data
        self.children = list(children)
        self.op = op
        self.grad = 0
        Node._counter += 1
        self.label = label or f"n{Node._counter}"

    def __add__(self, o):
        o = o if isinstance(o, Node) else Node(o)
        return Node(self.data + o.data, [self, o], "add")

    def __mul__(self, o):
        o = o if isinstance(o, Node) else Node(o)
        return Node(self.data * o.data, [self, o], "mul")

    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __sub__(self, o): return self + o * -1
    def __neg__(self): return self * -1

    def tanh(self):
        return Node(math.tanh(self.data), [self], "tanh")

    def _local(self):
        if self.op == "add":
            return [1, 1]
        elif self.op == "mul":
            a, b = self.children
            return [b.data, a.data]
        elif self.op == "tanh":
            return [1 - self.data ** 2]
        return []

    def backward(self):
        self.grad = 1
        stack = []
        seen = set()
        def dfs(n):
            if n in seen: return
            seen.add(n)
            for c in n.children: dfs(c)
            stack.append(n)
        dfs(self)
        while stack:
            n = stack.pop()
            for c, l in zip(n.children, n._local()):
                c.grad += l * n.grad

    def show(self, depth=0):
        pad = "  " * depth
        op = f" [{self.op}]" if self.op else ""
        print(f"{pad}{self.label}: data={self.data:.4f} grad={self.grad:.4f}{op}")
        for c in self.children:
            c.show(depth + 1)


x1 = Node(2.0, label="x1")
x2 = Node(0.0, label="x2")
w1 = Node(-3.0, label="w1")
w2 = Node(1.0, label="w2")
b = Node(6.8813735870195432, label="b")

x1w1 = x1 * w1; x1w1.label = "x1*w1"
x2w2 = x2 * w2; x2w2.label = "x2*w2"
s = x1w1 + x2w2; s.label = "x1w1+x2w2"
n = s + b; n.label = "n"
o = n.tanh(); o.label = "o"
o.backward()
o.show()
print("total nodes created:", Node._counter)
