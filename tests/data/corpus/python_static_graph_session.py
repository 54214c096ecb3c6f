# kind: python
# A static graph in the old TensorFlow manner: build first, then run in a session.
class Graph:
    current = None
    def __init__(self):
        self.ops, self.placeholders, self.variables = [], [], []
    def __enter__(self):
        Graph.current, self.outer = self, Graph.current
        return self
    def __exit__(self, kind, value, tb):
        Graph.current = self.outer

class Node:
    def __init__(self, *inputs):
        self.inputs = inputs
        self.consumers = []
        self.output = None
        for i in inputs:
            i.consumers.append(self)
        Graph.current.ops.append(self)
    def __add__(self, o): return Plus(self, o)
    def __mul__(self, o): return Times(self, o)

class Plus(Node):
    def compute(self, a, b): return a + b
    def gradient(self, g): return [g, g]

class Times(Node):
    def compute(self, a, b): return a * b
    def gradient(self, g):
        a, b = (i.output for i in self.inputs)
        return [g * b, g * a]

class Placeholder(Node):
    def __init__(self):
        self.consumers, self.output, self.inputs = [], None, ()
        Graph.current.placeholders.append(self)
    __add__, __mul__ = Node.__add__, Node.__mul__

class Variable(Placeholder):
    def __init__(self, initial):
        self.value = initial
        self.consumers, self.inputs = [], ()
        Graph.current.variables.append(self)

class Session:
    def run(self, node, feed=None):
        feed = feed or {}
        for n in self._post(node):
            match n:
                case Variable(value=v): n.output = v
                case Placeholder(): n.output = feed[n]
                case _: n.output = n.compute(*(i.output for i in n.inputs))
        return node.output
    def _post(self, node):
        for i in node.inputs:
            yield from self._post(i)
        yield node

def gradients(loss):
    table = {loss: 1.0}
    queue, visited = [loss], {loss}
    while queue:
        node = queue.pop(0)
        if node is not loss:
            table[node] = sum(c.gradient(table[c])[k] for c in node.consumers for k, i in enumerate(c.inputs) if i is node and c in table)
        for i in node.inputs:
            if i not in visited:
                visited.add(i)
                queue.append(i)
    return table

with Graph() as g:
    x = Placeholder()
    w = Variable(2.0)
    b = Variable(-1.0)
    y = w * x + b
    z = y * y
s = Session()
print(s.run(z, {x: 3.0}))
t = gradients(z)
print(t[w], t[b], t[y], Graph.current is None, len(g.ops), len(g.variables))
try:
    s.run(z)
except KeyError:
    print("placeholder not fed")
