# kind: lecture
class Value:
    def __init__(self, data, _children=(), label=''):
        self.data = data
        self._prev = _children
        self.label = label
    def __add__(self, other):
        return Value(self.data + other.data, (self, other))
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))

a = Value(1.0, label='a')
b = Value(2.0, label='b')
c = a + b; c.label = 'c'
d = c * a; d.label = 'd'
e = d + c; e.label = 'e'

topo = []
visited = set()
def build_topo(v):
    if v not in visited:
        visited.add(v)
        for child in v._prev:
            build_topo(child)
        topo.append(v)
build_topo(e)
print([v.label for v in topo])
for v in reversed(topo):
    print(v.label, v.data)
