# kind: class
from collections import Counter, OrderedDict, ChainMap
import copy

class Value:
    def __init__(self, data, label='', _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self.label = label
        self._children = _children
        self._op = _op
    def __add__(self, o):
        return Value(self.data + o.data, '', (self, o), '+')
    def __mul__(self, o):
        return Value(self.data * o.data, '', (self, o), '*')
    def _pull(self):
        if self._op == '+':
            for c in self._children: c.grad += self.grad
        elif self._op == '*':
            a, b = self._children
            a.grad += b.data * self.grad
            b.grad += a.data * self.grad
    def backward(self):
        topo = []
        def walk(v):
            if all(v is not t for t in topo):
                for c in v._children: walk(c)
                topo.append(v)
        walk(self)
        self.grad = 1.0
        for v in topo[::-1]: v._pull()
        return Counter(v._op or 'leaf' for v in topo)

a, b = Value(2.0, 'a'), Value(3.0, 'b')
y1 = a * b; y1.label = 'y1'
y2 = y1 + a * a; y2.label = 'y2'
print(y1.backward())
print(a.grad, b.grad)
snapshot = copy.copy(a)
deep = copy.deepcopy(y1)
for v in (a, b, y1): v.grad = 0.0
print(dict(y2.backward()))
print(a.grad, b.grad, y1.grad, snapshot.grad, deep.grad, deep._children[0].grad, deep is not y1)
cfg = ChainMap({'lr': 0.5}, {'lr': 0.1, 'steps': 3})
print(cfg['lr'], cfg['steps'], OrderedDict([('x', 1), ('y', 2)]))
