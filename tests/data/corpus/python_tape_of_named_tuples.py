# kind: python
from collections import defaultdict, deque, namedtuple, OrderedDict, Counter
import itertools
import string

Node = namedtuple('Node', ['id', 'op', 'inputs', 'value'])

class Tape:
    def __init__(self):
        self.nodes = OrderedDict()
        self._names = (f'{a}{b}' for b, a in itertools.product(['', *map(str, range(1, 10))], string.ascii_lowercase))
        self.counts = Counter()

    def const(self, v):
        return self._push('const', (), v)

    def _push(self, op, inputs, value):
        n = Node(next(self._names), op, tuple(inputs), value)
        self.nodes[n.id] = n
        self.counts[op] += 1
        return n.id

    def add(self, x, y): return self._push('add', (x, y), self.nodes[x].value + self.nodes[y].value)
    def mul(self, x, y): return self._push('mul', (x, y), self.nodes[x].value * self.nodes[y].value)

    def grad(self, out):
        adj = defaultdict(float)
        adj[out] = 1.0
        for n in reversed(self.nodes.values()):
            g = adj[n.id]
            if n.op == 'add':
                for i in n.inputs: adj[i] += g
            elif n.op == 'mul':
                x, y = n.inputs
                adj[x] += g * self.nodes[y].value
                adj[y] += g * self.nodes[x].value
        return dict(adj)

t = Tape()
a, b, c = map(t.const, (2.0, -3.0, 10.0))
e = t.mul(a, b)
d = t.add(e, c)
L = t.mul(d, d)
print(t.nodes[L])
g = t.grad(L)
for name in sorted(g): print(f'd{L}/d{name} = {g[name]:g}')
print(t.counts.most_common(), t.nodes['a']._asdict())

def bfs(root):
    q, seen = deque([root]), []
    while q:
        n = q.popleft()
        if n in seen: continue
        seen.append(n)
        q.extend(t.nodes[n].inputs)
    return seen
print(' -> '.join(bfs(L)))
print(t.nodes[e]._replace(op='times'), Node._fields)
def show(n, prefix='', last=True):
    node = t.nodes[n]
    print(prefix + ('└── ' if last else '├── ') + f'{node.op}:{node.value}')
    for i, child in enumerate(node.inputs):
        show(child, prefix + ('    ' if last else '│   '), i == len(node.inputs) - 1)
show(L)
